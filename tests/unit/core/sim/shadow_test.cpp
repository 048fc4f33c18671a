// The shadows by themselves, against what is plainly right.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "../../../../core/sim/grid_shadow.h"
#include "../../../../core/sim/interval_map.h"
#include "../../../../core/sim/thread_shadow.h"

using namespace phobos::sim;

TEST_CASE("an interval map knows of each element what an array would") {
  std::mt19937 random(7);
  constexpr std::int32_t size = 300;
  int grew = 0;
  for (int trial = 0; trial < 200; ++trial) {
    IntervalMap<int, size> map;
    std::vector<int> plain(size);
    for (int step = 0; step < 40; ++step) {
      const auto begin = static_cast<std::int32_t>(random() % size);
      const std::int32_t length = trial % 2 == 0 ? 1 : 1 + static_cast<std::int32_t>(random() % 60);
      const std::int32_t end = std::min(size, begin + length);
      const int add = 1 + static_cast<int>(random() % 3);
      if (trial % 4 < 2 && begin > 0) {
        const int before = plain[static_cast<std::size_t>(begin - 1)];
        int& here = plain[static_cast<std::size_t>(begin)];
        if (map.grow(begin, before)) {  // nothing was known of it
          CHECK_EQ(here, 0);
          CHECK_NE(before, 0);
          here = before;
          ++grew;
        }
      }
      std::int32_t seen = begin;
      map.visit(begin, end, [&](int& value, std::int32_t at, std::int32_t) {
        CHECK_LE(seen, at);
        seen = at;
        CHECK_EQ(value, plain[static_cast<std::size_t>(at)]);
        value += add;
      });
      for (std::int32_t i = begin; i < end; ++i) plain[static_cast<std::size_t>(i)] += add;
    }
    std::vector<int> known(size);
    map.for_each([&](int value, std::int32_t begin, std::int32_t) { known[static_cast<std::size_t>(begin)] = value; });
    for (std::int32_t i = 0; i < size; ++i) {
      int value = -1;
      map.visit(i, i + 1, [&](int& one, std::int32_t, std::int32_t) { value = one; });
      CHECK_EQ(value, plain[static_cast<std::size_t>(i)]);
      CHECK_EQ(map.any(i, i + 1, [](int one) { return one != 0; }), plain[static_cast<std::size_t>(i)] != 0);
    }
  }
  CHECK_GT(grew, 50);
}

namespace {

struct Step {
  std::uint32_t cta;
  std::int64_t begin, count;
  bool writes;
  std::int32_t value;
};

// The lowest element of a race. `order` says whose step is next; those of one CTA stay in their order.
std::optional<std::int64_t> race_in(const std::vector<Step>& steps, const std::vector<std::uint32_t>& order) {
  std::vector<std::int32_t> memory(4000, -1);
  GridShadow shadow({4000}, {4000}, 8, false);
  std::array<OwnWrites, 4> own;
  std::array<std::size_t, 4> next{};
  for (const std::uint32_t cta : order) {
    while (steps[next[cta]].cta != cta) ++next[cta];
    const Step& step = steps[next[cta]++];
    const GridShadow::Who who{cta, step.writes ? 1u : 2u, 0, &own[cta]};
    const std::vector<std::int32_t> values(static_cast<std::size_t>(step.count), step.value);
    if (step.writes)
      shadow.write(0, step.begin, step.count, who, reinterpret_cast<const std::byte*>(values.data()),
                   reinterpret_cast<std::byte*>(memory.data() + step.begin), 4);
    else
      shadow.read(0, step.begin, step.count, who);
    for (std::int64_t i = 0; step.writes && i < step.count; ++i) CHECK_EQ(memory[static_cast<std::size_t>(step.begin + i)], step.value);
  }
  const std::vector<GridRace> races = shadow.races();
  std::optional<std::int64_t> lowest;
  for (const GridRace& race : races) {
    CHECK_NE(race.cta, race.other_cta);
    lowest = lowest ? std::min(*lowest, race.element) : race.element;
  }
  return lowest;
}

// By the rule: somebody writes, and another one writes another value, or reads what it has not written itself.
std::optional<std::int64_t> expected_race(const std::vector<Step>& steps) {
  for (std::int64_t e = 0; e < 4000; ++e) {
    std::set<std::uint32_t> writers, readers;
    std::set<std::int32_t> values;
    for (const Step& step : steps) {
      if (e < step.begin || e >= step.begin + step.count) continue;
      if (step.writes) values.insert(step.value), writers.insert(step.cta);
      else if (!writers.contains(step.cta)) readers.insert(step.cta);
    }
    if (writers.size() > 1 && values.size() > 1) return e;
    for (const std::uint32_t reader : readers)
      if (writers.size() > (writers.contains(reader) ? 1 : 0)) return e;
  }
  return {};
}

}  // namespace

