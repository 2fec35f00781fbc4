// SPDX-License-Identifier: Apache-2.0
// Any file is a checkpoint or gets a message. The first byte says how the file is made: of the other bytes
// alone; from a good checkpoint with bytes changed, which the checksum must notice; or from a good one with
// odd values, types and shapes in it and a right checksum. What HDF5 makes of a broken file format under a
// right checksum is not asked here: nothing damaged reaches it.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "fuzz/odd_hdf5.hpp"
#include "output/checkpoint.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "output/seal.hpp"
#include "state/digest.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;

namespace {

fuzz::OddLayout const layout{{{"/", "input_hash"},
                              {"/", "build"},
                              {"/", "n_particles"},
                              {"/", "step"},
                              {"/", "stage"},
                              {"/", "stage_step"},
                              {"/", "stage_start_time"},
                              {"/", "time"},
                              {"/", "scales"},
                              {"/", "digest"},
                              {"species", "names"},
                              {"/", "log_bytes"},
                              {"/", "log_rows"},
                              {"/", "frames"}},
                             {"input", "box", "masses", "extra", "particles/id", "particles/species",
                              "particles/x", "particles/image", "particles/v", "species"}};

/// What all inputs share; goes at exit, before MPI.
struct World {
  Comm comm;
  sample::Scratch scratch{comm};
  std::string path = scratch.path() + "/fuzz.h5", good;

  World() {
    RunDirectory const directory(comm, scratch.run());
    write_checkpoint(comm, directory, sample::state(comm, 7),
                     {"title = \"fuzz\"\n", "abc", "0.1", {"A", "Ar"}, {1, 2}, {30, 2, 1}});
    good = read_text(directory.checkpoint());
  }
};
World* world = nullptr;

void put(std::string const& bytes) {
  std::ofstream(world->path, std::ios::binary | std::ios::trunc) << bytes;
}

/// What the engine relies on in a state that was accepted.
void expect_sound(Restored const& r) {
  State const& s = r.state;
  bool sound = s.n_particles == s.n_owned && s.masses.size() == r.checkpoint.species.size() && s.step >= 0 &&
               s.stage >= 0 && s.stage_step >= 0 && r.checkpoint.output.log_bytes >= 0;
  for (LocalIndex i = 0; sound && i < s.n_owned; ++i) {
    Particle const p = s.particle(i);
    sound = p.id >= 0 && p.species >= 0 && std::size_t(p.species) < s.masses.size();
    for (int d = 0; d < 3; ++d) sound = sound && p.x[d] == s.x(i, d) && p.x[d] < s.box.edge(d);
  }
  if (!sound) std::abort();
  (void)(particles_digest(s) + shared_digest(s));
}

/// Whether the file is read; if not, with a message that says what to do.
bool accepted() {
  bool read = false;
  try {
    expect_sound(read_checkpoint(world->comm, world->path));
    read = true;
  } catch (InputError const& e) {
    if (e.diagnostics().empty() || e.diagnostics()[0].fix.empty()) std::abort();
  } catch (ResourceError const& e) {
    auto const fix = std::strstr(e.what(), "\n    fix: ");
    if (fix == nullptr || std::strlen(fix) < 12) std::abort();
  }
  if (H5Fget_obj_count(hid_t(H5F_OBJ_ALL), H5F_OBJ_ALL) != 0) std::abort();  // everything was closed
  return read;
}

void raw(fuzz::Bytes in) {
  put(std::string(in.rest()));
  if (accepted() && in.rest() != world->good) std::abort();
}

void changed(fuzz::Bytes in) {
  std::string bytes = world->good;
  while (in.more() && !bytes.empty()) {
    auto const how = in.next<std::uint8_t>();
    std::size_t const at = in.next<std::uint16_t>() % bytes.size();
    if (how == 255)
      bytes.resize(at);
    else if (how == 254)
      bytes.insert(at, bytes, at / 2, how);
    else
      bytes[at] = char(bytes[at] ^ how);
  }
  put(bytes);
  if (accepted() != (bytes == world->good)) std::abort();
}

void resealed(fuzz::Bytes in) {
  put(world->good);
  bool const any = in.more();
  {
    auto file = h5::open_file(world->path, true);
    for (int k = 0; k < 4 && in.more(); ++k) fuzz::make_odd(file.get(), layout, in);
    file.close("write " + world->path);
  }
  seal_file(world->comm, world->path);
  if (!accepted() && !any) std::abort();
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
    auto seed = [&, k = 0](std::string const& bytes) mutable {
      std::ofstream(seeds + ("/seed-" + std::to_string(k++)), std::ios::binary) << bytes;
    };
    seed('\0' + world->good);
    seed('\0' + world->good.substr(0, std::size_t(seal_size) + 100));
    seed(std::string("\1\4\0\40", 4));
    seed("\2");
    for (auto const& odd : fuzz::odd_examples(layout)) seed('\2' + odd);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz::Bytes in({reinterpret_cast<char const*>(data), size});
  switch (in.next<std::uint8_t>() % 4) {
    case 0:
      raw(in);
      break;
    case 1:
      changed(in);
      break;
    default:
      resealed(in);
      break;
  }
  return 0;
}
