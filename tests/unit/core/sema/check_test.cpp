#include <phobos/sema/check.h>

#include <map>

#include <doctest/doctest.h>

#include <phobos/syntax/parser.h>

using namespace phobos;
using namespace phobos::sema;

namespace {

struct Checked {
  std::map<std::string, CheckedItem> items;
  // Errors and warnings, in order: "text underlined: message".
  std::vector<std::string> errors;
};

Checked check_text(const std::string& text, const Options& options = {}) {
  const syntax::ParsedFile file = syntax::Parser().parse(text);
  std::map<std::string, std::shared_ptr<const syntax::Item>, std::less<>> by_name;
  for (const auto& each : file.items) by_name[each.item->name.text] = each.item;
  const Environment environment{[&](std::string_view name) -> std::shared_ptr<const syntax::Item> {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
  }};
  Checked result;
  for (const auto& each : file.items) {
    for (const auto& d : each.item->diagnostics) result.errors.push_back("syntax: " + d.message);
    CheckedItem item = check(each.item, environment, options);
    for (const auto& d : item.diagnostics) {
      if (d.severity > diag::Severity::Warning) continue;
      REQUIRE(d.location.origin == 0);
      result.errors.push_back(each.item->text.substr(d.location.span.begin, d.location.span.size()) + ": " + d.message);
    }
    result.items.emplace(each.item->name.text, std::move(item));
  }
  return result;
}

// The type of the `let x` in a kernel body over A: f32[M, K], H: f16[8], B: bf16[8], D: f64[8], Q: i8[8], U: u8[8], I: i32[8], L: i64[8].
std::string type_of(const std::string& expr) {
  const Checked checked = check_text(
      "kernel k(A: tensor<f32>[M, K], H: tensor<f16>[8], B: tensor<bf16>[8], D: tensor<f64>[8], Q: tensor<i8>[8], U: tensor<u8>[8], "
      "I: tensor<i32>[8], L: tensor<i64>[8], T: tensor<f32>[4, 8]) {\n  let x = " + expr + "\n}\n");
  if (!checked.errors.empty()) return checked.errors[0];
  for (const Local& local : checked.items.at("k").locals)
    if (local.name == "x") return to_string(local.type) + (local.constant ? " = " + to_string(*local.constant) : "");
  return "no x";
}

std::vector<std::string> errors_of(const std::string& body) {
  return check_text("kernel k(A: tensor<f32>[M, K], I: tensor<i32>[8], T: tensor<f32>[4, 8], n: i32) {\n" + body + "\n}\n").errors;
}

}  // namespace

TEST_CASE("the join of two operands") {
  CHECK(type_of("A[0, 0] + H[0]") == "f32");
  CHECK(type_of("H[0] + B[0]") == "f32");
  CHECK(type_of("D[0] + H[0]") == "f64");
  CHECK(type_of("H[0] * 2.0") == "f16");
  CHECK(type_of("H[0] * 2") == "f16");
  CHECK(type_of("D[0] * 0.1") == "f64");
  CHECK(type_of("I[0] * 2.5") == "f32");
  CHECK(type_of("I[0] + A[0, 0]") == "f32");
  CHECK(type_of("Q[0] + U[0]") == "i32");
  CHECK(type_of("Q[0] + I[0]") == "i32");
  CHECK(type_of("I[0] + L[0]") == "i64");
  CHECK(type_of("I[0] + 1") == "i32");
  CHECK(type_of("I[0] + M") == "i64");
  CHECK(type_of("ctx.thread + 1") == "index");
  CHECK(type_of("M * K") == "index");
  CHECK(type_of("I[0] == 3") == "bool");
  CHECK(type_of("I[0] << 3") == "i32");
  CHECK(type_of("(1 == 2) + 1") == "+: `bool` does not go with `index` in `+`");
}

