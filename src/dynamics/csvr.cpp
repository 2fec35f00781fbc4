// SPDX-License-Identifier: Apache-2.0
// The factor of velocity rescaling.
#include "dynamics/csvr.hpp"

#include <bit>

#include "base/debug.hpp"
#include "base/philox.hpp"
#include "dynamics/kinetic.hpp"
#include "dynamics/velocities.hpp"

namespace lockstep {
namespace {

constexpr std::uint32_t normal_draw = 0, squares_draw = 16;

/// Gamma deviate of shape >= 1, scale 1. @source doi:10.1145/358407.358414
double gamma_deviate(Philox const& philox, double shape, std::uint32_t first) {
  double const d = shape - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
  for (std::uint32_t draw = first;;
       draw += 2) {  // more than 95% succeed; the contract of Philox ends the rest
    double const x = philox.gaussian_pair(draw).first, u = philox.uniform53(draw + 1);
    double const t = 1.0 + c * x, v = t * t * t;
    if (v <= 0) continue;
    if (math::log(u) < 0.5 * x * x + d - d * v + d * math::log(v)) return d * v;
  }
}

}  // namespace

double sum_of_squared_gaussians(Philox const& philox, std::int64_t n, std::uint32_t first) {
  if (n <= 0) return 0;
  if (n == 1) {
    double const x = philox.gaussian_pair(first).first;
    return x * x;
  }
  return 2.0 * gamma_deviate(philox, 0.5 * double(n), first);
}

Csvr::Csvr(double dt, double kT, double relaxation_time, std::int64_t degrees_of_freedom, std::uint64_t seed)
    : kT_(kT), keep_(math::exp(-dt / relaxation_time)), degrees_of_freedom_(degrees_of_freedom), seed_(seed) {
  LOCKSTEP_EXPECT(dt >= 0 && kT >= 0 && relaxation_time > 0 && degrees_of_freedom >= 0);
}

double Csvr::factor(double kinetic_energy, std::int64_t step) const {
  if (!(kinetic_energy > 0) || degrees_of_freedom_ == 0) return 1;
  Philox const philox(seed_, Stream::csvr, std::uint64_t(step), 0);
  double const first = philox.gaussian_pair(normal_draw).first;
  double const others = sum_of_squared_gaussians(philox, degrees_of_freedom_ - 1, squares_draw);
  double const per_mode =
      0.5 * kT_ / kinetic_energy;  // target energy of one mode over the present energy of all
  double const change = 1.0 - keep_;
  double const square =
      keep_ + change * per_mode * (first * first + others) + 2.0 * first * sqrt(keep_ * change * per_mode);
  double const root = sqrt(max(square, 0.0));
  return first + sqrt(keep_ / max(change * per_mode, 1e-300)) < 0 ? -root : root;
}

Motion Csvr::apply(Comm const& comm, State& state, std::int64_t step) {
  double const before = kinetic_energy(comm, state);
  double const scale = factor(before, step);
  heat_ += before * (1.0 - scale * scale);
  return scale_velocities(state, scale);
}

std::vector<std::int64_t> Csvr::words() const { return {std::bit_cast<std::int64_t>(heat_)}; }

void Csvr::restore(std::span<std::int64_t const> words) {
  LOCKSTEP_EXPECT(words.size() == 1);
  heat_ = std::bit_cast<double>(words[0]);
}

}  // namespace lockstep
