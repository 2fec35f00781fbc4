// SPDX-License-Identifier: Apache-2.0
// Table and progress line.
#include "app/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace lockstep {
namespace {

/// The quantity times `factor` in a column; "-" where this method has none.
std::string cell(Quantities const& q, char const* name, int width, int digits, double factor = 1) {
  for (auto const& [key, value] : q)
    if (key == name) return fmt::format("{:>{}.{}g}", value * factor, width, digits);
  return fmt::format("{:>{}}", "-", width);
}

std::string duration(double seconds) {
  auto const s = std::int64_t(seconds);
  return s >= 86400 ? fmt::format("{} d {:02}:{:02} h", s / 86400, s / 3600 % 24, s / 60 % 60)
                    : fmt::format("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

double time_per_day(UnitSystem units, double time, double seconds) {
  if (seconds <= 0) return 0;
  return time / seconds * 86400.0 * (units == UnitSystem::physical ? 1e-3 : 1.0);
}

Terminal::Terminal(UnitSystem units, std::int64_t n_particles, double timestep, std::int64_t total_steps,
                   bool quiet)
    : units_(units),
      n_particles_(n_particles),
      total_steps_(total_steps),
      timestep_(timestep),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0) {}

void Terminal::erase() {
  if (line_shown_) std::fputs("\r\033[K", stderr);
  line_shown_ = false;
}

void Terminal::row(Row const& row) {
  if (quiet_) return;
  erase();
  bool const lj = units_ == UnitSystem::lj;
  if (!header_done_)
    fmt::print("{:>10} {:>14} {:>14} {:>16} {:>16} {:>14}\n", "step", lj ? "time" : "time/ps",
               lj ? "temperature" : "T/K", lj ? "potential/N" : "Epot/kJ/mol", lj ? "total/N" : "Etot/kJ/mol",
               lj ? "pressure" : "p/bar");
  header_done_ = true;
  double const share = lj ? 1.0 / double(n_particles_) : 1.0;
  auto const& q = row.quantities;
  fmt::print("{:>10} {:>14.6g} {} {} {} {}\n", row.step, row.time, cell(q, "temperature", 14, 8),
             cell(q, "potential_energy", 16, 10, share), cell(q, "total_energy", 16, 10, share),
             cell(q, "pressure", 14, 8));
  std::fflush(stdout);
}

void Terminal::progress(std::int64_t step) {
  if (quiet_) return;
  if (first_step_ < 0) {
    first_step_ = step - 1;
    start_ = Clock::now();
  }
  auto const now = Clock::now();
  double const pause = terminal_ ? 0.5 : 60.0;
  if (std::chrono::duration<double>(now - shown_).count() < pause) return;
  shown_ = now;
  double const seconds = std::chrono::duration<double>(now - start_).count();
  double const rate = double(step - first_step_) / seconds;
  double const left = double(total_steps_ - step) / rate;
  std::string line =
      fmt::format("{:>3.0f} %  step {} of {}  {:.3g} M particle-steps/s  {:.4g} {}/day  {} left",
                  100.0 * double(step) / double(total_steps_), step, total_steps_,
                  rate * double(n_particles_) * 1e-6, time_per_day(units_, rate * timestep_, 1.0),
                  units_ == UnitSystem::physical ? "ns" : "tau", duration(left));
  if (char const* const price = std::getenv("LOCKSTEP_PRICE_PER_HOUR"))
    line += fmt::format("  cost {:.2f}", seconds / 3600.0 * std::atof(price));
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "", line, terminal_ ? "\033[K" : "\n");
  std::fflush(stderr);
  line_shown_ = terminal_;
}

void Terminal::end() { erase(); }

}  // namespace lockstep
