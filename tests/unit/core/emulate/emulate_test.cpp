// Programs on the emulator against the same on the simulator; and that the emulator sees what it is there to see.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <phobos/support/random.h>

#include "programs.h"

namespace {

using namespace phobos;

constexpr const char* reverse = R"(
@launch(64)
kernel reverse(X: tensor<i32>[N], Y: tensor<i32>[N]) {
  var t: tile<i32>[1, 64] = iota(1, 64, 1) * 0
  t[0, 63 - ctx.thread] = X[ctx.block.x * 64 + ctx.thread]
  barrier()
  Y[ctx.block.x * 64 + ctx.thread] = t[0, ctx.thread]
}
)";

// Contractions that follow each other: what is copied into shared memory next waits for who still reads what lay there.
constexpr const char* products = R"(
@launch(128)
kernel scored(Q: tensor<f32>[32, 32], K: tensor<f32>[16, 32], V: tensor<f32>[16, 16], O: tensor<f32>[32, 16]) {
  let s = dot_t(Q[:, :], K[:, :])
  O[:, :] = dot(tmax(s, 0.0), V[:, :])
}

@launch(128)
kernel two_of_bytes(A: tensor<i8>[16, 16], B: tensor<i8>[16, 16], C: tensor<i8>[16, 16], D: tensor<i8>[16, 16], O: tensor<i32>[16, 16]) {
  var sum: tile<i32>[16, 16] = 0
  sum += dot(A[:, :], B[:, :])
  sum += dot(C[:, :], D[:, :])
  O[:, :] = sum
}

@launch(128)
kernel two_of_halves(A: tensor<f16>[16, 16], B: tensor<f16>[16, 12], C: tensor<f16>[16, 16], D: tensor<f16>[16, 12], O: tensor<f32>[16, 12]) {
  var sum: tile<f32>[16, 12] = 0.0
  sum += dot(A[:, :], B[:, :])
  sum += dot(C[:, :], D[:, :])
  O[:, :] = sum
}

@launch(128)
kernel unrelated(A: tensor<bf16>[32, 32], B: tensor<bf16>[32, 32], O: tensor<f32>[16, 16], P: tensor<f32>[16, 16]) {
  O[:, :] = dot_t(B[0 :+ 16, 8 :+ 8], transpose(B[16 :+ 8, 0 :+ 16]))
  P[:, :] = dot(A[8 :+ 16, 0 :+ 8], A[4 :+ 8, 0 :+ 16])
}

@launch(128)
kernel multiplied(X: tensor<i32>[16, 16], O: tensor<i32>[12, 12]) {
  O[:, :] = X[0 :+ 12, 0 :+ 12] + dot_t(X[0 :+ 12, 0 :+ 8], X[3 :+ 12, 5 :+ 8]) * dot(X[0 :+ 12, 2 :+ 8], X[1 :+ 8, 0 :+ 12])
}

@launch(128)
kernel through_a_function(A: tensor<f32>[16, 16], B: tensor<f32>[16, 16], O: tensor<f32>[16, 16]) {
  O[:, :] = dot(A[:, :], B[:, :]) * exp(dot(A[:, :], B[:, :]) * 0.01)
}

@launch(256)
kernel three(A: tensor<f32>[60, 72], B: tensor<f32>[60, 72], P: tensor<f32>[32, 48], Q: tensor<f32>[32, 48], R: tensor<f32>[32, 16]) {
  let u = ctx.block.x
  let p = dot(B[4 :+ 16, 0 :+ 48], A[u * 16 :+ 48, 8 :+ 48])
  let q = dot(A[4 :+ 16, 0 :+ 16], B[0 :+ 16, 16 :+ 48])
  let r = dot(A[4 :+ 16, u * 8 :+ 16], B[4 :+ 16, 8 :+ 16])
  P[u * 16 :+ 16, :] = p
  Q[u * 16 :+ 16, :] = q
  R[u * 16 :+ 16, :] = r
}

