// What the benchmarks share: clocks, percentiles, memory, and rows as a table or as JSON.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include <fmt/format.h>

namespace phobos::bench {

using Clock = std::chrono::steady_clock;

inline double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Milliseconds that this thread has had a core for: where others share the machine, the time by the clock has their time in it.
inline double worked() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// Of the values, in any order: the smallest that `share` of them do not exceed.
inline double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const std::size_t at = std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

constexpr double megabyte = 1024.0 * 1024.0;

// Megabytes of this process that are in memory, after free pages were given back.
inline double resident() {
  malloc_trim(0);
  long pages = 0, in_memory = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &in_memory) != 2) in_memory = 0;
    std::fclose(file);
  }
  return static_cast<double>(in_memory) * static_cast<double>(sysconf(_SC_PAGESIZE)) / megabyte;
}

// Megabytes that are allocated and not freed.
inline double allocated() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / megabyte;
}

// A row is a name and values with their units, the same in each row of a table.
class Table {
 public:
  Table(std::string title, bool json) : title_(std::move(title)), json_(json) {}

  void row(const std::string& name, const std::vector<std::pair<std::string, double>>& values) {
    if (json_) {
      std::string line = fmt::format("{{\"table\": \"{}\", \"row\": \"{}\"", title_, name);
      for (const auto& [label, value] : values) line += fmt::format(", \"{}\": {:.6g}", label, value);
      fmt::print("{}}}\n", line);
    } else {
      if (!begun_) {
        fmt::print("\n{:<44}", title_);
        for (const auto& [label, value] : values) fmt::print(" {:>10}", label);
        fmt::print("\n");
      }
      fmt::print("{:<44}", name);
      for (const auto& [label, value] : values) fmt::print(" {:>10}", value == static_cast<long>(value) ? fmt::format("{}", static_cast<long>(value)) : fmt::format("{:.3f}", value));
      fmt::print("\n");
    }
    begun_ = true;
    std::fflush(stdout);
  }

 private:
  std::string title_;
  bool json_ = false, begun_ = false;
};

}  // namespace phobos::bench
