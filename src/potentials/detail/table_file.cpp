// SPDX-License-Identifier: Apache-2.0
// Reads one section of a LAMMPS pair table file.
#include "potentials/detail/table_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <fstream>

#include "base/error.hpp"
#include "base/number.hpp"

namespace lockstep::detail {
namespace {

using Words = std::vector<std::string>;

template <class T>
std::optional<T> parse(std::string const& word) {
  T value{};
  char const* const begin = word.data() + (word.size() > 1 && word[0] == '+' ? 1 : 0);
  auto const [end, error] = std::from_chars(begin, word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !(value - value == 0)) return std::nullopt;
  return value;
}

Words split(std::string const& line) {
  Words words;
  std::string word;
  for (char const c : line.substr(0, line.find('#')) + " ") {
    if (c != ' ' && c != '\t' && c != '\r')
      word += c;
    else if (!word.empty())
      words.push_back(std::move(word)), word.clear();
  }
  return words;
}

/// The N line of a section.
struct Header {
  std::int64_t n = 0;
  enum class Grid { listed, r, r2 } grid = Grid::listed;
  double low = 0, high = 0;
  std::optional<std::array<double, 2>> force_slopes;
};

class Reader {
 public:
  explicit Reader(PairCoefficients const& row) : row_(row) {
    std::ifstream file(row.file);
    if (!file)
      throw InputError(row.file, "can't be opened", "the tabulated pair is read from it",
                       "Check the name; relative names start from the input file's folder");
    for (std::string line; std::getline(file, line);) {
      if (auto const tag = line.find("UNITS:"); tag != std::string::npos && line[0] == '#')
        if (auto const words = split(line.substr(tag + 6)); !words.empty()) tag_ = words[0];
      lines_.push_back(split(line));
    }
  }

  PairTableFile section() {
    std::string found;
    for (bool more = skip_blank(); more; more = skip_blank()) {
      std::string const name = lines_[line_][0];
      ++line_;
      bool const wanted = name == row_.keyword;
      if (!skip_blank()) fault(name, "ends after its keyword", "Add its N line and N rows");
      Header const h = header(name, wanted);
      ++line_;
      if (wanted) return in_internal_units(rows(h));
      skip_blank();
      line_ += std::size_t(h.n);
      found += (found.empty() ? "" : ", ") + name;
    }
    throw InputError(row_.file, fmt::format("has no section \"{}\"", row_.keyword),
                     "the keyword of a pair names the section to read",
                     found.empty() ? "The file holds no section at all" : "Use one of: " + found);
  }

 private:
  [[noreturn]] void fault(std::string what, std::string problem, std::string fix) {
    throw InputError(fmt::format("{}:{}", row_.file, line_ + 1),
                     what.empty() ? problem : fmt::format("\"{}\" {}", what, problem),
                     fmt::format("section \"{}\" can't be read", row_.keyword), std::move(fix));
  }
  bool skip_blank() {
    while (line_ < lines_.size() && lines_[line_].empty()) ++line_;
    return line_ < lines_.size();
  }
  double number(Words const& w, std::size_t k) {
    if (k >= w.size()) fault("", "has too few values", "Complete the line");
    auto const v = parse<double>(w[k]);
    if (!v) fault(w[k], "is not a finite number", "Write a decimal number");
    return *v;
  }

  /// Of a section that is only skipped nothing but N matters.
  Header header(std::string const& name, bool wanted) {
    Words const& w = lines_[line_];
    Header h;
    for (std::size_t k = 0; k < w.size(); ++k) {
      if (w[k] == "N") {
        auto const n = k + 1 < w.size() ? parse<std::int64_t>(w[k + 1]) : std::nullopt;
        if (!n || *n < 1 || *n > 100'000'000)
          fault(name, "has no valid N", "Write N and the number of its rows");
        h.n = *n;
        ++k;
      } else if (!wanted) {
        continue;
      } else if (w[k] == "R" || w[k] == "RSQ") {
        h.grid = w[k] == "R" ? Header::Grid::r : Header::Grid::r2;
        h.low = number(w, k + 1);
        h.high = number(w, k + 2);
        k += 2;
      } else if (w[k] == "FP" || w[k] == "FPRIME") {
        h.force_slopes = {number(w, k + 1), number(w, k + 2)};
        k += 2;
      } else {
        fault(w[k], w[k] == "BITMAP" ? "tables are not supported" : "is no keyword of a table section",
              "Write N, then R or RSQ with two distances, FP with two slopes, as needed");
      }
    }
    if (h.n == 0) fault(name, "has no N", "Write N and the number of its rows");
    if (wanted && h.n < 4)
      fault(name, fmt::format("has only {} rows", h.n), "Give 4 at least; some hundred are usual");
    return h;
  }

