// SPDX-License-Identifier: Apache-2.0
// Migration and halo exchange.
#include "domain/domain.hpp"

#include <algorithm>
#include <tuple>

#include "base/for_particles.hpp"

namespace lockstep {
namespace {

constexpr int refresh_tag = 72, return_tag = 73;

/// Counts of elements: those of bytes would overflow at 89 million ghosts.
template <class Word>
MPI_Datatype mpi_type() {
  return sizeof(Word) == sizeof(std::int64_t) ? MPI_INT64_T : MPI_INT32_T;
}

std::int64_t gap(std::int64_t x, std::int64_t low, std::int64_t high) {
  return x < low ? low - x : x >= high ? x - high + 1 : 0;
}

/// Whether x is within `radius` of the brick; rounding can only add particles, which lists tolerate.
bool near(Vec3<std::int64_t> x, Brick const& brick, double radius) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    double const g = double(gap(x[d], brick.low[d], brick.high[d])) * position_unit;
    sum += g * g;
  }
  return sum < radius * radius * (1 + 1e-9);
}

struct Range {
  std::int32_t low, high;
};

/// Steps n for which [low, high) + offset + n edge comes within `reach` of [to_low, to_high).
Range image_range(std::int64_t low, std::int64_t high, std::int64_t offset, std::int64_t edge,
                  std::int64_t to_low, std::int64_t to_high, std::int64_t reach) {
  auto const n_low = std::int32_t(double(to_low - reach - high - offset) / double(edge)) - 1;
  auto const n_high = std::int32_t(double(to_high + reach - low - offset) / double(edge)) + 1;
  return {n_low, n_high};
}

/// All images of brick `b` that may come within `reach` of brick `a`, with an upper (n, rank) key.
std::vector<Vec3<std::int32_t>> upper_images(Box const& box, Brick const& a, int rank_a, Brick const& b,
                                             int rank_b, double radius) {
  auto const reach = std::int64_t(radius / position_unit) + 1;
  std::vector<Vec3<std::int32_t>> images;
  auto const apart = [&](std::int64_t shift, int d) {
    return b.low[d] + shift > a.high[d] + reach || b.high[d] + shift < a.low[d] - reach;
  };
  Range const rz = image_range(b.low.z, b.high.z, 0, box.c.z, a.low.z, a.high.z, reach);
  for (std::int32_t nz = std::max(rz.low, 0); nz <= rz.high; ++nz) {
    if (apart(nz * box.c.z, 2)) continue;
    Range const ry = image_range(b.low.y, b.high.y, nz * box.c.y, box.b.y, a.low.y, a.high.y, reach);
    for (std::int32_t ny = ry.low; ny <= ry.high; ++ny) {
      if (apart(nz * box.c.y + ny * box.b.y, 1)) continue;
      Range const rx =
          image_range(b.low.x, b.high.x, nz * box.c.x + ny * box.b.x, box.a.x, a.low.x, a.high.x, reach);
      for (std::int32_t nx = rx.low; nx <= rx.high; ++nx) {
        if (apart(nz * box.c.x + ny * box.b.x + nx * box.a.x, 0)) continue;
        if (std::tuple(nz, ny, nx, rank_b) > std::tuple(0, 0, 0, rank_a)) images.push_back({nx, ny, nz});
      }
    }
  }
  return images;
}

/// Faces of `from`, shifted, that look at `to` across a gap: bit 2 d the lower, 2 d + 1 the upper one.
unsigned faces_towards(Brick const& from, Vec3<std::int64_t> shift, Brick const& to) {
  unsigned faces = 0;
  for (int d = 0; d < 3; ++d) {
    if (from.low[d] + shift[d] >= to.high[d]) faces |= 1u << (2 * d);
    if (from.high[d] + shift[d] <= to.low[d]) faces |= 2u << (2 * d);
  }
  return faces;
}

}  // namespace

