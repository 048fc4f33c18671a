// What checking finds, on IR that no source gives in a straight way: tests/run/bugs has the kernels.
#include "sim_test.h"

#include <fmt/format.h>

using namespace phobos;
using namespace phobos::sim;
using namespace phobos::sim::test;

namespace {

using Messages = std::vector<std::string>;

Messages messages(const ir::Kernel& kernel, const Launch& launch, Options options = {}) {
  Messages all;
  for (const diag::Diagnostic& finding : run(kernel, launch, options).findings)
    all.push_back(std::string(diag::info(finding.code).code) + " " + finding.message);
  return all;
}

// 64 threads a CTA; A has 256 elements.
ir::Kernel on_a(std::string_view body) {
  return valid(fmt::format(R"(kernel k
threads 64
parameter A: buffer<i32>[256] read written
{{
  %t: index varying = ctx<thread>
  %w: index warp = ctx<warp>
  %b: index = ctx<block.x>
  %zero: index = const 0
  %one: index = const 1
  %c64: index = const 64
  %v: i32 varying = convert %t
  %u: i32 = const 7
  %wv: i32 warp = convert %w
  %bv: i32 = convert %b
  %base: index = mul %b, %c64
  %at: index varying = add %base, %t
{}
  return
}}
)", body));
}

// The same for any number of workers and any order of the CTAs.
Messages found(std::string_view body, std::int64_t ctas) {
  const ir::Kernel kernel = on_a(body);
  Messages first;
  for (int workers : {1, 2, 4})
    for (std::int64_t stride : {1, 3, 7}) {
      std::vector<std::int32_t> a(256);
      Options options;
      options.workers = workers;
      options.stride = stride;
      const Messages all = messages(kernel, launch({tensor(a)}, {ctas, 1, 1}), options);
      if (workers == 1 && stride == 1) first = all;
      CHECK_EQ(all, first);
    }
  return first;
}

}  // namespace

TEST_CASE("threads that store what others store") {
  CHECK(found("store %A, %u, %zero", 1).empty());
  CHECK(found("store %A, %wv, %w", 1).empty());
  CHECK(found("store %A, %u, %zero\nstore %A, %wv, %w\n", 1).size() == 1);  // thread 0's 7 and warp 0's 0, by threads 0 to 31 only
  CHECK_EQ(found("store %A, %v, %zero", 1),
           Messages{"PH0607 thread 1 writes `A[0]`, which thread 0 wrote, with no `barrier()` between (block (0, 0, 0))"});
  CHECK(found("store %A, %v, %t\nbarrier\nstore %A, %u, %zero", 1).empty());
}

TEST_CASE("a store after all have read, by one and by all") {
  CHECK(found("%x: i32 = load %A, %zero\nbarrier\nstore %A, %u, %zero", 1).empty());
  CHECK_EQ(found("%x: i32 = load %A, %zero\nstore %A, %u, %zero", 1).size(), 1);
  CHECK(found("%x: i32 varying = load %A, %t\nstore %A, %v, %t\n%y: i32 varying = load %A, %t", 1).empty());
}

TEST_CASE("CTAs on elements of their own, and on each other's") {
  CHECK(found("store %A, %v, %at\n%x: i32 varying = load %A, %at", 4).empty());
  CHECK(found("store %A, %u, %zero", 4).empty());  // all the same
  const Messages expected{"PH0608 block (1, 0, 0) writes `A[0]`, which block (0, 0, 0) wrote, and nothing orders the two"};
  CHECK_EQ(found("store %A, %bv, %zero", 4), expected);
  CHECK_EQ(found("%s: tile<i32>[64] = splat %bv\ntile_store %A, %s, %b", 3),
           Messages{"PH0608 block (1, 0, 0) writes `A[1]`, which block (0, 0, 0) wrote, and nothing orders the two"});
  CHECK(found("%old: i32 = atomic<add> %A, %zero, %u", 4).empty());
}

TEST_CASE("without checks nothing is watched") {
  std::vector<std::int32_t> a(256);
  Options options;
  options.checks = false;
  CHECK(messages(on_a("store %A, %v, %zero"), launch({tensor(a)}, {4, 1, 1}), options).empty());
}

TEST_CASE("only the findings of the first CTA that has some are told") {
  const std::string body = R"(
  %p: bool = cmp.lt %b, %one
  if %p {
    yield
  } else {
    store %A, %v, %base
    yield
  })";
  CHECK_EQ(found(body, 4), Messages{"PH0607 thread 1 writes `A[64]`, which thread 0 wrote, with no `barrier()` between (block (1, 0, 0))"});
}

