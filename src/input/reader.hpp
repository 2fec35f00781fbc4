// SPDX-License-Identifier: Apache-2.0
// Fills options from a document and collects everything that is wrong with it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "input/document.hpp"
#include "input/visitor.hpp"

namespace lockstep {

/// Strict types, units, ranges, unknown keys. Faulty values keep their defaults; `diagnostics` says why.
class Reader final : public Visitor {
 public:
  explicit Reader(Document const& document);

  void keys(std::vector<Key> const& keys) override;
  bool begin_table(std::string_view name, std::string_view doc, Presence presence, bool present,
                   std::string_view why_not) override;
  void end_table() override { leave(); }
  std::size_t begin_list(std::string_view name, std::string_view doc, std::size_t size, bool flat) override;
  void begin_item(std::size_t index) override;
  void end_item() override { leave(); }
  void end_list() override;
  /// Call after the walk: reports the unknown keys of the outermost table.
  void finish() { report_unknown(); }

  /// False when `units` itself was faulty: values are then taken with and without units, lest one fault makes
  /// many.
  bool units_known = true;
  std::vector<Diagnostic> diagnostics;

 private:
  struct Level {
    Node const* node;
    std::string path;
    std::vector<std::string> known;
  };
  void enter(Node const* node, std::string path);
  void leave();
  void report_unknown();
  std::string path_of(std::string_view name) const;
  void report(std::string_view path, std::string problem, std::string why, std::string fix);
  void read(Key const& key, Node const& node, std::string const& path);
  void type_error(Key const& key, Node const& node, std::string const& path, std::string_view wanted);
  bool number(Key const& key, Node const& node, std::string const& path, double& value);
  bool quantity(Key const& key, Node const& node, std::string const& path, double& value);
  bool in_range(Key const& key, Node const& node, std::string const& path, double value);
  bool whole(Key const& key, Node const& node, std::string const& path, std::int64_t& value);
  bool text(Key const& key, Node const& node, std::string const& path, std::string& value);
  bool name_index(Key const& key, Choice const& choice, Node const& node, std::string const& path,
                  int& index);

  Document const& document_;
  std::vector<Level> levels_;
  static Node const empty_;
};

}  // namespace lockstep
