// SPDX-License-Identifier: Apache-2.0
// One cell and all that its particles may meet, ready for attempts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/mc_sweep.hpp"
#include "moves/attempt.hpp"
#include "moves/cell_particles.hpp"

namespace lockstep {

/// The pair terms of the energy that a move changes.
struct McTerms {
  std::vector<std::unique_ptr<McKernel>> kernels;  ///< one per [[pair]]
  int n_species = 1;
  double cutoff = 0;  ///< the largest
  Scales scales;

  McTerms(Scales const& scales, std::span<PairTable const> tables);
};

/// The `System` of attempt() for one cell: it holds copies of all coordinates round the cell and changes the
/// sites of the cell itself. One per thread; `gather` before the attempts of each cell.
class Neighborhood {
 public:
  explicit Neighborhood(McTerms const& terms) : terms_(terms), partners_(std::size_t(terms.n_species)) {}

  void gather(CellParticles& particles, CellGrid const& grid, std::int64_t cell);

  int count() const { return int(own_.size()); }
  Vec3<std::int64_t> position(int i) const { return own_[std::size_t(i)].y; }
  bool contains(Vec3<std::int64_t> y) const;
  /// In energy units; infinite where the energy of the trial is beyond all range.
  double change(int i, Trial const& trial);
  /// Makes the trial of the last change() the present.
  void apply(int i, Trial const& trial);
  /// Sum of the applied changes since construction, energy units.
  Int128 total_change() const { return total_; }

 private:
  struct Copy {
    std::uint32_t slot;
    Vec3<std::int64_t> shift;
  };
  /// Grows only, so that nothing is allocated or filled per attempt.
  struct Coordinates {
    std::vector<double> x, y, z;
    std::size_t n = 0;
    void fit(std::size_t size) {
      if (x.size() >= size) return;
      for (auto* v : {&x, &y, &z}) v->resize(size + size / 4);
    }
    void push(double a, double b, double c) {
      x[n] = a;
      y[n] = b;
      z[n++] = c;
    }
  };

  void make_room(CellParticles const& particles);
  void add(Site const& site, Vec3<std::int64_t> shift, int own);
  void add_near(CellParticles const& particles, NeighborCell const& neighbor);
  void put(std::uint32_t slot, Vec3<std::int64_t> y);
  double word(std::int64_t y, int d) const { return double((y - origin_[d]) >> terms_.scales.window_shift); }
  void find_partners(int i, double const (&before)[3], double const (&after)[3]);

  McTerms const& terms_;
  std::int64_t cell_ = -1;
  std::span<Site> own_;
  Vec3<std::int64_t> low_, high_, origin_;
  Coordinates at_;                         // [slots] whole coordinate units from origin_
  std::vector<float> coarse_[3];           // the same as floats
  std::vector<SpeciesId> species_;         // [slots]
  std::vector<std::int32_t> own_of_;       // [slots] index in own_, or -1
  std::vector<std::vector<Copy>> copies_;  // [own] slots of its images
  std::vector<std::uint32_t> found_;
  std::vector<Coordinates> partners_;  // [n_species]
  std::vector<NeighborCell> neighbors_;
  Int128 last_ = 0, total_ = 0;
};

}  // namespace lockstep
