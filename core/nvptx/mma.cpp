// Contractions on tensor cores by `mma.sync`. A warp has a share of whole m16n8 blocks of the result, whose accumulators are the slots
// of its layout. For each step along k (16 elements of 16 bits, or 32 bytes) it reads blocks of 16 rows of A and of 16 columns of B
// from shared memory by `ldmatrix`, which hands every lane what the multiplication wants of it, and multiplies all with all. B is
// turned on the way where it lies as [K, N]; bytes cannot be, so they lie as [N, K]. A may be in registers already: the accumulators
// of one contraction, made 16 bits wide, are the first operand of the next.
// Operands of f32, where they may be rounded (`@tensorcore`), are rounded on their way from shared memory: to tf32, an element a word; or
// to f16, two a word, for which a lane takes what is 4 apart along k: as both operands do, no element meets another than its own.
// Which lane holds what: PTX ISA, "Matrix Fragments for mma.m16n8k16", "… mma.m16n8k8" and "ldmatrix".
#include "dot.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

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

struct Emitter::Operands {
  std::vector<Parts> a;  // a block of 16 rows each
  Parts b;
};

// Where this lane reads the operands of its warp's share.
class Emitter::Reader {
 public:
  Reader(Emitter& emitter, const Dot& dot) : e_(emitter), dot_(dot) {
    Builder& b = e_.b_;
    V first_row = nullptr, first_column = nullptr;
    rows_ = share(dot.out->rows, first_row);
    columns_ = share(dot.out->columns, first_column);
    // Where this lane's row of an 8 x 8 matrix begins; all else is a constant away.
    V lane = b.CreateAnd(e_.thread_, warp - 1);
    const std::int64_t chunk = 16 / size_of(dot.element);
    const auto bits = [&](std::int64_t mask, unsigned down) { return b.CreateLShr(b.CreateAnd(lane, static_cast<std::uint64_t>(mask)), down); };
    const auto start = [&](const Matrix& matrix, V row, V column) {
      return e_.element(matrix.base, dot.element, b.CreateAdd(b.CreateMul(row, e_.i32(matrix.pitch)), column));
    };
    const auto chunks = [&](V count) { return b.CreateMul(count, e_.i32(chunk)); };
    const Matrix &a = dot.operands[0], &other = dot.operands[1];
    if (!dot.fragment) a_ = start(a, b.CreateAdd(first_row, bits(15, 0)), chunks(bits(16, 4)));
    if (singles()) b_ = start(other, bits(3, 0), b.CreateAdd(first_column, bits(28, 2)));
    else b_ = dot.along_k ? start(other, b.CreateAdd(first_column, b.CreateAdd(bits(7, 0), b.CreateMul(bits(16, 4), e_.i32(8)))), chunks(bits(8, 3)))
                     : start(other, bits(15, 0), b.CreateAdd(first_column, chunks(bits(16, 4))));
    // The last 8 of an odd number of blocks of columns: two matrices, whose rows the lower 16 lanes give.
    if (columns_ % 16 != 0 && !singles())
      odd_ = dot.along_k ? start(other, b.CreateAdd(first_column, bits(7, 0)), chunks(bits(8, 3))) : start(other, bits(15, 0), first_column);
  }

  Operands read(std::int64_t step) const {
    const Matrix &a = dot_.operands[0], &b = dot_.operands[1];
    Operands words;
    for (std::int64_t block = 0; block < rows_ / 16; ++block)
      words.a.push_back(dot_.fragment ? e_.fragment_from_slots(dot_, block, step) : rounded_a(block * 16 * a.pitch + step * dot_.step));
    if (size_of(dot_.element) == 4) {
      read_rounded_b(step, words.b);
      return words;
    }
    for (std::int64_t column = 0; column < columns_; column += 16) {
      const bool pair = column + 16 <= columns_;
      const std::int64_t away = dot_.along_k ? column * b.pitch + step * dot_.step : step * dot_.step * b.pitch + column;
      words.b.append(load(pair ? b_ : odd_, away, pair ? 4 : 2, !dot_.along_k));
    }
    return words;
  }

