// SPDX-License-Identifier: Apache-2.0
// Sections, their keys, and when they belong.
#include "app/detail/input_walk.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::detail {
namespace {

using Names = std::vector<std::string_view>;

template <class Options>
void simple_table(Visitor& v, std::string_view name, std::string_view doc, Options& options,
                  Presence presence = Presence::standard, std::string const& why_not = {}) {
  if (!v.begin_table(name, doc, presence, true, why_not)) return;
  v.keys(keys_of(options));
  v.end_table();
}

void system(Visitor& v, SystemOptions& system) {
  if (!v.begin_table("system",
                     "What is simulated: a structure file or a generated lattice, and initial velocities.",
                     Presence::standard, true, ""))
    return;
  Names const first{"file"}, with_file{"frame", "file_units"}, cosmetic{"frame"};
  auto file = selected(keys_of(system), first, true);
  mark_cosmetic(file, first);
  v.keys(file);
  auto keys = selected(keys_of(system), first, false);
  mark_cosmetic(keys, cosmetic);
  restrict_keys(keys, with_file, v.describes() || !system.file.empty(),
                "it describes system.file, which is not given");
  v.keys(keys);
  system.has_lattice =
      v.begin_table("lattice", "A generated structure. Its ids run from 1, x fastest, then y, then z.",
                    Presence::optional, system.has_lattice, "");
  if (system.has_lattice) {
    Names const kind{"kind"}, crystal{"cells"}, random{"particles", "min_distance"};
    v.keys(selected(keys_of(system.lattice), kind, true));
    bool const is_random = system.lattice.kind == LatticeKind::random;
    auto rest = selected(keys_of(system.lattice), kind, false);
    restrict_keys(rest, crystal, v.describes() || !is_random,
                  "kind = \"random\" has no unit cells; give `particles`");
    restrict_keys(rest, random, v.describes() || is_random, "the kind is a crystal; `cells` says its size");
    v.keys(rest);
    v.end_table();
  }
  v.end_table();
}

void species(Visitor& v, std::vector<SpeciesOptions>& species) {
  species.resize(v.begin_list("species", "Kinds of particles.", species.size(), false));
  for (std::size_t i = 0; i < species.size(); ++i) {
    v.begin_item(i);
    v.keys(keys_of(species[i]));
    v.end_item();
  }
  v.end_list();
}

/// The potential's own coefficients as keys of a row.
std::vector<Key> coefficient_keys(PairPotential potential, PairCoefficients& row) {
  std::vector<Key> keys;
  std::size_t k = 0;
  for (auto const& field : coefficient_fields(potential)) {
    auto& value = row.values.at(k++);
    keys.push_back({field.name, field.unit, field.rule, std::string(field.doc), &value, value == 0});
  }
  return keys;
}

/// The coefficients of all potentials, each name once, with the potentials it belongs to.
std::vector<Key> all_coefficient_keys(PairCoefficients& row) {
  std::vector<Key> all;
  for (std::size_t p = 0; p < EnumNames<PairPotential>::names.size(); ++p)
    for (auto& key : coefficient_keys(PairPotential(p), row)) {
      key.rule.required = false;
      key.rule.optional = true;
      key.doc = fmt::format("{}: {}", EnumNames<PairPotential>::names[p], key.doc);
      auto const same =
          std::find_if(all.begin(), all.end(), [&](Key const& k) { return k.name == key.name; });
      if (same == all.end())
        all.push_back(std::move(key));
      else
        same->doc += fmt::format("; {}", key.doc);
    }
  return all;
}

void coefficient_row(Visitor& v, PairPotential potential, PairCoefficients& row) {
  auto const key = [](std::string_view name, Rule rule, char const* doc, Target target, bool at_default) {
    return Key{name, Unit::none, rule, doc, std::move(target), at_default};
  };
  v.keys({key("species", required, "the two species", std::span<std::string>(row.species), false)});
  v.keys(v.describes() ? all_coefficient_keys(row) : coefficient_keys(potential, row));
  std::vector<Key> rest{
      {"cutoff", Unit::length, optional & above(0), "of this pair (absent: that of the section)", &row.cutoff,
       row.cutoff == 0},
      key("file", required, "tabulated: the table file", &row.file, row.file.empty()),
      key("keyword", required, "tabulated: the section of that file", &row.keyword, row.keyword.empty()),
      key("units", optional, "tabulated: internal, real or metal (absent: as the file says)", &row.units,
          row.units.empty())};
  if (v.describes()) rest[1].rule = rest[2].rule = optional;
  Names const table{"file", "keyword", "units"}, name{"file"};
  restrict_keys(rest, table, v.describes() || reads_table(potential),
                "only tabulated pairs are read from a file");
  mark_cosmetic(rest, name);
  v.keys(rest);
}

void pairs(Visitor& v, std::vector<PairOptions>& pairs) {
  pairs.resize(v.begin_list("pair", "A potential between pairs of species; several sections add up.",
                            pairs.size(), false));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    auto& pair = pairs[i];
    v.begin_item(i);
    Names const first{"potential", "truncation"}, with_switch{"switch_from"};
    v.keys(selected(keys_of(pair), first, true));
    auto keys = selected(keys_of(pair), first, false);
    restrict_keys(keys, with_switch, v.describes() || pair.truncation == Truncation::switch_,
                  "only truncation = \"switch\" begins before the cutoff");
    v.keys(keys);
    pair.coefficients.resize(
        v.begin_list("coefficients", "One row per pair of species.", pair.coefficients.size(), true));
    for (std::size_t k = 0; k < pair.coefficients.size(); ++k) {
      v.begin_item(k);
      coefficient_row(v, pair.potential, pair.coefficients[k]);
      v.end_item();
    }
    v.end_list();
    v.end_item();
  }
  v.end_list();
}

