// SPDX-License-Identifier: Apache-2.0
// Contracts and the floating-point environment.
#include "base/debug.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cfenv>
#include <stdexcept>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

TEST_CASE("debug: a broken precondition names itself and its place", "[unit][base]") {
  int const n = -1;
  CHECK_NOTHROW([&] { LOCKSTEP_EXPECT(n < 0); }());
  CHECK_THROWS_MATCHES([&] { LOCKSTEP_EXPECT(n >= 0); }(), std::logic_error,
                       MessageMatches(ContainsSubstring("debug_test.cpp") &&
                                      ContainsSubstring("precondition does not hold: n >= 0")));
  CHECK_THROWS_MATCHES([&] { LOCKSTEP_ENSURE(n == 0); }(), std::logic_error,
                       MessageMatches(ContainsSubstring("postcondition does not hold: n == 0")));
}

TEST_CASE("debug: assertions are checked in debug builds only", "[unit][base]") {
  int evaluated = 0;
  [[maybe_unused]] auto const count = [&] { return ++evaluated > 0; };
  LOCKSTEP_ASSERT(count());
#if defined(LOCKSTEP_DEBUG)
  CHECK(evaluated == 1);
#else
  CHECK(evaluated == 0);
#endif
}

TEST_CASE("debug: a wrong rounding mode is found and set right", "[unit][base]") {
  set_floating_point_environment_everywhere();
  CHECK(check_floating_point_environment_everywhere().empty());
  std::fesetround(FE_UPWARD);
  auto const complaint = check_floating_point_environment();
  set_floating_point_environment();
  CHECK_THAT(complaint, ContainsSubstring("round otherwise than to nearest"));
  CHECK(check_floating_point_environment().empty());
}

#if defined(__x86_64__)
TEST_CASE("debug: flushing of denormal numbers is found and turned off", "[unit][base]") {
  _mm_setcsr(_mm_getcsr() | 0x8000);
  auto const complaint = check_floating_point_environment();
  set_floating_point_environment();
  CHECK_THAT(complaint, ContainsSubstring("flush denormal numbers to zero"));
  CHECK(check_floating_point_environment().empty());
}
#endif
