// SPDX-License-Identifier: Apache-2.0
// The handler only sets a flag; the run asks for it once per step.
#include "app/interruption.hpp"

#include <csignal>

namespace lockstep {
namespace {

volatile std::sig_atomic_t stop_wanted = 0;

void on_signal(int signal) {
  if (signal == SIGINT && stop_wanted != 0) {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
  stop_wanted = 1;
}

}  // namespace

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (int signal : {SIGTERM, SIGINT, SIGUSR1, SIGUSR2}) sigaction(signal, &action, nullptr);
}

Wish present_wish(double seconds_left) {
  return stop_wanted != 0 || seconds_left <= 0 ? Wish::stop : Wish::nothing;
}

}  // namespace lockstep
