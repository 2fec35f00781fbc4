// SPDX-License-Identifier: Apache-2.0
// Random sequential placement.
#include <fmt/format.h>

#include <algorithm>

#include "app/detail/lattice.hpp"
#include "base/error.hpp"
#include "base/math.hpp"
#include "base/philox.hpp"
#include "base/quantity.hpp"

namespace lockstep::detail {
namespace {

constexpr int most_attempts = 20000;  // per particle
constexpr double densest_fraction =
    0.38;  // random sequential addition of spheres jams at 0.3841. doi:10.1063/1.436954
constexpr double sphere = 0.5235987755982988;  // pi/6
constexpr double chosen_share = 0.75;          // of the mean spacing: fraction 0.22, quick to reach

/// Particles placed so far, by cells no narrower than the least distance.
class Placed {
 public:
  Placed(Vec3<double> edges, double distance, std::int64_t n)
      : edges_(edges), distance2_(distance * distance) {
    double const width = std::max(distance, math::cbrt(edges.x * edges.y * edges.z / double(n)));
    for (int d = 0; d < 3; ++d) cells_[d] = std::max<std::int64_t>(1, std::int64_t(edges[d] / width));
    heads_.assign(std::size_t(cells_.x * cells_.y * cells_.z), -1);
  }

  bool fits(Vec3<double> p) const {
    Vec3<std::int64_t> const at = cell_of(p);
    Vec3<std::int64_t> span;
    for (int d = 0; d < 3; ++d) span[d] = std::min<std::int64_t>(cells_[d], 3);
    for (std::int64_t k = 0; k < span.x * span.y * span.z; ++k) {
      Vec3<std::int64_t> const n{at.x + k % span.x - 1, at.y + k / span.x % span.y - 1,
                                 at.z + k / (span.x * span.y) - 1};
      for (std::int64_t j = heads_[slot(n)]; j >= 0; j = next_[std::size_t(j)])
        if (distance2(p, placed_[std::size_t(j)]) < distance2_) return false;
    }
    return true;
  }

  void add(Vec3<double> p) {
    auto& head = heads_[slot(cell_of(p))];
    next_.push_back(head);
    head = std::int64_t(placed_.size());
    placed_.push_back(p);
  }

 private:
  Vec3<std::int64_t> cell_of(Vec3<double> p) const {
    Vec3<std::int64_t> c;
    for (int d = 0; d < 3; ++d)
      c[d] = std::min(cells_[d] - 1, std::int64_t(p[d] / edges_[d] * double(cells_[d])));
    return c;
  }
  std::size_t slot(Vec3<std::int64_t> c) const {
    for (int d = 0; d < 3; ++d) c[d] = (c[d] + cells_[d]) % cells_[d];
    return std::size_t((c.z * cells_.y + c.y) * cells_.x + c.x);
  }
  /// To the nearest image: the filled part is taken as periodic, also where it is not.
  double distance2(Vec3<double> a, Vec3<double> b) const {
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
      double delta = a[d] > b[d] ? a[d] - b[d] : b[d] - a[d];
      delta = std::min(delta, edges_[d] - delta);
      sum += delta * delta;
    }
    return sum;
  }

  Vec3<double> edges_;
  double distance2_;
  Vec3<std::int64_t> cells_;
  std::vector<std::int64_t> heads_, next_;
  std::vector<Vec3<double>> placed_;
};

[[noreturn]] void too_dense(RunInput const& in, double distance, double fraction,
                            std::string const& problem) {
  std::string const unit = unit_name(Unit::length, in.units);
  throw InputError(
      in.path + ": [system].lattice", problem,
      fmt::format(
          "spheres of diameter {:.6g} {} would fill {:.3g} of the space; at random at most {} can be filled",
          distance, unit, fraction, densest_fraction),
      fmt::format("Lower min_distance below {:.4g} {}, lower the density, or use a crystal and let it melt",
                  distance * math::cbrt(0.3 / fraction), unit));
}

Vec3<double> attempt_at(std::uint64_t seed, std::int64_t id, int attempt, Vec3<double> edges) {
  auto const block = Philox(seed, Stream::lattice, std::uint64_t(attempt), std::uint64_t(id)).block(0);
  return {edges.x * Philox::uniform_of(block.word[0]), edges.y * Philox::uniform_of(block.word[1]),
          edges.z * Philox::uniform_of(block.word[2])};
}

}  // namespace

Structure make_random(RunInput const& in) {
  auto const& lattice = in.system.lattice;
  Vec3<double> const filled = filled_of(lattice);
  Structure s;
  s.n_particles = lattice.particles;
  s.species = in.species;
  Composition const composition = composition_of(in, s.n_particles);
  double const density = number_density(in, composition, s.n_particles);
  double const edge = math::cbrt(double(s.n_particles) / (density * filled.x * filled.y * filled.z));
  s.edges = {edge, edge, edge};
  check_edges(in, s.edges, in.path + ": [system].lattice");
  double const distance =
      lattice.min_distance > 0 ? lattice.min_distance : chosen_share / math::cbrt(density);
  double const fraction = sphere * density * distance * distance * distance;
  if (fraction > densest_fraction) too_dense(in, distance, fraction, "the particles do not fit");
  Vec3<double> const part{edge * filled.x, edge * filled.y, edge * filled.z};
  Vec3<double> const corner = 0.5 * (s.edges - part);
  Placed placed(part, distance, s.n_particles);
  s.sites.reserve(std::size_t(s.n_particles));
  for (std::int64_t id = 1; id <= s.n_particles; ++id) {
    int attempt = 0;
    Vec3<double> p = attempt_at(in.seed, id, attempt, part);
    while (!placed.fits(p)) {
      if (++attempt == most_attempts)
        too_dense(in, distance, fraction,
                  fmt::format("particle {} of {} finds no free place", id, s.n_particles));
      p = attempt_at(in.seed, id, attempt, part);
    }
    placed.add(p);
    Site site;
    site.id = id;
    site.species = composition.at(id - 1);
    site.position = corner + p;
    s.sites.push_back(site);
  }
  return s;
}

}  // namespace lockstep::detail
