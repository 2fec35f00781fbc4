// SPDX-License-Identifier: Apache-2.0
// Options as TOML with every default written out; reading it gives the same options, bit for bit.
#pragma once

#include <string>
#include <vector>

#include "input/visitor.hpp"

namespace lockstep {

class Writer : public Visitor {
 public:
  void keys(std::vector<Key> const& keys) override;
  bool begin_table(std::string_view name, std::string_view doc, Presence presence, bool present,
                   std::string_view why_not) override;
  void end_table() override { path_.pop_back(); }
  std::size_t begin_list(std::string_view name, std::string_view doc, std::size_t size, bool flat) override;
  void begin_item(std::size_t index) override;
  void end_item() override;
  void end_list() override;

  std::string text;

 private:
  std::string value_text(Key const& key) const;
  std::vector<std::string> path_;
  bool flat_ = false, first_ = true;
};

}  // namespace lockstep
