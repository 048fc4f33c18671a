#include <numeric>

#include <fmt/format.h>

#include "sim_test.h"

using namespace phobos;
using namespace phobos::sim;
using namespace phobos::sim::test;

namespace {

using Ints = std::vector<std::int64_t>;

// A kernel of 64 threads that writes one i64 each; `body` makes %r from %t (thread), %w (warp), %lane and some numbers.
Ints each_thread(std::string_view body) {
  const std::string text = R"(kernel k
threads 64
parameter O: buffer<i64>[64] written
{
  %ti: index varying = ctx<thread>
  %wi: index warp = ctx<warp>
  %li: index varying = ctx<lane>
  %t: i64 varying = convert %ti
  %w: i64 warp = convert %wi
  %lane: i64 varying = convert %li
  %c0: i64 = const 0
  %c1: i64 = const 1
  %c2: i64 = const 2
  %c3: i64 = const 3
  %c5: i64 = const 5
  %c7: i64 = const 7
  %c10: i64 = const 10
  %c100: i64 = const 100
)" + std::string(body) + R"(
  store %O, %r, %ti
  return
}
)";
  const ir::Kernel kernel = valid(text);
  Ints out(64, -1);
  run_clean(kernel, launch({tensor(out)}));
  return out;
}

template <class F>
void expect(const Ints& out, F&& f) {
  for (std::int64_t t = 0; t < static_cast<std::int64_t>(out.size()); ++t) CHECK_MESSAGE(out[static_cast<std::size_t>(t)] == f(t), "thread ", t);
}

}  // namespace

TEST_CASE("an if under a varying condition runs both branches and blends") {
  const auto out = each_thread(R"(
  %p: bool varying = cmp.lt %t, %c10
  %r: i64 varying = if %p {
    %a: i64 varying = add %t, %c100
    yield %a
  } else {
    yield %c7
  })");
  expect(out, [](std::int64_t t) { return t < 10 ? t + 100 : 7; });
}

TEST_CASE("conditions of all kinds, nested") {
  const auto out = each_thread(R"(
  %warp1: bool warp = cmp.eq %w, %c1
  %u: bool = cmp.lt %c1, %c2
  %odd: i64 varying = rem %t, %c2
  %p: bool varying = cmp.eq %odd, %c1
  %r: i64 varying = if %warp1 {
    %a: i64 varying = if %p {
      %b: i64 = if %u {
        yield %c1
      } else {
        yield %c2
      }
      yield %b
    } else {
      yield %t
    }
    yield %a
  } else {
    yield %w
  })");
  expect(out, [](std::int64_t t) { return t < 32 ? 0 : t % 2 == 1 ? 1 : t; });
}

TEST_CASE("a loop with bounds that differ between threads") {
  const auto out = each_thread(R"(
  %n: i64 varying = rem %t, %c7
  %r: i64 varying = for %c0, %n, %c2, %c100 (%i: i64 varying, %acc: i64 varying) {
    %next: i64 varying = add %acc, %i
    yield %next
  })");
  expect(out, [](std::int64_t t) {
    std::int64_t sum = 100;
    for (std::int64_t i = 0; i < t % 7; i += 2) sum += i;
    return sum;
  });
}

TEST_CASE("break and continue under varying control") {
  const auto out = each_thread(R"(
  %r: i64 varying = for %c0, %c10, %c1, %c0 (%i: i64, %acc: i64 varying) {
    %limit: i64 varying = rem %t, %c7
    %stop: bool varying = cmp.eq %i, %limit
    if %stop {
      %last: i64 varying = add %acc, %c100
      break %last
    } else {
      yield
    }
    %both: i64 varying = add %i, %t
    %odd: i64 varying = rem %both, %c2
    %skip: bool varying = cmp.eq %odd, %c1
    if %skip {
      continue %acc
    } else {
      yield
    }
    %next: i64 varying = add %acc, %i
    yield %next
  })");
  expect(out, [](std::int64_t t) {
    std::int64_t acc = 0;
    for (std::int64_t i = 0; i < 10; ++i) {
      if (i == t % 7) return acc + 100;
      if ((i + t) % 2 == 1) continue;
      acc += i;
    }
    return acc;
  });
}

