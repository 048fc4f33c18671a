#include <atomic>
#include <numeric>
#include <thread>

#include "sim_test.h"

using namespace phobos;
using namespace phobos::sim;
using namespace phobos::sim::test;

namespace {

std::vector<std::string> findings(const ir::Kernel& kernel, const Launch& launch, const Options& options = {}) {
  const Outcome outcome = run(kernel, launch, options);
  std::vector<std::string> messages;
  for (const auto& finding : outcome.findings) messages.push_back(std::string(diag::info(finding.code).code) + " " + finding.message);
  CHECK_EQ(outcome.finished, messages.empty());
  return messages;
}

using Messages = std::vector<std::string>;

constexpr std::string_view saxpy = R"(kernel saxpy
threads 64
dimension N
parameter A: buffer<f32>[N] read
parameter O: buffer<f32>[N] written
{
  %b: index = ctx<block.x>
  %t: index varying = ctx<thread>
  %n: index = const 64
  %first: index = mul %b, %n
  %i: index varying = add %first, %t
  %in: bool varying = cmp.lt %i, %N
  if %in {
    %a: f32 varying = load %A, %i
    %r: f32 varying = add %a, %a
    store %O, %r, %i
    yield
  } else {
    yield
  }
  return
}
)";

}  // namespace

TEST_CASE("results do not depend on the number of workers, nor findings") {
  const ir::Kernel kernel = valid(saxpy);
  std::vector<float> a(10'000), expected(a.size());
  std::iota(a.begin(), a.end(), 1.0f);
  for (std::size_t i = 0; i < a.size(); ++i) expected[i] = 2 * a[i];
  const std::int64_t n = static_cast<std::int64_t>(a.size());
  for (int workers : {1, 2, 7}) {
    std::vector<float> out(a.size(), -1);
    std::atomic<std::int64_t> last{0};
    Options options;
    options.workers = workers;
    options.progress = [&](std::int64_t done, std::int64_t total) {
      CHECK_EQ(total, 200);
      for (std::int64_t old = last; done > old && !last.compare_exchange_weak(old, done);) {
      }
    };
    CHECK(findings(kernel, launch({tensor(a), tensor(out)}, {200, 1, 1}, {n}), options).empty());
    CHECK(out == expected);
    CHECK_EQ(last, 200);
    // The tensor ends before the kernel thinks that it does: block 100 is the first to see it.
    std::vector<float> shorter(a.begin(), a.begin() + 6410);
    const auto messages = findings(kernel, launch({tensor(shorter), tensor(out)}, {200, 1, 1}, {n}), options);
    CHECK_EQ(messages, Messages{"PH0601 `A` is accessed past the end: index 6410 of axis 0, whose extent is 6410 "
                                "(block (100, 0, 0), thread 10)"});
  }
}

TEST_CASE("each kind of access says where it went wrong") {
  const auto with = [](std::string_view line) {
    return valid(fmt::format(R"(kernel k
threads 32
parameter A: buffer<i32>[4, 8] read written
{{
  %t: index varying = ctx<thread>
  %w: index warp = ctx<warp>
  %one: index = const 1
  %minus: index = const -1
  %far: i32 = const 40
  %v: i32 = const 7
  {}
  return
}}
)", line));
  };
  std::vector<std::int32_t> a(32);
  std::iota(a.begin(), a.end(), 0);
  const auto check = [&](std::string_view line, std::string message) {
    for (bool kinds : {false, true}) {
      Options options;
      options.check_kinds = kinds;
      CHECK_EQ(findings(with(line), launch({tensor(a, {4, 8})}, {1, 1, 1}), options), Messages{message});
    }
  };
  check("%x: i32 varying = load %A, %one, %t", "PH0601 `A` is accessed past the end: index 8 of axis 1, whose extent is 8 (block (0, 0, 0), thread 8)");
  check("%x: i32 = load %A, %minus, %one", "PH0601 `A` is accessed before the start: index -1 of axis 0, whose extent is 4 (block (0, 0, 0), thread 0)");
  check("store %A, %v, %t, %one", "PH0601 `A` is accessed past the end: index 4 of axis 0, whose extent is 4 (block (0, 0, 0), thread 4)");
  CHECK_EQ(a[9], 7);  // those inside were stored
  check("%x: i32 = elem_load %A, %far", "PH0601 `A` is accessed past the end: index 40 of axis 0, whose extent is 32 (block (0, 0, 0), thread 0)");
  check("%x: i32 = atomic<add> %A, %far, %v", "PH0601 `A` is accessed past the end: index 40 of axis 0, whose extent is 32 (block (0, 0, 0), thread 0)");
  check("%z: i32 = const 0\n%x: i32 = div %v, %z", "PH0602 integer division by zero (block (0, 0, 0), thread 0)");
  check("%x: index varying = rem %one, %t", "PH0602 integer division by zero (block (0, 0, 0), thread 0)");
}

TEST_CASE("threads that do not run find nothing") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 64
parameter A: buffer<i32>[8] read
parameter O: buffer<i32>[8] written
{
  %t: index varying = ctx<thread>
  %c: index = const 8
  %zero: i32 = const 0
  %small: bool varying = cmp.lt %t, %c
  if %small {
    %a: i32 varying = load %A, %t
    %q: i32 varying = div %a, %a
    store %O, %q, %t
    yield
  } else {
    yield
  }
  return
}
)");
  std::vector<std::int32_t> a(8, 3), out(8);
  run_clean(kernel, launch({tensor(a), tensor(out)}));
  CHECK(out == std::vector<std::int32_t>(8, 1));
}

