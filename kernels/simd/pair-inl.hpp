// SPDX-License-Identifier: Apache-2.0
// The SIMD pair kernel: one row of two i clusters against its j clusters, 16 pairs at a time, in one, two or
// four registers. Where both i clusters meet a j cluster their forces on it are summed before the one
// reduction and store: that reduction is a third of the vector work otherwise.
#if defined(LOCKSTEP_KERNELS_SIMD_PAIR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LOCKSTEP_KERNELS_SIMD_PAIR_INL
#undef LOCKSTEP_KERNELS_SIMD_PAIR_INL
#else
#define LOCKSTEP_KERNELS_SIMD_PAIR_INL
#endif

#include "kernels/pair_arithmetic.hpp"
#include "kernels/simd/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lockstep::HWY_NAMESPACE {

using WideTag = hn::Repartition<std::int64_t, IntTag>;
using WideVec = hn::Vec<WideTag>;
inline constexpr int rows_per_vector = lanes / 4;   // i particles in one register
inline constexpr int groups = 4 / rows_per_vector;  // registers per 4 x 4 pairs

/// Per-pair-of-species constants of one register of pairs.
template <class Potential>
using PackEntry = KernelEntry<Potential, P>;

/// Table values for packs, by element index held as integer-valued floats.
struct PackTable {
  float const* values;
  inline P gather(P index) const {
    return hn::GatherIndex(FloatTag(), values, hn::ConvertTo(IntTag(), index.v));
  }
};