  static double distance(Header const& h, std::int64_t i, double listed) {
    double const t = double(i) / double(h.n - 1);
    if (h.grid == Header::Grid::r) return h.low + (h.high - h.low) * t;
    if (h.grid == Header::Grid::r2) return sqrt(h.low * h.low + (h.high * h.high - h.low * h.low) * t);
    return listed;
  }

  PairTableFile rows(Header const& h) {
    PairTableFile t;
    t.force_slopes = h.force_slopes;
    skip_blank();
    double const spacing = (h.high - h.low) / double(h.n);
    for (std::int64_t i = 0; i < h.n; ++i, ++line_) {
      if (line_ >= lines_.size() || lines_[line_].empty())
        fault("", fmt::format("ends after {} of {} rows", i, h.n), "Correct N or complete the section");
      Words const& w = lines_[line_];
      double const listed = number(w, 1), r = distance(h, i, listed);
      if (h.grid != Header::Grid::listed && (listed - r > 0.1 * spacing || r - listed > 0.1 * spacing))
        fault("", fmt::format("lists the distance {}, but the N line makes it {}", listed, r),
              "Correct the N line or the column");
      if (!(r > (t.r.empty() ? 0.0 : t.r.back())))
        fault("", fmt::format("has the distance {}, not above the one before", r),
              "Distances start above 0 and increase");
      t.r.push_back(r);
      t.energy.push_back(number(w, 2));
      t.force.push_back(number(w, 3));
    }
    check_slopes(t);
    return t;
  }

  /// Forces must be minus the slope of the energies, if only roughly: a wrong sign is the common mistake.
  void check_slopes(PairTableFile const& t) {
    double change = 0, mismatch = 0;
    for (std::size_t i = 1; i < t.r.size(); ++i) {
      double const de = t.energy[i] - t.energy[i - 1],
                   work = 0.5 * (t.force[i] + t.force[i - 1]) * (t.r[i] - t.r[i - 1]);
      change += de < 0 ? -de : de;
      mismatch += de + work < 0 ? -(de + work) : de + work;
    }
    if (mismatch > 0.5 * change)
      fault("", "ends a section whose forces are not minus the slope of its energies",
            "Correct the force column; a repulsive force is positive");
  }

  PairTableFile in_internal_units(PairTableFile t) {
    std::string const units = !row_.units.empty() ? row_.units : tag_;
    double energy = 1, length = 1;
    if (units == "real")
      energy = 4.184, length = 0.1;
    else if (units == "metal")
      energy = 96.48533212331002, length = 0.1;  // N_A e, exact in the SI of 2019
    else if (!units.empty() && units != "internal" && units != "lj")
      throw InputError(row_.file, fmt::format("is in units \"{}\"", units),
                       "its energies and distances can't be converted",
                       "Write units = \"internal\", \"real\" or \"metal\" in the row");
    for (double& r : t.r) r *= length;
    for (double& e : t.energy) e *= energy;
    for (double& f : t.force) f *= energy / length;
    if (t.force_slopes)
      for (double& s : *t.force_slopes) s *= energy / (length * length);
    return t;
  }

  PairCoefficients const& row_;
  std::vector<Words> lines_;
  std::size_t line_ = 0;
  std::string tag_;
};

}  // namespace

PairTableFile read_pair_table_file(PairCoefficients const& row) { return Reader(row).section(); }

}  // namespace lockstep::detail
