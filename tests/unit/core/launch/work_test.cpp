#include <doctest/doctest.h>

#include <phobos/ir/builder.h>
#include <phobos/launch/work.h>

using namespace phobos;
using namespace phobos::launch;

namespace {

// for k in range(0, K, 32) { acc = dot(a, b) of [64, 32] x [32, 16] }
ir::Kernel contraction() {
  ir::Kernel kernel;
  kernel.dimensions = {"K"};
  kernel.body = kernel.regions.add({});
  ir::Builder builder(kernel);
  builder.set_region(kernel.body);
  const ir::ValueId extent = builder.add_argument(kernel.body, ir::Type::scalar(ScalarType::Index), Kind::Uniform, "K");
  const ir::ValueId zero = builder.integer(ScalarType::Index, 0), step = builder.integer(ScalarType::Index, 32);
  const ir::ValueId one = builder.real(ScalarType::F32, 1.0);
  const ir::ValueId a = builder.value(ir::Opcode::Splat, ir::Type::tile(ScalarType::F32, {64, 32}), {one});
  const ir::ValueId b = builder.value(ir::Opcode::Splat, ir::Type::tile(ScalarType::F32, {32, 16}), {one});
  const ir::OpId loop = builder.op(ir::Opcode::For, {zero, extent, step});
  const ir::RegionId body = builder.new_region();
  kernel[loop].regions.push_back(body);
  builder.add_argument(body, ir::Type::scalar(ScalarType::Index), Kind::Uniform, "k");
  builder.set_region(body);
  builder.value(ir::Opcode::Dot, ir::Type::tile(ScalarType::F32, {64, 16}), {a, b}, 0);
  builder.op(ir::Opcode::Yield, {});
  return kernel;
}

}  // namespace

TEST_CASE("a contraction in a loop is counted turn by turn and CTA by CTA") {
  const ir::Kernel kernel = contraction();
  CHECK(count_operations(kernel, {96}, {1, 1, 1}) == 3 * 2.0 * 64 * 32 * 16);
  CHECK(count_operations(kernel, {97}, {5, 2, 1}) == 10 * 4 * 2.0 * 64 * 32 * 16);
  CHECK(count_operations(kernel, {0}, {5, 2, 1}) == 0);
  CHECK(count_operations(kernel, {96}, {1000, 1, 1}) == doctest::Approx(1000 * 3 * 2.0 * 64 * 32 * 16));
  CHECK(count_operations(kernel, {96}, {0, 1, 1}) == 0);
}

TEST_CASE("a loop in a loop, by whose variable it is bounded, is counted turn by turn") {
  ir::Kernel kernel;
  kernel.dimensions = {"K"};
  kernel.body = kernel.regions.add({});
  ir::Builder builder(kernel);
  builder.set_region(kernel.body);
  const ir::ValueId extent = builder.add_argument(kernel.body, ir::Type::scalar(ScalarType::Index), Kind::Uniform, "K");
  const ir::ValueId zero = builder.integer(ScalarType::Index, 0), step = builder.integer(ScalarType::Index, 32);
  const ir::Type tile = ir::Type::tile(ScalarType::F32, {16, 16});
  const ir::ValueId scalar = builder.real(ScalarType::F32, 1.0);
  const ir::ValueId a = builder.value(ir::Opcode::Splat, tile, {scalar});
  const ir::OpId outer = builder.op(ir::Opcode::For, {zero, extent, step});
  const ir::RegionId rows = builder.new_region();
  kernel[outer].regions.push_back(rows);
  const ir::ValueId i = builder.add_argument(rows, ir::Type::scalar(ScalarType::Index), Kind::Uniform, "i");
  builder.set_region(rows);
  const ir::OpId inner = builder.op(ir::Opcode::For, {zero, i, step});
  const ir::RegionId columns = builder.new_region();
  kernel[inner].regions.push_back(columns);
  builder.add_argument(columns, ir::Type::scalar(ScalarType::Index), Kind::Uniform, "j");
  builder.op(ir::Opcode::Yield, {});
  builder.set_region(columns);
  builder.value(ir::Opcode::Dot, tile, {a, a}, 0);
  builder.op(ir::Opcode::Yield, {});
  CHECK(count_work(kernel, {97}, {1, 1, 1}).contractions == (0 + 1 + 2 + 3) * 2.0 * 16 * 16 * 16);
  CHECK(count_work(kernel, {32}, {1, 1, 1}).contractions == 0);
}

TEST_CASE("a loop without end is not walked to its end") {
  const double turns = 1e12 / 32;
  CHECK(count_operations(contraction(), {1'000'000'000'000}, {1, 1, 1}) == doctest::Approx(turns * 2.0 * 64 * 32 * 16));
}

TEST_CASE("what CTAs load and store is counted for each of them") {
  ir::Kernel kernel;
  kernel.dimensions = {"K"};
  kernel.body = kernel.regions.add({});
  ir::Builder builder(kernel);
  builder.set_region(kernel.body);
  const ir::Type buffer = ir::Type::buffer(ScalarType::F16, {64, 4096}, ir::Type::Space::Global);
  kernel.parameters.push_back({"x", buffer, true, true});
  const ir::ValueId x = builder.add_argument(kernel.body, buffer, Kind::Uniform, "x");
  const ir::ValueId extent = builder.add_argument(kernel.body, ir::Type::scalar(ScalarType::Index), Kind::Uniform, "K");
  const ir::ValueId zero = builder.integer(ScalarType::Index, 0), step = builder.integer(ScalarType::Index, 32);
  const ir::OpId loop = builder.op(ir::Opcode::For, {zero, extent, step});
  const ir::RegionId body = builder.new_region();
  kernel[loop].regions.push_back(body);
  const ir::ValueId k = builder.add_argument(body, ir::Type::scalar(ScalarType::Index), Kind::Uniform, "k");
  builder.set_region(body);
  const ir::ValueId tile = builder.value(ir::Opcode::TileLoad, ir::Type::tile(ScalarType::F16, {64, 32}), {x, zero, k});
  builder.op(ir::Opcode::TileStore, {x, tile, zero, k});
  builder.op(ir::Opcode::Yield, {});
  CHECK(count_work(kernel, {96}, {1, 1, 1}).traffic == 3 * 2 * 64 * 32 * 2.0);
  CHECK(count_work(kernel, {96}, {7, 2, 1}).traffic == 14 * 3 * 2 * 64 * 32 * 2.0);
  CHECK(count_work(kernel, {0}, {7, 2, 1}).traffic == 0);
  CHECK(count_operations(kernel, {96}, {1, 1, 1}) == 0);
}
