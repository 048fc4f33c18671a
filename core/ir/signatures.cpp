#include "signatures.h"

#include <fmt/format.h>

#include "immediates.h"

namespace phobos::ir {
namespace {

// One operation seen through its types. Each check gives the fault in words, or nothing.
class Signature {
 public:
  Signature(const Kernel& kernel, const Op& op) : kernel_(kernel), op_(op) {}

  std::string fault() {
    if (!immediate_valid(op_)) return fmt::format("the immediate {} has no meaning", op_.immediate);
    const Trait traits = info(op_.code).traits;
    if (has(traits, Trait::Regions) || has(traits, Trait::Terminator)) return {};
    if (!op_.regions.empty()) return "it has no regions";
    if (has(traits, Trait::Elementwise)) return elementwise();
    switch (op_.code) {
      case Opcode::Constant:
      case Opcode::Ctx:
      case Opcode::Extent:
      case Opcode::Splat:
      case Opcode::Iota:
      case Opcode::Collective:
      case Opcode::Shuffle:
      case Opcode::RunFold: return scalars();
      case Opcode::Broadcast:
      case Opcode::Reshape:
      case Opcode::Transpose:
      case Opcode::Tril:
      case Opcode::RowFold:
      case Opcode::RowArgMax:
      case Opcode::CumSum: return tile_to_tile();
      case Opcode::Dot: return dot();
      case Opcode::Print:
      case Opcode::Mark: return note();
      default: return memory();
    }
  }

 private:
  const Type& in(std::size_t i) const { return kernel_.type(op_.operands[i]); }
  const Type& out() const { return kernel_.type(op_.results[0]); }
  std::size_t count() const { return op_.operands.size(); }

  std::string counts(std::size_t least, std::size_t most, std::size_t results) const {
    if (count() < least || count() > most)
      return least == most ? fmt::format("{} operands, not {}", count(), least)
                           : fmt::format("{} operands, not {} to {}", count(), least, most);
    if (op_.results.size() != results) return fmt::format("{} results, not {}", op_.results.size(), results);
    return {};
  }

  static bool is_value(const Type& type) { return !type.is_buffer(); }
  bool same_form(const Type& a, const Type& b) const { return a.form == b.form && a.shape == b.shape; }
  bool integer(std::size_t i) const { return in(i).is_scalar() && is_integer(in(i).element); }

  static std::size_t elementwise_operands(Opcode code) {
    switch (code) {
      case Opcode::Select: return 3;
      case Opcode::Neg:
      case Opcode::Not:
      case Opcode::Abs:
      case Opcode::Exp:
      case Opcode::Log:
      case Opcode::Sqrt:
      case Opcode::Rsqrt:
      case Opcode::Tanh:
      case Opcode::Sin:
      case Opcode::Cos:
      case Opcode::Floor:
      case Opcode::Ceil:
      case Opcode::Round:
      case Opcode::Convert: return 1;
      default: return 2;
    }
  }

  static bool takes(Opcode code, ScalarType type) {
    switch (code) {
      case Opcode::And:
      case Opcode::Or:
      case Opcode::Xor:
      case Opcode::Not: return !is_float(type);
      case Opcode::Shl:
      case Opcode::Shr: return is_integer(type);
      case Opcode::Pow:
      case Opcode::Exp:
      case Opcode::Log:
      case Opcode::Sqrt:
      case Opcode::Rsqrt:
      case Opcode::Tanh:
      case Opcode::Sin:
      case Opcode::Cos:
      case Opcode::Floor:
      case Opcode::Ceil:
      case Opcode::Round: return is_float(type);
      case Opcode::CmpEq:
      case Opcode::CmpNe:
      case Opcode::Select:
      case Opcode::Convert: return true;
      default: return type != ScalarType::Bool;
    }
  }

