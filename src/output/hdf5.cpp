// SPDX-License-Identifier: Apache-2.0
// Calls of the HDF5 C API: files, groups, datasets.
#include "output/hdf5.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"

namespace lockstep::h5 {
namespace {

/// HDF5's own printing off, and no closing of abandoned files at exit (it would fail, or wait for other
/// ranks).
void set_up() {
  static bool const once = [] {
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return true;
  }();
  (void)once;
}

herr_t keep_deepest(unsigned, H5E_error2_t const* error, void* text) {
  if (error->desc != nullptr && *error->desc != '\0') *static_cast<std::string*>(text) = error->desc;
  return 0;
}

/// What the innermost call of the last failed operation said.
std::string reason() {
  std::string deepest = "HDF5 gives no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_deepest, &deepest);
  return deepest;
}

Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create a property list");
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "set the file format");
  check(H5Pset_file_locking(access.get(), false, true), "switch file locking off");
  check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "set how files close");
  return access;
}

hsize_t product(Shape const& shape) {
  hsize_t n = 1;
  for (hsize_t d : shape) n *= d;
  return n;
}

/// The counts, or ones where there is nothing: a space of no extent is refused by chunked collective
/// transfers.
Shape filled(Shape const& count) { return product(count) == 0 ? Shape(count.size(), 1) : count; }

/// The dataspaces of a transfer: in memory and in the file.
struct Spaces {
  Handle memory, file;
  Spaces(hid_t dataset, Slab const& slab)
      : memory(slab.count.empty()
                   ? H5Screate(H5S_SCALAR)
                   : H5Screate_simple(int(slab.count.size()), filled(slab.count).data(), nullptr),
               H5Sclose, "describe memory"),
        file(H5Dget_space(dataset), H5Sclose, "read a dataset's shape") {
    if (slab.count.empty()) return;
    if (product(slab.count) == 0) {
      check(H5Sselect_none(memory.get()), "select nothing");
      check(H5Sselect_none(file.get()), "select nothing");
    } else {
      check(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, slab.start.data(), nullptr, slab.count.data(),
                                nullptr),
            "select rows");
    }
  }
};

}  // namespace

Handle::Handle(hid_t id, Close close, std::string const& action) : id_(id), close_(close) {
  if (id_ < 0) fail(action);
}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

void Handle::close(std::string const& action) {
  if (id_ >= 0 && close_(std::exchange(id_, -1)) < 0) fail(action);
}

void fail(std::string const& action) {
  std::string const why = reason();
  bool const full = why.find("No space left") != std::string::npos || why.find("quota") != std::string::npos;
  throw ResourceError(
      "cannot " + action, why,
      full ? "Free space or raise the quota, then start the same command again: it continues"
           : "Check the file, its directory and the file system; other files are as they were");
}

void check(herr_t status, std::string const& action) {
  if (status < 0) fail(action);
}

Handle create_file(std::string const& path, hsize_t user_block) {
  set_up();
  Handle const access = file_access();
  Handle const creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "create a property list");
  check(H5Pset_userblock(creation.get(), user_block), "reserve the head of a file");
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose,
                "create " + path);
}

Handle open_file(std::string const& path, bool writable) {
  set_up();
  Handle const access = file_access();
  return Handle(H5Fopen(path.c_str(), writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access.get()), H5Fclose,
                "open " + path);
}

Handle open_file_together(std::string const& path, Comm const& comm) {
  if (comm.size() == 1) return open_file(path, true);
  set_up();
  Handle const access = file_access();
  MPI_Comm plain;  // a split, not a duplicate: a duplicate would inherit a Cartesian topology, which corrupts
                   // files
  MPI_Comm_split(comm.get(), 0, comm.rank(), &plain);
  herr_t const status = H5Pset_fapl_mpio(access.get(), plain, MPI_INFO_NULL);  // keeps its own duplicate
  MPI_Comm_free(&plain);
  check(status, "set up parallel files");
  check(H5Pset_coll_metadata_write(access.get(), true), "set up parallel files");
  check(H5Pset_all_coll_metadata_ops(access.get(), true), "set up parallel files");
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose, "open " + path);
}

