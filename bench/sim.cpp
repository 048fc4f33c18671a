// Rates of the simulator on one worker: thread-operations a second in chains of scalar operations, and tile contractions; and what
// watching accesses costs whole kernels. Prints one line a kernel. Use: bench_sim [seconds a measurement]
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <phobos/ir/builder.h>
#include <phobos/sim/simulator.h>

#include "measure.h"
#include "simulated.h"

using namespace phobos;
using namespace phobos::ir;

namespace {

constexpr int threads = 256;

struct Work {
  Kernel kernel;
  double units = 0;  // of one CTA
};

// A kernel of no parameters with a loop of `times`; `body` makes the next carried value.
template <class Body>
Kernel loop(std::int64_t times, Type type, Kind kind, Body&& body) {
  Kernel kernel;
  kernel.name = "bench";
  kernel.threads = threads;
  Builder b(kernel);
  kernel.body = b.new_region();
  b.set_region(kernel.body);
  const ValueId zero = b.integer(ScalarType::Index, 0), one = b.integer(ScalarType::Index, 1);
  const ValueId end = b.integer(ScalarType::Index, times);
  ValueId init;
  if (type.is_tile()) {
    const ValueId scalar = is_float(type.element) ? b.real(type.element, 0) : b.integer(type.element, 0);
    init = b.value(Opcode::Splat, type, {scalar});
  } else {
    const ValueId thread = b.value(Opcode::Ctx, Type::scalar(ScalarType::Index), Kind::Varying, {}, static_cast<int>(CtxValue::Thread));
    init = b.value(Opcode::Convert, type, {thread});
  }
  const OpId op = b.op(Opcode::For, {zero, end, one, init});
  const RegionId region = b.new_region();
  kernel[op].regions.push_back(region);
  b.add_argument(region, Type::scalar(ScalarType::Index), Kind::Uniform);
  const ValueId carried = b.add_argument(region, type, kind);
  b.set_region(region);
  b.op(Opcode::Yield, {body(b, carried, init)});
  b.add_result(op, type, kind);
  b.set_region(kernel.body);
  b.op(Opcode::Return, {});
  return kernel;
}

Work chain(Opcode code, ScalarType element) {
  constexpr std::int64_t times = 1000, length = 16;
  const Type type = Type::scalar(element);
  Kernel kernel = loop(times, type, Kind::Varying, [&](Builder& b, ValueId carried, ValueId init) {
    for (int i = 0; i < length; ++i) carried = b.value(code, type, code == Opcode::Exp ? std::vector{init} : std::vector{carried, init});
    return carried;
  });
  return {std::move(kernel), double(times * length * threads)};
}

// The same under a mask that half of the threads leave, and a merge each time.
Work branches() {
  constexpr std::int64_t times = 1000, length = 8;
  const Type type = Type::scalar(ScalarType::F32);
  Kernel kernel = loop(times, type, Kind::Varying, [&](Builder& b, ValueId carried, ValueId init) {
    for (int i = 0; i < length; ++i) {
      const ValueId condition = b.value(Opcode::CmpLt, Type::scalar(ScalarType::Bool), {carried, init});
      const OpId op = b.op(Opcode::If, {condition});
      const RegionId outside = b.region();
      for (Opcode code : {Opcode::Add, Opcode::Sub}) {
        const RegionId region = b.new_region();
        b.kernel()[op].regions.push_back(region);
        b.set_region(region);
        b.op(Opcode::Yield, {b.value(code, type, {carried, init})});
      }
      b.set_region(outside);
      carried = b.add_result(op, type, Kind::Varying);
    }
    return carried;
  });
  return {std::move(kernel), double(times * length * threads)};
}

Work dot(ScalarType element, ScalarType sum, std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr std::int64_t times = 20;
  Kernel kernel = loop(times, Type::tile(sum, {m, n}), Kind::Uniform, [&](Builder& b, ValueId carried, ValueId) {
    const ValueId one = is_float(element) ? b.real(element, 1) : b.integer(element, 1);
    const ValueId left = b.value(Opcode::Splat, Type::tile(element, {m, k}), {one});
    const ValueId right = b.value(Opcode::Splat, Type::tile(element, {k, n}), {one});
    return b.value(Opcode::Dot, Type::tile(sum, {m, n}), {left, right, carried});
  });
  return {std::move(kernel), 2.0 * static_cast<double>(times * m * n * k)};
}

// --- whole kernels, with and without checks ---

void say_cost(const std::string& name, const std::vector<std::int64_t>& dimensions, std::array<std::int64_t, 3> grid, double seconds,
              const std::string& file = "") {
  const Kernel kernel = file.empty() ? bench::kernel_of("examples/" + name + ".ph") : bench::kernel_of(file, name);
  const auto [without, with] = bench::fastest(kernel, dimensions, grid, seconds);
  std::string extents;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    extents += fmt::format("{}{}={}", d == 0 ? "" : " ", kernel.dimensions[d], dimensions[d]);
  fmt::print("{:<12} {:<26} {:9.2f} ms without checks {:9.2f} ms with, {:5.2f} times\n", name, extents, without, with, with / without);
}

double rate(const Work& work, double seconds) {
  sim::Launch launch;
  sim::Options options;
  options.workers = 1;
  double best = 0;
  const auto begin = bench::Clock::now();
  while (bench::milliseconds_since(begin) < 1e3 * seconds) {
    const double start = bench::worked();
    (void)sim::run(work.kernel, launch, options);
    best = std::max(best, work.units / ((bench::worked() - start) * 1e-3));
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0.5;
  const auto say = [&](std::string_view name, const Work& work, std::string_view unit) {
    fmt::print("{:<28} {:9.2f} {}\n", name, rate(work, seconds) / 1e9, unit);
  };
  say("f32 add chain", chain(Opcode::Add, ScalarType::F32), "G thread-operations/s");
  say("i32 mul chain", chain(Opcode::Mul, ScalarType::I32), "G thread-operations/s");
  say("f16 add chain", chain(Opcode::Add, ScalarType::F16), "G thread-operations/s");
  say("index add chain", chain(Opcode::Add, ScalarType::Index), "G thread-operations/s");
  say("f32 exp chain", chain(Opcode::Exp, ScalarType::F32), "G thread-operations/s");
  say("f32 branches and merges", branches(), "G thread-branches/s");
  for (std::int64_t size : {32, 64, 128}) {
    say(fmt::format("dot f32 {0}x{0}x{0}", size), dot(ScalarType::F32, ScalarType::F32, size, size, size), "GFLOP/s");
    say(fmt::format("dot f16 {0}x{0}x{0}", size), dot(ScalarType::F16, ScalarType::F32, size, size, size), "GFLOP/s");
  }
  say("dot i8 64x64x64", dot(ScalarType::I8, ScalarType::I32, 64, 64, 64), "G operations/s");
  say("dot f32 1x64x256", dot(ScalarType::F32, ScalarType::F32, 1, 64, 256), "GFLOP/s");
  say_cost("saxpy", {1 << 20}, {1024, 1, 1}, seconds);
  say_cost("softmax", {1024, 1024}, {256, 1, 1}, seconds);
  say_cost("gemm", {512, 512, 512}, {8, 8, 1}, seconds);
  say_cost("attention", {512, 256}, {8, 4, 1}, seconds);
  say_cost("rmsnorm", {1024, 1024}, {256, 1, 1}, seconds);
  say_cost("transpose", {1024, 1024}, {32, 32, 1}, seconds);
  say_cost("matvec", {1024, 1024}, {1024, 1, 1}, seconds);
  say_cost("scatter", {1 << 20}, {4096, 1, 1}, seconds, "bench/scattered.ph");
  say_cost("histogram", {1 << 20}, {64, 1, 1}, seconds, "bench/scattered.ph");
  return 0;
}
