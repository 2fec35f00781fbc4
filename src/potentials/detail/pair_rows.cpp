// SPDX-License-Identifier: Apache-2.0
// Checks and mixes the rows of a [[pair]] section.
#include "potentials/detail/pair_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "potentials/detail/mixing.hpp"

namespace lockstep::detail {
namespace {

std::string_view name_of(PairPotential p) { return EnumNames<PairPotential>::names[std::size_t(p)]; }
std::string_view name_of(Truncation t) { return EnumNames<Truncation>::names[std::size_t(t)]; }
std::string_view name_of(Mixing m) { return EnumNames<Mixing>::names[std::size_t(m)]; }

std::string at_key(std::string const& where, std::string const& key) {
  return where.empty() ? key : where + ": " + key;
}
std::string section_key(PairOptions const& o, char const* key) {
  return at_key(o.where, fmt::format("[[pair]].{}", key));
}
bool finite(double v) { return v - v == 0; }

std::string range_text(Rule const& r) {
  std::string text;
  if (finite(r.low)) text = fmt::format("{} {}", r.low_open ? "above" : "at least", r.low);
  if (finite(r.high))
    text += fmt::format("{}{} {}", text.empty() ? "" : " and ", r.high_open ? "below" : "at most", r.high);
  return text.empty() ? "a finite number" : text;
}

class Resolver {
 public:
  Resolver(PairOptions const& o, std::span<std::string const> species, std::vector<Diagnostic>& faults)
      : o_(o),
        f_(pair_functions(o.potential)),
        species_(species),
        faults_(faults),
        listed_(species.size() * species.size()) {}

  std::vector<PairRow> rows() {
    check_section();
    for (std::size_t k = 0; k < o_.coefficients.size(); ++k) list(k);
    if (o_.mixing != Mixing::none && can_mix()) mix_all();
    std::vector<PairRow> result;
    for (auto& row : listed_)
      if (row) result.push_back(std::move(*row));
    return result;
  }

 private:
  void fault(std::string where, std::string problem, std::string why, std::string fix) {
    faults_.push_back({std::move(where), std::move(problem), std::move(why), std::move(fix)});
  }
  std::optional<PairRow>& slot(int i, int j) {
    return listed_[std::size_t(std::min(i, j)) * species_.size() + std::size_t(std::max(i, j))];
  }

  void check_section() {
    if (o_.truncation != Truncation::switch_ && o_.switch_from != 0)
      fault(section_key(o_, "switch_from"),
            fmt::format("= {} is set, but truncation = \"{}\"", o_.switch_from, name_of(o_.truncation)),
            "only truncation = \"switch\" reads it", "Remove switch_from, or write truncation = \"switch\"");
    if (o_.truncation == Truncation::switch_ && !(o_.switch_from > 0))
      fault(section_key(o_, "switch_from"), "is missing",
            "truncation = \"switch\" begins there and ends at the cutoff",
            "Set it below the cutoff; 0.8 cutoff is usual");
    if (o_.tail_correction && o_.truncation != Truncation::cut)
      fault(section_key(o_, "tail_correction"),
            fmt::format("= true contradicts truncation = \"{}\"", name_of(o_.truncation)),
            "the correction is that of the bare potential beyond the cutoff",
            "Write truncation = \"cut\", or tail_correction = false");
    if (o_.tail_correction && !f_.endless)
      fault(section_key(o_, "tail_correction"),
            fmt::format("= true needs a formula, but potential = \"{}\"", name_of(o_.potential)),
            "nothing is known beyond the table's end", "Write tail_correction = false");
  }

  std::string species_list() const {
    std::string text;
    for (auto const& name : species_) text += (text.empty() ? "" : ", ") + name;
    return text;
  }
  std::optional<int> species_index(std::string const& name, std::string const& where) {
    auto const found = std::find(species_.begin(), species_.end(), name);
    if (found != species_.end()) return int(found - species_.begin());
    fault(where + ".species", fmt::format("names \"{}\", which is no species", name),
          "a pair needs two of the species given by [[species]] or the structure file",
          "Use one of: " + species_list());
    return std::nullopt;
  }

