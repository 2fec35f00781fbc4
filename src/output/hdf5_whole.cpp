// SPDX-License-Identifier: Apache-2.0
// Whether all that a dataset claims to hold is stored: HDF5 shows fill values for what is missing.
#include <fmt/format.h>

#include <cerrno>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"

namespace lockstep::h5 {
namespace {

constexpr hsize_t deflate_gain = 1100;  // no deflate stream grows more when it is unpacked

[[noreturn]] void missing(std::string const& path, std::string const& name, std::string const& what) {
  throw ResourceError(fmt::format("{} is damaged: {} {}", path, name, what),
                      "what is missing would be read as zeros", "Put back a good copy");
}

/// Number of values of that shape, or -1 if no file holds so many.
hssize_t count_of(Shape const& shape) {
  constexpr hsize_t most = hsize_t(1) << 58;
  hsize_t n = 1;
  for (hsize_t d : shape) {
    if (d != 0 && n > most / d) return -1;
    n *= d;
  }
  return hssize_t(n);
}

H5D_layout_t layout_of(hid_t dataset, Handle& creation) {
  creation = Handle(H5Dget_create_plist(dataset), H5Pclose, "read how a dataset is stored");
  return H5Pget_layout(creation.get());
}

void require_stored(hid_t dataset, Handle const& creation, std::string const& path, std::string const& name) {
  Handle const type(H5Dget_type(dataset), H5Tclose, "read a dataset's type");
  hssize_t const n = count_of(shape_of(dataset));
  hsize_t const gain = H5Pget_nfilters(creation.get()) > 0 ? deflate_gain : 1;
  if (n < 0 || hsize_t(n) > stored_bytes(dataset) * gain / H5Tget_size(type.get()))
    missing(path, name, "claims more values than are stored");
}

/// The source of one mapping of a virtual dataset is there, as long as when it was mapped, and whole.
/// @returns the number of values it gives.
hssize_t require_source(Handle const& creation, std::size_t k, std::string const& path,
                        std::string const& name) {
  char file_name[4096] = "", set_name[4096] = "";
  if (H5Pget_virtual_filename(creation.get(), k, file_name, sizeof file_name) < 0 ||
      H5Pget_virtual_dsetname(creation.get(), k, set_name, sizeof set_name) < 0)
    fail("list the segments");
  std::string const segment = folder_of(path) + "/" + file_name;
  if (file_size(segment) < 0) fail_file("open the trajectory's segment", segment, ENOENT);
  Handle const shown(H5Pget_virtual_vspace(creation.get(), k), H5Sclose, "read a segment's part");
  hssize_t const n = H5Sget_select_npoints(shown.get());
  Handle const file = open_file(segment, false), set = open_dataset(file.get(), set_name);
  Handle own;
  if (layout_of(set.get(), own) == H5D_VIRTUAL) missing(segment, set_name, "is virtual itself");
  if (n < 0 || n > count_of(shape_of(set.get())))
    missing(segment, set_name, fmt::format("is shorter than {} of {} says", name, path));
  require_stored(set.get(), own, segment, set_name);
  return n;
}

}  // namespace

void require_whole(hid_t dataset, std::string const& path, std::string const& name) {
  Handle creation;
  if (layout_of(dataset, creation) != H5D_VIRTUAL) return require_stored(dataset, creation, path, name);
  std::size_t count = 0;
  check(H5Pget_virtual_count(creation.get(), &count), "list the segments");
  hssize_t const claimed = count_of(shape_of(dataset));
  hssize_t there = 0;
  for (std::size_t k = 0; k < count; ++k) there += require_source(creation, k, path, name);
  if (there != claimed) missing(path, name, "claims other values than its segments hold");
}

}  // namespace lockstep::h5