@launch(256)
kernel in_a_loop(A: tensor<f16>[60, 72], B: tensor<f16>[60, 72], P: tensor<f32>[128, 64], Q: tensor<f32>[32, 16]) {
  let u = ctx.block.x
  var p = dot(transpose(B[0 :+ 16, 8 :+ 64]), A[u * 16 :+ 16, u * 8 :+ 64])
  for i in range(0, 48, 16) {
    p += dot(B[0 :+ 64, u * 8 :+ 64], f16(tmax(tmin(p, 8.0), -8.0)))
    p += dot(B[i :+ 64, 16 :+ 16], B[0 :+ 16, u * 8 :+ 64])
    p -= dot(A[8 :+ 64, 16 :+ 64], transpose(B[8 :+ 64, u * 8 :+ 64]))
  }
  P[u * 64 :+ 64, :] = p
  Q[u * 16 :+ 16, :] = dot_t(A[8 :+ 16, 0 :+ 64], B[0 :+ 16, 16 :+ 64])
}

)";

}  // namespace

TEST_CASE("what is emitted computes what the simulator computes, in any order of threads") {
  const Program program = compile(reverse, "reverse", "N=256 X=iota --grid 4");
  launch::Bound expected = program.bound;
  launch::run_on_simulator(program.kernel, expected, program.grid, {});
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    launch::Bound bound = program.bound;
    const launch::Execution execution = run_emulated(program, bound, program.module, seed);
    CHECK(execution.findings.empty());
    CHECK(difference(program, bound, expected) == "");
  }
}

TEST_CASE("contractions that follow each other do not disturb each other") {
  for (const auto& [name, arguments] : std::vector<std::pair<std::string, std::string>>{
           {"scored", "Q=randint:-2:3:1 K=randint:-2:3:2 V=randint:-2:3:3 O=zeros --grid 1"},
           {"two_of_bytes", "A=randint:-5:6:1 B=randint:-5:6:2 C=randint:-5:6:3 D=randint:-5:6:4 O=zeros --grid 1"},
           {"two_of_halves", "A=randint:-2:3:1 B=randint:-2:3:2 C=randint:-2:3:3 D=randint:-2:3:4 O=zeros --grid 1"},
           {"unrelated", "B=randint:-2:3:1 A=randint:-2:3:2 O=zeros P=zeros --grid 1"},
           {"multiplied", "X=randint:-5:6:1 O=zeros --grid 1"},
           {"through_a_function", "A=uniform:1 B=uniform:2 O=zeros --grid 1"},
           {"three", "A=randint:-2:3:1 B=randint:-2:3:2 P=zeros Q=zeros R=zeros --grid 2"},
           {"in_a_loop", "A=randint:-2:3:1 B=randint:-2:3:2 P=zeros Q=zeros --grid 2"}}) {
    CAPTURE(name);
    const Program program = compile(products, name, arguments);
    launch::Bound expected = program.bound;
    launch::run_on_simulator(program.kernel, expected, program.grid, {});
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      launch::Bound bound = program.bound;
      CHECK(run_emulated(program, bound, program.module, seed).findings.empty());
      CHECK(difference(program, bound, expected) == "");
    }
  }
}