  void list(std::size_t k) {
    auto const& c = o_.coefficients[k];
    std::string const where =
        at_key(c.where.empty() ? o_.where : c.where, fmt::format("[[pair]].coefficients[{}]", k));
    auto const i = species_index(c.species[0], where), j = species_index(c.species[1], where);
    bool const sound = check_values(c, where);
    if (!i || !j) return;
    auto& place = slot(*i, *j);
    if (place) {
      bool const same = place->values == c.values && place->source->cutoff == c.cutoff &&
                        place->source->file == c.file && place->source->keyword == c.keyword;
      fault(where,
            fmt::format("{} the pair {}-{}", same ? "lists again" : "contradicts an earlier row of",
                        c.species[0], c.species[1]),
            "each pair of species has one row; A-B and B-A are the same pair", "Remove one of the two rows");
      return;
    }
    place = PairRow{std::min(*i, *j), std::max(*i, *j), c.values, 0, &c, where};
    place->cutoff = cutoff_of(*place, sound);
  }

  bool check_values(PairCoefficients const& c, std::string const& where) {
    std::size_t const before = faults_.size();
    for (std::size_t k = 0; k < f_.fields.size(); ++k)
      if (!finite(c.values[k]) || !f_.fields[k].rule.holds(c.values[k]))
        fault(fmt::format("{}.{}", where, f_.fields[k].name),
              fmt::format("= {} is out of range", c.values[k]), fmt::format("it is the {}", f_.fields[k].doc),
              fmt::format("Set it to {}", range_text(f_.fields[k].rule)));
    if (faults_.size() == before && f_.problem)
      if (auto const text = f_.problem(c.values); !text.empty())
        fault(where, text, "the formula has no meaning there",
              fmt::format("See the coefficients of \"{}\" in the manual", name_of(o_.potential)));
    if (f_.tabulate && (c.file.empty() || c.keyword.empty()))
      fault(where, fmt::format("has no {}", c.file.empty() ? "file" : "keyword"),
            "a tabulated pair is read from a section of a file",
            "Write file = \"NAME\" and keyword = \"SECTION\"");
    if (!f_.tabulate && !(c.file.empty() && c.keyword.empty()))
      fault(where, fmt::format("names a table, but potential = \"{}\"", name_of(o_.potential)),
            "only tabulated pairs read files", "Write potential = \"tabulated\", or remove file and keyword");
    return faults_.size() == before;
  }

  /// The row's cutoff, else the section's; the potential's own one where it has one.
  double cutoff_of(PairRow const& row, bool sound) {
    bool const own_row = row.source && row.source->cutoff != 0;
    double const given = own_row ? row.source->cutoff : o_.cutoff;
    std::string const where = own_row ? row.where + ".cutoff" : section_key(o_, "cutoff");
    if (!finite(given) || given < 0) {
      fault(where, fmt::format("= {} is out of range", given), "it is a distance", "Set it above 0");
      return 0;
    }
    double const own = f_.own_cutoff && sound ? f_.own_cutoff(row.values) : 0;
    double const cutoff = f_.own_cutoff ? own : given;
    std::string const pair = fmt::format("{}-{}", species_[std::size_t(row.i)], species_[std::size_t(row.j)]);
    if (given == 0 && !f_.own_cutoff)
      fault(where, fmt::format("is missing for {}", pair), "pairs beyond it do not interact",
            "Set it; 2.5 sigma is usual");
    else if (given > 0 && given < own)
      fault(where,
            fmt::format("= {} is shorter than the {} that {} itself ends at for {}", given, own,
                        name_of(o_.potential), pair),
            "the potential would be cut inside its range", "Remove the cutoff");
    else if (double const sigma = core(row); !f_.own_cutoff && sound && given <= sigma)
      fault(where, fmt::format("= {} is not longer than sigma ({}) of {}", given, sigma, pair),
            "the potential would be cut inside its repulsive core",
            fmt::format("Set it to at least {}; 2.5 sigma is usual", 1.2 * sigma));
    else if (o_.truncation == Truncation::switch_ && o_.switch_from >= cutoff && sound)
      fault(section_key(o_, "switch_from"),
            fmt::format("= {} is not below the cutoff {} of {}", o_.switch_from, cutoff, pair),
            "the switch begins there and ends at the cutoff", "Set it below the cutoff; 0.8 cutoff is usual");
    return cutoff;
  }
  /// sigma of a pair that has one and repels, else 0.
  double core(PairRow const& row) const {
    if (f_.sigma < 0 || f_.epsilon < 0 || row.values[std::size_t(f_.epsilon)] == 0) return 0;
    return row.values[std::size_t(f_.sigma)];
  }