TEST_CASE("literals and folding") {
  CHECK(type_of("1") == "index = 1");
  CHECK(type_of("0x_ff") != "index = 255");
  CHECK(type_of("0xff_00") == "index = 65280");
  CHECK(type_of("0b101") == "index = 5");
  CHECK(type_of("1_000") == "index = 1000");
  CHECK(type_of("7 / 2 * 2 + 7 % 4") == "index = 9");
  CHECK(type_of("-7 / 2") == "index = -3");
  CHECK(type_of("1 << 4 | 1") == "index = 17");
  CHECK(type_of("1.5 * 2") == "f32 = 3");
  CHECK(type_of("0.1") == "f32 = 0.10000000149011612");
  CHECK(type_of("ctx.threads / ctx.warps") == "index = 32");
  CHECK(type_of("i32(2.9)") == "i32 = 2");
  CHECK(type_of("i8(300)") == "i8 = 44");
  CHECK(type_of("u8(-1.0)") == "u8 = 0");
  CHECK(type_of("i32(1.0e20)") == "i32 = 2147483647");
  CHECK(type_of("f16(65520.0)") == "f16 = inf");
  CHECK(type_of("1 < 2 && !(3 == 4)") == "bool = true");
  CHECK(type_of("1 / 0") == "0: division by zero");
  CHECK(type_of("I[0] << 32") == "32: a shift by 32 is past the 32 bits of `i32`");
  CHECK(type_of("Q[0] + 300") == "300: 300 does not fit in `i8`");
}

TEST_CASE("every literal has the type that its context wants") {
  const Checked checked = check_text("kernel k(H: tensor<f16>[8]) {\n  H[0] = -1.5\n  H[1] = H[0] * (2 * 0.5)\n  var x = -3.0\n  x += 1\n  H[2] = x\n}\n");
  CHECK(checked.errors.empty());
  for (const Expr& expr : checked.items.at("k").exprs)
    if (expr.type.is_scalar()) CHECK(expr.type.element != ScalarType::F64);
}

TEST_CASE("slices, tiles and broadcasting") {
  CHECK(type_of("T[0 :+ 2, :]") == "tile<f32>[2, 8]");
  CHECK(type_of("T[1 : 3]") == "tile<f32>[2, 8]");
  CHECK(type_of("T[: 3, 2]") == "tile<f32>[3, 1]");
  CHECK(type_of("T[0]") == "tile<f32>[1, 8]");
  CHECK(type_of("A[n0 :+ 2, 0]").find("there is no `n0`") != std::string::npos);
  CHECK(type_of("T[0 :+ 4, 0 :+ 1] * T[0 :+ 1, :]") == "tile<f32>[4, 8]");
  CHECK(type_of("H[0 :+ 4] + 1.0") == "tile<f16>[4]");
  CHECK(type_of("H[0 :+ 4] + T[0 :+ 1, 0 :+ 4]") == "tile<f32>[1, 4]");
  CHECK(type_of("dot(T[:, :], transpose(T[:, :]))") == "tile<f32>[4, 4]");
  CHECK(type_of("rowargmax(T[:, :])") == "tile<i32>[4, 1]");
  CHECK(type_of("flat(T[:, :])") == "tile<f32>[1, 32]");
  CHECK(type_of("iota(4, 8, 1) < M") == "tile<bool>[4, 8]");
  CHECK(type_of("sum(T[0, ctx.lane :+ 4] * T[1, 0 :+ 4])") == "f32");
  CHECK(type_of("sum(Q[0 :+ 4] * Q[4 :+ 4])") == "i32");
  CHECK(type_of("sum(T[0 :+ 2, 0 :+ 4])").find("run") != std::string::npos);
  CHECK(type_of("A[:, 0 :+ 4]").find("the extent `M` of a tile must be a compile-time constant") != std::string::npos);
  CHECK(type_of("extent(T, 1) + extent(A, 0)") == "index");
}

