#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include <phobos/ir/text.h>
#include <phobos/launch/cache.h>
#include <phobos/launch/contract.h>
#include <phobos/launch/execute.h>
#include <phobos/passes/passes.h>
#include <phobos/support/number.h>

#include "../assemble.h"
#include "../devices.h"
#include "../kernel.h"
#include "../output.h"
#include "../report.h"
#include "../syntax_text.h"
#include "../variants.h"
#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  std::string file, kernel, after, contract, choose;
  std::string emit = "ptx";
  std::string output = "-";
  bool with_source = false;
  std::vector<std::string> words;
};

struct Artefact {
  std::string bytes;
};

// The tile IR as lowering gives it, or after the passes up to one.
OrStop<Artefact> emit_ir(ir::Kernel kernel, const std::string& chip, const std::string& after) {
  if (after.empty()) return Artefact{ir::print(kernel)};
  if (passes::run_pipeline(kernel, passes::chip_named(chip), after)) return Artefact{ir::print(kernel)};
  std::string names;
  for (const passes::Pass& pass : passes::pipeline()) names += fmt::format("{}{}", names.empty() ? "" : ", ", pass.name);
  return Stop{exit_usage, fmt::format("there is no pass `{}`; in order: {}", after, names), {}};
}

// What is said of dimensions, where one is none.
std::optional<Stop> refused_dimension(const LoweredKernel& lowered) {
  const std::vector<std::string>& dimensions = lowered.kernel.dimensions;
  for (const launch::Given& each : lowered.arguments) {
    if (std::find(dimensions.begin(), dimensions.end(), each.name) == dimensions.end() || parse_integer(each.value).value_or(-1) >= 0) continue;
    return Stop{exit_usage, fmt::format("the dimension `{}` is a number that is not negative, not `{}`", each.name, each.value), {}};
  }
  return std::nullopt;
}

// For a launch of which all dimensions are said: constants that should be the fastest, by the model. None: those that it has.
std::optional<Cheapest> for_shape(const Arguments& arguments, const Source& source, const session::ItemView& view, const LoweredKernel& lowered,
                                  const std::vector<launch::Given>& given, const std::string& chip, const device::Worker* gpu) {
  if (arguments.choose == "first" || lowered.kernel.constants.empty() || lowered.kernel.dimensions.empty()) return std::nullopt;
  Shape shape{chip, gpu == nullptr ? 0 : gpu->info().multiprocessors, {}, {}};
  for (const std::string& dimension : lowered.kernel.dimensions) {
    const auto said = std::find_if(lowered.arguments.begin(), lowered.arguments.end(), [&](const launch::Given& each) { return each.name == dimension; });
    const std::optional<std::int64_t> extent = said == lowered.arguments.end() ? std::nullopt : parse_integer(said->value);
    if (!extent) return std::nullopt;
    shape.dimensions.push_back(*extent);
  }
  const Result<Choices> choices = choices_of(view, given);
  if (!choices || choices->space.axes.empty()) return std::nullopt;
  return cheapest(source, view, given, choices->space, shape);
}