TEST_CASE("groups of warps multiply tiles of all shapes that fit them") {
  SplitMix64 random(7);
  const auto pick = [&](std::initializer_list<int> of) { return of.begin()[random.below(of.size())]; };
  int by_groups = 0;
  for (int round = 0; round < 24; ++round) {
    const int threads = pick({128, 256}), m = threads / 2 * pick({1, 1, 2}), k = pick({16, 32, 64, 128});
    const bool along_k = random.below(2) == 0;
    const int n = along_k ? pick({8, 24, 64, 112}) : pick({64, 128}), rows = m + pick({0, 5, 64}), columns = n + pick({0, 3, 8}), inner = k * pick({1, 3, 5}) + pick({0, 1, 8});
    const bool bytes = along_k && k >= 32 && random.below(2) == 0;
    const char* element = bytes ? random.below(2) == 0 ? "i8" : "u8" : random.below(2) == 0 ? "f16" : "bf16";
    const std::string text = fmt::format(
        "@launch({0})\nkernel k(A: tensor<{1}>[{2}, {3}], B: tensor<{1}>[{4}], C: tensor<{10}>[{2}, {5}]) {{\n"
        "  let r = ctx.block.y * {6}\n  let c = ctx.block.x * {7}\n  var acc: tile<{10}>[{6}, {7}] = {11}\n"
        "  for i in range(0, {3}, {8}) {{\n    acc += {9}\n  }}\n  C[r :+ {6}, c :+ {7}] = acc\n}}\n",
        threads, element, rows, inner, along_k ? fmt::format("{}, {}", columns, inner) : fmt::format("{}, {}", inner, columns), columns, m, n, k,
        along_k ? fmt::format("dot_t(A[r :+ {}, i :+ {}], B[c :+ {}, i :+ {}])", m, k, n, k) : fmt::format("dot(A[r :+ {}, i :+ {}], B[i :+ {}, c :+ {}])", m, k, k, n),
        bytes ? "i32" : "f32", bytes ? "1" : "1.0");
    CAPTURE(text);
    const Program program = compile(text, "k", element[0] == 'u' ? "A=randint:0:7:1 B=randint:0:7:2 C=zeros" : "A=randint:-3:4:1 B=randint:-3:4:2 C=zeros");
    by_groups += program.module.text.find("@phobos.groups.wait.1") != std::string::npos;
    launch::Bound expected = program.bound, bound = program.bound;
    launch::run_on_simulator(program.kernel, expected, program.grid, {});
    CHECK(run_emulated(program, bound, program.module, static_cast<std::uint64_t>(round)).findings.empty());
    CHECK(difference(program, bound, expected) == "");
  }
  CHECK(by_groups > 16);
}

TEST_CASE("swizzled stages lie where their order begins, whatever lies before them") {
  const Program program = compile("@launch(128)\n@pipeline(3)\nkernel k(A: tensor<f16>[64, 80], B: tensor<f16>[8, 80], C: tensor<f32>[64, 8]) {\n"
                                  "  var t: tile<i32>[3, 5] = 0\n  t[ctx.thread % 3, 0] = 1\n  barrier()\n  var acc: tile<f32>[64, 8] = 0.0\n"
                                  "  for i in range(0, 80, 16) {\n    acc += dot_t(A[0 :+ 64, i :+ 16], B[0 :+ 8, i :+ 16])\n  }\n"
                                  "  C[:, :] = acc + f32(t[2, 0])\n}\n",
                                  "k", "A=randint:-3:4:1 B=randint:-3:4:2 C=zeros --grid 1");
  REQUIRE(program.module.text.find("@phobos.groups.wait.1") != std::string::npos);
  launch::Bound expected = program.bound, bound = program.bound;
  launch::run_on_simulator(program.kernel, expected, program.grid, {});
  CHECK(run_emulated(program, bound, program.module, 1).findings.empty());
  CHECK(difference(program, bound, expected) == "");
}

TEST_CASE("what a group still multiplies is not copied over, or is told") {
  const Program program = compile("@launch(128)\nkernel k(A: tensor<f16>[64, 160], B: tensor<f16>[160, 64], C: tensor<f32>[64, 64]) {\n"
                                  "  var acc: tile<f32>[64, 64] = 0.0\n"
                                  "  for i in range(0, 160, 16) {\n    acc += dot(A[0 :+ 64, i :+ 16], B[i :+ 16, 0 :+ 64])\n  }\n  C[:, :] = acc\n}\n",
                                  "k", "A=randn:1 B=randn:2 --grid 1");
  const std::string wait = "call void @phobos.groups.wait.1()";
  REQUIRE(program.module.text.find(wait) != std::string::npos);
  nvptx::Compiled broken = program.module;
  broken.text.erase(broken.text.find(wait), broken.text.find('\n', broken.text.find(wait)) - broken.text.find(wait));
  launch::Bound bound = program.bound;
  const launch::Execution execution = run_emulated(program, bound, broken, 0);
  CHECK_FALSE(execution.finished);
  REQUIRE(!execution.findings.empty());
  CHECK(execution.findings[0].message.find("overwritten before it has waited") != std::string::npos);
}

