#include "report.h"

#include <charconv>

#include <fmt/format.h>

#include "assemble.h"

namespace phobos::cli {
namespace {

// The number that stands before `what`.
std::optional<std::int64_t> number_before(std::string_view log, std::string_view what) {
  const std::size_t at = log.find(what);
  if (at == std::string_view::npos) return std::nullopt;
  std::size_t begin = at;
  while (begin > 0 && log[begin - 1] >= '0' && log[begin - 1] <= '9') --begin;
  std::int64_t value = 0;
  if (std::from_chars(log.data() + begin, log.data() + at, value).ec != std::errc()) return std::nullopt;
  return value;
}

std::string position_text(const Source& source, Span span) {
  const Position at = source.snapshot->lines().position(source.snapshot->text(), span.begin, Encoding::Utf8);
  return fmt::format("{}:{}:{}", source.name(), at.line + 1, at.column + 1);
}

std::string limit_text(std::string_view limit) {
  if (limit == "threads") return "its threads";
  if (limit == "ctas") return "the CTAs that a multiprocessor keeps";
  return limit == "shared" ? "shared memory" : "registers";
}

}  // namespace

std::optional<Resources> read_resources(std::string_view log, std::string_view entry) {
  if (const std::size_t at = log.find(fmt::format("entry function '{}'", entry)); at != std::string_view::npos) log.remove_prefix(at);
  const auto registers = number_before(log, " registers");
  if (!registers) return std::nullopt;
  Resources resources;
  resources.registers = static_cast<int>(*registers);
  resources.spill_stores = number_before(log, " bytes spill stores").value_or(0);
  resources.spill_loads = number_before(log, " bytes spill loads").value_or(0);
  resources.stack = number_before(log, " bytes stack frame").value_or(0);
  return resources;
}

Result<Report> make_report(const ir::Kernel& kernel, const nvptx::Compiled& compiled, const std::string& chip, const std::optional<std::string>& ptxas) {
  Report report;
  report.kernel = kernel.name;
  report.chip = passes::find_chip(chip);
  report.threads = kernel.threads;
  report.constants = kernel.constants;
  report.shared_bytes = compiled.shared_bytes;
  report.dynamic_shared_bytes = compiled.dynamic_shared_bytes;
  report.decisions = compiled.decisions;
  if (compiled.bulk) report.bulk = {*compiled.bulk, {}};
  if (ptxas) {
    const Result<Assembled> assembled = assemble(*ptxas, compiled.text, chip);
    if (!assembled) return assembled.error();
    report.resources = read_resources(assembled->log, compiled.entry);
    if (report.bulk) report.bulk->resources = read_resources(assembled->log, compiled.bulk->entry);
    if (!report.resources) report.resources_missing = "ptxas did not say";
  } else {
    report.resources_missing = "ptxas, of the CUDA toolkit, is not installed";
  }
  report.occupancy = passes::occupancy(*report.chip, kernel.threads, report.resources ? report.resources->registers : 1,
                                      std::int64_t{compiled.shared_bytes} + compiled.dynamic_shared_bytes);
  return report;
}

namespace {

Json resources_json(const std::optional<Resources>& resources) {
  if (!resources) return nullptr;
  return {{"registers", resources->registers}, {"spill_store_bytes", resources->spill_stores}, {"spill_load_bytes", resources->spill_loads},
          {"stack_bytes", resources->stack}};
}

std::string resources_text(const Resources& resources) {
  const std::int64_t spilled = resources.spill_stores + resources.spill_loads;
  return fmt::format("{} a thread, {}", resources.registers,
                     spilled == 0 ? "nothing spilled" : fmt::format("{} bytes of spills stored and {} loaded", resources.spill_stores, resources.spill_loads));
}

}  // namespace

Json report_json(const Source& source, const Report& report) {
  Json constants = Json::object(), decisions = Json::array(), bulk = nullptr;
  for (const auto& [name, value] : report.constants) constants[name] = value;
  for (const ir::Decision& decision : report.decisions)
    decisions.push_back({{"kind", ir::name_of(decision.kind)}, {"range", decision.span == Span{} ? Json(nullptr) : range_json(source, decision.span)},
                         {"what", decision.what}, {"path", decision.path}, {"reason", decision.reason}, {"masked", decision.masked},
                         {"fast", decision.fast}});
  if (report.bulk)
    bulk = {{"entry", report.bulk->entry.entry}, {"threads", report.bulk->entry.threads}, {"dynamic_shared_bytes", report.bulk->entry.dynamic_shared_bytes},
            {"resources", resources_json(report.bulk->resources)}};
  return {{"file", source.path}, {"kernel", report.kernel}, {"chip", report.chip->name}, {"threads", report.threads},
          {"constants", std::move(constants)}, {"chosen_by", report.chosen_by.empty() ? Json(nullptr) : Json(report.chosen_by)}, {"resources", resources_json(report.resources)}, {"resources_missing", report.resources_missing},
          {"shared_bytes", report.shared_bytes}, {"dynamic_shared_bytes", report.dynamic_shared_bytes},
          {"occupancy", {{"ctas", report.occupancy.ctas}, {"warps", report.occupancy.warps}, {"of_warps", report.chip->warps},
                         {"share", report.occupancy.share}, {"limit", report.occupancy.limit}, {"registers_known", report.resources.has_value()}}},
          {"bulk", std::move(bulk)}, {"decisions", std::move(decisions)}};
}

std::string report_text(const Source& source, const Report& report) {
  std::string text = fmt::format("{} for {}\n", report.kernel, report.chip->name);
  const auto row = [&](std::string_view head, const std::string& what) { text += fmt::format("  {:<10} {}\n", head, what); };
  std::string constants;
  for (const auto& [name, value] : report.constants) constants += fmt::format("{}{}={}", constants.empty() ? "" : " ", name, value);
  if (report.chosen_by == "cost") row("constants", constants + ", which should be the fastest for these dimensions");
  row("threads", fmt::format("{} a CTA", report.threads));
  row("registers", report.resources ? resources_text(*report.resources) : "not known: " + report.resources_missing);
  row("shared", report.dynamic_shared_bytes != 0 ? fmt::format("{} bytes, dynamic", report.dynamic_shared_bytes)
                                                 : fmt::format("{} bytes", report.shared_bytes));
  const passes::Occupancy& occupancy = report.occupancy;
  row("occupancy", fmt::format("{}{} CTAs a multiprocessor, {} of its {} warps; {} more out", report.resources ? "" : "at most ", occupancy.ctas,
                               occupancy.warps, report.chip->warps, limit_text(occupancy.limit) + (occupancy.limit == "threads" || occupancy.limit == "ctas" || occupancy.limit == "registers" ? " keep" : " keeps")));
  if (report.bulk)
    row("bulk entry", fmt::format("{} threads, {} bytes of shared memory, one CTA a multiprocessor{}", report.bulk->entry.threads, report.bulk->entry.dynamic_shared_bytes,
                                  report.bulk->resources ? "; registers at launch: " + resources_text(*report.bulk->resources) : ""));
  for (const ir::Decision& decision : report.decisions) {
    text += fmt::format("{}: {}: {}: {}\n", decision.span == Span{} ? source.name() : position_text(source, decision.span),
                        ir::name_of(decision.kind), decision.what, decision.path);
    if (!decision.reason.empty()) text += fmt::format("    why: {}\n", decision.reason);
  }
  return text;
}

}  // namespace phobos::cli
