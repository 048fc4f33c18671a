// The elements that a CTA has written itself since its last grid barrier or release: a bit each, in pages made when first touched.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

namespace phobos::sim {

class OwnWrites {
 public:
  void clear() { pages_.clear(); }
  void add(int buffer, std::int64_t begin, std::int64_t count, std::uint32_t epoch) {
    refresh(epoch);
    each_word(begin, count, [&](std::int64_t word, std::uint64_t bits) {
      pages_[key(buffer, word / words)][static_cast<std::size_t>(word % words)] |= bits;
    });
  }
  // f(begin, count) for the stretches of the range that are not among them.
  template <class F>
  void each_unwritten(int buffer, std::int64_t begin, std::int64_t count, std::uint32_t epoch, F&& f) {
    refresh(epoch);
    if (pages_.empty()) return f(begin, count);
    std::int64_t from = begin, at = begin;  // [from, at) is unwritten
    each_word(begin, count, [&](std::int64_t word, std::uint64_t bits) {
      const auto found = pages_.find(key(buffer, word / words));
      const std::uint64_t written = found == pages_.end() ? 0 : found->second[static_cast<std::size_t>(word % words)] & bits;
      const std::int64_t end = std::min(begin + count, (word + 1) * 64);
      if (written == 0) {
        at = end;
        return;
      }
      for (std::int64_t i = at; i < end; ++i) {
        if ((written >> (i % 64) & 1) == 0) continue;
        if (from < i) f(from, i - from);
        from = i + 1;
      }
      at = end;
    });
    if (from < at) f(from, at - from);
  }

 private:
  static constexpr std::int64_t words = 64;  // of a page
  using Page = std::array<std::uint64_t, words>;

  static std::uint64_t key(int buffer, std::int64_t page) {
    return static_cast<std::uint64_t>(buffer) << 48 | static_cast<std::uint64_t>(page);
  }
  void refresh(std::uint32_t epoch) {
    if (epoch_ != epoch) clear();
    epoch_ = epoch;
  }
  // f(word, bits of the range in it)
  template <class F>
  static void each_word(std::int64_t begin, std::int64_t count, F&& f) {
    for (std::int64_t at = begin; at < begin + count;) {
      const std::int64_t low = at % 64, some = std::min(64 - low, begin + count - at);
      f(at / 64, (some == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << some) - 1) << low);
      at += some;
    }
  }

  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint32_t epoch_ = 0;
};

}  // namespace phobos::sim