TEST_CASE("a barrier that is taken away shows in some order") {
  for (const auto& [text, name, arguments] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {reverse, "reverse", "N=64 X=iota --grid 1"},
           {"@launch(64)\nkernel ring(A: tensor<f16>[32, 128], B: tensor<f16>[128, 32], C: tensor<f32>[32, 32]) {\n"
            "  var acc: tile<f32>[32, 32] = 0.0\n"
            "  for i in range(0, 128, 16) {\n    acc += dot(A[0 :+ 32, i :+ 16], B[i :+ 16, 0 :+ 32])\n  }\n"
            "  C[:, :] = acc\n}\n",
            "ring", "A=randn:1 B=randn:2 --grid 1"},
           {"@launch(64)\nkernel chain(Q: tensor<f16>[32, 32], K: tensor<f16>[128, 32], V: tensor<f16>[128, 32], O: tensor<f32>[32, 32]) {\n"
            "  let q = Q[:, :]\n  var acc: tile<f32>[32, 32] = 0.0\n"
            "  for i in range(0, 128, 16) {\n    acc += dot(f16(exp(dot_t(q, K[i :+ 16, :]))), V[i :+ 16, :])\n  }\n"
            "  O[:, :] = acc\n}\n",
            "chain", "Q=randn:1 K=randn:2 V=randn:3 --grid 1"},
           {"@launch(128)\nkernel rows(X: tensor<f32>[2, 256], Y: tensor<f32>[2, 256]) {\n"
            "  let x = X[:, :]\n  let e = exp(x - rowmax(x))\n  Y[:, :] = cumsum(e / rowsum(e))\n}\n",
            "rows", "X=randn:1 --grid 1"},
           {"@launch(64)\nkernel turns(X: tensor<i32>[256], Y: tensor<i32>[256]) {\n"
            "  for i in range(0, 256, 64) {\n    var t: tile<i32>[1, 64] = 0\n    t[0, 63 - ctx.thread] = X[i + ctx.thread]\n"
            "    barrier()\n    Y[i + ctx.thread] = t[0, (ctx.thread + 32) % 64]\n  }\n}\n",
            "turns", "X=iota --grid 1"},
           // The last turn reads the ring's first stage, which is where the next thing is written.
           {"@launch(64)\nkernel phases(A: tensor<f16>[32, 80], B: tensor<f16>[80, 32], D: tensor<f16>[80, 32], C: tensor<f32>[32, 32]) {\n"
            "  var acc: tile<f32>[32, 32] = 0.0\n"
            "  for i in range(0, 80, 16) {\n    acc = acc * 0.5\n    acc += dot(A[0 :+ 32, i :+ 16], B[i :+ 16, 0 :+ 32])\n  }\n"
            "  acc = transpose(acc)\n"
            "  for i in range(0, 80, 16) {\n    acc = acc * 0.5\n    acc += dot(A[0 :+ 32, i :+ 16], D[i :+ 16, 0 :+ 32])\n  }\n"
            "  C[:, :] = acc\n}\n",
            "phases", "A=randn:1 B=randn:2 D=randn:3 --grid 1"},
           {"@launch(64)\nkernel again(A: tensor<f16>[64, 80], B: tensor<f16>[80, 32], C: tensor<f32>[64, 32]) {\n"
            "  for r in range(0, 64, 32) {\n    var acc: tile<f32>[32, 32] = 0.0\n"
            "    for i in range(0, 80, 16) {\n      acc = acc * 0.5\n      acc += dot(A[r :+ 32, i :+ 16], B[i :+ 16, 0 :+ 32])\n    }\n"
            "    C[r :+ 32, 0 :+ 32] = transpose(acc)\n  }\n}\n",
            "again", "A=randn:1 B=randn:2 --grid 1"},
           {"@launch(256)\nkernel groups(A: tensor<f16>[128, 80], B: tensor<f16>[80, 64], C: tensor<f32>[128, 64]) {\n"
            "  var acc: tile<f32>[128, 64] = 0.0\n"
            "  for i in range(0, 80, 16) {\n    acc += dot(A[0 :+ 128, i :+ 16], B[i :+ 16, 0 :+ 64])\n  }\n"
            "  C[:, :] = acc\n}\n",
            "groups", "A=randn:1 B=randn:2 --grid 1"},
           {"@launch(64)\nkernel k(A: tensor<f32>[32, 32], B: tensor<f32>[32, 32], C: tensor<f32>[32, 32]) {\n"
            "  var acc: tile<f32>[32, 32] = A[:, :] * 0.0\n"
            "  for i in range(0, 32, 16) {\n    acc += dot(A[0 :+ 32, i :+ 16], B[i :+ 16, 0 :+ 32])\n  }\n"
            "  C[0 :+ 32, 0 :+ 32] = transpose(acc)\n}\n",
            "k", "A=randn:1 B=randn:2 --grid 1"}}) {
    const Program program = compile(text, name, arguments);
    launch::Bound expected = program.bound;
    launch::run_on_simulator(program.kernel, expected, program.grid, {});
    const std::string call = "call void @phobos.barrier()";
    int barriers = 0;
    for (std::size_t at = program.module.text.find(call); at != std::string::npos; at = program.module.text.find(call, at + 1)) {
      ++barriers;
      nvptx::Compiled broken = program.module;
      const std::size_t end = broken.text.find('\n', at);
      broken.text.erase(at, end - at);
      bool seen = false;
      for (std::uint64_t seed = 0; seed < 40 && !seen; ++seed) {
        launch::Bound bound = program.bound;
        const launch::Execution execution = run_emulated(program, bound, broken, seed);
        seen = !execution.finished || !difference(program, bound, expected).empty();
      }
      CHECK_MESSAGE(seen, fmt::format("barrier {} of `{}` is not missed", barriers, name));
    }
    CHECK(barriers > 0);
  }
}

