// SPDX-License-Identifier: Apache-2.0
// A [[pair]] section of two species for every potential of pair.def.
#pragma once

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "potentials/pair_list.hpp"
#include "potentials/pair_table.hpp"

namespace lockstep::test {

inline std::vector<std::string> const species{"A", "B"};

/// The name of a potential's type in pair.def.
template <class Potential>
PairPotential name_of() {
#define PAIR_POTENTIAL(name, type) \
  if constexpr (std::is_same_v<Potential, type>) return PairPotential::name;
#include "potentials/pair.def"
#undef PAIR_POTENTIAL
}

/// A file with the section LJ: Lennard-Jones at 2000 distances from 0.7 to 3; removed with the object.
class TableFile {
 public:
  TableFile()
      : path_((std::filesystem::temp_directory_path() / ("lockstep_table_" + std::to_string(getpid())))
                  .string()) {
    std::FILE* f = std::fopen(path_.c_str(), "w");
    std::fprintf(f, "# a table\n\nLJ\nN 2000 R 0.7 3.0\n\n");
    for (int i = 0; i < 2000; ++i) {
      double const r = 0.7 + 2.3 * i / 1999;
      std::fprintf(f, "%d %.17g %.17g %.17g\n", i + 1, r, 4 * (std::pow(r, -12) - std::pow(r, -6)),
                   24 * (2 * std::pow(r, -13) - std::pow(r, -7)));
    }
    std::fclose(f);
  }
  ~TableFile() { std::filesystem::remove(path_); }
  TableFile(TableFile const&) = delete;
  std::string const& path() const { return path_; }

 private:
  std::string path_;
};

/// Rows A-A, B-A and B-B with the potential's example, the last two with 0.9 of its first coefficient.
template <class Potential>
PairOptions section(Truncation truncation, TableFile const& file) {
  PairOptions o;
  o.potential = name_of<Potential>();
  o.truncation = truncation;
  o.cutoff = 2.5;
  if (truncation == Truncation::switch_) o.switch_from = std::is_same_v<Potential, Wca> ? 1.0 : 2.0;
  PairCoefficients row{.species = {"A", "A"}};
  if constexpr (requires { Potential::example; }) {
    static_assert(sizeof(Potential::example) <= sizeof(row.values));
    std::memcpy(row.values.data(), &Potential::example, sizeof(Potential::example));
  } else {
    row.file = file.path();
    row.keyword = "LJ";
  }
  o.coefficients.push_back(row);
  row.values[0] *= 0.9;
  row.species = {"B", "A"};
  o.coefficients.push_back(row);
  row.species = {"B", "B"};
  o.coefficients.push_back(row);
  return o;
}

inline constexpr std::array truncations{Truncation::cut, Truncation::shift, Truncation::force_shift,
                                        Truncation::switch_};

}  // namespace lockstep::test
