#include <unistd.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <phobos/launch/cache.h>
#include <phobos/launch/tuned.h>
#include <phobos/support/bytes.h>

#include "../output.h"
#include "../variants.h"
#include "../watch.h"
#include "commands.h"

namespace phobos::cli {
namespace {

using Outcome = tune::Trial::Outcome;

struct Arguments : Options {
  Host* host = nullptr;
  std::string file;
  std::vector<std::string> words;
  std::string kernel, grid;
  std::size_t run_line = 0, budget = 0;
  std::optional<double> rtol, atol;
  std::uint64_t seed = 0;
  int repeats = 20;
  double seconds = 60;
  bool exhaustive = false, fresh = false;
};

// `TM=128 TN=64`.
std::string constants_text(const tune::Space& space, const tune::Point& point) {
  std::string text;
  for (std::size_t i = 0; i < point.size(); ++i) text += fmt::format("{}{}={}", i ? " " : "", space.axes[i].name, space.axes[i].values[point[i]]);
  return text;
}

std::string_view name_of(Outcome outcome) {
  constexpr std::string_view names[] = {"timed", "refused", "slow", "wrong", "failed"};
  return names[static_cast<std::size_t>(outcome)];
}

// Trials as the state of a search that is to go on has them: values by name, so that a changed list of choices does no harm.
std::string packed(const tune::Space& space, const std::vector<tune::Trial>& trials) {
  ByteWriter writer;
  for (const tune::Trial& trial : trials) {
    writer.number(space.axes.size());
    for (std::size_t i = 0; i < space.axes.size(); ++i) {
      writer.text(space.axes[i].name);
      writer.number(static_cast<std::uint64_t>(space.axes[i].values[trial.point[i]]));
    }
    writer.number(static_cast<std::uint64_t>(trial.outcome));
    writer.text(trial.why);
    writer.number(std::bit_cast<std::uint64_t>(trial.milliseconds));
    writer.number(std::bit_cast<std::uint64_t>(trial.estimate));
    writer.number(static_cast<std::uint64_t>(trial.repeats));
  }
  return writer.take();
}

std::vector<tune::Trial> unpacked(const tune::Space& space, std::string_view bytes) {
  std::vector<tune::Trial> trials;
  ByteReader reader(bytes);
  while (!reader.ended() && reader.good()) {
    tune::Trial trial;
    bool known = reader.number() == space.axes.size();
    for (std::size_t i = 0; i < space.axes.size() && known; ++i) {
      known = reader.text() == space.axes[i].name;
      const auto& values = space.axes[i].values;
      const auto at = std::find(values.begin(), values.end(), static_cast<std::int64_t>(reader.number()));
      known = known && at != values.end();
      trial.point.push_back(static_cast<std::size_t>(at - values.begin()));
    }
    const std::uint64_t outcome = reader.number();
    trial.outcome = static_cast<Outcome>(outcome);
    trial.why = reader.text();
    trial.milliseconds = std::bit_cast<double>(reader.number());
    trial.estimate = std::bit_cast<double>(reader.number());
    trial.repeats = static_cast<int>(reader.number());
    if (!known || !reader.good() || outcome > static_cast<std::uint64_t>(Outcome::Failed)) break;
    trials.push_back(std::move(trial));
  }
  return trials;
}

class Tuner {
 public:
  Tuner(const Arguments& arguments, const Source& source, const session::ItemView& kernel) : arguments_(arguments), source_(source), view_(kernel) {}

  int run(Devices& devices) {
    if (std::optional<Stop> why = prepare(devices)) return refuse(std::move(*why));
    search();
    if (arguments_.json) put_document();
    else put_text();
    if (result_.stopped) return interrupted_;
    return result_.best ? exit_done : exit_failed;
  }

 private:
  int refuse(Stop stop) {
    if (arguments_.json)
      put_json({{"kernel", view_.item().name.text}, {"status", "failed"},
                {"message", stop.reason()},
                {"diagnostics", diagnostics_json(source_, stop.diagnostics)}});
    else
      std::fputs(diagnostics_text(source_, stop.diagnostics, use_color(arguments_, STDERR_FILENO)).c_str(), stderr);
    if (!stop.message.empty()) say(stop.message);
    return stop.exit;
  }

