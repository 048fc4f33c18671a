// Every feature of the language server, asked at every token of a text: for reports of bugs, and to see that none fails.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "source.h"

namespace phobos::cli {

struct FeatureReport {
  std::string method;
  std::size_t asked = 0, answered = 0;  // answered: with something
  double total_ms = 0, slowest_ms = 0;
  std::string slowest_at;  // LINE:COLUMN
};
struct EveryFeature {
  std::vector<FeatureReport> features;
  std::vector<std::string> faults;  // one a line: what was asked, where, and what is wrong with the answer
};
EveryFeature ask_every_feature(const Source& source);

}  // namespace phobos::cli
