// SPDX-License-Identifier: Apache-2.0
// File to options: read, apply --set, check, resolve, hash.
#include "app/run_input.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/detail/input_check.hpp"
#include "app/detail/input_walk.hpp"
#include "base/digest.hpp"
#include "input/document.hpp"
#include "input/lammps_data.hpp"
#include "input/reader.hpp"
#include "input/reference.hpp"
#include "input/text_file.hpp"
#include "input/writer.hpp"
#include "output/structure_file.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t largest_input = std::uint64_t(16) << 20;
constexpr std::string_view hash_version =
    "lockstep input 1\n";  // a new one when old checkpoints must not match

std::string hash_of(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  std::string text;
  for (unsigned char byte : canonical.digest) text += fmt::format("{:02x}", byte);
  return text;
}

/// The resolved input without what decides nothing.
class DecidingWriter final : public Writer {
 public:
  void keys(std::vector<Key> const& keys) override {
    std::vector<Key> deciding;
    for (auto const& key : keys)
      if (key.decides) deciding.push_back(key);
    Writer::keys(deciding);
  }
  bool begin_table(std::string_view name, std::string_view doc, Presence presence, bool present,
                   std::string_view why_not) override {
    if (name == "neighbor" || name == "output") return false;
    return Writer::begin_table(name, doc, presence, present, why_not);
  }
};

bool find_units(Document const& document, UnitSystem& units) {
  Node const* node = document.find("units");
  if (node == nullptr) return true;
  for (std::size_t k = 0; k < EnumNames<UnitSystem>::names.size(); ++k)
    if (node->kind == Node::Kind::string && node->text == EnumNames<UnitSystem>::names[k]) {
      units = UnitSystem(k);
      return true;
    }
  return false;
}

std::string beside(std::string const& folder, std::string const& name) {
  return (std::filesystem::path(folder) / name).string();
}

/// Reads files that the input names and keeps their hashes.
class NamedFiles {
 public:
  NamedFiles(std::string const& folder, detail::Checker& checker) : folder_(folder), checker_(checker) {}

  /// The text, or nothing after a fault at `key`.
  std::optional<std::string> read(std::string const& name, std::string const& key) {
    std::string const path = beside(folder_, name);
    auto file = read_text_file(path);
    if (!file.problem.empty()) {
      checker_.fault(key, fmt::format("= \"{}\" cannot be read: {}", name, file.problem),
                     fmt::format("it was looked for at {}", path),
                     "Names are relative to the folder of the input file");
      return std::nullopt;
    }
    hashes += fmt::format("{} {}\n", key, hash_of(file.text));
    return std::move(file.text);
  }

  std::string hashes;

 private:
  std::string folder_;
  detail::Checker& checker_;
};

/// Settles file_units = "auto", and refuses units that contradict.
void settle_units(RunInput& in, std::string const& said, detail::Checker& c) {
  auto& units = in.system.file_units;
  bool const lj = in.units == UnitSystem::lj;
  if (units == FileUnits::automatic) {
    if (lj) units = FileUnits::lj;
    if (!lj && said == "real") units = FileUnits::real;
    if (!lj && said == "metal") units = FileUnits::metal;
  }
  if (units == FileUnits::automatic)
    c.fault("system.file_units", "is missing",
            "the structure file does not say in which units its numbers are",
            "Add `file_units = \"real\"` or \"metal\" for files of LAMMPS, \"lockstep\" for nm and ps");
  else if (lj != (units == FileUnits::lj) || (said == "lj" && !lj) || (lj && !said.empty() && said != "lj"))
    c.fault(
        c.given("system.file_units") ? "system.file_units" : "system.file",
        fmt::format("means units {}", said.empty() ? EnumNames<FileUnits>::names[std::size_t(units)] : said),
        fmt::format("the input has units = \"{}\"", EnumNames<UnitSystem>::names[std::size_t(in.units)]),
        "Change `units` at the top of the input, or file_units");
}

