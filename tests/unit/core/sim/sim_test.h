// Kernels as text, with their tensors.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <phobos/ir/text.h>
#include <phobos/sim/simulator.h>

namespace phobos::sim::test {

inline ir::Kernel read(std::string_view text) {
  auto parsed = ir::parse(text);
  REQUIRE_MESSAGE(parsed.ok(), parsed.message(), "\n", text);
  return std::move(*parsed);
}

inline ir::Kernel valid(std::string_view text) {
  ir::Kernel kernel = read(text);
  for (const std::string& fault : ir::verify(kernel)) FAIL_CHECK(fault);
  return kernel;
}

template <class T>
Tensor tensor(std::vector<T>& data, std::vector<std::int64_t> shape) {
  return {reinterpret_cast<std::byte*>(data.data()), std::move(shape)};
}
template <class T>
Tensor tensor(std::vector<T>& data) {
  return tensor(data, {static_cast<std::int64_t>(data.size())});
}

inline Launch launch(std::vector<Argument> arguments, std::array<std::int64_t, 3> grid = {1, 1, 1},
                     std::vector<std::int64_t> dimensions = {}) {
  return {grid, std::move(arguments), std::move(dimensions)};
}

// Runs it fast and checking the kinds, expecting no errors either time. Kernels are written so that running twice does no harm.
inline void run_clean(const ir::Kernel& kernel, const Launch& launch, bool twice = true) {
  for (bool check : {true, false}) {
    if (check && !twice) continue;
    Options options;
    options.check_kinds = check;
    const Outcome outcome = run(kernel, launch, options);
    for (const auto& finding : outcome.findings)
      if (finding.severity == diag::Severity::Error) FAIL_CHECK(finding.message);
    CHECK(outcome.finished);
  }
}

}  // namespace phobos::sim::test
