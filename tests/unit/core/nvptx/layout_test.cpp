#include <doctest/doctest.h>

#include <set>

#include "../../../../core/nvptx/layout.h"

using namespace phobos;
using namespace phobos::ir;
using nvptx::Layout;
using nvptx::Layouts;

namespace {

Kernel kernel_with(int threads, const std::vector<Shape>& shapes) {
  Kernel kernel;
  kernel.threads = threads;
  for (const Shape& shape : shapes) kernel.values.add({Type::tile(ScalarType::F32, shape), Kind::Uniform, OpId(), 0, ""});
  return kernel;
}

// Every element has a thread and a slot; along axes of one element every thread has it.
void covers(const Layout& layout, int threads) {
  CHECK_EQ(layout.row_threads * layout.column_threads, threads);
  std::multiset<std::pair<std::int64_t, std::int64_t>> held;
  for (std::int64_t t = 0; t < threads; ++t)
    for (std::int64_t i = 0; i < layout.row_slots(); ++i)
      for (std::int64_t j = 0; j < layout.column_slots(); ++j) {
        std::int64_t row = i * layout.row_threads + t / layout.column_threads;
        std::int64_t column =
            ((j / layout.vector) * layout.column_threads + t % layout.column_threads) * layout.vector + j % layout.vector;
        if (layout.rows == 1) row = 0;
        if (layout.columns == 1) column = 0;
        if (row < layout.rows && column < layout.columns) held.insert({row, column});
      }
  const auto copies =
      static_cast<std::size_t>((layout.rows == 1 ? layout.row_threads : 1) * (layout.columns == 1 ? layout.column_threads : 1));
  for (std::int64_t r = 0; r < layout.rows; ++r)
    for (std::int64_t c = 0; c < layout.columns; ++c) CHECK_EQ(held.count({r, c}), copies);
}

}  // namespace

TEST_CASE("a layout holds each element once, or in every thread along an axis of one") {
  for (const int threads : {32, 64, 96, 128, 256, 1024})
    for (const Shape& shape :
         std::vector<Shape>{{1}, {7}, {1, 1024}, {1, 1000}, {64, 1}, {3, 5}, {128, 128}, {16, 64}, {33, 130}, {2, 3, 4}}) {
      const Kernel kernel = kernel_with(threads, {shape});
      CAPTURE(threads);
      CAPTURE(shape.size());
      covers(Layouts(kernel).of(kernel.values[ValueId(0)].type), threads);
    }
}

TEST_CASE("what suits a shape") {
  const auto of = [](int threads, Shape shape) {
    const Kernel kernel = kernel_with(threads, {std::move(shape)});
    return Layouts(kernel).of(kernel.values[ValueId(0)].type);
  };
  SUBCASE("a long row is spread over all warps, four neighbours a thread") {
    const Layout row = of(256, {1, 1024});
    CHECK_EQ(row.column_threads, 256);
    CHECK_EQ(row.vector, 4);
    CHECK_EQ(row.slots(), 4);
  }
  SUBCASE("a matrix has its rows in single warps") {
    const Layout matrix = of(256, {128, 128});
    CHECK_EQ(matrix.column_threads, 32);
    CHECK_EQ(matrix.slots(), 64);
    CHECK(matrix.rows_full());
    CHECK(matrix.columns_full());
  }
}

TEST_CASE("a column that folds a matrix lies where the matrix does") {
  Kernel kernel = kernel_with(128, {{64, 64}, {64, 1}, {64, 32}, {1, 64}});
  const auto op = [&](Opcode code, std::uint32_t from, std::uint32_t to) {
    kernel.ops.add({code, {ValueId(from)}, {ValueId(to)}, {}, 0, 0, {}});
  };
  op(Opcode::RowFold, 0, 1);
  op(Opcode::Broadcast, 1, 2);
  op(Opcode::Broadcast, 3, 0);
  const Layouts layouts(kernel);
  const auto of = [&](std::uint32_t value) { return layouts.of(kernel.values[ValueId(value)].type); };
  CHECK_EQ(of(1).column_threads, of(0).column_threads);
  CHECK_EQ(of(2).column_threads, of(0).column_threads);
  CHECK_EQ(of(3).column_threads, of(0).column_threads);
  CHECK_EQ(of(3).vector, of(0).vector);
  for (std::uint32_t i = 0; i < 4; ++i) covers(of(i), 128);
}
