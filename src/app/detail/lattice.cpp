// SPDX-License-Identifier: Apache-2.0
// Crystals and composition.
#include "app/detail/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "app/detail/input_check.hpp"
#include "base/error.hpp"
#include "base/math.hpp"
#include "base/philox.hpp"
#include "base/quantity.hpp"

namespace lockstep::detail {
namespace {

constexpr int feistel_rounds = 8;
constexpr double longest_edge = 1e5, shortest_edge = 1e-3;

using Basis = std::span<Vec3<double> const>;

Basis basis_of(LatticeKind kind) {
  using V = Vec3<double>;
  static std::array<V, 1> const sc{V{0, 0, 0}};
  static std::array<V, 2> const bcc{V{0, 0, 0}, V{0.5, 0.5, 0.5}};
  static std::array<V, 4> const fcc{V{0, 0, 0}, V{0.5, 0.5, 0}, V{0.5, 0, 0.5}, V{0, 0.5, 0.5}};
  static std::array<V, 8> const diamond{V{0, 0, 0},          V{0, 0.5, 0.5},      V{0.5, 0, 0.5},
                                        V{0.5, 0.5, 0},      V{0.25, 0.25, 0.25}, V{0.25, 0.75, 0.75},
                                        V{0.75, 0.25, 0.75}, V{0.75, 0.75, 0.25}};
  switch (kind) {
    case LatticeKind::sc:
      return sc;
    case LatticeKind::bcc:
      return bcc;
    case LatticeKind::fcc:
      return fcc;
    default:
      return diamond;
  }
}

}  // namespace

Composition::Composition(std::uint64_t seed, std::int64_t n, std::vector<double> const& shares,
                         std::vector<SpeciesId> species)
    : seed_(seed), n_(n), half_bits_(1), species_(std::move(species)) {
  while ((std::int64_t(1) << (2 * half_bits_)) < n) ++half_bits_;
  double sum = 0;
  for (double share : shares) {
    sum += share;
    ends_.push_back(std::clamp<std::int64_t>(std::int64_t(sum * double(n) + 0.5), 0, n));
  }
  ends_.back() = n;
}

std::int64_t Composition::permuted(std::int64_t index) const {
  std::uint64_t const mask = (std::uint64_t(1) << half_bits_) - 1;
  auto p = std::uint64_t(index);
  do {
    std::uint64_t left = p >> half_bits_, right = p & mask;
    for (int round = 0; round < feistel_rounds; ++round) {
      auto const word = Philox(seed_, Stream::composition, std::uint64_t(round), right).block(0).word[0];
      std::uint64_t const next = left ^ (word & mask);
      left = right;
      right = next;
    }
    p = (left << half_bits_) | right;
  } while (p >= std::uint64_t(n_));
  return std::int64_t(p);
}

SpeciesId Composition::at(std::int64_t index) const {
  if (ends_.size() == 1) return species_[0];
  auto const end = std::upper_bound(ends_.begin(), ends_.end(), permuted(index));
  return species_[std::size_t(end - ends_.begin())];
}

Composition composition_of(RunInput const& in, std::int64_t n) {
  auto const& lattice = in.system.lattice;
  std::vector<SpeciesId> species;
  for (auto const& name : lattice.species) species.push_back(species_index(in.species, name));
  if (species.empty())
    for (std::size_t s = 0; s < std::max<std::size_t>(1, lattice.composition.size()); ++s)
      species.push_back(SpeciesId(s));
  auto const shares = lattice.composition.empty() ? std::vector{1.0} : lattice.composition;
  return Composition(in.seed, n, shares, std::move(species));
}

double number_density(RunInput const& in, Composition const& composition, std::int64_t n) {
  auto const& lattice = in.system.lattice;
  if (lattice.density > 0) return lattice.density;
  double mass = 0;
  for (std::size_t k = 0; k < composition.shares(); ++k)
    mass += in.species[std::size_t(composition.species(k))].mass * double(composition.count(k));
  return lattice.mass_density * double(n) / mass;
}

Vec3<double> filled_of(LatticeOptions const& lattice) {
  if (lattice.filled.empty()) return {1, 1, 1};
  return {lattice.filled[0], lattice.filled[1], lattice.filled[2]};
}

void check_edges(RunInput const& in, Vec3<double> edges, std::string const& where) {
  std::string const unit = unit_name(Unit::length, in.units);
  for (int d = 0; d < 3; ++d)
    if (!(edges[d] >= shortest_edge && edges[d] <= longest_edge))
      throw InputError(where,
                       fmt::format("the box would be {} x {} x {} {}", edges.x, edges.y, edges.z, unit),
                       fmt::format("an edge must be {} to {} {} long", shortest_edge, longest_edge, unit),
                       "Correct the density, the number of particles or the units of the file");
}

Structure make_crystal(RunInput const& in) {
  auto const& lattice = in.system.lattice;
  Basis const basis = basis_of(lattice.kind);
  Vec3<double> const filled = filled_of(lattice);
  Vec3<std::int64_t> cells, count, first;
  for (int d = 0; d < 3; ++d) {
    cells[d] = lattice.cells[std::size_t(d)];
    count[d] = std::clamp<std::int64_t>(std::int64_t(filled[d] * double(cells[d]) + 0.5), 1, cells[d]);
    first[d] = (cells[d] - count[d]) / 2;
  }
  Structure s;
  s.n_particles = count.x * count.y * count.z * std::int64_t(basis.size());
  s.species = in.species;
  Composition const composition = composition_of(in, s.n_particles);
  double const a = math::cbrt(double(basis.size()) / number_density(in, composition, s.n_particles));
  s.edges = {double(cells.x) * a, double(cells.y) * a, double(cells.z) * a};
  check_edges(in, s.edges, in.path + ": [system].lattice");
  s.generate = [=](std::int64_t index) {
    std::int64_t cell = index / std::int64_t(basis.size());
    Vec3<double> const& offset = basis[std::size_t(index % std::int64_t(basis.size()))];
    std::int64_t const x = cell % count.x;
    cell /= count.x;
    Site site;
    site.id = index + 1;
    site.species = composition.at(index);
    site.position = {a * (double(first.x + x) + offset.x), a * (double(first.y + cell % count.y) + offset.y),
                     a * (double(first.z + cell / count.y) + offset.z)};
    return site;
  };
  return s;
}

}  // namespace lockstep::detail
