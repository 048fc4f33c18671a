// Contractions by `wgmma`: four warps together multiply 64 rows of A with up to 256 columns of B, both in shared memory, while they do
// something else. A turn of a loop goes
//
//   wait for this turn's operands, for all warps
//   multiply    this turn's, on their way
//   copies      of the turn that is two ahead of the last that is surely over
//   wait        until the multiplications of the turn before are over
//
// so that the tensor cores have the next turn's work before they are through with this one's, and the sums are looked at behind the
// loop only. Each group of four warps has 64 rows of the result, or several such blocks.
// Operands are swizzled: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout" and "Matrix Descriptor".
#include "dot.h"
#include "roles.h"

namespace phobos::nvptx {

using llvm::Value;
using roles::group;

void Emitter::find_swizzles() {
  if (bulk_) {
    shared_->setAlignment(llvm::Align(1024));
    return;
  }
  for (std::uint32_t i = 0; i < kernel_.ops.size(); ++i) {
    const ir::Op& op = kernel_[ir::OpId(i)];
    if (op.code != ir::Opcode::Dot || !plan_.reaches(ir::OpId(i))) continue;
    const passes::Contraction how = passes::choose_contraction(kernel_, op, chip_);
    if (how.path != passes::Contraction::Path::Groups) continue;
    const std::int64_t bytes = size_of(type(op.operands[0]).element);
    swizzles_[ring_of(op.operands[0])] = passes::swizzle_for(how.k * bytes, true);
    swizzles_[ring_of(op.operands[1])] = passes::swizzle_for((how.transposed ? how.k : how.n) * bytes, how.transposed);
  }
  if (!swizzles_.empty()) shared_->setAlignment(llvm::Align(1024));
}

const passes::Swizzle* Emitter::swizzle_of(ir::ValueId ring) const {
  const auto found = swizzles_.find(ring.value);
  return found == swizzles_.end() ? nullptr : &found->second;
}

// Of a matrix of so many rows: the number of an element.
Value* Emitter::swizzled(const passes::Swizzle& swizzle, std::int64_t rows, ScalarType element, V row, V column) {
  const std::int64_t across = swizzle.row / size_of(element), piece = 16 / size_of(element);
  V block = b_.CreateUDiv(column, i32(across)), within = b_.CreateURem(column, i32(across));
  V turned = b_.CreateMul(b_.CreateAnd(b_.CreateUDiv(row, i32(swizzle.period())), i32(swizzle.mask())), i32(piece));
  V at = b_.CreateAdd(b_.CreateMul(block, i32(rows * across)), b_.CreateMul(row, i32(across)));
  return b_.CreateAdd(at, b_.CreateXor(within, turned), "", true, true);
}

void Emitter::emit_group_dot(const Dot& dot) {
  const passes::Swizzle of_a = swizzles_.at(ring_of(dot.op->operands[0])), of_b = swizzles_.at(ring_of(dot.op->operands[1]));
  begin_copies();
  V number = target_.shuffle(ir::ShuffleMode::From, b_.CreateUDiv(thread_, i32(group)), i32(0));
  V a = element(dot.operands[0].base, ScalarType::U8, b_.CreateMul(number, i32(dot.how.m / (kernel_.threads / group) * of_a.row)));
  Parts sums = multiply_by_groups(dot, {a}, dot.operands[1].base, of_a, of_b, parts(dot.op->operands[2]));
  issue_copies();
  target_.wait_for_groups(1);
  group_dots_under_way_ = true;
  define(*dot.op, std::move(sums));
}

// The rows of this group, which begin at `a`, or whose words it has (four a step); on their way when this returns. No `sums`: from zero on.
Parts Emitter::multiply_by_groups(const Dot& dot, const Parts& a, V b, const passes::Swizzle& of_a, const passes::Swizzle& of_b, Parts sums) {
  const std::int64_t bytes = size_of(dot.element);
  const auto& [m, n, k] = std::tie(dot.how.m, dot.how.n, dot.how.k);
  const bool along_k = dot.how.transposed, from_zero = sums.empty();
  const std::int64_t blocks = m / (kernel_.threads / group) / 64, columns = dot.out->columns.slot_count();
  if (from_zero) sums.resize(static_cast<std::size_t>(dot.out->slots()));
  // How far the step's columns of a row along k are from the first, in a matrix of so many rows; in pieces of 16 bytes.
  const auto along = [&](const passes::Swizzle& swizzle, std::int64_t count, std::int64_t first) {
    return (first * bytes / swizzle.row * count * swizzle.row + first * bytes % swizzle.row) / 16;
  };
  const auto further = [&](V descriptor, std::int64_t pieces) { return b_.CreateAdd(descriptor, i64(pieces)); };
  V of_b_rows = target_.descriptor(b, of_b, along_k ? 16 : k * of_b.row), of_a_rows = a.size() == 1 ? target_.descriptor(a[0], of_a) : nullptr;
  target_.begin_groups();
  for (std::int64_t block = 0; block < blocks; ++block) {
    const auto slot = [&](std::int64_t i) {  // of the machine's i-th sum
      return static_cast<std::size_t>((block * 2 + i / 2 % 2) * columns + i / 4 * 2 + i % 2);
    };
    Parts mine;
    for (std::int64_t i = 0; i < n / 2; ++i) mine.push_back(sums[slot(i)]);
    for (std::int64_t first = 0; first < k; first += dot.step) {
      Parts from_a;
      if (of_a_rows) from_a = {further(of_a_rows, block * 64 * of_a.row / 16 + along(of_a, m, first))};
      else from_a = Parts(a.begin() + first / dot.step * 4, a.begin() + first / dot.step * 4 + 4);
      V from_b = further(of_b_rows, along_k ? along(of_b, n, first) : first * of_b.row / 16);
      mine = target_.multiply_by_groups({dot.element, n, along_k, from_zero && first == 0}, from_a, from_b, mine);
    }
    for (std::int64_t i = 0; i < n / 2; ++i) sums[slot(i)] = mine[static_cast<std::size_t>(i)];
  }
  target_.commit_groups();
  return sums;
}

// Behind a loop: what it carried may be read from here on.
void Emitter::end_group_dots(Parts& carried) {
  if (!std::exchange(group_dots_under_way_, false)) return;
  target_.wait_for_groups(0);
  for (llvm::Type* type : {b_.getFloatTy(), static_cast<llvm::Type*>(b_.getInt32Ty())}) {
    Parts sums;
    for (V value : carried)
      if (value->getType() == type) sums.push_back(value);
    sums = target_.held(sums);
    std::size_t at = 0;
    for (V& value : carried)
      if (value->getType() == type) value = sums[at++];
  }
}

}  // namespace phobos::nvptx
