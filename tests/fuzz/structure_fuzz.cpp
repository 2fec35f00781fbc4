// SPDX-License-Identifier: Apache-2.0
// A trajectory with odd values, types and shapes in it is a structure, and frames to verify, or gets a
// message. What HDF5 makes of a broken file format is not asked here.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "fuzz/odd_hdf5.hpp"
#include "output/files.hpp"
#include "output/inspect.hpp"
#include "output/structure_file.hpp"
#include "output/trajectory.hpp"
#include "state/digest.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;

namespace {

fuzz::OddLayout const layout{
    {{"particles/all/species", "names"},
     {"particles/all/position/value", "scale"},
     {"particles/all/velocity/value", "scale"},
     {"parameters", "units"},
     {"parameters", "scales"},
     {"parameters", "input_hash"}},
    {"particles/all/id", "particles/all/species", "particles/all/mass", "particles/all/position/value",
     "particles/all/position/step", "particles/all/velocity/value", "particles/all/image/value",
     "particles/all/box/lattice/value", "particles/all/box/edges/value", "observables/digest/value",
     "observables/shared_digest/value", "parameters/input"}};

/// What all inputs share; goes at exit, before MPI.
struct World {
  Comm comm;
  sample::Scratch scratch{comm};
  std::string path = scratch.path() + "/fuzz.h5", good;

  World() {
    RunDirectory const directory(comm, scratch.run());
    using enum TrajectoryField;
    Trajectory trajectory(comm, directory, {1, {position, velocity, image}, Storage::lossless, 0},
                          {UnitSystem::lj, "fuzz", "title = \"fuzz\"\n", "abc", "0.1", {"A", "Ar"}});
    trajectory.cut(-1, 0);
    State s = sample::state(comm, 7);
    for (std::int64_t step : {0, 10}) {
      sample::advance(s, step);
      trajectory.frame(s, state_digest(comm, s));
    }
    trajectory.close_segment();
    good = read_text(scratch.run() + "/trajectory.0000.h5");
  }
};
World* world = nullptr;

/// What placing particles relies on.
void expect_sound(StructureFile const& file) {
  bool sound = file.n_particles() > 0 && problem_of(file.box()).empty() &&
               file.masses().size() == file.species().size();
  ParticleId last = -1;
  for (std::int64_t first = 0; first < file.n_particles(); first += StructureFile::block)
    for (Particle const& p : file.read(first, std::min(first + StructureFile::block, file.n_particles()))) {
      sound = sound && p.id > last && p.species >= 0 && std::size_t(p.species) < file.species().size();
      last = p.id;
    }
  if (!sound) std::abort();
}

void read_structure(std::optional<std::int64_t> frame) {
  try {
    expect_sound(StructureFile(world->path, frame));
  } catch (InputError const& e) {
    if (e.diagnostics().empty() || e.diagnostics()[0].fix.empty()) std::abort();
  }
}

void verify_frames() {
  try {
    verify_file(world->path);
    if (describe_file(world->path, true).empty()) std::abort();
  } catch (InputError const&) {
  } catch (ResourceError const& e) {
    if (std::strstr(e.what(), "\n    fix: ") == nullptr) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  Kokkos::initialize(*argc, *argv);
  world = new World;
  std::atexit([] {
    delete world;
    Kokkos::finalize();
    MPI_Finalize();
  });
  if (char const* const seeds = std::getenv("LOCKSTEP_FUZZ_SEEDS")) {
    int k = 0;
    for (auto const& odd : fuzz::odd_examples(layout))
      std::ofstream(seeds + ("/seed-" + std::to_string(k++)), std::ios::binary) << '\1' + odd;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz::Bytes in({reinterpret_cast<char const*>(data), size});
  auto const frame = in.next<std::uint8_t>() % 4;
  std::ofstream(world->path, std::ios::binary | std::ios::trunc) << world->good;
  {
    auto file = h5::open_file(world->path, true);
    for (int k = 0; k < 4 && in.more(); ++k) fuzz::make_odd(file.get(), layout, in);
    file.close("write " + world->path);
  }
  read_structure(frame == 3 ? std::nullopt : std::optional<std::int64_t>(frame));
  verify_frames();
  if (H5Fget_obj_count(hid_t(H5F_OBJ_ALL), H5F_OBJ_ALL) != 0) std::abort();  // everything was closed
  return 0;
}
