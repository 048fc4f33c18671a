#include <phobos/uniformity/uniformity.h>

#include <algorithm>
#include <map>
#include <random>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <phobos/sema/check.h>
#include <phobos/syntax/parser.h>

using namespace phobos;
using uniformity::Result;

namespace {

struct Analysed {
  std::string text;
  sema::CheckedItem checked;
  Result result;

  sema::LocalId local(std::string_view name) const {
    for (std::size_t i = checked.locals.size(); i-- > 0;)
      if (checked.locals[sema::LocalId(i)].name == name) return sema::LocalId(i);
    FAIL("no such name");
    return {};
  }
  Kind kind(std::string_view name) const { return result.local_kinds[local(name)]; }
  // Each step as "line: message", lines from 1.
  std::vector<std::string> reason(std::string_view name) const {
    std::vector<std::string> steps;
    for (const auto& step : result.chain(result.local_causes[local(name)])) steps.push_back(numbered(step.location, step.message));
    return steps;
  }
  std::string numbered(Location location, const std::string& message) const {
    const auto line = 1 + std::count(text.begin(), text.begin() + location.span.begin, '\n');
    return fmt::format("{}: {}", line, message);
  }
  std::vector<std::string> diagnostics() const {
    std::vector<std::string> found;
    for (const auto& diagnostic : result.diagnostics) found.push_back(numbered(diagnostic.location, diagnostic.message));
    return found;
  }
};

// The item that comes last; those before it are what it can call.
Analysed analyse(std::string_view text, std::stop_token stop = {}) {
  syntax::Parser parser;
  const syntax::ParsedFile file = parser.parse(text);
  REQUIRE(!file.items.empty());
  std::map<std::string, std::shared_ptr<const syntax::Item>, std::less<>> named;
  for (const auto& item : file.items) named[item.item->name.text] = item.item;
  sema::Environment environment;
  environment.find = [&](std::string_view name) {
    const auto found = named.find(name);
    return found == named.end() ? nullptr : found->second;
  };
  Analysed analysed;
  analysed.text = file.items.back().item->text;
  analysed.checked = sema::check(file.items.back().item, environment);
  analysed.result = uniformity::analyse(analysed.checked, stop);
  return analysed;
}

std::string kernel(std::string_view body) {
  return fmt::format("@launch(128)\nkernel k(A: tensor<f32>[M, 128], O: tensor<f32>[M, 128], n: i32) {{\n{}}}\n", body);
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a reason goes from effect to source and is the shortest there is") {
  const Analysed k = analyse(kernel(R"(
  let at = ctx.lane * 4
  let far = at + 1
  var x = 0.0
  if A[0, far] > 1.0 {
    x = 2.0
  }
  x = A[0, at]
  O[0, ctx.thread] = x
)"));
  CHECK(k.reason("x") == Lines{"10: `x` is assigned a value that differs between lanes", "10: `A[0, at]` is loaded at an index that differs between lanes",
                               "4: `at` is set to a value that differs between lanes", "4: `ctx.lane` is a different number in each lane"});
}

TEST_CASE("a reason goes through loops, conditions and exits") {
  const Analysed k = analyse(kernel(R"(
  var x = 0
  for i in range(0, 8) {
    x = x + 1
    if n == 3 {
      if ctx.warp == i {
        break
      }
    }
  }
  O[0, ctx.thread] = f32(x)
)"));
  CHECK(k.kind("x") == Kind::WarpUniform);
  CHECK(k.reason("x") ==
        Lines{"6: `x` is assigned under control that differs between warps", "9: this `break` leaves the loop in some warps only",
              "8: this `if` condition differs between warps", "8: `ctx.warp` is a different number in each warp"});
}

TEST_CASE("what is uniform has no reason") {
  const Analysed k = analyse(kernel("  let a = ctx.block.x + M\n  let b = sum<over ctx.thread>(A[0, ctx.lane])\n"));
  CHECK(k.reason("a").empty());
  CHECK(k.reason("b").empty());
  CHECK(k.kind("b") == Kind::Uniform);
}

TEST_CASE("every statement knows its control") {
  const Analysed k = analyse(kernel(R"(
  if n > 3 {
    O[0, 0] = 1.0
  }
  if ctx.warp > 3 {
    O[0, 1] = 1.0
    if ctx.lane > 3 {
      O[0, 2] = 1.0
    } else {
      O[0, 3] = 1.0
    }
    O[0, 4] = 1.0
  }
  O[0, 5] = 1.0
)"));
  std::map<std::int64_t, Kind> control;  // by the column that is stored to
  for (std::size_t i = 0; i < k.checked.stmts.size(); ++i) {
    const auto* store = std::get_if<sema::PointStore>(&k.checked.stmts[sema::StmtId(i)].node);
    if (store) control[std::get<std::int64_t>(k.checked[store->indices[1]].constant->value)] = k.result.control[sema::StmtId(i)];
  }
  CHECK(control == std::map<std::int64_t, Kind>{{0, Kind::Uniform},
                                                {1, Kind::WarpUniform},
                                                {2, Kind::Varying},
                                                {3, Kind::Varying},
                                                {4, Kind::WarpUniform},
                                                {5, Kind::Uniform}});
}

TEST_CASE("a kind is that of the call, not of the place where the call stands") {
  const Analysed k = analyse(R"(
fn clamped(x: f32, top: f32) -> f32 {
  if x > top {
    return top
  }
  return x
}
@launch(128)
kernel k(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128], s: f32) {
  if ctx.lane > 3 {
    let a = clamped(s, 1.0)
    let b = clamped(A[0, ctx.warp], 1.0)
    let c = clamped(1.0, A[0, ctx.lane])
    O[0, ctx.thread] = a + b + c
  }
}
)");
  CHECK(k.kind("a") == Kind::Uniform);
  CHECK(k.kind("b") == Kind::WarpUniform);
  CHECK(k.kind("c") == Kind::Varying);
}

TEST_CASE("an expression of wrong code breaks no rule") {
  const Analysed k = analyse(kernel(R"(
  let a = A[ctx.lane, nowhere :+ 4] * ctx.lane
  var b = missing(ctx.lane)
  b = ctx.lane
  if undefined {
    barrier()
  }
  O[a :+ 1, :] = b
)"));
  CHECK(!k.checked.diagnostics.empty());
  CHECK(k.diagnostics().empty());
}

TEST_CASE("a syntax error hides nothing else") {
  const Analysed k = analyse(kernel(R"(
  let a = A[0
  if ctx.lane > 3 {
    barrier()
  }
)"));
  CHECK(std::any_of(k.result.diagnostics.begin(), k.result.diagnostics.end(),
                    [](const auto& d) { return d.code == diag::Code::NeedsUniformControl; }));
}

TEST_CASE("a whole assignment leaves nothing of what threads stored, a slice store does") {
  const std::string_view around = R"(
  var t: tile<f32>[1, 128] = A[0 :+ 1, :]
  t[0, ctx.thread] = 1.0
  {} = A[1 :+ 1, :]
  O[0 :+ 1, :] = t
)";
  CHECK(analyse(kernel(fmt::format(fmt::runtime(around), "t"))).diagnostics().empty());
  CHECK(analyse(kernel(fmt::format(fmt::runtime(around), "t[0 :+ 1, :]"))).diagnostics() ==
        Lines{"7: the store to `O` reads `t` after a per-thread store to it with no `barrier()` between"});
}

TEST_CASE("a barrier for the grid is one for the CTA, a collective is none") {
  const std::string_view around = R"(@persistent
kernel k(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128], bar: tensor<i32>[2]) {{
  A[0, ctx.thread] = 1.0
  {}
  O[0 :+ 1, :] = A[0 :+ 1, :]
}}
)";
  CHECK(analyse(fmt::format(fmt::runtime(around), "grid_barrier(bar)")).diagnostics().empty());
  CHECK(analyse(fmt::format(fmt::runtime(around), "let s = sum<over ctx.thread>(1.0)")).diagnostics().size() == 1);
}

TEST_CASE("a repair ends its lines as the text does") {
  const std::string source = kernel("  var t: tile<f32>[1, 128] = A[0 :+ 1, :]\n  t[0, ctx.thread] = 1.0\n\tO[0 :+ 1, :] = t\n");
  std::string windows;
  for (char c : source) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Analysed k = analyse(windows);
  REQUIRE(k.result.diagnostics.size() == 1);
  REQUIRE(k.result.diagnostics[0].fixes.size() == 1);
  CHECK(k.result.diagnostics[0].fixes[0].edits[0].text == "barrier()\r\n\t");
  const std::string one_line = "kernel k(A: tensor<f32>[8, 128]) { A[0, ctx.thread] = 1.0; let t = A[0 :+ 1, :] }";
  const Analysed l = analyse(one_line);
  REQUIRE(l.result.diagnostics.size() == 1);
  REQUIRE(l.result.diagnostics[0].fixes.size() == 1);
  CHECK(l.result.diagnostics[0].fixes[0].edits[0].text == "barrier(); ");
}

TEST_CASE("deep nesting is no more work than its size") {
  std::string body = "  var t: tile<f32>[1, 128] = A[0 :+ 1, :]\n  var x = 0\n";
  const int depth = 60;
  for (int i = 0; i < depth; ++i) body += fmt::format("for i{} in range(0, n) {{\nif n == {} {{ continue }}\nO[0 :+ 1, :] = t\n", i, i);
  body += "t[0, ctx.thread] = 1.0\nx = ctx.lane\n";
  for (int i = 0; i < depth; ++i) body += "if n == 1 { break }\nx = x + 1\n}\n";
  const Analysed k = analyse(kernel(body));
  CHECK(k.kind("x") == Kind::Varying);
  CHECK(k.result.diagnostics.size() == depth);
}

TEST_CASE("a requested stop ends the work with a result of the right size") {
  std::stop_source source;
  source.request_stop();
  const Analysed k = analyse(kernel("  if ctx.lane > 3 {\n    barrier()\n  }\n"), source.get_token());
  CHECK(k.result.diagnostics.empty());
  CHECK(k.result.expr_kinds.size() == k.checked.exprs.size());
  CHECK(k.result.control.size() == k.checked.stmts.size());
}

// Code as it is while someone types: every prefix, and every text with a piece cut out.
TEST_CASE("half-written code is analysed") {
  const std::string text = R"(
fn half(x: f32, t: tile<f32>[1, 128]) -> f32 {
  if x > rowmax(t)[0, 0] && any<over ctx.lane>(x > 0.0) { return shfl<xor 1>(x) }
  return sum(t[0, ctx.lane :+ 4])
}
@launch(128)
kernel k(A: tensor<f32>[8, 128], C: tensor<i32>[8], O: tensor<f32>[8, 128], n: i32) {
  var t: tile<f32>[1, 128] = A[ctx.warp :+ 1, :]
  for i in range(ctx.lane, n, 2) {
    while t[0, i] > 0.5 || half(t[0, 3], t) > 1.0 {
      t[0, ctx.thread] += f32(i)
      if n == 3 { break } else if ctx.warp == 1 { continue }
      t = where(t > 1.0, exp(t), t * A[0, i])
    }
    let b = atomic_add(C, i, 1)
    store(t, ctx.thread, elem(t, 3))
    if ctx.lane == 0 { O[0, ctx.lane :+ 1] = A[0, ctx.lane :+ 1] }
    barrier()
  }
  O[0 :+ 1, :] += t + flat(t)
}
)";
  const std::size_t head = text.find("@launch");
  std::mt19937 random(7);
  for (std::size_t end = head + 14; end <= text.size(); ++end) {
    analyse(text.substr(0, end));
    const std::size_t from = head + random() % (text.size() - head), length = 1 + random() % 20;
    std::string cut = text;
    cut.erase(from, length);
    if (cut.find("kernel") != cut.npos) analyse(cut);
  }
}