  std::optional<Stop> prepare(Devices& devices) {
    const std::string& name = view_.item().name.text;
    if (arguments_.device == "emulate") return Stop{exit_usage, "the emulator's time says nothing of a GPU's: there is nothing to tune on it", {}};
    if (arguments_.device != "auto" && arguments_.device != "gpu" && arguments_.device != "sim")
      return Stop{exit_usage, fmt::format("`{}` is no device; auto, gpu and sim are", arguments_.device), {}};
    VariantOptions options;
    Result<launch::Request> request = request_of(arguments_.words, arguments_.run_line, arguments_.grid, source_, view_, options.folder);
    if (!request) return Stop{exit_usage, request.message(), {}};
    options.request = std::move(*request);
    if (arguments_.rtol) options.request.rtol = arguments_.rtol;
    if (arguments_.atol) options.request.atol = arguments_.atol;
    // A run line names one of the choices; here all are looked at, but for those that the command line names.
    if (arguments_.words.empty())
      for (const sema::AutotuneConstant& constant : view_.analysis->checked.attributes.autotune)
        std::erase_if(options.request.arguments, [&](const launch::Given& given) { return given.name == constant.name; });
    if (view_.analysis->checked.attributes.autotune.empty()) {
      const OrStop<LoweredKernel> lowered = lower_kernel(source_, view_, options.request.arguments);
      if (const Stop* why = std::get_if<Stop>(&lowered)) return *why;
    }
    if (view_.analysis->checked.attributes.autotune.empty())
      return Stop{exit_usage, fmt::format("`{}` has no `@autotune` constants: there is nothing to choose", name), {}};
    if (arguments_.device != "sim") {
      const Result<device::Worker*> device = devices.choose("gpu");
      if (!device) return Stop{exit_unavailable, fmt::format("there is nothing to time: {}; `--device sim` orders the variants by an estimate", device.message()), {}};
      options.gpu = *device;
      options.gpu->open_ahead();
    }
    const Result<std::string> chip = chip_for(arguments_.chip, options.gpu);
    if (!chip) return Stop{exit_usage, chip.message(), {}};
    options.chip = chip_ = *chip;
    options.seconds = arguments_.seconds;
    options.cache = !arguments_.no_cache;
    device_ = device_name(options.gpu);
    estimates_ = options.gpu == nullptr;
    if (!arguments_.no_cache) store_ = launch::TuningStore::from_environment();
    const QuickEnd quick;
    OrStop<std::unique_ptr<KernelVariants>> made = KernelVariants::make(source_, view_, std::move(options));
    if (Stop* why = std::get_if<Stop>(&made)) return std::move(*why);
    variants_ = std::move(std::get<std::unique_ptr<KernelVariants>>(made));
    if (variants_->space().axes.empty())
      return Stop{exit_usage, fmt::format("all constants of `{}` are given, or are extents of its tensors: there is nothing to choose", name), {}};
    return std::nullopt;
  }

  std::string shape_text() const {
    std::string text;
    const auto& names = variants_->kernel().dimensions;
    for (std::size_t d = 0; d < names.size(); ++d) text += fmt::format("{}{}={}", d ? " " : "", names[d], variants_->dimensions()[d]);
    return text;
  }

  void search() {
    const tune::Space& space = variants_->space();
    winner_key_ = launch::winner_key(text_of_kernel(view_), chip_, variants_->fixed(), variants_->dimensions());
    std::string state_key = winner_key_ + launch::build_identity() + device_ + shape_text();
    for (const launch::Given& given : variants_->request().arguments) state_key += fmt::format(" {}={}", given.name, given.value);
    tune::SearchOptions options;
    options.builders = std::clamp(static_cast<int>(std::thread::hardware_concurrency()) - 1, 1, 16);
    options.repeats = arguments_.repeats;
    options.quick_repeats = std::min(options.quick_repeats, options.repeats);
    options.seed = arguments_.seed;
    options.most_timed = arguments_.exhaustive ? space.size() : arguments_.budget;
    if (arguments_.exhaustive) options.prune = 0;
    if (!arguments_.fresh)
      if (const std::optional<std::string> state = store_.state(state_key)) options.known = unpacked(space, *state);
    resumed_ = options.known.size();
    if (!arguments_.json && !arguments_.quiet) {
      put(fmt::format("{} on {}{}: {} variants{}{}\n", view_.item().name.text, device_, estimates_ ? fmt::format(", by an estimate for {}", chip_) : "", space.size(),
                      shape_text().empty() ? "" : ", " + shape_text(), variants_->reduced().empty() ? "" : fmt::format("; checked with {}", variants_->reduced())));
      if (resumed_ > 0) put(fmt::format("  goes on: {} were looked at before\n", resumed_));
      std::fflush(stdout);
    }
    const bool shows = !arguments_.json && !arguments_.quiet && isatty(STDERR_FILENO) != 0;
    Watch watch(shows, arguments_.host != nullptr ? arguments_.host->progress : Watch::Progress());
    options.stop = watch.stop();
    std::vector<tune::Trial> trials = options.known;
    options.told = [&](const tune::Progress& progress) {
      trials.push_back(*progress.latest);
      store_.keep_state(state_key, packed(space, trials));
      watch.progress(static_cast<std::int64_t>(progress.timed), static_cast<std::int64_t>(progress.to_time));
      watch.show_as(fmt::format("{} of {} timed{}", progress.timed, progress.to_time,
                                progress.best == nullptr ? "" : fmt::format(", best {}: {:.4g} ms", constants_text(space, progress.best->point), progress.best->milliseconds)));
      if (arguments_.verbose && !arguments_.json) put(trial_text(*progress.latest, progress.best == nullptr ? tune::Point() : progress.best->point));
    };
    result_ = tune::search(space, *variants_, options);
    watch.finish();
    seconds_ = watch.seconds();
    interrupted_ = watch.interrupted() ? watch.exit_status() : exit_done;
    if (result_.stopped) return;
    store_.forget_state(state_key);
    if (!result_.best || estimates_) return;
    launch::Winner winner;
    winner.milliseconds = result_.best->milliseconds;
    for (std::size_t i = 0; i < space.axes.size(); ++i) winner.constants.emplace_back(space.axes[i].name, space.axes[i].values[result_.best->point[i]]);
    store_.keep(winner_key_, winner);
    kept_ = !arguments_.no_cache;
  }