OrStop<Artefact> emit_code(const Arguments& arguments, const Source& source, const ir::Kernel& kernel, const std::string& chip, const std::string& chosen_by) {
  nvptx::Options options;
  options.chip = chip;
  options.file = source.name();
  options.source = source.snapshot->text();
  if (arguments.emit == "llvm") {
    const nvptx::Outcome llvm = launch::compile_to_llvm(kernel, options);
    if (!llvm) return stop_of(llvm.error());
    return Artefact{llvm->text};
  }
  // Only code is kept, not what was decided for it.
  const bool cached = !arguments.no_cache && arguments.emit != "report";
  const nvptx::Outcome compiled = launch::compile(kernel, options, cached ? launch::CodeCache::from_environment() : launch::CodeCache());
  if (!compiled) return stop_of(compiled.error());
  if (!arguments.contract.empty())
    if (const Result<void> written = write_output(arguments.contract, launch::contract_json(kernel, *compiled, chip)); !written)
      return Stop{exit_failed, written.message(), {}};
  if (arguments.emit == "contract") return Artefact{launch::contract_json(kernel, *compiled, chip)};
  if (arguments.emit == "ptx" && arguments.with_source) return Artefact{nvptx::with_source(compiled->text, options.file, options.source)};
  if (arguments.emit == "ptx") return Artefact{compiled->text};
  const std::optional<std::string> ptxas = find_ptxas();
  if (arguments.emit == "report") {
    Result<Report> report = make_report(kernel, *compiled, chip, ptxas);
    if (!report) return Stop{exit_failed, report.message(), {}};
    report->chosen_by = chosen_by;
    return Artefact{arguments.json ? report_json(source, *report).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" : report_text(source, *report)};
  }
  if (!ptxas) return Stop{exit_unavailable, "a cubin is made by ptxas, of the CUDA toolkit, which is not on PATH", {}};
  Result<Assembled> assembled = assemble(*ptxas, compiled->text, chip);
  if (!assembled) return Stop{exit_failed, assembled.message(), {}};
  return Artefact{std::move(assembled->cubin)};
}

OrStop<Artefact> emit(const Arguments& arguments, const Source& source) {
  const OrStop<const session::ItemView*> kernel = choose_kernel(source, arguments.kernel);
  if (const Stop* stop = std::get_if<Stop>(&kernel)) return *stop;
  launch::Request request;
  if (const Result<void> words = launch::parse_words(arguments.words, request); !words) return Stop{exit_usage, words.message(), {}};
  OrStop<LoweredKernel> lowered = lower_kernel(source, *std::get<const session::ItemView*>(kernel), request.arguments);
  if (const Stop* stop = std::get_if<Stop>(&lowered)) return *stop;
  if (const std::optional<Stop> stop = refused_dimension(std::get<LoweredKernel>(lowered))) return *stop;
  Devices devices;
  const device::Worker* gpu = nullptr;  // which is not asked where it is said
  if (arguments.chip.empty() && devices.gpu()) gpu = devices.gpu().value().get();
  const Result<std::string> chip = chip_for(arguments.chip, gpu);
  if (!chip) return Stop{exit_usage, chip.message(), {}};
  const session::ItemView& view = *std::get<const session::ItemView*>(kernel);
  const std::optional<Cheapest> best = for_shape(arguments, source, view, std::get<LoweredKernel>(lowered), request.arguments, *chip, gpu);
  const auto is_given = [&](const auto& constant) { return std::any_of(request.arguments.begin(), request.arguments.end(), [&](const launch::Given& each) { return each.name == constant.first; }); };
  const auto& constants = std::get<LoweredKernel>(lowered).kernel.constants;
  const std::string chosen_by = best ? "cost" : constants.empty() ? "" : std::all_of(constants.begin(), constants.end(), is_given) ? "given" : "default";
  if (best) {
    if (arguments.verbose && !arguments.json) say(fmt::format("with {}, which of {} choices should be the fastest: {:.4g} ms by estimate", text_of(best->constants), best->of, best->milliseconds));
    request.arguments.insert(request.arguments.end(), best->constants.begin(), best->constants.end());
    lowered = lower_kernel(source, view, request.arguments);
    if (const Stop* stop = std::get_if<Stop>(&lowered)) return *stop;
  }
  ir::Kernel& ir = std::get<LoweredKernel>(lowered).kernel;
  if (arguments.emit == "tir" || arguments.emit == "ir") return emit_ir(std::move(ir), *chip, arguments.after);
  return emit_code(arguments, source, ir, *chip, chosen_by);
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text += at + i > bytes.size() ? '=' : digits[group >> (18 - 6 * i) & 63u];
  }
  return text;
}

// Whether something would be written over the source, or over itself.
std::optional<std::string> overwritten(const Arguments& arguments) {
  const auto same = [](const std::string& a, const std::string& b) {
    std::error_code fault;
    return a != "-" && b != "-" && !a.empty() && !b.empty() && (a == b || std::filesystem::equivalent(a, b, fault));
  };
  for (const std::string& written : {arguments.output, arguments.contract})
    if (same(written, arguments.file)) return fmt::format("{} is the source: nothing is written over it", written);
  if (same(arguments.output, arguments.contract)) return fmt::format("{} cannot hold both what is built and its contract", arguments.output);
  return std::nullopt;
}

