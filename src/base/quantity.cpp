// SPDX-License-Identifier: Apache-2.0
// Exact decimal arithmetic, the table of units, and the grammar "value unit".
#include "base/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr std::size_t longest_text = 200;
constexpr int largest_power = 9;

/// digits * 10^exponent, exactly; digits are most significant first, one per byte, values 0-9.
struct Decimal {
  std::string digits = "\1";
  int exponent = 0;

  friend Decimal operator*(Decimal const& a, Decimal const& b) {
    std::string product(a.digits.size() + b.digits.size(), '\0');
    for (std::size_t i = a.digits.size(); i-- > 0;) {
      int carry = 0;
      for (std::size_t j = b.digits.size(); j-- > 0;) {
        int const sum = product[i + j + 1] + a.digits[i] * b.digits[j] + carry;
        product[i + j + 1] = char(sum % 10);
        carry = sum / 10;
      }
      product[i] = char(product[i] + carry);
    }
    product.erase(0, std::min(product.find_first_not_of('\0'), product.size() - 1));
    return {product, a.exponent + b.exponent};
  }

  bool power_of_ten() const {
    return digits[0] == 1 && digits.find_first_not_of('\0', 1) == std::string::npos;
  }

  /// The nearest double; nothing when it is too large.
  std::optional<double> to_double() const {
    std::string text;
    for (char d : digits) text += char('0' + d);
    text += fmt::format("e{}", exponent);
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc()) return value;
    bool const tiny = int(digits.size()) + exponent < 0 || digits == std::string(1, '\0');
    return tiny ? std::optional(0.0) : std::nullopt;
  }
};

/// Takes an unsigned decimal number off the front of `text`; nothing if there is none.
std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal result{"", 0};
  std::size_t i = 0;
  auto const digit = [&](std::size_t k) { return k < text.size() && text[k] >= '0' && text[k] <= '9'; };
  auto const separator = [&](std::size_t k) {
    return k > 0 && k < text.size() && text[k] == '_' && digit(k + 1);
  };
  for (; digit(i) || separator(i); ++i)
    if (text[i] != '_') result.digits += char(text[i] - '0');
  if (i < text.size() && text[i] == '.')
    for (++i; digit(i); ++i) {
      result.digits += char(text[i] - '0');
      --result.exponent;
    }
  if (result.digits.empty()) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t const sign = i + 1 < text.size() && (text[i + 1] == '+' || text[i + 1] == '-') ? 1 : 0;
    if (digit(i + 1 + sign)) {
      int power = 0;
      std::size_t k = i + 1 + sign;
      for (; digit(k); ++k) power = std::min(100000, 10 * power + (text[k] - '0'));
      result.exponent += sign == 1 && text[i + 1] == '-' ? -power : power;
      i = k;
    }
  }
  text.remove_prefix(i);
  return result;
}

Decimal decimal(std::string_view text) { return *take_decimal(text); }

/// One name of a unit: `factor` x N_A^avogadro internal units.
struct Symbol {
  std::string_view name, factor;
  int avogadro;
  Unit unit;
  bool takes_prefix;
};

constexpr std::string_view avogadro_constant = "6.02214076e23";
// Energies and masses are per mole inside, so that J carries one N_A and mol takes it away again.
constexpr std::array symbols{Symbol{"1", "1", 0, Unit::none, false},
                             Symbol{"m", "1e9", 0, Unit::length, true},
                             Symbol{"angstrom", "0.1", 0, Unit::length, false},
                             Symbol{"A", "0.1", 0, Unit::length, false},
                             Symbol{"\u00c5", "0.1", 0, Unit::length, false},
                             Symbol{"\u212b", "0.1", 0, Unit::length, false},
                             Symbol{"s", "1e12", 0, Unit::time, true},
                             Symbol{"min", "60e12", 0, Unit::time, false},
                             Symbol{"h", "3600e12", 0, Unit::time, false},
                             Symbol{"d", "86400e12", 0, Unit::time, false},
                             Symbol{"g", "1", 1, Unit::mass, true},
                             Symbol{"amu", "1", 0, Unit::mass, false},
                             Symbol{"u", "1", 0, Unit::mass, false},
                             Symbol{"Da", "1", 0, Unit::mass, true},
                             Symbol{"K", "1", 0, Unit::temperature, true},
                             Symbol{"e", "1", 0, Unit::charge, false},
                             Symbol{"J", "1e-3", 1, Unit::energy, true},
                             Symbol{"cal", "4.184e-3", 1, Unit::energy, true},
                             Symbol{"eV", "1.602176634e-22", 1, Unit::energy, true},
                             Symbol{"kB", "1.380649e-26", 1, Unit{1, 0, 0, 0, -1}, false},
                             Symbol{"mol", "1", 1, Unit::none, true},
                             Symbol{"N", "1e-12", 1, Unit::force, true},
                             Symbol{"Pa", "1e-30", 1, Unit::pressure, true},
                             Symbol{"bar", "1e-25", 1, Unit::pressure, true},
                             Symbol{"atm", "1.01325e-25", 1, Unit::pressure, false},
                             Symbol{"L", "1e24", 0, Unit::volume, true},
                             Symbol{"rad", "1", 0, Unit::angle, false},
                             Symbol{"deg", "0.0174532925199432957692369076849", 0, Unit::angle, false}};

