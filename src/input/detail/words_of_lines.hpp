// SPDX-License-Identifier: Apache-2.0
// Text as lines of words, without comments, counted for messages.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::detail {

using Words = std::vector<std::string_view>;

inline Words split(std::string_view line) {
  Words words;
  std::size_t i = 0;
  while ((i = line.find_first_not_of(" \t\r", i)) != std::string_view::npos) {
    std::size_t const end = std::min(line.find_first_of(" \t\r", i), line.size());
    words.push_back(line.substr(i, end - i));
    i = end;
  }
  return words;
}

inline std::string join(Words const& words, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t k = from; k < to; ++k) text += fmt::format("{}{}", text.empty() ? "" : " ", words[k]);
  return text;
}

template <class T>
bool parse(std::string_view word, T& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

/// Lines without comments and without the blank ones.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  /// The next line that holds something; its words and comment are then at hand. False at the end.
  bool next() {
    while (raw()) {
      words = split(content_);
      if (!words.empty()) return true;
    }
    words.clear();
    return false;
  }
  /// The next line whatever it holds.
  bool raw() {
    if (rest_.empty()) return false;
    std::size_t const end = std::min(rest_.find('\n'), rest_.size());
    std::string_view const line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number;
    std::size_t const hash = std::min(line.find('#'), line.size());
    content_ = line.substr(0, hash);
    comment = line.substr(std::min(hash + 1, line.size()));
    full = line;
    return true;
  }

  Words words;
  std::string_view comment, full;
  int number = 0;

 private:
  std::string_view rest_, content_;
};

}  // namespace lockstep::detail