TEST_CASE("races between CTAs are found by the rule, in any order") {
  std::mt19937 random(11);
  int with = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<Step> steps;
    std::vector<std::uint32_t> order;
    const std::uint32_t values = 1 + random() % 2;
    for (int i = 0; i < 6; ++i) {
      const std::int64_t count = trial % 3 == 0 ? 1 : 1 + static_cast<std::int64_t>(random() % 1500);
      const std::int64_t begin = trial % 3 == 0 ? static_cast<std::int64_t>(random() % 8) : static_cast<std::int64_t>(random() % 2500);
      steps.push_back({static_cast<std::uint32_t>(random() % 4), begin, count, random() % 3 != 0, static_cast<std::int32_t>(random() % values)});
      order.push_back(steps.back().cta);
    }
    const auto expected = expected_race(steps);
    with += expected.has_value();
    for (int trials = 0; trials < 3; ++trials) {
      CHECK(race_in(steps, order) == expected);
      std::shuffle(order.begin(), order.end(), random);
    }
  }
  CHECK(with > 50);
  CHECK(with < 390);
}

TEST_CASE("an atomic meets a plain write, whoever wrote the same before it") {
  std::int32_t memory[8] = {}, one = 1;
  const auto bytes = [](std::int32_t& value) { return reinterpret_cast<std::byte*>(&value); };
  for (const bool ordered : {false, true}) {
    GridShadow shadow({8}, {8}, 4, ordered);
    std::array<OwnWrites, 2> own;
    for (const std::uint32_t cta : {0u, 1u}) {
      shadow.write(0, 3, 1, {cta, 1, 0, &own[cta]}, bytes(one), bytes(memory[3]), 4);
      ++memory[3];
      shadow.update(0, 3, {cta, 2, 0, &own[cta]});
    }
    const std::vector<GridRace> races = shadow.races();
    REQUIRE_FALSE(races.empty());
    for (const GridRace& race : races) CHECK_NE(race.op, race.other_op);  // not the two writes
    GridShadow atomics({8}, {8}, 4, ordered);
    for (const std::uint32_t cta : {0u, 1u}) atomics.update(0, 3, {cta, 2, 0});
    CHECK(atomics.races().empty());
  }
}

TEST_CASE("where CTAs order themselves, equal writes and reads of them are judged alike") {
  std::int32_t memory[8] = {}, one = 1;
  const auto bytes = [](std::int32_t& value) { return reinterpret_cast<std::byte*>(&value); };
  const auto run = [&](bool reads_first) {
    GridShadow shadow({8}, {8}, 4, true);
    std::array<OwnWrites, 3> own;
    for (const std::uint32_t cta : {0u, 1u, 2u}) {
      if (reads_first) shadow.read(0, 3, 1, {cta, 2, 0, &own[cta]});
      shadow.write(0, 3, 1, {cta, 1, 0, &own[cta]}, bytes(one), bytes(memory[3]), 4);
      if (!reads_first) shadow.read(0, 3, 1, {cta, 2, 0, &own[cta]});
    }
    return shadow.races().size();
  };
  CHECK_EQ(run(false), 0);
  CHECK_EQ(run(true), 1);
}

