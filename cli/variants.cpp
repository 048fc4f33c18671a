#include "variants.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <phobos/launch/cache.h>
#include <phobos/launch/generator.h>
#include <phobos/launch/grid.h>
#include <phobos/launch/work.h>
#include <phobos/tune/estimate.h>
#include <phobos/tune/forecast.h>

#include "assemble.h"
#include "report.h"

namespace phobos::cli {
namespace {

// What a check on the simulator may take: operations, and bytes of tensors.
constexpr double most_operations = 1e8, most_bytes = 16e6;
constexpr std::int64_t most_steps = 200'000'000;  // of a CTA on the simulator

std::string reason(const Stop& stop) {
  if (!stop.message.empty()) return stop.message;
  for (const diag::Diagnostic& each : stop.diagnostics)
    if (each.severity == diag::Severity::Error) return each.message;
  return "it cannot be built";
}

std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

double bytes_of(const launch::Bound& bound) {
  double bytes = 0;
  for (const launch::Argument& argument : bound.arguments)
    if (const auto* tensor = std::get_if<launch::HostTensor>(&argument)) bytes += static_cast<double>(tensor->data.size());
  return bytes;
}

// Of each written tensor, whether it is what it should be; what differs, of the first that does not.
std::string difference(const ir::Kernel& kernel, const launch::Bound& actual, const launch::Bound& expected, const launch::Request& request, std::string_view against) {
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    const auto* got = std::get_if<launch::HostTensor>(&actual.arguments[p]);
    const auto* wanted = std::get_if<launch::HostTensor>(&expected.arguments[p]);
    if (got == nullptr || wanted == nullptr || !kernel.parameters[p].written) continue;
    if (got->shape != wanted->shape) continue;  // a shape that follows from the constants
    const launch::Comparison comparison = launch::compare(*got, *wanted, launch::tolerance_for(*got, *wanted, request.rtol, request.atol));
    if (!comparison.same) return fmt::format("`{}` against {}: {}", kernel.parameters[p].name, against, comparison.message);
  }
  return {};
}

}  // namespace

std::string text_of_kernel(const session::ItemView& kernel) {
  std::string text = kernel.item().text;
  for (const auto& function : kernel.analysis->checked.functions) text += "\n" + function->text;
  return text;
}

Result<Choices> choices_of(const session::ItemView& kernel, const std::vector<launch::Given>& arguments) {
  Choices choices;
  const auto& autotune = kernel.analysis->checked.attributes.autotune;
  std::vector<std::string> names;
  for (const sema::AutotuneConstant& constant : autotune) names.push_back(constant.name);
  const Result<launch::SplitArguments> split = launch::split_constants(arguments, names);
  if (!split) return split.error();
  const auto is_extent = [&](const std::string& name) {
    const auto& parameters = kernel.item().parameters;
    return std::any_of(parameters.begin(), parameters.end(), [&](const syntax::Parameter& each) {
      return std::any_of(each.type.dims.begin(), each.type.dims.end(), [&](const syntax::DimSyntax& dim) {
        const auto* written = std::get_if<std::string>(&dim.value);
        return written != nullptr && *written == name;
      });
    });
  };
  for (const sema::AutotuneConstant& constant : autotune) {
    const auto given = split->constants.find(constant.name);
    if (given != split->constants.end()) choices.fixed.emplace_back(constant.name, given->second);
    else if (is_extent(constant.name)) choices.fixed.emplace_back(constant.name, constant.value);
    else choices.space.axes.push_back({constant.name, constant.choices});
  }
  return choices;
}

std::string text_of(const std::vector<launch::Given>& constants) {
  std::string text;
  for (const launch::Given& each : constants) text += fmt::format("{}{}={}", text.empty() ? "" : " ", each.name, each.value);
  return text;
}

