// Each .ph file here is lowered; the IR of its kernels is in the .tir file beside it. PHOBOS_UPDATE=1 rewrites those.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include <phobos/ir/text.h>
#include <phobos/lower/lower.h>
#include <phobos/sema/check.h>
#include <phobos/syntax/parser.h>

using namespace phobos;

namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Lowered {
  std::string name;
  Result<ir::Kernel> kernel;
};

// Every kernel of a text, which has no errors.
std::vector<Lowered> lower_all(std::string_view text, lower::Purpose purpose = lower::Purpose::Run) {
  syntax::Parser parser;
  const syntax::ParsedFile file = parser.parse(text);
  const auto find = [&](std::string_view name) -> const syntax::ParsedItem* {
    for (const syntax::ParsedItem& parsed : file.items)
      if (parsed.item->name.text == name) return &parsed;
    return nullptr;
  };
  const sema::Environment environment{[&](std::string_view name) {
    const syntax::ParsedItem* found = find(name);
    return found ? found->item : nullptr;
  }};
  std::vector<Lowered> lowered;
  for (const syntax::ParsedItem& parsed : file.items) {
    if (parsed.item->form != syntax::Item::Form::Kernel) continue;
    const sema::CheckedItem item = sema::check(parsed.item, environment);
    const uniformity::Result kinds = uniformity::analyse(item);
    for (const auto* diagnostics : {&item.item->diagnostics, &item.diagnostics, &kinds.diagnostics})
      for (const diag::Diagnostic& each : *diagnostics)
        CHECK_MESSAGE(each.severity != diag::Severity::Error, parsed.item->name.text << ": " << each.message);
    if (!item.ok()) continue;
    lower::Origins origins{{parsed.span.begin}};
    for (const auto& function : item.functions) origins.offsets.push_back(find(function->name.text)->span.begin);
    lowered.push_back({parsed.item->name.text, lower::lower(item, kinds, origins, purpose)});
  }
  return lowered;
}

ir::Kernel lower_one(std::string_view text) {
  std::vector<Lowered> lowered = lower_all(text);
  REQUIRE(lowered.size() == 1);
  REQUIRE_MESSAGE(lowered[0].kernel.ok(), lowered[0].kernel.message());
  for (const std::string& fault : ir::verify(*lowered[0].kernel)) FAIL_CHECK(fault);
  return std::move(*lowered[0].kernel);
}

std::vector<std::filesystem::path> sources_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ph") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

const std::filesystem::path root = PHOBOS_SOURCE_DIR;

}  // namespace

TEST_CASE("kernels lower to the IR that is written down") {
  const bool update = std::getenv("PHOBOS_UPDATE") != nullptr;
  const auto paths = sources_in(root / "tests/unit/core/lower");
  CHECK(paths.size() >= 4);
  for (const auto& path : paths) {
    CAPTURE(path.filename().string());
    std::string text;
    for (const Lowered& one : lower_all(read(path))) {
      REQUIRE_MESSAGE(one.kernel.ok(), one.name << ": " << one.kernel.message());
      for (const std::string& fault : ir::verify(*one.kernel)) FAIL_CHECK(one.name << ": " << fault);
      text += (text.empty() ? "" : "\n") + ir::print(*one.kernel);
    }
    auto expected = path;
    expected.replace_extension(".tir");
    if (update) std::ofstream(expected, std::ios::binary) << text;
    CHECK(read(expected) == text);
  }
}

TEST_CASE("the examples and the result tests lower to valid IR that reads back as itself") {
  int kernels = 0;
  for (const char* folder : {"examples", "tests/run"})
    for (const auto& path : sources_in(root / folder)) {
      CAPTURE(path.filename().string());
      std::vector<Lowered> all = lower_all(read(path));
      for (Lowered& traced : lower_all(read(path), lower::Purpose::Trace)) all.push_back(std::move(traced));
      for (const Lowered& one : all) {
        ++kernels;
        CHECK_MESSAGE(one.kernel.ok(), one.name << ": " << one.kernel.message());
        if (!one.kernel.ok()) continue;
        for (const std::string& fault : ir::verify(*one.kernel)) FAIL_CHECK(one.name << ": " << fault);
        const std::string text = ir::print(*one.kernel, {.spans = true});
        const Result<ir::Kernel> back = ir::parse(text);
        CHECK_MESSAGE(back.ok(), back.message());
        if (back.ok()) CHECK(ir::print(*back, {.spans = true}) == text);
      }
    }
  CHECK(kernels >= 40);
}

