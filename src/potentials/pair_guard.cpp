// SPDX-License-Identifier: Apache-2.0
// Single pairs in double and the distance below which they leave the narrow ranges.
#include "potentials/detail/pair_scan.hpp"
#include "potentials/truncation.hpp"

namespace lockstep {
namespace detail {
namespace {

template <class T>
PairTerm<T> truncate(Truncation kind, PairTerm<T> bare, T r2, TruncationPair<T> const& t) {
  switch (kind) {
    case Truncation::cut:
      return truncated<Truncation::cut>(bare, r2, t);
    case Truncation::shift:
      return truncated<Truncation::shift>(bare, r2, t);
    case Truncation::force_shift:
      return truncated<Truncation::force_shift>(bare, r2, t);
    case Truncation::switch_:
      return truncated<Truncation::switch_>(bare, r2, t);
  }
  __builtin_unreachable();
}
double magnitude(double v) { return v < 0 ? -v : v; }
bool finite(double v) { return v - v == 0; }

bool leaves_narrow_range(PairTable const& table, PairEntry const& e, Scales const& scales, double r) {
  constexpr double margin = 1 - 0x1p-6;
  auto const wide = entry_at(table, e, r * r);
  auto const narrow = entry_at_float(table, e, r * r);
  double const unit = margin * table.energy_scale, force = magnitude(wide.force_over_r) * r;
  bool const inside = force < scales.narrow_force() * unit && force * r < scales.narrow_virial() * unit &&
                      magnitude(wide.energy) < scales.narrow_energy() * unit;
  return !inside || !finite(double(narrow.energy)) || !finite(double(narrow.force_over_r));
}

}  // namespace

PairTerm<double> entry_at(PairTable const& table, PairEntry const& e, double r2) {
  auto const bare = pair_functions(table.potential).at(r2, e.p, table.shared.data());
  return truncate(table.truncation, bare, r2, truncation_pair(e));
}

PairTerm<float> entry_at_float(PairTable const& table, PairEntry const& e, double r2) {
  auto const bare = pair_functions(table.potential).at_float(r2, e.p, table.shared.data());
  auto const t = truncation_pair(e);
  return truncate(table.truncation, bare, float(r2),
                  TruncationPair<float>{float(t.constant), float(t.force_shift), float(t.switch_from2),
                                        float(t.inverse_switch_width)});
}

double guard_distance(PairTable const& table, PairEntry const& entry, Scales const& scales) {
  double safe = entry.cutoff;
  for (double r = entry.cutoff; r > entry.cutoff * scan_end; r *= scan_factor) {
    if (leaves_narrow_range(table, entry, scales, r)) return safe;
    safe = r;
  }
  return safe;
}

}  // namespace detail

PairTerm<double> PairTable::at(int i, int j, double r) const {
  PairEntry const& e = entry(i, j);
  if (!e.interacts || !(r < e.cutoff)) return {0, 0};
  auto const scaled = detail::entry_at(*this, e, r * r);
  return {scaled.energy / energy_scale, scaled.force_over_r / energy_scale};
}

}  // namespace lockstep