TEST_CASE("a range whose ends differ by a constant has a length") {
  CHECK(errors_of("  let i = ctx.block.x * 4\n  let _t = T[i : i + 3, :]").empty());
  CHECK(errors_of("  let i = ctx.block.x * 4\n  let j = i + 2\n  let _t = T[j - 1 : i + 3, :]").empty());
  CHECK(errors_of("  var i = 0\n  let j = i\n  i = 3\n  let _t = T[j : i, :]").size() == 1);
  CHECK(errors_of("  let _t = T[0 : n, :]").size() == 1);
}

TEST_CASE("assignment converts floats and literals, and nothing else") {
  CHECK(errors_of("  I[0] = 3").empty());
  CHECK(errors_of("  T[0, 0] = 3").empty());
  CHECK(errors_of("  I[0] = ctx.threads") == std::vector<std::string>{"ctx.threads: `index` is not assigned to `i32` without a conversion: write `i32(ctx.threads)`"});
  CHECK(errors_of("  var x: f32 = 0.0\n  x += 1\n  x = n").size() == 1);
  CHECK(errors_of("  var x: i32 = 0\n  x += 1\n  x *= n").empty());
  CHECK(errors_of("  var x = 0\n  x = n\n  x += n").empty());
  CHECK(errors_of("  var t: tile<f32>[4, 8] = 0.0\n  t = T[:, :]\n  t = T[0 :+ 2, :]").size() == 1);
  CHECK(errors_of("  T[:, :] = rowsum(T[:, :])").empty());
  CHECK(errors_of("  T[:, :] += 1.0\n  T[0, 0] *= 2.0").empty());
  CHECK(errors_of("  I[0] += 1.5").size() == 1);
  CHECK(errors_of("  var x: f32").size() == 1);
}

TEST_CASE("names") {
  CHECK(errors_of("  let x = 1\n  if x == 1 {\n    let x = 2\n    I[x] = 1\n  }").empty());
  CHECK(errors_of("  let x = 1\n  let x = x") == std::vector<std::string>{"x: `x` is already declared in this block"});
  CHECK(errors_of("  for i in range(0, 4) {\n    i = 1\n  }") == std::vector<std::string>{"i: `i` cannot be assigned: it is a loop's variable"});
  CHECK(errors_of("  break") == std::vector<std::string>{"break: `break` stands outside of any loop"});
  CHECK(errors_of("  if n {\n  }") == std::vector<std::string>{"n: a condition is a `bool`, not `i32`"});
  CHECK(errors_of("  for i in range(0, 4, 0) {\n    I[i] = 1\n  }") == std::vector<std::string>{"0: the step of `range` must be positive, not 0"});
  CHECK(errors_of("  let _x = max(1.0, 2.0)").size() == 1);
  CHECK(errors_of("  let y = rowsun(T[:, :])\n  T[0, 0] = y[0, 0]") == std::vector<std::string>{"rowsun: there is no operation or function `rowsun`; did you mean `rowsum`?"});
}

TEST_CASE("one mistake is one error") {
  CHECK(errors_of("  let a = missing + 1\n  let b = a * T[0, 0]\n  T[0, 0] = sqrt(b)").size() == 1);
  CHECK(errors_of("  let a = T[0 :+ n, :]\n  let b = rowsum(a + 1.0)\n  T[:, 0 :+ 1] = b").size() == 1);
}

