// SPDX-License-Identifier: Apache-2.0
// The command line, through CLI11.
#include "app/arguments.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <map>

#include "app/build_info.hpp"
#include "base/error.hpp"
#include "input/suggest.hpp"

namespace lockstep {
namespace {

std::map<std::string, Device> const devices{
    {"auto", Device::automatic}, {"cpu", Device::cpu}, {"cuda", Device::cuda}};
std::map<std::string, KernelWidth> const widths{{"auto", KernelWidth::automatic},
                                                {"portable", KernelWidth::portable},
                                                {"avx2", KernelWidth::avx2},
                                                {"avx512", KernelWidth::avx512},
                                                {"neon", KernelWidth::neon}};

/// "90", "90 s", "15min", "1.5 h", "02:30:00" as seconds.
double seconds_of(std::string const& text) {
  double total = 0;
  if (text.find(':') != std::string::npos) {
    std::size_t at = 0;
    while (at <= text.size()) {
      std::size_t const end = std::min(text.find(':', at), text.size());
      total = total * 60 + std::strtod(text.substr(at, end - at).c_str(), nullptr);
      at = end + 1;
    }
    return total;
  }
  char* end = nullptr;
  total = std::strtod(text.c_str(), &end);
  std::string unit(end);
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
  if (unit.empty() || unit == "s") return total;
  if (unit == "min") return total * 60;
  if (unit == "h") return total * 3600;
  if (unit == "d") return total * 86400;
  return -1;
}

void add_input(CLI::App& command, Arguments& a) {
  command.add_option("INPUT", a.input, "input file (TOML)")->required();
  command
      .add_option("--set", a.set,
                  "key.path=value: changes a key of the input; lists by index: stage.0.steps=300")
      ->allow_extra_args(false);
  command.add_option("--threads", a.threads, "threads per rank (default: cores of the node / its ranks)")
      ->check(CLI::Range(1, most_threads));
  command
      .add_option("--kernel", a.width, "pair kernel: auto, portable, avx2, avx512, neon; never changes a bit")
      ->transform(CLI::CheckedTransformer(widths, CLI::ignore_case));
  command.add_option("--device", a.device, "auto, cpu or cuda")
      ->transform(CLI::CheckedTransformer(devices, CLI::ignore_case));
  command.add_flag("!--no-balance", a.balance,
                   "domains of equal volume, whatever the density; never changes a bit");
}

void add_bench(CLI::App& app, Arguments& a) {
  auto* const bench = app.add_subcommand("bench", "speed of a benchmark system, without output");
  bench->add_option("CASE", a.bench_case, "lj-liquid or kob-andersen")
      ->check(CLI::IsMember({"lj-liquid", "kob-andersen"}));
  bench->add_option("--particles", a.bench_particles, "at least this many")->check(CLI::PositiveNumber);
  bench->add_option("--steps", a.bench_steps, "steps per measurement")->check(CLI::PositiveNumber);
  bench->add_option("--threads", a.threads, "threads per rank")->check(CLI::Range(1, most_threads));
  bench->add_option("--kernel", a.width, "as of run")
      ->transform(CLI::CheckedTransformer(widths, CLI::ignore_case));
}

[[noreturn]] void stop_at_unknown_command(CLI::App const& app, std::string const& word) {
  std::vector<std::string> known;
  for (auto const* command : app.get_subcommands({})) known.push_back(command->get_name());
  std::cerr << "lockstep: \"" << word << "\" is not a command\n    fix: " << did_you_mean(word, known)
            << " (lockstep --help tells what each does)\n";
  std::exit(int(ExitCode::input));
}

}  // namespace

Arguments parse_arguments(int argc, char** argv) {
  Arguments a;
  CLI::App app{
      "Lockstep: molecular dynamics and Monte Carlo. The same input gives the same bits on any ranks, "
      "threads "
      "and nodes, and through any kill and restart.",
      "lockstep"};
  app.set_version_flag("--version", std::string(build_info()));
  app.require_subcommand(1);
  std::string walltime;

  auto* const run =
      app.add_subcommand("run", "runs all stages; continues from the run directory's checkpoint");
  add_input(*run, a);
  run->add_option("--walltime", walltime,
                  "stop with a checkpoint before this much time has passed: 90 min, 4 h, 02:30:00");
  run->add_flag("--quiet", a.quiet, "no table, no progress");
  auto* const check = app.add_subcommand("check", "everything run would verify; no step taken");
  add_input(*check, a);
  auto* const energy =
      app.add_subcommand("energy", "energy, virial and pressure of the starting structure as JSON");
  add_input(*energy, a);
  energy->add_option("--forces", a.forces, "CSV file for the forces: id,fx,fy,fz");
  auto* const info = app.add_subcommand("info", "frames of a trajectory or checkpoint");
  info->add_option("FILE", a.input, "HDF5 file or run directory")->required();
  info->add_flag("--json", a.json, "as JSON");
  auto* const verify =
      app.add_subcommand("verify", "checks one file, or compares the digests of two; exit 1: they differ");
  verify->add_option("A", a.input, "HDF5 file or run directory")->required();
  verify->add_option("B", a.second, "HDF5 file or run directory");
  auto* const bisect =
      app.add_subcommand("bisect", "first step, particle and force term in which two runs differ");
  bisect->add_option("A", a.input, "HDF5 file or run directory")->required();
  bisect->add_option("B", a.second, "HDF5 file or run directory")->required();
  add_bench(app, a);
  app.add_subcommand("doctor", "what processor, MPI, HDF5 and GPU were found, and what is wrong with them");
  auto* const schema = app.add_subcommand("schema", "JSON schema of the input");
  schema->add_flag("--markdown", a.markdown, "the input reference as Markdown");

  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty()) stop_at_unknown_command(app, argv[1]);
    int const code = app.exit(e);
    std::exit(code == 0 ? 0 : int(ExitCode::input));
  }
  if (!walltime.empty()) {
    a.walltime = seconds_of(walltime);
    if (!(a.walltime > 0)) {
      std::cerr << "lockstep: --walltime \"" << walltime
                << "\" is not a time\n    fix: write it as 90 min, 4 h or 02:30:00\n";
      std::exit(int(ExitCode::input));
    }
  }
  static std::map<std::string, Command> const commands{
      {"run", Command::run},     {"check", Command::check},   {"energy", Command::energy},
      {"info", Command::info},   {"verify", Command::verify}, {"bisect", Command::bisect},
      {"bench", Command::bench}, {"doctor", Command::doctor}, {"schema", Command::schema}};
  a.command = commands.at(app.get_subcommands().front()->get_name());
  return a;
}

}  // namespace lockstep
