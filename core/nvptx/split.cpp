// Loops over slices. Most of their turns find each slice inside its buffer and aligned, and which turns do is known before the loop: the
// starts of a slice do not change in it, or grow with its variable. So the loop becomes two,
//
//   for k in range(begin, end, step) { … X[row :+ 1, k :+ n] … }
//
//     →   whole = the tests that all turns share hold ? the least of end and N - n + 1 : begin
//         for k in range(begin, whole, step) { … }     copies that test nothing, 16 bytes at a time
//         for k in range(k, end, step) { … }           the last turn, or all, under masks
//
// and what is a branch round each copy in each turn becomes nothing at all in the first of them.
#include <algorithm>
#include <set>

#include "emitter.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

struct Emitter::Split {
  std::vector<const ir::Op*> slices;
  std::vector<V> tests;   // that hold for all turns or for none
  std::vector<V> limits;  // past which the variable is not whole any more
  std::set<std::int64_t> columns;  // extents that rows lie apart
};

namespace {

constexpr std::size_t most_operations = 64;  // of a body, which is emitted twice

bool is_slice(const ir::Kernel& kernel, const ir::Op& op) {
  return (op.code == Opcode::TileLoad || op.code == Opcode::TileStore) && kernel.type(op.operands[0]).space == ir::Type::Space::Global;
}

}  // namespace

// Where along an axis a slice starts: at what does not change in the loop, and its variable, or not.
struct Emitter::Moving {
  bool known = false, moves = false;
  V offset = nullptr;  // beside the variable; null: none

  static Moving of(Emitter& e, const ir::Op& loop, ir::ValueId start) {
    const ir::ValueId variable = e.kernel_[loop.regions[0]].arguments[0];
    if (start == variable) return {true, true, nullptr};
    if (!made_inside(e.kernel_, loop, start)) return {true, false, nullptr};
    const ir::OpId made = e.kernel_[start].op;
    if (!made.valid() || e.kernel_[made].code != Opcode::Add || e.type(start).element != e.type(variable).element) return {};
    for (std::size_t i = 0; i < 2; ++i)
      if (const ir::ValueId other = e.kernel_[made].operands[1 - i]; e.kernel_[made].operands[i] == variable && !made_inside(e.kernel_, loop, other))
        return {true, true, e.as_i64(other)};
    return {};
  }
};

bool Emitter::add_slice(Split& split, const ir::Op& loop, const ir::Op& op) {
  const ir::ValueId buffer = op.operands[0];
  const std::size_t first = op.code == Opcode::TileLoad ? 1 : 2;
  const ir::ValueId tile = op.code == Opcode::TileLoad ? op.results[0] : op.operands[1];
  const Layout& how = layout(tile);
  if (!how.rows.full() || !how.columns.full()) return false;
  const ir::Type& tensor = type(buffer);
  const ir::Shape& shape = type(tile).shape;
  const std::vector<ir::ValueId> starts(op.operands.begin() + static_cast<std::ptrdiff_t>(first), op.operands.end());
  std::vector<V> tests, limits;
  std::vector<Moving> places;
  for (std::size_t axis = 0; axis < starts.size(); ++axis) {
    const Moving place = Moving::of(*this, loop, starts[axis]);
    if (!place.known) return false;
    places.push_back(place);
    if (!place.moves) {
      if (V holds = inside(buffer, axis, starts[axis], shape[axis])) tests.push_back(holds);
      continue;
    }
    V begin = as_i64(loop.operands[0]);
    if (!facts_.never_negative(starts[axis])) tests.push_back(b_.CreateICmpSGE(place.offset ? b_.CreateAdd(begin, place.offset) : begin, i64(0)));
    if (facts_.fits(starts[axis], shape[axis], tensor.shape[axis])) continue;
    V limit = b_.CreateSub(extent(buffer, axis), i64(shape[axis] - 1));
    limits.push_back(place.offset ? b_.CreateSub(limit, place.offset) : limit);
  }
  if (const std::int64_t bytes = std::min<std::int64_t>(16, how.vector() * size_of(tensor.element)); how.vector() > 1) {
    const std::int64_t unit = bytes / size_of(tensor.element);
    if (places.back().moves && !facts_.multiple(starts.back(), unit)) return false;
    V only = nullptr;  // less what a moving start adds, a multiple of the unit
    if (how.rows.extent == 1) {
      only = places.back().moves ? i64(0) : as_i64(starts.back());
      for (std::size_t axis = 0; axis + 1 < starts.size(); ++axis) {
        if (places[axis].moves) only = nullptr;
        if (!only) break;
        only = b_.CreateAdd(only, b_.CreateMul(as_i64(starts[axis]), stride(buffer, axis)));
      }
    }
    if (places.back().moves && !only) only = extent(buffer, starts.size() - 1);
    if (V holds = aligned(buffer, starts, bytes, only)) tests.push_back(holds);
  }
  if (tests.empty() && limits.empty()) return false;
  split.slices.push_back(&op);
  split.tests.insert(split.tests.end(), tests.begin(), tests.end());
  split.limits.insert(split.limits.end(), limits.begin(), limits.end());
  split.columns.insert(tensor.shape.back());
  return true;
}

