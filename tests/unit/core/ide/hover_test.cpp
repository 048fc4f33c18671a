#include <phobos/ide/hover.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include <phobos/sema/check.h>
#include <phobos/syntax/parser.h>

using namespace phobos;

namespace {

struct Checked {
  sema::CheckedItem item;
  uniformity::Result kinds;
};

// The first item of a text; the others are what it can call.
Checked checked(std::string_view text) {
  syntax::Parser parser;
  const syntax::ParsedFile file = parser.parse(text);
  sema::Environment environment;
  environment.find = [&](std::string_view name) -> std::shared_ptr<const syntax::Item> {
    for (const auto& parsed : file.items)
      if (parsed.item->name.text == name) return parsed.item;
    return nullptr;
  };
  Checked result{sema::check(file.items.at(0).item, environment), {}};
  result.kinds = uniformity::analyse(result.item);
  return result;
}

// The hover where `|` stands.
std::string hover_at(std::string text) {
  const std::size_t cursor = text.find('|');
  REQUIRE(cursor != std::string::npos);
  text.erase(cursor, 1);
  const Checked all = checked(text);
  const auto facts = ide::hover(all.item, all.kinds, static_cast<std::uint32_t>(cursor));
  if (!facts) return "";
  return ide::wording(*facts, [&](Location at) {
    const std::string& of = at.origin == 0 ? all.item.item->text : all.item.functions.at(at.origin - 1)->text;
    return ide::ReaderPlace{static_cast<std::uint32_t>(1 + std::count(of.begin(), of.begin() + at.span.begin, '\n')), {}};
  });
}

bool says(const std::string& text, std::string_view part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a value: its declaration, its kind, the reason") {
  const std::string head = "kernel k(X: tensor<f32>[M, N], alpha: f32) {\n";
  says(hover_at(head + "  let x| = ctx.block.x * 2\n  X[x, 0] = alpha\n}"), "let x: index\n");
  says(hover_at(head + "  let x = ctx.block.x * 2\n  X[|x, 0] = alpha\n}"), "**uniform**: the same in every thread of the CTA");
  says(hover_at(head + "  let w = ctx.warp\n  X[w|, 0] = alpha\n}"), "**warp-uniform**: the same in every lane of a warp");
  const std::string varying = hover_at(head + "  var x = 0\n  if ctx.lane == 3 {\n    x = 1\n  }\n  X[x|, 0] = alpha\n}");
  says(varying, "var x: index\n");
  says(varying, "**varying**: may differ between lanes");
  says(varying, "(line 3)");
  says(varying, "ctx.lane");
  says(hover_at(head + "  let e = X[0, 0] |* alpha\n  X[0, 0] = e\n}"), "X[0, 0] * alpha: f32");
  says(hover_at(head + "  let e = al|pha\n  X[0, 0] = e\n}"), "alpha: f32\n");
}

TEST_CASE("names that are assigned to are hovered like any other") {
  says(hover_at("kernel k(X: tensor<f32>[M]) {\n  var t: tile<f32>[4, 8]\n  |t[0, 0] = 1.0\n}"), "var t: tile<f32>[4, 8]");
  says(hover_at("kernel k(X: tensor<f32>[M]) {\n  var t: tile<f32>[4, 8]\n  |t[0, 0] = 1.0\n}"), "one tile that the whole CTA shares");
  says(hover_at("kernel k(|X: tensor<f32>[M]) {\n  X[0] = 1.0\n}"), "X: tensor<f32>[M]");
  says(hover_at("kernel k(X: tensor<f32>[M]) {\n  X|[0] = 1.0\n}"), "a tensor in global memory");
}

TEST_CASE("constants, dimensions and attributes") {
  const std::string text =
      "@launch(128) @autotune(B in [32, 64]) @aligned(N = 8)\nkernel k(X: tensor<f32>[M, N], Y: tensor<f32>[N]) {\n  let c = ctx.threads * 2\n"
      "  X[0, B] = Y[c]\n  X[M - 1, N - 1] = 0.0\n}";
  const auto at = [&](std::string_view part, std::size_t inside = 0) {
    std::string marked = text;
    return hover_at(marked.insert(text.find(part) + inside, 1, '|'));
  };
  says(at("c = ctx"), "let c: index = 256");
  says(at("B] = Y"), "B: index = 32");
  says(at("B] = Y"), "chooses from 32, 64");
  says(at("N - 1"), "axis 1 of `X`, axis 0 of `Y`");
  says(at("N - 1"), "a multiple of 8");
  says(at("N], Y"), "bound at launch");
  says(at("N]) {"), "bound at launch");
  says(at("launch", 2), "@launch(threads");
  says(at("autotune", 2), "tuner");
  says(at("threads", 3), "= 128");
  says(at("k(X"), "kernel k(X: tensor<f32>[M, N], Y: tensor<f32>[N])");
}

TEST_CASE("what is known of an integer") {
  const std::string text =
      "@launch(64) @aligned(K = 32)\nkernel k(X: tensor<f32>[M, K], n: i32) {\n  for i in range(0, K, 8) {\n    let at = ctx.thread * 4 + 1\n"
      "    X[0, at] = f32(i)\n    X[0, K / 4] = f32(n)\n  }\n}";
  const auto at = [&](std::string_view part, std::size_t inside = 0) {
    std::string marked = text;
    return hover_at(marked.insert(text.find(part) + inside, 1, '|'));
  };
  says(at("i in"), "Known: from `0` to `K - 1`, a multiple of 8.");
  says(at("at = "), "Known: `4*ctx.thread + 1`, from `1` to `253`.");
  says(at("/ 4"), "Known: from `0` to `K`, a multiple of 8.");
  CHECK(at("n)\n").find("Known") == std::string::npos);
}

TEST_CASE("operations, ctx and functions") {
  const std::string text =
      "kernel k(X: tensor<f32>[M]) {\n  let s = sum<over ctx.lane>(f32(1))\n  barrier()\n  print(s)\n  X[ctx.block.x] = half(s) + exp(s)\n}\n"
      "// Half of it.\nfn half(x: f32) -> f32 {\n  return x * 0.5\n}";
  const auto at = [&](std::string_view part, std::size_t inside = 0) {
    std::string marked = text;
    return hover_at(marked.insert(text.find(part) + inside, 1, '|'));
  };
  says(at("sum<", 1), "sum<over ctx.lane | over ctx.thread>");
  says(at("f32(1", 1), "f32(x) -> f32");
  says(at("barrier", 4), "every thread must reach it");
  says(at("ctx.block", 6), "ctx.block.x/.y/.z: index");
  says(at("ctx.block", 1), "ctx.block");
  says(at("half(s", 1), "fn half(x: f32) -> f32");
  says(at("half(s", 1), "Half of it.");
  says(at("exp(s", 1), "e to the power");
  says(at("print(s", 1), "Tells values while the kernel runs");
}

TEST_CASE("a hover at any offset of any sample") {
  int answered = 0;
  for (const char* folder : {"examples", "tests/run"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(PHOBOS_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".ph") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      for (const std::string& variant : {text, text.substr(0, text.size() * 2 / 3)}) {
        syntax::Parser parser;
        for (const auto& parsed : parser.parse(variant).items) {
          const Checked all = checked(variant.substr(parsed.span.begin));
          for (std::uint32_t offset = 0; offset <= all.item.item->text.size() + 2; ++offset) {
            const auto facts = ide::hover(all.item, all.kinds, offset);
            if (!facts) continue;
            ++answered;
            CHECK(facts->range.begin <= facts->range.end);
            CHECK(facts->range.touches(offset));
            CHECK_FALSE(ide::wording(*facts, [](Location) { return ide::ReaderPlace{}; }).empty());
          }
        }
      }
    }
  }
  CHECK(answered > 1000);
}
