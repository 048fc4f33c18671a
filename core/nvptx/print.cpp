// `print` by the device's printf: a line of each thread for scalars and runs, a line an element for tiles, of the elements that the
// simulator tells as well. An element is told by the thread that holds it. Where a value is the same for all threads of the CTA or
// of a warp, and all of them come, one of them tells it.
#include <algorithm>

#include <fmt/format.h>

#include "emitter.h"

namespace phobos::nvptx {

using llvm::Value;

namespace {

constexpr std::size_t most_arguments = 32;  // of a printf
constexpr std::int64_t shown_extent = 8, shown_outer = 2;

std::int64_t shown(const ir::Shape& shape, std::size_t axis) {
  return std::min(shape[axis], axis + 2 < shape.size() ? shown_outer : shown_extent);
}

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) made += c == '%' ? std::string("%%") : std::string(1, c);
  return made;
}

const char* conversion(ScalarType type) {
  switch (type) {
    case ScalarType::F16:
    case ScalarType::BF16:
    case ScalarType::F32: return "%.9g";
    case ScalarType::F64: return "%.17g";
    case ScalarType::Bool: return "%s";
    case ScalarType::I64:
    case ScalarType::Index: return "%lld";
    default: return "%d";
  }
}

}  // namespace

struct Emitter::Printer {
  std::string head;     // up to the values
  Parts arguments;      // of the head
};

// As printf takes it.
Value* Emitter::printed(V value, ScalarType type) {
  if (type == ScalarType::Bool) return b_.CreateSelect(value, target_.text("true"), target_.text("false"));
  if (is_float(type)) return b_.CreateFPCast(value, b_.getDoubleTy());
  return b_.CreateIntCast(value, size_of(type) == 8 ? b_.getInt64Ty() : b_.getInt32Ty(), is_signed(type));
}

Emitter::Printer Emitter::printer(const ir::Op& op, Kind tagged) {
  Printer made;
  int line = 0;
  if (!options_.source.empty() && op.span.begin <= options_.source.size()) {
    if (!lines_) lines_.emplace(options_.source);
    line = static_cast<int>(lines_->line_of(op.span.begin)) + 1;
  }
  made.head = fmt::format("{}:{}: block (%d, %d, %d)", escaped(options_.file), line);
  for (int axis = 0; axis < 3; ++axis) made.arguments.push_back(target_.block(axis));
  if (tagged != Kind::Uniform && kernel_.threads > 32) {
    made.head += " warp %d";
    made.arguments.push_back(b_.CreateLShr(thread_, 5));
  }
  if (tagged == Kind::Varying) {
    made.head += " lane %d";
    made.arguments.push_back(b_.CreateAnd(thread_, 31));
  }
  made.head += ": ";
  return made;
}

void Emitter::say(const Printer& printer, const std::string& text, const Parts& values) {
  Parts arguments = printer.arguments;
  arguments.append(values.begin(), values.end());
  target_.print(printer.head + text + "\n", arguments);
}

void Emitter::print_values(const ir::Op& op, const ir::Note& note) {
  struct Piece {
    std::string text;
    Parts values;
  };
  std::vector<Piece> pieces;
  Kind kind = note.control;
  std::size_t count = 0;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const ir::Type& type = this->type(op.operands[i]);
    if (!type.is_scalar() && !type.is_run()) continue;
    kind = phobos::join(kind, kernel_[op.operands[i]].kind);
    Piece piece{escaped(note.labels[i]) + " = " + (type.is_run() ? "[" : ""), {}};
    for (std::size_t part = 0; part < parts(op.operands[i]).size(); ++part) {
      piece.text += (part == 0 ? "" : ", ") + std::string(conversion(type.element));
      piece.values.push_back(printed(parts(op.operands[i])[part], type.element));
    }
    if (type.is_run()) piece.text += "]";
    count += piece.values.size();
    pieces.push_back(std::move(piece));
  }
  if (pieces.empty() && !op.operands.empty()) return;
  if (pieces.empty()) pieces.push_back({"reached", {}});
  if (kernel_.threads <= 32 && kind == Kind::WarpUniform) kind = Kind::Uniform;
  const auto tell = [&] {
    const Printer printer = this->printer(op, kind);
    if (count + printer.arguments.size() > most_arguments) {
      for (const Piece& piece : pieces) say(printer, piece.text, piece.values);
      return;
    }
    Piece all;
    for (const Piece& piece : pieces) {
      all.text += (all.text.empty() ? "" : ", ") + piece.text;
      all.values.append(piece.values.begin(), piece.values.end());
    }
    say(printer, all.text, all.values);
  };
  if (kind == Kind::Varying) return tell();
  guarded(b_.CreateICmpEQ(kind == Kind::Uniform ? thread_ : b_.CreateAnd(thread_, 31), i32(0)), tell);
}