TEST_CASE("spans are places in the file, those of an inlined function its own") {
  const std::string text =
      "fn twice(x: f32) -> f32 { return x * 2.0 }\n"
      "kernel k(O: tensor<f32>[64]) {\n  O[ctx.thread] = twice(1.0 + O[0]) + 0.5\n}\n";
  const ir::Kernel kernel = lower_one(text);
  const auto text_of = [&](ir::Opcode code) {
    for (const ir::Op& op : kernel.ops)
      if (op.code == code) return text.substr(op.span.begin, op.span.size());
    return std::string();
  };
  CHECK(text_of(ir::Opcode::Mul) == "x * 2.0");
  CHECK(text_of(ir::Opcode::Load) == "O[0]");
  CHECK(text_of(ir::Opcode::Store) == "O[ctx.thread] = twice(1.0 + O[0]) + 0.5");
}

TEST_CASE("a tensor's use is noted") {
  const ir::Kernel kernel = lower_one(
      "kernel k(A: tensor<f32>[64], B: tensor<f32>[64], C: tensor<i32>[4], D: tensor<f32>[N]) {\n"
      "  B[ctx.thread] = A[ctx.thread]\n  B[0] += 1.0\n  atomic_add(C, 0, 1)\n}\n");
  const auto use = [&](std::size_t i) { return kernel.parameters[i].read + 2 * kernel.parameters[i].written; };
  CHECK(use(0) == 1);
  CHECK(use(1) == 3);
  CHECK(use(2) == 3);
  CHECK(use(3) == 0);
}

namespace {

// "x: extent/step, y: …" of the axes that are more than one CTA, or "defeated: reason".
std::string grid_of(const std::string& head, const std::string& body) {
  const ir::Kernel kernel = lower_one(head + " {\n" + body + "\n}\n");
  if (!kernel.grid.axes) return "defeated: " + kernel.grid.reason;
  std::string words;
  for (std::size_t i = 0; i < 3; ++i) {
    const ir::GridAxis& axis = (*kernel.grid.axes)[i];
    if (axis.extent == 1 && axis.step == 1) continue;
    const std::string extent =
        ir::is_dynamic(axis.extent) ? kernel.dimensions[ir::dimension_of(axis.extent)] : std::to_string(axis.extent);
    words += std::string(words.empty() ? "" : ", ") + "xyz"[i] + ": " + extent + "/" + std::to_string(axis.step);
  }
  return words.empty() ? "one" : words;
}

const std::string head = "@launch(128)\nkernel k(A: tensor<f32>[M, N], O: tensor<f32>[M, N], L: tensor<f32>[M, 1], s: i32)";

}  // namespace

TEST_CASE("the grid follows from the stores") {
  CHECK(grid_of(head, "O[0, ctx.thread] = 1.0") == "one");
  CHECK(grid_of(head, "let r = ctx.block.x\nlet t = A[r :+ 1, 0 :+ 64]\nO[r :+ 1, 0 :+ 64] = t") == "x: M/1");
  CHECK(grid_of(head, "O[ctx.block.y * 32 :+ 32, 64 * ctx.block.x :+ 64] = 1.0") == "x: N/64, y: M/32");
  CHECK(grid_of(head, "let i = ctx.block.x * ctx.threads + ctx.thread\nif i >= N {\n return\n}\nO[0, i] = 1.0") == "x: N/128");
  CHECK(grid_of(head, "let r = ctx.block.x * ctx.warps + ctx.warp\nif r < M {\n O[r, ctx.lane] = 1.0\n}") == "x: M/4");
  CHECK(grid_of(head, "let r = ctx.block.x << 4\nfor i in range(r, r + 16) {\n O[i, ctx.thread] = 1.0\n}") == "x: M/16");
  CHECK(grid_of(head, "let r = ctx.block.x * 16\nfor i in range(0, 4) {\n O[r + 4 * i :+ 4, 0 :+ 8] = 1.0\n}") == "x: M/16");
  CHECK(grid_of(head, "let r = ctx.block.x * 8\nO[r :+ 8, 0 :+ 4] = 1.0\nL[r :+ 8, :] = 2.0") == "x: M/8");
  CHECK(grid_of(head, "let r = ctx.block.x\nfor c in range(ctx.thread, N, ctx.threads) {\n O[r, c] = 1.0\n}") == "x: M/1");
}

