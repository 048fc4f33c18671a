#include "program_generator.h"

#include <memory>
#include <set>

#include <fmt/format.h>

#include <phobos/session/session.h>

#include "program_expressions.h"
#include "program_text.h"

namespace phobos::fuzz {
namespace {

std::unique_ptr<Node> statement(std::string text, bool fixed = false) {
  auto node = std::make_unique<Node>();
  node->head = std::move(text);
  node->fixed = fixed;
  return node;
}

class Generator : Expressions {
 public:
  explicit Generator(std::uint64_t seed) : Expressions(seed) {}

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
    const bool multiplies = (target.element == Element::F32 || target.element == Element::I32) && target.rows > 1 && target.columns > 1;
    if (multiplies && chance(25)) {
      products(block, target, below(3));
    } else if (target.element == Element::F32 && target.rows > 1 && target.columns > 1 && chance(25)) {
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

  // Of what lies in tensors, and may be multiplied there, and of what threads hold and have to exchange first. Where it lies is told
  // plainly: what needs a barrier itself would hide one that is missing.
  std::string product(Element element, int rows, int columns) {
    const Element in = element == Element::I32 ? pick(std::array<Element, 3>{Element::I8, Element::U8, Element::I32})
                                               : pick(std::array<Element, 3>{Element::F32, Element::F16, Element::BF16});
    const int inner = pick(std::array<int, 2>{8, 16});
    const bool transposed = chance(40);
    const auto slice = [&](int r, int c) {
      const auto start = [&] { return pick({"0", "3", "4", "(n & 7)", "(m & 3)"}); };
      return fmt::format("{}[{} :+ {}, {} :+ {}]", tensor_of(in), start(), r, start(), c);
    };
    const auto operand = [&](int r, int c) { return chance(60) ? slice(r, c) : chance(60) ? fmt::format("transpose({})", slice(c, r)) : tile(in, r, c, 1); };
    const std::string a = operand(rows, inner), b = transposed ? operand(columns, inner) : operand(inner, columns);
    const std::string text = fmt::format("dot{}({}, {})", transposed ? "_t" : "", a, b);
    if (element == Element::I32) return text;
    return chance(20) ? fmt::format("exp({} * 0.01)", bounded(text)) : text + " * 0.0625";
  }

  void products(Block& block, const Tile& target, int more) {
    for (; more >= 0; --more)
      block.push_back(statement(fmt::format("{} {} {}", target.name, pick({"+=", "-=", "*="}), product(target.element, target.rows, target.columns))));
    if (is_real(target.element)) block.push_back(statement(fmt::format("{0} = {1}", target.name, bounded(target.name))));
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
    const bool products_alone = chance(15);  // where nothing else exchanges, or waits
    const int rounds = 2 + below(4);
    for (int i = 0; i < rounds; ++i) {
      if (products_alone) products(node->body, scope_.tiles[static_cast<std::size_t>(below(2))], below(2));
      else
        for (int j = 1 + below(4); j > 0; --j) append(node->body, 3, false);
    }
    node->body.push_back(statement("O[at] = i64(w) * 3 + i64(u)", true));
    node->body.push_back(statement("R[at] = x", true));
    node->body.push_back(statement("barrier()"));
    node->body.push_back(statement("U[ctx.block.x * 16 :+ 16, :] = acc"));
    node->body.push_back(statement("V[ctx.block.x * 16 :+ 16, :] = cnt"));
    if (!products_alone) sum_up(node->body);
    return node;
  }

  Program repaired(Block& file) {
    Program program;
    for (int round = 0; round < 40; ++round) {
      program.text = print(file);
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
};

}  // namespace

Program generate_program(std::uint64_t seed) { return Generator(seed).run(); }

}  // namespace phobos::fuzz