  std::int64_t b_words() const { return columns_ / 8 * 2; }

 private:
  static constexpr std::int64_t warp = 32;

  // Whether each element of B is read on its own: `ldmatrix` cannot turn f32.
  bool singles() const { return size_of(dot_.element) == 4 && !dot_.along_k; }
  bool to_f16() const { return dot_.how.multiplied == ScalarType::F16; }

  // Words of f32 as they are multiplied; of f16, neighbours become one.
  Parts rounded(const Parts& words) const {
    Parts made;
    if (size_of(dot_.element) != 4) return words;
    for (std::size_t i = 0; i < words.size(); i += to_f16() ? 2 : 1) {
      const auto real = [&](std::size_t word) { return e_.b_.CreateBitCast(words[word], e_.b_.getFloatTy()); };
      made.push_back(to_f16() ? e_.target_.pack_f16(real(i), real(i + 1)) : e_.target_.round_tf32(real(i)));
    }
    return made;
  }

  Parts rounded_a(std::int64_t away) const {
    const Parts first = load(a_, away, 4, false);
    if (size_of(dot_.element) != 4 || !to_f16()) return rounded(first);
    const Parts second = load(a_, away + 8, 4, false);
    return rounded({first[0], first[2], first[1], first[3], second[0], second[2], second[1], second[3]});
  }

  void read_rounded_b(std::int64_t step, Parts& words) const {
    const std::int64_t pitch = dot_.operands[1].pitch, k = step * dot_.step;
    for (std::int64_t column = 0; column < columns_; column += singles() ? 8 : 16) {
      Parts found;  // of each block of 8 columns, what is 4 apart along k
      if (singles()) {
        for (std::int64_t at = 0; at < dot_.step; at += 4)
          found.push_back(e_.b_.CreateAlignedLoad(e_.b_.getInt32Ty(), e_.element(b_, dot_.element, e_.i32((k + at) * pitch + column)), llvm::Align(4)));
      } else {
        const bool pair = column + 16 <= columns_;
        std::vector<Parts> loaded;
        for (std::int64_t at = 0; at < dot_.step; at += 8) loaded.push_back(load(pair ? b_ : odd_, column * pitch + k + at, pair ? 4 : 2, false));
        for (std::size_t block = 0; block < (pair ? 2u : 1u); ++block)
          for (const Parts& one : loaded) found.append({one[block * 2], one[block * 2 + 1]});
      }
      words.append(rounded(found));
    }
  }

  Parts load(V start, std::int64_t away, int count, bool turned) const {
    return e_.target_.load_matrices(e_.element(start, dot_.element, e_.i32(away)), count, turned);
  }

  std::int64_t share(const Axis& axis, V& first) const {
    std::int64_t parts = 1;
    first = e_.i32(0);
    for (const Digit& digit : axis.threads)
      if (digit.divisor >= warp) {
        parts *= digit.count;
        first = e_.b_.CreateAdd(first, e_.b_.CreateMul(e_.thread_digit(digit), e_.i32(digit.stride)));
      }
    return axis.extent / parts;
  }

  Emitter& e_;
  const Dot& dot_;
  std::int64_t rows_ = 0, columns_ = 0;
  V a_ = nullptr, b_ = nullptr, odd_ = nullptr;
};

Parts Emitter::multiply_step(const Dot& dot, const Operands& now, Parts sums) {
  const std::int64_t width = dot.out->columns.slot_count();
  for (std::size_t block = 0; block < now.a.size(); ++block)
    for (std::size_t column = 0; column < now.b.size() / 2; ++column) {
      Parts four;
      const auto slot = [&](std::size_t i) { return (block * 2 + i / 2) * static_cast<std::size_t>(width) + column * 2 + i % 2; };
      for (std::size_t i = 0; i < 4; ++i) four.push_back(sums[slot(i)]);
      four = target_.multiply_matrices(dot.how.multiplied, now.a[block], {now.b[column * 2], now.b[column * 2 + 1]}, four);
      for (std::size_t i = 0; i < 4; ++i) sums[slot(i)] = four[i];
    }
  return sums;
}