std::vector<unsigned> Domain::faces_near(State const& state, double radius) const {
  auto const reach = std::int64_t(radius / position_unit) + 2;
  Brick const& b = brick();
  std::vector<unsigned> faces(std::size_t(state.n_owned), 0);
  for (int d = 0; d < 3; ++d)
    for (LocalIndex i = 0; i < state.n_owned; ++i) {
      std::int64_t const x = state.x(i, d);
      faces[std::size_t(i)] |=
          (x - b.low[d] <= reach ? 1u : 0u) << (2 * d) | (b.high[d] - x <= reach ? 2u : 0u) << (2 * d);
    }
  return faces;
}

void Domain::rebalance(State const& state) {
  bool wanted = bricks_all_.empty();
  if (!wanted && balanced_ && comm_.size() > 1) {
    auto const most = comm_.max(std::int64_t(state.n_owned));
    wanted = double(most) * comm_.size() > 1.1 * double(state.n_particles) + 64.0 * comm_.size();
  }
  if (!wanted) return;
  bricks_all_.assign(1, Bricks(comm_, state, balanced_));
  bricks_.assign(1, bricks_all_.front().of(comm_.rank()));
}

void Domain::migrate(State& state) {
  state.wrap_all();
  rebalance(state);
  if (comm_.size() == 1) return;
  std::vector<std::vector<Particle>> to(std::size_t(comm_.size()));
  for (LocalIndex i = 0; i < state.n_owned;) {
    int const owner = bricks().owner({state.x(i, 0), state.x(i, 1), state.x(i, 2)});
    if (owner == comm_.rank()) {
      ++i;
      continue;
    }
    to[std::size_t(owner)].push_back(state.particle(i));
    if (i != --state.n_owned) state.set(i, state.particle(state.n_owned));
  }
  for (auto const& from : comm_.all_to_all(to))
    for (Particle const& p : from) state.push_back(p);
}

void Domain::plan(State const& state, double radius) {
  send_index_.clear();
  send_shift_.clear();
  send_.clear();
  int const me = comm_.rank();
  std::vector<unsigned> const faces = faces_near(state, radius);
  for (int target = 0; target < comm_.size(); ++target) {
    auto const first = std::uint32_t(send_index_.size());
    Brick const& there = bricks().of(target);
    for (Vec3<std::int32_t> n : upper_images(state.box, there, target, brick(), me, radius)) {
      auto const shift = state.box.shift(n);
      unsigned const needed = faces_towards(brick(), shift, there);
      for (LocalIndex i = 0; i < state.n_owned; ++i) {
        if ((faces[std::size_t(i)] & needed) != needed) continue;
        Vec3<std::int64_t> const x{state.x(i, 0), state.x(i, 1), state.x(i, 2)};
        if (!near(x + shift, there, radius)) continue;
        send_index_.push_back(i);
        send_shift_.push_back(shift);
      }
    }
    auto const count = std::uint32_t(send_index_.size()) - first;
    if (count > 0) send_.push_back({target, first, count});
  }
}

std::span<Ghost const> Domain::build_halo(State const& state, double radius) {
  plan(state, radius);
  std::vector<std::vector<Ghost>> to(std::size_t(comm_.size()));
  for (Peer const& peer : send_)
    for (std::uint32_t k = peer.first; k < peer.first + peer.count; ++k) {
      LocalIndex const i = send_index_[k];
      Vec3<std::int64_t> const x{state.x(i, 0), state.x(i, 1), state.x(i, 2)};
      to[std::size_t(peer.rank)].push_back({state.id(i), x + send_shift_[k], state.species(i)});
    }
  ghosts_.clear();
  receive_.clear();
  auto const from = comm_.all_to_all(to);
  for (int r = 0; r < comm_.size(); ++r) {
    auto const& part = from[std::size_t(r)];
    if (part.empty()) continue;
    receive_.push_back({r, std::uint32_t(ghosts_.size()), std::uint32_t(part.size())});
    ghosts_.insert(ghosts_.end(), part.begin(), part.end());
  }
  send_words_.resize(3 * send_index_.size());
  receive_words_.resize(3 * ghosts_.size());
  return ghosts_;
}

