#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <phobos/ir/builder.h>
#include <phobos/ir/text.h>

using namespace phobos;
using namespace phobos::ir;

namespace {

// Prints, parses, prints again: the same text, with and without spans; and nothing for the verifier to say.
void round_trip(const Kernel& kernel) {
  for (bool spans : {false, true}) {
    const std::string text = print(kernel, {spans});
    const auto parsed = parse(text);
    REQUIRE_MESSAGE(parsed.ok(), parsed.message(), "\n", text);
    CHECK_EQ(print(*parsed, {spans}), text);
  }
}

Kernel read(std::string_view text) {
  auto parsed = parse(text);
  REQUIRE_MESSAGE(parsed.ok(), parsed.message());
  return *parsed;
}

// Every operation, as the text writes it.
constexpr std::string_view every_op = R"(kernel every
threads 64
min_blocks 2
max_registers 96
persistent
precise
dimension M
dimension K
parameter X: buffer<f32>[M, K] read
parameter Y: buffer<i32>[2] read written
parameter n: i32
constant T = 64
constant U = -3
promise K % 128
note print warp "x % 2" "S"
note values varying "x" "n" varying uniform
note stored uniform "S[0, 1]"
grid M / 64, K / 1, 3 / 2
{
  %0: index = ctx<block.x>
  %1: index = ctx<block.y>
  %2: index = ctx<block.z>
  %3: index = ctx<blocks.x>
  %4: index = ctx<blocks.y>
  %5: index = ctx<blocks.z>
  %6: index warp = ctx<warp>
  %7: index varying = ctx<thread>
  %lane: index varying = ctx<lane>
  %8: index = extent<1> %X
  %9: f32 = const 0.1
  %10: f64 = const -0
  %11: f16 = const inf
  %12: i64 = const -9223372036854775808
  %13: bool = const true
  %14: index = const 0
  %15: index = const 1
  %16: f32 = add %9, %9
  %17: f32 = sub %9, %16
  %18: f32 = mul %9, %16
  %19: f32 = div %9, %16
  %20: i32 = rem %n, %n
  %21: i32 = and %n, %n
  %22: i32 = or %n, %n
  %23: i32 = xor %n, %n
  %24: i32 = shl %n, %n
  %25: i32 = shr %n, %n
  %26: f32 = min %9, %16
  %27: f32 = max %9, %16
  %28: f32 = pow %9, %16
  %29: i32 = neg %n
  %30: bool = not %13
  %31: f32 = abs %9
  %32: f32 = exp %9
  %33: f32 = log %9
  %34: f32 = sqrt %9
  %35: f32 = rsqrt %9
  %36: f32 = tanh %9
  %37: f32 = sin %9
  %38: f32 = cos %9
  %39: f32 = floor %9
  %40: f32 = ceil %9
  %41: f32 = round %9
  %42: bool varying = cmp.eq %7, %lane
  %43: bool varying = cmp.ne %7, %lane
  %44: bool varying = cmp.lt %7, %lane
  %45: bool varying = cmp.le %7, %lane
  %46: bool varying = cmp.gt %7, %lane
  %47: bool varying = cmp.ge %7, %lane
  %48: f32 varying = select %42, %9, %16
  %49: bf16 = convert %9
  %50: tile<f32>[4, 8] = splat %9
  %51: run<f32>[4] varying = splat %48
  %52: tile<f32>[4, 1] = row_fold<sum> %50
  %53: tile<f32>[4, 8] = broadcast %52
  %54: tile<f32>[1, 32] = reshape %50
  %55: tile<f32>[8, 4] = transpose %50
  %56: tile<i32>[4, 8] = iota<1>
  %57: tile<f32>[4, 8] = tril %50
  %58: tile<f32>[4, 4] = dot %50, %55
  %59: tile<f32>[4, 4] = dot<transposed> %50, %50, %58
  %60: tile<i32>[4, 1] = row_argmax %50
  %61: tile<f32>[4, 8] = cumsum %50
  %62: f32 varying = run_fold<max> %51
  %63: f32 warp = collective<sum lane> %62
  %64: f32 = collective<max thread> %62
  %65: bool warp = collective<any lane> %42
  %66: bool = collective<all thread> %42
  %67: f32 varying = shuffle<xor> %62, %15
  %68: f32 varying = shuffle<up> %62, %15
  %69: f32 varying = shuffle<down> %62, %15
  %70: f32 varying = shuffle<from> %62, %15
  %S: shared<f32>[4, 8] = alloc
  %71: f32 varying = load %X, %14, %lane
  store %S, %71, %14, %15
  %72: tile<f32>[4, 8] = tile_load %X, %14, %15
  tile_store %S, %72, %14, %14
  %73: run<f32>[4] varying = run_load<1> %X, %14, %lane
  run_store<0> %S, %73, %14, %14
  %74: f32 varying = elem_load %S, %lane
  %75: run<f32>[4] varying = elem_load %S, %lane
  elem_store %S, %74, %lane
  elem_store %S, %75, %lane
  barrier
  print<0> %71, %S
  mark<1> %71, %n
  mark<2> %S, %71, %14, %15
  grid_barrier %Y
  %ring: shared<f32>[2, 4, 12] = alloc
  %whether: bool = cmp.eq %14, %15
  async_load<8> %ring, %14, %whether, %X, %14, %15
  async_commit
  async_wait<1>
  %staged: tile<f32>[4, 8] = shared_tile %ring, %14
  preload %staged, %staged
  %76: i32 = atomic<add> %Y, %14, %n
  %77: i32 = atomic<compare_exchange> %Y, %14, %n, %76
  %78: i32 = load_acquire %Y, %14
  store_release %Y, %14, %78
  %sum: f32 varying = for<4> %14, %8, %15, %9 (%i: index, %acc: f32 varying) {
    %79: f32 varying = if %42 {
      break %acc
    } else {
      %80: f32 varying = if %43 {
        continue %acc
      } else {
        yield %9
      }
      yield %80
    }
    yield %79
  }
  for<unroll> %14, %8, %15 (%i.1: index) {
    yield
  }
  %81: index varying, %82: f32 varying = while %7, %9 (%83: index varying, %84: f32 varying) {
    %85: bool varying = cmp.lt %83, %8
    condition %85, %84
  } do (%86: f32 varying) {
    yield %7, %86
  }
  %87: index varying = scope {
    if %42 {
      leave %7
    } else {
      yield
    }
    yield %8
  }
  if %42 {
    return
  } else {
    yield
  }
  return
}
)";

}  // namespace

