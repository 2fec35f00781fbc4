// SPDX-License-Identifier: Apache-2.0
// Files that are whole or absent: atomic replacement, syncing, room on the disk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

/// Brings a file's content to the disk. @throws ResourceError
void sync_file(std::string const& path);
/// Brings the names within a directory to the disk. @throws ResourceError
void sync_directory(std::string const& path);
/// Renames over what is there. @throws ResourceError
void replace_file(std::string const& from, std::string const& to);
/// Removes the file if it is there. @throws ResourceError
void remove_file(std::string const& path);
/// Writes a text by way of a temporary name, so that readers see the old content or the new. @throws
/// ResourceError
void write_text_atomically(std::string const& path, std::string_view text);
/// The whole content. @throws ResourceError
std::string read_text(std::string const& path);
std::int64_t file_size(std::string const& path);  ///< -1: there is none
/// The folder part of a path; "." if there is none.
std::string folder_of(std::string const& path);
/// Asks the file system whether `bytes` more fit into the directory (free space, quota, file size limit).
/// @throws ResourceError that says how much is needed and how much is there.
void require_space(std::string const& directory, std::int64_t bytes);
/// "cannot <verb> PATH", the system's reason, what to do. @throws ResourceError always.
[[noreturn]] void fail_file(std::string_view verb, std::string const& path, int error_number);

/// Kills the process (SIGKILL) if the environment variable LOCKSTEP_FAULT_POINT names this point, or, as
/// "name:n", at the n-th passage: how tests prove that a kill at any moment harms nothing.
void fault_point(std::string_view name);

}  // namespace lockstep