void Emitter::print_element(const Printer& printer, const std::string& name, const Parts& indices, V value, ScalarType element) {
  std::string text = escaped(name);
  Parts values;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    text += axis == 0 ? "[%d" : ", %d";
    values.push_back(indices[axis]);
  }
  values.push_back(printed(value, element));
  say(printer, text + "] = " + conversion(element), values);
}

// Each element by its owner; all threads come.
void Emitter::print_tile(const ir::Op& op, ir::ValueId tile, const std::string& name) {
  const Layout& layout = this->layout(tile);
  const ir::Shape& shape = type(tile).shape;
  const Printer printer = this->printer(op, Kind::Uniform);
  const std::int64_t columns = shown(shape, shape.size() - 1);
  for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i) {
    if (shape.size() == 2 && layout.rows.of_slot(i) >= shown(shape, 0)) continue;
    for (std::int64_t j = 0; j < layout.columns.slot_count(); ++j) {
      if (layout.columns.of_slot(j) >= columns) continue;
      V r = row(layout, i), c = column(layout, j);
      V there = both(both(row_valid(layout, i), column_valid(layout, j)), owner(layout));
      Parts indices(shape.size());
      V rest = r;
      for (std::size_t axis = shape.size() - 1; axis-- > 0;) {
        indices[axis] = axis == 0 ? rest : b_.CreateURem(rest, i32(shape[axis]));
        rest = b_.CreateUDiv(rest, i32(shape[axis]));
      }
      indices.back() = c;
      for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (shown(shape, axis) < shape[axis]) there = both(there, b_.CreateICmpULT(indices[axis], i32(shown(shape, axis))));
      V value = parts(tile)[index(layout, i, j)];
      const auto tell = [&] { print_element(printer, name, indices, value, type(tile).element); };
      if (there) guarded(there, tell);
      else tell();
    }
  }
}

// By one thread, or where not all come by each that does.
void Emitter::print_memory(const ir::Op& op, ir::ValueId buffer, const std::string& name, Kind control) {
  const ir::Shape& shape = type(buffer).shape;
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) count *= shown(shape, axis);
  const auto tell = [&] {
    const Printer printer = this->printer(op, control);
    repeat(i32(0), i32(count), i32(1), {}, [&](V i, const Parts&) {
      Parts indices(shape.size());
      V rest = i, flat = i64(0);
      for (std::size_t axis = shape.size(); axis-- > 0;) {
        indices[axis] = b_.CreateURem(rest, i32(shown(shape, axis)));
        rest = b_.CreateUDiv(rest, i32(shown(shape, axis)));
      }
      for (std::size_t axis = 0; axis < shape.size(); ++axis)
        flat = b_.CreateAdd(b_.CreateMul(flat, i64(shape[axis])), b_.CreateZExt(indices[axis], b_.getInt64Ty()));
      print_element(printer, name, indices, load_element(address(buffer, flat), type(buffer).element), type(buffer).element);
      return Parts();
    });
  };
  if (control == Kind::Varying) return tell();
  guarded(b_.CreateICmpEQ(control == Kind::Uniform ? thread_ : b_.CreateAnd(thread_, 31), i32(0)), tell);
}

void Emitter::emit_print(const ir::Op& op) {
  const ir::Note& note = kernel_.notes[static_cast<std::size_t>(op.immediate)];
  const unsigned access = note.control == Kind::Uniform ? CtaRead : ThreadRead;
  for (const ir::ValueId operand : op.operands)
    if (type(operand).is_buffer()) before_access(operand, access);
  print_values(op, note);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (type(op.operands[i]).is_tile()) print_tile(op, op.operands[i], note.labels[i]);
    if (type(op.operands[i]).is_buffer()) print_memory(op, op.operands[i], note.labels[i], note.control);
  }
  for (const ir::ValueId operand : op.operands)
    if (type(operand).is_buffer()) after_access(operand, access);
}

}  // namespace phobos::nvptx