std::optional<Cheapest> cheapest(const Source& source, const session::ItemView& kernel, const std::vector<launch::Given>& arguments, const tune::Space& space, const Shape& shape) {
  constexpr std::size_t most = 512;  // of a larger space so many, spread over it
  const std::size_t size = space.size(), count = std::min(size, most);
  std::optional<Cheapest> best;
  std::size_t of = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t number = size / count * i;
    std::vector<launch::Given> constants;
    for (const tune::Axis& axis : space.axes) {
      constants.push_back({axis.name, std::to_string(axis.values[number % axis.values.size()])});
      number /= axis.values.size();
    }
    std::vector<launch::Given> all = arguments;
    all.insert(all.end(), constants.begin(), constants.end());
    const OrStop<LoweredKernel> lowered = lower_kernel(source, kernel, all);
    if (std::holds_alternative<Stop>(lowered)) continue;
    const ir::Kernel& ir = std::get<LoweredKernel>(lowered).kernel;
    const Result<launch::Grid> grid = shape.grid ? Result<launch::Grid>(*shape.grid) : launch::infer_grid(ir, shape.dimensions);
    if (!grid || !launch::check_grid(*grid)) continue;
    const Result<tune::Load> load = tune::forecast(ir, passes::chip_named(shape.chip), shape.dimensions, *grid, shape.multiprocessors);
    if (!load) continue;
    ++of;
    const double milliseconds = tune::estimated_milliseconds(*load);
    if (!best || milliseconds < best->milliseconds) best = Cheapest{std::move(constants), milliseconds, 0};
  }
  if (best) best->of = of;
  return best;
}

OrStop<std::unique_ptr<KernelVariants>> KernelVariants::make(const Source& source, const session::ItemView& kernel, VariantOptions options) {
  std::unique_ptr<KernelVariants> made(new KernelVariants(source, kernel, std::move(options)));
  const launch::Request& request = made->options_.request;
  Result<Choices> choices = choices_of(kernel, request.arguments);
  if (!choices) return Stop{exit_usage, choices.message(), {}};
  made->space_ = std::move(choices->space);
  made->fixed_ = std::move(choices->fixed);
  OrStop<Prepared> prepared = prepare(source, kernel, request, made->options_.folder, {}, {});
  if (Stop* why = std::get_if<Stop>(&prepared)) return std::move(*why);
  made->full_ = std::move(std::get<Prepared>(prepared));
  made->ptxas_ = find_ptxas();
  made->reduce();
  return made;
}

launch::Request KernelVariants::with(const launch::Request& request, const tune::Point& point) const {
  launch::Request result = request;
  for (std::size_t i = 0; i < point.size(); ++i) result.arguments.push_back({space_.axes[i].name, std::to_string(space_.axes[i].values[point[i]])});
  return result;
}

// Fewer elements for the simulator: dimensions that are given as numbers are halved, the largest first, as long as what is left is a
// multiple of what is promised and more than any constant. Not where a grid is given, which is of the whole.
void KernelVariants::reduce() {
  small_ = options_.request;
  const auto costs_too_much = [&](const std::vector<std::int64_t>& dimensions, const launch::Grid& grid, double bytes) {
    const launch::Work work = launch::count_work(full_.kernel, dimensions, grid);
    return bytes > most_bytes || work.operations + work.traffic > most_operations;
  };
  std::vector<std::int64_t> dimensions = full_.bound.dimensions;
  const double bytes = bytes_of(full_.bound);
  if (options_.request.grid || !costs_too_much(dimensions, full_.grid, bytes)) return;
  std::int64_t least = 1;
  for (const tune::Axis& axis : space_.axes) least = std::max(least, *std::max_element(axis.values.begin(), axis.values.end()));
  for (const auto& [name, value] : full_.kernel.constants) least = std::max(least, value);
  const auto& names = full_.kernel.dimensions;
  const auto given_of = [&](std::size_t d) {
    return std::find_if(small_.arguments.begin(), small_.arguments.end(), [&](const launch::Given& each) { return each.name == names[d] && number_in(each.value); });
  };
  // Of what is promised, and of the powers of two that the extent has: which way a copy goes may depend on them.
  const auto multiple_of = [&](std::size_t d) {
    constexpr std::int64_t granule = 64;
    std::int64_t multiple = std::gcd(full_.bound.dimensions[d], granule);
    for (const ir::Promise& promise : full_.kernel.promises)
      if (promise.dimension == names[d]) multiple = std::lcm(multiple, promise.multiple);
    return multiple;
  };
  while (true) {
    const Result<launch::Grid> grid = launch::infer_grid(full_.kernel, dimensions);
    if (!grid) return;
    double share = 1;
    for (std::size_t d = 0; d < dimensions.size(); ++d) share *= static_cast<double>(dimensions[d]) / static_cast<double>(std::max<std::int64_t>(1, full_.bound.dimensions[d]));
    if (!costs_too_much(dimensions, *grid, bytes * share)) break;
    std::optional<std::size_t> largest;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const std::int64_t half = dimensions[d] / 2 / multiple_of(d) * multiple_of(d);
      if (given_of(d) == small_.arguments.end() || half <= least || half < 1) continue;
      if (!largest || dimensions[d] > dimensions[*largest]) largest = d;
    }
    if (!largest) break;
    dimensions[*largest] = dimensions[*largest] / 2 / multiple_of(*largest) * multiple_of(*largest);
  }
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d] == full_.bound.dimensions[d]) continue;
    given_of(d)->value = std::to_string(dimensions[d]);
    reduced_text_ += fmt::format("{}{}={}", reduced_text_.empty() ? "" : " ", names[d], dimensions[d]);
  }
}

