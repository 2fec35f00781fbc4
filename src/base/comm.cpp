// SPDX-License-Identifier: Apache-2.0
// MPI calls. Errors abort inside MPI (its default handler), so results need no checks here.
#include "base/comm.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace lockstep {
namespace {

constexpr int limb_bits = 42;
constexpr std::int64_t limb_mask = (std::int64_t(1) << limb_bits) - 1;
constexpr std::size_t chunk = std::size_t(1) << 30;  // MPI counts are int

}  // namespace

Comm::Comm(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Comm Comm::duplicate() const {
  MPI_Comm copy;
  MPI_Comm_dup(comm_, &copy);
  return Comm(copy);
}

void Comm::free() { MPI_Comm_free(&comm_); }

void Comm::barrier() const { MPI_Barrier(comm_); }

void Comm::sum(std::span<std::int64_t> values) const {
  // unsigned: the sum is taken modulo 2^64, which is what wrapping totals and digests want
  MPI_Allreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_UINT64_T, MPI_SUM, comm_);
}

std::int64_t Comm::sum(std::int64_t value) const {
  sum(std::span(&value, 1));
  return value;
}

void Comm::sum(std::span<Int128> values) const {
  std::vector<std::int64_t> limbs;
  limbs.reserve(3 * values.size());
  for (Int128 v : values) {
    limbs.push_back(std::int64_t(v & limb_mask));
    limbs.push_back(std::int64_t((v >> limb_bits) & limb_mask));
    limbs.push_back(std::int64_t(v >> (2 * limb_bits)));  // signed
  }
  sum(limbs);
  for (std::size_t k = 0; k < values.size(); ++k) {
    auto const high = static_cast<UInt128>(Int128(limbs[3 * k + 2])) << (2 * limb_bits);
    auto const middle = static_cast<UInt128>(limbs[3 * k + 1]) << limb_bits;
    values[k] = static_cast<Int128>(high + middle + static_cast<UInt128>(limbs[3 * k]));
  }
}

Int128 Comm::sum(Int128 value) const {
  sum(std::span(&value, 1));
  return value;
}

void Comm::max(std::span<double> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_DOUBLE, MPI_MAX, comm_);
}

double Comm::max(double value) const {
  max(std::span(&value, 1));
  return value;
}

void Comm::max(std::span<std::int64_t> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_INT64_T, MPI_MAX, comm_);
}

std::int64_t Comm::max(std::int64_t value) const {
  max(std::span(&value, 1));
  return value;
}

std::int64_t Comm::min(std::int64_t value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MIN, comm_);
  return value;
}

bool Comm::agree(bool ok) const { return min(ok ? 1 : 0) == 1; }

void Comm::broadcast(std::span<std::byte> bytes, int root) const {
  for (std::size_t at = 0; at < bytes.size(); at += chunk)
    MPI_Bcast(bytes.data() + at, int(std::min(chunk, bytes.size() - at)), MPI_BYTE, root, comm_);
}

std::string Comm::broadcast(std::string const& text, int root) const {
  std::int64_t size = std::int64_t(text.size());
  MPI_Bcast(&size, 1, MPI_INT64_T, root, comm_);
  std::string copy = rank_ == root ? text : std::string(std::size_t(size), '\0');
  broadcast(std::as_writable_bytes(std::span(copy)), root);
  return copy;
}

std::int64_t Comm::exclusive_scan(std::int64_t value) const {
  std::int64_t before = 0;
  MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, comm_);
  return rank_ == 0 ? 0 : before;
}

std::vector<std::int64_t> Comm::all_gather(std::int64_t value) const {
  std::vector<std::int64_t> all(std::size_t(size_), 0);
  MPI_Allgather(&value, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm_);
  return all;
}

std::vector<std::string> Comm::all_gather(std::string const& text) const {
  std::vector<std::vector<char>> const to(std::size_t(size_), std::vector<char>(text.begin(), text.end()));
  std::vector<std::string> all;
  for (auto const& from : all_to_all(to)) all.emplace_back(from.begin(), from.end());
  return all;
}

std::vector<std::size_t> Comm::exchange_sizes(std::vector<std::span<std::byte const>> const& to) const {
  std::vector<std::uint64_t> send(to.size()), receive(to.size());
  for (std::size_t r = 0; r < to.size(); ++r) send[r] = to[r].size();
  MPI_Alltoall(send.data(), 1, MPI_UINT64_T, receive.data(), 1, MPI_UINT64_T, comm_);
  return {receive.begin(), receive.end()};
}

void Comm::exchange_data(std::vector<std::span<std::byte const>> const& to,
                         std::vector<std::span<std::byte>> const& from) const {
  std::vector<MPI_Request> requests;
  for (int step = 1; step < size_; ++step) {
    int const source = (rank_ - step + size_) % size_;
    for (std::size_t at = 0; at < from[source].size(); at += chunk)
      MPI_Irecv(from[source].data() + at, int(std::min(chunk, from[source].size() - at)), MPI_BYTE, source,
                71, comm_, &requests.emplace_back());
  }
  for (int step = 1; step < size_; ++step) {
    int const target = (rank_ + step) % size_;
    for (std::size_t at = 0; at < to[target].size(); at += chunk)
      MPI_Isend(to[target].data() + at, int(std::min(chunk, to[target].size() - at)), MPI_BYTE, target, 71,
                comm_, &requests.emplace_back());
  }
  if (!to[rank_].empty()) std::memcpy(from[rank_].data(), to[rank_].data(), to[rank_].size());
  MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace lockstep
