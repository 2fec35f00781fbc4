// SPDX-License-Identifier: Apache-2.0
// Calls of the HDF5 C API: attributes and texts.
#include "output/hdf5.hpp"

#include "base/error.hpp"

namespace lockstep::h5 {
namespace {

/// UTF-8 text of `size` bytes or H5T_VARIABLE.
Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "describe a text");
  check(H5Tset_size(type.get(), size), "describe a text");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "describe a text");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLTERM), "describe a text");
  return type;
}

Handle scalar() { return Handle(H5Screate(H5S_SCALAR), H5Sclose, "describe a value"); }
Handle row(std::size_t n) {
  hsize_t const count = n;
  return Handle(H5Screate_simple(1, &count, nullptr), H5Sclose, "describe values");
}

void write_attribute(hid_t object, std::string const& name, hid_t file_type, hid_t memory_type,
                     Handle const& space, void const* values) {
  std::string const action = "write attribute " + name;
  Handle const attribute(H5Acreate2(object, name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, action);
  check(H5Awrite(attribute.get(), memory_type, values), action);
}

Handle open_attribute(hid_t object, std::string const& name) {
  return Handle(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "open attribute " + name);
}

[[noreturn]] void unlike(std::string const& what) {
  throw ResourceError("cannot read " + what, "it is stored as something else than lockstep writes",
                      "Take a file that lockstep wrote, as it was written");
}

/// @throws ResourceError if the attribute holds values of another class.
void require_class(Handle const& attribute, H5T_class_t wanted, std::string const& name) {
  Handle const type(H5Aget_type(attribute.get()), H5Tclose, "read the type of " + name);
  if (H5Tget_class(type.get()) != wanted) unlike("attribute " + name);
}

std::size_t count_of(Handle const& attribute) {
  Handle const space(H5Aget_space(attribute.get()), H5Sclose, "read an attribute's shape");
  hssize_t const n = H5Sget_simple_extent_npoints(space.get());
  if (n < 0) fail("read an attribute's shape");
  return std::size_t(n);
}

}  // namespace

void write_text(hid_t parent, std::string const& name, std::string const& text) {
  Handle const type = text_type(text.size() + 1);
  Handle const set = create_dataset(parent, name, type.get(), {});
  write_slab(set.get(), type.get(), {}, text.c_str(), false);
}

std::string read_text(hid_t parent, std::string const& name) {
  Handle const set = open_dataset(parent, name);
  Handle const type(H5Dget_type(set.get()), H5Tclose, "read the type of " + name);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0 ||
      !shape_of(set.get()).empty() || stored_bytes(set.get()) != H5Tget_size(type.get()))
    unlike("text " + name);
  std::string text(H5Tget_size(type.get()), '\0');
  read_slab(set.get(), type.get(), {}, text.data());
  text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
  return text;
}

void set_attribute(hid_t object, std::string const& name, std::string const& text) {
  Handle const type = text_type(H5T_VARIABLE);
  char const* const pointer = text.c_str();
  write_attribute(object, name, type.get(), type.get(), scalar(), &pointer);
}

void set_attribute(hid_t object, std::string const& name, std::vector<std::string> const& texts) {
  Handle const type = text_type(H5T_VARIABLE);
  std::vector<char const*> pointers;
  for (auto const& text : texts) pointers.push_back(text.c_str());
  write_attribute(object, name, type.get(), type.get(), row(texts.size()), pointers.data());
}

void set_attribute(hid_t object, std::string const& name, std::span<std::int64_t const> values) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64,
                  values.size() == 1 ? scalar() : row(values.size()), values.data());
}

void set_attribute(hid_t object, std::string const& name, double value) {
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, scalar(), &value);
}

bool has_attribute(hid_t object, std::string const& name) { return H5Aexists(object, name.c_str()) > 0; }

std::vector<std::string> texts_attribute(hid_t object, std::string const& name) {
  Handle const attribute = open_attribute(object, name);
  Handle const stored(H5Aget_type(attribute.get()), H5Tclose, "read the type of " + name);
  if (H5Tis_variable_str(stored.get()) <= 0) unlike("attribute " + name);
  Handle const type = text_type(H5T_VARIABLE);
  std::vector<char*> pointers(count_of(attribute), nullptr);
  check(H5Aread(attribute.get(), type.get(), pointers.data()), "read attribute " + name);
  std::vector<std::string> texts;
  for (char* pointer : pointers) {
    texts.emplace_back(pointer == nullptr ? "" : pointer);
    H5free_memory(pointer);
  }
  return texts;
}

std::string text_attribute(hid_t object, std::string const& name) {
  auto const texts = texts_attribute(object, name);
  if (texts.size() != 1) unlike("attribute " + name);
  return texts[0];
}

std::vector<std::int64_t> integers_attribute(hid_t object, std::string const& name) {
  Handle const attribute = open_attribute(object, name);
  require_class(attribute, H5T_INTEGER, name);
  std::vector<std::int64_t> values(count_of(attribute), 0);
  check(H5Aread(attribute.get(), H5T_NATIVE_INT64, values.data()), "read attribute " + name);
  return values;
}

double real_attribute(hid_t object, std::string const& name) {
  Handle const attribute = open_attribute(object, name);
  require_class(attribute, H5T_FLOAT, name);
  if (count_of(attribute) != 1) unlike("attribute " + name);
  double value = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value), "read attribute " + name);
  return value;
}

}  // namespace lockstep::h5