nvptx::Options KernelVariants::compile_options() const {
  nvptx::Options options;
  options.chip = options_.chip;
  options.file = source_.name();
  options.source = source_.snapshot->text();
  return options;
}

// Why it cannot be; empty: kernel and grid of the variant are set.
std::string KernelVariants::lower(const tune::Point& point, Variant& variant) {
  {
    const std::lock_guard lock(front_);
    OrStop<LoweredKernel> lowered = lower_kernel(source_, view_, with(options_.request, point).arguments);
    if (const Stop* why = std::get_if<Stop>(&lowered)) return reason(*why);
    variant.kernel = std::move(std::get<LoweredKernel>(lowered).kernel);
  }
  const Result<launch::Grid> grid =
      options_.request.grid ? Result<launch::Grid>(*options_.request.grid) : launch::infer_grid(variant.kernel, full_.bound.dimensions);
  if (!grid) return grid.message();
  variant.grid = *grid;
  return {};
}

tune::Built KernelVariants::foresee(const tune::Point& point, std::stop_token) {
  Variant variant;
  if (std::string why = lower(point, variant); !why.empty()) return {std::move(why), 0};
  const Result<tune::Load> load = load_of(variant.kernel, variant.grid);
  if (!load) return {load.message(), 0};
  return {{}, tune::estimated_milliseconds(*load)};
}

tune::Built KernelVariants::build(const tune::Point& point, std::stop_token stop) {
  auto variant = std::make_unique<Variant>();
  if (std::string why = lower(point, *variant); !why.empty()) return {std::move(why), 0};
  const nvptx::Outcome compiled = launch::compile(variant->kernel, compile_options(), options_.cache ? launch::CodeCache::from_environment() : launch::CodeCache());
  if (!compiled) return {compiled.error().message, 0};
  variant->compiled = *compiled;
  if (stop.stop_requested()) return {};
  if (std::string why = refuses(*variant); !why.empty()) return {why, 0};
  const double estimate = variant->estimate;
  const std::lock_guard lock(mutex_);
  variants_[point] = std::move(variant);
  return {{}, estimate};
}

void KernelVariants::rehearse(const tune::Point& point, std::stop_token stop) {
  Variant& variant = at(point);
  {
    const std::lock_guard lock(front_);
    OrStop<Prepared> small = prepare(source_, view_, with(small_, point), options_.folder, {}, {});
    if (const Stop* why = std::get_if<Stop>(&small)) {
      variant.wrong = reason(*why);
      return;
    }
    variant.small = std::move(std::get<Prepared>(small));
  }
  variant.wrong = simulate(variant, std::move(stop));
}

// By ptxas, where it is installed, and of the entry alone that is launched: then its code is what is loaded, and the driver, on the thread that times, has nothing to compile.
passes::Occupancy KernelVariants::assemble(Variant& variant, std::int64_t& spilled) const {
  std::optional<Resources> resources;
  const std::int64_t shared = std::int64_t{variant.compiled.shared_bytes} + variant.compiled.dynamic_shared_bytes;
  if (ptxas_)
    if (Result<Assembled> assembled = cli::assemble(*ptxas_, variant.compiled.text, options_.chip, launch::entry_of(variant.kernel, variant.compiled, full_.bound, variant.grid))) {  // else the driver's is newer, or says what is wrong
      resources = read_resources(assembled->log, variant.compiled.entry);
      variant.compiled.text = std::move(assembled->cubin);
    }
  if (resources) spilled = resources->spill_stores + resources->spill_loads;
  return passes::occupancy(passes::chip_named(options_.chip), variant.kernel.threads, resources ? resources->registers : 1, shared);
}

