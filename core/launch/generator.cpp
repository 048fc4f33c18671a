#include <phobos/launch/generator.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>

#include <fmt/format.h>

#include <phobos/support/number.h>
#include <phobos/support/random.h>
#include <phobos/support/run_line.h>

namespace phobos::launch {
namespace {

constexpr const auto& words = run_line::generators;  // in the order of Generator::Form

// [0, 1), 53 bits.
double unit(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

double normal(std::uint64_t seed, std::uint64_t index) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - unit(random_word(seed, 2 * index))));
  return radius * std::cos(2.0 * std::numbers::pi * unit(random_word(seed, 2 * index + 1)));
}

// [low, high), each value as likely as the next to within 2^-64 of the range.
std::int64_t between(std::int64_t low, std::int64_t high, std::uint64_t word) {
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t step = static_cast<std::uint64_t>((static_cast<Wide>(word) * range) >> 64);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + step);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

struct Bounds {
  std::int64_t low, high;
};
std::optional<Bounds> bounds_of(ScalarType element) {
  switch (element) {
    case ScalarType::I8: return Bounds{-128, 127};
    case ScalarType::U8: return Bounds{0, 255};
    case ScalarType::I32: return Bounds{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    case ScalarType::Bool: return Bounds{0, 1};
    default: return std::nullopt;
  }
}

Result<void> check_fits(const Generator& generator, ScalarType element) {
  if (is_float(element)) return {};
  if (generator.form == Generator::Form::Full && !generator.integer)
    return Error{fmt::format("`full:{}` is not an integer, and the elements are {}", generator.value, name_of(element))};
  const std::optional<Bounds> bounds = bounds_of(element);
  if (!bounds) return {};
  const auto outside = [&](std::int64_t value) { return value < bounds->low || value > bounds->high; };
  if (generator.form == Generator::Form::Full && outside(*generator.integer))
    return Error{fmt::format("{} does not fit in {}", *generator.integer, name_of(element))};
  if (generator.form == Generator::Form::Randint && (outside(generator.low) || outside(generator.high - 1)))
    return Error{fmt::format("`randint:{}:{}` does not fit in {}", generator.low, generator.high, name_of(element))};
  return {};
}

void set_uniform(HostTensor& tensor, std::int64_t index, std::uint64_t word) {
  if (is_float(tensor.element)) tensor.set_real(index, unit(word));
  else if (tensor.element == ScalarType::Bool) tensor.set_integer(index, static_cast<std::int64_t>(word >> 63));
  else tensor.set_integer(index, static_cast<std::int64_t>(word) >> (64 - bits_of(tensor.element)));
}

void set(HostTensor& tensor, std::int64_t index, const Generator& generator) {
  const std::uint64_t counter = static_cast<std::uint64_t>(index);
  switch (generator.form) {
    case Generator::Form::Zeros: return;
    case Generator::Form::Ones: return tensor.set_integer(index, 1);
    case Generator::Form::Iota:
      return tensor.set_integer(index, tensor.element == ScalarType::Bool ? index & 1 : index);
    case Generator::Form::Full:
      if (!is_float(tensor.element)) return tensor.set_integer(index, *generator.integer);
      return tensor.set_real(index, generator.value);
    case Generator::Form::Randn: {
      const double value = normal(generator.seed, counter);
      return tensor.set_real(index, tensor.element == ScalarType::Bool ? (value > 0 ? 1.0 : 0.0) : value);
    }
    case Generator::Form::Uniform: return set_uniform(tensor, index, random_word(generator.seed, counter));
    case Generator::Form::Randint:
      return tensor.set_integer(index, between(generator.low, generator.high, random_word(generator.seed, counter)));
  }
}

}  // namespace

std::uint64_t random_word(std::uint64_t seed, std::uint64_t counter) {
  return splitmix_finalise(splitmix_finalise(seed) + counter * splitmix_step);
}

bool names_generator(std::string_view text) {
  const std::string_view head = text.substr(0, text.find(':'));
  for (const std::string_view word : words)
    if (word == head) return true;
  return false;
}

Result<Generator> parse_generator(std::string_view text) {
  const auto wrong = [&](std::string_view form) { return Error{fmt::format("`{}` should be `{}`", text, form)}; };
  const std::vector<std::string_view> parts = split(text);
  Generator generator;
  std::size_t form = 0;
  while (form < std::size(words) && words[form] != parts[0]) ++form;
  if (form == std::size(words)) return Error{fmt::format("`{}` is no generator", text)};
  generator.form = static_cast<Generator::Form>(form);

  const auto seed_at = [&](std::size_t at) {
    if (parts.size() <= at) return true;
    const std::optional<std::int64_t> seed = parse_integer(parts[at]);
    if (seed) generator.seed = static_cast<std::uint64_t>(*seed);
    return seed.has_value() && parts.size() == at + 1;
  };
  switch (generator.form) {
    case Generator::Form::Full: {
      const std::optional<double> value = parts.size() == 2 ? parse_real(parts[1]) : std::nullopt;
      generator.integer = parts.size() == 2 ? parse_integer(parts[1]) : std::nullopt;
      if (!value && !generator.integer) return wrong("full:VALUE");
      generator.value = value ? *value : static_cast<double>(*generator.integer);
      return generator;
    }
    case Generator::Form::Randn:
    case Generator::Form::Uniform:
      if (!seed_at(1)) return wrong(fmt::format("{}[:SEED]", parts[0]));
      return generator;
    case Generator::Form::Randint: {
      const std::optional<std::int64_t> low = parts.size() > 2 ? parse_integer(parts[1]) : std::nullopt;
      const std::optional<std::int64_t> high = parts.size() > 2 ? parse_integer(parts[2]) : std::nullopt;
      if (!low || !high || !seed_at(3)) return wrong("randint:LOW:HIGH[:SEED]");
      if (*low >= *high) return Error{fmt::format("`{}` is empty: the high end is not among the values", text)};
      generator.low = *low;
      generator.high = *high;
      return generator;
    }
    default:
      if (parts.size() != 1) return wrong(parts[0]);
      return generator;
  }
}

Result<HostTensor> generate(const Generator& generator, ScalarType element, std::vector<std::int64_t> shape) {
  if (const Result<void> fits = check_fits(generator, element); !fits) return fits.error();
  Result<HostTensor> tensor = make_tensor(element, std::move(shape));
  if (!tensor || generator.form == Generator::Form::Zeros) return tensor;
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) set(*tensor, i, generator);
  };
  constexpr std::int64_t worth_a_thread = std::int64_t{1} << 18;
  const std::int64_t count = tensor->count();
  const std::int64_t threads = std::clamp<std::int64_t>(count / worth_a_thread, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> others;
  for (std::int64_t t = 1; t < threads; ++t) others.emplace_back(part, count * t / threads, count * (t + 1) / threads);
  part(0, count / threads);
  return others.clear(), tensor;
}

}  // namespace phobos::launch
