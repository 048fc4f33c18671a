// What a run is asked for: the arguments of `phobos run`, from the command line or from a `//# run` line above a kernel.
//
//   N=10000 BLOCK=1024 x=add.x.npy --grid 10 expect out=add.out.npy rtol=1e-6
//   N=100 x=iota expect-error "past the end"
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/support/result.h>

namespace phobos::launch {

using Grid = std::array<std::int64_t, 3>;  // x, y, z, each at least 1

// NAME=VALUE, not yet interpreted.
struct Given {
  std::string name, value;
};

struct Request {
  std::vector<Given> arguments;
  std::optional<Grid> grid;
  std::optional<std::string> device;
  std::vector<Given> expects;  // NAME=FILE
  std::optional<std::string> expect_error, expect_warning;
  std::optional<std::int64_t> max_steps;  // of a CTA on the simulator; 0: no limit
  std::optional<double> rtol, atol;
  bool expects_something() const { return !expects.empty() || expect_error || expect_warning; }
};

// Words at white space, up to a `//`; double quotes keep a word together, and `\"` and `\\` stand for themselves inside them.
Result<std::vector<std::string>> split_words(std::string_view line);
Result<Given> parse_given(std::string_view word);
Result<Grid> parse_grid(std::string_view text);
// Adds words to what the request has already.
Result<void> parse_words(const std::vector<std::string>& words, Request& request);
// What follows `//# run`.
Result<Request> parse_run_line(std::string_view text);

}  // namespace phobos::launch
