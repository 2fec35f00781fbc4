// SPDX-License-Identifier: Apache-2.0
// Both frames, their terms, and the conclusions.
#include "app/force_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/detail/force_blame.hpp"
#include "app/detail/force_terms.hpp"
#include "base/error.hpp"
#include "base/quantity.hpp"
#include "output/files.hpp"
#include "output/frames.hpp"

namespace lockstep {
namespace {

using detail::Forces;

constexpr std::size_t most_particles = std::size_t(1) << 28;  // of one process

Column const* find(FrameData const& data, std::string const& name) {
  auto const c =
      std::find_if(data.columns.begin(), data.columns.end(), [&](auto const& x) { return x.name == name; });
  return c == data.columns.end() ? nullptr : &*c;
}

/// Why a frame's forces cannot be told to the bit; empty: they can.
std::string obstacle(FrameData const& data) {
  Column const *x = find(data, "position"), *f = find(data, "force");
  std::string const keys =
      "set output.trajectory fields = [\"position\", \"velocity\", \"force\", \"image\"] and "
      "storage = \"lossless\"";
  if (x == nullptr) return "holds no positions: " + keys;
  if (x->integers.empty())
    return "holds positions as float32, from which no force follows to the last bit: " + keys;
  if (f == nullptr || f->integers.empty()) return "holds no forces: " + keys;
  return {};
}

/// The integers of a column as triples.
Forces triples(Column const& c) {
  Forces all(c.integers.size() / 3);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {c.integers[3 * i], c.integers[3 * i + 1], c.integers[3 * i + 2]};
  return all;
}

/// One frame of one run with what its positions give.
struct Side {
  char const* name;
  FrameData data;
  detail::Places places;
  std::vector<detail::TermForces> terms;
  Forces stored, sum, residual;
  std::vector<std::size_t> wrong;  ///< rows whose stored force is not the sum

  Side(char const* its_name, FrameData frame, detail::ForceField const& field)
      : name(its_name), data(std::move(frame)) {
    places.step = data.info.step;
    places.box = data.box;
    places.ids = data.ids;
    for (std::int64_t s : find(data, "species")->integers) {
      if (s < 0 || std::size_t(s) >= field.masses.size())
        throw ResourceError(fmt::format("{} is damaged", name),
                            fmt::format("it has particles of species {}", s), "Put back a good copy");
      places.species.push_back(SpeciesId(s));
    }
    places.x = triples(*find(data, "position"));
    stored = triples(*find(data, "force"));
    terms = detail::term_forces(field, places, KernelWidth::portable);
    sum = detail::sum_of(terms, stored.size());
    residual = detail::difference(stored, sum);
    wrong = detail::rows_with_force(residual);
  }
};

/// Whether a property is the same on both sides; none if one of them does not hold it.
std::optional<bool> same(FrameData const& a, FrameData const& b, std::string const& name) {
  Column const *u = find(a, name), *v = find(b, name);
  if (u == nullptr || v == nullptr || u->integers.empty() != v->integers.empty()) return std::nullopt;
  return u->integers == v->integers && u->reals == v->reals;
}

std::string text_of(Vec3<std::int64_t> f) { return fmt::format("{} {} {}", f.x, f.y, f.z); }

std::string line(std::string const& name, std::string const& a, std::string const& b) {
  return fmt::format("    {:<32}{:>40} {:>40}\n", name, a, b);
}

std::string table_of(detail::ForceField const& field, Side const& a, Side const& b, std::size_t row) {
  std::string text = fmt::format("  particle {}: force in units of 2^{} {}\n", a.places.ids[row],
                                 -field.scales.force_bits, unit_name(Unit::force, field.units));
  text += line("", "A", "B");
  for (std::size_t t = 0; t < field.terms.size(); ++t)
    text += line(field.terms[t].name, text_of(a.terms[t].forces[row]), text_of(b.terms[t].forces[row]));
  text += line("sum of terms", text_of(a.sum[row]), text_of(b.sum[row]));
  text += line("stored", text_of(a.stored[row]), text_of(b.stored[row]));
  return text + line("stored - sum", text_of(a.residual[row]), text_of(b.residual[row]));
}

std::string energies_of(detail::ForceField const& field, Side const& a, Side const& b) {
  std::string text = fmt::format("  all particles: energy in {}\n", unit_name(Unit::energy, field.units));
  for (std::size_t t = 0; t < field.terms.size(); ++t)
    text +=
        line(field.terms[t].name, fmt::format("{}", a.terms[t].energy), fmt::format("{}", b.terms[t].energy));
  return text;
}

/// Conclusions, one per line.
class Conclusions {
 public:
  void add(std::string const& sentence) { text_ += "  => " + sentence + "\n"; }
  std::string const& text() const { return text_; }

