// Random kernels with races, run:  races [SEED [COUNT]]
//
// What is found in a kernel is part of its meaning: the same diagnostics, to the thread that they name, whether values are computed
// once for all threads or in each, and with any number of CTAs at a time. The kernels are small, and their accesses few and close
// together, so that about half of them have something to find. A kernel that differs is printed; its seed makes it again.
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <phobos/launch/execute.h>
#include <phobos/lower/lower.h>
#include <phobos/session/session.h>

namespace {

using namespace phobos;

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::string kernel() {
    const int threads = 32 * (1 + below(3)), blocks = 1 + below(4);
    flags_ = below(4) == 0;
    barriers_ = !flags_ && below(3) == 0;
    std::string body = fmt::format(
        "//# run X=randint:0:3:{} G=zeros flag=zeros bar=zeros n={} --grid {}\n@launch({})\n{}"
        "kernel k(X: tensor<i32>[96], G: tensor<i32>[16], flag: tensor<i32>[2], bar: tensor<i32>[2], O: tensor<i32>[4, 96], n: i32) {{\n"
        "  var w = X[ctx.thread]\n  var u = n\n  var s: tile<i32>[8] = 0\n",
        below(1000), below(4), blocks, threads, barriers_ ? "@persistent\n" : "");
    for (int i = 1 + below(7); i > 0; --i) statement(body, 1, Kind::Uniform, 2);
    return body + "  O[ctx.block.x, ctx.thread] = w + u\n}\n";
  }

 private:
  enum class Kind { Uniform, Warp, Varying };
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  std::string pick(const std::vector<std::string>& some) { return some[static_cast<std::size_t>(below(static_cast<int>(some.size())))]; }

  std::string index(int most) {
    const std::string all = pick({fmt::format("{}", below(2)), "u", "n", "i32(ctx.warp)", "i32(ctx.lane)", "i32(ctx.thread)", "w", "i32(ctx.block.x)",
                                  fmt::format("(i32(ctx.lane) / {})", 1 + below(8)), fmt::format("(i32(ctx.thread) / {})", 1 + below(40))});
    return below(4) == 0 ? fmt::format("{}", below(2)) : fmt::format("{} & {}", all, most - 1);
  }
  std::string value() {
    return pick({"1", "2", "u", "i32(ctx.warp)", "i32(ctx.lane)", "i32(ctx.lane) & 1", "w", "i32(ctx.block.x)", "i32(ctx.block.x) / 2", "X[ctx.thread]", "n + 1"});
  }
  std::string condition(Kind kind) {
    if (kind == Kind::Uniform) return pick({"u > 1", "n == 2", "ctx.block.x == 1", "ctx.block.x < 2", "u & 1 == 0"});
    if (kind == Kind::Warp) return pick({"ctx.warp == 0", "ctx.warp == 1", "ctx.warp != 1", "i32(ctx.warp) == n"});
    return pick({"ctx.lane < 5", "ctx.lane == 7", "ctx.thread == 40", "ctx.thread > 20", "w == 1", "w > 0", "ctx.lane & 1 == 1", "ctx.thread % 3 == 0"});
  }

  void statement(std::string& out, int depth, Kind control, int nesting) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    const int what = below(nesting > 0 ? 16 : 12);
    if (what < 3) {
      out += fmt::format("{}s[{}] = {}\n", indent, index(8), value());
    } else if (what < 5) {
      out += fmt::format("{}w += s[{}]\n", indent, index(8));
    } else if (what < 7) {
      out += fmt::format("{}G[{}] = {}\n", indent, index(16), value());
    } else if (what < 9) {
      out += fmt::format("{}w = w * 3 + G[{}]\n", indent, index(16));
    } else if (what == 9) {
      if (control == Kind::Uniform) out += indent + cta_wide() + "\n";
      else out += fmt::format("{}w += 1\n", indent);
    } else if (what == 10) {
      if (control == Kind::Uniform) out += indent + (barriers_ && below(2) == 0 ? "grid_barrier(bar)" : "barrier()") + "\n";
    } else if (what == 11) {
      out += fmt::format("{}{}\n", indent, control == Kind::Uniform ? pick({"u += 1", "w += u", "u = u * 2 & 3"}) : std::string("w = w & 3"));
    } else if (what < 14) {
      const Kind kind = static_cast<Kind>(below(3));
      const Kind inside = static_cast<Kind>(std::max(static_cast<int>(control), static_cast<int>(kind)));
      out += fmt::format("{}if {} {{\n", indent, condition(kind));
      block(out, depth, inside, nesting);
      if (below(3) == 0) {
        out += indent + "} else {\n";
        block(out, depth, inside, nesting);
      }
      out += indent + "}\n";
    } else {
      const bool apart = below(3) == 0;
      out += fmt::format("{}for i{} in range(0, {}) {{\n", indent, depth, apart ? "w & 3" : pick({"2", "3", "n"}));
      block(out, depth, apart ? Kind::Varying : control, nesting);
      out += indent + "}\n";
    }
  }
  void block(std::string& out, int depth, Kind control, int nesting) {
    for (int i = 1 + below(3); i > 0; --i) statement(out, depth + 1, control, nesting - 1);
  }
  std::string cta_wide() {
    if (flags_ && below(2) == 0) return pick({"store_release(flag, 0, u)", "u += load_acquire(flag, 0)", "store_release(flag, 1, 1)", "u += load_acquire(flag, 1)"});
    return pick({"atomic_add(G, 0, 1)", "u += atomic_max(G, 1, n)", "s[:] = 1", "G[0 :+ 4] = 1", "barrier()"});
  }

  std::mt19937_64 random_;
  bool flags_ = false, barriers_ = false;
};

