#include "program_generator.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <phobos/session/session.h>
#include <phobos/support/random.h>

namespace phobos::fuzz {

namespace {

// --- the text as a tree of lines ------------------------------------------------------------------------------------------

struct Node {
  std::string head;  // `if c {`, or a whole statement
  std::vector<std::unique_ptr<Node>> body;
  std::vector<std::unique_ptr<Node>> otherwise;  // of an `if`
  bool opens = false;                            // a block follows the head
  bool fixed = false;                            // never taken out
  std::uint32_t first = 0, last = 0;             // its lines in the text last printed
};
using Block = std::vector<std::unique_ptr<Node>>;

class Printer {
 public:
  void line(const std::string& text, int depth) {
    text_.append(static_cast<std::size_t>(depth) * 4, ' ');
    text_ += text;
    text_ += '\n';
    ++lines_;
  }
  void print(Block& block, int depth) {
    for (auto& node : block) {
      node->first = lines_;
      line(node->head, depth);
      if (node->opens) {
        print(node->body, depth + 1);
        if (!node->otherwise.empty()) {
          line("} else {", depth);
          print(node->otherwise, depth + 1);
        }
        line("}", depth);
      }
      node->last = lines_ - 1;
    }
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::uint32_t lines_ = 0;
};

// Takes out the innermost statement around each of the lines. Whether anything was.
int take_out(Block& block, const std::set<std::uint32_t>& lines) {
  int removed = 0;
  for (auto it = block.begin(); it != block.end();) {
    Node& node = **it;
    const auto hit = lines.lower_bound(node.first);
    if (hit == lines.end() || *hit > node.last) {
      ++it;
      continue;
    }
    const int inside = take_out(node.body, lines) + take_out(node.otherwise, lines);
    const bool itself = lines.contains(node.first) || lines.contains(node.last);
    if (itself && !node.fixed) {
      it = block.erase(it);
      ++removed;
    } else {
      removed += inside;
      ++it;
    }
  }
  return removed;
}

// --- what is in scope -----------------------------------------------------------------------------------------------------

enum class Kind { Uniform, Warp, Varying };  // as far as the generator cares to know

enum class Element { I32, I64, F32, F16, BF16, F64, I8, U8, Bool };
constexpr std::array<const char*, 9> element_names = {"i32", "i64", "f32", "f16", "bf16", "f64", "i8", "u8", "bool"};
const char* name_of(Element element) { return element_names[static_cast<std::size_t>(element)]; }
bool is_real(Element element) { return element >= Element::F32 && element <= Element::F64; }

struct Scalar {
  std::string name;
  Element element;
  Kind kind;
  bool assignable;
};
struct Tile {
  std::string name;
  Element element;
  int rows, columns;
  bool assignable;
};
struct Scope {
  std::vector<Scalar> scalars;
  std::vector<Tile> tiles;
};

constexpr std::array<std::pair<int, int>, 7> shapes = {{{8, 8}, {16, 16}, {4, 16}, {16, 4}, {1, 16}, {16, 1}, {8, 32}}};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Program run() {
    threads_ = 32 * (1 + below(3));
    tuned_ = chance(40);
    Block file;
    const int functions = below(4);
    for (int i = 0; i < functions; ++i) file.push_back(function(i));
    if (chance(50)) file.push_back(tile_function());
    if (chance(40)) file.push_back(real_function());
    if (chance(40)) file.push_back(element_function());
    file.push_back(kernel());
    return repaired(file);
  }