  bool can_mix() {
    if (f_.epsilon >= 0 && f_.sigma >= 0) return true;
    fault(section_key(o_, "mixing"),
          fmt::format("= \"{}\" does not fit potential = \"{}\"", name_of(o_.mixing), name_of(o_.potential)),
          "the rules mix epsilon and sigma, which it does not have",
          "Write mixing = \"none\" and list every pair");
    return false;
  }
  void mix_all() {
    int const n = int(species_.size());
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        if (!slot(i, j) && slot(i, i) && slot(j, j)) mix(i, j);
  }
  void mix(int i, int j) {
    PairRow const &a = *slot(i, i), &b = *slot(j, j);
    PairRow row{i, j, a.values, 0, nullptr, section_key(o_, "mixing")};
    for (int k = 0; k < int(f_.fields.size()); ++k)
      if (k != f_.epsilon && k != f_.sigma && a.values[std::size_t(k)] != b.values[std::size_t(k)])
        fault(row.where,
              fmt::format("= \"{}\" can't mix {} {} of {} and {} of {}", name_of(o_.mixing),
                          f_.fields[std::size_t(k)].name, a.values[std::size_t(k)], species_[std::size_t(i)],
                          b.values[std::size_t(k)], species_[std::size_t(j)]),
              "only epsilon and sigma have mixing rules",
              fmt::format("List the pair {}-{} in coefficients", species_[std::size_t(i)],
                          species_[std::size_t(j)]));
    auto const e = std::size_t(f_.epsilon), s = std::size_t(f_.sigma);
    auto const mixed = mix_pair(o_.mixing, {a.values[e], a.values[s]}, {b.values[e], b.values[s]});
    row.values[e] = mixed.epsilon;
    row.values[s] = mixed.sigma;
    row.cutoff = cutoff_of(row, true);
    slot(i, j) = row;
  }

  PairOptions const& o_;
  PairFunctions const& f_;
  std::span<std::string const> species_;
  std::vector<Diagnostic>& faults_;
  std::vector<std::optional<PairRow>> listed_;  // [n_species * n_species], i <= j
};

}  // namespace

std::vector<PairRow> resolve_rows(PairOptions const& options, std::span<std::string const> species,
                                  std::vector<Diagnostic>& faults) {
  return Resolver(options, species, faults).rows();
}

void require_all_pairs(std::span<std::vector<PairRow> const> sections, std::span<PairOptions const> options,
                       std::span<std::string const> species, std::vector<Diagnostic>& faults) {
  int const n = int(species.size());
  std::vector<bool> served(species.size() * species.size());
  for (auto const& rows : sections)
    for (auto const& row : rows) served[std::size_t(row.i * n + row.j)] = true;
  bool const mixes =
      std::any_of(options.begin(), options.end(), [](auto const& o) { return o.mixing != Mixing::none; });
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      if (!served[std::size_t(i * n + j)])
        faults.push_back(
            {section_key(options.front(), "coefficients"),
             fmt::format("have no row for the pair {}-{}", species[std::size_t(i)], species[std::size_t(j)]),
             mixes && i != j ? "mixing needs the rows of both like pairs"
                             : "every pair of species needs its coefficients",
             mixes || i == j ? "Add the row; an energy of 0 switches a pair off"
                             : "Add the row, or set `mixing`; an energy of 0 switches a pair off"});
}

}  // namespace lockstep::detail
