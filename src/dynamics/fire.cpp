// SPDX-License-Identifier: Apache-2.0
// FIRE: sums, step size, motion.
#include "dynamics/fire.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/debug.hpp"
#include "base/exact_sum.hpp"

namespace lockstep {
namespace {

// the parameters recommended by the source
constexpr std::int64_t delay = 20;
constexpr double grow = 1.1, shrink = 0.5, first_mixing = 0.25, mixing_shrink = 0.99;
constexpr double longest = 10, shortest = 0.02;

Vec3<double> row(View<std::int64_t**> const& view, LocalIndex i, double unit) {
  return {fixed_to_double(view(i, 0)) * unit, fixed_to_double(view(i, 1)) * unit,
          fixed_to_double(view(i, 2)) * unit};
}
double dot(Vec3<double> a, Vec3<double> b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// x -= dt v / 2; v = 0.
struct Retreat {
  Columns<std::int64_t> x, v;
  double drift_factor;
  LOCKSTEP_FUNCTION void operator()(LocalIndex i) const {
    for (int d = 0; d < 3; ++d) {
      x[d][i] = wrap_sub(x[d][i], round_to_fixed(drift_factor * fixed_to_double(v[d][i])));
      v[d][i] = 0;
    }
  }
};

/// v = keep v + (kick + mix) f.
struct Push {
  Columns<std::int64_t> v, f;
  SpeciesId const* species;
  double const* kick;  // [n_species] velocity units per force unit
  double scale, keep, mix;
  LOCKSTEP_FUNCTION std::int64_t operator()(LocalIndex i) const {
    double const per_force = fma(scale, kick[species[i]], mix);
    std::int64_t largest = 0;
    for (int d = 0; d < 3; ++d) {
      v[d][i] = velocity_of(fma(per_force, fixed_to_double(f[d][i]), keep * fixed_to_double(v[d][i])));
      largest = larger(largest, magnitude(v[d][i]));
    }
    return largest;
  }
};

struct Drift {
  Columns<std::int64_t> x, v;
  double factor;
  LOCKSTEP_FUNCTION void operator()(LocalIndex i) const {
    for (int d = 0; d < 3; ++d)
      x[d][i] = wrap_add(x[d][i], round_to_fixed(factor * fixed_to_double(v[d][i])));
  }
};

}  // namespace

struct Fire::Sums {
  double power, f2, v2;                                             // global, true units
  double largest_f2 = 0, largest_acceleration = 0, largest_v2 = 0;  // of a particle
};

Fire::Fire(FireOptions const& options, Scales const& scales, std::span<double const> masses, double dt)
    : options_(options),
      force_unit_(scales.force_unit()),
      first_dt_(dt),
      dt_(dt),
      mixing_(first_mixing),
      masses_(masses.begin(), masses.end()),
      kick_(kick_factors(scales, masses, 1.0)) {
  LOCKSTEP_EXPECT(dt > 0 && options.force_tolerance > 0 && options.max_displacement > 0);
}

void Fire::start(State& state) {
  dt_ = first_dt_;
  mixing_ = first_mixing;
  downhill_ = uphill_ = 0;
  for (LocalIndex i = 0; i < state.n_owned; ++i)
    for (int d = 0; d < 3; ++d) state.v(i, d) = 0;
}

Fire::Sums Fire::sums(Comm const& comm, State const& state) const {
  std::vector<double> terms;
  terms.reserve(3 * std::size_t(state.n_owned));
  std::array<double, 3> largest{};
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    auto const f = row(state.f, i, force_unit_), v = row(state.v, i, velocity_unit);
    double const f2 = dot(f, f), mass = masses_[std::size_t(state.species(i))];
    terms.insert(terms.end(), {dot(f, v), f2, dot(v, v)});
    largest = {max(largest[0], f2), max(largest[1], sqrt(f2) / mass), max(largest[2], dot(v, v))};
  }
  auto const total = exact_sums(comm, terms, 3);
  comm.max(largest);
  return {total[0], total[1], total[2], largest[0], largest[1], largest[2]};
}

double Fire::largest_force(Comm const& comm, State const& state) const {
  double largest = 0;
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    auto const f = row(state.f, i, force_unit_);
    largest = max(largest, dot(f, f));
  }
  return sqrt(comm.max(largest));
}

void Fire::adapt(double power) {
  if (power > 0) {
    uphill_ = 0;
    if (++downhill_ <= delay) return;
    dt_ = min(dt_ * grow, longest * first_dt_);
    mixing_ *= mixing_shrink;
    return;
  }
  bool const starting = downhill_ == 0 && uphill_ == 0;  // the first step has no velocity: nothing to correct
  downhill_ = 0;
  ++uphill_;
  if (starting) return;
  dt_ = max(dt_ * shrink, shortest * first_dt_);
  mixing_ = first_mixing;
}

Fire::Status Fire::step(Comm const& comm, State& state) {
  Sums const s = sums(comm, state);
  Status status;
  status.largest_force = sqrt(s.largest_f2);
  status.converged = status.largest_force <= options_.force_tolerance;
  if (status.converged) return status;
  adapt(s.power);
  auto const x = columns(state.x), v = columns(state.v);
  bool const downhill = s.power > 0;
  if (!downhill) for_each_particle("fire:retreat", state.n_owned, Retreat{x, v, drift_factor(0.5 * dt_)});
  // forces so large that one kick alone would pass the longest displacement are scaled down, all by one
  // factor
  double const scale = min(1.0, options_.max_displacement / (dt_ * dt_ * s.largest_acceleration));
  double const mix = downhill ? mixing_ * sqrt(s.v2 / s.f2) * force_unit_ / velocity_unit : 0.0;
  Push const push{v, columns(state.f), state.species.data(), kick_.data(), scale * dt_, 1.0 - mixing_, mix};
  std::int64_t const largest = max_over_particles("fire:push", state.n_owned, push);
  status.motion = motion_of(state, largest, velocity_limit(drift_factor(dt_)));
  double v2 = 0;
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    auto const velocity = row(state.v, i, velocity_unit);
    v2 = max(v2, dot(velocity, velocity));
  }
  double const speed = sqrt(comm.max(v2));
  double const dt = min(dt_, speed > 0 ? options_.max_displacement / speed : dt_);
  status.largest_move = speed * dt + (downhill ? 0.0 : 0.5 * dt_ * sqrt(s.largest_v2));
  for_each_particle("fire:drift", state.n_owned, Drift{x, v, drift_factor(dt)});
  return status;
}

std::vector<std::int64_t> Fire::words() const {
  return {std::bit_cast<std::int64_t>(dt_), std::bit_cast<std::int64_t>(mixing_), downhill_, uphill_};
}

void Fire::restore(std::span<std::int64_t const> words) {
  LOCKSTEP_EXPECT(words.size() == 4);
  dt_ = std::bit_cast<double>(words[0]);
  mixing_ = std::bit_cast<double>(words[1]);
  downhill_ = words[2];
  uphill_ = words[3];
}

}  // namespace lockstep