/// The species become those of the structure file, with masses that [[species]] may set.
void merge_species(RunInput& in, std::vector<SpeciesOptions> species, detail::Checker& c) {
  for (std::size_t i = 0; i < in.species.size(); ++i) {
    auto const& given = in.species[i];
    int const index = detail::species_index(species, given.name);
    if (index < 0)
      c.fault(fmt::format("species.{}.name", i),
              fmt::format("= \"{}\" is not a type of {}", given.name, in.system.file),
              "the file says which species there are", detail::species_advice(species, given.name));
    else if (given.mass > 0)
      species[std::size_t(index)].mass = given.mass;
  }
  for (auto const& s : species)
    if (s.mass == 0)
      c.fault("system.file", fmt::format("gives type {} no mass", s.name),
              "neither the file nor [[species]] does",
              fmt::format("Add [[species]] with `name = \"{}\"` and its mass", s.name));
  in.species = std::move(species);
}

void species_from_data(RunInput& in, std::string const& text, detail::Checker& c) {
  if (in.system.frame >= 0)
    c.fault("system.frame", "does not belong here", "a LAMMPS data file has no frames", "Remove it");
  std::vector<SpeciesOptions> species;
  auto const data = read_lammps_data(text, beside(in.folder, in.system.file), LammpsPart::types);
  for (auto const& type : data.types) species.push_back({type.name, type.mass});
  settle_units(in, data.units, c);
  merge_species(in, std::move(species), c);
}

/// A fingerprint of all that a run takes from the frame.
std::string hash_of(StructureFile const& file) {
  auto const& box = file.box();
  std::string text = fmt::format("{} {} {}", file.n_particles(), file.units(), file.has_velocities());
  for (auto const& row : {box.a, box.b, box.c}) text += fmt::format(" {} {} {}", row.x, row.y, row.z);
  for (std::size_t k = 0; k < file.species().size(); ++k)
    text += fmt::format(" {} {}", toml_string(file.species()[k]), file.masses()[k]);
  for (std::int64_t first = 0; first < file.n_particles(); first += StructureFile::block) {
    std::vector<std::int64_t> words;
    for (Particle const& p : file.read(first, std::min(first + StructureFile::block, file.n_particles())))
      words.insert(words.end(), {p.id, p.species, p.x.x, p.x.y, p.x.z, p.v.x, p.v.y, p.v.z, p.image.x,
                                 p.image.y, p.image.z});
    text += " " + digest_of(words).hex();
  }
  return hash_of(text);
}

/// @returns the hash of what was read.
std::string species_from_hdf5(RunInput& in, detail::Checker& c) {
  auto const frame = in.system.frame < 0 ? std::nullopt : std::optional(in.system.frame);
  StructureFile const file(beside(in.folder, in.system.file), frame);
  FileUnits& units = in.system.file_units;
  if (units == FileUnits::real || units == FileUnits::metal)
    c.fault("system.file_units",
            fmt::format("= \"{}\" does not belong here", EnumNames<FileUnits>::names[std::size_t(units)]),
            "those are units of LAMMPS data files", "Remove it: the file is in nm and ps, or in lj units");
  std::string const said = file.units() == "physical" ? "lockstep" : file.units();
  if (units == FileUnits::automatic && said == "lockstep") units = FileUnits::lockstep;
  if (units == FileUnits::automatic && said == "lj") units = FileUnits::lj;
  settle_units(in, said, c);
  std::vector<SpeciesOptions> species;
  for (std::size_t k = 0; k < file.species().size(); ++k)
    species.push_back({file.species()[k], file.masses()[k]});
  merge_species(in, std::move(species), c);
  return fmt::format("system.file {}\n", hash_of(file));
}

/// Species, units and the hash of the structure file.
std::string read_structure(RunInput& in, NamedFiles& files, detail::Checker& c,
                           std::vector<Diagnostic>& faults) {
  try {
    if (names_hdf5(beside(in.folder, in.system.file))) return species_from_hdf5(in, c);
    if (auto const text = files.read(in.system.file, "system.file")) species_from_data(in, *text, c);
  } catch (InputError const& e) {
    faults.insert(faults.end(), e.diagnostics().begin(), e.diagnostics().end());
  }
  return {};
}

/// Reads every named file: species of the structure, content hashes. @returns the hashes.
std::string read_files(RunInput& in, Document const& document, std::vector<Diagnostic>& faults) {
  detail::Checker checker(document, faults);
  NamedFiles files(in.folder, checker);
  std::string structure;
  if (!in.system.file.empty()) structure = read_structure(in, files, checker, faults);
  for (std::size_t i = 0; i < in.pairs.size(); ++i)
    for (std::size_t k = 0; k < in.pairs[i].coefficients.size(); ++k)
      if (auto const& name = in.pairs[i].coefficients[k].file; !name.empty())
        files.read(name, fmt::format("pair.{}.coefficients.{}.file", i, k));
  return structure + files.hashes;
}

