// SPDX-License-Identifier: Apache-2.0
// Plain functions made from the types of pair.def.
#include "potentials/detail/pair_functions.hpp"

#include <bit>
#include <cstring>

#include "potentials/pair_list.hpp"

namespace lockstep::detail {
namespace {

/// Shared doubles as a float kernel sees them.
struct NarrowedValues {
  double const* values;
  float gather(float index) const { return float(values[static_cast<std::int32_t>(index)]); }
};

template <class Aggregate>
Aggregate from_values(Values const& values) {
  static_assert(sizeof(Aggregate) <= sizeof(Values), "raise max_coefficients");
  Aggregate result{};
  std::memcpy(static_cast<void*>(&result), values.data(), std::is_empty_v<Aggregate> ? 0 : sizeof(Aggregate));
  return result;
}
template <class Aggregate>
Values to_values(Aggregate const& aggregate) {
  static_assert(sizeof(Aggregate) <= sizeof(Values), "raise max_coefficients");
  Values result{};
  std::memcpy(result.data(), &aggregate, std::is_empty_v<Aggregate> ? 0 : sizeof(Aggregate));
  return result;
}

template <class P>
PairTerm<float> at_float(double r2, Values const& p, double const* shared) {
  using Pair = typename P::template Pair<float>;
  std::array<float, max_coefficients> narrow{};
  for (std::size_t k = 0; k < narrow.size(); ++k) narrow[k] = float(p[k]);
  Pair pair{};
  std::memcpy(static_cast<void*>(&pair), narrow.data(), sizeof(Pair));
  return evaluate<P>(float(r2), pair, NarrowedValues{shared});
}

template <class P>
PairFunctions make() {
  using C = typename P::Coefficients;
  using Pair = typename P::template Pair<double>;
  static auto const fields = std::apply(
      [](auto const&... f) {
        return std::array<CoefficientField, sizeof...(f)>{CoefficientField{f.name, f.unit, f.rule, f.doc}...};
      },
      P::fields);
  PairFunctions f;
  f.fields = fields;
  for (int k = 0; k < int(fields.size()); ++k) {
    if (fields[std::size_t(k)].name == "epsilon") f.epsilon = k;
    if (fields[std::size_t(k)].name == "sigma") f.sigma = k;
  }
  f.at = [](double r2, Values const& p, double const* shared) {
    return evaluate<P>(r2, from_values<Pair>(p), SharedValues<double>{shared});
  };
  f.at_float = at_float<P>;
  if constexpr (requires { P::endless; }) f.endless = P::endless;
  if constexpr (requires(C c) { P::prepare(c); })
    f.prepare = [](Values const& c) { return to_values(P::prepare(from_values<C>(c))); };
  if constexpr (requires(C c) { P::own_cutoff(c); })
    f.own_cutoff = [](Values const& c) { return P::own_cutoff(from_values<C>(c)); };
  if constexpr (requires(C c) { P::problem(c); })
    f.problem = [](Values const& c) { return std::string(P::problem(from_values<C>(c))); };
  if constexpr (requires(Pair p) { P::tail(p, 1.0); })
    f.tail = [](Values const& p, double cutoff) { return P::tail(from_values<Pair>(p), cutoff); };
  if constexpr (requires(PairCoefficients r, std::vector<double> & s) { P::tabulate(r, 1.0, 1.0, s); })
    f.tabulate = [](TableRequest const& r) {
      return to_values(P::tabulate(r.row, r.cutoff, r.energy_scale, r.shared));
    };
  return f;
}

}  // namespace

PairFunctions const& pair_functions(PairPotential potential) {
  return *with_potential(potential, [](auto type) -> PairFunctions const* {
    static PairFunctions const functions = make<typename decltype(type)::type>();
    return &functions;
  });
}

Values scale_energies(PairFunctions const& f, Values values, double scale) {
  for (std::size_t k = 0; k < f.fields.size(); ++k)
    for (int n = 0; n < f.fields[k].unit.energy_; ++n) values[k] *= scale;
  return values;
}

}  // namespace lockstep::detail
