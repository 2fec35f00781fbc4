// SPDX-License-Identifier: Apache-2.0
// Damerau-Levenshtein distance (optimal string alignment) and the words of its advice.
#include "input/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lockstep {
namespace {

constexpr std::size_t longest_word = 64;

template <class Text>
std::string join(std::span<Text const> words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : k + 1 == words.size() ? " or " : ", ", words[k]);
  return text;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = int(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      int const replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string nearest(std::string_view word, std::span<std::string const> known) {
  if (word.size() > longest_word) return {};
  auto const lower = [](std::string_view text) {
    std::string result(text);
    for (char& c : result) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return result;
  };
  std::string best;
  int least = std::max(1, int(word.size()) / 3) + 1;
  for (auto const& k : known) {
    int const distance = edit_distance(lower(word), lower(k));
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

std::string listed(std::span<std::string const> words) { return join(words); }
std::string listed(std::span<std::string_view const> words) { return join(words); }

std::string joined(std::span<std::string const> words, std::string_view separator) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : separator, words[k]);
  return text;
}

std::string did_you_mean(std::string_view word, std::span<std::string const> known) {
  std::string const near = nearest(word, known);
  if (!near.empty()) return fmt::format("Did you mean '{}'?", near);
  return known.empty() ? "Remove it" : fmt::format("Known here are {}", listed(known));
}

}  // namespace lockstep