TEST_CASE("a barrier that some threads miss") {
  // Not valid IR: the barrier stands under varying control.
  const ir::Kernel kernel = read(R"(kernel k
threads 64
{
  %t: index varying = ctx<thread>
  %one: index = const 1
  %p: bool varying = cmp.lt %t, %one
  if %p {
    barrier
    yield
  } else {
    yield
  }
  return
}
)");
  Options options;
  options.check_kinds = true;
  CHECK_EQ(messages(kernel, launch({}), options),
           Messages{"PH0610 `barrier` is reached by 1 of 64 threads (block (0, 0, 0)): a fault of the inference"});
}

TEST_CASE("holes of a tile go where its elements go") {
  // t's row 0 is written, row 1 is not.
  const auto stored = [](std::string_view made) {
    const ir::Kernel kernel = valid(fmt::format(R"(kernel k
threads 32
parameter O: buffer<i32>[4, 4] written
{{
  %zero: index = const 0
  %one: index = const 1
  %three: index = const 3
  %n: i32 = const 5
  %yes: bool = const true
  %m: shared<i32>[2, 2] = alloc
  %row: tile<i32>[1, 2] = splat %n
  %fives: tile<i32>[2, 2] = splat %n
  tile_store %m, %row, %zero, %zero
  %t: tile<i32>[2, 2] = tile_load %m, %zero, %zero
{}
  return
}}
)", made));
    std::vector<std::int32_t> out(16);
    return messages(kernel, launch({tensor(out, {4, 4})})).size();
  };
  CHECK_EQ(stored("tile_store %O, %t, %zero, %zero"), 1);
  CHECK_EQ(stored("tile_store %O, %t, %three, %zero"), 0);  // masked off
  CHECK_EQ(stored("%x: tile<i32>[2, 2] = transpose %t\ntile_store %O, %x, %three, %zero"), 1);
  CHECK_EQ(stored("%x: tile<i32>[2, 2] = add %t, %fives\ntile_store %O, %x, %zero, %zero"), 1);
  CHECK_EQ(stored("%x: tile<i32>[2, 1] = row_fold<sum> %t\ntile_store %O, %x, %three, %zero"), 0);
  CHECK_EQ(stored("%x: tile<i32>[2, 1] = row_fold<sum> %t\ntile_store %O, %x, %zero, %zero"), 1);
  CHECK_EQ(stored("%x: tile<i32>[2, 2] = dot %t, %fives\ntile_store %O, %x, %three, %zero"), 0);
  CHECK_EQ(stored("%x: tile<i32>[2, 2] = dot %fives, %t\ntile_store %O, %x, %three, %zero"), 1);
  const std::string pick = "%i: tile<i32>[2, 2] = iota<0>\n%ones: tile<i32>[2, 2] = splat %n\n%c: tile<bool>[2, 2] = cmp.lt %i, %k\n";
  CHECK_EQ(stored("%l: i32 = const 1\n%k: tile<i32>[2, 2] = splat %l\n" + pick +
                  "%x: tile<i32>[2, 2] = select %c, %t, %ones\ntile_store %O, %x, %zero, %zero"), 0);
  CHECK_EQ(stored("%l: i32 = const 1\n%k: tile<i32>[2, 2] = splat %l\n" + pick +
                  "%x: tile<i32>[2, 2] = select %c, %ones, %t\ntile_store %O, %x, %zero, %zero"), 1);
  CHECK_EQ(stored("%x: tile<i32>[2, 2] = if %yes {\nyield %t\n} else {\nyield %fives\n}\ntile_store %O, %x, %zero, %zero"), 1);
  CHECK_EQ(stored("%x: tile<i32>[2, 2] = if %yes {\nyield %fives\n} else {\nyield %t\n}\ntile_store %O, %x, %zero, %zero"), 0);
}

TEST_CASE("warnings are counted by place over all CTAs, and stop nothing") {
  std::vector<std::int32_t> a(256);
  for (int workers : {1, 2}) {
    Options options;
    options.workers = workers;
    const Outcome outcome = run(on_a("%s: i32 varying = shl %u, %v\nstore %A, %s, %at"), launch({tensor(a)}, {4, 1, 1}), options);
    CHECK(outcome.finished);
    REQUIRE_EQ(outcome.findings.size(), 1);
    CHECK_EQ(outcome.findings[0].message,
             "a shift by 32 in a type of 32 bits counts modulo the width (128 in all, the first in block (0, 0, 0), thread 32)");
    CHECK(outcome.findings[0].severity == diag::Severity::Warning);
  }
}