TEST_CASE("a grid barrier begins anew, and what was found before it stays") {
  std::int32_t memory[8] = {}, one = 1, two = 2;
  const auto bytes = [](std::int32_t& value) { return reinterpret_cast<std::byte*>(&value); };
  GridShadow clean({8}, {8}, 4, false);
  clean.write(0, 3, 1, {0, 1, 0}, bytes(one), bytes(memory[3]), 4);
  clean.write(0, 3, 1, {1, 1, 1}, bytes(two), bytes(memory[3]), 4);
  clean.read(0, 3, 1, {2, 2, 2});
  CHECK(clean.races().empty());
  GridShadow racy({8}, {8}, 4, false);
  racy.write(0, 3, 1, {0, 1, 0}, bytes(one), bytes(memory[3]), 4);
  racy.write(0, 3, 1, {1, 1, 0}, bytes(two), bytes(memory[3]), 4);
  racy.write(0, 3, 1, {1, 1, 1}, bytes(two), bytes(memory[3]), 4);
  CHECK_EQ(racy.races().size(), 1);
}

TEST_CASE("a release reaches whoever acquires it, and those who acquire from them") {
  std::int32_t memory[8] = {}, one = 1;
  const auto bytes = [](std::int32_t& value) { return reinterpret_cast<std::byte*>(&value); };
  const auto chain = [&](bool second_acquires) {
    GridShadow shadow({8}, {8}, 3, true);
    shadow.write(0, 0, 1, {0, 1, 0}, bytes(one), bytes(memory[0]), 4);
    shadow.release(9, 0, 0);
    if (second_acquires) shadow.acquire(9, 0, 1);
    shadow.release(9, 1, 1);
    shadow.acquire(9, 1, 2);
    shadow.read(0, 0, 1, {2, 2, 0});
    return shadow.races().size();
  };
  CHECK_EQ(chain(true), 0);
  CHECK_EQ(chain(false), 1);
}

namespace {

ThreadSet one(int thread) { return {thread, thread, nullptr}; }

// One thread's part in an operation.
struct Access {
  int operation, thread;
  std::int64_t element;
  bool writes;
  int value;  // written, or what is there
};

// The rule, access by access, for those of one element between two barriers: whether the last of them conflicts with one before.
bool conflicts(const std::vector<Access>& all) {
  const Access& now = all.back();
  const auto wrote_before = [&](int thread, std::size_t end) {
    return std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end), [&](const Access& one) { return one.writes && one.thread == thread; });
  };
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const Access& before = all[i];
    if (before.thread == now.thread) continue;
    if (!now.writes && before.writes && (!wrote_before(now.thread, all.size()) || before.value != now.value)) return true;
    if (now.writes && !before.writes) {
      bool other = !wrote_before(before.thread, i);
      for (std::size_t j = i; j < all.size(); ++j) other = other || (all[j].writes && all[j].value != before.value);
      if (other) return true;
    }
  }
  return false;
}

// Behind an operation: whether the last stores of all threads agree.
bool agree(const std::vector<Access>& all) {
  std::map<int, int> last;
  for (const Access& access : all)
    if (access.writes) last[access.thread] = access.value;
  return std::all_of(last.begin(), last.end(), [&](const auto& one) { return one.second == last.begin()->second; });
}

}  // namespace

