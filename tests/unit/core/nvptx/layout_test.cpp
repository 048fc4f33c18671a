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

// Every element has a thread and a slot, and as many of them as there are copies.
void covers(const Layout& layout, int threads) {
  std::int64_t copies = 1;
  for (const nvptx::Digit& digit : layout.copies) copies *= digit.count;
  std::multiset<std::pair<std::int64_t, std::int64_t>> held;
  for (std::int64_t t = 0; t < threads; ++t)
    for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i)
      for (std::int64_t j = 0; j < layout.columns.slot_count(); ++j) {
        const std::int64_t row = layout.rows.of_thread(t) + layout.rows.of_slot(i);
        const std::int64_t column = layout.columns.of_thread(t) + layout.columns.of_slot(j);
        if (row < layout.rows.extent && column < layout.columns.extent) held.insert({row, column});
      }
  for (std::int64_t r = 0; r < layout.rows.extent; ++r)
    for (std::int64_t c = 0; c < layout.columns.extent; ++c) CHECK_EQ(held.count({r, c}), static_cast<std::size_t>(copies));
  for (const nvptx::Axis* axis : {&layout.rows, &layout.columns})
    for (const nvptx::Digit& digit : axis->threads) CHECK((digit.divisor >= 32 || digit.divisor * digit.count <= 32));
}

Layouts layouts_of(const Kernel& kernel) { return Layouts(kernel, passes::chip_named("sm_90a")); }

}  // namespace

TEST_CASE("a layout holds each element once, or in every thread along an axis of one") {
  for (const int threads : {32, 64, 96, 128, 256, 1024})
    for (const Shape& shape :
         std::vector<Shape>{{1}, {7}, {1, 1024}, {1, 1000}, {64, 1}, {3, 5}, {128, 128}, {16, 64}, {33, 130}, {2, 3, 4}}) {
      const Kernel kernel = kernel_with(threads, {shape});
      CAPTURE(threads);
      CAPTURE(shape.size());
      covers(layouts_of(kernel).of(ValueId(0)), threads);
    }
}

TEST_CASE("what suits a shape") {
  const auto of = [](int threads, Shape shape) { return layouts_of(kernel_with(threads, {std::move(shape)})).of(ValueId(0)); };
  SUBCASE("a long row is spread over all warps, four neighbours a thread") {
    const Layout row = of(256, {1, 1024});
    CHECK_EQ(row.columns.threads, std::vector<nvptx::Digit>{{1, 32, 4}, {32, 8, 128}});
    CHECK_EQ(row.vector(), 4);
    CHECK_EQ(row.slots(), 4);
  }
  SUBCASE("a matrix has its rows in single warps") {
    const Layout matrix = of(256, {128, 128});
    CHECK_EQ(matrix.columns.threads, std::vector<nvptx::Digit>{{1, 32, 4}});
    CHECK_EQ(matrix.rows.threads, std::vector<nvptx::Digit>{{32, 8, 1}});
    CHECK_EQ(matrix.slots(), 64);
    CHECK(matrix.rows.full());
    CHECK(matrix.columns.full());
  }
}

TEST_CASE("accumulators lie as the tensor cores want them, and the rest follows") {
  Kernel kernel = kernel_with(128, {{64, 32}, {32, 64}, {64, 64}, {64, 1}, {1, 64}, {64, 64}});
  kernel.values[ValueId(0)].type.element = kernel.values[ValueId(1)].type.element = ScalarType::F16;
  kernel.ops.add({Opcode::Dot, {ValueId(0), ValueId(1)}, {ValueId(2)}, {}, 0, 0, {}});
  kernel.ops.add({Opcode::RowFold, {ValueId(2)}, {ValueId(3)}, {}, 0, 0, {}});
  kernel.ops.add({Opcode::Broadcast, {ValueId(4)}, {ValueId(5)}, {}, 0, 0, {}});
  kernel.ops.add({Opcode::Add, {ValueId(2), ValueId(5)}, {ValueId(5)}, {}, 0, 0, {}});
  const Layouts layouts = layouts_of(kernel);
  const Layout& sums = layouts.of(ValueId(2));
  CHECK_EQ(sums.rows.threads, std::vector<nvptx::Digit>{{4, 8, 1}, {32, 4, 16}});
  CHECK_EQ(sums.columns.threads, std::vector<nvptx::Digit>{{1, 4, 2}});
  CHECK_EQ(sums.vector(), 2);
  CHECK_EQ(layouts.of(ValueId(5)), sums);
  CHECK_EQ(layouts.of(ValueId(3)).rows, sums.rows);
  CHECK_EQ(layouts.of(ValueId(4)).columns, sums.columns);
  for (std::uint32_t i = 0; i < 6; ++i) covers(layouts.of(ValueId(i)), 128);
}

TEST_CASE("a column that folds a matrix lies where the matrix does") {
  Kernel kernel = kernel_with(128, {{64, 64}, {64, 1}, {64, 32}, {1, 64}});
  const auto op = [&](Opcode code, std::uint32_t from, std::uint32_t to) {
    kernel.ops.add({code, {ValueId(from)}, {ValueId(to)}, {}, 0, 0, {}});
  };
  op(Opcode::RowFold, 0, 1);
  op(Opcode::Broadcast, 1, 2);
  op(Opcode::Broadcast, 3, 0);
  const Layouts layouts = layouts_of(kernel);
  const auto of = [&](std::uint32_t value) { return layouts.of(ValueId(value)); };
  CHECK_EQ(of(1).rows, of(0).rows);
  CHECK_EQ(of(2).rows, of(0).rows);
  CHECK_EQ(of(3).columns, of(0).columns);
  for (std::uint32_t i = 0; i < 4; ++i) covers(of(i), 128);
}
