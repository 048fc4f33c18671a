// Kernels with a space of choices, and what each choice took on an H200: tests/unit/core/tune/h200. A file of times has the launch's dimensions
// in its first line, the names of the constants in its second, and then a line for each choice, its values and microseconds.
#pragma once

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <phobos/launch/grid.h>
#include <phobos/lower/lower.h>
#include <phobos/session/session.h>
#include <phobos/tune/estimate.h>
#include <phobos/tune/forecast.h>
#include <phobos/tune/search.h>

namespace phobos::tune {

inline std::string text_of_file(const std::string& name) {
  std::ifstream file(std::string(PHOBOS_SOURCE_DIR) + "/tests/unit/core/tune/h200/" + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Recorded {
  Space space;
  std::map<std::vector<std::int64_t>, double> milliseconds;
  std::map<std::vector<std::int64_t>, Load> loads;
};

inline Recorded recorded(const std::string& name) {
  Recorded result;
  std::map<std::string, std::int64_t> extents;
  std::istringstream lines(text_of_file(name + ".txt"));
  std::string line, word;
  std::getline(lines, line);
  for (std::istringstream words(line); words >> word;) extents[word.substr(0, word.find('='))] = std::stoll(word.substr(word.find('=') + 1));
  std::getline(lines, line);
  std::vector<std::string> names;
  for (std::istringstream words(line); words >> word;) names.push_back(word);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::vector<std::int64_t> values(names.size());
    double microseconds = 0;
    for (std::int64_t& value : values) words >> value;
    words >> microseconds;
    result.milliseconds[values] = microseconds / 1000;
  }
  session::Session session(text_of_file(name + ".ph"));
  const auto snapshot = session.snapshot();
  for (const auto& constant : snapshot->kernel_named(name)->analysis->checked.attributes.autotune) result.space.axes.push_back({constant.name, constant.choices});
  for (const auto& [values, time] : result.milliseconds) {
    std::map<std::string, std::int64_t> constants;
    for (std::size_t i = 0; i < names.size(); ++i) constants[names[i]] = values[i];
    const auto view = session::analyse_kernel(*snapshot, name, constants);
    REQUIRE(view);
    const Result<ir::Kernel> kernel = lower::lower(view->analysis->checked, view->analysis->kinds, {view->origins});
    REQUIRE(kernel.ok());
    std::vector<std::int64_t> dimensions;
    for (const std::string& dimension : kernel->dimensions) dimensions.push_back(extents.at(dimension));
    const Result<launch::Grid> grid = launch::infer_grid(*kernel, dimensions);
    REQUIRE(grid);
    const Result<Load> load = forecast(*kernel, passes::chip_named("sm_90a"), dimensions, *grid, 132);
    if (load) result.loads[values] = *load;
  }
  return result;
}

}  // namespace phobos::tune
