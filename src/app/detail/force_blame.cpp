// SPDX-License-Identifier: Apache-2.0
// Guesses that integers prove or refute: a term, or one pair of it, is missing, doubled or scaled.
#include "app/detail/force_blame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.hpp"

namespace lockstep::detail {
namespace {

using Force = Vec3<std::int64_t>;

constexpr double rounding =
    64;  // force units by which a scaled term may differ: its pairs are rounded singly

Force negative(Force f) {
  constexpr std::int64_t zero = 0;
  return {wrap_sub(zero, f.x), wrap_sub(zero, f.y), wrap_sub(zero, f.z)};
}

double magnitude(double v) { return v < 0 ? -v : v; }

struct Evidence {
  ForceField const& field;
  Places const& places;
  std::vector<TermForces> const& terms;
  Forces const& residual;
  std::vector<std::size_t> wrong;

  std::string particles() const {
    return wrong.size() == 1 ? fmt::format("particle {}", places.ids[wrong[0]])
                             : fmt::format("{} particles, {} the first", wrong.size(), places.ids[wrong[0]]);
  }
  /// The names of the terms for which `holds(term)`, joined by "or"; empty: none.
  std::string names(std::function<bool(std::size_t)> const& holds) const {
    std::string text;
    for (std::size_t t = 0; t < terms.size(); ++t)
      if (holds(t)) text += (text.empty() ? "" : " or ") + field.terms[t].name;
    return text;
  }
};

/// Two particles with opposite residuals: one pair of them, in one term or in all.
std::string one_pair(Evidence const& e) {
  if (e.wrong.size() != 2) return {};
  std::size_t const a = e.wrong[0], b = e.wrong[1];
  Force const r = e.residual[a];
  if (!(e.residual[b] == negative(r))) return {};
  Places const two{e.places.step,
                   e.places.box,
                   {e.places.ids[a], e.places.ids[b]},
                   {e.places.species[a], e.places.species[b]},
                   {e.places.x[a], e.places.x[b]}};
  auto const alone = term_forces(e.field, two, KernelWidth::portable);
  Force const all = sum_of(alone, 2)[0];
  std::string const pair = fmt::format("the pair of particles {} and {}", two.ids[0], two.ids[1]);
  for (bool const twice : {false, true}) {
    auto const explains = [&](Force f) { return (twice ? f : negative(f)) == r; };
    std::string const what = twice ? "count" : "lack";
    if (auto const which = e.names([&](std::size_t t) { return explains(alone[t].forces[0]); });
        !which.empty())
      return fmt::format("they {} {}{} in {}", what, pair, twice ? " twice" : "", which);
    if (explains(all))
      return fmt::format("they {} {}{} in all terms: look at the pair lists", what, pair,
                         twice ? " twice" : "");
  }
  return {};
}

/// One term missing or doubled on every particle that has a residual.
std::string whole_term(Evidence const& e) {
  for (bool const twice : {false, true}) {
    auto const which = e.names([&](std::size_t t) {
      return std::all_of(e.wrong.begin(), e.wrong.end(), [&](std::size_t i) {
        Force const f = e.terms[t].forces[i];
        return (twice ? f : negative(f)) == e.residual[i];
      });
    });
    if (!which.empty())
      return fmt::format("they {} exactly {} on {}", twice ? "hold twice" : "lack", which, e.particles());
  }
  return {};
}

/// The factor s for which the residual of every particle is s times its force in term t; 0: there is none.
double factor_of(Evidence const& e, std::size_t t) {
  double product = 0, square = 0, largest = 0;
  for (std::size_t i = 0; i < e.residual.size(); ++i)
    for (int d = 0; d < 3; ++d) {
      double const f = double(e.terms[t].forces[i][d]), r = double(e.residual[i][d]);
      product += r * f;
      square += f * f;
      largest = std::max(largest, magnitude(r));
    }
  if (square == 0 || largest < 16 * rounding) return 0;
  double const s = product / square;
  for (std::size_t i = 0; i < e.residual.size(); ++i)
    for (int d = 0; d < 3; ++d)
      if (magnitude(double(e.residual[i][d]) - s * double(e.terms[t].forces[i][d])) > rounding) return 0;
  return s;
}

std::string scaled_term(Evidence const& e) {
  for (std::size_t t = 0; t < e.terms.size() && e.wrong.size() > 1; ++t)
    if (double const s = factor_of(e, t); s != 0)
      return fmt::format("they are what {} times {:.4g} would give, within rounding", e.field.terms[t].name,
                         1 + s);
  return {};
}

/// Whether the term's pairs include one with a particle of this species.
bool acts_on(PairTable const& table, SpeciesId species) {
  for (int other = 0; other < table.n_species; ++other)
    if (table.entry(species, other).interacts) return true;
  return false;
}

std::string by_exclusion(Evidence const& e) {
  std::size_t count = 0;
  auto const which = e.names([&](std::size_t t) {
    bool const acts = std::all_of(e.wrong.begin(), e.wrong.end(), [&](std::size_t i) {
      return acts_on(e.field.terms[t].table, e.places.species[i]);
    });
    count += acts ? 1 : 0;
    return acts;
  });
  if (count == 0) return fmt::format("no single term acts on {}", e.particles());
  if (count == 1 && e.terms.size() == 1) return fmt::format("the term is {}, the only one", which);
  if (count == 1) return fmt::format("the term is {}, the only one that acts on {}", which, e.particles());
  return fmt::format(
      "which term it is cannot be told: none of them missing, doubled or scaled, and no single pair of one, "
      "explains it; these act on the particles: {}",
      which);
}

/// Whether this machine's kernels agree with the portable ones on this frame.
std::vector<std::string> kernels_apart(Evidence const& e) {
  std::vector<std::string> found;
  for (auto const& [width, name] :
       {std::pair{KernelWidth::avx2, "avx2"}, {KernelWidth::avx512, "avx512"}, {KernelWidth::neon, "neon"}}) {
    std::vector<TermForces> other;
    try {
      other = term_forces(e.field, e.places, width);
    } catch (ResourceError const&) { continue; }  // not of this machine
    for (std::size_t t = 0; t < e.terms.size(); ++t) {
      auto const rows = rows_with_force(difference(other[t].forces, e.terms[t].forces));
      if (!rows.empty())
        found.push_back(
            fmt::format("the {} kernel of this machine differs from the portable one in {}, first on "
                        "particle {}: that is a fault of it",
                        name, e.field.terms[t].name, e.places.ids[rows[0]]));
    }
  }
  return found;
}

}  // namespace

std::vector<std::size_t> rows_with_force(Forces const& forces) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < forces.size(); ++i)
    if (!(forces[i] == Force{})) rows.push_back(i);
  return rows;
}

std::vector<std::string> blame(ForceField const& field, Places const& places,
                               std::vector<TermForces> const& terms, Forces const& residual) {
  Evidence const e{field, places, terms, residual, rows_with_force(residual)};
  std::string why = one_pair(e);
  for (auto* const guess : {whole_term, scaled_term, by_exclusion})
    if (why.empty()) why = guess(e);
  std::vector<std::string> sentences{why};
  Force total;
  for (std::size_t i : e.wrong)
    for (int d = 0; d < 3; ++d) total[d] = wrap_add(total[d], residual[i][d]);
  if (!(total == Force{}))
    sentences.push_back(
        "the differences do not add up to zero, as those of whole pairs would: forces were lost or "
        "changed on one of two partners");
  for (auto& text : kernels_apart(e)) sentences.push_back(std::move(text));
  return sentences;
}

}  // namespace lockstep::detail