/// Sum of the 128-bit blocks.
template <class Tag, class Vec>
inline hn::Vec<hn::FixedTag<hn::TFromD<Tag>, 4>> fold(Tag, Vec v) {
  if constexpr (hn::MaxLanes(Tag()) == 4) {
    return v;
  } else {
    const hn::Half<Tag> half;
    return fold(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
/// target[4 c .. 4 c + 4) -= sum of the four blocks of v[c]: three folds with fewer shuffles and stores.
template <class Vec, class Word>
inline void subtract_blocks(Vec const (&v)[3], Word* target) {
  const hn::CappedTag<Word, 16> d;
  const hn::Half<decltype(d)> half;
  auto const xy = hn::Add(hn::ConcatLowerLower(d, v[1], v[0]), hn::ConcatUpperUpper(d, v[1], v[0]));
  auto const z = hn::ZeroExtendVector(d, hn::Add(hn::LowerHalf(half, v[2]), hn::UpperHalf(half, v[2])));
  IntVec const a = hn::BitCast(IntTag(), xy), b = hn::BitCast(IntTag(), z);
  auto const even = hn::BitCast(d, IntVec{_mm512_shuffle_i32x4(a.raw, b.raw, 0x88)});
  auto const odd = hn::BitCast(d, IntVec{_mm512_shuffle_i32x4(a.raw, b.raw, 0xdd)});
  auto const sum = hn::Add(even, odd);  // x, y, z, nothing
  const hn::FixedTag<Word, 4> block;
  hn::StoreU(hn::Sub(hn::LoadU(half, target), hn::LowerHalf(half, sum)), half, target);
  hn::Store(hn::Sub(hn::Load(block, target + 8), hn::LowerHalf(block, hn::UpperHalf(half, sum))), block,
            target + 8);
}
#endif

/// Forces as integers: what the product uses.
struct FixedForces {
  using Word = std::int32_t;
  using Tag = IntTag;
  using Vec = IntVec;
  static constexpr bool guarded = true;
  static inline Vec of(P f) { return round_i32(f.v); }
  static inline Word sum(Word a, Word b) { return wrap_add(a, b); }
};

/// Adds the sum over each 128-bit block to target[0 .. rows_per_vector).
template <class Forces>
inline void add_blocks(typename Forces::Vec v, typename Forces::Word* target) {
  v = hn::Add(v, hn::Shuffle1032(v));
  v = hn::Add(v, hn::Shuffle2301(v));
  alignas(64) typename Forces::Word sums[lanes];
  hn::Store(v, typename Forces::Tag(), sums);
  for (int i = 0; i < rows_per_vector; ++i) target[i] = Forces::sum(target[i], sums[4 * i]);
}

/// Group g of a cluster's four coordinates, each repeated over one 128-bit block.
inline IntVec spread(std::int32_t const* four, int g) {
  alignas(64) std::int32_t index[lanes];
  for (int k = 0; k < lanes; ++k) index[k] = g * rows_per_vector + k / 4;
  return hn::TableLookupLanes(hn::LoadDup128(IntTag(), four), hn::SetTableIndices(IntTag(), index));
}

/// Lanes of group g of cluster h as a mask.
inline FloatMask lane_mask(std::uint32_t const& entry_lanes, int h, int g) {
  auto const* bytes = reinterpret_cast<std::uint8_t const*>(&entry_lanes) + 2 * h;
  if constexpr (lanes == 16) {
    return hn::LoadMaskBits(FloatTag(), bytes);
  } else if constexpr (lanes == 8) {
    return hn::LoadMaskBits(FloatTag(), bytes + g);
  } else {
    std::uint8_t bits[8] = {std::uint8_t((bytes[g / 2] >> (4 * (g % 2))) & 15)};
    return hn::LoadMaskBits(FloatTag(), bits);
  }
}

/// Sums in int64 of one row: energy, xx, yy, zz, xy, xz, yz.
struct PackSums {
  WideVec sum[7];
  inline void clear() {
    for (auto& s : sum) s = hn::Zero(WideTag());
  }
  inline void add(int k, IntVec v) {
    const hn::Half<IntTag> half;
    sum[k] = hn::Add(sum[k], hn::Add(hn::PromoteTo(WideTag(), hn::LowerHalf(half, v)),
                                     hn::PromoteTo(WideTag(), hn::UpperHalf(half, v))));
  }
};

/// How constants of pairs of species are found: broadcast, from a register that holds all of them, or
/// gathered.
enum class Kinds { one, few, many };

/// What a row of the kernel needs besides its list.
template <class Potential>
struct PackArgs {
  PackEntry<Potential> one;         ///< constants of the only pair of species
  P tables[entry_size<Potential>];  ///< KernelTable::values where a register holds all pairs of species
  float const* values;              ///< KernelTable::values
  PackTable shared;
  int n_species, n_pairs;
  P length2, energy_factor, virial_factor;
};

template <class Potential, Truncation truncation, bool sums, Kinds kinds, class Forces>
struct PackRow {
  using Word = typename Forces::Word;
  using Tag = typename Forces::Tag;
  using Vec = typename Forces::Vec;

  PackArgs<Potential> k;  // by value: what is stored through f cannot change it
  std::int32_t const* x;
  std::uint8_t const* species;
  Word* f;
  IntVec xi[2][3][groups], species_i[2][groups];
  Vec fi[2][3][groups];
  FloatVec nearest;
  PackSums totals;

  HWY_INLINE decltype(auto) entry(int h, int g, IntVec species_j) const {
    if constexpr (kinds == Kinds::one) {
      return (k.one);  // a reference: a copy would be stored to the stack for each cluster
    } else {
      IntVec const pair = hn::Add(species_i[h][g], species_j);
      P row[entry_size<Potential>];
      for (int m = 0; m < entry_size<Potential>; ++m)
        if constexpr (kinds == Kinds::few) {
          row[m] = hn::TableLookupLanes(k.tables[m].v, hn::IndicesFromVec(FloatTag(), pair));
        } else {
          row[m] = hn::GatherIndex(FloatTag(), k.values + m * k.n_pairs, pair);
        }
      PackEntry<Potential> e;
      static_assert(sizeof(e) == sizeof(row));
      __builtin_memcpy(&e, row, sizeof(e));
      return e;
    }
  }

  /// The 4 x 4 / groups pairs of group g of cluster h with the j cluster; adds to the i forces, returns force
  /// on i.
  HWY_INLINE void pairs(int h, int g, FloatMask in, IntVec const (&xj)[3], IntVec species_j,
                        Vec (&force)[3]) {
    const FloatTag d;
    auto const& e = entry(h, g, species_j);
    P const dx = hn::ConvertTo(d, hn::Sub(xi[h][0][g], xj[0]));
    P const dy = hn::ConvertTo(d, hn::Sub(xi[h][1][g], xj[1]));
    P const dz = hn::ConvertTo(d, hn::Sub(xi[h][2][g], xj[2]));
    P const r2 = fma(dz, dz, fma(dy, dy, dx * dx)) * k.length2;
    in = less_in(in, r2, e.cutoff2);
    if constexpr (Forces::guarded) {
      P const above = kinds == Kinds::one ? r2 : r2 - e.guard2;
      nearest = hn::IfThenElse(in, hn::Min(nearest, above.v), nearest);
      in = at_least_in(in, r2, e.guard2);
    }
    auto const term = pair_term<Potential, truncation>(r2, e, k.shared);
    P const fr = hn::IfThenElseZero(in, term.force_over_r.v);
    P const fx = fr * dx, fy = fr * dy, fz = fr * dz;
    force[0] = Forces::of(fx);
    force[1] = Forces::of(fy);
    force[2] = Forces::of(fz);
    for (int c = 0; c < 3; ++c) fi[h][c][g] = hn::Add(fi[h][c][g], force[c]);
    if constexpr (sums) {
      P const energy = hn::IfThenElseZero(in, term.energy.v);
      P const wx = fx * k.virial_factor, wy = fy * k.virial_factor, wz = fz * k.virial_factor;
      totals.add(0, round_i32((energy * k.energy_factor).v));
      totals.add(1, round_i32((wx * dx).v));
      totals.add(2, round_i32((wy * dy).v));
      totals.add(3, round_i32((wz * dz).v));
      totals.add(4, round_i32((wx * dy).v));
      totals.add(5, round_i32((wx * dz).v));
      totals.add(6, round_i32((wy * dz).v));
    }
  }

  HWY_INLINE void subtract(std::uint32_t cluster, Vec const (&force)[3]) {
    Word* const fj = f + std::size_t(cluster) * cluster_words;
    if constexpr (lanes == 16) {
      subtract_blocks(force, fj);
    } else {
      const hn::FixedTag<Word, 4> d4;
      for (int c = 0; c < 3; ++c)
        hn::Store(hn::Sub(hn::Load(d4, fj + 4 * c), fold(Tag(), force[c])), d4, fj + 4 * c);
    }
  }

  template <int first, int last>
  HWY_INLINE void meet(PairListEntry const& entry) {
    std::int32_t const* const xc = x + std::size_t(entry.cluster) * cluster_words;
    IntVec const xj[3] = {hn::LoadDup128(IntTag(), xc), hn::LoadDup128(IntTag(), xc + 4),
                          hn::LoadDup128(IntTag(), xc + 8)};
    IntVec species_j = hn::Zero(IntTag());
    if constexpr (kinds != Kinds::one) {
      alignas(16) std::int32_t four[4];
      for (int j = 0; j < 4; ++j) four[j] = species[4 * entry.cluster + j];
      species_j = hn::LoadDup128(IntTag(), four);
    }
    Vec total[3] = {hn::Zero(Tag()), hn::Zero(Tag()), hn::Zero(Tag())};
    for (int h = first; h <= last; ++h)
      for (int g = 0; g < groups; ++g) {
        Vec force[3];
        pairs(h, g, lane_mask(entry.lanes, h, g), xj, species_j, force);
        for (int c = 0; c < 3; ++c) total[c] = hn::Add(total[c], force[c]);
      }
    subtract(entry.cluster, total);
  }

  HWY_INLINE void load(std::uint32_t row) {
    for (int h = 0; h < 2; ++h) {
      std::int32_t const* const xc = x + std::size_t(2 * row + h) * cluster_words;
      for (int g = 0; g < groups; ++g) {
        for (int c = 0; c < 3; ++c) {
          xi[h][c][g] = spread(xc + 4 * c, g);
          fi[h][c][g] = hn::Zero(Tag());
        }
        if constexpr (kinds != Kinds::one) {
          alignas(16) std::int32_t four[4];
          for (int i = 0; i < 4; ++i) four[i] = species[4 * (2 * row + h) + i] * k.n_species;
          species_i[h][g] = spread(four, g);
        }
      }
    }
    nearest = hn::Set(FloatTag(), 3e38f);
    if constexpr (sums) totals.clear();
  }

  HWY_INLINE void store(std::uint32_t row) {
    for (int h = 0; h < 2; ++h)
      for (int c = 0; c < 3; ++c)
        for (int g = 0; g < groups; ++g)
          add_blocks<Forces>(fi[h][c][g],
                             f + std::size_t(2 * row + h) * cluster_words + 4 * c + g * rows_per_vector);
  }

  /// @returns whether some pair is nearer than its guard.
  HWY_INLINE bool run(PairListView const& list, std::uint32_t row) {
    std::uint32_t const at = row - list.first_row;
    std::uint32_t q = list.start[at];
    std::uint32_t const middle = list.middle[at], end = list.start[at + 1];
    load(row);
    for (; q < middle; ++q) meet<0, 1>(list.entries[q]);
    for (; q < end; ++q) {
      if ((list.entries[q].lanes & 0xffffu) != 0) {
        meet<0, 0>(list.entries[q]);
      } else {
        meet<1, 1>(list.entries[q]);
      }
    }
    store(row);
    P const limit = kinds == Kinds::one ? k.one.guard2 : P(0.0f);
    return !hn::AllFalse(FloatTag(), hn::Lt(nearest, limit.v));
  }

  HWY_INLINE void add_sums(RowSums& target) const {
    std::int64_t const energy = hn::GetLane(hn::SumOfLanes(WideTag(), totals.sum[0]));
    target.energy += energy;
    for (int m = 0; m < 6; ++m) target.virial[m] += hn::GetLane(hn::SumOfLanes(WideTag(), totals.sum[m + 1]));
  }
};

template <class Potential, Truncation truncation, bool sums, Kinds kinds, class Forces = FixedForces>
void run_rows(PackArgs<Potential> const& k, PairArgs const& args, typename Forces::Word* f, RowSums* row_sums,
              std::vector<std::uint32_t>& near_rows) {
  PackRow<Potential, truncation, sums, kinds, Forces> row{k, args.x, args.species, f, {}, {}, {}, {}, {}};
  for (std::uint32_t r = args.first_row; r < args.last_row; ++r) {
    std::uint32_t const at = r - args.list.first_row;
    if (args.list.start[at] == args.list.start[at + 1]) continue;
    if (row.run(args.list, r)) near_rows.push_back(r);
    if constexpr (sums) row.add_sums(row_sums[r]);
  }
}

/// The constants of a table as packs.
template <class Potential>
PackArgs<Potential> pack_args(KernelTable<Potential, float> const& table) {
  PackArgs<Potential> k{};
  auto const one = table.entry(0);
  float const* const from = reinterpret_cast<float const*>(&one);
  P* const to = reinterpret_cast<P*>(&k.one);
  for (int m = 0; m < entry_size<Potential>; ++m) to[m] = P(from[m]);
  if (table.n_pairs <= lanes)
    for (int m = 0; m < entry_size<Potential>; ++m) {
      alignas(64) float values[lanes] = {};
      for (int p = 0; p < table.n_pairs; ++p) values[p] = table.values[std::size_t(m * table.n_pairs + p)];
      k.tables[m] = hn::Load(FloatTag(), values);
    }
  k.values = table.values.data();
  k.shared.values = table.shared.data();
  k.n_species = table.n_species;
  k.n_pairs = table.n_pairs;
  k.length2 = P(table.length2);
  k.energy_factor = P(table.energy_factor);
  k.virial_factor = P(table.virial_factor);
  return k;
}

/// All rows of args; near_rows receives those with pairs left to the wide path.
template <class Potential>
void run_pair(KernelTable<Potential, float> const& table, Truncation truncation, PairArgs const& args,
              PairOutput const& output, std::vector<std::uint32_t>& near_rows) {
  auto const k = pack_args(table);
  auto const rows = [&]<Truncation t, bool sums>() {
    if (table.n_pairs == 1)
      return run_rows<Potential, t, sums, Kinds::one>(k, args, output.narrow, output.sums, near_rows);
    if (table.n_pairs <= lanes)
      return run_rows<Potential, t, sums, Kinds::few>(k, args, output.narrow, output.sums, near_rows);
    return run_rows<Potential, t, sums, Kinds::many>(k, args, output.narrow, output.sums, near_rows);
  };
  auto const with = [&]<Truncation t>() {
    args.sums ? rows.template operator()<t, true>() : rows.template operator()<t, false>();
  };
  switch (truncation) {
    case Truncation::force_shift:
      return with.template operator()<Truncation::force_shift>();
    case Truncation::switch_:
      return with.template operator()<Truncation::switch_>();
    default:
      return with.template operator()<Truncation::shift>();
  }
}

}  // namespace lockstep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