TEST_CASE("what is not needed at the same time lies in the same shared memory") {
  const auto bytes = [](const std::string& body) {
    const Program program = compile("@launch(64)\nkernel k(A: tensor<f16>[32, 64], B: tensor<f16>[64, 32], C: tensor<f32>[32, 32]) {\n  var acc: tile<f32>[32, 32] = 0.0\n" +
                                        body + "  C[:, :] = acc\n}\n",
                                    "k", "A=randn:1 B=randn:2 --grid 1");
    return program.module.shared_bytes + program.module.dynamic_shared_bytes;
  };
  const auto multiplied = [](int rows) {
    return fmt::format("  for i in range(0, 64, {0}) {{\n    acc += dot(A[0 :+ 32, i :+ {0}], B[i :+ {0}, 0 :+ 32])\n  }}\n", rows);
  };
  const std::string moved = "  acc = transpose(acc)\n";
  const auto most = [](auto a, auto b) { return std::max(a, b); };
  REQUIRE(bytes(multiplied(16)) > 0);
  REQUIRE(bytes(moved) > 0);
  CHECK(bytes(multiplied(16) + multiplied(16)) == bytes(multiplied(16)));
  CHECK(bytes(multiplied(16) + multiplied(32)) == most(bytes(multiplied(16)), bytes(multiplied(32))));
  CHECK(bytes(multiplied(16) + moved) == most(bytes(multiplied(16)), bytes(moved)));
  CHECK(bytes(multiplied(32) + moved + multiplied(16)) == most(bytes(multiplied(32)), bytes(moved)));
  // What is read again lives on.
  const std::string kept = "  var t: tile<f32>[32, 32] = acc\n  t[0, ctx.thread % 32] = 1.0\n  barrier()\n", used = "  acc = acc + t[:, :]\n";
  CHECK(bytes(kept + multiplied(16) + used) == bytes(kept + used) + bytes(multiplied(16)));
}

