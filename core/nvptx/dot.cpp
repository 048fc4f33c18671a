// Contractions. Both operands are laid out in shared memory and every thread computes the slots it owns: it walks along k, reads
// `step` elements of each of its rows of A at a time and, for each k, its columns of B, and multiplies all with all. Sums stay in
// registers, in order of k, one fused multiply-add after the other. Bytes are multiplied four at a time, so B lies along k too
// then. Operands too large for shared memory go through it in pieces along k.
#include "emitter.h"

#include <llvm/IR/Intrinsics.h>

namespace phobos::nvptx {

using llvm::Value;

struct Emitter::Dot {
  Parts a, b;
  const Layout* a_layout;
  const Layout* b_layout;
  const Layout* out;
  ScalarType element, sum;
  bool transposed;      // B is [N, K]
  bool bytes;           // four at a time
  std::int64_t m, n, k;
  std::int64_t step;    // along k
  std::int64_t piece;   // of k, in shared memory at a time
  std::int64_t a_pitch, b_pitch;
  std::int64_t b_offset;  // bytes

  std::int64_t size() const { return b_offset + (bytes ? n : piece) * b_pitch * size_of(element); }
  void set_piece(std::int64_t length) {
    piece = length;
    a_pitch = piece + step;  // the padding spreads rows over the banks
    b_pitch = bytes ? piece + step : n + out->vector;
    b_offset = (m * a_pitch * size_of(element) + 15) / 16 * 16;
  }
};

Emitter::Dot Emitter::plan_dot(const ir::Op& op) {
  constexpr std::int64_t budget = 96 * 1024;
  Dot dot{};
  dot.a = parts(op.operands[0]);
  dot.b = parts(op.operands[1]);
  dot.a_layout = &layout(op.operands[0]);
  dot.b_layout = &layout(op.operands[1]);
  dot.out = &layout(op.results[0]);
  dot.element = type(op.operands[0]).element;
  dot.sum = type(op.results[0]).element;
  dot.transposed = op.immediate != 0;
  dot.m = dot.a_layout->rows;
  dot.k = dot.a_layout->columns;
  dot.n = dot.out->columns;
  dot.step = dot.k % 4 == 0 ? 4 : dot.k % 2 == 0 ? 2 : 1;
  dot.bytes = size_of(dot.element) == 1 && dot.step == 4;
  if (!dot.bytes && dot.step == 4 && dot.out->slots() > 32) dot.step = 2;
  dot.set_piece(dot.k);
  while (dot.size() > budget && dot.piece % 2 == 0 && dot.piece / 2 % dot.step == 0) dot.set_piece(dot.piece / 2);
  return dot;
}

void Emitter::stage_operands(const Dot& dot, std::int64_t begin) {
  V a = exchange(0, dot.b_offset);
  V b = exchange(dot.b_offset, dot.size() - dot.b_offset);
  const bool whole = dot.piece == dot.k;
  const auto along = [&](V k) { return whole ? k : b_.CreateSub(k, i32(begin)); };
  const auto only = [&](bool column) -> Where {
    if (whole) return nullptr;
    return [this, column, begin, &dot](V r, V c) {
      return b_.CreateICmpULT(b_.CreateSub(column ? c : r, i32(begin)), i32(dot.piece));
    };
  };
  stage(
      dot.a, *dot.a_layout, dot.element, a, [&](V r, V c) { return b_.CreateAdd(b_.CreateMul(r, i32(dot.a_pitch)), along(c)); },
      only(true));
  stage(dot.b, *dot.b_layout, dot.element, b, [&](V r, V c) {
    V k = along(dot.transposed ? c : r);
    V n = dot.transposed ? r : c;
    return dot.bytes ? b_.CreateAdd(b_.CreateMul(n, i32(dot.b_pitch)), k) : b_.CreateAdd(b_.CreateMul(k, i32(dot.b_pitch)), n);
  }, only(dot.transposed));
}

Parts Emitter::vector_load(V base, ScalarType element, V index, std::int64_t width, ScalarType to) {
  V pointer = this->element(base, element, index);
  if (width == 1) return {math_.convert(load_element(pointer, element), element, to)};
  auto* type = llvm::FixedVectorType::get(type_of(context_, element), static_cast<unsigned>(width));
  const auto bytes = static_cast<std::uint64_t>(width * size_of(element));
  V all = b_.CreateAlignedLoad(type, pointer, llvm::Align(std::min<std::uint64_t>(16, bytes)));
  Parts parts;
  for (std::int64_t i = 0; i < width; ++i)
    parts.push_back(math_.convert(b_.CreateExtractElement(all, static_cast<std::uint64_t>(i)), element, to));
  return parts;
}

Parts Emitter::multiply(const Dot& dot, Parts accumulators) {
  const Layout& out = *dot.out;
  V a = exchange(0, dot.b_offset);
  V b = exchange(dot.b_offset, dot.size() - dot.b_offset);
  std::vector<V> rows, columns;  // where each begins in its operand; slots past the end read the first
  for (std::int64_t i = 0; i < out.row_slots(); ++i) {
    V r = row(out, i);
    if (V valid = row_valid(out, i)) r = b_.CreateSelect(valid, r, i32(0));
    rows.push_back(b_.CreateMul(r, i32(dot.a_pitch)));
  }
  for (std::int64_t j = 0; j < out.column_slots(); ++j) {
    V c = column(out, j);
    if (V valid = column_valid(out, j)) c = b_.CreateSelect(valid, c, i32(j % out.vector));
    columns.push_back(dot.bytes ? b_.CreateMul(c, i32(dot.b_pitch)) : c);
  }
  const auto word = [&](V base, V index) {
    return b_.CreateAlignedLoad(b_.getInt32Ty(), this->element(base, dot.element, index), llvm::Align(4));
  };
  return repeat(i32(0), i32(dot.piece), i32(dot.step), accumulators, [&](V k, const Parts& carried) -> Parts {
    Parts sums = carried;
    if (dot.bytes) {
      Parts column_words;
      for (V c : columns) column_words.push_back(word(b, b_.CreateAdd(c, k)));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        V row_word = word(a, b_.CreateAdd(rows[i], k));
        for (std::size_t j = 0; j < columns.size(); ++j) {
          V& sum = sums[i * columns.size() + j];
          sum = target_.dot4(is_signed(dot.element), row_word, column_words[j], sum);
        }
      }
      return sums;
    }
    std::vector<Parts> row_parts;
    for (V r : rows) row_parts.push_back(vector_load(a, dot.element, b_.CreateAdd(r, k), dot.step, dot.sum));
    for (std::int64_t step = 0; step < dot.step; ++step) {
      V at = b_.CreateMul(b_.CreateAdd(k, i32(step)), i32(dot.b_pitch));
      Parts column_parts;
      for (std::size_t j = 0; j < columns.size(); j += static_cast<std::size_t>(out.vector))
        for (V y : vector_load(b, dot.element, b_.CreateAdd(at, columns[j]), out.vector, dot.sum)) column_parts.push_back(y);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j) {
          V& sum = sums[i * columns.size() + j];
          V x = row_parts[i][static_cast<std::size_t>(step)];
          V y = column_parts[j];
          sum = is_float(dot.sum) ? b_.CreateIntrinsic(llvm::Intrinsic::fma, {sum->getType()}, {x, y, sum})
                                  : b_.CreateAdd(sum, b_.CreateMul(x, y));
        }
    }
    return sums;
  });
}

void Emitter::emit_dot(const ir::Op& op) {
  const Dot dot = plan_dot(op);
  Parts sums = op.operands.size() > 2
                   ? parts(op.operands[2])
                   : Parts(static_cast<std::size_t>(dot.out->slots()), llvm::Constant::getNullValue(type_of(context_, dot.sum)));
  for (std::int64_t begin = 0; begin < dot.k; begin += dot.piece) {
    begin_exchange();
    stage_operands(dot, begin);
    end_writes();
    sums = multiply(dot, std::move(sums));
    end_exchange();
  }
  define(op, std::move(sums));
}

}  // namespace phobos::nvptx