/// Table files as they are to be opened, and places for the messages of make_pair_table.
void place_pairs(RunInput& in, Document const& document) {
  for (std::size_t i = 0; i < in.pairs.size(); ++i) {
    auto const place = [&](std::string const& path) { return document.find(path)->place.text(); };
    std::string const path = fmt::format("pair.{}", i);
    in.pairs[i].where = place(path);
    for (std::size_t k = 0; k < in.pairs[i].coefficients.size(); ++k) {
      auto& row = in.pairs[i].coefficients[k];
      row.where = place(fmt::format("{}.coefficients.{}", path, k));
      if (!row.file.empty()) row.file = beside(in.folder, row.file);
    }
  }
}

Document load(std::string const& text, std::string const& path, std::vector<std::string> const& set) {
  Document document(text, path);
  std::vector<Diagnostic> faults;
  for (auto const& assignment : set) try {
      document.set(assignment);
    } catch (InputError const& e) {
      faults.insert(faults.end(), e.diagnostics().begin(), e.diagnostics().end());
    }
  if (!faults.empty()) throw InputError(faults);
  return document;
}

/// The folder of the input whose output.directory `output` is `directory`; the folder above if that can't be
/// told.
std::string input_folder(std::string const& directory, std::string const& output) {
  std::filesystem::path folder = std::filesystem::absolute(directory).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();  // "out/"
  std::filesystem::path below = std::filesystem::path(output).lexically_normal();
  if (below == ".") return folder.string();
  if (below.filename().empty()) below = below.parent_path();
  std::filesystem::path above = folder;
  while (below.is_relative() && !below.empty() && below.filename() == above.filename()) {
    below = below.parent_path();
    above = above.parent_path();
  }
  return (below.empty() ? above : folder.parent_path()).string();
}

}  // namespace

RunInput parse_stored_input(std::string const& text, std::string const& directory) {
  Document const document(text, "input stored in " + directory);
  RunInput in;
  Reader reader(document);
  reader.units_known = find_units(document, reader.units);
  detail::walk(reader, in);
  reader.finish();
  auto faults = std::move(reader.diagnostics);
  detail::check(in, document, faults);
  if (!faults.empty()) throw InputError(std::move(faults));
  in.path = directory;
  in.folder = input_folder(directory, in.output.directory);
  place_pairs(in, document);
  return in;
}

RunInput parse_run_input(std::string const& text, std::string const& path,
                         std::vector<std::string> const& set) {
  Document const document = load(text, path, set);
  RunInput in;
  in.path = path;
  in.folder = std::filesystem::path(path).parent_path().string();
  Reader reader(document);
  reader.units_known = find_units(document, reader.units);
  detail::walk(reader, in);
  reader.finish();
  auto faults = std::move(reader.diagnostics);
  std::string const file_hashes = read_files(in, document, faults);
  detail::check(in, document, faults);
  if (!faults.empty()) throw InputError(std::move(faults));

  Writer resolved;
  detail::walk(resolved, in);
  in.resolved = std::move(resolved.text);
  DecidingWriter deciding;
  detail::walk(deciding, in);
  in.hash = hash_of(fmt::format("{}{}{}", hash_version, deciding.text, file_hashes));
  place_pairs(in, document);
  return in;
}

RunInput read_run_input(std::string const& path, std::vector<std::string> const& set) {
  auto const file = read_text_file(path, largest_input);
  if (!file.problem.empty())
    throw InputError(path, fmt::format("cannot be read: {}", file.problem),
                     "it should be the TOML input of a run", "Check the path; inputs/ holds examples");
  return parse_run_input(file.text, path, set);
}

std::string run_input_schema() {
  RunInput in;
  Reference reference;
  detail::walk(reference, in);
  return reference.json_schema("Input of a Lockstep run");
}

std::string run_input_reference() {
  RunInput in;
  Reference reference;
  detail::walk(reference, in);
  return reference.markdown();
}

}  // namespace lockstep