TEST_CASE("an access outside of what was passed is a finding with its line") {
  const Program program = compile("@launch(32)\nkernel k(X: tensor<f32>[N], Y: tensor<f32>[N]) {\n  Y[ctx.thread] = X[ctx.thread + 3]\n}\n", "k",
                                  "N=32 X=iota --grid 1");
  launch::Bound bound = program.bound;
  const launch::Execution execution = run_emulated(program, bound, program.module, 1);
  CHECK_FALSE(execution.finished);
  REQUIRE(execution.findings.size() == 1);
  CHECK(diag::info(execution.findings[0].code).code == "PH0701");
  CHECK(execution.findings[0].message.find("outside of every tensor") != std::string::npos);
  CHECK(program.text.substr(0, execution.findings[0].location.span.begin).find("kernel k") != std::string::npos);
}

TEST_CASE("threads that wait for one that has ended are told, not waited for") {
  const std::string module = R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define internal i32 @phobos.thread() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %t
}
define internal void @phobos.barrier() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
define ptx_kernel void @k() {
  %t = call i32 @phobos.thread()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %out, label %wait
wait:
  call void @phobos.barrier()
  br label %out
out:
  ret void
}
)";
  emulate::Launch launch;
  launch.threads = 64;
  const Result<emulate::Outcome> outcome = emulate::run(module, "k", launch);
  REQUIRE_MESSAGE(outcome.ok(), outcome.message());
  CHECK_FALSE(outcome->finished);
  REQUIRE(outcome->faults.size() == 1);
  CHECK(outcome->faults[0].message.find("waits for ever") != std::string::npos);
}

TEST_CASE("a loop without an end is stopped, memory or not") {
  const Program program = compile("@launch(32)\nkernel k(n: i32, Y: tensor<i32>[N]) {\n  var i = n\n  while i < n + 1 {\n    i = i ^ 1\n    i = i ^ 1\n  }\n  Y[ctx.thread] = i\n}\n",
                                  "k", "n=2 N=32 --grid 1");
  launch::Bound bound = program.bound;
  emulate::Options options;
  options.step_budget = 100'000;
  const Result<launch::Execution> execution = launch::run_on_emulator(program.kernel, program.module, program.options, bound, program.grid, options);
  REQUIRE_MESSAGE(execution.ok(), execution.message());
  CHECK_FALSE(execution->finished);
  CHECK(execution->findings.at(0).message.find("100000 steps") != std::string::npos);
}

TEST_CASE("`@swizzle` has CTAs walk the grid in bands") {
  const Program program = compile("@launch(32)\n@swizzle(2)\nkernel k(ticket: tensor<i32>[1], Y: tensor<i32>[9]) {\n  let turn = atomic_add(ticket, 0, 1)\n"
                                  "  Y[turn] = i32(ctx.block.y * 10 + ctx.block.x)\n}\n",
                                  "k", "ticket=zeros --grid 3,3 expect Y=zeros");
  launch::Bound bound = program.bound;
  CHECK(run_emulated(program, bound, program.module, 1).findings.empty());
  std::vector<std::int32_t> order(9);
  std::memcpy(order.data(), std::get<launch::HostTensor>(bound.arguments[1]).data.data(), sizeof(std::int32_t) * order.size());
  CHECK(order == std::vector<std::int32_t>{0, 10, 1, 11, 2, 12, 20, 21, 22});
}