TEST_CASE("continue keeps what others of the iteration still read") {
  // %old is read after some threads have gone on with the next iteration's value.
  const auto out = each_thread(R"(
  %count: i64 varying, %r: i64 varying = for %c0, %c5, %c1, %c0, %c0 (%i: i64, %n: i64, %acc: i64 varying) {
    %n1: i64 = add %n, %c1
    %odd: i64 varying = rem %t, %c2
    %skip: bool varying = cmp.eq %odd, %c1
    if %skip {
      continue %n1, %acc
    } else {
      yield
    }
    %next: i64 varying = add %acc, %n
    yield %n1, %next
  })");
  expect(out, [](std::int64_t t) { return t % 2 == 1 ? 0 : 0 + 1 + 2 + 3 + 4; });
}

TEST_CASE("carried values change places") {
  const auto out = each_thread(R"(
  %a: i64 varying, %r: i64 varying = for %c0, %c7, %c1, %t, %c100 (%i: i64, %x: i64 varying, %y: i64 varying) {
    yield %y, %x
  })");
  expect(out, [](std::int64_t t) { return t; });
}

TEST_CASE("a carried value that is made in place while an old one is still needed") {
  const auto out = each_thread(R"(
  %a: i64 varying, %r: i64 varying = for %c0, %c10, %c1, %c0, %c1 (%i: i64, %x: i64 varying, %y: i64 varying) {
    %z: i64 varying = add %x, %y
    yield %y, %z
  })");
  expect(out, [](std::int64_t) { return 89; });
}

TEST_CASE("while with a condition that differs, and a short-circuit inside it") {
  // while n != 1 && steps < 10: Collatz
  const auto out = each_thread(R"(
  %start: i64 varying = add %t, %c1
  %n: i64 varying, %r: i64 varying = while %start, %c0 (%x: i64 varying, %steps: i64 varying) {
    %more: bool varying = cmp.ne %x, %c1
    %both: bool varying = if %more {
      %few: bool varying = cmp.lt %steps, %c10
      yield %few
    } else {
      yield %more
    }
    condition %both, %x, %steps
  } do (%bx: i64 varying, %bs: i64 varying) {
    %rest: i64 varying = rem %bx, %c2
    %even: bool varying = cmp.eq %rest, %c0
    %next: i64 varying = if %even {
      %half: i64 varying = div %bx, %c2
      yield %half
    } else {
      %triple: i64 varying = mul %bx, %c3
      %up: i64 varying = add %triple, %c1
      yield %up
    }
    %more1: i64 varying = add %bs, %c1
    yield %next, %more1
  })");
  expect(out, [](std::int64_t t) {
    std::int64_t n = t + 1, steps = 0;
    while (n != 1 && steps < 10) {
      n = n % 2 == 0 ? n / 2 : 3 * n + 1;
      ++steps;
    }
    return steps;
  });
}

TEST_CASE("loops within loops, leaving both") {
  const auto out = each_thread(R"(
  %r: i64 varying = scope {
    %sum: i64 varying = for %c0, %c10, %c1, %c0 (%i: i64, %a: i64 varying) {
      %inner: i64 varying = for %c0, %c10, %c1, %a (%j: i64, %b: i64 varying) {
        %ij: i64 = mul %i, %j
        %out: bool varying = cmp.gt %ij, %t
        if %out {
          %code: i64 varying = add %b, %c100
          leave %code
        } else {
          yield
        }
        %enough: bool varying = cmp.gt %j, %lane
        if %enough {
          break %b
        } else {
          yield
        }
        %next: i64 varying = add %b, %j
        yield %next
      }
      yield %inner
    }
    yield %sum
  })");
  expect(out, [](std::int64_t t) {
    std::int64_t a = 0;
    for (std::int64_t i = 0; i < 10; ++i)
      for (std::int64_t j = 0; j < 10; ++j) {
        if (i * j > t) return a + 100;
        if (j > t % 32) break;
        a += j;
      }
    return a;
  });
}

