// SPDX-License-Identifier: Apache-2.0
// What keys there are: as JSON schema for editors and as Markdown for the docs.
#pragma once

#include <string>
#include <vector>

#include "input/visitor.hpp"

namespace lockstep {

/// One table of the input with its keys and tables.
struct TableReference {
  std::string name, doc;
  bool list = false;
  std::vector<Key> keys;
  std::vector<TableReference> tables;
};

/// Collects the reference while an input of defaults is walked; lists get one item. The walked object must
/// outlive it.
class Reference final : public Visitor {
 public:
  Reference() : open_{&root} {}
  Reference(Reference const&) = delete;
  Reference& operator=(Reference const&) = delete;

  void keys(std::vector<Key> const& keys) override;
  bool begin_table(std::string_view name, std::string_view doc, Presence presence, bool present,
                   std::string_view why_not) override;
  void end_table() override { open_.pop_back(); }
  std::size_t begin_list(std::string_view name, std::string_view doc, std::size_t size, bool flat) override;
  void begin_item(std::size_t) override {}
  void end_item() override {}
  void end_list() override { open_.pop_back(); }
  bool describes() const override { return true; }

  /// JSON schema, draft 2020-12.
  std::string json_schema(std::string_view title) const;
  /// One heading and one table of keys per table of the input.
  std::string markdown() const;

  TableReference root;

 private:
  std::vector<TableReference*> open_;
};

}  // namespace lockstep
