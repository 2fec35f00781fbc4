// SPDX-License-Identifier: Apache-2.0
// The LAMMPS data format, line by line; counts are checked before memory is taken for them.
#include "input/lammps_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "input/detail/words_of_lines.hpp"

namespace lockstep {
namespace {

using detail::join;
using detail::Lines;
using detail::parse;
using detail::split;

constexpr std::size_t most_faults = 20;
constexpr std::int64_t shortest_line = 10;  // "1 1 0 0 0\n"
constexpr std::int64_t most_types = 100000;

constexpr std::array<std::string_view, 4> read_sections{"Atoms", "Velocities", "Masses", "Atom Type Labels"};
constexpr std::array<std::string_view, 14> skipped_sections{
    "Pair Coeffs",           "PairIJ Coeffs",      "Bond Coeffs",          "Angle Coeffs",
    "Dihedral Coeffs",       "Improper Coeffs",    "BondBond Coeffs",      "BondAngle Coeffs",
    "Bond Type Labels",      "Angle Type Labels",  "Dihedral Type Labels", "Improper Type Labels",
    "EndBondTorsion Coeffs", "AngleTorsion Coeffs"};
constexpr std::array<std::string_view, 8> refused_sections{"Bonds",      "Angles", "Dihedrals", "Impropers",
                                                           "Ellipsoids", "Lines",  "Triangles", "Bodies"};
constexpr std::array<std::string_view, 4> refused_counts{"bonds", "angles", "dihedrals", "impropers"};
constexpr std::array<std::string_view, 4> style_names{"atomic", "charge", "molecular", "full"};

template <class List>
bool holds(List const& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_section(std::string_view title) {
  return holds(read_sections, title) || holds(skipped_sections, title) || holds(refused_sections, title);
}

class DataReader {
 public:
  DataReader(std::string_view text, std::string const& name, LammpsPart part)
      : size_(std::int64_t(text.size())), lines_(text), name_(name), part_(part) {}

  LammpsData read() {
    first_line();
    header();
    check_header();
    while (in_section_) section();
    finish();
    return std::move(data_);
  }

 private:
  void fault(int line, std::string problem, std::string why, std::string fix) {
    faults_.push_back({line > 0 ? fmt::format("{}:{}:", name_, line) : fmt::format("{}:", name_),
                       std::move(problem), std::move(why), std::move(fix)});
    if (faults_.size() >= most_faults) throw InputError(faults_);
  }
  void stop_if_faulty() {
    if (!faults_.empty()) throw InputError(faults_);
  }

  void first_line() {
    if (!lines_.raw()) {
      fault(0, "the file is empty", "a LAMMPS data file has a header and sections",
            "Check the path in system.file");
      stop_if_faulty();
    }
    auto const at = lines_.full.find("units = ");
    if (at == std::string_view::npos) return;
    auto const words = split(lines_.full.substr(at + 8));
    if (!words.empty()) data_.units = std::string(words[0].substr(0, words[0].find(',')));
  }

  /// Header lines up to the first section, whose title is then the current line.
  void header() {
    while (lines_.next()) {
      if (at_section()) {
        in_section_ = true;
        return;
      }
      header_line();
    }
  }

  bool at_section() const {  // titles begin with a letter; numbers need no look at the table
    return !lines_.words.empty() && lines_.words[0][0] >= 'A' && is_section(title());
  }
  std::string title() const { return join(lines_.words, 0, lines_.words.size()); }

  void header_line() {
    auto const& w = lines_.words;
    std::size_t n = 0;
    std::array<double, 3> values{};
    while (n < w.size() && n < 3 && parse(w[n], values[n])) ++n;
    std::string const what = join(w, n, w.size());
    std::int64_t count = 0;
    bool const counted = n == 1 && parse(w[0], count) && count >= 0;
    if (what == "xlo xhi" && n == 2) return edge(0, values);
    if (what == "ylo yhi" && n == 2) return edge(1, values);
    if (what == "zlo zhi" && n == 2) return edge(2, values);
    if (what == "xy xz yz" && n == 3) return tilt(values);
    if (what == "atoms" && counted) return set_count(n_particles_, count);
    if (what == "atom types" && counted) return set_count(n_types_, count);
    if (holds(refused_counts, what) && counted && count > 0)
      return fault(lines_.number, fmt::format("the file has {} {}", count, what),
                   "bonded terms are not supported yet",
                   "Use a file without bonds, angles, dihedrals and impropers");
    if (holds(refused_counts, what) && counted) return;
    if ((what.ends_with(" types") || what.starts_with("extra ")) && counted) return;
    fault(lines_.number,
          fmt::format("'{}' is neither a header line nor the title of a section", shown(title())),
          "the header holds counts, box edges and tilt, as `1000 atoms` or `0.0 10.0 xlo xhi`",
          "Check that this is a LAMMPS data file; lines of text need a '#' before them");
  }

  static std::string shown(std::string const& text) {
    return text.size() > 60 ? text.substr(0, 60) + "..." : text;
  }

  void edge(std::size_t d, std::array<double, 3> const& values) {
    data_.low[d] = values[0];
    data_.high[d] = values[1];
    edges_seen_[d] = true;
    if (!std::isfinite(values[0]) || !std::isfinite(values[1]) || values[0] >= values[1])
      fault(lines_.number, fmt::format("the box runs from {} to {}", values[0], values[1]),
            "its length must be above 0", "Correct the edge");
  }

  void tilt(std::array<double, 3> const& values) {
    data_.xy = values[0];
    data_.xz = values[1];
    data_.yz = values[2];
    if (!std::isfinite(values[0] + values[1] + values[2]))
      fault(lines_.number, "a tilt factor is not finite", "the box would have no shape", "Correct the tilt");
  }

  void set_count(std::optional<std::int64_t>& target, std::int64_t count) {
    if (target)
      fault(lines_.number, "the count is given twice", "the second would silently win", "Remove one of them");
    target = count;
  }

  void check_header() {
    stop_if_faulty();
    if (!n_particles_ || !n_types_)
      fault(0, fmt::format("the header has no `N {}` line", n_particles_ ? "atom types" : "atoms"),
            "without it the file cannot be read", "Check that this is a LAMMPS data file");
    for (std::size_t d = 0; d < 3; ++d)
      if (!edges_seen_[d])
        fault(0, fmt::format("the header has no `{0}lo {0}hi` line", "xyz"[d]), "the box has no edge there",
              "Add it; general triclinic boxes (avec, bvec, cvec) are not supported");
    stop_if_faulty();
    if (*n_particles_ == 0 || *n_particles_ > size_ / shortest_line)
      fault(0, fmt::format("the header says {} atoms", *n_particles_),
            *n_particles_ == 0 ? std::string("there is nothing to simulate")
                               : fmt::format("the file is only {} bytes long: it is cut short", size_),
            "Correct the count or write the file again");
    if (*n_types_ < 1 || *n_types_ > most_types)
      fault(0, fmt::format("the header says {} atom types", *n_types_),
            fmt::format("it must be 1 to {}", most_types), "Correct the count");
    stop_if_faulty();
    data_.n_particles = *n_particles_;
    for (std::int64_t t = 1; t <= *n_types_; ++t) data_.types.push_back({fmt::format("{}", t), 0});
  }

  /// Reads the section whose title is the current line, up to the next title.
  void section() {
    std::string const name = title();
    int const line = lines_.number;
    if (holds(refused_sections, name)) {
      fault(line, fmt::format("there is a section {}", name),
            "bonded terms and extended particles are not supported yet",
            "Use a file of atom style atomic, charge, molecular or full without bonds");
      throw InputError(faults_);
    }
    if (holds(sections_seen_, name))
      fault(line, fmt::format("a second section {}", name), "only one can be meant", "Remove one of them");
    sections_seen_.push_back(name);
    style_comment_ = lines_.comment;
    if (name == "Atoms") {
      rows(name, data_.n_particles, [&] { atom(); });
    } else if (name == "Velocities") {
      data_.has_velocities = true;
      rows(name, data_.n_particles, [&] { velocity(); });
    } else if (name == "Masses") {
      rows(name, std::int64_t(data_.types.size()), [&] { mass(); });
    } else if (name == "Atom Type Labels") {
      rows(name, std::int64_t(data_.types.size()), [&] { label(); });
    } else {
      in_section_ = false;
      while (lines_.next())
        if (at_section()) {
          in_section_ = true;
          return;
        }
    }
  }

  template <class Row>
  void rows(std::string const& name, std::int64_t count, Row row) {
    bool const skip = part_ == LammpsPart::types && (name == "Atoms" || name == "Velocities");
    in_section_ = false;
    for (std::int64_t k = 0; k < count; ++k) {
      bool const more = lines_.next();
      if (!more || at_section()) {
        fault(lines_.number, fmt::format("the section {} ends after {} of {} lines", name, k, count),
              "the header promised more", "Correct the count in the header or add the missing lines");
        in_section_ = more;
        return;
      }
      if (!skip) row();
    }
    if (!lines_.next()) return;
    in_section_ = at_section();
    if (in_section_) return;
    fault(lines_.number, fmt::format("'{}' after the {} lines of section {}", shown(title()), count, name),
          "it is no title of a section, so the header's count or the line is wrong",
          "Correct the count in the header or remove the line");
    throw InputError(faults_);
  }

  bool type_index(std::string_view word, std::int32_t& type) {
    std::int64_t number = 0;
    if (parse(word, number) && number >= 1 && number <= std::int64_t(data_.types.size())) {
      type = std::int32_t(number - 1);
      return true;
    }
    for (std::size_t t = 0; t < data_.types.size(); ++t)
      if (data_.types[t].name == word) {
        type = std::int32_t(t);
        return true;
      }
    fault(lines_.number, fmt::format("there is no atom type {}", shown(std::string(word))),
          fmt::format("the header says {} types", data_.types.size()),
          "Give a type number from 1 on or its label");
    return false;
  }

  void mass() {
    auto const& w = lines_.words;
    std::int32_t type = 0;
    double value = 0;
    if (w.size() != 2 || !parse(w[1], value) || !(value > 0) || !std::isfinite(value))
      return fault(lines_.number, "this is not `type mass`", "the mass must be a number above 0",
                   "Correct the line");
    if (type_index(w[0], type)) data_.types[std::size_t(type)].mass = value;
  }

  void label() {
    auto const& w = lines_.words;
    std::int64_t number = 0;
    if (w.size() != 2 || !parse(w[0], number) || number < 1 || number > std::int64_t(data_.types.size()))
      return fault(lines_.number, "this is not `type label`", "the section names each type once",
                   "Correct the line");
    data_.types[std::size_t(number - 1)].name = std::string(w[1]);
  }

  /// The atom style by the comment after `Atoms`, else by the number of columns.
  bool find_style(std::size_t columns) {
    auto const comment = split(style_comment_);
    if (!comment.empty()) {
      auto const found = std::find(style_names.begin(), style_names.end(), comment[0]);
      if (found != style_names.end())
        data_.style = LammpsStyle(found - style_names.begin());
      else
        fault(lines_.number, fmt::format("atom style '{}' is not supported", shown(std::string(comment[0]))),
              "the columns of the section depend on it", "Use atomic, charge, molecular or full");
      return found != style_names.end();
    }
    if (columns == 5 || columns == 8)
      data_.style = LammpsStyle::atomic;
    else if (columns == 7 || columns == 10)
      data_.style = LammpsStyle::full;
    else {
      fault(lines_.number, fmt::format("the atom style cannot be told from {} columns", columns),
            columns == 6 || columns == 9 ? "charge and molecular have as many"
                                         : "no supported style has as many",
            "Write the style after the title, as `Atoms # charge`");
      return false;
    }
    return true;
  }

  void atom() {
    auto const& w = lines_.words;
    if (!style_known_) {
      if (!find_style(w.size())) throw InputError(faults_);
      style_known_ = true;
      data_.particles.reserve(std::size_t(data_.n_particles));
    }
    bool const molecular = data_.style == LammpsStyle::molecular || data_.style == LammpsStyle::full;
    bool const charged = data_.style == LammpsStyle::charge || data_.style == LammpsStyle::full;
    std::size_t const columns = 5 + (molecular ? 1 : 0) + (charged ? 1 : 0);
    if (w.size() != columns && w.size() != columns + 3)
      return fault(lines_.number, fmt::format("the line has {} columns", w.size()),
                   fmt::format("atom style {} has {}, or {} with image flags",
                               style_names[std::size_t(data_.style)], columns, columns + 3),
                   "Correct the line or the style in `Atoms # style`");
    LammpsParticle a;
    std::size_t k = 0;
    bool good = parse(w[k++], a.id);
    if (molecular) good = parse(w[k++], a.molecule) && good;
    if (!type_index(w[k++], a.type)) return;
    if (charged) good = parse(w[k++], a.charge) && std::isfinite(a.charge) && good;
    for (auto& x : a.x) good = parse(w[k++], x) && std::isfinite(x) && good;
    if (w.size() > columns)
      for (auto& n : a.image) good = parse(w[k++], n) && good;
    if (!good)
      return fault(
          lines_.number, fmt::format("a value of '{}' is not a finite number of its kind", shown(title())),
          "ids, molecules and image flags are whole numbers, the others finite numbers", "Correct the line");
    id_in_range(a.id);
    data_.particles.push_back(a);
  }

  bool id_in_range(std::int64_t id) {
    if (id >= 1 && id <= data_.n_particles) return true;
    fault(lines_.number, fmt::format("the id is {}", id),
          fmt::format("ids must be 1 to {}, the number of atoms", data_.n_particles),
          "Renumber the atoms (in LAMMPS: reset_atoms id)");
    return false;
  }

  void velocity() {
    auto const& w = lines_.words;
    LammpsParticle a;
    bool good = w.size() == 4 && parse(w[0], a.id);
    for (std::size_t d = 0; good && d < 3; ++d) good = parse(w[d + 1], a.v[d]) && std::isfinite(a.v[d]);
    if (!good)
      return fault(lines_.number, fmt::format("'{}' is not `id vx vy vz`", shown(title())),
                   "four finite numbers are needed", "Correct the line");
    if (id_in_range(a.id)) velocities_.push_back(a);
  }

  void finish() {
    if (!holds(sections_seen_, "Atoms"))
      fault(0, "there is no section Atoms", "the particles are missing",
            "Write the file again with its particles");
    stop_if_faulty();
    if (part_ == LammpsPart::types) return;
    sort_by_id(data_.particles, "Atoms");
    stop_if_faulty();
    if (data_.has_velocities) {
      sort_by_id(velocities_, "Velocities");
      stop_if_faulty();
      for (std::size_t k = 0; k < velocities_.size(); ++k) data_.particles[k].v = velocities_[k].v;
    }
  }

  /// As many lines as ids from 1 to n: what is not twice is there once.
  void sort_by_id(std::vector<LammpsParticle>& rows, std::string_view section) {
    std::sort(rows.begin(), rows.end(), [](auto const& a, auto const& b) { return a.id < b.id; });
    for (std::size_t k = 1; k < rows.size() && faults_.size() + 1 < most_faults; ++k)
      if (rows[k].id == rows[k - 1].id)
        fault(0, fmt::format("id {} is twice in section {}", rows[k].id, section),
              "each id names one particle", "Renumber the atoms (in LAMMPS: reset_atoms id)");
  }

  std::int64_t size_;
  Lines lines_;
  std::string name_;
  LammpsPart part_;
  LammpsData data_;
  std::vector<LammpsParticle> velocities_;
  std::optional<std::int64_t> n_particles_, n_types_;
  std::array<bool, 3> edges_seen_{};
  std::vector<std::string> sections_seen_;
  std::string_view style_comment_;
  bool style_known_ = false, in_section_ = false;
  std::vector<Diagnostic> faults_;
};

}  // namespace

LammpsData read_lammps_data(std::string_view text, std::string const& name, LammpsPart part) {
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    throw InputError(name, "is not a LAMMPS data file", "it is not a text file",
                     "Give a text file as LAMMPS's write_data writes it; other formats cannot be read yet");
  return DataReader(text, name, part).read();
}

}  // namespace lockstep
