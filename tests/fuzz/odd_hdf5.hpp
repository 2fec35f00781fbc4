// SPDX-License-Identifier: Apache-2.0
// Odd content for an HDF5 file of a known layout, made through the HDF5 API as some bytes say.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::fuzz {

/// The bytes of an input, taken one after the other; zeros when there are no more.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  bool more() const { return !bytes_.empty(); }
  std::string_view rest() const { return bytes_; }
  template <class T>
  T next() {
    T value{};
    std::size_t const n = std::min(sizeof value, bytes_.size());
    std::memcpy(&value, bytes_.data(), n);
    bytes_.remove_prefix(n);
    return value;
  }

 private:
  std::string_view bytes_;
};

/// An attribute and the object that has it.
struct OddAttribute {
  char const *object, *name;
};

/// What may become odd in a file.
struct OddLayout {
  std::vector<OddAttribute> attributes;
  std::vector<char const*> datasets;
};

inline std::int64_t odd_integer(Bytes& in) {
  using Limits = std::numeric_limits<std::int64_t>;
  constexpr std::array values{std::int64_t(-1),
                              std::int64_t(0),
                              std::int64_t(1),
                              std::int64_t(2),
                              std::int64_t(6),
                              std::int64_t(8),
                              Limits::min(),
                              Limits::max() - 1,
                              Limits::max(),
                              std::int64_t(1) << 32,
                              (std::int64_t(1) << 61) + 1};
  std::size_t const k = in.next<std::uint8_t>();
  return k < 32 ? values[k % values.size()] : k < 144 ? std::int64_t(k) - 88 : in.next<std::int64_t>();
}

inline hid_t odd_type(Bytes& in, std::size_t& size) {
  auto const kind = in.next<std::uint8_t>() % 8;
  size = 8;
  if (kind < 6) {
    std::array const types{H5T_STD_I64LE, H5T_STD_I32LE, H5T_IEEE_F64LE,
                           H5T_STD_U8LE,  H5T_STD_U64BE, H5T_IEEE_F32LE};
    hid_t const type = H5Tcopy(types[kind]);
    size = H5Tget_size(type);
    return type;
  }
  hid_t const type = H5Tcopy(H5T_C_S1);
  auto const length = std::size_t(odd_integer(in)) % (std::size_t(1) << 20) + 1;
  H5Tset_size(type, kind == 6 ? H5T_VARIABLE : length);
  size = kind == 6 ? sizeof(char*) : length;
  return type;
}

inline hid_t odd_space(Bytes& in, std::vector<hsize_t>& shape) {
  auto const kind = in.next<std::uint8_t>() % 6;
  if (kind == 5) return H5Screate(H5S_NULL);
  if (kind == 4) return H5Screate(H5S_SCALAR);
  for (int d = 0; d < kind; ++d) shape.push_back(hsize_t(odd_integer(in)));
  return kind == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(kind, shape.data(), nullptr);
}

/// Up to 4096 bytes of values of that type, each the same; 0 if they would be more.
inline std::vector<std::int64_t> odd_values(Bytes& in, hid_t space, std::size_t size) {
  hssize_t const n = H5Sget_simple_extent_npoints(space);
  if (n < 0 || size > 4096 || std::size_t(n) > 4096 / size) return {};
  return std::vector<std::int64_t>(std::size_t(n) * size / 8 + 1, odd_integer(in));
}

inline void odd_attribute(hid_t file, OddAttribute const& attribute, Bytes& in) {
  hid_t const at = H5Oopen(file, attribute.object, H5P_DEFAULT);
  char const* const name = attribute.name;
  if (at < 0) return;
  H5Adelete(at, name);
  if (in.next<std::uint8_t>() % 16 != 15) {
    std::size_t size = 0;
    std::vector<hsize_t> shape;
    hid_t const type = odd_type(in, size), space = odd_space(in, shape);
    auto const values = odd_values(in, space, size);
    hid_t const made = values.empty() ? -1 : H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (made >= 0) {
      static char const* const texts[512] = {"A", "Ar"};
      bool const pointers = H5Tis_variable_str(type) > 0;
      H5Awrite(made, type, pointers ? static_cast<void const*>(texts) : values.data());
      H5Aclose(made);
    }
    if (space >= 0) H5Sclose(space);
    H5Tclose(type);
  }
  H5Oclose(at);
}

/// One element of a dataset becomes another number.
inline void odd_element(hid_t file, char const* name, Bytes& in) {
  hid_t const set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0) return;
  hid_t const space = H5Dget_space(set), type = H5Dget_type(set);
  int const rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> shape(std::size_t(std::max(rank, 1)), 1), at(shape.size(), 0), one(shape.size(), 1);
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  for (std::size_t d = 0; d < shape.size(); ++d)
    at[d] = in.next<std::uint8_t>() % std::max<hsize_t>(shape[d], 1);
  bool const real = H5Tget_class(type) == H5T_FLOAT && in.next<std::uint8_t>() % 2 == 0;
  std::int64_t const value = odd_integer(in);  // as a double: its bits, NaN among them
  if (rank > 0 && H5Tget_class(type) != H5T_STRING &&
      H5Sselect_hyperslab(space, H5S_SELECT_SET, at.data(), nullptr, one.data(), nullptr) >= 0) {
    hid_t const memory = H5Screate_simple(rank, one.data(), nullptr);
    H5Dwrite(set, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, memory, space, H5P_DEFAULT, &value);
    H5Sclose(memory);
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);
}

/// A dataset goes, or another one takes its name: of another type or shape, chunked or not, stored or not.
inline void odd_dataset(hid_t file, char const* name, Bytes& in) {
  H5Ldelete(file, name, H5P_DEFAULT);
  auto const how = in.next<std::uint8_t>();
  if (how % 16 == 15) return;
  std::size_t size = 0;
  std::vector<hsize_t> shape;
  hid_t const type = odd_type(in, size), space = odd_space(in, shape),
              creation = H5Pcreate(H5P_DATASET_CREATE);
  std::vector<hsize_t> const chunk(std::max<std::size_t>(shape.size(), 1), 1);
  if (how % 2 == 1 && !shape.empty()) H5Pset_chunk(creation, int(shape.size()), chunk.data());
  hid_t const set = space < 0 ? -1 : H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  auto const values = odd_values(in, space, size);
  if (set >= 0 && !values.empty() && how % 4 < 2 && H5Tis_variable_str(type) <= 0)
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  if (set >= 0) H5Dclose(set);
  H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  H5Tclose(type);
}

/// One odd change.
inline void make_odd(hid_t file, OddLayout const& layout, Bytes& in) {
  auto const what = in.next<std::uint8_t>() % 4;
  auto const which = std::size_t(in.next<std::uint8_t>());
  if (what < 2) return odd_attribute(file, layout.attributes[which % layout.attributes.size()], in);
  char const* const name = layout.datasets[which % layout.datasets.size()];
  what == 2 ? odd_element(file, name, in) : odd_dataset(file, name, in);
}

/// One of each kind for each name.
inline std::vector<std::string> odd_examples(OddLayout const& layout) {
  std::vector<std::string> all;
  for (int what = 1; what < 4; ++what)
    for (std::size_t k = 0; k < (what == 1 ? layout.attributes.size() : layout.datasets.size()); ++k)
      for (char const* const rest : {"\2\100\4\101", "\1\100\1\132\106", "\4\102\2\132\133\6"})
        all.push_back(std::string{char(what), char(k)} + rest);
  return all;
}

}  // namespace lockstep::fuzz