TEST_CASE("a kind that was inferred wrongly is caught") {
  // Not valid IR: a uniform value made of a varying one.
  const auto with = [](std::string_view kind, std::string_view source) {
    return read(fmt::format("kernel k\nthreads 64\n{{\n%t: index varying = ctx<{}>\n%one: index = const 1\n"
                            "%x: index{} = add %t, %one\nreturn\n}}\n", source, kind));
  };
  Options options;
  options.check_kinds = true;
  CHECK_EQ(findings(with("", "thread"), launch({}), options),
           Messages{"PH0603 a value inferred uniform differs between threads 0 and 1 (block (0, 0, 0)): a fault of the inference"});
  CHECK_EQ(findings(with(" warp", "lane"), launch({}), options),
           Messages{"PH0603 a value inferred warp-uniform differs between threads 0 and 1 (block (0, 0, 0)): a fault of the inference"});
  CHECK_EQ(findings(with("", "warp"), launch({}), options),
           Messages{"PH0603 a value inferred uniform differs between threads 0 and 32 (block (0, 0, 0)): a fault of the inference"});
  CHECK(findings(with(" warp", "warp"), launch({}), options).empty());
  CHECK(findings(with(" varying", "lane"), launch({}), options).empty());
}

TEST_CASE("a loop without end is stopped by its budget, or the stop token") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
{
  %yes: bool = const true
  %one: i64 = const 1
  %r: i64 = while %one (%n: i64) {
    condition %yes, %n
  } do (%m: i64) {
    %next: i64 = add %m, %one
    yield %next
  }
  return
}
)");
  Options options;
  options.step_budget = 10'000;
  CHECK_EQ(findings(kernel, launch({}, {5, 1, 1}), options), Messages{"PH0604 the kernel was stopped: block (0, 0, 0) took more than 10000 steps; `--max-steps` allows more"});
  std::stop_source source;
  options.step_budget = 0;
  options.stop = source.get_token();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.request_stop();
  });
  const Outcome outcome = run(kernel, launch({}, {5, 1, 1}), options);
  CHECK_FALSE(outcome.finished);
  CHECK(outcome.findings.empty());
}

TEST_CASE("a loop that comes back to what it was never ends, by however many rounds") {
  const auto rounds_of = [](std::int64_t period) {
    return findings(valid(R"(kernel k
threads 64
{
  %yes: bool = const true
  %t: index varying = ctx<thread>
  %one: index = const 1
  %period: index = const )" + std::to_string(period) + R"(
  %r: index varying = while %t (%n: index varying) {
    condition %yes, %n
  } do (%m: index varying) {
    %next: index varying = add %m, %one
    %turned: index varying = rem %next, %period
    yield %turned
  }
  return
}
)"),
                    launch({}, {3, 1, 1}));
  };
  CHECK_EQ(rounds_of(1), Messages{"PH0605 `while` waits for ever: nothing changes any more (block (0, 0, 0))"});
  CHECK_EQ(rounds_of(7), Messages{"PH0605 `while` waits for ever: every 7 rounds all is as it was (block (0, 0, 0))"});
}

TEST_CASE("shared memory: one buffer for the CTA, reversed through it") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 128
parameter A: buffer<bf16>[512] read
parameter O: buffer<bf16>[512] written
{
  %b: index = ctx<block.x>
  %t: index varying = ctx<thread>
  %n: index = const 128
  %last: index = const 127
  %base: index = mul %b, %n
  %i: index varying = add %base, %t
  %S: shared<bf16>[128] = alloc
  %a: bf16 varying = load %A, %i
  store %S, %a, %t
  barrier
  %j: index varying = sub %last, %t
  %r: bf16 varying = load %S, %j
  store %O, %r, %i
  return
}
)");
  std::vector<std::uint16_t> a(512), out(512);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::uint16_t>(0x3f80 + i);
  run_clean(kernel, launch({tensor(a), tensor(out)}, {4, 1, 1}));
  for (std::size_t i = 0; i < a.size(); ++i) CHECK_EQ(out[i], a[i / 128 * 128 + 127 - i % 128]);
}

