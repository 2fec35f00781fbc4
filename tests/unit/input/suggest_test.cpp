// SPDX-License-Identifier: Apache-2.0
#include "input/suggest.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace lockstep;

TEST_CASE("suggest: distance counts inserted, deleted, replaced and swapped letters", "[unit][input]") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("cutoff", "cutoff") == 0);
  CHECK(edit_distance("cutof", "cutoff") == 1);
  CHECK(edit_distance("cuttoff", "cutoff") == 1);
  CHECK(edit_distance("cytoff", "cutoff") == 1);
  CHECK(edit_distance("ctuoff", "cutoff") == 1);
  CHECK(edit_distance("ca", "abc") == 3);  // each place is edited once
}

TEST_CASE("suggest: near words are offered, far ones are not", "[unit][input]") {
  std::vector<std::string> const known{"temperature", "file", "lattice"};
  CHECK(did_you_mean("temprature", known) == "Did you mean 'temperature'?");
  CHECK(did_you_mean("latice", known) == "Did you mean 'lattice'?");
  CHECK(did_you_mean("pressure", known) == "Known here are temperature, file or lattice");
  CHECK(did_you_mean(std::string(100000, 'x'), known) == "Known here are temperature, file or lattice");
  CHECK(did_you_mean("x", {}) == "Remove it");
}
