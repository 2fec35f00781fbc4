// SPDX-License-Identifier: Apache-2.0
// Finds the known word that was probably meant, for "did you mean".
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// Fewest insertions, deletions, replacements and swaps of neighbors that turn a into b, each place edited
/// once.
/// @source doi:10.1145/363958.363994
int edit_distance(std::string_view a, std::string_view b);

/// The known word nearest to `word`, or "" if none is near enough to be meant.
std::string nearest(std::string_view word, std::span<std::string const> known);

/// "a, b or c".
std::string listed(std::span<std::string const> words);
std::string listed(std::span<std::string_view const> words);

/// The words with `separator` between them.
std::string joined(std::span<std::string const> words, std::string_view separator);

/// Advice for a wrong word: "Did you mean 'x'?" or "Known are a, b or c".
std::string did_you_mean(std::string_view word, std::span<std::string const> known);

}  // namespace lockstep