Handle create_group(hid_t parent, std::string const& name) {
  return Handle(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                "create group " + name);
}

Handle open_group(hid_t parent, std::string const& name) {
  return Handle(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "open group " + name);
}

Handle open_dataset(hid_t parent, std::string const& name) {
  return Handle(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "open dataset " + name);
}

bool exists(hid_t parent, std::string const& name) {
  for (std::size_t at = name.find('/', 1);; at = name.find('/', at + 1)) {
    std::string const part = name.substr(0, at);
    if (H5Lexists(parent, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (at == std::string::npos) return true;
  }
}

void link(hid_t parent, std::string const& target, std::string const& name) {
  check(H5Lcreate_hard(parent, target.c_str(), parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
        "link " + name);
}

Handle create_dataset(hid_t parent, std::string const& name, hid_t type, Shape const& shape,
                      Layout const& layout) {
  std::string const action = "create dataset " + name;
  Shape most = shape;
  if (layout.grows) most[0] = H5S_UNLIMITED;
  Handle const space(
      shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(int(shape.size()), shape.data(), most.data()),
      H5Sclose, action);
  Handle const creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, action);
  check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), action);
  if (!layout.chunk.empty())
    check(H5Pset_chunk(creation.get(), int(shape.size()), layout.chunk.data()), action);
  check(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY),
        action);  // files made by one rank, written by all
  if (layout.compression > 0) {
    check(H5Pset_shuffle(creation.get()), action);
    check(H5Pset_deflate(creation.get(), unsigned(layout.compression)), action);
  }
  return Handle(H5Dcreate2(parent, name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                H5Dclose, action);
}

Shape shape_of(hid_t dataset) {
  Handle const space(H5Dget_space(dataset), H5Sclose, "read a dataset's shape");
  int const n = H5Sget_simple_extent_ndims(space.get());
  if (n < 0) fail("read a dataset's shape");
  Shape shape(std::size_t(n), 0);
  if (n > 0 && H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr) < 0)
    fail("read a dataset's shape");
  return shape;
}

bool holds(hid_t dataset, hid_t file_type) {
  Handle const type(H5Dget_type(dataset), H5Tclose, "read a dataset's type");
  return H5Tequal(type.get(), file_type) > 0;
}

hsize_t stored_bytes(hid_t dataset) { return H5Dget_storage_size(dataset); }

void resize(hid_t dataset, Shape const& shape) {
  check(H5Dset_extent(dataset, shape.data()), "extend a dataset");
}

void create_virtual_dataset(hid_t parent, std::string const& path, hid_t type, Shape shape,
                            std::vector<Source> const& sources) {
  std::string const action = "create virtual dataset " + path;
  Handle const creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, action);
  shape[0] = 0;
  for (auto const& source : sources) shape[0] += source.rows;
  Handle const space(H5Screate_simple(int(shape.size()), shape.data(), nullptr), H5Sclose, action);
  Shape start(shape.size(), 0), part = shape;
  for (auto const& source : sources) {
    part[0] = source.rows;
    Handle const from(H5Screate_simple(int(part.size()), part.data(), nullptr), H5Sclose, action);
    check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, part.data(), nullptr),
          action);
    check(H5Pset_virtual(creation.get(), space.get(), source.file.c_str(), path.c_str(), from.get()), action);
    start[0] += source.rows;
  }
  check(H5Sselect_all(space.get()), action);
  Handle const set(
      H5Dcreate2(parent, path.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose,
      action);
}

void write_slab(hid_t dataset, hid_t type, Slab const& slab, void const* values, bool collective) {
  Spaces const spaces(dataset, slab);
  Handle const transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "create a property list");
  if (collective) check(H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE), "choose collective writing");
  check(H5Dwrite(dataset, type, spaces.memory.get(), spaces.file.get(), transfer.get(), values),
        "write a dataset");
}

void read_slab(hid_t dataset, hid_t type, Slab const& slab, void* values) {
  Spaces const spaces(dataset, slab);
  check(H5Dread(dataset, type, spaces.memory.get(), spaces.file.get(), H5P_DEFAULT, values),
        "read a dataset");
}

}  // namespace lockstep::h5
