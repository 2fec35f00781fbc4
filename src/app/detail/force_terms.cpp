// SPDX-License-Identifier: Apache-2.0
// One engine per term, of one rank.
#include "app/detail/force_terms.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "drivers/engine.hpp"

namespace lockstep::detail {
namespace {

/// Ids are rows, so that forces find their way back whatever the order of the particles.
State state_of(ForceField const& field, Places const& places) {
  State s;
  s.step = places.step;
  s.box = places.box;
  s.scales = field.scales;
  s.masses = field.masses;
  s.n_particles = std::int64_t(places.ids.size());
  s.reserve(LocalIndex(places.ids.size()));
  for (std::size_t k = 0; k < places.ids.size(); ++k) {
    Particle p{ParticleId(k), places.species[k], {}, places.x[k], {}, {}};
    s.box.wrap(p.x, p.image);
    s.push_back(p);
  }
  return s;
}

TermForces one_term(ForceField const& field, PairTable const& table, Places const& places,
                    KernelWidth width) {
  TermForces result;
  result.forces.assign(places.ids.size(), {});
  if (table.max_cutoff == 0 || places.ids.empty()) return result;
  EngineOptions options;
  options.units = field.units;
  options.tables = {table};
  options.tail = {false};
  options.width = width;
  options.n_threads = Kokkos::DefaultHostExecutionSpace().concurrency();
  Engine engine(Comm(MPI_COMM_SELF), state_of(field, places), std::move(options));
  engine.update_forces(0, 0, true);
  State const& s = engine.state;
  for (LocalIndex i = 0; i < s.n_owned; ++i)
    result.forces[std::size_t(s.id(i))] = {s.f(i, 0), s.f(i, 1), s.f(i, 2)};
  result.energy = engine.potential().energy;
  return result;
}

}  // namespace

ForceField::ForceField(RunInput const& in, Scales const& its) : scales(its), units(in.units) {
  std::vector<std::string> names;
  for (SpeciesOptions const& s : in.species) {
    names.push_back(s.name);
    masses.push_back(s.mass);
  }
  auto const tables = make_pair_tables(in.pairs, names, pair_energy_scale(scales), scales);
  for (std::size_t k = 0; k < tables.size(); ++k)
    terms.push_back({fmt::format("pair {} ({})", k + 1,
                                 EnumNames<PairPotential>::names[std::size_t(in.pairs[k].potential)]),
                     tables[k]});
}

std::vector<TermForces> term_forces(ForceField const& field, Places const& places, KernelWidth width) {
  std::vector<TermForces> all;
  for (ForceTerm const& term : field.terms) try {
      all.push_back(one_term(field, term.table, places, width));
    } catch (SimulationError const& e) {
      if (e.particle() < 0) throw;  // its id is a row
      throw SimulationError(e.step(), places.ids[std::size_t(e.particle())],
                            fmt::format("is too near to another one for {}", term.name),
                            "look at the positions of this frame: no run gets that far");
    }
  return all;
}

Forces sum_of(std::vector<TermForces> const& terms, std::size_t n) {
  Forces sum(n);
  for (TermForces const& term : terms)
    for (std::size_t i = 0; i < n; ++i)
      for (int d = 0; d < 3; ++d) sum[i][d] = wrap_add(sum[i][d], term.forces[i][d]);
  return sum;
}

Forces difference(Forces const& a, Forces const& b) {
  Forces result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int d = 0; d < 3; ++d) result[i][d] = wrap_sub(a[i][d], b[i][d]);
  return result;
}

}  // namespace lockstep::detail