 private:
  // --- randomness ---
  int below(int count) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(count))); }
  bool chance(int percent) { return below(100) < percent; }
  template <class Container>
  const auto& pick(const Container& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }
  std::string pick(std::initializer_list<const char*> from) { return *(from.begin() + below(static_cast<int>(from.size()))); }
  std::string fresh(const char* letter) { return letter + std::to_string(++names_); }

  static std::unique_ptr<Node> statement(std::string text, bool fixed = false) {
    auto node = std::make_unique<Node>();
    node->head = std::move(text);
    node->fixed = fixed;
    return node;
  }

  // --- integer expressions: text and an upper bound of the kind ---
  struct Expr {
    std::string text;
    Kind kind = Kind::Uniform;
  };
  static Kind join(Kind a, Kind b) { return std::max(a, b); }

  const Scalar* some_scalar(Element element, Kind most) {
    std::vector<const Scalar*> fit;
    for (const Scalar& scalar : scope_.scalars)
      if (scalar.element == element && scalar.kind <= most) fit.push_back(&scalar);
    return fit.empty() ? nullptr : pick(fit);
  }

  std::string extent(int n) { return n == 8 && tuned_ && !in_function_ && chance(40) ? "Z" : std::to_string(n); }

  // A thread's own run, folded; it may go past the end, or begin before the start.
  Expr run_i32(Kind most, int depth) {
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

  Expr bits_i32(Kind most, int depth) {
    const Expr a = i32(most, depth), b = i32(most, 0), c = i32(most, 0);
    switch (below(3)) {
      case 0: return {fmt::format("popcount({})", a.text), a.kind};
      case 1: return {fmt::format("dp4a({}, {}, {})", a.text, b.text, c.text), join(a.kind, join(b.kind, c.kind))};
      default: return {fmt::format("byteperm({}, {}, {})", a.text, b.text, c.text), join(a.kind, join(b.kind, c.kind))};
    }
  }

  // On elements that are the CTA's own, so that the old value does not depend on who came first.
  Expr atomic_i32(int depth) {
    const std::string value = i32(Kind::Uniform, depth).text, at = fmt::format("(ctx.block.x * 4 + {})", below(4));
    if (chance(25)) return {fmt::format("atomic_cas(D, {}, {}, {})", at, i32(Kind::Uniform, 0).text, value), Kind::Uniform};
    return {fmt::format("{}(D, {}, {})", pick({"atomic_add", "atomic_max", "atomic_min", "atomic_exch"}), at, value), Kind::Uniform};
  }

  Expr leaf_i32(Kind most) {
    if (chance(70))
      if (const Scalar* scalar = some_scalar(Element::I32, most)) return {scalar->name, scalar->kind};
    if (in_function_ || chance(40)) return {fmt::format("i32({})", below(9)), Kind::Uniform};
    if (most == Kind::Varying && chance(60)) return {pick({"i32(ctx.thread)", "i32(ctx.lane)"}), Kind::Varying};
    if (most >= Kind::Warp && chance(50)) return {"i32(ctx.warp)", Kind::Warp};
    return {pick({"i32(ctx.block.x)", "n", "i32(ctx.warps)", "m"}), Kind::Uniform};
  }

  Expr i32(Kind most, int depth) {
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

  Expr integer(Element element, Kind most, int depth) {
    Expr value = i32(most, depth);
    if (element != Element::I32) value.text = fmt::format("{}({})", name_of(element), value.text);
    return value;
  }

  Expr condition(Kind most, int depth) {
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

  // A function may hold a loop or a return under control, and takes what it is given.
  Expr function_call(Kind most, int depth) {
    if (functions_.empty() || in_function_) return {};
    const std::string& name = pick(functions_);
    const Expr a = i32(most, depth - 1), b = i32(most, depth - 1);
    return {fmt::format("{}({}, {})", name, a.text, b.text), join(a.kind, b.kind)};
  }

  // --- floats, of about unit size ---
  Expr real(Kind most, int depth) {
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
  static std::string bounded(const std::string& text) { return fmt::format("tmax(-2.0, tmin(2.0, {}))", text); }

  // --- tiles ---
  std::string uniform_offset() {
    const std::string at = i32(Kind::Uniform, 1).text;
    return chance(15) ? fmt::format("(({} & 31) - 8)", at) : fmt::format("({} & 15)", at);
  }
  static const char* tensor_of(Element element) {
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
  // A scalar that meets a tile of that element without changing its type.
  std::string scalar_of(Element element) {
    if (is_real(element)) return element == Element::F32 ? pick({"0.5", "0.25", "s"}) : pick({"0.5", "0.25"});
    return integer(element, Kind::Uniform, 0).text;
  }

  std::string truths(int rows, int columns, int depth) {
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

  const Tile* some_tile(Element element, int rows, int columns) {
    std::vector<const Tile*> fit;
    for (const Tile& tile : scope_.tiles)
      if (tile.element == element && tile.rows == rows && tile.columns == columns) fit.push_back(&tile);
    return fit.empty() ? nullptr : pick(fit);
  }

  std::string tile_leaf(Element element, int rows, int columns) {
    if (const Tile* tile = some_tile(element, rows, columns); tile && chance(65)) return tile->name;
    if (element == Element::I32) {
      if (chance(40)) return fmt::format("iota({}, {}, {})", extent(rows), extent(columns), below(2));
      if (chance(30)) return fmt::format("Y[{} :+ {}, {} :+ {}]", uniform_offset(), rows, uniform_offset(), columns);
      return fmt::format("where(iota({}, {}, 1) < {}, {}, 3)", rows, columns, below(12), i32(Kind::Uniform, 1).text);
    }
    return fmt::format("{}[{} :+ {}, {} :+ {}]", tensor_of(element), uniform_offset(), extent(rows), uniform_offset(), extent(columns));
  }

  std::string tile(Element element, int rows, int columns, int depth) {
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

  // --- statements ---
  Block block(int depth, bool in_loop) {
    const Scope outer = scope_;
    Block result;
    const int count = 1 + below(depth > 2 ? 5 : 3);
    for (int i = 0; i < count; ++i) append(result, depth, in_loop);
    scope_ = outer;
    return result;
  }

  void append(Block& block, int depth, bool in_loop) {
    const Kind most = chance(40) ? Kind::Uniform : chance(30) ? Kind::Warp : Kind::Varying;
    const bool sloppy = chance(6);  // as if the rules were not there
    switch (below(20)) {
      case 0:
      case 1: return declare_scalar(block, most);
      case 2:
      case 3:
      case 4: return assign_scalar(block, sloppy);
      case 5:
      case 6:
        if (depth > 0) return branch(block, most, depth, in_loop);
        break;
      case 7:
        if (depth > 0) return counted_loop(block, most, depth);
        break;
      case 8:
        if (depth > 0) return while_loop(block, most, depth);
        break;
      case 9:
        if (in_loop && chance(50)) {
          block.push_back(statement(pick({"break", "continue"})));
          return;
        }
        if (chance(8)) {
          block.push_back(statement(in_function_ ? "return " + i32(Kind::Varying, 1).text : "return"));
          return;
        }
        break;
      case 10:
      case 11:
      case 12:
      case 13:
        if (!in_function_ && (control_ == Kind::Uniform || sloppy)) return declare_tile(block);
        break;
      case 14:
      case 15:
      case 16:
        if (!in_function_ && (control_ == Kind::Uniform || sloppy)) return assign_tile(block, sloppy);
        break;
      case 17:
      case 18:
        if (!in_function_) return per_thread_store(block, sloppy);
        break;
      case 19:
        if (!in_function_ && control_ == Kind::Uniform) {  // what is the same in any order
          const auto [operation, first] = pick(std::array<std::pair<const char*, int>, 3>{{{"atomic_add", 0}, {"atomic_max", 4}, {"atomic_min", 6}}});
          block.push_back(statement(fmt::format("{}(C, {}, {})", operation, first + below(2), i32(Kind::Uniform, 1).text)));
          return;
        }
        break;
      default: break;
    }
    assign_scalar(block, false);
  }

  void declare_scalar(Block& block, Kind most) {
    const Element element = in_function_ ? Element::I32 : pick(std::array<Element, 10>{Element::I32, Element::I32, Element::F32, Element::I64, Element::I8, Element::U8, Element::Bool, Element::F16,
                                                                                         Element::BF16, Element::F64});
    const std::string name = fresh("v");
    const bool variable = chance(65);
    Expr value;
    std::string type;
    if (element == Element::F32) {
      value = real(most, 2);
      value.text = bounded(value.text);
    } else if (is_real(element)) {
      value = real(most, 2);
      value.text = fmt::format("{}({})", name_of(element), bounded(value.text));
    } else if (element == Element::Bool) {
      value = condition(most, 1);
    } else {
      value = integer(element, most, 2);
      if (chance(20)) type = fmt::format(": {}", name_of(element));
    }
    block.push_back(statement(fmt::format("{} {}{} = {}", variable ? "var" : "let", name, type, value.text)));
    scope_.scalars.push_back({name, element, variable ? join(most, control_) : join(value.kind, Kind::Uniform), variable});
  }

  void assign_scalar(Block& block, bool sloppy) {
    std::vector<const Scalar*> fit;
    for (const Scalar& scalar : scope_.scalars)
      if (scalar.assignable && (sloppy || scalar.kind >= control_)) fit.push_back(&scalar);
    if (fit.empty()) return declare_scalar(block, Kind::Varying);
    const Scalar& target = *pick(fit);
    const Kind most = sloppy ? Kind::Varying : target.kind;
    if (target.element == Element::F32)
      block.push_back(statement(fmt::format("{0} = 0.5 * {0} + 0.125 * {1}", target.name, bounded(real(most, 2).text))));
    else if (is_real(target.element))
      block.push_back(statement(fmt::format("{0} = 0.5 * {0} + 0.125 * {1}({2})", target.name, name_of(target.element), bounded(real(most, 2).text))));
    else if (target.element == Element::Bool)
      block.push_back(statement(fmt::format("{} = {}", target.name, condition(most, 1).text)));
    else if (target.element == Element::I32 && chance(40))
      block.push_back(statement(fmt::format("{} {} {}", target.name, pick({"+=", "-=", "*=", "^=", "|=", "&="}), i32(most, 2).text)));
    else
      block.push_back(statement(fmt::format("{} = {}", target.name, integer(target.element, most, 2).text)));
  }

  void branch(Block& block, Kind most, int depth, bool in_loop) {
    const Expr test = condition(most, 1);
    auto node = statement(fmt::format("if {} {{", test.text));
    node->opens = true;
    const Kind outer = std::exchange(control_, join(control_, test.kind));
    node->body = this->block(depth - 1, in_loop);
    if (chance(40)) node->otherwise = this->block(depth - 1, in_loop);
    control_ = outer;
    block.push_back(std::move(node));
  }

  void counted_loop(Block& block, Kind most, int depth) {
    const std::string name = fresh("i");
    const bool constant = chance(40);
    const Expr begin = constant ? Expr{std::to_string(below(3))} : i32(most, 0);
    Expr end = constant ? Expr{std::to_string(below(6))} : i32(most, 1);
    if (!constant) end.text = fmt::format("({} & 7)", end.text);
    const std::string step = chance(30) ? fmt::format(", {}", 1 + below(3)) : "";
    const std::string unroll = constant && chance(30) ? pick({"<unroll>", "<unroll 2>"}) : "";
    const std::string first = constant ? begin.text : fmt::format("({} & 3)", begin.text);
    auto node = statement(fmt::format("for{} {} in range({}, {}{}) {{", unroll, name, first, end.text, step));
    node->opens = true;
    const Kind kind = join(begin.kind, end.kind);
    const Kind outer = std::exchange(control_, join(control_, kind));
    const Scope scope = scope_;
    if (!constant) scope_.scalars.push_back({name, Element::I32, kind, false});
    node->body = this->block(depth - 1, true);
    scope_ = scope;
    control_ = outer;
    block.push_back(std::move(node));
  }

  void while_loop(Block& block, Kind most, int depth) {
    const std::string name = fresh("k");
    const Expr test = condition(most, 0);
    const bool flipped = chance(50);
    block.push_back(statement(fmt::format("var {} = i32(0)", name)));
    const std::string bound = fmt::format("{} < {}", name, 1 + below(5));
    auto node = statement(fmt::format("while {} && {} {{", flipped ? test.text : bound, flipped ? bound : test.text));
    node->opens = true;
    const Kind outer = std::exchange(control_, join(control_, test.kind));
    const Scope scope = scope_;
    scope_.scalars.push_back({name, Element::I32, join(control_, Kind::Uniform), false});
    node->body = this->block(depth - 1, true);
    node->body.insert(node->body.begin(), statement(fmt::format("{} += 1", name), true));
    scope_ = scope;
    control_ = outer;
    block.push_back(std::move(node));
  }

  void declare_tile(Block& block) {
    const auto [rows, columns] = pick(shapes);
    const Element element = pick(std::array<Element, 10>{Element::F32, Element::F32, Element::I32, Element::F16, Element::BF16, Element::F64, Element::I8, Element::U8,
                                                         Element::I64, Element::Bool});
    const std::string name = fresh("t");
    const bool variable = chance(60);
    if (has_element_function_ && element == Element::I32 && chance(40)) {
      block.push_back(statement(fmt::format("let {}: tile<i32>[{}, {}] = generate(e, {})", name, extent(rows), extent(columns), i32(Kind::Uniform, 1).text)));
      scope_.tiles.push_back({name, element, rows, columns, false});
      return;
    }
    std::string value = tile(element, rows, columns, 2);
    if (is_real(element)) value = bounded(value);
    block.push_back(statement(fmt::format("{} {}: tile<{}>[{}, {}] = {}", variable ? "var" : "let", name, name_of(element), extent(rows), extent(columns), value)));
    scope_.tiles.push_back({name, element, rows, columns, variable});
  }

  void assign_tile(Block& block, bool sloppy) {
    std::vector<const Tile*> fit;
    for (const Tile& tile : scope_.tiles)
      if (tile.assignable) fit.push_back(&tile);
    if (fit.empty()) return declare_tile(block);
    const Tile& target = *pick(fit);
    const auto value = [&](int rows) {
      const std::string inner = tile(target.element, rows, target.columns, 2);
      return is_real(target.element) ? bounded(inner) : inner;
    };
    if (target.element == Element::F32 && target.rows > 1 && target.columns > 1 && chance(25)) {
      block.push_back(statement(fmt::format("{0} += dot({1}, {2}) * 0.0625", target.name, tile(Element::F16, target.rows, 16, 1), tile(Element::F16, 16, target.columns, 1))));
      block.push_back(statement(fmt::format("{0} = {1}", target.name, bounded(target.name))));
    } else if (target.rows == 16 && chance(30)) {
      const std::string at = sloppy ? fmt::format("({} & 15)", i32(Kind::Varying, 1).text) : uniform_offset();
      block.push_back(statement(fmt::format("{}[{} :+ 4, :] = {}", target.name, at, value(4))));
    } else if (is_real(target.element)) {
      block.push_back(statement(fmt::format("{0} = 0.5 * {0} + 0.125 * {1}", target.name, value(target.rows))));
    } else {
      block.push_back(statement(fmt::format("{} = {}", target.name, value(target.rows))));
    }
  }

  // Each thread its own element; others may read it only after a barrier.
  void per_thread_store(Block& block, bool sloppy) {
    std::vector<const Tile*> fit;
    for (const Tile& tile : scope_.tiles)
      if (tile.assignable && tile.rows * tile.columns >= threads_) fit.push_back(&tile);
    if (fit.empty()) return assign_scalar(block, false);
    const Tile& target = *pick(fit);
    const bool may_wait = control_ == Kind::Uniform;
    const Expr value = target.element == Element::I32 ? i32(Kind::Varying, 2) : real(Kind::Varying, 2);
    const std::string text = target.element == Element::I32 ? value.text
                             : is_real(target.element)      ? fmt::format("{}({})", name_of(target.element), bounded(value.text))
                             : target.element == Element::Bool ? condition(Kind::Varying, 1).text
                                                               : integer(target.element, Kind::Varying, 1).text;
    const int share = target.rows * target.columns / threads_;  // of the elements, for each thread
    if (share >= 2 && chance(30) && is_real(target.element)) {
      const int length = std::min(share, 4);
      if (may_wait) block.push_back(statement("barrier()"));
      block.push_back(statement(fmt::format("store({0}, {1} * ctx.thread :+ {1}, 0.5 * elem({2}, ({3} & 127) :+ {1}))", target.name, length, tensor_of(target.element), i32(Kind::Varying, 1).text)));
      if (may_wait) block.push_back(statement("barrier()"));
      return;
    }
    if (may_wait) block.push_back(statement("barrier()"));
    block.push_back(statement(fmt::format("{}[ctx.thread / {}, ctx.thread % {}] = {}", target.name, target.columns, target.columns, text)));
    if (may_wait && !sloppy) {
      block.push_back(statement("barrier()"));
      if (target.element == Element::I32 && chance(60)) {
        const std::string name = fresh("v");
        const std::string other = fmt::format("((ctx.thread + {}) % {})", 1 + below(31), threads_);
        block.push_back(statement(fmt::format("let {} = {}[{} / {}, {} % {}]", name, target.name, other, target.columns, other, target.columns)));
        scope_.scalars.push_back({name, Element::I32, Kind::Varying, false});
      }
    }
  }

  // --- items ---
  std::unique_ptr<Node> function(int number) {
    in_function_ = true;
    control_ = Kind::Varying;
    scope_ = {{{"a", Element::I32, Kind::Varying, false}, {"b", Element::I32, Kind::Varying, false}, {"q", Element::I32, Kind::Varying, true}}, {}};
    const std::string name = fmt::format("f{}", number);
    auto node = statement(fmt::format("fn {}(a: i32, b: i32) -> i32 {{", name), true);
    node->opens = true;
    node->body = block(2, false);
    node->body.insert(node->body.begin(), statement("var q = a - b", true));
    node->body.push_back(statement("return q", true));
    functions_.push_back(name);
    in_function_ = false;
    return node;
  }

  std::unique_ptr<Node> tile_function() {
    auto node = statement("fn h(t: tile<f32>[P, Q], c: f32) -> tile<f32>[P, Q] {", true);
    node->opens = true;
    node->body.push_back(statement(fmt::format("let u = t * {}", pick({"0.5", "c", "0.25"})), true));
    if (chance(40)) {
      auto branch = statement("if c > 0.5 {", true);
      branch->opens = true;
      branch->body.push_back(statement("return u + rowmax(t)", true));
      node->body.push_back(std::move(branch));
    }
    node->body.push_back(statement(pick({"return u - c", "return tmax(u, t)", "return u + tanh(t)"}), true));
    has_tile_function_ = true;
    return node;
  }

  std::unique_ptr<Node> real_function() {
    auto node = statement("fn g(a: f32, n: i32) -> f32 {", true);
    node->opens = true;
    node->body.push_back(statement("var q = a", true));
    auto loop = statement(fmt::format("for i in range(0, n & {}) {{", 1 + below(7)), true);
    loop->opens = true;
    auto way_out = statement(fmt::format("if i32(i) == n % {} {{", 2 + below(4)), true);
    way_out->opens = true;
    way_out->body.push_back(statement(pick({"return q * 0.5", "break", "continue", "return 0.25"}), true));
    loop->body.push_back(std::move(way_out));
    loop->body.push_back(statement(pick({"q = 0.5 * q + 0.125", "q = 0.5 * q + 0.25 * cos(a)", "q = tmin(q, 0.75)"}), true));
    node->body.push_back(std::move(loop));
    node->body.push_back(statement("return q", true));
    has_real_function_ = true;
    return node;
  }

  // Of an element's place, for `generate`.
  std::unique_ptr<Node> element_function() {
    auto node = statement("fn e(i: i32, j: i32, a: i32) -> i32 {", true);
    node->opens = true;
    if (chance(40)) {
      auto branch = statement("if (i + j) % 3 == 0 {", true);
      branch->opens = true;
      branch->body.push_back(statement("return a - j", true));
      node->body.push_back(std::move(branch));
    }
    node->body.push_back(statement(pick({"return where(i < j, a, i * j)", "return (i << 2) ^ j ^ a", "return popcount(i * 7 + j) + a"}), true));
    has_element_function_ = true;
    return node;
  }

  // A number of each of the tiles that are left, so that none is computed for nothing.
  void sum_up(Block& body) {
    int column = 0;
    for (const Tile& tile : scope_.tiles) {
      if (column == 8) break;
      const std::string place = fmt::format("[ctx.block.x :+ 1, {} :+ 1]", column);
      if (is_real(tile.element)) {
        body.push_back(statement(fmt::format("S{} = f32(rowsum(flat({}))) * 0.01", place, tile.name)));
      } else if (tile.element == Element::Bool) {
        body.push_back(statement(fmt::format("let b{} = where({}, i32(1), i32(0))", column, tile.name)));
        body.push_back(statement(fmt::format("T{} = rowsum(flat(b{}))", place, column)));
      } else {
        body.push_back(statement(fmt::format("T{} = i32(rowsum(flat({})))", place, tile.name)));
      }
      ++column;
    }
  }

  std::unique_ptr<Node> kernel() {
    control_ = Kind::Uniform;
    scope_ = {};
    scope_.scalars = {{"w", Element::I32, Kind::Varying, true}, {"x", Element::F32, Kind::Varying, true}, {"u", Element::I32, Kind::Uniform, true}};
    scope_.tiles = {{"acc", Element::F32, 16, 16, true}, {"cnt", Element::I32, 16, 16, true}};
    auto node = statement(
        fmt::format("//# run X=randint:-9:9:1 Y=randint:-9:9:2 F=uniform:3 H=uniform:4 B=uniform:5 G=uniform:6 Q=randint:-128:128:7 W=randint:0:256:8 "
                    "L=randint:-99:99:9 C=zeros D=zeros n={} m=3 s=0.75 --grid 2\n@launch({}){}\n"
                    "kernel k(X: tensor<i32>[64], Y: tensor<i32>[24, 32], F: tensor<f32>[16, 32], H: tensor<f16>[20, 32], B: tensor<bf16>[20, 20], "
                    "G: tensor<f64>[20, 32], Q: tensor<i8>[18, 32], W: tensor<u8>[20, 32], L: tensor<i64>[16, 40],\n"
                    "         n: i32, m: i32, s: f32, C: tensor<i32>[8], D: tensor<i32>[8], O: tensor<i64>[512], R: tensor<f32>[512], U: tensor<f32>[32, 16], "
                    "V: tensor<i32>[32, 16], S: tensor<f32>[2, 8], T: tensor<i32>[2, 8]) {{",
                    below(40), threads_, tuned_ ? " @autotune(Z in [8, 16])" : ""),
        true);
    node->opens = true;
    const Scope own = scope_;
    node->body.push_back(statement("let at = ctx.block.x * ctx.threads + ctx.thread", true));
    node->body.push_back(statement("var w = i32(ctx.thread)", true));
    node->body.push_back(statement("var x = F[ctx.thread & 15, ctx.lane]", true));
    node->body.push_back(statement("var u = n", true));
    node->body.push_back(statement("var acc: tile<f32>[16, 16] = F[0 :+ 16, 0 :+ 16]", true));
    node->body.push_back(statement("var cnt: tile<i32>[16, 16] = Y[0 :+ 16, 0 :+ 16]", true));
    const int rounds = 2 + below(4);
    for (int i = 0; i < rounds; ++i)
      for (int j = 1 + below(4); j > 0; --j) append(node->body, 3, false);
    node->body.push_back(statement("O[at] = i64(w) * 3 + i64(u)", true));
    node->body.push_back(statement("R[at] = x", true));
    node->body.push_back(statement("barrier()"));
    node->body.push_back(statement("U[ctx.block.x * 16 :+ 16, :] = acc"));
    node->body.push_back(statement("V[ctx.block.x * 16 :+ 16, :] = cnt"));
    sum_up(node->body);
    return node;
  }

  Program repaired(Block& file) {
    Program program;
    for (int round = 0; round < 40; ++round) {
      Printer printer;
      printer.print(file, 0);
      program.text = printer.take();
      session::Session session(program.text);
      const auto snapshot = session.snapshot();
      std::set<std::uint32_t> wrong;
      for (const diag::Diagnostic& diagnostic : snapshot->diagnostics())
        if (diagnostic.severity == diag::Severity::Error)
          wrong.insert(snapshot->lines().line_of(diagnostic.location.span.begin) - header_lines(snapshot->text(), diagnostic.location.span.begin));
      if (wrong.empty()) return program;
      const int removed = take_out(file, wrong);
      if (removed == 0) break;
      program.removed += removed;
    }
    program.text.clear();
    return program;
  }

  // The kernel's head is one node of several lines; nodes count as one line each.
  static std::uint32_t header_lines(const std::string& text, std::uint32_t offset) {
    const std::size_t kernel = text.find("//# run");
    return kernel != std::string::npos && offset > text.find("{\n", kernel) ? 3 : 0;
  }

  SplitMix64 random_;
  int names_ = 0;
  int threads_ = 32;
  bool in_function_ = false, has_tile_function_ = false, has_real_function_ = false, has_element_function_ = false;
  bool tuned_ = false;  // 8 has a name
  Kind control_ = Kind::Uniform;
  Scope scope_;
  std::vector<std::string> functions_;
};

}  // namespace

Program generate_program(std::uint64_t seed) { return Generator(seed).run(); }

}  // namespace phobos::fuzz
