// SPDX-License-Identifier: Apache-2.0
// A pair potential behind plain functions, for what runs once per run.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "potentials/pair_options.hpp"
#include "potentials/pair_term.hpp"

namespace lockstep::detail {

using Values = std::array<double, max_coefficients>;

/// What a table file becomes: the pair, its values appended to PairTable::shared, and its range.
struct TableRequest {
  PairCoefficients const& row;
  double cutoff, energy_scale;
  std::vector<double>& shared;
};

/// One potential. Optional parts are null: own_cutoff, problem, tail, tabulate.
struct PairFunctions {
  std::span<CoefficientField const> fields;
  int epsilon = -1, sigma = -1;  ///< positions of these coefficients; -1: it has none
  bool endless = true;           ///< defined beyond the cutoff, so a tail can be integrated
  Values (*prepare)(Values const& coefficients) = nullptr;
  PairTerm<double> (*at)(double r2, Values const& p, double const* shared) = nullptr;
  PairTerm<float> (*at_float)(double r2, Values const& p, double const* shared) = nullptr;
  double (*own_cutoff)(Values const& coefficients) = nullptr;
  std::string (*problem)(Values const& coefficients) = nullptr;
  PairTail (*tail)(Values const& p, double cutoff) = nullptr;
  Values (*tabulate)(TableRequest const& request) = nullptr;
};

PairFunctions const& pair_functions(PairPotential potential);

/// The coefficients with every energy in them times `scale`.
Values scale_energies(PairFunctions const& f, Values values, double scale);

}  // namespace lockstep::detail