void method_tables(Visitor& v, StageOptions& stage) {
  auto const when = [](bool belongs) { return belongs ? Presence::standard : Presence::forbidden; };
  bool const md = stage.method == Method::md;
  std::string const integrator(EnumNames<Integrator>::names[std::size_t(stage.integrator)]);
  std::string const method(EnumNames<Method>::names[std::size_t(stage.method)]);
  std::string const why = md ? fmt::format("this stage's integrator is {}", integrator)
                             : fmt::format("this stage's method is {}", method);
  simple_table(v, "langevin", "Heat bath by friction and noise (integrator = \"langevin\").", stage.langevin,
               when(md && stage.integrator == Integrator::langevin), why);
  simple_table(v, "csvr", "Heat bath by stochastic velocity rescaling (integrator = \"nvt_csvr\").",
               stage.csvr, when(md && stage.integrator == Integrator::nvt_csvr), why);
  simple_table(v, "fire", "Energy minimization by FIRE (method = \"minimize\").", stage.fire,
               when(stage.method == Method::minimize), fmt::format("this stage's method is {}", method));
  simple_table(v, "mc", "Monte Carlo (method = \"mc\").", stage.mc, when(stage.method == Method::mc),
               fmt::format("this stage's method is {}", method));
}

void stages(Visitor& v, std::vector<StageOptions>& stages) {
  stages.resize(v.begin_list("stage", "What is done, one stage after the other.", stages.size(), false));
  for (std::size_t i = 0; i < stages.size(); ++i) {
    auto& stage = stages[i];
    v.begin_item(i);
    Names const first{"name", "method"}, cosmetic{"name"}, md{"integrator", "timestep", "remove_drift_every"};
    auto keys = selected(keys_of(stage), first, true);
    mark_cosmetic(keys, cosmetic);
    v.keys(keys);
    keys = selected(keys_of(stage), first, false);
    restrict_keys(
        keys, md, v.describes() || stage.method == Method::md,
        fmt::format("this stage's method is {}", EnumNames<Method>::names[std::size_t(stage.method)]));
    v.keys(keys);
    method_tables(v, stage);
    v.end_item();
  }
  v.end_list();
}

void output(Visitor& v, OutputOptions& output) {
  if (!v.begin_table("output", "What is written where.", Presence::standard, true, "")) return;
  v.keys(keys_of(output));
  simple_table(v, "trajectory", "Frames of trajectory.h5.", output.trajectory);
  simple_table(v, "log", "Rows of log.jsonl.", output.log);
  simple_table(v, "checkpoint", "When the run can be resumed from.", output.checkpoint);
  v.end_table();
}

}  // namespace

void walk(Visitor& v, RunInput& in) {
  Names const cosmetic{"title"};
  auto keys = keys_of(in);
  mark_cosmetic(keys, cosmetic);
  v.keys(keys);
  v.units = in.units;
  system(v, in.system);
  species(v, in.species);
  pairs(v, in.pairs);
  stages(v, in.stages);
  simple_table(v, "neighbor", "Neighbor lists: changes speed, never a bit.", in.neighbor);
  output(v, in.output);
}

}  // namespace lockstep::detail
