// SPDX-License-Identifier: Apache-2.0
// Every SIMD width gives the bits of the portable kernel, for every line of pair.def and every truncation.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <map>
#include <random>

#include "kernels/pair.hpp"
#include "kernels/simd/targets.hpp"
#include "property/potentials/examples.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// One row of two i clusters and ten j clusters, at random in a cube of edge 3; two species.
struct Row {
  static constexpr int n_clusters = 12;
  std::vector<std::int32_t> x;
  std::vector<std::uint8_t> species;
  std::vector<PairListEntry> entries;
  std::uint32_t start[2] = {0, 0}, middle[1] = {0};

  Row(Scales const& scales, std::uint64_t seed)
      : x(n_clusters * cluster_words), species(n_clusters * cluster_size) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> edge(0, 3);
    double const unit = exp2i(position_bits - scales.window_shift);
    for (auto& v : x) v = static_cast<std::int32_t>(edge(engine) * unit);
    for (auto& s : species) s = std::uint8_t(engine() % 2);
    for (std::uint32_t c = 2; c < n_clusters; ++c) {
      auto const lanes = std::uint32_t(engine());
      entries.push_back({c, c < 8 ? lanes : c % 2 == 0 ? lanes & 0xffffu : lanes & 0xffff0000u});
    }
    middle[0] = 6;
    start[1] = std::uint32_t(entries.size());
  }
};

struct Result {
  std::vector<std::int32_t> narrow = std::vector<std::int32_t>(Row::n_clusters * cluster_words);
  std::map<std::uint32_t, std::array<std::int64_t, 3>> wide;  // by slot, summed: their order is free
  std::array<Int128, 7> sums{};
  std::uint32_t n_faults = 0;
  friend bool operator==(Result const&, Result const&) = default;
};

Result run(PairKernel const& kernel, Row const& row, bool sums) {
  Result result;
  std::vector<WideForce> outliers(4096);
  std::uint32_t n_outliers = 0;
  PairFault fault{};
  RowSums total{};
  PairOutput const output{result.narrow.data(), nullptr, &total, outliers.data(),
                          &n_outliers,          4096,    &fault, &result.n_faults};
  PairArgs args;
  args.x = row.x.data();
  args.species = row.species.data();
  args.list = {0, row.start, row.middle, row.entries.data()};
  args.last_row = 1;
  args.sums = sums;
  kernel.run(args, output);
  for (std::uint32_t k = 0; k < n_outliers; ++k)
    for (std::size_t d = 0; d < 3; ++d) result.wide[outliers[k].slot][d] += outliers[k].f[d];
  result.sums[0] = total.energy;
  for (std::size_t k = 0; k < 6; ++k) result.sums[k + 1] = total.virial[k];
  return result;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("pair kernels: every width gives the bits of the portable one",
                        "[conformance][kernels]", PairPotentials) {
  TableFile const file;
  auto const options = section<TestType>(GENERATE(from_range(truncations)), file);
  bool const sums = GENERATE(false, true);
  auto const scales = choose_scales({&options, 1}, species, Precision::mixed, 1, 0.8);
  auto const table = make_pair_table(options, species, pair_energy_scale(scales), scales);
  auto const portable = make_pair_kernel(table, scales, KernelWidth::portable);
  for (KernelWidth const width : simd::available()) {
    auto const kernel = make_pair_kernel(table, scales, width);
    INFO(kernel->name());
    bool some_narrow = false, some_wide = false;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Row const row(scales, seed);
      Result const expected = run(*portable, row, sums);
      some_narrow = some_narrow || expected.narrow != Result{}.narrow;
      some_wide = some_wide || !expected.wide.empty() || expected.n_faults > 0;
      CHECK(run(*kernel, row, sums) == expected);
    }
    CHECK(some_narrow);
    CHECK(some_wide);
  }
}
