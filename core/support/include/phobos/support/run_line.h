// The words of a `//# run` line beside NAME=VALUE: those who run them and those who check them read the same lists.
#pragma once

#include <array>
#include <string_view>

namespace phobos::run_line {

inline constexpr std::string_view mark = "//# run";
inline constexpr std::array<std::string_view, 5> options{"--grid", "--device", "--rtol", "--atol", "--max-steps"};  // each has a value
inline constexpr std::array<std::string_view, 4> expectations{"expect", "expect-error", "expect-warning", "expect-print"};
inline constexpr std::array<std::string_view, 2> tolerances{"rtol", "atol"};  // behind `expect`, as NAME=VALUE
inline constexpr std::array<std::string_view, 7> generators{"zeros", "ones", "iota", "full", "randn", "uniform", "randint"};
inline constexpr std::array<std::string_view, 4> devices{"auto", "gpu", "sim", "emulate"};

}  // namespace phobos::run_line
