// SPDX-License-Identifier: Apache-2.0
// A TOML file as a tree that remembers where each value stands, with the `--set` changes of the command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Where a value was written: a file with line and column (from 1; 0: the file as a whole), or a `--set`.
struct Place {
  std::string source;
  int line = 0, column = 0;
  std::string text() const;
};

struct Member;

/// One value of the tree.
struct Node {
  enum class Kind { table, array, string, integer, real, boolean, date };
  Kind kind = Kind::table;
  Place place;      ///< of the value
  Place key_place;  ///< of its key, if it has one
  std::string text;
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::vector<Member> members;  ///< of a table
  std::vector<Node> items;      ///< of an array

  Node const* find(std::string_view key) const;
  Node* find(std::string_view key);
  bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  /// The value as the user would write it; long ones are cut.
  std::string shown() const;
};

/// One key of a table and its value.
struct Member {
  std::string name;
  Node value;
};

/// "a table", "a string" ...: for messages.
std::string_view kind_name(Node::Kind kind);

class Document {
 public:
  /// @param name of the file, for messages. @throws InputError where the text is no TOML.
  Document(std::string_view text, std::string name);
  /// Applies "key.path=value": a TOML value, or a bare string if it is none; lists by index
  /// ("stage.0.steps=300"). Missing keys are made, so that a misspelled one is found by the reader. @throws
  /// InputError naming the --set.
  void set(std::string const& assignment);

  Node const& root() const { return root_; }
  /// The value at "pair.0.cutoff", or nullptr.
  Node const* find(std::string_view path) const;
  /// "file:line:column: [[pair]].cutoff" for a message about that path; the place of the nearest table that
  /// is there if the key itself is not.
  std::string where(std::string_view path) const;

 private:
  Node root_;
};

/// A TOML basic string with quotes and escapes.
std::string toml_string(std::string_view text);

}  // namespace lockstep