TEST_CASE("`@pipeline` is an error where no loop is pipelined, which says why, and sets how many stages there are") {
  const auto emitted = [](const std::string& attribute, const std::string& body, const std::string& chip) {
    const std::string text = "@launch(64)\n" + attribute +
                             "\nkernel k(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f32>[M, N]) {\n"
                             "  var acc: tile<f32>[32, 32] = 0.0\n" + body + "  C[0 :+ 32, 0 :+ 32] = acc\n}\n";
    session::Session session(text);
    const auto snapshot = session.snapshot();
    const session::ItemView* view = snapshot->kernel_named("k");
    REQUIRE(view);
    Result<ir::Kernel> kernel = lower::lower(view->analysis->checked, view->analysis->kinds, {view->origins});
    REQUIRE_MESSAGE(kernel.ok(), kernel.message());
    passes::run_pipeline(*kernel, passes::chip_named(chip));
    nvptx::Options options;
    options.chip = chip;
    options.source = text;
    options.file = "k.ph";
    return nvptx::emit_llvm(*kernel, options);
  };
  const std::string multiplied = "  for k in range(0, K, 32) {\n    acc += dot(A[0 :+ 32, k :+ 32], B[k :+ 32, 0 :+ 32])\n  }\n";
  const auto stages = [](const nvptx::Outcome& compiled) {
    for (const ir::Decision& decision : compiled->decisions)
      if (decision.kind == ir::Decision::Kind::Loop) return decision.path;
    return std::string();
  };
  CHECK(stages(emitted("", multiplied, "sm_90a")) == "pipelined, 4 stages");
  CHECK(stages(emitted("@pipeline", multiplied, "sm_90a")) == "pipelined, 4 stages");
  CHECK(stages(emitted("@pipeline(2)", multiplied, "sm_90a")) == "pipelined, 2 stages");
  CHECK(stages(emitted("@pipeline(6)", multiplied, "sm_90a")) == "pipelined, 6 stages");
  const auto refused = [](const nvptx::Outcome& compiled, const std::string& why) {
    REQUIRE_MESSAGE(!compiled.ok(), why);
    REQUIRE_MESSAGE(compiled.error().diagnostic, compiled.message());
    const diag::Diagnostic& said = *compiled.error().diagnostic;
    CHECK(diag::info(said.code).code == "PH0803");
    CHECK(said.message == "no loop of `k` is pipelined");
    CHECK(said.location.span.begin == std::string("@launch(64)\n").size());
    REQUIRE(said.related.size() == 1);
    CHECK_MESSAGE(said.related[0].message.find(why) != std::string::npos, said.related[0].message);
  };
  CHECK(emitted("", multiplied, "sm_75").ok());
  refused(emitted("@pipeline", multiplied, "sm_75"), "not this loop: sm_75 has no cp.async");
  refused(emitted("@pipeline(64)", multiplied, "sm_90a"), "64 stages of it are 163840 bytes of shared memory, and ");
  refused(emitted("@pipeline", "  for k in range(0, K, 32) {\n    acc += f32(A[0 :+ 32, k :+ 32])\n  }\n", "sm_90a"), "it is not for contractions alone");
  refused(emitted("@pipeline", "  for k in range(0, K, 32) {\n    if k > 64 {\n      break\n    }\n    acc += dot(A[0 :+ 32, k :+ 32], B[k :+ 32, 0 :+ 32])\n  }\n", "sm_90a"),
          "the loop can be left early");
  refused(emitted("@pipeline", "  var k = 0\n  while k < K {\n    acc += dot(A[0 :+ 32, k :+ 32], B[k :+ 32, 0 :+ 32])\n    k += 32\n  }\n", "sm_90a"),
          "where a `while` loop ends is not known ahead");
  refused(emitted("@pipeline", "  var at = 0\n  for k in range(0, K, 32) {\n    acc += dot(A[0 :+ 32, at :+ 32], B[at :+ 32, 0 :+ 32])\n    at = at * 2 + 32\n  }\n", "sm_90a"),
          "where it begins is known only in its turn");
}
