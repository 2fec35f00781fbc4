// SPDX-License-Identifier: Apache-2.0
// Resamples table files to cubic pieces of equal width in r^2.
#include "potentials/tabulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "base/error.hpp"
#include "potentials/detail/table_file.hpp"

namespace lockstep {
namespace {

/// A table as a function: energies by cubic Hermite pieces through (E, -F) of each row, forces by a clamped
/// cubic spline through the rows, both with an error of fourth order in the spacing.
class TableCurve {
 public:
  explicit TableCurve(detail::PairTableFile table) : t_(std::move(table)), second_(t_.r.size()) {
    auto const slopes = t_.force_slopes
                            ? *t_.force_slopes
                            : std::array{end_slope(0, 1, 2), end_slope(n() - 1, n() - 2, n() - 3)};
    solve(slopes[0], slopes[1]);
  }
  double first() const { return t_.r.front(); }
  double last() const { return t_.r.back(); }

  struct Point {
    double energy, force;
  };
  Point at(double r) const {
    auto const above = std::upper_bound(t_.r.begin() + 1, t_.r.end() - 1, r);
    auto const i = std::size_t(above - t_.r.begin()) - 1;
    double const h = t_.r[i + 1] - t_.r[i], b = (r - t_.r[i]) / h, a = 1 - b;
    double const de = t_.energy[i + 1] - t_.energy[i];
    double const left = -h * t_.force[i] - de, right = h * t_.force[i + 1] + de;
    double const energy = a * t_.energy[i] + b * t_.energy[i + 1] + a * b * (a * left + b * right);
    double const force = a * t_.force[i] + b * t_.force[i + 1] +
                         ((a * a * a - a) * second_[i] + (b * b * b - b) * second_[i + 1]) * (h * h / 6);
    return {energy, force};
  }

 private:
  std::size_t n() const { return t_.r.size(); }
  /// Slope at row a of the parabola through rows a, b, c.
  double end_slope(std::size_t a, std::size_t b, std::size_t c) const {
    double const hb = t_.r[b] - t_.r[a], hc = t_.r[c] - t_.r[a];
    double const sb = (t_.force[b] - t_.force[a]) / hb, sc = (t_.force[c] - t_.force[a]) / hc;
    return (sb * hc - sc * hb) / (hc - hb);
  }
  /// Second derivatives of the clamped spline through the forces: the tridiagonal system, forward and back.
  void solve(double first_slope, double last_slope) {
    auto const& r = t_.r;
    auto const& f = t_.force;
    std::vector<double> upper(n());
    auto const step = [&](std::size_t i) { return r[i + 1] - r[i]; };
    auto const secant = [&](std::size_t i) { return (f[i + 1] - f[i]) / step(i); };
    upper[0] = 0.5;
    second_[0] = 3 / step(0) * (secant(0) - first_slope);
    for (std::size_t i = 1; i + 1 < n(); ++i) {
      double const lower = step(i - 1), pivot = 2 * (lower + step(i)) - lower * upper[i - 1];
      upper[i] = step(i) / pivot;
      second_[i] = (6 * (secant(i) - secant(i - 1)) - lower * second_[i - 1]) / pivot;
    }
    std::size_t const m = n() - 1;
    double const h = step(m - 1);
    second_[m] = (6 * (last_slope - secant(m - 1)) - h * second_[m - 1]) / (h * (2 - upper[m - 1]));
    for (std::size_t i = m; i-- > 0;) second_[i] -= upper[i] * second_[i + 1];
  }

  detail::PairTableFile t_;
  std::vector<double> second_;  // [N] second derivatives of the forces
};

/// Powers 0 to 3 of the distance from the middle of a piece, from values and slopes per width at its two
/// ends.
std::array<double, 4> cubic(double left, double left_slope, double right, double right_slope) {
  double const rise = right - left, sum = left_slope + right_slope, difference = right_slope - left_slope;
  return {0.5 * (left + right) - 0.125 * difference, 1.5 * rise - 0.25 * sum, 0.5 * difference,
          sum - 2 * rise};
}

/// The largest index a float kernel can form exactly.
constexpr std::size_t max_shared = std::size_t(1) << 24;

}  // namespace

Tabulated::Pair<double> Tabulated::tabulate(PairCoefficients const& row, double cutoff, double energy_scale,
                                            std::vector<double>& shared) {
  auto file = detail::read_pair_table_file(row);
  std::size_t const pieces =
      std::clamp(std::bit_ceil(2 * file.r.size()), std::size_t(8192), std::size_t(65536));
  TableCurve const curve(std::move(file));
  if (cutoff > curve.last() * (1 + 1e-9) || cutoff <= curve.first())
    throw InputError(row.file,
                     fmt::format("section \"{}\" covers {} to {}, but the cutoff is {}", row.keyword,
                                 curve.first(), curve.last(), cutoff),
                     "the table must reach to the cutoff",
                     fmt::format("Set the cutoff to {} at most, or extend the table", curve.last()));
  std::size_t const begin = shared.size();
  if (begin + 4 * (pieces + 1) > max_shared)
    throw InputError(row.file, "makes all tables together too large",
                     fmt::format("they may hold {} values", max_shared), "Use tables with fewer rows");
  shared.insert(shared.end(), 4, std::numeric_limits<double>::quiet_NaN());
  double const first2 = curve.first() * curve.first(), width = (cutoff * cutoff - first2) / double(pieces);
  auto const end_of = [&](std::size_t k) {  // energy and its slope per width at the k-th border
    double const r = sqrt(first2 + width * double(k));
    auto const point = curve.at(r);
    return std::array{point.energy * energy_scale, -0.5 * width * point.force / r * energy_scale};
  };
  auto left = end_of(0);
  for (std::size_t k = 1; k <= pieces; ++k) {
    auto const right = end_of(k);
    for (double const c : cubic(left[0], left[1], right[0], right[1])) shared.push_back(c);
    left = right;
  }
  return {1 / width, first2, double(pieces), double(begin)};
}

}  // namespace lockstep
