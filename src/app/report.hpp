// SPDX-License-Identifier: Apache-2.0
// JSON for the terminal, without its library in every command: that is slow to compile beside Kokkos.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// One JSON object, keys in the order of their first use; numbers keep all their digits.
class Report {
 public:
  Report();
  ~Report();
  void put(std::string_view key, double value);
  void put(std::string_view key, std::int64_t value);
  void put(std::string_view key, std::string_view value);
  void put(std::string_view key, std::span<double const> values);
  /// In the object of name `group` inside this one.
  void put_in(std::string_view group, std::string_view key, double value);
  void put_in(std::string_view group, std::string_view key, std::string_view value);
  std::string text() const;

 private:
  struct Json;
  std::unique_ptr<Json> json_;
};

}  // namespace lockstep
