#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>

#include <phobos/launch/bind.h>
#include <phobos/launch/contract.h>
#include <phobos/launch/grid.h>
#include <phobos/launch/npy.h>

using namespace phobos;
using namespace phobos::launch;

namespace {

// matmul(A: f32[M, K], B: f32[K, N], C: f32[M, N], n: i8, on: bool), C only written, K promised a multiple of 4, TM = 64.
ir::Kernel matmul() {
  ir::Kernel kernel;
  kernel.name = "matmul";
  kernel.dimensions = {"M", "K", "N"};
  const auto tensor = [](std::int64_t a, std::int64_t b) {
    return ir::Type::buffer(ScalarType::F32, {a, b}, ir::Type::Space::Global);
  };
  const std::int64_t m = ir::dynamic_extent(0), k = ir::dynamic_extent(1), n = ir::dynamic_extent(2);
  kernel.parameters = {{"A", tensor(m, k), true, false},
                       {"B", tensor(k, n), true, false},
                       {"C", tensor(m, n), false, true},
                       {"n", ir::Type::scalar(ScalarType::I8), false, false},
                       {"on", ir::Type::scalar(ScalarType::Bool), false, false}};
  kernel.constants = {{"TM", 64}};
  kernel.promises = {{"K", 4}};
  kernel.grid.axes = {{m, 64}, {n, 32}};
  return kernel;
}

class Folder {
 public:
  Folder() : path(std::filesystem::temp_directory_path() / ("phobos-bind-" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path);
    write("a.npy", ScalarType::F32, {100, 8});
    write("b.npy", ScalarType::F32, {8, 33});
    write("b9.npy", ScalarType::F32, {9, 33});
    write("a6.npy", ScalarType::F32, {100, 6});
    write("half.npy", ScalarType::F16, {100, 8});
    write("flat.npy", ScalarType::F32, {800});
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const char* name, ScalarType element, std::vector<std::int64_t> shape) {
    REQUIRE(write_npy(path / name, *make_tensor(element, std::move(shape))).ok());
  }
  std::filesystem::path path;
};

std::string fault(const Folder& folder, const char* line) {
  const Result<Request> request = parse_run_line(line);
  REQUIRE(request.ok());
  const ir::Kernel kernel = matmul();
  if (const Result<void> names = check_names(kernel, request->arguments); !names) return names.message();
  const Result<Bound> bound = bind_arguments(kernel, request->arguments, folder.path);
  return bound ? "" : bound.message();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("files bind the dimensions and what is only written is zeros") {
  const Folder folder;
  const Result<Bound> bound = bind_arguments(matmul(), parse_run_line("A=a.npy B=b.npy n=-3 on=true")->arguments, folder.path);
  REQUIRE(bound.ok());
  CHECK(bound->dimensions == std::vector<std::int64_t>{100, 8, 33});
  CHECK(std::get<HostTensor>(bound->arguments[2]).shape == std::vector<std::int64_t>{100, 33});
  CHECK(std::get<std::int64_t>(bound->arguments[3]) == -3);
  CHECK(std::get<std::int64_t>(bound->arguments[4]) == 1);
  CHECK(*infer_grid(matmul(), bound->dimensions) == Grid{2, 2, 1});
}

TEST_CASE("generators take their shape from files and from given dimensions") {
  const Folder folder;
  const Result<Bound> bound = bind_arguments(matmul(), parse_run_line("A=iota B=b.npy M=2 n=0 on=0")->arguments, folder.path);
  REQUIRE(bound.ok());
  CHECK(std::get<HostTensor>(bound->arguments[0]).shape == std::vector<std::int64_t>{2, 8});
  CHECK(std::get<HostTensor>(bound->arguments[0]).real_at(15) == 15);
}

TEST_CASE("what does not fit is said, with the names") {
  const Folder folder;
  CHECK(contains(fault(folder, "A=a.npy B=b9.npy n=0 on=0"), "`K` is 8 by axis 1 of `A` (a.npy) and 9 by axis 0 of `B` (b9.npy)"));
  CHECK(contains(fault(folder, "A=a.npy B=b.npy K=4 n=0 on=0"), "`K` is 4 by `K=4` and 8 by axis 1 of `A` (a.npy)"));
  CHECK(contains(fault(folder, "A=half.npy B=b.npy n=0 on=0"), "half.npy holds f16 elements, and f32 is wanted"));
  CHECK(contains(fault(folder, "A=flat.npy B=b.npy n=0 on=0"), "`A` is f32[M, K]: flat.npy has the shape [800]"));
  CHECK(contains(fault(folder, "A=a6.npy B=ones N=3 n=0 on=0"), "`@aligned(K = 4)` promises a multiple of 4: axis 1 of `A` (a6.npy) has extent 6"));
  CHECK(contains(fault(folder, "A=ones B=ones M=3 N=3 K=6 n=0 on=0"), "axis 1 of `A` (`K=6`) has extent 6"));
  CHECK(contains(fault(folder, "A=ones B=ones M=3 K=4 n=0 on=0"), "N=NUMBER"));
  CHECK(contains(fault(folder, "A=a.npy n=0 on=0"), "`B` (f32[K, N]) is not given; add B=B.npy"));
  CHECK(contains(fault(folder, "A=a.npy"), "nor 2 more; add B=B.npy n=VALUE on=VALUE"));
  CHECK(contains(fault(folder, "A=none.npy B=b.npy n=0 on=0"), "no such file"));
  CHECK(contains(fault(folder, "A=rand B=b.npy n=0 on=0"), "neither a .npy file nor a generator"));
  CHECK(contains(fault(folder, "A=a.npy B=b.npy n=200 on=0"), "200 does not fit"));
  CHECK(contains(fault(folder, "A=a.npy B=b.npy n=1.5 on=0"), "not an integer"));
  CHECK(contains(fault(folder, "A=a.npy B=b.npy n=1 on=2"), "neither true nor false"));
  CHECK(contains(fault(folder, "A=ones B=ones M=-3 N=3 K=4 n=0 on=0"), "not negative"));
  CHECK(contains(fault(folder, "A=ones B=ones M=4000000000 N=3 K=4000000000 n=0 on=0"), "memory"));
}

TEST_CASE("names that are none") {
  const Folder folder;
  CHECK(contains(fault(folder, "A=a.npy A=a.npy"), "given twice"));
  CHECK(contains(fault(folder, "TN=3"), "`TN` is no parameter, dimension or constant of kernel `matmul`"));
  CHECK(fault(folder, "A=a.npy B=b.npy TM=64 n=0 on=0").empty());
}

TEST_CASE("autotune constants are split off") {
  const Result<SplitArguments> split = split_constants(parse_run_line("TM=32 A=a.npy")->arguments, {"TM", "TN"});
  REQUIRE(split.ok());
  CHECK(split->constants.at("TM") == 32);
  CHECK(split->rest.size() == 1);
  CHECK_FALSE(split_constants(parse_run_line("TM=a.npy")->arguments, {"TM"}).ok());
  CHECK_FALSE(split_constants(parse_run_line("TM=0")->arguments, {"TM"}).ok());
}

TEST_CASE("a grid that cannot be inferred says why") {
  ir::Kernel kernel = matmul();
  kernel.grid.axes.reset();
  kernel.grid.reason = "the store to `C` starts at `ctx.thread`";
  const Result<Grid> grid = infer_grid(kernel, {1, 1, 1});
  REQUIRE_FALSE(grid.ok());
  CHECK(contains(grid.message(), "the store to `C` starts at `ctx.thread`"));
  CHECK(contains(grid.message(), "--grid"));
  CHECK(*infer_grid(matmul(), {0, 4, 3}) == Grid{0, 1, 1});
  CHECK_FALSE(check_grid({1, 70000, 1}).ok());
}

TEST_CASE("the contract lists the PTX parameters in order") {
  nvptx::Compiled compiled;
  compiled.entry = "matmul";
  compiled.shared_bytes = 4096;
  const std::string json = contract_json(matmul(), compiled, "sm_90a");
  CHECK(contains(json, R"({"name": "A", "kind": "tensor", "type": "f32", "shape": ["M", "K"], "read": true, "written": false})"));
  CHECK(contains(json, R"("constants": {"TM": 64})"));
  CHECK(json.find(R"("name": "on", "kind": "scalar", "type": "bool"})") < json.find(R"("name": "M", "kind": "dimension")"));
  CHECK(contains(json, R"("grid": [{"extent": "M", "step": 64}, {"extent": "N", "step": 32}])"));
}
