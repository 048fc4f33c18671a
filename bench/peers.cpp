// Kernels on the simulator against the loops that one would write in C (plain.c, -O2) and against NumPy, where it is installed.
// Milliseconds of the fastest run; one core but where it says so. Use: bench_peers [seconds a measurement] [--json]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "measure.h"
#include "simulated.h"

extern "C" {
void plain_saxpy(const float* x, float* y, float a, std::int64_t n);
void plain_mandelbrot(std::int32_t* out, std::int64_t size);
void plain_columns(const float* x, float* out, std::int64_t size);
void plain_outer(const float* x, float* out, std::int64_t size);
void plain_gemm(const float* a, const float* b, float* c, std::int64_t size);
void plain_softmax(const float* x, float* out, std::int64_t rows, std::int64_t columns);
}

namespace {

using namespace phobos;

std::map<std::string, double> numpy_times() {
  std::map<std::string, double> times;
  const std::string command = "/usr/bin/python3 " + std::string(PHOBOS_SOURCE_DIR) + "/bench/peers.py 2>/dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return times;
  char name[64];
  double milliseconds = 0;
  while (std::fscanf(pipe, "%63s %lf", name, &milliseconds) == 2) times[name] = milliseconds;
  pclose(pipe);
  return times;
}

template <class F>
double fastest_of(double seconds, F&& f) {
  double best = 1e9;
  const auto begin = bench::Clock::now();
  do {
    const double start = bench::worked();
    f();
    best = std::min(best, bench::worked() - start);
  } while (bench::milliseconds_since(begin) < 1e3 * seconds);
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  bool json = false;
  double seconds = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) json = true;
    else seconds = std::atof(argv[i]);
  }
  const auto numpy = numpy_times();
  if (numpy.empty()) fmt::print(stderr, "no NumPy here (python3-numpy): its column is left out\n");
  bench::Table table("ms", json);
  const auto row = [&](const std::string& name, const std::string& peer, const std::array<double, 2>& times, double plain) {
    std::vector<std::pair<std::string, double>> values{{"no checks", times[0]}, {"checks", times[1]}, {"C -O2", plain}};
    if (const auto found = numpy.find(peer); found != numpy.end()) values.emplace_back("NumPy", found->second);
    table.row(name, values);
  };
  const auto lanes = [&](const char* name, std::int64_t n, std::int64_t blocks) {
    return bench::fastest(bench::kernel_of("bench/peers.ph", name), {n}, {blocks, 1, 1}, seconds);
  };
  constexpr std::int64_t many = 1 << 22;
  std::vector<float> a(many, 0.5f), b(many, 0.25f), c(many);
  std::vector<std::int32_t> counts(512 * 512);
  row("saxpy (lanes), 4,194,304", "saxpy", lanes("saxpy", many, many / 256), fastest_of(seconds, [&] { plain_saxpy(a.data(), b.data(), 1e-3f, many); }));
  row("mandelbrot (lanes), 512 x 512, up to 256", "mandelbrot", lanes("mandelbrot", 512, 1024), fastest_of(seconds, [&] { plain_mandelbrot(counts.data(), 512); }));
  row("sums of columns (lanes), 2048 x 2048", "columns", lanes("columns", 2048, 8), fastest_of(seconds, [&] { plain_columns(a.data(), c.data(), 2048); }));
  row("outer product (lanes), 2048 x 2048", "outer", lanes("outer", 2048, 8), fastest_of(seconds, [&] { plain_outer(a.data(), c.data(), 2048); }));
  row("outer product by columns (lanes), 2048 x 2048", "outer", lanes("outer_by_columns", 2048, 8), fastest_of(seconds, [&] { plain_outer(a.data(), c.data(), 2048); }));
  const ir::Kernel gemm = bench::kernel_of("bench/peers.ph", "gemm");
  const double plain = fastest_of(seconds, [&] { plain_gemm(a.data(), b.data(), c.data(), 1024); });
  row("gemm f32 (tiles), 1024^3", "gemm", bench::fastest(gemm, {1024}, {16, 16, 1}, seconds), plain);
  row("gemm f32 (tiles), 1024^3, two cores", "gemm", bench::fastest(gemm, {1024}, {16, 16, 1}, seconds, 2), plain);
  const ir::Kernel softmax = bench::kernel_of("examples/softmax.ph");
  row("softmax (tiles), 4096 x 1024", "softmax", bench::fastest(softmax, {4096, 1024}, {1024, 1, 1}, seconds),
      fastest_of(seconds, [&] { plain_softmax(a.data(), c.data(), 4096, 1024); }));
  return 0;
}