  std::string elementwise() const {
    const std::size_t operands = elementwise_operands(op_.code);
    if (auto fault = counts(operands, operands, 1); !fault.empty()) return fault;
    if (!is_value(out())) return "a buffer is no elementwise result";
    for (std::size_t i = 0; i < operands; ++i)
      if (!same_form(in(i), out())) return fmt::format("operand {} has another shape than the result", i);
    const bool select = op_.code == Opcode::Select;
    if (select && in(0).element != ScalarType::Bool) return "the condition is not a bool";
    const ScalarType element = in(select ? 1 : 0).element;
    for (std::size_t i = select ? 2 : 1; i < operands; ++i)
      if (in(i).element != element) return "the operands' element types differ";
    if (!takes(op_.code, element)) return fmt::format("it does not take {}", name_of(element));
    const bool compares = op_.code >= Opcode::CmpEq && op_.code <= Opcode::CmpGe;
    if (compares && out().element != ScalarType::Bool) return "a comparison's result is a bool";
    if (!compares && op_.code != Opcode::Convert && out().element != element)
      return "the result's element type is not the operands'";
    return {};
  }

  std::string scalars() const {
    const std::size_t operands = op_.code == Opcode::Shuffle ? 2
                                 : op_.code == Opcode::Constant || op_.code == Opcode::Ctx || op_.code == Opcode::Iota ? 0
                                                                                                                      : 1;
    if (auto fault = counts(operands, operands, 1); !fault.empty()) return fault;
    switch (op_.code) {
      case Opcode::Constant: return out().is_scalar() ? "" : "a constant is a scalar";
      case Opcode::Ctx: return out() == Type::scalar(ScalarType::Index) ? "" : "the result is not an index";
      case Opcode::Extent:
        if (!in(0).is_buffer() && !in(0).is_tile()) return "only buffers and tiles have extents";
        if (op_.immediate >= in(0).rank()) return fmt::format("there is no axis {}", op_.immediate);
        return out() == Type::scalar(ScalarType::Index) ? "" : "the result is not an index";
      case Opcode::Splat:
        if (!in(0).is_scalar() || (!out().is_tile() && !out().is_run())) return "it makes a tile or a run of a scalar";
        return in(0).element == out().element ? "" : "the element types differ";
      case Opcode::Iota:
        if (!out().is_tile() || !is_integer(out().element)) return "the result is not a tile of integers";
        return op_.immediate < out().rank() ? "" : fmt::format("there is no axis {}", op_.immediate);
      case Opcode::RunFold:
        if (!in(0).is_run() || !out().is_scalar()) return "it makes a scalar of a run";
        if (op_.immediate > static_cast<int>(FoldOp::Min)) return "runs fold by sum, max or min";
        return in(0).element == out().element ? "" : "the element types differ";
      case Opcode::Collective: return collective();
      default:
        if (!in(0).is_scalar() || in(0) != out()) return "the result is not of the value's type";
        return integer(1) ? "" : "the lane operand is not an integer";
    }
  }

  std::string collective() const {
    if (!in(0).is_scalar() || in(0) != out()) return "the result is not of the operand's type";
    const FoldOp fold = collective_fold(op_.immediate);
    const bool logical = fold == FoldOp::Any || fold == FoldOp::All;
    return logical == (in(0).element == ScalarType::Bool) ? "" : "any and all take bools, the others numbers";
  }

  std::string tile_to_tile() const {
    if (auto fault = counts(1, 1, 1); !fault.empty()) return fault;
    if (!in(0).is_tile() || !out().is_tile()) return "it makes a tile of a tile";
    const Shape &from = in(0).shape, &to = out().shape;
    const bool argmax = op_.code == Opcode::RowArgMax;
    if (out().element != (argmax ? ScalarType::I32 : in(0).element)) return "the result's element type is wrong";
    if (op_.code == Opcode::Reshape) return element_count(from) == element_count(to) ? "" : "the element counts differ";
    if (op_.code == Opcode::Broadcast) {
      if (from.size() != to.size()) return "the ranks differ";
      for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i] != to[i] && from[i] != 1) return fmt::format("axis {} does not stretch", i);
      return {};
    }
    if (op_.code == Opcode::RowFold || argmax) {
      if (op_.code == Opcode::RowFold && op_.immediate > static_cast<int>(FoldOp::Min)) return "rows fold by sum, max or min";
      Shape folded = from;
      folded.back() = 1;
      return to == folded ? "" : "the result's shape is not the operand's with a last extent of 1";
    }
    if (from.size() != 2) return "the operand is not of rank 2";
    const Shape expected = op_.code == Opcode::Transpose ? Shape{from[1], from[0]} : from;
    return to == expected ? "" : "the result's shape does not follow from the operand's";
  }

