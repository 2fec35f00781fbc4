// SPDX-License-Identifier: Apache-2.0
// All pair potentials as types, and the way from the input's name to the type.
#pragma once

#include <tuple>
#include <utility>

#include "potentials/pair_headers.hpp"
#include "potentials/pair_options.hpp"

namespace lockstep {
namespace detail {
template <class Head, class... Tail>
struct TupleOfTail {
  using type = std::tuple<Tail...>;
};
}  // namespace detail

/// The types of pair.def in its order: std::tuple<LennardJones, ...>, the order of PairPotential.
using PairPotentials = detail::TupleOfTail<void
#define PAIR_POTENTIAL(name, type) , type
#include "potentials/pair.def"
#undef PAIR_POTENTIAL
                                           >::type;

template <class T>
struct Type {
  using type = T;
};

/// f(Type<Potential>{}) for the potential of that name. All answers have one type.
template <class F>
auto with_potential(PairPotential potential, F&& f) {
  switch (potential) {
#define PAIR_POTENTIAL(name, type) \
  case PairPotential::name:        \
    return std::forward<F>(f)(Type<type>{});
#include "potentials/pair.def"
#undef PAIR_POTENTIAL
  }
  __builtin_unreachable();
}

}  // namespace lockstep
