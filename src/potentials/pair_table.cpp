// SPDX-License-Identifier: Apache-2.0
// Makes the kernels' entries from a [[pair]] section.
#include "potentials/pair_table.hpp"

#include <algorithm>

#include "potentials/detail/pair_rows.hpp"
#include "potentials/detail/pair_scan.hpp"

namespace lockstep {
namespace {

using detail::PairFunctions;
using detail::PairRow;

/// Whether the pair has any energy at all.
bool has_energy(PairFunctions const& f, PairRow const& row) {
  if (f.tabulate) return true;
  for (std::size_t k = 0; k < f.fields.size(); ++k)
    if (f.fields[k].unit.energy_ != 0 && row.values[k] != 0) return true;
  return false;
}

PairEntry make_entry(PairTable& table, PairOptions const& options, PairRow const& row, Scales const& scales) {
  auto const& f = detail::pair_functions(table.potential);
  PairEntry e;
  e.interacts = has_energy(f, row);
  if (!e.interacts) return e;
  e.cutoff = row.cutoff;
  e.p = f.tabulate ? f.tabulate({*row.source, row.cutoff, table.energy_scale, table.shared})
                   : f.prepare(detail::scale_energies(f, row.values, table.energy_scale));
  if (table.truncation == Truncation::switch_) e.switch_from = options.switch_from;
  if (table.truncation == Truncation::shift || table.truncation == Truncation::force_shift) {
    auto const end = f.at(e.cutoff * e.cutoff, e.p, table.shared.data());
    e.energy_shift = end.energy;
    if (table.truncation == Truncation::force_shift) e.force_shift = end.force_over_r * e.cutoff;
  }
  if (scales.precision == Precision::mixed) e.guard = detail::guard_distance(table, e, scales);
  return e;
}

PairTable make_table(PairOptions const& options, int n_species, std::span<PairRow const> rows,
                     double energy_scale, Scales const& scales, std::vector<Diagnostic>& faults) {
  PairTable table;
  table.potential = options.potential;
  table.truncation = options.truncation;
  table.n_species = n_species;
  table.energy_scale = energy_scale;
  table.entries.resize(std::size_t(n_species * n_species));
  for (auto const& row : rows) try {
      PairEntry const e = make_entry(table, options, row, scales);
      table.entries[std::size_t(row.i * n_species + row.j)] = e;
      table.entries[std::size_t(row.j * n_species + row.i)] = e;
      table.max_cutoff = std::max(table.max_cutoff, e.cutoff);
    } catch (InputError const& error) {  // of a table file: go on and report all
      for (auto d : error.diagnostics()) {
        d.where = d.where.empty() ? row.where : row.where + ": " + d.where;
        faults.push_back(d);
      }
    }
  return table;
}

}  // namespace

std::vector<PairTable> make_pair_tables(std::span<PairOptions const> sections,
                                        std::span<std::string const> species, double energy_scale,
                                        Scales const& scales) {
  std::vector<Diagnostic> faults;
  std::vector<std::vector<PairRow>> rows;
  for (auto const& options : sections) rows.push_back(detail::resolve_rows(options, species, faults));
  if (!sections.empty()) detail::require_all_pairs(rows, sections, species, faults);
  if (!faults.empty()) throw InputError(std::move(faults));
  std::vector<PairTable> tables;
  for (std::size_t k = 0; k < sections.size(); ++k)
    tables.push_back(make_table(sections[k], int(species.size()), rows[k], energy_scale, scales, faults));
  if (!faults.empty()) throw InputError(std::move(faults));
  return tables;
}

PairTable make_pair_table(PairOptions const& options, std::span<std::string const> species,
                          double energy_scale, Scales const& scales) {
  return std::move(make_pair_tables({&options, 1}, species, energy_scale, scales).front());
}

}  // namespace lockstep