TEST_CASE("functions are generic in their dimensions and checked at each call") {
  const std::string functions =
      "fn centred(t: tile<f32>[R, C]) -> tile<f32>[R, C] {\n  return t - rowsum(t) / f32(C)\n}\n"
      "fn square(x: f32) -> f32 {\n  return x * x\n}\n"
      "fn first(A: tensor<f32>[N, K], i: i32) -> f32 {\n  return A[i, 0] + f32(N)\n}\n";
  CHECK(check_text(functions + "kernel k(T: tensor<f32>[4, 8]) {\n  T[:, :] = centred(T[:, :])\n  T[0, 0] = square(T[0, 1]) + first(T, 2)\n}\n").errors.empty());
  CHECK(check_text(functions + "kernel k(T: tensor<f32>[4, 8]) {\n  T[0 :+ 2, :] = centred(T[:, :])\n}\n").errors.size() == 1);
  CHECK(check_text(functions + "kernel k(T: tensor<f32>[4, 8]) {\n  T[0, 0] = square(1, 2)\n}\n").errors.size() == 1);
  CHECK(check_text("fn a(x: f32) -> f32 { return b(x) }\nfn b(x: f32) -> f32 { return a(x) }\nkernel k(T: tensor<f32>[4]) { T[0] = a(1.0) }\n").errors.size() == 1);
  const Checked twice = check_text("fn bad(x: f32) -> f32 {\n  return x + y\n}\nkernel k(T: tensor<f32>[4]) {\n  T[0] = bad(1.0)\n  T[1] = bad(2.0)\n}\n");
  CHECK(twice.errors == std::vector<std::string>{"y: there is no `y` here"});
}

TEST_CASE("a kernel is not ok when a function that it inlines is wrong, though that is told at the function") {
  const std::string kernel = "kernel k(T: tensor<f32>[4]) {\n  T[0] = f(T[1])\n}\n";
  for (const std::string function :
       {"fn f(x: f32) -> f32 {\n  if x > 0.0 {\n    return x\n  }\n}\n", "fn f(x: f32) -> f32 {\n  if x > 0.0 {\n    return\n  }\n  return x\n}\n",
        "fn f(x: f23) -> f32 {\n  return 1.0\n}\n", "fn f(x: f32) -> f32 {\n  return f(x)\n}\n", "fn f(x: f32) -> f32 {\n  return y\n}\n",
        "fn f(x: f32) -> f99 {\n  return x\n}\n", "fn f(x: f32) -> f32 {\n  return x +\n}\n"}) {
    const Checked checked = check_text(function + kernel);
    CHECK_MESSAGE(checked.errors.size() == 1, function);
    CHECK_MESSAGE(!checked.items.at("k").ok(), function);
  }
  CHECK(check_text("fn f(x: f32) -> f32 {\n  return x\n}\n" + kernel).items.at("k").ok());
}

TEST_CASE("autotune constants are values, and dimensions where they name one") {
  const std::string text = "@autotune(T in [16, 64])\nkernel k(A: tensor<f32>[T, K]) {\n  let x = A[:, 0 :+ T]\n  A[0, 0] = x[0, 0]\n}\n";
  Options options;
  options.constants["T"] = 8;
  for (const auto& [given, extent] : {std::pair<Options, std::string>{{}, "16"}, {options, "8"}}) {
    const Checked checked = check_text(text, given);
    CHECK(checked.errors.empty());
    for (const Local& local : checked.items.at("k").locals)
      if (local.name == "x") CHECK(to_string(local.type) == "tile<f32>[" + extent + ", " + extent + "]");
  }
  CHECK(check_text(text).items.at("k").attributes.autotune[0].choices == std::vector<std::int64_t>{16, 32, 64});
}

TEST_CASE("attributes are checked") {
  const auto errors = [](const std::string& attributes) { return check_text(attributes + "\nkernel k(A: tensor<f32>[N]) {\n  A[0] = 1.0\n}\n").errors; };
  CHECK(errors("@launch(64)").empty());
  CHECK(errors("@launch(128, 2, 64) @aligned(N = 4) @precise").empty());
  CHECK(errors("@unheard_of(3)").empty());
  CHECK(errors("@launch(48)").size() == 1);
  CHECK(errors("@launch(0)").size() == 1);
  CHECK(errors("@launch(2048)").size() == 1);
  CHECK(errors("@launch").size() == 1);
  CHECK(errors("@launch(64) @launch(64)").size() == 1);
  CHECK(errors("@launch(64.5)").size() == 1);
  CHECK(errors("@aligned(Q = 4)").size() == 1);
  CHECK(errors("@precise(1)").size() == 1);
  CHECK(errors("@registers(1000)").size() == 1);
}