// As one document: what was made, or why it was not. A cubin is no text: where it goes into no file, it is in base 64.
void put_document(const Arguments& arguments, const Source* source, const OrStop<Artefact>& made) {
  const auto* artefact = std::get_if<Artefact>(&made);
  const auto* stop = std::get_if<Stop>(&made);
  const bool in_file = arguments.output != "-";
  Json json = {{"file", arguments.file},
               {"emit", arguments.emit},
               {"status", artefact != nullptr ? "ok" : "failed"},
               {"message", stop == nullptr ? "" : stop->reason()},
               {"output", in_file && artefact != nullptr ? Json(arguments.output) : Json(nullptr)},
               {"bytes", artefact != nullptr ? Json(artefact->bytes.size()) : Json(nullptr)},
               {"text", artefact != nullptr && !in_file && arguments.emit != "cubin" ? Json(artefact->bytes) : Json(nullptr)},
               {"base64", artefact != nullptr && !in_file && arguments.emit == "cubin" ? Json(base64(artefact->bytes)) : Json(nullptr)},
               {"diagnostics", source != nullptr && stop != nullptr ? diagnostics_json(*source, stop->diagnostics) : Json::array()}};
  put_json(json);
}

int refuse(const Arguments& arguments, const Source* source, const Stop& stop) {
  if (arguments.json) put_document(arguments, source, stop);
  else if (source != nullptr) std::fputs(diagnostics_text(*source, stop.diagnostics, use_color(arguments, STDERR_FILENO)).c_str(), stderr);
  if (!stop.message.empty()) say(stop.message);
  return stop.exit;
}

int build(const Arguments& arguments) {
  const Result<Source> source = open_source(arguments.file);
  if (!source) return refuse(arguments, nullptr, {exit_usage, source.message(), {}});
  if (!arguments.after.empty() && arguments.emit != "tir" && arguments.emit != "ir")
    return refuse(arguments, &*source, {exit_usage, "--after goes with --emit tir", {}});
  if (arguments.with_source && arguments.emit != "ptx") return refuse(arguments, &*source, {exit_usage, "--with-source goes with --emit ptx", {}});
  if (!arguments.contract.empty() && arguments.emit != "ptx" && arguments.emit != "cubin")
    return refuse(arguments, &*source, {exit_usage, "--contract goes with --emit ptx and --emit cubin", {}});
  if (const auto over = overwritten(arguments)) return refuse(arguments, &*source, {exit_usage, *over, {}});
  const OrStop<Artefact> made = arguments.emit == "ast" ? OrStop<Artefact>(Artefact{syntax_text(*source)}) : emit(arguments, *source);
  if (const Stop* stop = std::get_if<Stop>(&made)) return refuse(arguments, &*source, *stop);
  const bool document = arguments.json && arguments.emit != "report";  // which is one already
  if (!document || arguments.output != "-")
    if (const Result<void> written = write_output(arguments.output, std::get<Artefact>(made).bytes); !written)
      return refuse(arguments, &*source, {exit_failed, written.message(), {}});
  if (document) put_document(arguments, &*source, made);
  return exit_done;
}

}  // namespace

void add_build(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("build", "Compile one kernel");
  command->add_option("FILE", arguments->file, "The file; - is standard input")->required()->check(not_empty());
  command->add_option("NAME=VALUE", arguments->words, "Constants; where all dimensions are given as well, constants that are not are those that should be the fastest for them");
  command->add_option("-o", arguments->output, "Where to write it; else standard output")->check(not_empty());
  command->add_option("--contract", arguments->contract, "Where to write the launch contract beside the PTX")->check(not_empty());
  command->add_option("--choose", arguments->choose, "first: constants that are not given are the defaults, whatever dimensions are given; cost: else")
      ->check(CLI::IsMember({"cost", "first"}));
  command->add_option("--emit", arguments->emit, "ptx, llvm, tir, contract, report, cubin or ast")
      ->check(CLI::IsMember({"ptx", "llvm", "tir", "ir", "contract", "report", "cubin", "ast"}));
  command->add_option("--after", arguments->after, "With --emit tir: after that pass");
  command->add_flag("--with-source", arguments->with_source, "With --emit ptx: source lines as comments above what they became");
  command->add_option("--kernel", arguments->kernel, "Which kernel, where the file has several")->check(not_empty());
  add_common(*command, *arguments);
  command->callback([=, &chosen] { chosen = [=] { return build(*arguments); }; });
}

}  // namespace phobos::cli