  std::string trial_text(const tune::Trial& trial, const tune::Point& best) const {
    const std::string constants = constants_text(variants_->space(), trial.point);
    if (trial.outcome == Outcome::Timed) return fmt::format("  {}: {:.4g} ms{}\n", constants, trial.milliseconds, trial.point == best ? ", the best so far" : "");
    return fmt::format("  {}: {}: {}\n", constants, name_of(trial.outcome), trial.why);
  }

  std::size_t count(Outcome outcome) const {
    return static_cast<std::size_t>(std::count_if(result_.trials.begin(), result_.trials.end(), [&](const tune::Trial& each) { return each.outcome == outcome; }));
  }

  const tune::Trial* by_default() const {
    for (const tune::Trial& trial : result_.trials)
      if (trial.outcome == Outcome::Timed && std::all_of(trial.point.begin(), trial.point.end(), [](std::size_t i) { return i == 0; })) return &trial;
    return nullptr;
  }

  void put_text() const {
    for (const tune::Trial& trial : result_.trials)
      if (trial.outcome == Outcome::Wrong || trial.outcome == Outcome::Failed)
        put(fmt::format("  {} {}: {}\n", constants_text(variants_->space(), trial.point), trial.outcome == Outcome::Wrong ? "is wrong" : "failed", trial.why));
    if (result_.best) {
      const tune::Trial* usual = by_default();
      std::string more;
      if (usual != nullptr && usual->point != result_.best->point && result_.best->milliseconds > 0)
        more = fmt::format(", {:.2f} times as fast as the default ({:.4g} ms)", usual->milliseconds / result_.best->milliseconds, usual->milliseconds);
      put(fmt::format("{} {}: {:.4g} ms{}{}\n", result_.stopped ? "best so far" : "best", constants_text(variants_->space(), result_.best->point),
                      result_.best->milliseconds, estimates_ ? " by estimate" : "", more));
    } else {
      say("no variant could be timed");
      for (const tune::Trial& trial : result_.trials)
        if (!trial.why.empty() && trial.outcome == Outcome::Refused) {
          say(fmt::format("{}: {}", constants_text(variants_->space(), trial.point), trial.why));
          break;
        }
    }
    if (!arguments_.quiet)
      put(fmt::format("{} {} in {:.1f} s, {} not built, {} left out by estimate, {} wrong, {} failed\n", count(Outcome::Timed), estimates_ ? "estimated" : "timed",
                      seconds_, count(Outcome::Refused), count(Outcome::Slow), count(Outcome::Wrong), count(Outcome::Failed)));
    if (result_.stopped) say(fmt::format("interrupted after {:.1f} s; the same command goes on from there", seconds_));
    if (kept_ && !arguments_.quiet) put(fmt::format("`phobos run` uses it for such shapes on {}\n", chip_));
  }

