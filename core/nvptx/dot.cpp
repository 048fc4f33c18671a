// Contractions without tensor cores, and what all of them share: operands in shared memory. An operand that a pass put there is read
// where it is; another is laid out in the exchange area first, in pieces along k where it is large.
// Here every thread computes the slots it owns: it walks along k, reads `step` elements of each of its rows of A at a time and, for
// each k, its columns of B, and multiplies all with all. Sums stay in registers, in order of k, one fused multiply-add after the
// other. Bytes are multiplied four at a time, so B lies along k too then.
#include "emitter.h"

#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include "dot.h"

namespace phobos::nvptx {

using llvm::Value;
using Path = passes::Contraction::Path;

Emitter::Dot Emitter::plan_dot(const ir::Op& op) {
  constexpr std::int64_t budget = 96 * 1024;
  Dot dot;
  dot.how = passes::choose_contraction(kernel_, op, chip_);
  dot.op = &op;
  dot.out = &layout(op.results[0]);
  dot.element = type(op.operands[0]).element;
  dot.sum = type(op.results[0]).element;
  dot.step = dot.how.k % 4 == 0 ? 4 : dot.how.k % 2 == 0 ? 2 : 1;
  if (dot.how.path == Path::Fma && dot.step == 4 && dot.out->slots() > 32) dot.step = 2;
  if (dot.how.on_tensor_cores()) dot.step = dot.how.mma_step();
  for (std::size_t i = 0; i < 2; ++i)
    if (const auto found = matrices_.find(op.operands[i].value); found != matrices_.end()) dot.operands[i] = found->second;
  dot.in_place[0] = dot.operands[0].base != nullptr;
  dot.in_place[1] = dot.operands[1].base != nullptr;
  dot.fragment = !dot.in_place[0] && is_fragment(op);
  // B lies as [N, K] where it is given so or read along k, except that single multiply-adds read it along n.
  dot.along_k = dot.in_place[1] ? dot.how.transposed : dot.how.path == Path::Fma ? false : dot.how.transposed || size_of(dot.element) == 1;
  dot.set_piece(dot.how.k);
  while (!dot.in_place[0] && !dot.in_place[1] && !dot.fragment && dot.size() > budget && dot.piece % 2 == 0 && dot.piece / 2 % dot.step == 0)
    dot.set_piece(dot.piece / 2);
  return dot;
}

// Lays an operand out as it is, or `turned`, from `begin` along k on.
void Emitter::stage_operand(const Dot& dot, std::size_t which, std::int64_t begin, const Matrix& to, bool turned) {
  const ir::ValueId operand = dot.op->operands[which];
  const bool k_is_column = which == 0 || dot.how.transposed;
  const bool whole = dot.piece == dot.how.k;
  Where only;
  if (!whole)
    only = [this, k_is_column, begin, piece = dot.piece](V r, V c) {
      return b_.CreateICmpULT(b_.CreateSub(k_is_column ? c : r, i32(begin)), i32(piece));
    };
  stage(parts(operand), layout(operand), dot.element, to.base, [&](V r, V c) {
    if (!whole) (k_is_column ? c : r) = b_.CreateSub(k_is_column ? c : r, i32(begin));
    if (turned) std::swap(r, c);
    return b_.CreateAdd(b_.CreateMul(r, i32(to.pitch)), c);
  }, only, turned ? 0 : to.pitch);
}

void Emitter::stage_operands(Dot& dot, std::int64_t begin) {
  if (!dot.in_place[0] && !dot.fragment) {
    dot.operands[0] = {exchange(0, dot.b_offset), dot.a_pitch};
    stage_operand(dot, 0, begin, dot.operands[0], false);
  }
  if (!dot.in_place[1]) {
    dot.operands[1] = {exchange(dot.b_offset, dot.size() - dot.b_offset), dot.b_pitch};
    stage_operand(dot, 1, begin, dot.operands[1], dot.along_k != dot.how.transposed);
  }
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

Parts Emitter::multiply_bytes(const Dot& dot, V k, const std::vector<V>& rows, const std::vector<V>& columns, Parts sums) {
  const auto word = [&](V base, V index) {
    return b_.CreateAlignedLoad(b_.getInt32Ty(), this->element(base, dot.element, index), llvm::Align(4));
  };
  Parts column_words;
  for (V c : columns) column_words.push_back(word(dot.operands[1].base, b_.CreateAdd(c, k)));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    V row_word = word(dot.operands[0].base, b_.CreateAdd(rows[i], k));
    for (std::size_t j = 0; j < columns.size(); ++j) {
      V& sum = sums[i * columns.size() + j];
      sum = target_.dot4(is_signed(dot.element), row_word, column_words[j], sum);
    }
  }
  return sums;
}

Parts Emitter::multiply(const Dot& dot, Parts sums) {
  const Layout& out = *dot.out;
  issue_copies();
  const auto [a, b] = std::pair(dot.operands[0], dot.operands[1]);
  std::vector<V> rows, columns;  // where each begins in its operand; slots past the end read the first
  for (std::int64_t i = 0; i < out.rows.slot_count(); ++i) {
    V r = row(out, i);
    if (V valid = row_valid(out, i)) r = b_.CreateSelect(valid, r, i32(0));
    rows.push_back(b_.CreateMul(r, i32(a.pitch)));
  }
  for (std::int64_t j = 0; j < out.columns.slot_count(); ++j) {
    V c = column(out, j);
    if (V valid = column_valid(out, j)) c = b_.CreateSelect(valid, c, i32(j % out.vector()));
    columns.push_back(dot.how.path == Path::Bytes ? b_.CreateMul(c, i32(b.pitch)) : c);
  }
  return repeat(i32(0), i32(dot.piece), i32(dot.step), sums, [&](V k, const Parts& carried) -> Parts {
    if (dot.how.path == Path::Bytes) return multiply_bytes(dot, k, rows, columns, carried);
    Parts next = carried;
    std::vector<Parts> row_parts;
    for (V r : rows) row_parts.push_back(vector_load(a.base, dot.element, b_.CreateAdd(r, k), dot.step, dot.sum));
    for (std::int64_t step = 0; step < dot.step; ++step) {
      V at = b_.CreateMul(b_.CreateAdd(k, i32(step)), i32(b.pitch));
      Parts column_parts;
      for (std::size_t j = 0; j < columns.size(); j += static_cast<std::size_t>(out.vector()))
        for (V y : vector_load(b.base, dot.element, b_.CreateAdd(at, columns[j]), out.vector(), dot.sum)) column_parts.push_back(y);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j) {
          V& sum = next[i * columns.size() + j];
          V x = row_parts[i][static_cast<std::size_t>(step)];
          V y = column_parts[j];
          sum = is_float(dot.sum) ? b_.CreateIntrinsic(llvm::Intrinsic::fma, {sum->getType()}, {x, y, sum})
                                  : b_.CreateAdd(sum, b_.CreateMul(x, y));
        }
    }
    return next;
  });
}

