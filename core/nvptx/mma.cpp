// Contractions on tensor cores by `mma.sync`. A warp has a share of whole m16n8 blocks of the result, whose accumulators are the slots
// of its layout. For each step along k (16 elements of 16 bits, or 32 bytes) it reads blocks of 16 rows of A and of 16 columns of B
// from shared memory by `ldmatrix`, which hands every lane what the multiplication wants of it, and multiplies all with all. B is
// turned on the way where it lies as [K, N]; bytes cannot be, so they lie as [N, K]. A may be in registers already: the accumulators
// of one contraction, made 16 bits wide, are the first operand of the next.
// Which lane holds what: PTX ISA, "Matrix Fragments for mma.m16n8k16" and "ldmatrix".
#include "dot.h"

namespace phobos::nvptx {

using llvm::Value;

namespace {

constexpr std::int64_t warp = 32;

}  // namespace

// Whether the first operand is in registers as the multiplication wants it.
bool Emitter::is_fragment(const ir::Op& dot) const {
  const ir::Type& a = type(dot.operands[0]);
  if (size_of(a.element) != 2 || choose_contraction(kernel_, dot, chip_).path != passes::Contraction::Path::Mma) return false;
  const std::vector<Digit> quad{{1, 4, 2}};
  const std::vector<Step> steps{{2, 1}, {a.shape[1] / 8, 8}};  // of a multiple of 16 columns
  const Layout& has = layout(dot.operands[0]);
  return has.rows == layout(dot.results[0]).rows && has.columns.threads == quad && has.columns.slots == steps;
}

// The 16 x 16 block of A at rows 16 `block` of this warp's share.
Parts Emitter::fragment_from_slots(const Dot& dot, std::int64_t block, std::int64_t step) {
  const ir::ValueId a = dot.op->operands[0];
  Parts words;
  for (std::int64_t half = 0; half < 2; ++half)
    for (std::int64_t below = 0; below < 2; ++below) {
      V pair = llvm::PoisonValue::get(llvm::FixedVectorType::get(type_of(context_, dot.element), 2));
      for (std::int64_t i = 0; i < 2; ++i)
        pair = b_.CreateInsertElement(pair, parts(a)[index(layout(a), block * 2 + below, (step * 2 + half) * 2 + i)], static_cast<std::uint64_t>(i));
      words.push_back(b_.CreateBitCast(pair, b_.getInt32Ty()));
    }
  return words;
}

Parts Emitter::multiply_fragments(const Dot& dot, Parts sums) {
  const auto [a, b] = std::pair(dot.operands[0], dot.operands[1]);
  const std::int64_t chunk = 16 / size_of(dot.element);
  const auto share = [&](const Axis& axis, V& first) {
    std::int64_t parts = 1;
    first = i32(0);
    for (const Digit& digit : axis.threads)
      if (digit.divisor >= warp) {
        parts *= digit.count;
        first = b_.CreateAdd(first, b_.CreateMul(thread_digit(digit), i32(digit.stride)));
      }
    return axis.extent / parts;
  };
  V first_row = nullptr, first_column = nullptr;
  const std::int64_t rows = share(dot.out->rows, first_row), columns = share(dot.out->columns, first_column);

  // Where this lane's row of an 8 x 8 matrix begins; all else is a constant away.
  V lane = b_.CreateAnd(thread_, warp - 1);
  const auto bits = [&](std::int64_t mask, unsigned down) { return b_.CreateLShr(b_.CreateAnd(lane, static_cast<std::uint64_t>(mask)), down); };
  const auto start = [&](const Matrix& matrix, V row, V column) {
    return element(matrix.base, dot.element, b_.CreateAdd(b_.CreateMul(row, i32(matrix.pitch)), column));
  };
  const auto chunks = [&](V count) { return b_.CreateMul(count, i32(chunk)); };
  V a_start = dot.fragment ? nullptr : start(a, b_.CreateAdd(first_row, bits(15, 0)), chunks(bits(16, 4)));
  V b_start = dot.along_k ? start(b, b_.CreateAdd(first_column, b_.CreateAdd(bits(7, 0), b_.CreateMul(bits(16, 4), i32(8)))), chunks(bits(8, 3)))
                          : start(b, bits(15, 0), b_.CreateAdd(first_column, chunks(bits(16, 4))));
  // The last 8 of an odd number of blocks of columns: two matrices, whose rows the lower 16 lanes give.
  V b_odd = b_start;
  if (dot.along_k && columns % 16 != 0) b_odd = start(b, b_.CreateAdd(first_column, bits(7, 0)), chunks(bits(8, 3)));
  if (!dot.along_k && columns % 16 != 0) b_odd = start(b, bits(15, 0), first_column);

  const std::int64_t steps = dot.piece / dot.step;
  struct Words {
    std::vector<Parts> a;
    Parts b;
  };
  const auto read = [&](std::int64_t step) {
    Words words;
    for (std::int64_t block = 0; block < rows / 16; ++block)
      words.a.push_back(dot.fragment ? fragment_from_slots(dot, block, step)
                                     : target_.load_matrices(element(a_start, dot.element, i32(block * 16 * a.pitch + step * dot.step)), 4, false));
    for (std::int64_t column = 0; column < columns; column += 16) {
      const bool pair = column + 16 <= columns;
      const std::int64_t away = dot.along_k ? column * b.pitch + step * dot.step : step * dot.step * b.pitch + column;
      words.b.append(target_.load_matrices(element(pair ? b_start : b_odd, dot.element, i32(away)), pair ? 4 : 2, !dot.along_k));
    }
    return words;
  };
  // A step's operands are read before the last step is multiplied, and the copies that wait to be issued are spread over the steps: no
  // read can be moved over a copy.
  const std::size_t copies = (copies_.size() + static_cast<std::size_t>(steps) - 1) / static_cast<std::size_t>(steps);
  const std::int64_t width = dot.out->columns.slot_count();
  Words next = read(0);
  for (std::int64_t step = 0; step < steps; ++step) {
    const Words now = std::move(next);
    if (step + 1 < steps) next = read(step + 1);
    issue_copies(copies);
    for (std::int64_t block = 0; block < rows / 16; ++block)
      for (std::int64_t column = 0; column < columns / 8; ++column) {
        Parts four;
        const auto slot = [&](std::int64_t i) { return static_cast<std::size_t>((block * 2 + i / 2) * width + column * 2 + i % 2); };
        for (std::int64_t i = 0; i < 4; ++i) four.push_back(sums[slot(i)]);
        const auto at = static_cast<std::size_t>(column * 2);
        four = target_.multiply_matrices(dot.element, now.a[static_cast<std::size_t>(block)], {now.b[at], now.b[at + 1]}, four);
        for (std::int64_t i = 0; i < 4; ++i) sums[slot(i)] = four[static_cast<std::size_t>(i)];
      }
  }
  return sums;
}

}  // namespace phobos::nvptx