  static ScalarType accumulator(ScalarType type) {
    switch (type) {
      case ScalarType::F16:
      case ScalarType::BF16: return ScalarType::F32;
      case ScalarType::I8:
      case ScalarType::U8: return ScalarType::I32;
      default: return type;
    }
  }

  std::string dot() const {
    if (auto fault = counts(2, 3, 1); !fault.empty()) return fault;
    for (std::size_t i = 0; i < 2; ++i)
      if (!in(i).is_tile() || in(i).rank() != 2) return "the operands are not tiles of rank 2";
    if (in(0).element != in(1).element || in(0).element == ScalarType::Bool) return "the operands' element types do not go";
    const bool transposed = op_.immediate == 1;
    const std::int64_t rows = in(0).shape[0], inner = in(0).shape[1];
    const std::int64_t columns = in(1).shape[transposed ? 0 : 1];
    if (in(1).shape[transposed ? 1 : 0] != inner) return "the contracted extents differ";
    if (out() != Type::tile(accumulator(in(0).element), {rows, columns})) return "the result is not the accumulator's type";
    if (count() == 3 && in(2) != out()) return "the third operand is not of the result's type";
    return {};
  }

  std::string note() const {
    const auto index = static_cast<std::size_t>(op_.immediate);
    if (index >= kernel_.notes.size()) return fmt::format("there is no note {}", op_.immediate);
    const Note& note = kernel_.notes[index];
    if (!op_.results.empty()) return "it gives nothing";
    if ((op_.code == Opcode::Print) != (note.form == Note::Form::Print)) return "its note is of another kind";
    const bool named = note.form == Note::Form::Print || note.form == Note::Form::Values;
    if (named && note.labels.size() != count()) return fmt::format("{} labels for {} operands", note.labels.size(), count());
    if (note.form == Note::Form::Values && note.kinds.size() != count()) return fmt::format("{} kinds for {} operands", note.kinds.size(), count());
    const bool stored = note.form == Note::Form::Stored || note.form == Note::Form::Changed;
    return stored && (count() < 2 || !in(0).is_buffer()) ? "the first operand is not a buffer" : "";
  }

  // (buffer, [value,] indices…)
  std::string access(bool stores, Type::Form form, bool flat) const {
    const std::size_t fixed = stores ? 2 : 1;
    if (count() < fixed || !in(0).is_buffer()) return "the first operand is not a buffer";
    const std::size_t indices = flat ? 1 : in(0).shape.size();
    if (auto fault = counts(fixed + indices, fixed + indices, stores ? 0 : 1); !fault.empty()) return fault;
    // elem_store has its index last as well: (b, value, i).
    for (std::size_t i = fixed; i < count(); ++i)
      if (!integer(i)) return fmt::format("operand {} is not an integer", i);
    const Type& value = stores ? in(1) : out();
    if (value.form != form && !(flat && value.is_run())) return "the value has the wrong form";
    if (value.element != in(0).element) return "the element types differ";
    if (form == Type::Form::Tile && value.rank() != in(0).rank()) return "the ranks differ";
    if (form == Type::Form::Run && op_.immediate >= in(0).rank()) return fmt::format("there is no axis {}", op_.immediate);
    return {};
  }