// The first `count` steps of a turn of `steps`. `words` are the operands of the first, and then of the step behind the last. A step's are
// read before the last step is multiplied, in one burst: spread between the multiplications they came too late, by 5 % of a gemm. The
// copies that wait are spread over the steps, since no read can be moved over a copy.
Parts Emitter::multiply_steps(const Dot& dot, const Reader& reader, std::int64_t count, std::int64_t steps, Operands& words, Parts sums) {
  begin_copies();
  const std::size_t copies = (copies_.size() + static_cast<std::size_t>(steps) - 1) / static_cast<std::size_t>(steps);
  for (std::int64_t step = 0; step < count; ++step) {
    const Operands now = std::move(words);
    if (step + 1 < steps) words = reader.read(step + 1);
    issue_copies(copies);
    sums = multiply_step(dot, now, std::move(sums));
  }
  return sums;
}

Parts Emitter::multiply_fragments(const Dot& dot, Parts sums) {
  const Reader reader(*this, dot);
  const std::int64_t steps = dot.piece / dot.step;
  Operands words = reader.read(0);
  return multiply_steps(dot, reader, steps, steps, words, std::move(sums));
}

// --- a loop whose turns read ahead: the first step's words are in variables of the function, which become registers ---

std::uint32_t Emitter::ring_of(ir::ValueId tile) const {
  const ir::OpId made = kernel_[tile].op;
  return made.valid() && kernel_[made].code == Opcode::SharedTile ? kernel_[made].operands[0].value : UINT32_MAX;
}

bool Emitter::emit_preloaded_dot(const ir::Op& op) {
  const auto found = preloaded_.find(ring_of(op.operands[0]));
  if (found == preloaded_.end()) return false;
  const Dot dot = plan_dot(op);
  note_dot(dot);
  const Reader reader(*this, dot);
  const std::int64_t steps = dot.piece / dot.step;
  Operands next;
  Parts words;
  for (llvm::AllocaInst* variable : found->second) words.push_back(b_.CreateLoad(variable->getAllocatedType(), variable));
  const std::size_t b_words = static_cast<std::size_t>(reader.b_words());
  for (std::size_t i = 0; i + b_words < words.size(); i += 4) next.a.push_back(Parts(words.begin() + i, words.begin() + i + 4));
  next.b.append(words.end() - static_cast<std::ptrdiff_t>(b_words), words.end());
  Parts sums = multiply_steps(dot, reader, steps - 1, steps, next, parts(op.operands[2]));
  unfinished_dot_ = [this, dot, next, sums, &op] { define(op, multiply_step(dot, next, sums)); };
  return true;
}

void Emitter::finish_dot() {
  if (const auto finish = std::exchange(unfinished_dot_, nullptr)) finish();
}

void Emitter::emit_preload(const ir::Op& op) {
  const ir::Op* dot_op = nullptr;
  for (const ir::Op& other : kernel_.ops)
    if (other.code == Opcode::Dot && ring_of(other.operands[0]) == ring_of(op.operands[0])) dot_op = &other;
  Dot dot = plan_dot(*dot_op);
  for (std::size_t i = 0; i < 2; ++i) {
    dot.operands[i] = matrices_.at(op.operands[i].value);
    dot.in_place[i] = true;
  }
  dot.fragment = false;
  dot.along_k = dot.how.transposed;
  const Operands words = Reader(*this, dot).read(0);
  Parts all;
  for (const Parts& block : words.a) all.append(block.begin(), block.end());
  all.append(words.b.begin(), words.b.end());
  std::vector<llvm::AllocaInst*>& variables = preloaded_[ring_of(op.operands[0])];
  if (variables.empty()) {
    const Builder::InsertPointGuard guard(b_);
    b_.SetInsertPoint(entry_, entry_->getFirstInsertionPt());
    for (V word : all) variables.push_back(b_.CreateAlloca(word->getType()));
  }
  for (std::size_t i = 0; i < all.size(); ++i) b_.CreateStore(all[i], variables[i]);
  finish_dot();
}

}  // namespace phobos::nvptx