  void put_document() const {
    const auto constants = [&](const tune::Point& point) {
      Json json = Json::object();
      for (std::size_t i = 0; i < point.size(); ++i) json[variants_->space().axes[i].name] = variants_->space().axes[i].values[point[i]];
      return json;
    };
    Json shape = Json::object(), trials = Json::array();
    for (std::size_t d = 0; d < variants_->dimensions().size(); ++d) shape[variants_->kernel().dimensions[d]] = variants_->dimensions()[d];
    for (const tune::Trial& trial : result_.trials)
      trials.push_back({{"constants", constants(trial.point)}, {"status", name_of(trial.outcome)},
                        {"ms", trial.outcome == Outcome::Timed ? Json(trial.milliseconds) : Json(nullptr)}, {"estimate_ms", trial.estimate}, {"why", trial.why}});
    const tune::Trial* usual = by_default();
    put_json({{"kernel", view_.item().name.text}, {"device", device_}, {"chip", chip_}, {"shape", std::move(shape)}, {"checked_with", variants_->reduced()},
              {"space", variants_->space().size()}, {"estimated", estimates_}, {"resumed", resumed_}, {"seconds", seconds_},
              {"status", result_.stopped ? "stopped" : result_.best ? "ok" : "failed"},
              {"message", result_.best ? "" : "no variant could be timed"},
              {"best", result_.best ? Json{{"constants", constants(result_.best->point)}, {"ms", result_.best->milliseconds}} : Json(nullptr)},
              {"default_ms", usual != nullptr ? Json(usual->milliseconds) : Json(nullptr)}, {"kept", kept_}, {"variants", std::move(trials)}});
  }

  const Arguments& arguments_;
  const Source& source_;
  const session::ItemView& view_;
  std::unique_ptr<KernelVariants> variants_;
  launch::TuningStore store_;
  tune::SearchResult result_;
  std::string chip_, device_, winner_key_;
  bool estimates_ = false, kept_ = false;
  std::size_t resumed_ = 0;
  double seconds_ = 0;
  int interrupted_ = exit_done;
};

int tune_file(const Arguments& arguments) {
  const Result<Source> source = open_source(arguments.file);
  if (!source) {
    say(source.message());
    return exit_usage;
  }
  const OrStop<const session::ItemView*> kernel = choose_kernel(*source, arguments.kernel);
  if (const Stop* stop = std::get_if<Stop>(&kernel)) {
    if (arguments.json) put_json({{"kernel", arguments.kernel}, {"status", "failed"}, {"message", stop->reason()}, {"diagnostics", diagnostics_json(*source, stop->diagnostics)}});
    else std::fputs(diagnostics_text(*source, stop->diagnostics, use_color(arguments, STDERR_FILENO)).c_str(), stderr);
    if (!stop->message.empty()) say(stop->message);
    return stop->exit;
  }
  Devices own;
  return Tuner(arguments, *source, *std::get<const session::ItemView*>(kernel)).run(arguments.host != nullptr ? *arguments.host->devices : own);
}

}  // namespace

void add_tune(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->host = chosen.host;
  CLI::App* command = program.add_subcommand("tune", "Search a kernel's @autotune constants for the fastest, and keep them for `phobos run`");
  command->add_option("FILE", arguments->file, "The file; - is standard input")->required()->check(not_empty());
  command->add_option("NAME=VALUE", arguments->words, "Parameters, dimensions, and constants that are not to be searched; none: the kernel's first run line");
  command->add_option("--kernel", arguments->kernel, "Which kernel, where the file has several")->check(not_empty());
  command->add_option("--run-line", arguments->run_line, "Without arguments: which of the kernel's run lines, from 0");
  command->add_option("--grid", arguments->grid, "CTAs: X[,Y[,Z]]; else inferred");
  command->add_option("--budget", arguments->budget, "How many variants are timed; else a tenth of them, and at least 16")->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30));
  command->add_flag("--exhaustive", arguments->exhaustive, "Time all of them");
  command->add_flag("--fresh", arguments->fresh, "Do not go on with a search that was stopped");
  command->add_option("--reps", arguments->repeats, "How often a variant is timed that is near the best")->check(CLI::Range(1, 1000000));
  command->add_option("--seed", arguments->seed, "Of where the search begins");
  command->add_option("--rtol", arguments->rtol, "Relative tolerance of checks")->check(not_negative());
  command->add_option("--atol", arguments->atol, "Absolute tolerance of checks")->check(not_negative());
  add_common(*command, *arguments);
  command->add_option("--timeout", arguments->seconds, "Seconds that a launch may take, 60 without; 0: as long as it does")->check(not_negative());
  command->callback([=, &chosen] { chosen = [=] { return tune_file(*arguments); }; });
}

}  // namespace phobos::cli
