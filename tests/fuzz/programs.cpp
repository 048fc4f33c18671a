// Random programs, run:  programs [SEED [COUNT]] [--emulate] [--emit FOLDER]
//
// Each is compiled and run on the simulator with every value computed in each thread, so that a value inferred uniform or
// warp-uniform that is not is found; then again with another number of workers, which must change nothing. A program that fails is
// printed; its seed makes it again. --emulate also runs what is emitted for the GPU, on the emulator. --emit writes the programs
// as files, with what the simulator gave as expectations beside them, for `phobos test` on another device (tools/gpu-check).
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <phobos/launch/compare.h>
#include <phobos/launch/emulated.h>
#include <phobos/launch/npy.h>
#include <phobos/lower/lower.h>
#include <phobos/session/session.h>

#include "program_generator.h"

namespace {

using namespace phobos;

struct Tally {
  std::uint64_t programs = 0, given_up = 0, removed = 0, lines = 0;
  std::map<std::string, std::uint64_t> findings;  // by code

  static bool racy(const launch::Execution& execution) {
    for (const diag::Diagnostic& finding : execution.findings)
      if (finding.severity == diag::Severity::Error) return true;
    return false;
  }
};

[[noreturn]] void fail(std::uint64_t seed, const std::string& text, const std::string& why) {
  fmt::print(stderr, "{}\nseed {}: {}\n", text, seed, why);
  std::exit(1);
}

launch::Execution execute(const ir::Kernel& kernel, launch::Bound& bound, const launch::Grid& grid, bool check, int workers) {
  sim::Options options;
  options.check_kinds = check;
  options.workers = workers;
  options.step_budget = 5'000'000;
  return launch::run_on_simulator(kernel, bound, grid, options);
}

// As a file with two run lines: integers are expected exactly, floats within a tolerance.
void write_case(const std::filesystem::path& folder, std::uint64_t seed, std::string text, const ir::Kernel& kernel, const launch::Bound& bound) {
  const std::string stem = fmt::format("p{}", seed);
  std::string integers, reals;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto* tensor = std::get_if<launch::HostTensor>(&bound.arguments[i]);
    if (!tensor || !kernel.parameters[i].written) continue;
    const std::string file = fmt::format("{}.{}.npy", stem, kernel.parameters[i].name);
    if (const auto written = launch::write_npy(folder / file, *tensor); !written) fail(seed, text, written.message());
    (is_float(tensor->element) ? reals : integers) += fmt::format(" {}={}", kernel.parameters[i].name, file);
  }
  const std::size_t begin = text.find("//# run"), end = text.find('\n', begin);
  const std::string line = text.substr(begin, end - begin);
  std::string lines;
  if (!integers.empty()) lines += line + " expect" + integers + " rtol=0\n";
  if (!reals.empty()) lines += line + " expect" + reals + " rtol=0.02 atol=0.02\n";
  if (lines.empty()) return;  // nothing to see
  text.replace(begin, end + 1 - begin, lines);
  std::ofstream(folder / (stem + ".ph")) << text;
}

constexpr launch::Tolerance tolerance{0.02, 0.02};

// What was emitted against what the simulator gave; threads in an order that the seed gives.
void emulate_too(std::uint64_t seed, const std::string& text, const ir::Kernel& kernel, launch::Bound bound, const launch::Bound& expected, const launch::Grid& grid) {
  nvptx::Options options;
  options.file = "k.ph";
  options.source = text;
  const auto chips = passes::chips();
  options.chip = std::string(chips[seed % chips.size()].name);
  emulate::Options emulation;
  emulation.seed = seed;
  emulation.step_budget = 50'000'000;
  const Result<launch::Execution> execution = launch::run_on_emulator(kernel, options, bound, grid, emulation);
  if (!execution) fail(seed, text, execution.message());
  for (const diag::Diagnostic& finding : execution->findings) fail(seed, text, fmt::format("{} (at {})", finding.message, finding.location.span.begin));
  for (std::size_t i = 0; i < bound.arguments.size(); ++i) {
    const auto *a = std::get_if<launch::HostTensor>(&bound.arguments[i]), *b = std::get_if<launch::HostTensor>(&expected.arguments[i]);
    if (!a || !kernel.parameters[i].written) continue;
    const bool real = is_float(a->element);
    const launch::Comparison same = launch::compare(*a, *b, real ? tolerance : launch::Tolerance{});
    if (!same.same) fail(seed, text, fmt::format("the emulator's `{}`: {}", kernel.parameters[i].name, same.message));
  }
}