void Emitter::note_dot(const Dot& dot) {
  std::string path = is_float(dot.sum) ? "fma" : "multiply and add";
  if (dot.how.path == Path::Bytes) path = "dp4a";
  if (dot.how.path == Path::Mma) path = fmt::format("mma.sync m16n8k{}{}", dot.step, dot.element == dot.how.multiplied && dot.element != ScalarType::F32 ? "" : dot.how.multiplied == ScalarType::F16 ? " of f16" : " of tf32");
  std::string reason = dot.how.reason;
  if (dot.how.path == Path::Mma && chip_.has_wgmma()) {
    reason = dot.element == ScalarType::F32 ? passes::why_not_groups_of_f32(kernel_, *dot.op, chip_) : passes::why_not_groups(kernel_, *dot.op, chip_);
    if (reason.empty() && dot.element == ScalarType::F32) reason = "wgmma multiplies f32 where bulk copies bring it";
    if (reason.empty()) reason = "wgmma is used where a loop does nothing but load both operands, which fit three times, and add their product";
  }
  if (dot.how.path == Path::Groups) path = fmt::format("wgmma m64n{}k{}", dot.how.swapped() ? dot.how.m : dot.how.n, dot.step);
  if (dot.how.path == Path::Groups && dot.element == ScalarType::F32)
    path = fmt::format("where tensors have rows of a multiple of 16 bytes: {} of {}", path, dot.how.products == 3 ? "tf32, three products for one" : "tf32");
  decide(Decision::Kind::Contraction, fmt::format("{} of {}: {} x {} x {}", dot.how.transposed ? "dot_t" : "dot", phobos::name_of(dot.element), dot.how.m, dot.how.n, dot.how.k),
         std::move(path), reason);
}

void Emitter::emit_dot(const ir::Op& op) {
  if (emit_preloaded_dot(op)) return;
  Dot dot = plan_dot(op);
  note_dot(dot);
  if (dot.how.path == Path::Groups) return emit_group_dot(dot);
  Parts sums = op.operands.size() > 2
                   ? parts(op.operands[2])
                   : Parts(static_cast<std::size_t>(dot.out->slots()), llvm::Constant::getNullValue(type_of(context_, dot.sum)));
  const bool staged = (!dot.in_place[0] && !dot.fragment) || !dot.in_place[1];
  for (std::int64_t begin = 0; begin < dot.how.k; begin += dot.piece) {
    if (staged) begin_exchange();
    stage_operands(dot, begin);
    if (staged) end_writes();
    sums = dot.how.path == Path::Mma ? multiply_fragments(dot, std::move(sums)) : multiply(dot, std::move(sums));
    if (staged) end_exchange();
  }
  define(op, std::move(sums));
}

}  // namespace phobos::nvptx