  std::string once_per_cta() const {
    if (count() == 0 || !in(0).is_buffer()) return "the first operand is not a buffer";
    const bool exchange = op_.code == Opcode::Atomic && op_.immediate == static_cast<int>(AtomicOp::CompareExchange);
    const std::size_t operands = op_.code == Opcode::LoadAcquire ? 2 : exchange ? 4 : 3;
    if (auto fault = counts(operands, operands, op_.code == Opcode::StoreRelease ? 0 : 1); !fault.empty()) return fault;
    if (!integer(1)) return "the index is not an integer";
    const Type value = Type::scalar(in(0).element);
    for (std::size_t i = 2; i < operands; ++i)
      if (in(i) != value) return "the value is not of the buffer's element type";
    if (!op_.results.empty() && out() != value) return "the result is not of the buffer's element type";
    if (op_.code != Opcode::Atomic) return {};
    const ScalarType element = in(0).element;
    const bool whole = element == ScalarType::I32 || element == ScalarType::I64;
    const bool add = op_.immediate == static_cast<int>(AtomicOp::Add) && element == ScalarType::F32;
    return whole || add ? "" : fmt::format("there is no such atomic on {}", name_of(element));
  }

  std::string staged() const {
    const bool ring = in(0).is_buffer() && in(0).space == Type::Space::Shared && in(0).rank() == 3;
    return !ring ? "operand 0 is not a shared buffer of stages" : !integer(1) ? "the stage is not an integer" : "";
  }

  std::string async_load() const {
    if (count() < 5 || !op_.results.empty()) return "it takes a shared buffer, a stage, a bool, a buffer and its starts, and gives nothing";
    if (auto fault = staged(); !fault.empty()) return fault;
    if (!in(2).is_scalar() || in(2).element != ScalarType::Bool) return "operand 2 is not a bool";
    if (!in(3).is_buffer() || in(3).space != Type::Space::Global || in(3).element != in(0).element)
      return "operand 3 is not a global buffer of the same elements";
    if (count() != 4 + in(3).shape.size()) return "not one start for each axis";
    for (std::size_t i = 4; i < count(); ++i)
      if (!integer(i)) return "a start is not an integer";
    return op_.immediate > 0 && op_.immediate <= in(0).shape[2] ? "" : "the columns are not within the pitch";
  }

  std::string memory() const {
    switch (op_.code) {
      case Opcode::Alloc:
        if (auto fault = counts(0, 0, 1); !fault.empty()) return fault;
        return out().is_buffer() && out().space == Type::Space::Shared ? "" : "the result is not a shared buffer";
      case Opcode::Load: return access(false, Type::Form::Scalar, false);
      case Opcode::Store: return access(true, Type::Form::Scalar, false);
      case Opcode::TileLoad: return access(false, Type::Form::Tile, false);
      case Opcode::TileStore: return access(true, Type::Form::Tile, false);
      case Opcode::RunLoad: return access(false, Type::Form::Run, false);
      case Opcode::RunStore: return access(true, Type::Form::Run, false);
      case Opcode::ElemLoad: return access(false, Type::Form::Scalar, true);
      case Opcode::ElemStore: return access(true, Type::Form::Scalar, true);
      case Opcode::Barrier:
      case Opcode::AsyncCommit:
      case Opcode::AsyncWait: return counts(0, 0, 0);
      case Opcode::AsyncLoad: return async_load();
      case Opcode::Preload:
        if (auto fault = counts(2, 2, 0); !fault.empty()) return fault;
        return in(0).is_tile() && in(1).is_tile() ? "" : "it takes two tiles";
      case Opcode::SharedTile:
        if (auto fault = counts(2, 2, 1); !fault.empty()) return fault;
        if (auto fault = staged(); !fault.empty()) return fault;
        return out().is_tile() && out().element == in(0).element && out().rank() == 2 && out().shape[0] == in(0).shape[1] &&
                       out().shape[1] <= in(0).shape[2]
                   ? ""
                   : "the result is no tile of one stage";
      case Opcode::GridBarrier:
        if (auto fault = counts(1, 1, 0); !fault.empty()) return fault;
        return in(0).is_buffer() && in(0).element == ScalarType::I32 && in(0).rank() == 1 ? "" : "it takes a buffer of i32[2]";
      default: return once_per_cta();
    }
  }

  const Kernel& kernel_;
  const Op& op_;
};

}  // namespace

std::string signature_fault(const Kernel& kernel, const Op& op) { return Signature(kernel, op).fault(); }

}  // namespace phobos::ir