// Of a loop that only copies and computes, and is small. One that folds or exchanges waits in each turn for that, and not for a branch.
Emitter::Split Emitter::plan_split(const ir::Op& loop) {
  Split split;
  const ir::Region& body = kernel_[loop.regions[0]];
  if (loop.immediate < 0 || body.ops.size() > most_operations || facts_.of(loop.operands[2]).least <= 0 || !is_signed(type(loop.operands[0]).element) ||
      size_of(type(loop.operands[0]).element) != 8)
    return split;
  for (const ir::OpId id : body.ops) {
    const ir::Op& op = kernel_[id];
    if (op.code == Opcode::For || op.code == Opcode::While || op.code == Opcode::ScopeOp || op.code == Opcode::Dot || op.code == Opcode::AsyncLoad || op.code == Opcode::RowFold || exchanges(op))
      return {};
  }
  for (const ir::OpId id : body.ops)
    if (is_slice(kernel_, kernel_[id])) add_slice(split, loop, kernel_[id]);
  return split;
}

Value* Emitter::whole_end(const Split& split, V begin, V end) {
  V whole = end, all = nullptr;
  for (V limit : split.limits) whole = b_.CreateSelect(b_.CreateICmpSLT(limit, whole), limit, whole);
  for (V test : split.tests) all = both(all, test);
  return all ? b_.CreateSelect(all, whole, begin) : whole;
}

void Emitter::emit_for(ir::OpId id, const ir::Op& op) {
  if (bulk_ && id == bulk_->loop) return emit_bulk_loop(op);
  V begin = scalar(op.operands[0]), end = scalar(op.operands[1]), step = scalar(op.operands[2]);
  if (facts_.of(op.operands[2]).least <= 0) {  // no turn with a step that is not positive
    V none = llvm::ConstantInt::get(step->getType(), 0);
    end = b_.CreateSelect(is_signed(type(op.operands[2]).element) ? b_.CreateICmpSGT(step, none) : b_.CreateICmpNE(step, none), end, begin);
  }
  Parts carried = flatten(op.operands, 3);
  Join out = join("out");
  const Split split = plan_split(op);
  if (!split.slices.empty()) {
    for (const ir::Op* slice : split.slices) lies_[slice] = Lie::Whole;
    V next = nullptr;
    carried = emit_turns(id, op, begin, whole_end(split, begin, end), carried, out, next);
    begin = next;
    // Slices of one tensor, or of tensors alike, fail the tests together; another's may still be whole.
    for (const ir::Op* slice : split.slices) {
      if (split.columns.size() == 1) lies_[slice] = Lie::Ragged;
      else lies_.erase(slice);
    }
  }
  V next = nullptr;
  Parts last = emit_turns(id, op, begin, end, carried, out, next);
  end_group_dots(last);
  for (const ir::Op* slice : split.slices) lies_.erase(slice);
  jump(out, last);
  unflatten(op.results, arrive(out, op.results));
}

}  // namespace phobos::nvptx
