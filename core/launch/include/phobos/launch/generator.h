// Tensors made from a word, the same on every machine and in every run:
//
//   zeros  ones  iota  full:VALUE  randn[:SEED]  uniform[:SEED]  randint:LOW:HIGH[:SEED]
//
// iota counts row-major from 0 (integers wrap, bool is the lowest bit). randn is the standard normal distribution, rounded to
// the nearest for integers, its sign for bool. uniform is [0, 1) for floats, the whole range for integers, a fair coin for bool.
// randint is LOW up to but not including HIGH. The seed is 0 where none is given.
//
// Random numbers are a function of (seed, counter) alone, so that any element can be made without the ones before it:
// word(seed, n) = mix(mix(seed) + n * 0x9e3779b97f4a7c15), where mix is the finaliser of SplitMix64. Element i takes word i; randn
// takes words 2i and 2i + 1 and gives the cosine branch of the Box-Muller transform.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/launch/tensor.h>

namespace phobos::launch {

struct Generator {
  enum class Form { Zeros, Ones, Iota, Full, Randn, Uniform, Randint };
  Form form = Form::Zeros;
  double value = 0;                       // Full
  std::optional<std::int64_t> integer;    // Full: the value, where it is written as an integer
  std::int64_t low = 0, high = 0;         // Randint
  std::uint64_t seed = 0;
};

// Whether the word before the first `:` is a generator's.
bool names_generator(std::string_view text);
Result<Generator> parse_generator(std::string_view text);
// Fails where the shape cannot be had or a value does not fit the element type.
Result<HostTensor> generate(const Generator& generator, ScalarType element, std::vector<std::int64_t> shape);

std::uint64_t random_word(std::uint64_t seed, std::uint64_t counter);

}  // namespace phobos::launch
