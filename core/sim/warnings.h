// What is well defined and still seldom meant. Counted by place, and told once for each, with the first of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <phobos/diag/diagnostic.h>

namespace phobos::sim {

struct Warning {
  std::int64_t count = 0;
  std::int64_t cta = 0, thread = 0;  // of the first
  std::string value, other;          // a shift: its count, the width; a conversion: the value, "i8 and becomes 127"
};

class Warnings {
 public:
  void add(diag::Code code, Span place, Warning warning);
  void merge(const Warnings& other);  // of a CTA; each is handed in once
  void clear() { by_place_.clear(); }
  bool empty() const { return by_place_.empty(); }
  // In the order of their places. `block`: a CTA as text.
  template <class Block>
  std::vector<diag::Diagnostic> tell(Block&& block) const {
    std::vector<diag::Diagnostic> told;
    for (const auto& [key, one] : by_place_) {
      const auto& [begin, end, code] = key;
      told.push_back(diag::make(code, {Span{begin, end}}, one.value, one.other, one.count, block(one.cta), one.thread));
    }
    return told;
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, diag::Code>;
  std::map<Key, Warning> by_place_;
};

}  // namespace phobos::sim
