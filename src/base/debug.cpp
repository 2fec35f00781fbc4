// SPDX-License-Identifier: Apache-2.0
// Contract failures, and the control registers of the floating-point units.
#include "base/debug.hpp"

#include <fmt/format.h>

#include <cfenv>
#include <cstdint>
#include <mutex>
#include <stdexcept>

#include "base/kokkos.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lockstep {
namespace {

#if defined(__x86_64__)
constexpr unsigned flush_bits = 0x8040;  // MXCSR: flush to zero, denormals are zero
unsigned control() { return _mm_getcsr(); }
void set_control(unsigned word) { _mm_setcsr(word); }
#elif defined(__aarch64__)
constexpr std::uint64_t flush_bits = std::uint64_t(1) << 24;  // FPCR.FZ
std::uint64_t control() {
  std::uint64_t word;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
void set_control(std::uint64_t word) { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
#error "tell this file where the flush-to-zero bit of this processor is"
#endif

/// Runs `action` once on every thread of the host loops.
template <class Action>
void on_every_thread(Action const& action) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  int const n = Host().concurrency();
  Kokkos::parallel_for("base:every_thread", Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Static>>(0, n),
                       [&action](int) { action(); });
  Host().fence();
}

}  // namespace

void contract_failed(char const* kind, char const* condition, char const* file, int line) {
  throw std::logic_error(fmt::format(
      "{}:{}: {} does not hold: {}\n    why: this is a fault of Lockstep, not of its input\n    fix: "
      "please report it with the input and this message",
      file, line, kind, condition));
}

void set_floating_point_environment() {
  std::fesetround(FE_TONEAREST);
  set_control(control() & ~flush_bits);
}

void set_floating_point_environment_everywhere() {
  set_floating_point_environment();
  on_every_thread([] { set_floating_point_environment(); });
}

std::string check_floating_point_environment() {
  bool const flushes = (control() & flush_bits) != 0;
  bool const rounds = std::fegetround() == FE_TONEAREST;
  if (!flushes && rounds) return {};
  return fmt::format(
      "the processor is set to {}{}{}: results would differ from those of other threads and machines; a "
      "linked "
      "library built with -ffast-math does that",
      flushes ? "flush denormal numbers to zero" : "", flushes && !rounds ? " and to " : "",
      rounds ? "" : "round otherwise than to nearest");
}

std::string check_floating_point_environment_everywhere() {
  std::string complaint = check_floating_point_environment();
  std::mutex lock;
  on_every_thread([&] {
    std::string const mine = check_floating_point_environment();
    if (mine.empty()) return;
    std::lock_guard const guard(lock);
    if (complaint.empty()) complaint = mine;
  });
  return complaint;
}

}  // namespace lockstep
