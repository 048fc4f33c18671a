// Programs, compiled for the emulator and bound to arguments.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <phobos/launch/compare.h>
#include <phobos/launch/emulated.h>
#include <phobos/launch/execute.h>
#include <phobos/launch/grid.h>
#include <phobos/lower/lower.h>
#include <phobos/passes/passes.h>
#include <phobos/session/session.h>

namespace phobos {

struct Program {
  std::string text;
  ir::Kernel kernel;
  launch::Bound bound;
  launch::Grid grid{1, 1, 1};
  nvptx::Options options;
  nvptx::Compiled module;
};

inline Program compile(std::string text, std::string_view name, std::string_view arguments, const std::filesystem::path& folder = ".") {
  Program program;
  program.text = std::move(text);
  session::Session session(program.text);
  const auto snapshot = session.snapshot();
  for (const diag::Diagnostic& diagnostic : snapshot->diagnostics())
    if (diagnostic.severity == diag::Severity::Error) FAIL(diagnostic.message);
  const session::ItemView* view = snapshot->kernel_named(name);
  REQUIRE(view);
  const Result<ir::Kernel> kernel = lower::lower(view->analysis->checked, view->analysis->kinds, {view->origins});
  REQUIRE_MESSAGE(kernel.ok(), kernel.message());
  program.kernel = *kernel;
  const Result<launch::Request> request = launch::parse_run_line(arguments);
  REQUIRE_MESSAGE(request.ok(), request.message());
  std::vector<launch::Given> given = request->arguments;
  for (const launch::Given& expected : request->expects) given.push_back({expected.name, "zeros"});
  Result<launch::Bound> bound = launch::bind_arguments(program.kernel, given, folder);
  REQUIRE_MESSAGE(bound.ok(), bound.message());
  program.bound = *bound;
  program.grid = request->grid ? *request->grid : *launch::infer_grid(program.kernel, program.bound.dimensions);
  program.options.source = program.text;
  program.options.file = "kernel.ph";
  ir::Kernel optimised = program.kernel;
  passes::run_pipeline(optimised, passes::chip_named("sm_90a"));
  const nvptx::Outcome module = nvptx::emit_llvm(optimised, program.options);
  REQUIRE_MESSAGE(module.ok(), module.message());
  program.module = *module;
  return program;
}

inline launch::Execution run_emulated(const Program& program, launch::Bound& bound, const nvptx::Compiled& module, std::uint64_t seed) {
  emulate::Options options;
  options.seed = seed;
  options.step_budget = 50'000'000;
  const Result<launch::Execution> execution = launch::run_on_emulator(program.kernel, module, program.options, bound, program.grid, options);
  REQUIRE_MESSAGE(execution.ok(), execution.message());
  return *execution;
}

// Empty where both agree.
inline std::string difference(const Program& program, const launch::Bound& actual, const launch::Bound& expected, double absolute = 0) {
  for (std::size_t i = 0; i < actual.arguments.size(); ++i) {
    const auto *a = std::get_if<launch::HostTensor>(&actual.arguments[i]), *b = std::get_if<launch::HostTensor>(&expected.arguments[i]);
    if (!a || !program.kernel.parameters[i].written) continue;
    const launch::Comparison same = launch::compare(*a, *b, launch::tolerance_for(*a, *b, 1e-3, absolute > 0 ? std::optional(absolute) : std::nullopt));
    if (!same.same) return program.kernel.parameters[i].name + ": " + same.message;
  }
  return {};
}

// With both entries, whether the second is worth it or not: tiles are small here.
inline Program compile_both(const std::string& text, std::string_view arguments) {
  Program program = compile(text, "k", arguments);
  const passes::Chip& chip = passes::chip_named(program.options.chip);
  nvptx::BulkKernel bulk{program.kernel, {}};
  passes::run_pipeline(bulk.kernel, chip, "remove_dead");
  bulk.plan = passes::plan_bulk_copies(bulk.kernel, chip);
  ir::Kernel plain = program.kernel;
  passes::run_pipeline(plain, chip);
  const nvptx::Outcome module = nvptx::emit_llvm(plain, program.options, bulk.plan.why_not.empty() ? &bulk : nullptr);
  REQUIRE_MESSAGE(module.ok(), module.message());
  program.module = *module;
  return program;
}

// The emulator against the simulator.
inline void expect_agreement(const Program& program, std::uint64_t seed, double absolute = 0) {
  launch::Bound expected = program.bound, bound = program.bound;
  launch::run_on_simulator(program.kernel, expected, program.grid, {});
  const launch::Execution execution = run_emulated(program, bound, program.module, seed);
  CHECK_MESSAGE(execution.findings.empty(), (execution.findings.empty() ? "" : execution.findings[0].message));
  CHECK(difference(program, bound, expected, absolute) == "");
}

// What became of a program without each of its calls of a helper in turn.
struct Removed {
  std::string call, text;  // `text`: those that nobody missed
  int calls = 0, kept = 0;
};

inline std::vector<Removed> remove_each_call(const Program& program, const launch::Bound& expected, const std::vector<std::string>& helpers) {
  const std::size_t entry = program.module.text.find("@" + program.module.bulk->entry + "(");
  const auto missed = [&](std::size_t at) {
    nvptx::Compiled broken = program.module;
    const std::size_t begin = broken.text.rfind('\n', at) + 1;
    broken.text.erase(begin, broken.text.find('\n', begin) - begin);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      launch::Bound bound = program.bound;
      const launch::Execution execution = run_emulated(program, bound, broken, seed);
      if (!execution.finished || !difference(program, bound, expected).empty()) return true;
    }
    return false;
  };
  std::vector<Removed> all;
  for (const std::string& helper : helpers) {
    Removed& one = all.emplace_back(Removed{helper, helper + ": number", 0, 0});
    const std::string call = "call void " + helper;
    for (std::size_t at = program.module.text.find(call, entry); at != std::string::npos; at = program.module.text.find(call, at + 1)) {
      ++one.calls;
      if (missed(at)) continue;
      ++one.kept;
      one.text += " " + std::to_string(one.calls);
    }
  }
  return all;
}

}  // namespace phobos
