// SPDX-License-Identifier: Apache-2.0
// Energy and pressure of what lies beyond the cutoff.
#include <array>
#include <numbers>

#include "potentials/detail/pair_functions.hpp"
#include "potentials/pair_table.hpp"

namespace lockstep {
namespace {

/// Nodes in (0, 1) and weights of the 8-point Gauss-Legendre rule on [-1, 1].
/// @source doi:10.1090/mcom/2018 (any table); made with numpy.polynomial.legendre.leggauss(8)
constexpr std::array node{0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363};
constexpr std::array weight{0.362683783378362, 0.3137066458778874, 0.2223810344533745, 0.10122853629037669};

/// Integrals from the cutoff to infinity in t = cutoff / r on [0, 1] by 64 panels of 8 points. Energies that
/// fall as r^-4 or faster, or exponentially, are smooth in t, so that the error is that of rounding.
PairTail integrate_tail(detail::PairFunctions const& f, PairEntry const& e, double const* shared) {
  constexpr int panels = 64;
  PairTail sum;
  auto const add = [&](double t, double w) {
    double const r = e.cutoff / t;
    auto const term = f.at(r * r, e.p, shared);
    double const volume = r * r * (r / t) * w;  // r^2 dr, dr = cutoff / t^2 dt = r / t dt
    sum.energy += term.energy * volume;
    sum.virial += term.force_over_r * r * r * volume;  // r^3 F dr
  };
  for (int k = 0; k < panels; ++k)
    for (std::size_t m = 0; m < node.size(); ++m) {
      double const half = 0.5 / panels, middle = (k + 0.5) / panels;
      add(middle - half * node[m], half * weight[m]);
      add(middle + half * node[m], half * weight[m]);
    }
  return sum;
}

}  // namespace

TailCorrection tail_correction(PairTable const& table, std::span<std::int64_t const> counts, double volume) {
  auto const& f = detail::pair_functions(table.potential);
  PairTail sum;
  for (int i = 0; i < table.n_species; ++i)
    for (int j = 0; j < table.n_species; ++j) {
      PairEntry const& e = table.entry(i, j);
      if (!e.interacts || !f.endless) continue;
      auto const tail = f.tail ? f.tail(e.p, e.cutoff) : integrate_tail(f, e, table.shared.data());
      double const pairs = double(counts[std::size_t(i)]) * double(counts[std::size_t(j)]);
      sum.energy += pairs * tail.energy;
      sum.virial += pairs * tail.virial;
    }
  double const factor = 2 * std::numbers::pi / volume / table.energy_scale;
  return {factor * sum.energy, factor / (3 * volume) * sum.virial};
}

}  // namespace lockstep
