// SPDX-License-Identifier: Apache-2.0
// A pair potential given by a table file.
#pragma once

#include <tuple>
#include <vector>

#include "base/field.hpp"
#include "potentials/pair_options.hpp"
#include "potentials/pair_term.hpp"

namespace lockstep {

/// A section of a LAMMPS pair table file (energies and forces at N distances), resampled to cubic pieces of
/// equal width in r^2. Energy and force come from the same cubic, so the force is exactly minus the slope.
/// Below the table's first distance energy and force are NaN: mixed runs go the wide way there, and every run
/// stops with an error.
struct Tabulated {
  struct Coefficients {};
  /// Piece k = 1 .. last covers first2 + (k - 1 .. k) / inverse_width in r^2 and holds 4 values from begin +
  /// 4 k on: powers 0 to 3 of the distance from its middle in widths. Piece 0 is NaN.
  template <class T>
  struct Pair {
    T inverse_width, first2, last, begin;
  };
  static constexpr std::tuple<> fields{};
  static constexpr bool endless = false;

  /// Reads `row.file`, appends the pieces up to the cutoff to `shared`, energies times energy_scale.
  /// @throws InputError for whatever is wrong with the file.
  static Pair<double> tabulate(PairCoefficients const& row, double cutoff, double energy_scale,
                               std::vector<double>& shared);

  /// Energy and -U'(r)/r at r2 = r*r. The loop owns the cutoff. @param shared offers gather(index) -> T.
  template <class T, class Shared>
  LOCKSTEP_FUNCTION static PairTerm<T> at(T r2, Pair<T> const& p, Shared const& shared) {
    T const x = fma(r2 - p.first2, p.inverse_width, T(0.5f));
    T const piece = min(max(round(x), T(0)), p.last);
    T const u = x - piece;
    T const index = fma(piece, T(4), p.begin);
    T const c0 = shared.gather(index), c1 = shared.gather(index + T(1));
    T const c2 = shared.gather(index + T(2)), c3 = shared.gather(index + T(3));
    T const energy = fma(fma(fma(c3, u, c2), u, c1), u, c0);
    T const slope = fma(fma(T(3) * c3, u, T(2) * c2), u, c1);
    return {energy, T(-2) * p.inverse_width * slope};
  }
};

}  // namespace lockstep
