// SplitMix64 (Steele, Lea, Flood 2014): a sequence that its seed gives, the same on every machine.
#pragma once

#include <cstdint>

namespace phobos {

inline constexpr std::uint64_t splitmix_step = 0x9e3779b97f4a7c15;

constexpr std::uint64_t splitmix_finalise(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return splitmix_finalise(state_ += splitmix_step); }
  std::uint64_t below(std::uint64_t count) { return next() % count; }  // count > 0

 private:
  std::uint64_t state_;
};

}  // namespace phobos