TEST_CASE("what defeats the inference of the grid is named") {
  const auto says = [](const std::string& body, std::string_view words) {
    const std::string grid = grid_of(head, body);
    CAPTURE(body);
    CAPTURE(grid);
    CHECK(grid.starts_with("defeated: "));
    CHECK(grid.find(words) != std::string::npos);
  };
  says("O[ctx.block.x * s + 1, 0] = 1.0", "multiple of `ctx.block.x`");
  says("O[ctx.block.z * s + ctx.block.x * 4, 0] = 1.0", "multiple of `ctx.block.z`");
  says("O[ctx.block.x * ctx.block.x, 0] = 1.0", "multiple of `ctx.block.x`");
  says("O[ctx.block.x + ctx.block.y, 0] = 1.0", "multiple of `ctx.block.x`");
  says("O[ctx.block.x * 4 + s, 0] = 1.0", "may reach past the 4 elements");
  says("O[ctx.block.x * 16 :+ 32, 0 :+ 4] = 1.0", "may reach past the 16 elements");
  says("for r in range(ctx.block.x, M, ctx.blocks.x) {\n O[r, 0] = 1.0\n}", "`ctx.blocks`");
  says("O[0, 0] = A[ctx.block.z, 0]", "no store starts at a multiple of `ctx.block.z`");
  says("O[ctx.block.x * 4 :+ 4, 0 :+ 4] = 1.0\nL[ctx.block.x * 8 :+ 8, :] = 1.0", "stores to `O` and `L` want different grids along x");
  says("var r = 0\nif ctx.block.x == 1 {\n r = 5\n}\nO[r, 0] = 1.0", "multiple of `ctx.block.x`");
  says("var r = ctx.block.x\nfor i in range(0, 2) {\n r = r + 1\n}\nO[r, 0] = 1.0", "multiple of `ctx.block.x`");
}

TEST_CASE("a kernel for a trace is the same kernel with a mark behind each statement") {
  const std::string text = "fn f(x: f32) -> f32 { return x }\n@launch(32)\nkernel k(X: tensor<f32>[32], O: tensor<f32>[1, 32], n: i32) {\n"
                           "  var t: tile<f32>[1, 32] = 0.0\n  for i in range(0, n) {\n    if i > 3 { break }\n    t[0, ctx.lane] = f(X[ctx.lane])\n  }\n"
                           "  barrier()\n  O[:, :] = t[0 :+ 1, :]\n  print(n)\n}\n";
  const ir::Kernel plain = lower_one(text);
  std::vector<Lowered> traced = lower_all(text, lower::Purpose::Trace);
  REQUIRE(traced.size() == 1);
  REQUIRE(traced[0].kernel.ok());
  std::vector<std::string> forms, with, without;
  for (const ir::Op& op : traced[0].kernel->ops) {
    if (op.code == ir::Opcode::Mark) forms.emplace_back(ir::name_of(traced[0].kernel->notes[static_cast<std::size_t>(op.immediate)].form));
    else with.emplace_back(ir::info(op.code).mnemonic);
  }
  for (const ir::Op& op : plain.ops) without.emplace_back(ir::info(op.code).mnemonic);
  CHECK(with == without);
  CHECK(forms == std::vector<std::string>{"values", "values", "loop", "round", "condition", "leave", "values", "leave", "stored", "barrier", "stored", "call"});
  CHECK(plain.notes.size() == 1);
}
