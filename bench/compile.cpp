// From a kernel's source to PTX, and what each stage takes of it: the front end (reading, checking, kinds, lowering), the passes, the
// emitter, LLVM's optimiser and its code generation; then ptxas, where it is installed; and the same from the cache.
//
// Use: bench_compile [--json] [--quick] [KERNEL.ph ...]
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <phobos/launch/cache.h>
#include <phobos/launch/execute.h>
#include <phobos/lower/lower.h>
#include <phobos/passes/passes.h>
#include <phobos/session/session.h>

#include "measure.h"

using namespace phobos;
using namespace phobos::bench;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

ir::Kernel front_end(const std::string& text) {
  session::Session session(text);
  const auto snapshot = session.snapshot();
  for (const session::ItemView& view : snapshot->items()) {
    if (view.item().form != syntax::Item::Form::Kernel) continue;
    Result<ir::Kernel> kernel = lower::lower(view.analysis->checked, view.analysis->kinds, {view.origins});
    if (kernel) return std::move(*kernel);
    fmt::print(stderr, "{}\n", kernel.message());
  }
  std::exit(1);
}

double assembling(const std::string& ptx, const fs::path& folder) {
  const char* ptxas = "/usr/local/cuda/bin/ptxas";
  if (!fs::exists(ptxas)) return 0;
  std::ofstream(folder / "kernel.ptx") << ptx;
  const auto start = Clock::now();
  if (std::system(fmt::format("{} -arch=sm_90a {}/kernel.ptx -o {}/kernel.cubin", ptxas, folder.string(), folder.string()).c_str()) != 0) return 0;
  return milliseconds_since(start);
}

}  // namespace

int main(int count, char** words) {
  bool json = false, quick = false;
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "--json") == 0) json = true;
    else if (std::strcmp(words[i], "--quick") == 0) quick = true;
    else files.emplace_back(words[i]);
  }
  if (files.empty())
    for (const char* name : {"saxpy", "softmax", "gemm", "attention"}) files.push_back(fs::path(PHOBOS_SOURCE_DIR) / "examples" / (std::string(name) + ".ph"));
  const fs::path folder = fs::temp_directory_path() / fmt::format("phobos-bench-{}", getpid());
  fs::create_directories(folder);
  const launch::CodeCache cache(folder / "cache");
  const int turns = quick ? 3 : 15;
  Table table("milliseconds, sm_90a", json);
  for (const fs::path& file : files) {
    const std::string text = read(file);
    nvptx::Options options;
    options.source = text;
    options.file = file.filename().string();
    std::map<std::string, std::vector<double>> took;
    std::string ptx;
    for (int turn = 0; turn <= turns; ++turn) {
      const double begin = worked();
      ir::Kernel kernel = front_end(text);
      const double lowered = worked();
      const ir::Kernel before = kernel;
      const double copied = worked();
      passes::run_pipeline(kernel, passes::chip_named(options.chip));
      const double passed = worked();
      const nvptx::Outcome compiled = nvptx::emit_ptx(kernel, options);
      const double done = worked();
      if (!compiled) {
        fmt::print(stderr, "{}: {}\n", file.string(), compiled.message());
        return 1;
      }
      ptx = compiled->text;
      static_cast<void>(launch::compile(before, options, cache));
      const double start_again = worked();
      const ir::Kernel again = front_end(text);
      const nvptx::Outcome kept = launch::compile(again, options, cache);
      const double again_done = worked();
      if (!kept || kept->text != ptx) {
        fmt::print(stderr, "{}: the cache gave other code\n", file.string());
        return 1;
      }
      if (turn == 0) continue;  // LLVM's tables are made once a process
      const nvptx::StageTimes& stages = compiled->stages;
      took["front"].push_back(lowered - begin);
      took["passes"].push_back(passed - copied);
      took["emit"].push_back(stages.emit);
      took["optimise"].push_back(stages.optimise);
      took["generate"].push_back(stages.generate);
      took["all"].push_back(done - copied + lowered - begin);
      took["cached"].push_back(again_done - start_again);
    }
    std::vector<std::pair<std::string, double>> row;
    for (const char* stage : {"front", "passes", "emit", "optimise", "generate", "all", "cached"}) row.emplace_back(stage, percentile(took[stage], 0.5));
    row.emplace_back("ptxas", assembling(ptx, folder));
    table.row(file.stem().string(), row);
  }
  fs::remove_all(folder);
  return 0;
}
