// The variants of a kernel, one for each choice of its `@autotune` constants: built, checked against the simulator, and timed.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <phobos/launch/bind.h>
#include <phobos/launch/compare.h>
#include <phobos/launch/execute.h>
#include <phobos/launch/tuned.h>
#include <phobos/tune/estimate.h>
#include <phobos/tune/search.h>

#include "devices.h"
#include "kernel.h"
#include "runner.h"
#include "source.h"

namespace phobos::cli {

struct VariantOptions {
  launch::Request request;
  std::filesystem::path folder;
  std::string chip;
  device::Worker* gpu = nullptr;  // null: nothing is timed, and an estimate stands for it
  double seconds = 60;            // that a launch may take
  bool cache = true;
};

// What there is to choose, and what is not searched: what is given, and what is an extent of a tensor, with which the work would change.
struct Choices {
  tune::Space space;
  launch::Constants fixed;
};
// Fails for constants among the arguments that are no numbers.
Result<Choices> choices_of(const session::ItemView& kernel, const std::vector<launch::Given>& arguments);

// The choice that may be the fastest, by an estimate: what is chosen where nobody has measured.
struct Cheapest {
  std::vector<launch::Given> constants;
  double milliseconds = 0;
  std::size_t of = 0;  // how many were looked at
};
struct Shape {
  std::string chip;
  int multiprocessors = 0;  // 0: as many as the model has
  std::vector<std::int64_t> dimensions;
  std::optional<launch::Grid> grid;  // else inferred
};
// None where no choice can be estimated.
std::optional<Cheapest> cheapest(const Source& source, const session::ItemView& kernel, const std::vector<launch::Given>& arguments, const tune::Space& space, const Shape& shape);
std::string text_of(const std::vector<launch::Given>& constants);  // `TM=128 TN=64`

class KernelVariants : public tune::Variants {
 public:
  // Binds the arguments of the kernel as it is by default; why that cannot be is a Stop.
  static OrStop<std::unique_ptr<KernelVariants>> make(const Source& source, const session::ItemView& kernel, VariantOptions options);

  const tune::Space& space() const { return space_; }
  const launch::Constants& fixed() const { return fixed_; }
  const std::vector<std::int64_t>& dimensions() const { return full_.bound.dimensions; }
  const ir::Kernel& kernel() const { return full_.kernel; }
  const launch::Request& request() const { return options_.request; }
  // The arguments that results are checked with; empty: those of the run itself.
  const std::string& reduced() const { return reduced_text_; }

  tune::Built foresee(const tune::Point& point, std::stop_token stop) override;
  tune::Built build(const tune::Point& point, std::stop_token stop) override;
  void rehearse(const tune::Point& point, std::stop_token stop) override;
  std::string check(const tune::Point& point) override;
  Result<std::vector<double>> time(const tune::Point& point, int repeats) override;
  void drop(const tune::Point& point) override;

 private:
  struct Variant {
    ir::Kernel kernel;
    launch::Grid grid{1, 1, 1};
    nvptx::Compiled compiled;
    Prepared small;             // what is checked
    launch::Bound expected;     // what the simulator has for it
    std::string wrong;          // what the simulator finds in it
    double estimate = 0;
  };

  KernelVariants(const Source& source, const session::ItemView& kernel, VariantOptions options) : source_(source), view_(kernel), options_(std::move(options)) {}
  void reduce();
  std::string lower(const tune::Point& point, Variant& variant);
  launch::Request with(const launch::Request& request, const tune::Point& point) const;
  nvptx::Options compile_options() const;
  std::string simulate(Variant& variant, std::stop_token stop) const;
  passes::Occupancy assemble(Variant& variant, std::int64_t& spilled) const;
  std::string refuses(Variant& variant) const;
  Result<tune::Load> load_of(const ir::Kernel& kernel, const launch::Grid& grid) const;
  Variant& at(const tune::Point& point);

  const Source& source_;
  const session::ItemView& view_;
  const VariantOptions options_;
  tune::Space space_;
  launch::Constants fixed_;
  Prepared full_;              // of the default
  launch::Request small_;      // the same of fewer elements
  std::string reduced_text_;
  std::optional<std::string> ptxas_;
  std::optional<launch::Bound> first_results_;  // where nothing but the simulator runs: those of the first variant
  double fastest_ = 0;         // milliseconds
  mutable std::mutex front_;   // what is in front of code generation is not made for several threads
  std::mutex mutex_;
  std::map<tune::Point, std::unique_ptr<Variant>> variants_;
};

// What winners of a kernel are found by, beside chip and shapes: its own text and that of all that it inlines.
std::string text_of_kernel(const session::ItemView& kernel);

}  // namespace phobos::cli