TEST_CASE("races between threads are found by the rule, whichever threads they are") {
  std::mt19937 random(5);
  int with = 0, without = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const int threads = trial % 3 == 0 ? 64 : 160, some = 2 + static_cast<int>(random() % 6), values = 1 + static_cast<int>(random() % 2);
    ThreadShadow shadow({600}, threads);
    shadow.start_cta();
    std::vector<int> memory(600, -1), crew;
    for (int i = 0; i < some; ++i) crew.push_back(static_cast<int>(random() % static_cast<unsigned>(trial % 2 == 0 ? 10 : threads)));
    std::map<std::int64_t, std::vector<Access>> history;
    std::vector<Access> ever;
    bool expected = false, found = false;
    for (int operation = 1; operation <= 5 && !expected; ++operation) {
      if (random() % 6 == 0) {
        shadow.barrier();
        history.clear();
        continue;
      }
      const bool writes = random() % 3 != 0, together = random() % 2 == 0;
      shadow.begin(static_cast<std::uint32_t>(operation));
      std::vector<std::uint64_t> bits(static_cast<std::size_t>(threads + 63) / 64);
      std::set<int> who;
      for (const int thread : crew)
        if (random() % 2 == 0) who.insert(thread);
      if (who.empty()) who.insert(crew[0]);
      const int from = *who.begin(), to = *who.rbegin();
      if (random() % 4 == 0)
        for (int i = from; i < to; ++i) who.insert(i);
      for (const int thread : who) bits[static_cast<std::size_t>(thread / 64)] |= std::uint64_t{1} << (thread % 64);
      const bool dense = static_cast<int>(who.size()) == to - from + 1;
      const std::int64_t common = 254 + static_cast<std::int64_t>(random() % 2);
      const int value = static_cast<int>(random() % static_cast<unsigned>(values));
      std::set<std::int64_t> touched;
      const auto access = [&](int thread, std::int64_t element, int stored) {
        int& held = memory[static_cast<std::size_t>(element)];
        if (writes) held = stored;
        history[element].push_back({operation, thread, element, writes, held});
        ever.push_back(history[element].back());
        touched.insert(element);
        expected = expected || conflicts(history[element]);
      };
      if (together) {
        const ThreadSet set{from, to, dense && random() % 2 == 0 ? nullptr : bits.data()};
        if (writes) shadow.write(0, common, set, memory[static_cast<std::size_t>(common)] == value);
        else shadow.read(0, common, set);
        for (const int thread : who) access(thread, common, value);
      } else {
        const int differs = random() % 4 == 0 ? 1 : 0;  // in one statement
        for (const int thread : who) {
          const std::int64_t element = 254 + static_cast<std::int64_t>(random() % 4);
          const int own = value + differs * (thread % 2);
          if (writes) shadow.write(0, element, one(thread), memory[static_cast<std::size_t>(element)] == own);
          else shadow.read(0, element, one(thread));
          access(thread, element, own);
        }
      }
      shadow.end();
      for (const std::int64_t element : touched) expected = expected || !agree(history[element]);
      while (const ThreadRace* race = shadow.next_race()) {
        found = true;
        CHECK_NE(race->thread, race->earlier_thread);
        CHECK_EQ(race->op, static_cast<std::uint32_t>(operation));
        CHECK((race->writes || race->earlier_writes));
        const auto did = [&](int thread, bool wrote) {
          return std::any_of(ever.begin(), ever.end(), [&](const Access& access) {
            return access.thread == thread && access.element == race->element && access.writes == wrote;
          });
        };
        CHECK(did(race->thread, race->writes));
        CHECK(did(race->earlier_thread, race->earlier_writes));
      }
      CHECK_EQ(found, expected);
      if (found != expected) return;
    }
    ++(expected ? with : without);
  }
  CHECK_GT(with, 1000);
  CHECK_GT(without, 1000);
}

TEST_CASE("threads: barriers order, others do not") {
  ThreadShadow shadow({1000}, 64);
  shadow.start_cta();
  const auto races = [&] {
    int count = 0;
    while (shadow.next_race()) ++count;
    return count;
  };
  shadow.begin(1);
  shadow.write(0, 700, one(3), false);
  shadow.end();
  shadow.begin(2);
  shadow.read(0, 700, one(3));
  shadow.end();
  CHECK_EQ(races(), 0);
  shadow.begin(3);
  shadow.read(0, 700, one(4));
  shadow.end();
  CHECK_EQ(races(), 1);
  shadow.barrier();
  shadow.begin(4);
  shadow.read(0, 700, {0, 31});
  shadow.end();
  CHECK_EQ(races(), 0);
  shadow.forget(0, 600, 800);  // the CTA wrote it
  shadow.begin(5);
  shadow.write(0, 700, one(9), false);
  shadow.end();
  CHECK_EQ(races(), 0);
  shadow.start_cta();
  shadow.begin(3);
  shadow.read(0, 700, one(4));
  shadow.end();
  CHECK_EQ(races(), 0);
}
