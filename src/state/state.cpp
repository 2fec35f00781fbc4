// SPDX-License-Identifier: Apache-2.0
// Storage of the owned particles.
#include "state/state.hpp"

#include <algorithm>
#include <string>

namespace lockstep {
namespace {

/// A larger array with the old content in front.
template <class T>
void grow(View<T*>& old, char const* name, LocalIndex n, LocalIndex keep) {
  View<T*> larger(Kokkos::view_alloc(std::string(name), Kokkos::WithoutInitializing), std::size_t(n));
  for (LocalIndex i = 0; i < keep; ++i) larger(i) = old(i);
  old = larger;
}

template <class T>
void grow(View<T**>& old, char const* name, LocalIndex n, LocalIndex keep) {
  View<T**> larger(Kokkos::view_alloc(std::string(name), Kokkos::WithoutInitializing), std::size_t(n), 3);
  for (int d = 0; d < 3; ++d)
    for (LocalIndex i = 0; i < keep; ++i) larger(i, d) = old(i, d);
  old = larger;
}

}  // namespace

void State::reserve(LocalIndex n) {
  if (n <= capacity()) return;
  grow(id, "state:id", n, n_owned);
  grow(species, "state:species", n, n_owned);
  grow(x, "state:x", n, n_owned);
  grow(image, "state:image", n, n_owned);
  grow(v, "state:v", n, n_owned);
  grow(f, "state:f", n, n_owned);
}

Particle State::particle(LocalIndex i) const {
  auto const [position, n] = wrapped(i);
  return {id(i), species(i), n, position, {v(i, 0), v(i, 1), v(i, 2)}, {f(i, 0), f(i, 1), f(i, 2)}};
}

void State::set(LocalIndex i, Particle const& p) {
  id(i) = p.id;
  species(i) = p.species;
  for (int d = 0; d < 3; ++d) {
    x(i, d) = p.x[d];
    image(i, d) = p.image[d];
    v(i, d) = p.v[d];
    f(i, d) = p.f[d];
  }
}

void State::push_back(Particle const& p) {
  if (n_owned == capacity()) reserve(std::max<LocalIndex>(64, n_owned + n_owned / 2));
  set(n_owned++, p);
}

void State::wrap_all() {
  for (LocalIndex i = 0; i < n_owned; ++i) {
    auto const [position, n] = wrapped(i);
    for (int d = 0; d < 3; ++d) {
      x(i, d) = position[d];
      image(i, d) = n[d];
    }
  }
}

}  // namespace lockstep
