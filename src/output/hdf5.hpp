// SPDX-License-Identifier: Apache-2.0
// HDF5 handles that close themselves, and its errors as ResourceError.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/comm.hpp"

namespace lockstep::h5 {

/// An HDF5 object; closed when it goes.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  /// @throws ResourceError "cannot <action>" with HDF5's reason if id is negative.
  Handle(hid_t id, Close close, std::string const& action);
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle& operator=(Handle&& other) noexcept;
  ~Handle();
  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Closes now and reports failure. @throws ResourceError
  void close(std::string const& action);
  /// Forgets the object without closing it: after a failed write closing would fail, or wait, again.
  void abandon() { id_ = -1; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

using Shape = std::vector<hsize_t>;

/// @throws ResourceError "cannot <action>", why (from HDF5's error stack), what to do.
[[noreturn]] void fail(std::string const& action);
void check(herr_t status, std::string const& action);

/// A new file written by this process alone; an old one of this name is lost. The first `user_block` bytes
/// (0 or 512) are left to the caller.
Handle create_file(std::string const& path, hsize_t user_block = 0);
Handle open_file(std::string const& path, bool writable);
/// Opens an existing file for writing by all ranks (MPI-IO on a plain duplicate of the communicator,
/// collective metadata); by a single rank, without MPI. Collective.
Handle open_file_together(std::string const& path, Comm const& comm);
Handle create_group(hid_t parent, std::string const& name);
Handle open_group(hid_t parent, std::string const& name);
Handle open_dataset(hid_t parent, std::string const& name);
bool exists(hid_t parent, std::string const& name);  ///< name may be a path
/// Gives `target` (an object below `parent`) a second name.
void link(hid_t parent, std::string const& target, std::string const& name);

/// How a dataset is stored.
struct Layout {
  Shape chunk{};        ///< empty: contiguous
  bool grows = false;   ///< the first dimension may be extended
  int compression = 0;  ///< deflate level
};
Handle create_dataset(hid_t parent, std::string const& name, hid_t type, Shape const& shape,
                      Layout const& layout = {});
Shape shape_of(hid_t dataset);
bool holds(hid_t dataset, hid_t file_type);  ///< whether its values are stored as this very type
hsize_t stored_bytes(hid_t dataset);         ///< 0 for a virtual dataset
/// All values that the dataset claims are stored, in its file or in the sources of a virtual one: call it
/// before memory is taken for them. @param path, name for messages. @throws ResourceError
void require_whole(hid_t dataset, std::string const& path, std::string const& name);
void resize(hid_t dataset, Shape const& shape);

/// One closed file's part of a virtual dataset: its first `shape[0]` rows.
struct Source {
  std::string file;  ///< relative to the virtual file
  hsize_t rows;
};
/// A dataset that shows the `path` datasets of several files one after the other along the first dimension.
void create_virtual_dataset(hid_t parent, std::string const& path, hid_t type, Shape shape,
                            std::vector<Source> const& sources);

/// Type of T in memory and, little-endian, in files.
template <class T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, float>)
    return H5T_NATIVE_FLOAT;
  else if constexpr (std::is_same_v<T, double>)
    return H5T_NATIVE_DOUBLE;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return H5T_NATIVE_INT32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return H5T_NATIVE_INT64;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return H5T_NATIVE_UINT64;
  else
    static_assert(!sizeof(T), "no HDF5 type");
}
template <class T>
hid_t file_type() {
  if constexpr (std::is_same_v<T, float>)
    return H5T_IEEE_F32LE;
  else if constexpr (std::is_same_v<T, double>)
    return H5T_IEEE_F64LE;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return H5T_STD_I32LE;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return H5T_STD_I64LE;
  else
    return H5T_STD_U64LE;
}

/// Part of a dataset: `count` from `start` in each dimension; empty counts take part in collective transfers.
struct Slab {
  Shape start, count;
};
/// @param collective all ranks call it at once (the file was opened by `open_file_together` on several ranks)
void write_slab(hid_t dataset, hid_t memory_type, Slab const& slab, void const* values, bool collective);
void read_slab(hid_t dataset, hid_t memory_type, Slab const& slab, void* values);

/// Creates and fills a whole dataset (this process alone).
template <class T>
void write_dataset(hid_t parent, std::string const& name, Shape const& shape, T const* values) {
  Handle const set = create_dataset(parent, name, file_type<T>(), shape);
  write_slab(set.get(), memory_type<T>(), {Shape(shape.size(), 0), shape}, values, false);
}
/// Reads a whole dataset, which must hold T-like numbers. @throws ResourceError
template <class T>
std::vector<T> read_dataset(hid_t parent, std::string const& name) {
  Handle const set = open_dataset(parent, name);
  Shape const shape = shape_of(set.get());
  hsize_t n = 1;
  for (hsize_t d : shape) n *= d;
  std::vector<T> values(n);
  read_slab(set.get(), memory_type<T>(), {Shape(shape.size(), 0), shape}, values.data());
  return values;
}
/// A scalar dataset that holds a UTF-8 text of fixed length (texts may exceed what an attribute can hold).
void write_text(hid_t parent, std::string const& name, std::string const& text);
std::string read_text(hid_t parent, std::string const& name);

/// Attributes, read as what they were written as (@throws ResourceError if they are of another kind); texts
/// are variable-length UTF-8 (what H5MD readers want).
void set_attribute(hid_t object, std::string const& name, std::string const& text);
void set_attribute(hid_t object, std::string const& name, std::vector<std::string> const& texts);
void set_attribute(hid_t object, std::string const& name, std::span<std::int64_t const> values);
void set_attribute(hid_t object, std::string const& name, double value);
inline void set_attribute(hid_t object, std::string const& name, std::int64_t value) {
  set_attribute(object, name, std::span<std::int64_t const>(&value, 1));
}
bool has_attribute(hid_t object, std::string const& name);
std::string text_attribute(hid_t object, std::string const& name);
std::vector<std::string> texts_attribute(hid_t object, std::string const& name);
std::vector<std::int64_t> integers_attribute(hid_t object, std::string const& name);
double real_attribute(hid_t object, std::string const& name);

}  // namespace lockstep::h5