 private:
  std::string text_;
};

bool was_changed(FrameData const& data) { return data.recomputed && !(*data.recomputed == data.info.digest); }

void judge_side(Conclusions& c, detail::ForceField const& field, Side const& s, Side const& other) {
  if (was_changed(s.data))
    c.add(fmt::format("{}'s frame is not what its own digest says: the file was changed after it was written",
                      s.name));
  if (s.wrong.empty())
    return c.add(fmt::format("{}: all {} stored forces are the sum of their terms", s.name, s.stored.size()));
  c.add(fmt::format("{}: {} of {} stored forces differ from the sum of their terms, first on particle {}",
                    s.name, s.wrong.size(), s.stored.size(), s.places.ids[s.wrong[0]]));
  if (s.stored == other.sum && !(s.places.x == other.places.x))
    return c.add(
        fmt::format("{}'s stored forces are those of {}'s positions: the positions of {} were changed after "
                    "its forces were computed, or it computed them from stale ones",
                    s.name, other.name, s.name));
  for (auto const& sentence : detail::blame(field, s.places, s.terms, s.residual))
    c.add(fmt::format("{}'s forces: {}", s.name, sentence));
}

/// What both sides together say.
std::string verdict_of(Side const& a, Side const& b, std::int64_t step_before) {
  bool const x = a.places.x == b.places.x, f = a.stored == b.stored,
             fits = a.wrong.empty() && b.wrong.empty();
  if (was_changed(a.data) || was_changed(b.data))
    return "what is stored is not what was computed: take good copies of the files before anything is "
           "concluded";
  if (x && !f)
    return fmt::format("positions agree, forces do not: it is the evaluation of forces, on the side of {}",
                       a.wrong.empty()   ? "B"
                       : b.wrong.empty() ? "A"
                                         : "both, as this build sees it");
  if (x && !fits)
    return "positions and forces agree between A and B, but this build computes other forces: it is another "
           "one than "
           "both were made with, or table files have changed";
  std::string const parts = "the integrator, the thermostat, the removal of drift, or the initial velocities";
  if (x && same(a.data, b.data, "velocity") == false)
    return "positions and forces agree and the forces are right: the velocities differ, so it is not a force "
           "term but " +
           parts;
  if (x) return "positions and forces agree and the forces are right: it is not a force term";
  if (!fits) return "the positions differ, and not all forces are those of their own positions";
  if (step_before < 0)
    return "the positions differ and each side's forces follow from its own: the runs began differently";
  if (step_before + 1 == a.data.info.step)
    return fmt::format(
        "the positions differ after one step, and each side's forces follow from its own: it is not a "
        "force term of this step but the move from step {}",
        step_before);
  return fmt::format(
      "the positions differ and each side's forces follow from its own: the runs came apart between "
      "steps {} and {}; frames of every step between (output.trajectory.every = 1) would show where",
      step_before, a.data.info.step);
}

/// Whether the forces of the last frames that agree are what this build computes.
std::string before_text(detail::ForceField const& field, FrameFile const& a, FramesApart const& apart) {
  if (!apart.before) return "no earlier frames agree\n";
  FrameData frame = a.read(apart.before->first);
  std::int64_t const step = frame.info.step;
  Side const side("A", std::move(frame), field);
  if (side.wrong.empty())
    return fmt::format(
        "at step {}, where A and B agree last, all {} stored forces are the sum of their terms\n", step,
        side.stored.size());
  return fmt::format(
      "at step {}, where A and B agree last, {} of {} stored forces differ from what this build "
      "computes, first on particle {}\n",
      step, side.wrong.size(), side.stored.size(), side.places.ids[side.wrong[0]]);
}

std::string not_compared(std::string const& why) { return "force terms are not compared: " + why + "\n"; }

/// Why the two frames cannot be compared term by term; empty: they can.
std::string refusal(FrameFile const& a, FrameFile const& b, FrameData const& u, FrameData const& v) {
  if (a.input_hash() != b.input_hash())
    return fmt::format("the runs are of different inputs ({} and {}), which may give other forces",
                       a.input_hash(), b.input_hash());
  if (!(u.box == v.box)) return "the boxes differ";
  if (u.ids != v.ids || same(u, v, "species") == false) return "the particles are not the same";
  if (u.ids.size() > most_particles) return "there are too many particles for one process";
  for (auto const& [name, data] : {std::pair{"A", &u}, {"B", &v}})
    if (auto const why = obstacle(*data); !why.empty()) return fmt::format("{} {}", name, why);
  if (!a.scales() || !b.scales()) return "a build that did not store the units of force wrote them";
  if (!(*a.scales() == *b.scales()))
    return "the same input gave other units of force: the builds choose them differently";
  for (auto const& vector : {u.box.a, u.box.b, u.box.c})
    for (int d = 0; d < 3; ++d)
      if (vector[d] % (std::int64_t(1) << a.scales()->window_shift) != 0)
        return "the box is not of the grid that the kernels need: a file is damaged";
  return {};
}

/// The first particle that differs, and the first whose stored force does not fit.
std::set<std::size_t> rows_to_show(Side const& a, Side const& b) {
  std::set<std::size_t> rows;
  std::size_t first = a.places.ids.size();
  for (Column const& u : a.data.columns) {
    Column const* const v = find(b.data, u.name);
    if (v == nullptr || v->integers.size() != u.integers.size()) continue;
    auto const at = std::mismatch(u.integers.begin(), u.integers.end(), v->integers.begin());
    if (at.first == u.integers.end()) continue;
    first = std::min(first, std::size_t(at.first - u.integers.begin()) / std::size_t(u.width));
  }
  if (first < a.places.ids.size()) rows.insert(first);
  for (Side const* side : {&a, &b})
    if (!side->wrong.empty() && rows.size() < 2) rows.insert(side->wrong[0]);
  return rows;
}

std::string explain(FramesApart const& apart) {
  auto const a = open_frames(apart.first), b = open_frames(apart.second);
  FrameData u = a->read(apart.frame.first), v = b->read(apart.frame.second);
  if (auto const why = refusal(*a, *b, u, v); !why.empty()) return not_compared(why);
  RunInput const in = parse_stored_input(a->input(), folder_of(apart.first));
  detail::ForceField const field(in, *a->scales());
  std::string text = before_text(field, *a, apart);
  Side const first("A", std::move(u), field), second("B", std::move(v), field);
  text += fmt::format("at step {}, the terms from the positions of each side:\n", first.data.info.step);
  for (std::size_t row : rows_to_show(first, second)) text += table_of(field, first, second, row);
  text += energies_of(field, first, second);
  Conclusions c;
  judge_side(c, field, first, second);
  judge_side(c, field, second, first);
  c.add(verdict_of(first, second, apart.before ? a->frames()[apart.before->first].step : -1));
  return text + c.text();
}

}  // namespace

std::string explain_forces(FramesApart const& apart) {
  try {
    return explain(apart);
  } catch (InputError const& e) { return not_compared(e.what()); } catch (SimulationError const& e) {
    return not_compared(e.what());
  }
}

}  // namespace lockstep