constexpr std::array<std::pair<std::string_view, int>, 11> prefixes{{{"f", -15},
                                                                     {"p", -12},
                                                                     {"n", -9},
                                                                     {"u", -6},
                                                                     {"\u00b5", -6},
                                                                     {"\u03bc", -6},
                                                                     {"m", -3},
                                                                     {"c", -2},
                                                                     {"k", 3},
                                                                     {"M", 6},
                                                                     {"G", 9}}};

/// A product of units: numerator / denominator x N_A^avogadro, of dimension `unit`.
struct Factor {
  Decimal numerator, denominator;
  int avogadro = 0;
  Unit unit{};

  void multiply(Factor const& f, bool inverse) {
    numerator = numerator * (inverse ? f.denominator : f.numerator);
    denominator = denominator * (inverse ? f.numerator : f.denominator);
    avogadro += inverse ? -f.avogadro : f.avogadro;
    unit = unit * (inverse ? inverted(f.unit) : f.unit);
  }
  static Unit inverted(Unit u) {
    auto const minus = [](std::int8_t e) { return std::int8_t(-e); };
    return {minus(u.energy_),      minus(u.length_), minus(u.time_),  minus(u.mass_),
            minus(u.temperature_), minus(u.charge_), minus(u.angle_), minus(u.wall_time_)};
  }
};

std::optional<Factor> find_unit(std::string_view name) {
  auto const factor = [](Symbol const& s, int power) {
    Decimal d = decimal(s.factor);
    d.exponent += power;
    return Factor{d, {}, s.avogadro, s.unit};
  };
  for (auto const& s : symbols)
    if (s.name == name) return factor(s, 0);
  for (auto const& [prefix, power] : prefixes)
    if (name.starts_with(prefix))
      for (auto const& s : symbols)
        if (s.takes_prefix && s.name == name.substr(prefix.size())) return factor(s, power);
  return std::nullopt;
}

/// Reads products of units by recursive descent; `problem` says what stopped it.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::optional<Factor> parse() {
    auto result = product(0);
    if (problem.empty() && !text_.empty()) problem = fmt::format("'{}' is left over after the unit", text_);
    return problem.empty() ? result : std::nullopt;
  }

  std::string problem;

 private:
  void skip() {
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
  }
  bool take(std::string_view what) {
    if (!text_.starts_with(what)) return false;
    text_.remove_prefix(what.size());
    skip();
    return true;
  }

  std::optional<Factor> product(int depth) {
    Factor result;
    if (depth > 8) problem = "too many parentheses";
    skip();
    for (bool first = true; problem.empty(); first = false) {
      if (text_.empty() || text_[0] == ')') break;
      bool const inverse = take("/");
      if (!inverse && !first && !take("*")) take("\u00b7");
      if (auto const f = factor(depth)) multiply(result, *f, inverse);
    }
    return result;
  }

  void multiply(Factor& result, Factor const& f, bool inverse) {
    if (result.numerator.digits.size() + result.denominator.digits.size() > 500)
      problem = "the unit is too long";
    else
      result.multiply(f, inverse);
  }

  std::optional<Factor> factor(int depth) {
    std::optional<Factor> base;
    if (take("(")) {
      base = product(depth + 1);
      if (problem.empty() && !take(")")) problem = "a ')' is missing";
    } else {
      std::size_t const n = std::min(text_.find_first_of(" */^()"), text_.size());
      std::size_t const end = std::min(n, std::min(text_.find("\u00b7"), text_.size()));
      base = find_unit(text_.substr(0, end));
      if (!base)
        problem = end == 0 ? "a unit is missing"
                           : fmt::format("'{}' is not a unit Lockstep knows", text_.substr(0, end));
      text_.remove_prefix(end);
      skip();
    }
    if (!problem.empty()) return std::nullopt;
    return power(*base);
  }

  std::optional<Factor> power(Factor const& base) {
    if (!take("^")) return base;
    bool const inverse = take("-");
    int n = 0;
    auto const [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), n);
    if (error != std::errc() || n < 1 || n > largest_power) {
      problem =
          fmt::format("the power after '^' must be a whole number from -{0} to {0}, not 0", largest_power);
      return std::nullopt;
    }
    text_.remove_prefix(std::size_t(end - text_.data()));
    skip();
    Factor result;
    for (int k = 0; k < n; ++k) multiply(result, base, inverse);
    return result;
  }

  std::string_view text_;
};

