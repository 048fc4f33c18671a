#include "holes.h"

#include <algorithm>

#include "cta.h"
#include "handlers.h"

namespace phobos::sim {
namespace {

using ir::Opcode;
using Marks = std::vector<std::int32_t>;

bool has_any(const Marks& marks) {
  return std::any_of(marks.begin(), marks.end(), [](std::int32_t mark) { return mark != 0; });
}
void mark(std::int32_t& one, std::int32_t other) {
  if (one == 0) one = other;
}

std::array<std::int64_t, 4> padded(const ir::Shape& shape) {
  std::array<std::int64_t, 4> extents{1, 1, 1, 1};
  std::copy(shape.begin(), shape.end(), extents.end() - static_cast<std::ptrdiff_t>(shape.size()));
  return extents;
}

Marks broadcast(const Marks& marks, const ir::Shape& from_shape, const ir::Shape& to_shape) {
  const auto from = padded(from_shape), to = padded(to_shape);
  Marks made;
  for (std::int64_t i = 0; i < to[0]; ++i)
    for (std::int64_t j = 0; j < to[1]; ++j)
      for (std::int64_t k = 0; k < to[2]; ++k)
        for (std::int64_t l = 0; l < to[3]; ++l)
          made.push_back(marks[static_cast<std::size_t>(
              ((i % from[0] * from[1] + j % from[1]) * from[2] + k % from[2]) * from[3] + l % from[3])]);
  return made;
}

Marks transposed(const Marks& marks, std::size_t rows, std::size_t columns) {
  Marks made(marks.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) made[j * rows + i] = marks[i * columns + j];
  return made;
}

// One mark a row.
Marks of_rows(const Marks& marks, std::size_t columns) {
  Marks made(marks.size() / columns);
  for (std::size_t i = 0; i < marks.size(); ++i) mark(made[i / columns], marks[i]);
  return made;
}

class Propagation {
 public:
  Propagation(const ir::Kernel& kernel, const Instr& in, const HoleMap& map) : kernel_(kernel), in_(in) {
    for (const Slot& slot : in.in) operands_.push_back(map.find(slot));
  }

  bool touches() const { return std::any_of(operands_.begin(), operands_.end(), [](const Holes* one) { return one != nullptr; }); }
  const Holes& first() const {
    return **std::find_if(operands_.begin(), operands_.end(), [](const Holes* one) { return one != nullptr; });
  }

  Marks result(const std::uint8_t* condition) const {
    const auto count = static_cast<std::size_t>(in_.out.rows);
    switch (in_.op->code) {
      case Opcode::Broadcast: return broadcast(operands_[0]->at, shape(0), kernel_.type(in_.op->results[0]).shape);
      case Opcode::Reshape: return operands_[0]->at;
      case Opcode::Transpose: return transposed(operands_[0]->at, rows(0), columns(0));
      case Opcode::Tril: return tril();
      case Opcode::RowFold:
      case Opcode::RowArgMax: return of_rows(operands_[0]->at, columns(0));
      case Opcode::CumSum: return cumulated();
      case Opcode::Dot: return dot();
      case Opcode::Select: return selected(condition);
      default: {  // elementwise
        Marks made(count);
        for (const Holes* one : operands_)
          for (std::size_t i = 0; one && i < count; ++i) mark(made[i], one->at[i]);
        return made;
      }
    }
  }

 private:
  const ir::Shape& shape(std::size_t operand) const { return kernel_.type(in_.op->operands[operand]).shape; }
  std::size_t rows(std::size_t operand) const { return static_cast<std::size_t>(shape(operand)[0]); }
  std::size_t columns(std::size_t operand) const { return static_cast<std::size_t>(shape(operand).back()); }

  Marks tril() const {
    Marks made = operands_[0]->at;
    for (std::size_t i = 0; i < rows(0); ++i)
      for (std::size_t j = i + 1; j < columns(0); ++j) made[i * columns(0) + j] = 0;
    return made;
  }

  Marks cumulated() const {
    Marks made = operands_[0]->at;
    for (std::size_t i = columns(0); i < made.size(); ++i) mark(made[i], made[i - columns(0)]);
    return made;
  }

  Marks dot() const {
    const ir::Shape& out = kernel_.type(in_.op->results[0]).shape;
    const auto m = static_cast<std::size_t>(out[0]), n = static_cast<std::size_t>(out[1]);
    Marks left(m), right(n), made(m * n);
    if (operands_[0]) left = of_rows(operands_[0]->at, columns(0));
    if (operands_[1]) {
      const bool by_row = in_.op->immediate == 1;
      right = by_row ? of_rows(operands_[1]->at, columns(1)) : of_rows(transposed(operands_[1]->at, rows(1), n), rows(1));
    }
    for (std::size_t i = 0; i < m * n; ++i) made[i] = left[i / n] ? left[i / n] : right[i % n];
    if (operands_.size() > 2 && operands_[2])
      for (std::size_t i = 0; i < m * n; ++i) mark(made[i], operands_[2]->at[i]);
    return made;
  }

  Marks selected(const std::uint8_t* condition) const {
    Marks made(static_cast<std::size_t>(in_.out.rows));
    for (std::size_t i = 0; i < made.size(); ++i) {
      const Holes* picked = operands_[condition[i] ? 1 : 2];
      if (operands_[0]) mark(made[i], operands_[0]->at[i]);
      if (picked) mark(made[i], picked->at[i]);
    }
    return made;
  }

  const ir::Kernel& kernel_;
  const Instr& in_;
  std::vector<const Holes*> operands_;
};

bool has_result(Opcode code) {
  switch (code) {
    case Opcode::Broadcast:
    case Opcode::Reshape:
    case Opcode::Transpose:
    case Opcode::Tril:
    case Opcode::RowFold:
    case Opcode::RowArgMax:
    case Opcode::CumSum:
    case Opcode::Dot: return true;
    default: return ir::has(ir::info(code).traits, ir::Trait::Elementwise);
  }
}

}  // namespace

void HoleMap::move(const Slot& from, const Slot& to) {
  if (from.offset == to.offset) return;
  const auto found = holes_.find(from.offset);
  if (found == holes_.end()) erase(to);
  else holes_[to.offset] = found->second;
}

void HoleMap::propagate(const Instr& in, Cta& cta) {
  if (!in.op || in.op->results.empty() || in.control || in.run == run_check_kind || in.run == run_check_reached) return;
  const Propagation step(cta.kernel(), in, *this);
  if (!has_result(in.op->code) || !cta.kernel().type(in.op->results[0]).is_tile() || !step.touches()) return erase(in.out);
  Marks marks = step.result(reinterpret_cast<const std::uint8_t*>(cta.raw(in.in[0])));
  if (!has_any(marks)) return erase(in.out);
  Holes made{std::move(marks), step.first().reader, step.first().source, step.first().divided};
  // A tile that is no memory is read by the first operation that takes it.
  if (!made.divided && made.reader == cta.kernel()[ir::ValueId(std::size_t{made.source})].op.value) made.reader = cta.number_of(in);
  set(in.out, std::move(made));
}

}  // namespace phobos::sim