template <class Word>
void Domain::begin_refresh(View<std::int64_t**> const& positions, int window_shift) {
  auto* const out = reinterpret_cast<Word*>(send_words_.data());
  auto* const in = reinterpret_cast<Word*>(receive_words_.data());
  requests_.clear();
  for (Peer const& peer : receive_)
    if (peer.rank != comm_.rank())
      MPI_Irecv(in + std::size_t(3) * peer.first, int(3 * peer.count), mpi_type<Word>(), peer.rank,
                refresh_tag, comm_.get(), &requests_.emplace_back());
  Columns<std::int64_t> const all = columns(positions);  // null where this rank has no particles
  for (int d = 0; d < 3; ++d) {
    std::int64_t const* const x = all[d];
    for (std::size_t k = 0; k < send_index_.size(); ++k) {
      std::int64_t const position = x[send_index_[k]] + send_shift_[k][d];
      out[3 * k + std::size_t(d)] = coordinate<Word>(position, window_shift);
    }
  }
  for (Peer const& peer : send_) {
    Word const* const part = out + std::size_t(3) * peer.first;
    if (peer.rank != comm_.rank()) {
      MPI_Isend(part, int(3 * peer.count), mpi_type<Word>(), peer.rank, refresh_tag, comm_.get(),
                &requests_.emplace_back());
    } else {
      for (Peer const& own : receive_)
        if (own.rank == comm_.rank())
          std::copy_n(part, std::size_t(3) * peer.count, in + std::size_t(3) * own.first);
    }
  }
}

template <class Word>
std::span<Word const> Domain::end_refresh() {
  MPI_Waitall(int(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  requests_.clear();
  return {reinterpret_cast<Word const*>(receive_words_.data()), 3 * ghosts_.size()};
}

template void Domain::begin_refresh<std::int32_t>(View<std::int64_t**> const&, int);
template void Domain::begin_refresh<std::int64_t>(View<std::int64_t**> const&, int);
template std::span<std::int32_t const> Domain::end_refresh<std::int32_t>();
template std::span<std::int64_t const> Domain::end_refresh<std::int64_t>();

void Domain::begin_return(std::span<std::int64_t const> forces) {
  requests_.clear();
  for (Peer const& peer : send_) {
    if (peer.rank == comm_.rank()) continue;
    MPI_Irecv(send_words_.data() + std::size_t(3) * peer.first, int(3 * peer.count), MPI_INT64_T, peer.rank,
              return_tag, comm_.get(), &requests_.emplace_back());
  }
  for (Peer const& peer : receive_) {
    std::int64_t const* const part = forces.data() + std::size_t(3) * peer.first;
    if (peer.rank == comm_.rank()) {
      own_forces_ = part;
    } else {
      MPI_Isend(part, int(3 * peer.count), MPI_INT64_T, peer.rank, return_tag, comm_.get(),
                &requests_.emplace_back());
    }
  }
}

void Domain::end_return(State& state) {
  auto const add = [&](Peer const& peer, std::int64_t const* values) {
    for (std::uint32_t k = 0; k < peer.count; ++k)
      for (int d = 0; d < 3; ++d) {
        auto& f = state.f(send_index_[peer.first + k], d);
        f = wrap_add(f, values[3 * k + std::uint32_t(d)]);
      }
  };
  for (Peer const& peer : send_)
    if (peer.rank == comm_.rank()) add(peer, own_forces_);
  MPI_Waitall(int(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  requests_.clear();
  for (Peer const& peer : send_)
    if (peer.rank != comm_.rank()) add(peer, send_words_.data() + std::size_t(3) * peer.first);
}

}  // namespace lockstep