/// Energies spelled as mass x length^2 / time^2, so that both spellings of a dimension compare equal.
Unit canonical(Unit u) {
  return {0,
          std::int8_t(u.length_ + 2 * u.energy_),
          std::int8_t(u.time_ - 2 * u.energy_),
          std::int8_t(u.mass_ + u.energy_),
          u.temperature_,
          u.charge_,
          u.angle_,
          u.wall_time_};
}

std::optional<double> evaluate(Decimal number, Factor f) {
  Decimal const n_a = decimal(avogadro_constant);
  for (; f.avogadro > 0; --f.avogadro) f.numerator = f.numerator * n_a;
  for (; f.avogadro < 0; ++f.avogadro) f.denominator = f.denominator * n_a;
  Decimal product = number * f.numerator;
  if (f.denominator.power_of_ten()) {
    product.exponent -= f.denominator.exponent + int(f.denominator.digits.size()) - 1;
    return product.to_double();
  }
  auto const a = product.to_double(), b = f.denominator.to_double();
  if (!a || !b || *b == 0) return std::nullopt;
  return *a / *b;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

ParsedQuantity parse_quantity(std::string_view text, Unit unit) {
  text = trimmed(text);
  if (text.size() > longest_text) return {{}, "the text is too long for a value with a unit"};
  bool const negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  auto const number = take_decimal(text);
  if (!number) return {{}, "it does not begin with a number"};
  if (trimmed(text).empty()) return {{}, "it has no unit"};
  UnitParser parser(trimmed(text));
  auto factor = parser.parse();
  if (!factor) return {{}, parser.problem};
  if (unit.wall_time_ == 1 && factor->unit == Unit::time) {
    factor->unit = Unit::wall_time;
    factor->numerator.exponent -= 12;  // ps to s
  }
  if (canonical(factor->unit) != canonical(unit))
    return {{}, fmt::format("'{}' is not a unit of this quantity", trimmed(text))};
  auto const value = evaluate(*number, *factor);
  if (!value) return {{}, "the number is too large"};
  return {negative ? -*value : *value, {}};
}

std::string exact_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

std::string unit_name(Unit unit, UnitSystem system) {
  bool const lj = system == UnitSystem::lj;
  std::array<std::pair<std::string_view, int>, 8> const parts{{{lj ? "epsilon" : "kJ/mol", unit.energy_},
                                                               {lj ? "epsilon" : "K", unit.temperature_},
                                                               {lj ? "m" : "amu", unit.mass_},
                                                               {lj ? "q" : "e", unit.charge_},
                                                               {lj ? "sigma" : "nm", unit.length_},
                                                               {lj ? "tau" : "ps", unit.time_},
                                                               {"rad", unit.angle_},
                                                               {"s", unit.wall_time_}}};
  std::string above, below;
  for (auto const& [name, power] : parts) {
    int const n = power < 0 ? -power : power;
    std::string const symbol =
        n == 1 ? std::string(name) : fmt::format("{}^{}", n > 1 && name == "kJ/mol" ? "(kJ/mol)" : name, n);
    if (power > 0) above += (above.empty() ? "" : "*") + symbol;
    if (power < 0) below += "/" + (name == "kJ/mol" && n == 1 ? "(kJ/mol)" : symbol);
  }
  return above.empty() && !below.empty() ? "1" + below : above + below;
}

std::string usual_units(Unit unit) {
  static std::array<std::pair<Unit, std::string_view>, 15> const usual{
      {{Unit::energy, "kJ/mol, kcal/mol, eV or kB*K"},
       {Unit::length, "nm, angstrom or pm"},
       {Unit::time, "fs, ps or ns"},
       {Unit::mass, "amu, g/mol or kg"},
       {Unit::temperature, "K"},
       {Unit::charge, "e"},
       {Unit::angle, "deg or rad"},
       {Unit::force, "kJ/mol/nm, kcal/mol/angstrom, eV/angstrom or pN"},
       {Unit::pressure, "bar, atm, MPa or kJ/mol/nm^3"},
       {Unit::velocity, "nm/ps, angstrom/fs or m/s"},
       {Unit::inverse_time, "1/ps, 1/fs or 1/ns"},
       {Unit::number_density, "1/nm^3, 1/angstrom^3 or mol/L"},
       {Unit::mass_density, "g/cm^3, kg/m^3 or amu/nm^3"},
       {Unit::wall_time, "s, min, h or d"},
       {Unit::inverse_length, "1/nm or 1/angstrom"}}};
  for (auto const& [u, names] : usual)
    if (u == unit) return std::string(names);
  return unit_name(unit, UnitSystem::physical);
}

}  // namespace lockstep
