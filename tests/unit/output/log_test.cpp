// SPDX-License-Identifier: Apache-2.0
#include "output/log.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/manifest.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("log: rows read back the same bits", "[unit][output]") {
  std::int64_t const big = std::numeric_limits<std::int64_t>::min();
  double const third = 1.0 / 3.0, tiny = std::numeric_limits<double>::denorm_min();
  auto const row = nlohmann::json::parse(log_line({{"step", big},
                                                   {"e", third},
                                                   {"t", tiny},
                                                   {"one", 1.0},
                                                   {"bad", -std::numeric_limits<double>::infinity()},
                                                   {"text", "say \"hi\"\n"}}));
  CHECK(row["step"].get<std::int64_t>() == big);
  CHECK(row["e"].get<double>() == third);
  CHECK(row["t"].get<double>() == tiny);
  CHECK(row["one"].is_number_float());
  CHECK(row["bad"] == "-inf");
  CHECK(row["text"] == "say \"hi\"\n");
}

TEST_CASE("log: resuming keeps the rows of the checkpoint and drops later and half rows", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  std::int64_t bytes = 0;
  {
    Log log(comm, directory);
    log.cut(0, 0);
    log.row({{"step", std::int64_t(0)}});
    log.row({{"step", std::int64_t(1)}});
    log.sync();
    bytes = log.bytes();
    log.row({{"step", std::int64_t(2)}});
  }
  if (comm.root()) std::ofstream(directory.log(), std::ios::app) << "{\"step\": ";
  comm.barrier();
  Log log(comm, directory);
  CHECK_THROWS_WITH(log.cut(bytes + 1, 2), ContainsSubstring("does not hold"));
  CHECK_THROWS_WITH(log.cut(bytes, 3), ContainsSubstring("does not hold the 3 rows"));
  CHECK_THROWS_WITH(log.cut(1'000'000, 2), ContainsSubstring("Put back the log"));
  log.cut(bytes, 2);
  log.row({{"step", std::int64_t(3)}});
  comm.barrier();
  CHECK(read_text(directory.log()) == "{\"step\": 0}\n{\"step\": 1}\n{\"step\": 3}\n");
  CHECK(log.rows() == 3);
  comm.barrier();
}

TEST_CASE("manifest: every start is kept, the last one's performance is shown", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  RunRecord record;
  record.version = "0.1";
  record.input_hash = "abc";
  Manifest(comm, directory, record).update(100, "checkpointed", {1e6, 2.5, 3, 0});
  record.first_step = 100;
  Manifest(comm, directory, record).update(250, "finished", {2e6, 5, 4, 0});
  auto const json = nlohmann::json::parse(read_text(directory.manifest()));
  CHECK(json["finished"] == true);
  CHECK(json["performance"]["particle_steps_per_second"] == 2e6);
  REQUIRE(json["runs"].size() == 2);
  CHECK(json["runs"][0]["outcome"] == "checkpointed");
  CHECK(json["runs"][0]["last_step"] == 100);
  CHECK(json["runs"][1]["first_step"] == 100);
  CHECK(json["runs"][1]["ranks"] == comm.size());
}
