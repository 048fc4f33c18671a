#include <doctest/doctest.h>

#include <phobos/ir/builder.h>
#include <phobos/ir/text.h>

using namespace phobos;
using namespace phobos::ir;

namespace {

constexpr std::string_view head = R"(kernel k
threads 64
dimension N
parameter A: buffer<f32>[N, N] read written
parameter n: index
{
  %t: index varying = ctx<thread>
  %w: index warp = ctx<warp>
  %f: f32 = const 1
  %v: f32 varying = load %A, %t, %n
  %z: index = const 0
  %one: index = const 1
  %b: bool varying = cmp.lt %t, %n
  %u: bool = cmp.lt %n, %n
  %bw: bool warp = cmp.lt %w, %n
  %tile: tile<f32>[4, 8] = tile_load %A, %z, %z
)";

std::vector<std::string> faults_of(std::string_view body) {
  const auto parsed = parse(std::string(head) + std::string(body) + "\n}\n");
  REQUIRE_MESSAGE(parsed.ok(), parsed.message());
  return verify(*parsed);
}

void valid(std::string_view body) {
  for (const std::string& fault : faults_of(body)) FAIL_CHECK(body, "\n", fault);
}

void faulty(std::string_view body, std::string_view part) {
  const auto faults = faults_of(body);
  REQUIRE_MESSAGE(!faults.empty(), body);
  CHECK_MESSAGE(faults[0].find(part) != std::string::npos, body, "\n", faults[0]);
}

}  // namespace

TEST_CASE("counts, types and shapes") {
  faulty("%x: f32 = add %f\nreturn", "1 operands, not 2");
  faulty("%x: f32 = add %f, %n\nreturn", "element types differ");
  faulty("%x: f32 = add %f, %tile\nreturn", "another shape");
  faulty("%x: f32, %y: f32 = add %f, %f\nreturn", "2 results, not 1");
}

TEST_CASE("each operation's own rules") {
  faulty("%x: f64 = add %f, %f\nreturn", "element type is not the operands'");
  faulty("%x: f32 = cmp.lt %f, %f\nreturn", "comparison's result is a bool");
  faulty("%x: f32 = select %f, %f, %f\nreturn", "not a bool");
  faulty("%x: f32 = shl %f, %f\nreturn", "does not take f32");
  faulty("%x: index = exp %n\nreturn", "does not take index");
  faulty("%x: tile<f32>[4, 8] = add %tile, %f\nreturn", "another shape");
  faulty("%x: tile<f32>[8, 4] = broadcast %tile\nreturn", "does not stretch");
  faulty("%x: tile<f32>[5, 8] = reshape %tile\nreturn", "element counts differ");
  faulty("%x: tile<f32>[4, 8] = transpose %tile\nreturn", "does not follow");
  faulty("%x: tile<f32>[4, 8] = row_fold<sum> %tile\nreturn", "last extent of 1");
  faulty("%x: tile<f32>[4, 1] = row_fold<any> %tile\nreturn", "sum, max or min");
  faulty("%x: tile<f32>[4, 1] = row_argmax %tile\nreturn", "element type is wrong");
  faulty("%x: tile<f32>[4, 8] = dot %tile, %tile\nreturn", "contracted extents");
  faulty("%x: tile<f16>[4, 4] = dot<transposed> %tile, %tile\nreturn", "accumulator");
  faulty("%x: f32 = extent<0> %A\nreturn", "not an index");
  faulty("%x: index = extent<2> %A\nreturn", "no axis 2");
  faulty("%x: tile<i32>[4] = iota<1>\nreturn", "no axis 1");
  faulty("%x: f32 varying = load %A, %t\nreturn", "2 operands, not 3");
  faulty("%x: f64 varying = load %A, %t, %t\nreturn", "element types differ");
  faulty("%x: f32 varying = load %f, %t, %t\nreturn", "not a buffer");
  faulty("%x: f32 varying = load %A, %v, %t\nreturn", "not an integer");
  faulty("%x: tile<f32>[4] = tile_load %A, %z, %z\nreturn", "ranks differ");
  faulty("%x: run<f32>[4] varying = run_load<2> %A, %t, %z\nreturn", "no axis 2");
  faulty("%x: run<f32>[17] varying = splat %v\nreturn", "1 to 16");
  faulty("%x: shared<f32>[N, 2] = alloc\nreturn", "extent that cannot be");
  faulty("%x: tile<f32>[0] = splat %f\nreturn", "extent that cannot be");
  faulty("%x: buffer<f32>[4, 2] = alloc\nreturn", "not a shared buffer");
  faulty("grid_barrier %A\nreturn", "i32[2]");
  faulty("%x: f32 = atomic<max> %A, %z, %f\nreturn", "no such atomic on f32");
  faulty("%x: f32 = collective<any thread> %v\nreturn", "any and all take bools");
  faulty("%x: f32 varying = shuffle<xor> %v, %f\nreturn", "not an integer");
}

TEST_CASE("kinds are no less than the operands'") {
  faulty("%x: f32 = add %v, %v\nreturn", "uniform where varying");
  faulty("%x: index = ctx<lane>\nreturn", "uniform where varying");
  faulty("%x: f32 = collective<sum lane> %v\nreturn", "uniform where warp-uniform");
  faulty("%x: tile<f32>[4, 8] varying = add %tile, %tile\nreturn", "a tile that is varying");
  faulty("%x: f32 = if %b {\nyield %f\n} else {\nyield %f\n}\nreturn", "varying where the if's results are uniform");
  valid("%x: f32 = collective<sum thread> %v\n%y: f32 varying = add %x, %v\nreturn");
  valid("%x: f32 varying = if %b {\nyield %f\n} else {\nyield %v\n}\nreturn");
}