Result<tune::Load> KernelVariants::load_of(const ir::Kernel& kernel, const launch::Grid& grid) const {
  return tune::forecast(kernel, passes::chip_named(options_.chip), full_.bound.dimensions, grid, options_.gpu == nullptr ? 0 : options_.gpu->info().multiprocessors);
}

// What the chip has against it; else its estimate is known from here on.
std::string KernelVariants::refuses(Variant& variant) const {
  std::int64_t spilled = 0;
  const passes::Occupancy occupancy = assemble(variant, spilled);
  if (occupancy.ctas == 0)
    return fmt::format("no multiprocessor holds a CTA of it: it has too {}", occupancy.limit == "registers" ? "many registers" : "much shared memory");
  Result<tune::Load> load = load_of(variant.kernel, variant.grid);
  if (!load) return load.message();
  if (load->path != tune::Path::Bulk && load->path != tune::Path::Chain) {
    load->spilled = spilled;
    load->occupancy = occupancy;
  }
  variant.estimate = tune::estimated_milliseconds(*load);
  return {};
}

// The results that it should have; what is wrong with it before it ran anywhere else.
std::string KernelVariants::simulate(Variant& variant, std::stop_token stop) const {
  sim::Options options;
  options.workers = 1;  // others are built meanwhile
  options.step_budget = options_.request.max_steps.value_or(most_steps);
  options.stop = std::move(stop);
  if (std::optional<Stop> why = check_simulated(variant.small.kernel, variant.small.grid, bytes_of(variant.small.bound), options)) return reason(*why);
  variant.expected = variant.small.bound;
  const launch::Execution execution = launch::run_on_simulator(variant.small.kernel, variant.expected, variant.small.grid, options);
  for (const diag::Diagnostic& each : execution.findings)
    if (each.severity == diag::Severity::Error) return each.message;
  return execution.finished ? std::string() : "the simulator did not come to its end";
}

KernelVariants::Variant& KernelVariants::at(const tune::Point& point) {
  const std::lock_guard lock(mutex_);
  return *variants_.at(point);
}

std::string KernelVariants::check(const tune::Point& point) {
  Variant& variant = at(point);
  if (!variant.wrong.empty()) return variant.wrong;
  if (options_.gpu == nullptr) {
    if (!first_results_) first_results_ = variant.expected;
    return difference(variant.small.kernel, variant.expected, *first_results_, options_.request, "the variant before it");
  }
  launch::GpuOptions gpu;
  gpu.seconds = options_.seconds;
  const Result<launch::Execution> execution =
      launch::run_on_gpu(*options_.gpu, variant.small.kernel, variant.compiled, compile_options(), variant.small.bound, variant.small.grid, gpu);
  if (!execution) return execution.message();
  return difference(variant.small.kernel, variant.small.bound, variant.expected, options_.request, "the simulator");
}

Result<std::vector<double>> KernelVariants::time(const tune::Point& point, int repeats) {
  constexpr double least = 2, times_the_fastest = 100;  // what a launch may take: one that hangs is not to keep the search for a minute
  Variant& variant = at(point);
  if (options_.gpu == nullptr) return std::vector<double>(static_cast<std::size_t>(repeats), variant.estimate);
  launch::GpuOptions gpu;
  gpu.seconds = options_.seconds;
  if (fastest_ > 0 && gpu.seconds > 0) gpu.seconds = std::min(gpu.seconds, std::max(least, times_the_fastest * fastest_ / 1000));
  Result<std::vector<double>> times = launch::bench_on_gpu(*options_.gpu, variant.kernel, variant.compiled, full_.bound, variant.grid, repeats, gpu);
  if (times && !times->empty()) {
    const double best = *std::min_element(times->begin(), times->end());
    fastest_ = fastest_ > 0 ? std::min(fastest_, best) : best;
  }
  return times;
}

void KernelVariants::drop(const tune::Point& point) {
  const std::lock_guard lock(mutex_);
  variants_.erase(point);
}

}  // namespace phobos::cli