void try_seed(std::uint64_t seed, Tally& tally, const char* emit, bool emulated) {
  const fuzz::Program program = fuzz::generate_program(seed);
  tally.removed += static_cast<std::uint64_t>(program.removed);
  if (program.text.empty()) {
    ++tally.given_up;
    return;
  }
  ++tally.programs;
  for (const char c : program.text) tally.lines += c == '\n';
  session::Session session(program.text);
  const auto snapshot = session.snapshot();
  const session::ItemView* view = snapshot->kernel_named("k");
  if (!view) fail(seed, program.text, "the kernel is gone");
  const Result<ir::Kernel> kernel = lower::lower(view->analysis->checked, view->analysis->kinds, {view->origins});
  if (!kernel.ok()) fail(seed, program.text, "lowering: " + kernel.message());
  const Result<launch::Request> request = launch::parse_run_line(snapshot->run_lines(*view).front().text);
  if (!request) fail(seed, program.text, request.message());
  Result<launch::Bound> bound = launch::bind_arguments(*kernel, request->arguments, ".");
  if (!bound) fail(seed, program.text, bound.message());
  launch::Bound again = *bound;
  const launch::Bound inputs = *bound;
  const launch::Grid grid = request->grid.value_or(launch::Grid{1, 1, 1});

  const launch::Execution checked = execute(*kernel, *bound, grid, true, 1);
  for (const diag::Diagnostic& finding : checked.findings) {
    const std::string code(diag::info(finding.code).code);
    ++tally.findings[code];
    if (code == "PH0603" || code == "PH0601" || code == "PH0602" || code == "PH0604" || code == "PH0605")
      fail(seed, program.text, code + ": " + finding.message);
  }
  if (!checked.finished) return;
  const launch::Execution plain = execute(*kernel, again, grid, false, 2);
  if (!plain.finished) fail(seed, program.text, "a run without checks was stopped");
  for (std::size_t i = 0; i < again.arguments.size(); ++i) {
    const auto *a = std::get_if<launch::HostTensor>(&bound->arguments[i]), *b = std::get_if<launch::HostTensor>(&again.arguments[i]);
    if (a && a->data != b->data) fail(seed, program.text, fmt::format("`{}` depends on checks or workers", kernel->parameters[i].name));
  }
  const bool racy = tally.racy(checked);
  if (emulated && !racy) emulate_too(seed, program.text, *kernel, inputs, again, grid);
  if (emit && !racy) write_case(emit, seed, program.text, *kernel, again);
}

}  // namespace

int main(int count, char** words) {
  std::uint64_t numbers[2] = {1, 300};
  int given = 0;
  const char* emit = nullptr;
  bool emulated = false;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "--emit") == 0 && i + 1 < count) emit = words[++i];
    else if (std::strcmp(words[i], "--emulate") == 0) emulated = true;
    else if (std::strcmp(words[i], "--print") == 0 && i + 1 < count) {
      std::puts(phobos::fuzz::generate_program(std::strtoull(words[++i], nullptr, 10)).text.c_str());
      return 0;
    } else if (given < 2) {
      numbers[given++] = std::strtoull(words[i], nullptr, 10);
    }
  }
  if (emit) std::filesystem::create_directories(emit);
  Tally tally;
  for (std::uint64_t seed = numbers[0]; seed < numbers[0] + numbers[1]; ++seed) try_seed(seed, tally, emit, emulated);
  fmt::print("{} programs of {:.1f} lines, {:.1f} statements of each taken out, {} given up", tally.programs,
             tally.programs ? static_cast<double>(tally.lines) / static_cast<double>(tally.programs) : 0,
             tally.programs ? static_cast<double>(tally.removed) / static_cast<double>(tally.programs) : 0, tally.given_up);
  for (const auto& [code, times] : tally.findings) fmt::print(", {} {}", times, code);
  fmt::print("\n");
  return tally.programs > 0 ? 0 : 1;
}