// All that is told of a run, and what it left behind.
std::string outcome_of(const ir::Kernel& kernel, launch::Bound bound, const launch::Grid& grid, bool each_thread, int workers, std::map<std::string, int>* tally) {
  sim::Options options;
  options.check_kinds = each_thread;
  options.workers = workers;
  options.step_budget = 1'000'000;
  const launch::Execution execution = launch::run_on_simulator(kernel, bound, grid, options);
  std::string told;
  for (const diag::Diagnostic& finding : execution.findings) {
    const std::string code(diag::info(finding.code).code);
    if (tally) ++(*tally)[code];
    told += fmt::format("{} {}-{} {}\n", code, finding.location.span.begin, finding.location.span.end, finding.message);
    for (const diag::Related& related : finding.related) told += fmt::format("  {}-{} {}\n", related.location.span.begin, related.location.span.end, related.message);
  }
  if (!execution.finished) return told;  // what is left behind is not told
  for (const launch::Argument& argument : bound.arguments)
    if (const auto* tensor = std::get_if<launch::HostTensor>(&argument))
      told += fmt::format("{:x} ", std::hash<std::string_view>()({reinterpret_cast<const char*>(tensor->data.data()), tensor->data.size()}));
  return told;
}

}  // namespace

int main(int count, char** words) {
  const std::uint64_t seed = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1, kernels = count > 2 ? std::strtoull(words[2], nullptr, 10) : 2000;
  std::uint64_t tried = 0, refused = 0, with = 0, faults = 0;
  std::map<std::string, int> tally;
  for (std::uint64_t one = seed; one < seed + kernels; ++one) {
    const std::string text = Writer(one).kernel();
    session::Session session(text);
    const auto snapshot = session.snapshot();
    const session::ItemView* view = snapshot->kernel_named("k");
    const Result<ir::Kernel> kernel = view ? lower::lower(view->analysis->checked, view->analysis->kinds, {view->origins}) : Result<ir::Kernel>(Error{"no kernel"});
    bool wrong = !kernel;
    for (const diag::Diagnostic& diagnostic : snapshot->diagnostics()) wrong |= diagnostic.severity == diag::Severity::Error;
    if (wrong) {
      ++refused;
      continue;
    }
    ++tried;
    const Result<launch::Request> request = launch::parse_run_line(snapshot->run_lines(*view).front().text);
    const Result<launch::Bound> bound = request ? launch::bind_arguments(*kernel, request->arguments, ".") : Result<launch::Bound>(request.error());
    if (!bound) {
      fmt::print(stderr, "{}\nseed {}: {}\n", text, one, bound.message());
      return 1;
    }
    const launch::Grid grid = *request->grid;
    const std::string first = outcome_of(*kernel, *bound, grid, false, 1, &tally);
    with += first.starts_with("PH");
    for (const bool each_thread : {false, true})
      for (const int workers : {1, 2, 4}) {
        const std::string again = outcome_of(*kernel, *bound, grid, each_thread, workers, nullptr);
        if (again == first) continue;
        fmt::print(stderr, "{}\nseed {}: with {} workers, {}:\n{}\nwith one and values computed once:\n{}\n", text, one, workers,
                   each_thread ? "values computed in each thread" : "values computed once", again, first);
        if (++faults == 5) return 1;
      }
  }
  fmt::print("{} kernels, {} refused, {} with findings", tried, refused, with);
  for (const auto& [code, times] : tally) fmt::print(", {} {}", times, code);
  fmt::print("\n");
  return tried > 0 && with > tried / 4 && faults == 0 ? 0 : 1;
}