TEST_CASE("what runs once per CTA stands under uniform control, with uniform operands") {
  faulty("%x: tile<f32>[4, 8] = splat %v\nreturn", "an operand is varying");
  faulty("if %b {\nbarrier\nyield\n} else {\nyield\n}\nreturn", "control is varying");
  faulty("if %bw {\n%x: tile<f32>[4, 8] = neg %tile\nyield\n} else {\nyield\n}\nreturn", "control is warp-uniform");
  valid("if %u {\nbarrier\nyield\n} else {\nyield\n}\nbarrier\nreturn");
  valid("if %b {\nyield\n} else {\nyield\n}\nbarrier\nreturn");
  faulty("for %z, %t, %one (%i: index varying) {\nbarrier\nyield\n}\nreturn", "control is varying");
  faulty("for %z, %t, %one (%i: index) {\nyield\n}\nreturn", "less varying than the bounds");
  faulty("for %z, %f, %one (%i: index) {\nyield\n}\nreturn", "not of the variable's");
}

TEST_CASE("leaving under varying control makes what follows varying") {
  faulty("if %b {\nreturn\n} else {\nyield\n}\nbarrier\nreturn", "control is varying");
  faulty("for %z, %n, %one (%i: index) {\nbarrier\nif %b {\nbreak\n} else {\nyield\n}\nyield\n}\nreturn", "control is varying");
  valid("for %z, %n, %one (%i: index) {\nbarrier\nif %b {\ncontinue\n} else {\nyield\n}\nyield\n}\nreturn");
  faulty("for %z, %n, %one (%i: index) {\nif %b {\ncontinue\n} else {\nyield\n}\nbarrier\nyield\n}\nreturn", "control is varying");
  valid("for %z, %n, %one (%i: index) {\nif %b {\nbreak\n} else {\nyield\n}\nyield\n}\nbarrier\nreturn");
  faulty("scope {\nif %b {\nleave\n} else {\nyield\n}\nbarrier\nyield\n}\nreturn", "control is varying");
  valid("scope {\nif %b {\nleave\n} else {\nyield\n}\nyield\n}\nbarrier\nreturn");
  faulty("%x: f32 = for %z, %n, %one, %f (%i: index, %a: f32) {\nif %b {\nbreak %a\n} else {\nyield\n}\nyield %a\n}\nreturn",
         "varying where the loop's results are uniform");
}

TEST_CASE("lane collectives need whole warps, thread collectives the CTA") {
  faulty("if %b {\n%x: f32 warp = collective<sum lane> %v\nyield\n} else {\nyield\n}\nreturn", "every lane");
  faulty("if %bw {\n%x: f32 = collective<sum thread> %v\nyield\n} else {\nyield\n}\nreturn", "every thread");
  valid("if %bw {\n%x: f32 warp = collective<sum lane> %v\nyield\n} else {\nyield\n}\nreturn");
}

TEST_CASE("terminators") {
  faulty("barrier", "without a terminator");
  faulty("return\nbarrier\nreturn", "before the end");
  faulty("break", "in no loop");
  faulty("leave", "in no scope");
  faulty("condition %u", "no while's condition");
  faulty("%x: f32 = if %u {\nyield\n} else {\nyield %f\n}\nreturn", "0 values for 1");
  faulty("%x: f32 = if %u {\nyield %n\n} else {\nyield %f\n}\nreturn", "not of the type");
  faulty("for %z, %n, %one, %f (%i: index, %a: f32) {\nyield %a\n}\nreturn", "1 values for 0 loop's results");
  faulty("%x: f32 varying = while %f (%a: f32 varying) {\ncondition %a\n} do {\nyield %a\n}\nreturn", "a bool");
  faulty("if %u {\nyield\n}\nreturn", "1 regions, not 2");
}

TEST_CASE("dominance, and values made once") {
  faulty("if %u {\n%x: f32 = neg %f\nyield\n} else {\n%y: f32 = neg %x\nyield\n}\nreturn", "no longer, known");
  faulty("if %u {\n%x: f32 = neg %f\nyield\n} else {\nyield\n}\n%y: f32 = neg %x\nreturn", "no longer, known");

  auto parsed = parse(std::string(head) + "return\n}\n");
  REQUIRE(parsed.ok());
  Kernel& kernel = *parsed;
  Region& body = kernel[kernel.body];
  CHECK(verify(kernel).empty());
  body.ops.insert(body.ops.begin(), body.ops[0]);
  CHECK(verify(kernel)[0].find("a second time") != std::string::npos);
  body.ops.erase(body.ops.begin());
  std::swap(body.ops[0], body.ops[3]);
  CHECK(verify(kernel)[0].find("not yet") != std::string::npos);
  std::swap(body.ops[0], body.ops[3]);
  kernel[body.ops[0]].operands.push_back(ValueId(1000));
  CHECK(verify(kernel)[0].find("outside of the kernel") != std::string::npos);
}

TEST_CASE("the head") {
  for (const char* text : {"kernel k\nthreads 33\n{\nreturn\n}", "kernel k\nthreads 2048\n{\nreturn\n}",
                           "kernel k\nparameter a: i32\n() {\nreturn\n}"}) {
    const auto parsed = parse(text);
    REQUIRE(parsed.ok());
    CHECK_FALSE(verify(*parsed).empty());
  }
}
