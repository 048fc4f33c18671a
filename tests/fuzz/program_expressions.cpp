#include "program_expressions.h"

#include <fmt/format.h>

namespace phobos::fuzz {

const Scalar* Expressions::some_scalar(Element element, Kind most) {
  std::vector<const Scalar*> fit;
  for (const Scalar& scalar : scope_.scalars)
    if (scalar.element == element && scalar.kind <= most) fit.push_back(&scalar);
  return fit.empty() ? nullptr : pick(fit);
}

Expressions::Expr Expressions::run_i32(Kind most, int depth) {
  const Expr a = i32(most, depth), b = i32(most, 0);
  const Kind kind = join(a.kind, b.kind);
  const std::string length = pick({"2", "3", "4", "8", "16"});
  switch (below(5)) {
    case 0: return {fmt::format("{}(elem(X, (({} & 63) - 3) :+ {}))", pick({"sum", "max", "min"}), a.text, length), a.kind};
    case 1: return {fmt::format("{}(Y[{} & 15, ({} & 31) :+ {}])", pick({"sum", "max", "min"}), a.text, b.text, length), kind};
    case 2: return {fmt::format("sum(Q[{0} & 15, ({1} & 31) :+ {2}] * Q[{1} & 15, ({0} & 31) :+ {2}])", a.text, b.text, length), kind};
    case 3: return {fmt::format("sum(W[{} & 15, ({} & 31) :+ {}])", a.text, b.text, length), kind};
    default: return {fmt::format("word({}, {} & 15, {} & 15)", pick({"Q", "W"}), a.text, b.text), kind};
  }
}

Expressions::Expr Expressions::bits_i32(Kind most, int depth) {
  const Expr a = i32(most, depth), b = i32(most, 0), c = i32(most, 0);
  switch (below(3)) {
    case 0: return {fmt::format("popcount({})", a.text), a.kind};
    case 1: return {fmt::format("dp4a({}, {}, {})", a.text, b.text, c.text), join(a.kind, join(b.kind, c.kind))};
    default: return {fmt::format("byteperm({}, {}, {})", a.text, b.text, c.text), join(a.kind, join(b.kind, c.kind))};
  }
}

Expressions::Expr Expressions::atomic_i32(int depth) {
  const std::string value = i32(Kind::Uniform, depth).text, at = fmt::format("(ctx.block.x * 4 + {})", below(4));
  if (chance(25)) return {fmt::format("atomic_cas(D, {}, {}, {})", at, i32(Kind::Uniform, 0).text, value), Kind::Uniform};
  return {fmt::format("{}(D, {}, {})", pick({"atomic_add", "atomic_max", "atomic_min", "atomic_exch"}), at, value), Kind::Uniform};
}

Expressions::Expr Expressions::leaf_i32(Kind most) {
  if (chance(70))
    if (const Scalar* scalar = some_scalar(Element::I32, most)) return {scalar->name, scalar->kind};
  if (in_function_ || chance(40)) return {fmt::format("i32({})", below(9)), Kind::Uniform};
  if (most == Kind::Varying && chance(60)) return {pick({"i32(ctx.thread)", "i32(ctx.lane)"}), Kind::Varying};
  if (most >= Kind::Warp && chance(50)) return {"i32(ctx.warp)", Kind::Warp};
  return {pick({"i32(ctx.block.x)", "n", "i32(ctx.warps)", "m"}), Kind::Uniform};
}

Expressions::Expr Expressions::i32(Kind most, int depth) {
  if (depth == 0) return leaf_i32(most);
  switch (below(18)) {
    case 14:
      if (!in_function_) return run_i32(most, depth - 1);
      break;
    case 15: return bits_i32(most, depth - 1);
    case 16:
      if (!in_function_ && control_ == Kind::Uniform) return atomic_i32(depth - 1);
      break;
    case 17:
      if (!in_function_ && control_ <= Kind::Warp && most == Kind::Varying) {
        const Expr value = i32(most, depth - 1), lane = i32(most, 0);
        return {fmt::format("shfl<{} ({})>({})", pick({"from", "xor", "up", "down"}), lane.text, value.text), Kind::Varying};
      }
      break;
    case 0:
    case 1: return leaf_i32(most);
    case 2:
      if (!in_function_) {
        const Expr at = i32(most, depth - 1);
        return {fmt::format("X[{} & 63]", at.text), at.kind};
      }
      break;
    case 3: {
      const Expr a = i32(most, depth - 1), b = i32(most, depth - 1);
      return {fmt::format("({} {} (({} & 7) + 1))", a.text, pick({"/", "%"}), b.text), join(a.kind, b.kind)};
    }
    case 4: {
      const Expr a = i32(most, depth - 1), b = i32(most, depth - 1);
      return {fmt::format("({} {} ({} & 15))", a.text, pick({"<<", ">>"}), b.text), join(a.kind, b.kind)};
    }
    case 5:
      if (const Expr call = function_call(most, depth); !call.text.empty()) return call;
      break;
    case 6:
      if (!in_function_ && control_ <= Kind::Warp && most >= Kind::Warp && depth >= 1) {
        const Expr value = i32(Kind::Varying, depth - 1);
        return {fmt::format("{}<over ctx.lane>({})", pick({"sum", "max", "min"}), value.text), Kind::Warp};
      }
      break;
    case 7:
      if (!in_function_ && control_ == Kind::Uniform) {
        const Expr value = i32(Kind::Varying, depth - 1);
        return {fmt::format("{}<over ctx.thread>({})", pick({"sum", "max", "min"}), value.text), Kind::Uniform};
      }
      break;
    case 8:
      if (!in_function_ && control_ <= Kind::Warp) {
        const Expr value = i32(most, depth - 1);
        const std::string how = pick({"xor 1", "xor 16", "up 1", "down 3", "from 7"});
        return {fmt::format("shfl<{}>({})", how, value.text), value.kind};
      }
      break;
    case 9: {
      const Expr c = condition(most, depth - 1), a = i32(most, depth - 1), b = i32(most, depth - 1);
      return {fmt::format("where({}, {}, {})", c.text, a.text, b.text), join(c.kind, join(a.kind, b.kind))};
    }
    case 10: {
      const Expr a = i32(most, depth - 1), b = i32(most, depth - 1);
      return {fmt::format("{}({}, {})", pick({"tmax", "tmin"}), a.text, b.text), join(a.kind, b.kind)};
    }
    case 11:
      if (!in_function_)
        for (const Tile& tile : scope_.tiles)
          if (tile.element == Element::I32 && tile.assignable && chance(30)) {
            const Expr at = i32(most, depth - 1);
            return {fmt::format("{}[{} & {}, {} & {}]", tile.name, at.text, tile.rows - 1, at.text, tile.columns - 1), at.kind};
          }
      break;
    case 12:
      if (const Scalar* narrow = some_scalar(chance(50) ? Element::I8 : Element::U8, most)) return {fmt::format("i32({})", narrow->name), narrow->kind};
      break;
    default:
      if (const Scalar* wide = some_scalar(Element::I64, most); wide && chance(50))
        return {fmt::format("i32({})", wide->name), wide->kind};
      break;
  }
  const Expr a = i32(most, depth - 1), b = i32(most, depth - 1);
  return {fmt::format("({} {} {})", a.text, pick({"+", "-", "*", "&", "|", "^", "+", "-"}), b.text), join(a.kind, b.kind)};
}

Expressions::Expr Expressions::integer(Element element, Kind most, int depth) {
  Expr value = i32(most, depth);
  if (element != Element::I32) value.text = fmt::format("{}({})", name_of(element), value.text);
  return value;
}

Expressions::Expr Expressions::condition(Kind most, int depth) {
  if (depth > 0 && chance(25)) {
    const Expr a = condition(most, depth - 1);
    const Kind outer = std::exchange(control_, join(control_, a.kind));
    const Expr b = condition(most, depth - 1);
    control_ = outer;
    return {fmt::format("({} {} {})", a.text, pick({"&&", "||"}), b.text), join(a.kind, b.kind)};
  }
  if (const Scalar* flag = some_scalar(Element::Bool, most); flag && chance(20)) return {"!" + flag->name, flag->kind};
  if (!in_function_ && chance(15)) {  // a float as it was loaded: the same everywhere
    const Expr at = i32(most, 0);
    return {fmt::format("(F[{} & 15, {} & 31] > {})", at.text, at.text, pick({"0.25", "0.5", "0.75"})), at.kind};
  }
  if (!in_function_ && control_ == Kind::Uniform && chance(8)) {
    const Expr inner = condition(Kind::Varying, 0);
    return {fmt::format("{}<over ctx.thread>({})", pick({"any", "all"}), inner.text), Kind::Uniform};
  }
  const Expr a = i32(most, depth), b = i32(most, 0);
  return {fmt::format("({} {} {})", a.text, pick({"<", "<=", ">", ">=", "==", "!="}), b.text), join(a.kind, b.kind)};
}

Expressions::Expr Expressions::function_call(Kind most, int depth) {
  if (functions_.empty() || in_function_) return {};
  const std::string& name = pick(functions_);
  const Expr a = i32(most, depth - 1), b = i32(most, depth - 1);
  return {fmt::format("{}({}, {})", name, a.text, b.text), join(a.kind, b.kind)};
}

Expressions::Expr Expressions::real(Kind most, int depth) {
  if (depth == 0 || chance(20)) {
    if (const Scalar* scalar = some_scalar(Element::F32, most); scalar && chance(70)) return {scalar->name, scalar->kind};
    if (chance(40)) return {pick({"0.5", "0.25", "1.5", "0.125", "s"}), Kind::Uniform};
    const Expr at = i32(most, 0);
    return {fmt::format("F[{} & 15, {} & 31]", at.text, at.text), at.kind};
  }
  const Expr a = real(most, depth - 1);
  switch (below(12)) {
    case 9:
      if (has_real_function_) {
        const Expr n = i32(most, 0);
        return {fmt::format("g({}, {})", a.text, n.text), join(a.kind, n.kind)};
      }
      break;
    case 10: {
      const Expr at = i32(most, 0);
      const std::string length = pick({"2", "3", "4", "8"});
      if (chance(50)) return {fmt::format("(sum(F[{0} & 15, ({0} & 31) :+ {1}] * F[2, 3 :+ {1}]) * 0.125)", at.text, length), at.kind};
      return {fmt::format("f32({}(elem({}, (({} & 255) - 2) :+ {})))", pick({"max", "min"}), pick({"F", "H", "B", "G"}), at.text, length), at.kind};
    }
    case 11:
      for (const Element element : {Element::F16, Element::BF16, Element::F64})
        if (const Scalar* scalar = some_scalar(element, most); scalar && chance(60)) return {fmt::format("f32({})", scalar->name), scalar->kind};
      break;
    case 0: return {fmt::format("{}({})", pick({"tanh", "abs", "floor", "cos"}), a.text), a.kind};
    case 1: return {fmt::format("exp(-abs({}))", a.text), a.kind};
    case 2: return {fmt::format("sqrt(abs({}) + 0.5)", a.text), a.kind};
    case 3:
      if (control_ <= Kind::Warp && most >= Kind::Warp)
        return {fmt::format("({}<over ctx.lane>({}) * 0.03125)", pick({"sum", "max", "min"}), real(Kind::Varying, depth - 1).text), Kind::Warp};
      break;
    case 4:
      if (control_ == Kind::Uniform)
        return {fmt::format("({}<over ctx.thread>({}) * 0.03125)", pick({"sum", "max"}), real(Kind::Varying, depth - 1).text), Kind::Uniform};
      break;
    case 5:
      if (control_ <= Kind::Warp) return {fmt::format("shfl<{}>({})", pick({"xor 8", "down 1", "from 0"}), a.text), a.kind};
      break;
    case 6: {
      const Expr c = condition(most, 0), b = real(most, depth - 1);
      return {fmt::format("where({}, {}, {})", c.text, a.text, b.text), join(c.kind, join(a.kind, b.kind))};
    }
    default: break;
  }
  const Expr b = real(most, depth - 1);
  return {fmt::format("({} {} {})", a.text, pick({"+", "-", "*"}), b.text), join(a.kind, b.kind)};
}

std::string Expressions::uniform_offset() {
  const std::string at = i32(Kind::Uniform, 1).text;
  return chance(15) ? fmt::format("(({} & 31) - 8)", at) : fmt::format("({} & 15)", at);
}

const char* Expressions::tensor_of(Element element) {
  switch (element) {
    case Element::F32: return "F";
    case Element::F16: return "H";
    case Element::BF16: return "B";
    case Element::F64: return "G";
    case Element::I8: return "Q";
    case Element::U8: return "W";
    case Element::I64: return "L";
    default: return "Y";
  }
}

std::string Expressions::scalar_of(Element element) {
  if (is_real(element)) return element == Element::F32 ? pick({"0.5", "0.25", "s"}) : pick({"0.5", "0.25"});
  return integer(element, Kind::Uniform, 0).text;
}

std::string Expressions::truths(int rows, int columns, int depth) {
  if (const Tile* tile = some_tile(Element::Bool, rows, columns); tile && chance(40)) return tile->name;
  if (depth > 0 && chance(40)) {
    const std::string a = truths(rows, columns, depth - 1);
    if (chance(30)) return fmt::format("(!{})", a);
    if (chance(20)) return fmt::format("transpose({})", truths(columns, rows, depth - 1));
    return fmt::format("({} {} {})", a, pick({"&&", "||", "==", "!="}), truths(rows, columns, depth - 1));
  }
  if (chance(30)) return fmt::format("(iota({}, {}, {}) >= {})", extent(rows), extent(columns), below(2), i32(Kind::Uniform, 0).text);
  const Element element = pick(std::array<Element, 4>{Element::I32, Element::I8, Element::U8, Element::I64});
  const std::string a = tile(element, rows, columns, std::max(depth - 1, 0));
  return fmt::format("({} {} {})", a, pick({"<", "<=", "==", "!="}), chance(50) ? scalar_of(element) : tile(element, rows, columns, 0));
}

const Tile* Expressions::some_tile(Element element, int rows, int columns) {
  std::vector<const Tile*> fit;
  for (const Tile& tile : scope_.tiles)
    if (tile.element == element && tile.rows == rows && tile.columns == columns) fit.push_back(&tile);
  return fit.empty() ? nullptr : pick(fit);
}

std::string Expressions::tile_leaf(Element element, int rows, int columns) {
  if (const Tile* tile = some_tile(element, rows, columns); tile && chance(65)) return tile->name;
  if (element == Element::I32) {
    if (chance(40)) return fmt::format("iota({}, {}, {})", extent(rows), extent(columns), below(2));
    if (chance(30)) return fmt::format("Y[{} :+ {}, {} :+ {}]", uniform_offset(), rows, uniform_offset(), columns);
    return fmt::format("where(iota({}, {}, 1) < {}, {}, 3)", rows, columns, below(12), i32(Kind::Uniform, 1).text);
  }
  return fmt::format("{}[{} :+ {}, {} :+ {}]", tensor_of(element), uniform_offset(), extent(rows), uniform_offset(), extent(columns));
}

std::string Expressions::tile(Element element, int rows, int columns, int depth) {
  if (element == Element::Bool) return truths(rows, columns, depth);
  if (depth == 0 || chance(15)) return tile_leaf(element, rows, columns);
  const bool real_element = is_real(element);
  const auto sub = [&](int r, int c) { return tile(element, r, c, depth - 1); };
  switch (below(14)) {
    case 0: return fmt::format("transpose({})", sub(columns, rows));
    case 1:
      if (rows > 1 && columns > 1) return fmt::format("tril({})", sub(rows, columns));
      break;
    case 2:
      if (columns == 1)
        return fmt::format("{}({})", pick({"rowmax", "rowmin"}), sub(rows, 16));
      return fmt::format("({} {} {}({}))", sub(rows, columns), pick({"+", "-"}), pick({"rowmax", "rowmin"}), sub(rows, 16));
    case 3:
      if (columns == 1) return real_element ? fmt::format("(rowsum({}) * 0.0625)", sub(rows, 16)) : fmt::format("rowsum({})", sub(rows, 16));
      break;
    case 4: {
      if (element == Element::I32 && rows > 1 && columns > 1) {
        const Element in = chance(50) ? Element::I8 : Element::U8;
        if (chance(50)) return fmt::format("dot({}, {})", tile(in, rows, 16, depth - 1), tile(in, 16, columns, depth - 1));
        return fmt::format("dot_t({}, {})", tile(in, rows, 8, depth - 1), tile(in, columns, 8, depth - 1));
      }
      if (element != Element::F32 || rows == 1 || columns == 1) break;
      const Element in = pick(std::array<Element, 3>{Element::F32, Element::F16, Element::BF16});
      if (chance(50)) return fmt::format("(dot({}, {}) * 0.0625)", tile(in, rows, 16, depth - 1), tile(in, 16, columns, depth - 1));
      return fmt::format("(dot_t({}, {}) * 0.0625)", tile(in, rows, 8, depth - 1), tile(in, columns, 8, depth - 1));
    }
    case 5:
      if (element == Element::I32 && columns == 1) return fmt::format("rowargmax(Y[{} :+ {}, 0 :+ 16])", uniform_offset(), rows);
      break;
    case 6:
      if (real_element) return fmt::format("{}({})", pick({"tanh", "abs", "floor"}), sub(rows, columns));
      return fmt::format("abs({})", sub(rows, columns));
    case 7: {
      const std::string c = truths(rows, columns, depth - 1);
      return fmt::format("where({}, {}, {})", c, sub(rows, columns), sub(rows, columns));
    }
    case 8: return fmt::format("{}({}, {})", pick({"tmax", "tmin"}), sub(rows, columns), sub(rows, columns));
    case 9:
      if (real_element) return fmt::format("(cumsum({}) * 0.0625)", sub(rows, columns));
      return fmt::format("cumsum({})", sub(rows, columns));
    case 10:
      if (element == Element::F32) {
        const Element from = pick(std::array<Element, 3>{Element::F16, Element::BF16, Element::I32});
        const std::string inner = tile(from, rows, columns, depth - 1);
        return from == Element::I32 ? fmt::format("(f32({} & 15) * 0.0625)", inner) : fmt::format("f32({})", inner);
      }
      if (real_element) return fmt::format("{}({})", name_of(element), tile(Element::F32, rows, columns, depth - 1));
      return fmt::format("{}({})", name_of(element), tile(pick(std::array<Element, 5>{Element::I32, Element::I8, Element::U8, Element::I64, Element::Bool}), rows, columns, depth - 1));
    case 11:
      if (element == Element::F32 && has_tile_function_) return fmt::format("h({}, {})", sub(rows, columns), real(Kind::Uniform, 0).text);
      break;
    case 12:
      if (rows < 16 && chance(50))
        if (const Tile* big = some_tile(element, 16, columns); big && big->assignable)
          return fmt::format("{}[{} :+ {}, :]", big->name, uniform_offset(), rows);
      break;
    default: break;
  }
  const std::string other = chance(30) ? scalar_of(element)
                            : chance(20) ? sub(rows, 1)
                                         : sub(rows, columns);
  return fmt::format("({} {} {})", sub(rows, columns), real_element ? pick({"+", "-", "*"}) : pick({"+", "-", "*", "&", "^"}), other);
}

}  // namespace phobos::fuzz
