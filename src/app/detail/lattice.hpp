// SPDX-License-Identifier: Apache-2.0
// Generated structures: crystals, random placement, who is of which species.
#pragma once

#include <cstdint>
#include <vector>

#include "app/structure.hpp"

namespace lockstep::detail {

/// Deals species to particles in exact numbers (shares of n rounded), in an order that follows from the seed.
///
/// Particle `index` takes place p(index) in a row sorted by species; p is a permutation of 0..n-1: a Feistel
/// network of Philox words, walked until it lands below n. So any rank finds any particle's species alone.
class Composition {
 public:
  /// @param shares sum 1; one share gives everyone the same species. @param species what each share stands
  /// for.
  Composition(std::uint64_t seed, std::int64_t n, std::vector<double> const& shares,
              std::vector<SpeciesId> species);
  SpeciesId at(std::int64_t index) const;
  std::int64_t count(std::size_t share) const { return ends_[share] - (share == 0 ? 0 : ends_[share - 1]); }
  std::size_t shares() const { return ends_.size(); }
  SpeciesId species(std::size_t share) const { return species_[share]; }

 private:
  std::int64_t permuted(std::int64_t index) const;
  std::uint64_t seed_;
  std::int64_t n_;
  int half_bits_;
  std::vector<std::int64_t> ends_;
  std::vector<SpeciesId> species_;
};

/// sc, bcc, fcc or diamond; ids in the order of LAMMPS: z slowest, then y, x, then the basis.
Structure make_crystal(RunInput const& in);
/// Particles one after the other at random, none nearer than the least distance to an earlier one.
/// @throws InputError when they do not fit.
Structure make_random(RunInput const& in);

/// What the lattice's species and composition say, for n particles.
Composition composition_of(RunInput const& in, std::int64_t n);
/// Particles per volume, from density or mass_density.
double number_density(RunInput const& in, Composition const& composition, std::int64_t n);
/// Fractions of the edges that are filled, 1 if not given.
Vec3<double> filled_of(LatticeOptions const& lattice);
/// @throws InputError if an edge is too long for fixed-point positions, or too short to be meant.
void check_edges(RunInput const& in, Vec3<double> edges, std::string const& where);

}  // namespace lockstep::detail