TEST_CASE("every operation survives print and parse, and is valid") {
  const Kernel kernel = read(every_op);
  CHECK_EQ(print(kernel), every_op);
  round_trip(kernel);
  for (const std::string& fault : verify(kernel)) FAIL_CHECK(fault);
  std::vector<bool> used(static_cast<std::size_t>(Opcode::count_));
  for (const Op& op : kernel.ops) used[static_cast<std::size_t>(op.code)] = true;
  for (std::size_t i = 0; i < used.size(); ++i) CHECK_MESSAGE(used[i], info(static_cast<Opcode>(i)).mnemonic, " is not in the text");
}

TEST_CASE("reals are written exactly") {
  Kernel kernel;
  kernel.name = "reals";
  Builder builder(kernel);
  kernel.body = builder.new_region();
  builder.set_region(kernel.body);
  const double values[] = {0.1, -0.0, 1e300, 5e-324, 1.0 / 3, 0x1.fffffep127, std::numeric_limits<double>::infinity(), -1e-5};
  for (double value : values) builder.real(ScalarType::F64, value);
  builder.real(ScalarType::F32, std::numeric_limits<double>::quiet_NaN());
  builder.op(Opcode::Return, {});
  round_trip(kernel);
  const Kernel again = read(print(kernel));
  for (std::size_t i = 0; i < std::size(values); ++i) {
    CHECK_EQ(again.ops[OpId(i)].real, values[i]);
    CHECK_EQ(std::signbit(again.ops[OpId(i)].real), std::signbit(values[i]));
  }
}

TEST_CASE("names, heads and spans that are out of the ordinary") {
  Kernel kernel;
  kernel.name = "a \"b\"\n";
  kernel.dimensions = {"N"};
  kernel.parameters = {{"x y", Type::buffer(ScalarType::U8, {dynamic_extent(0)}, Type::Space::Global), true, false}};
  kernel.grid.reason = "the store to `O` \\ is elsewhere";
  kernel.grid.span = {3, 9};
  Builder builder(kernel);
  kernel.body = builder.new_region();
  builder.add_argument(kernel.body, kernel.parameters[0].type, Kind::Uniform, "x y");
  builder.add_argument(kernel.body, Type::scalar(ScalarType::Index), Kind::Uniform, "N");
  builder.set_region(kernel.body);
  builder.set_span({10, 12});
  const ValueId first = builder.integer(ScalarType::I8, -5), second = builder.integer(ScalarType::Index, 7);
  kernel[first].name = std::string("x y");
  kernel[second].name = std::string("N");
  builder.set_span({14, 20});
  builder.value(Opcode::Add, Type::scalar(ScalarType::I8), {first, first});
  builder.op(Opcode::Return, {});
  round_trip(kernel);
  CHECK(verify(kernel).empty());
  const Kernel again = read(print(kernel, {true}));
  CHECK_EQ(again.name, kernel.name);
  CHECK_EQ(again.grid.reason, kernel.grid.reason);
  CHECK_EQ(again.grid.span, kernel.grid.span);
  CHECK_EQ(again.ops[OpId(2)].span, Span{14, 20});
  CHECK_EQ(again.values[ValueId(2)].name, "x y");
}

TEST_CASE("a text that is not IR is refused with its line") {
  const std::pair<std::string_view, std::string_view> texts[] = {
      {"", "line 1: expected `kernel`, found `the end`"},
      {"kernel k\nthreads many\n{}", "line 2: expected a number of threads, found `many`"},
      {"kernel k\n{\n  %a: f31 = const 1\n}", "line 3: expected a type, found `f31`"},
      {"kernel k\n{\n  %a: f32 = add %b, %b\n}", "line 3: expected a value made before, found `%b`"},
      {"kernel k\n{\n  frobnicate\n}", "line 3: expected an operation, found `frobnicate`"},
      {"kernel k\n{\n  %a: index = ctx<middle>\n}", "line 3: `ctx` has no `<middle>`"},
      {"kernel k\n{\n  %a: f32 = const 1\n  %a: f32 = const 1\n}", "line 4: %a is made twice"},
      {"kernel k\nparameter A: buffer<f32>[N]\n{\n}", "line 2: the kernel has no dimension `N`"},
      {"kernel k\n{\n  return\n", "line 4: expected an operation, found `the end`"},
  };
  for (const auto& [text, message] : texts) {
    const auto parsed = parse(text);
    REQUIRE_FALSE(parsed.ok());
    CHECK_EQ(parsed.message(), message);
  }
}

TEST_CASE("a cut or changed text never crashes the parser or the verifier") {
  const std::string whole(every_op);
  for (std::size_t i = 0; i < whole.size(); i += 7) {
    (void)parse(whole.substr(0, i));
    std::string changed = whole;
    changed[i] = "%{}()<>,:@x0\n"[i % 13];
    if (const auto parsed = parse(changed); parsed.ok()) (void)verify(*parsed);
  }
}