TEST_CASE("atomics run once per CTA, on all workers' memory") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 64
parameter C: buffer<i32>[4] read written
parameter L: buffer<i64>[1] read written
parameter F: buffer<f32>[1] read written
parameter Seen: buffer<i32>[1000] written
{
  %b: index = ctx<block.x>
  %i0: index = const 0
  %i1: index = const 1
  %i2: index = const 2
  %i3: index = const 3
  %one: i32 = const 1
  %block: i32 = convert %b
  %wide: i64 = convert %b
  %half: f32 = const 0.5
  %ticket: i32 = atomic<add> %C, %i0, %one
  %m: i32 = atomic<max> %C, %i1, %block
  %x: i32 = atomic<exchange> %C, %i2, %block
  %zero: i32 = const 0
  %won: i32 = atomic<compare_exchange> %C, %i3, %one, %zero
  %l: i64 = atomic<add> %L, %i0, %wide
  %f: f32 = atomic<add> %F, %i0, %half
  %at: index = convert %ticket
  store %Seen, %one, %at
  return
}
)");
  for (int workers : {1, 4}) {
    std::vector<std::int32_t> counters(4, 0), seen(1000, 0);
    std::vector<std::int64_t> wide(1, 0);
    std::vector<float> real(1, 0);
    Options options;
    options.workers = workers;
    CHECK(findings(kernel, launch({tensor(counters), tensor(wide), tensor(real), tensor(seen)}, {1000, 1, 1}), options).empty());
    CHECK_EQ(counters[0], 1000);
    CHECK_EQ(counters[1], 999);
    CHECK_EQ(counters[3], 1);
    CHECK_EQ(wide[0], 999 * 1000 / 2);
    CHECK_EQ(real[0], 500);
    CHECK(seen == std::vector<std::int32_t>(1000, 1));
  }
}

TEST_CASE("a flag is waited for, whoever comes first") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
parameter D: buffer<i32>[16] read written
parameter Flag: buffer<i32>[16] read written
{
  %b: index = ctx<block.x>
  %n: index = ctx<blocks.x>
  %one: i32 = const 1
  %zero: i32 = const 0
  %step: index = const 1
  %next: index = add %b, %step
  %last: bool = cmp.eq %next, %n
  %seed: i32 = const 5
  %value: i32 = if %last {
    yield %seed
  } else {
    while {
      %flag: i32 = load_acquire %Flag, %next
      %wait: bool = cmp.eq %flag, %zero
      condition %wait
    } do {
      yield
    }
    %theirs: i32 = load %D, %next
    %more: i32 = add %theirs, %one
    yield %more
  }
  store %D, %value, %b
  store_release %Flag, %b, %one
  return
}
)");
  std::vector<std::int32_t> data(16, 0), flags(16, 0);
  Options options;
  options.workers = 1;
  CHECK(findings(kernel, launch({tensor(data), tensor(flags)}, {16, 1, 1}), options).empty());
  for (std::size_t i = 0; i < 16; ++i) CHECK_EQ(data[i], static_cast<std::int32_t>(5 + 15 - i));
}

TEST_CASE("a grid barrier holds every CTA until all are there") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
persistent
parameter A: buffer<i32>[24] read written
parameter Bar: buffer<i32>[2] read written
{
  %b: index = ctx<block.x>
  %n: index = ctx<blocks.x>
  %zero: index = const 0
  %one: index = const 1
  %rounds: index = const 5
  for %zero, %rounds, %one (%i: index) {
    %shifted: index = add %b, %one
    %other: index = rem %shifted, %n
    %theirs: i32 = load %A, %other
    grid_barrier %Bar
    %plus: i32 = const 1
    %mine: i32 = add %theirs, %plus
    store %A, %mine, %b
    grid_barrier %Bar
    yield
  }
  return
}
)");
  std::vector<std::int32_t> a(24), bar(2, 0);
  std::iota(a.begin(), a.end(), 0);
  run_clean(kernel, launch({tensor(a), tensor(bar)}, {24, 1, 1}), false);
  for (std::size_t i = 0; i < 24; ++i) CHECK_EQ(a[i], static_cast<std::int32_t>((i + 5) % 24 + 5));
}

TEST_CASE("a grid barrier that one CTA does not reach is reported") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
parameter Bar: buffer<i32>[2] read written
{
  %b: index = ctx<block.x>
  %zero: index = const 0
  %first: bool = cmp.eq %b, %zero
  if %first {
    return
  } else {
    yield
  }
  grid_barrier %Bar
  return
}
)");
  std::vector<std::int32_t> bar(2, 0);
  const auto messages = findings(kernel, launch({tensor(bar)}, {4, 1, 1}));
  REQUIRE_EQ(messages.size(), 1);
  CHECK_EQ(messages[0], "PH0605 `grid_barrier` waits for ever: block (0, 0, 0) has ended without reaching it (block (1, 0, 0))");
}

TEST_CASE("an empty grid is done at once") {
  const ir::Kernel kernel = valid("kernel k\nthreads 32\n{\nreturn\n}\n");
  CHECK(findings(kernel, launch({}, {0, 1, 1})).empty());
}
