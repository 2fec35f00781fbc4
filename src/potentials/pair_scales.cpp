// SPDX-License-Identifier: Apache-2.0
// The units of the integer sums, from the steepest pair of the input.
#include <algorithm>
#include <bit>
#include <numbers>

#include "potentials/detail/pair_scan.hpp"

namespace lockstep {
namespace {

/// Largest n with 2^n <= value, for normal value > 0.
int floor_log2(double value) { return int(std::bit_cast<std::uint64_t>(value) >> 52) - 1023; }
/// Smallest n with 2^n >= value.
int ceil_log2(double value) {
  int const n = floor_log2(value);
  return exp2i(n) < value ? n + 1 : n;
}
/// The n whose 2^n is nearest to value in ratio.
int nearest_log2(double value) {
  int const n = floor_log2(value);
  double const ratio = value / exp2i(n);
  return ratio * ratio >= 2 ? n + 1 : n;
}

double magnitude(double v) { return v < 0 ? -v : v; }
bool finite(double v) { return v - v == 0; }

/// Where a pair is steepest as far as the temperature lets particles come.
struct Steepest {
  double energy = 0, force = 0, virial = 0;
};

/// Calls visit(r, U, |F|) from the cutoff inward until it answers false or the values are not finite.
template <class Visit>
void walk(PairTable const& table, PairEntry const& e, Visit const& visit) {
  for (double r = e.cutoff * detail::scan_factor; r > e.cutoff * detail::scan_end; r *= detail::scan_factor) {
    auto const term = detail::pair_functions(table.potential).at(r * r, e.p, table.shared.data());
    double const force = magnitude(term.force_over_r) * r;
    if (!finite(term.energy) || !finite(force) || !visit(r, term.energy, force)) return;
  }
}

/// 10 epsilon or 10 kT. Without a well and without a temperature: ten times the energy at 0.9 of the cutoff.
/// Only where |r U'| < |U| an energy counts as that of a well: so does every minimum, however many barriers
/// lie before it, and an attraction without bound (-C/r^6, inside a barrier of Buckingham's or without one)
/// does not.
double reference_energy(PairTable const& table, PairEntry const& e, double kT) {
  double well = 0, near = 0;
  walk(table, e, [&](double r, double energy, double force) {
    if (r > 0.9 * e.cutoff) near = magnitude(energy);
    if (force * r < -energy) well = std::max(well, -energy);
    return true;
  });
  double const reference = 10 * std::max(well, kT);
  return reference > 0 ? reference : std::max(10 * near, 0.0);
}

Steepest steepest(PairTable const& table, PairEntry const& e, double kT) {
  Steepest s;
  s.energy = reference_energy(table, e, kT);
  double force_now = 0, virial_now = 0, highest = 0;
  walk(table, e, [&](double r, double energy, double force) {
    force_now = std::max(force_now, force);
    virial_now = std::max(virial_now, force * r);
    if (energy > highest || highest == 0) {  // up to the top of a barrier that is never reached
      highest = std::max(highest, energy);
      s.force = force_now;
      s.virial = virial_now;
    }
    return magnitude(energy) < s.energy;
  });
  return s;
}

int addends(double density, double max_cutoff) {
  double const r = 1.25 * max_cutoff;
  double const twice = 2 * density * 4 / 3 * std::numbers::pi * r * r * r;
  return twice > 128 ? std::min(ceil_log2(twice), 16) : 7;
}

}  // namespace

Scales choose_scales(std::span<PairOptions const> pairs, std::span<std::string const> species,
                     Precision precision, double kT, double density) {
  Scales scales;
  scales.precision = Precision::double_;  // no guards yet: they follow from what is chosen here
  Steepest most;
  double max_cutoff = 0;
  for (auto const& table : make_pair_tables(pairs, species, 1, scales)) {
    max_cutoff = std::max(max_cutoff, table.max_cutoff);
    for (auto const& e : table.entries) {
      if (!e.interacts) continue;
      auto const s = steepest(table, e, kT);
      most.energy = std::max(most.energy, s.energy);
      most.force = std::max(most.force, s.force);
      most.virial = std::max(most.virial, s.virial);
    }
  }
  scales.precision = precision;
  if (max_cutoff > 0) scales.window_shift = std::max(0, ceil_log2(2.6 * max_cutoff) + position_bits - 32);
  scales.log2_addends = addends(density, max_cutoff);
  int const log2_force = most.force > 0 ? nearest_log2(most.force) : 8;
  scales.force_bits = 31 - log2_force - scales.log2_addends;
  if (most.energy > 0) scales.energy_bits = 30 - ceil_log2(2 * most.energy);
  if (most.force > 0) scales.virial_bits = 30 - ceil_log2(2 * most.virial * exp2i(log2_force) / most.force);
  if (precision == Precision::double_) {
    scales.force_bits += 22;
    scales.energy_bits += 22;
    scales.virial_bits += 22;
    scales.window_shift = 0;
  }
  return scales;
}

}  // namespace lockstep