TEST_CASE("return retires threads for good, in loops too") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 64
parameter O: buffer<i64>[64] written
{
  %t: index varying = ctx<thread>
  %c0: index = const 0
  %c1: index = const 1
  %c8: index = const 8
  %n: index varying = for %c0, %c8, %c1, %c0 (%i: index, %acc: index varying) {
    %out: bool varying = cmp.eq %i, %t
    if %out {
      return
    } else {
      yield
    }
    %next: index varying = add %acc, %c1
    yield %next
  }
  %r: i64 varying = convert %n
  store %O, %r, %t
  return
}
)");
  Ints out(64, -1);
  run_clean(kernel, launch({tensor(out)}));
  expect(out, [](std::int64_t t) { return t < 8 ? -1 : 8; });
}

TEST_CASE("uniform control: break under a uniform condition, loops that never run, steps past the end") {
  const auto out = each_thread(R"(
  %a: i64 = for %c0, %c100, %c7, %c0 (%i: i64, %acc: i64) {
    %stop: bool = cmp.gt %i, %c10
    if %stop {
      break %acc
    } else {
      yield
    }
    %next: i64 = add %acc, %i
    yield %next
  }
  %b: i64 = for %c5, %c0, %c1, %a (%j: i64, %acc2: i64) {
    yield %c0
  }
  %r: i64 varying = add %b, %t)");
  expect(out, [](std::int64_t t) { return 7 + t; });
}

TEST_CASE("a loop to the largest integer that a step meets, and one that would pass it") {
  const auto out = each_thread(R"(
  %begin: i64 = const 9223372036854775800
  %end: i64 = const 9223372036854775807
  %a: i64 = for %begin, %end, %c1, %c0 (%i: i64, %acc: i64) {
    %next: i64 = add %acc, %c1
    yield %next
  }
  %r: i64 varying = add %a, %t)");
  expect(out, [](std::int64_t t) { return 7 + t; });
  const auto message = [](std::string_view type, std::string_view begin, std::string_view end, std::string_view step) {
    const ir::Kernel kernel = valid(fmt::format(R"(kernel k
threads 32
{{
  %begin: {0} = const {1}
  %end: {0} = const {2}
  %step: {0} = const {3}
  for %begin, %end, %step (%i: {0}) {{
    yield
  }}
  return
}}
)", type, begin, end, step));
    const Outcome outcome = run(kernel, launch({}));
    return outcome.findings.empty() ? std::string() : outcome.findings[0].message;
  };
  CHECK_EQ(message("i64", "9223372036854775800", "9223372036854775807", "5"), "");
  CHECK_EQ(message("i64", "-9223372036854775808", "9223372036854775807", "9223372036854775807"), "");
  CHECK_EQ(message("i32", "2147483600", "2147483647", "10"), "");
  CHECK_EQ(message("i32", "2147483600", "2147483640", "10"), "");
  CHECK_EQ(message("i32", "0", "10", "-1"), "`range` cannot count in steps of -1: a step is positive (block (0, 0, 0), thread 0)");
  CHECK_EQ(message("i32", "10", "10", "0"), "");
}

TEST_CASE("a loop variable of i32, and a warp's own bounds") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 64
parameter O: buffer<i32>[64] written
{
  %t: index varying = ctx<thread>
  %wi: index warp = ctx<warp>
  %w: i32 warp = convert %wi
  %c1: i32 = const 1
  %c3: i32 = const 3
  %c0: i32 = const 0
  %first: i32 warp = mul %w, %c3
  %last: i32 warp = mul %first, %c3
  %r: i32 warp = for %first, %last, %c1, %c0 (%i: i32 warp, %acc: i32 warp) {
    %next: i32 warp = add %acc, %i
    yield %next
  }
  store %O, %r, %t
  return
}
)");
  std::vector<std::int32_t> out(64, -1);
  run_clean(kernel, launch({tensor(out)}));
  for (std::size_t t = 0; t < 64; ++t) CHECK_EQ(out[t], t < 32 ? 0 : 3 + 4 + 5 + 6 + 7 + 8);
}
