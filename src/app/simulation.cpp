// SPDX-License-Identifier: Apache-2.0
// Options become objects.
#include "app/simulation.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "app/structure.hpp"
#include "base/error.hpp"
#include "base/fixed.hpp"
#include "base/kokkos.hpp"
#include "base/math.hpp"
#include "base/quantity.hpp"
#include "dynamics/velocities.hpp"
#include "kernels/pair.hpp"

namespace lockstep {
namespace {

/// kT of the velocities of a structure file; 0 without. Every rank adds up all of them in order of ids.
double kT_of_file(Structure const& structure) {
  if (!structure.has_velocities || structure.n_particles == 0) return 0;
  double twice = 0;
  for (std::int64_t k = 0; k < structure.n_particles; ++k) {
    Site const s = structure.site(k);
    Vec3<double> const v = s.velocity;
    twice += structure.species[std::size_t(s.species)].mass * (v.x * v.x + v.y * v.y + v.z * v.z);
  }
  return twice / (3.0 * double(structure.n_particles));
}

constexpr std::size_t max_species = 255;

/// kT of the hottest part of the run.
double highest_kT(RunInput const& in, Structure const& structure) {
  double temperature = std::max(0.0, in.system.temperature);
  for (StageOptions const& stage : in.stages) {
    if (stage.method == Method::mc) temperature = std::max(temperature, stage.mc.temperature);
    if (stage.method != Method::md) continue;
    if (stage.integrator == Integrator::langevin)
      temperature = std::max(temperature, stage.langevin.temperature);
    if (stage.integrator == Integrator::nvt_csvr) temperature = std::max(temperature, stage.csvr.temperature);
  }
  return std::max(in.kT(temperature), in.system.temperature < 0 ? kT_of_file(structure) : 0.0);
}

/// Refuses a temperature at which velocities leave their range: 8 standard deviations are more than a draw
/// has.
void check_speeds(RunInput const& in, Structure const& structure, double kT) {
  for (SpeciesOptions const& s : structure.species) {
    double const speed = sqrt(kT / s.mass);
    if (8 * speed < speed_limit) continue;
    throw InputError(in.path + ":",
                     fmt::format("species {} would move at {:.3g} {} at the highest temperature of the input",
                                 s.name, speed, unit_name(Unit::velocity, in.units)),
                     fmt::format("speeds end at {:.0f}, and some particles are several times as fast as most",
                                 speed_limit),
                     "Lower the temperature, or correct the mass");
  }
}

/// Refuses a cutoff within which a particle has more neighbors than any list should hold.
void check_neighbors(RunInput const& in, std::vector<PairTable> const& tables, double density) {
  constexpr double most = 1 << 20;
  double cutoff = 0;
  for (PairTable const& table : tables) cutoff = std::max(cutoff, table.max_cutoff);
  double const radius = 1.25 * cutoff, neighbors = 4.18879 * density * radius * radius * radius;
  if (neighbors <= most) return;
  throw InputError(
      in.path + ":",
      fmt::format("the cutoff of {:.6g} {} gives a particle about {:.2g} neighbors", cutoff,
                  unit_name(Unit::length, in.units), neighbors),
      fmt::format("more than {:.0f} take longer than any run, and more memory than a machine has", most),
      "Shorten the cutoff (tail_correction = true stands for what lies beyond), or correct the density");
}

}  // namespace

int choose_threads(Comm const& comm, int asked) {
  if (asked > 0) return asked;
  // collective, so before the environment is asked: launchers may pass that to some ranks only
  MPI_Comm node;
  MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node);
  int ranks = 1;
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  char const* const text = std::getenv("OMP_NUM_THREADS");
  int const wanted = text == nullptr ? 0 : std::atoi(text);
  return std::clamp(wanted > 0 ? wanted : int(std::thread::hardware_concurrency()) / ranks, 1, most_threads);
}

Simulation make_simulation(Comm const& comm, RunInput const& in, Arguments const& arguments, State state,
                           std::vector<std::string> species) {
  EngineOptions options;
  options.units = in.units;
  options.tables = make_pair_tables(in.pairs, species, pair_energy_scale(state.scales), state.scales);
  check_neighbors(in, options.tables, double(state.n_particles) / state.box.volume());
  for (PairOptions const& pair : in.pairs) options.tail.push_back(pair.tail_correction);
  options.neighbor = in.neighbor;
  options.width = arguments.width;
  options.n_threads = Kokkos::DefaultHostExecutionSpace().concurrency();
  options.balanced = arguments.balance;
  auto engine = std::make_unique<Engine>(comm, std::move(state), std::move(options));
  return {std::move(species), std::move(engine)};
}

Simulation make_simulation(Comm const& comm, RunInput const& in, Arguments const& arguments) {
  Structure const structure = make_structure(in);
  std::vector<std::string> names;
  State state;
  for (SpeciesOptions const& s : structure.species) {
    names.push_back(s.name);
    state.masses.push_back(s.mass);
  }
  if (names.size() > max_species)
    throw InputError(
        "",
        fmt::format("has {} species, more than the {} that kernels tell apart", names.size(), max_species),
        "a particle's species is one byte in the cluster lists", "merge species that do not differ");
  double const density = double(structure.n_particles) / structure.volume();
  double const kT = highest_kT(in, structure);
  check_speeds(in, structure, kT);
  state.scales = choose_scales(in.pairs, names, in.precision, kT, density);
  place(structure, comm, state);
  if (in.system.temperature >= 0)
    initial_velocities(comm, state, in.seed, in.kT(in.system.temperature),
                       in.system.remove_drift ? Momentum::conserved : Momentum::free);
  return make_simulation(comm, in, arguments, std::move(state), std::move(names));
}

}  // namespace lockstep
