#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include <fmt/format.h>

#include <phobos/ir/text.h>
#include <phobos/nvptx/nvptx.h>

#include "kernels.h"

using namespace phobos;

namespace {

constexpr const char* chips[] = {"sm_75", "sm_80", "sm_90", "sm_90a", "sm_100"};

ir::Kernel read(std::string_view text) {
  auto kernel = ir::parse(text);
  REQUIRE_MESSAGE(kernel.ok(), kernel.message());
  for (const std::string& fault : ir::verify(*kernel)) FAIL_CHECK(fault);
  return *kernel;
}

nvptx::Compiled compile(const ir::Kernel& kernel, const nvptx::Options& options = {}) {
  auto compiled = nvptx::emit_ptx(kernel, options);
  REQUIRE_MESSAGE(compiled.ok(), compiled.message());
  return *compiled;
}

nvptx::Compiled compile(std::string_view text) { return compile(read(text)); }

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

int count(const std::string& text, std::string_view part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string ptxas() {
  for (const char* place : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"})
    if (std::filesystem::exists(place)) return place;
  return "";
}

// Whether ptxas takes it, and what it says.
std::pair<bool, std::string> assemble(const std::string& assembler, const std::string& ptx, const std::string& chip) {
  const std::string base = (std::filesystem::temp_directory_path() / fmt::format("phobos-ptx-{}", ::getpid())).string();
  std::ofstream(base + ".ptx") << ptx;
  const int status =
      std::system(fmt::format("{} -arch={} -v {}.ptx -o {}.cubin > {}.log 2>&1", assembler, chip, base, base, base).c_str());
  std::ifstream log(base + ".log");
  std::stringstream said;
  said << log.rdbuf();
  for (const char* suffix : {".ptx", ".cubin", ".log"}) std::filesystem::remove(base + suffix);
  return {status == 0, said.str()};
}

// Every elementwise operation on every type that has it, one thread an element.
std::string arithmetic() {
  std::string text(test::scalar_head);
  const auto add = [&]<class... A>(fmt::format_string<A...> format, A&&... a) {
    text += fmt::format(format, std::forward<A>(a)...) + "\n";
  };
  const std::pair<const char*, const char*> types[] = {{"f32", "F"}, {"f64", "D"}, {"f16", "H"}, {"bf16", "G"},
                                                       {"i32", "I"}, {"i64", "L"}, {"i8", "B"},  {"u8", "U"}};
  for (const auto& [type, buffer] : types) {
    const bool real = type[0] == 'f' || type[0] == 'b';
    add("%{0}0: {0} varying = load %{1}, %t", type, buffer);
    std::string last = fmt::format("%{}0", type);
    int next = 1;
    const auto step = [&](const char* op, int operands) {
      std::string list = last;
      for (int i = 1; i < operands; ++i) list += fmt::format(", %{}0", type);
      add("%{0}{1}: {0} varying = {2} {3}", type, next, op, list);
      last = fmt::format("%{}{}", type, next++);
    };
    for (const char* op : {"add", "sub", "mul", "div", "rem", "min", "max"}) step(op, 2);
    if (real) {
      step("pow", 2);
      for (const char* op : {"exp", "log", "sqrt", "rsqrt", "tanh", "sin", "cos", "floor", "ceil", "round"}) step(op, 1);
    } else {
      for (const char* op : {"and", "or", "xor", "shl", "shr"}) step(op, 2);
      step("not", 1);
    }
    step("neg", 1);
    step("abs", 1);
    for (const char* compare : {"eq", "ne", "lt", "le", "gt", "ge"}) {
      add("%{0}{1}: bool varying = cmp.{1} {2}, %{0}0", type, compare, last);
      add("%{0}{1}s: {0} varying = select %{0}{1}, {2}, %{0}0", type, compare, last);
      add("store %{}, %{}{}s, %t", buffer, type, compare);
    }
    for (const auto& [to, target] : types) {
      add("%{0}to{1}: {1} varying = convert {2}", type, to, last);
      add("store %{}, %{}to{}, %t", target, type, to);
    }
    add("%{0}p: bool varying = convert {1}", type, last);
    add("%{0}q: bool varying = not %{0}p", type);
    add("%{0}u: bool varying = and %{0}p, %{0}q", type);
    add("%{0}v: bool varying = or %{0}u, %flag", type);
    add("store %P, %{}v, %t", type);
    add("%{0}b: {0} varying = convert %{0}v", type);
    add("store %{}, %{}b, %t", buffer, type);
  }
  return text + "  return\n}\n";
}

}  // namespace

TEST_CASE("every operation becomes the instructions that it should") {
  for (const test::Sample& sample : test::samples) {
    const std::string ptx = compile(sample.text).text;
    std::istringstream words{std::string(sample.expected)};
    for (std::string word; words >> word;) CHECK_MESSAGE(contains(ptx, word), word, " is not in\n", ptx);
    CHECK_FALSE(contains(ptx, "st.local"));
  }
}

TEST_CASE("ptxas takes what is emitted, for every chip and without spills") {
  const std::string assembler = ptxas();
  if (assembler.empty()) {
    MESSAGE("ptxas was not found: nothing is assembled");
    return;
  }
  std::vector<std::string> texts{arithmetic()};
  for (const test::Sample& sample : test::samples) texts.emplace_back(sample.text);
  for (const std::string& text : texts) {
    const ir::Kernel kernel = read(text);
    for (const char* chip : chips) {
      const auto [taken, said] = assemble(assembler, compile(kernel, {chip, true, "", ""}).text, chip);
      CHECK_MESSAGE(taken, kernel.name, " for ", chip, ": ", said);
      if (kernel.name != "scalars") CHECK_MESSAGE(contains(said, "0 bytes spill stores"), kernel.name, ": ", said);
    }
  }
}

TEST_CASE("the kernel's bounds are the launch bounds") {
  const std::string ptx = compile(arithmetic()).text;
  for (const char* directive : {".maxntid 64", ".minnctapersm 2", ".maxnreg 96", ".entry scalars("})
    CHECK(contains(ptx, directive));
}

TEST_CASE("a + b * c is two roundings, dot's sums are one") {
  const std::string ptx = compile(R"(kernel k
threads 32
parameter X: buffer<f32>[32] read written
{
  %t: index varying = ctx<thread>
  %x: f32 varying = load %X, %t
  %y: f32 varying = mul %x, %x
  %z: f32 varying = add %y, %x
  store %X, %z, %t
  return
}
)").text;
  CHECK(contains(ptx, "mul.rn.f32"));
  CHECK(contains(ptx, "add.rn.f32"));
  CHECK_FALSE(contains(ptx, "fma"));
}

TEST_CASE("the operations of a target are named functions in the module") {
  auto compiled = nvptx::emit_llvm(read(test::samples[1].text), {});
  REQUIRE(compiled.ok());
  for (const char* name : {"@phobos.barrier()", "@phobos.thread()", "@phobos.load.masked.constant.f32"})
    CHECK_MESSAGE(contains(compiled->text, name), name);
}

TEST_CASE("barriers stand where others' accesses may conflict, and nowhere else") {
  const auto barriers = [](std::string_view body) {
    return count(compile(std::string(R"(kernel k
threads 64
dimension N
parameter X: buffer<f32>[N, 64] read
parameter Y: buffer<f32>[N, 64] read written
{
  %t: index varying = ctx<thread>
  %z: index = const 0
  %one: index = const 1
  %b: shared<f32>[4, 64] = alloc
)") + std::string(body) + "  return\n}\n").text, "bar.sync");
  };
  SUBCASE("a copy needs none") {
    CHECK_EQ(barriers("%x: tile<f32>[4, 64] = tile_load %X, %z, %z\n tile_store %Y, %x, %z, %z\n"), 0);
  }
  SUBCASE("reading back what was stored") {
    CHECK_EQ(barriers("%x: tile<f32>[4, 64] = tile_load %X, %z, %z\n tile_store %b, %x, %z, %z\n"
                      "%y: tile<f32>[4, 64] = tile_load %b, %z, %z\n tile_store %Y, %y, %z, %z\n"), 1);
  }
  SUBCASE("a thread's access under its own control after a store of the CTA") {
    const std::string ptx = "%x: tile<f32>[4, 64] = tile_load %X, %z, %z\n tile_store %b, %x, %z, %z\n"
                            "%p: bool varying = cmp.lt %t, %one\n"
                            "if %p {\n %v: f32 varying = load %b, %z, %t\n store %Y, %v, %z, %t\n yield\n } else {\n yield\n }\n";
    CHECK_EQ(barriers(ptx), 1);
  }
  SUBCASE("around a loop: the next iteration's store waits for this one's read") {
    CHECK_EQ(barriers("for %z, %N, %one (%i: index) {\n %x: tile<f32>[4, 64] = tile_load %X, %i, %z\n tile_store %b, %x, %z, %z\n"
                      "%y: tile<f32>[4, 64] = tile_load %b, %z, %z\n tile_store %Y, %y, %i, %z\n yield\n }\n"), 2 * 2);  // whole turns, and the rest
  }
  SUBCASE("a store in a loop that goes over a tensor without overlap needs none, one that overlaps does") {
    const auto over = [&](const char* step) {
      return barriers(fmt::format("%four: index = const {}\nfor %z, %N, %four (%i: index) {{\n %x: tile<f32>[4, 64] = tile_load %X, %i, %z\n"
                                  "tile_store %Y, %x, %i, %z\n yield\n }}\n", step));
    };
    CHECK_EQ(over("4"), 0);
    CHECK_EQ(over("8"), 0);
    CHECK_EQ(over("2"), 2);
    CHECK_EQ(over("6"), 2);
  }
}

TEST_CASE("masks stand where a slice may reach past an end, and in a loop only in the turns that may") {
  const auto compiled = [](const char* head, const char* row) {
    return compile(fmt::format(R"(kernel k
threads 64
dimension M
dimension N
{}
parameter X: buffer<f32>[M, N] read
parameter Y: buffer<f32>[M, N] read written
{{
  %z: index = const 0
  %c: index = const 256
  %b: index = ctx<block.x>
  %one: index = const 1
  for %z, %M, %one (%r: index) {{
    for %z, %N, %c (%i: index) {{
      %x: tile<f32>[1, 256] = tile_load %X, {}, %i
      tile_store %Y, %x, {}, %i
      yield
    }}
    yield
  }}
  return
}}
)", head, row, row));
  };
  const auto path = [](const nvptx::Compiled& compiled) {
    for (const ir::Decision& decision : compiled.decisions)
      if (decision.what.starts_with("load of")) return decision.path;
    return std::string();
  };
  const auto wide = [](const std::string& ptx) { return count(ptx, "ld.global.nc.v4.b32"); };
  const auto masked = [](const std::string& ptx) { return count(ptx, " ld.global.nc.b32"); };
  SUBCASE("none where promises and bounds say that all is inside") {
    const nvptx::Compiled made = compiled("promise N % 256", "%r");
    const std::string& ptx = made.text;
    CHECK(path(made) == "16 bytes at a time");
    CHECK(wide(ptx) == 1);
    CHECK(masked(ptx) == 0);
    CHECK(count(ptx, "st.global.b32") == 0);
  }
  SUBCASE("the last turn, where the columns may not divide") {
    const nvptx::Compiled made = compiled("promise N % 4", "%r");
    const std::string& ptx = made.text;
    CHECK(path(made) == "16 bytes at a time where it lies inside, else element by element, masked");
    CHECK(path(compiled("promise N % 2", "%r")) == "16 bytes at a time where it lies inside and is aligned, else element by element, masked");
    CHECK(wide(ptx) == 1);
    CHECK(masked(ptx) == 4);
    const std::size_t first = ptx.find("ld.global.nc.v4.b32"), last = ptx.find(" ld.global.nc.b32");
    CHECK(first < last);
    CHECK(count(ptx.substr(first, last - first), "$L__BB0_") >= 2);  // in another loop
  }
  SUBCASE("all turns of a CTA whose row may not exist") {
    const std::string ptx = compiled("promise N % 256", "%b").text;
    CHECK(wide(ptx) == 1);
    CHECK(masked(ptx) == 4);
  }
}

TEST_CASE("a loop moves on its counter, not a pointer for each access") {
  const std::string ptx = compile(R"(kernel k
threads 64
dimension N
parameter X: buffer<f32>[64, N] read
parameter Y: buffer<f32>[64, N] read
parameter Z: buffer<f32>[64, N] read written
promise N % 64
{
  %z: index = const 0
  %c: index = const 64
  for %z, %N, %c (%i: index) {
    %x: tile<f32>[64, 64] = tile_load %X, %z, %i
    %y: tile<f32>[64, 64] = tile_load %Y, %z, %i
    %s: tile<f32>[64, 64] = add %x, %y
    tile_store %Z, %s, %z, %i
    yield
  }
  return
}
)").text;
  const std::size_t begin = ptx.rfind("$L__BB0_", ptx.find("ld.global.nc.v4.b32"));
  const std::string loop = ptx.substr(begin, ptx.find("bra", begin) - begin);
  CHECK(count(loop, "ld.global.nc.v4.b32") == 32);
  CHECK(count(loop.substr(loop.rfind("st.global.v4.b32")), "add.s64") == 1);
}

TEST_CASE("a tile of more elements than its threads can hold is refused") {
  const auto compiled_with = [](int rows) {
    return nvptx::emit_ptx(read(fmt::format(R"(kernel k
threads 32
parameter X: buffer<f32>[{0}, 64] read
parameter Y: buffer<f32>[{0}, 64] read written
{{
  %z: index = const 0
  %x: tile<f32>[{0}, 64] = tile_load %X, %z, %z
  tile_store %Y, %x, %z, %z
  return
}}
)", rows)), {});
  };
  CHECK(compiled_with(256).ok());
  const auto refused = compiled_with(512);
  REQUIRE(!refused.ok());
  REQUIRE(refused.error().diagnostic);
  CHECK(diag::info(refused.error().diagnostic->code).code == "PH0801");
  CHECK(refused.message() == "a tile of 512 x 64 elements is too large for 32 threads: 1024 elements each, of at most 512");
}

TEST_CASE("past 48 KB shared memory is dynamic, past the chip's it is refused") {
  const auto compiled_with = [](int rows) {
    return nvptx::emit_ptx(read(fmt::format(R"(kernel k
threads 128
parameter X: buffer<f32>[128] read written
{{
  %t: index varying = ctx<thread>
  %z: index = const 0
  %b: shared<f32>[{}, 128] = alloc
  %x: f32 varying = load %X, %t
  store %b, %x, %z, %t
  barrier
  %y: f32 varying = load %b, %z, %z
  store %X, %y, %t
  return
}}
)", rows)), {});
  };
  CHECK_EQ(compiled_with(64)->shared_bytes, 32768);
  CHECK_EQ(compiled_with(200)->dynamic_shared_bytes, 102400);
  CHECK(contains(compiled_with(200)->text, ".extern .shared"));
  const auto refused = compiled_with(2000);
  REQUIRE(!refused.ok());
  REQUIRE(refused.error().diagnostic);
  CHECK(diag::info(refused.error().diagnostic->code).code == "PH0802");
  CHECK(refused.message() == "the kernel takes 1024000 bytes of shared memory, of at most 232448 on sm_90a");
  CHECK(refused.error().diagnostic->related.size() == 1);
}

TEST_CASE("source lines are in the PTX") {
  ir::Kernel kernel = read(test::samples[0].text);
  for (std::size_t i = 0; i < kernel.ops.size(); ++i)
    kernel.ops[ir::OpId(i)].span = {static_cast<std::uint32_t>(i % 10), static_cast<std::uint32_t>(i % 10 + 1)};
  nvptx::Options options;
  options.file = "folder/kernel.ph";
  options.source = "a\nb\nc\nd\ne\nf\n";
  const nvptx::Compiled compiled = compile(kernel, options);
  CHECK(contains(compiled.text, ".loc\t1 3 "));
  CHECK(contains(compiled.text, "kernel.ph"));
  if (const std::string assembler = ptxas(); !assembler.empty()) CHECK(assemble(assembler, compiled.text, "sm_90a").first);
}

TEST_CASE("an unknown chip is refused by name") {
  nvptx::Options options;
  options.chip = "sm_1";
  const auto compiled = nvptx::emit_ptx(read(test::samples[0].text), options);
  REQUIRE_FALSE(compiled.ok());
  CHECK(contains(compiled.message(), "sm_1"));
  CHECK(contains(compiled.message(), "sm_90a"));
}

TEST_CASE("a checked kernel tests the indices of single elements, and of nothing else") {
  nvptx::Options options;
  options.checked = true;
  const ir::Kernel kernel = read(R"(kernel k
threads 64
parameter X: buffer<f32>[128] read written
{
  %t: index varying = ctx<thread>
  %x: f32 varying = load %X, %t
  store %X, %x, %t
  return
}
)");
  ir::Kernel outside = kernel;
  outside.parameters[0].type.shape[0] = 48;
  for (ir::Value& value : outside.values)
    if (value.type.is_buffer()) value.type.shape[0] = 48;
  for (const char* chip : chips) {
    options.chip = chip;
    const nvptx::Compiled compiled = compile(outside, options);
    REQUIRE(compiled.checks.size() == 2);
    CHECK(compiled.checks[0].buffer == "X");
    CHECK(compiled.checks[0].axis == 0);
    CHECK(contains(compiled.text, "trap;"));
    if (const std::string assembler = ptxas(); !assembler.empty()) {
      const auto [good, said] = assemble(assembler, compiled.text, chip);
      CHECK_MESSAGE(good, said);
    }
  }
}
