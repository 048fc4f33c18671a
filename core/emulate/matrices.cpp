#include "matrices.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <phobos/support/float16.h>

namespace phobos::emulate {

namespace {

void load(const Lanes<const std::uint32_t>& in, const Lanes<std::uint32_t>& out, std::uint32_t count, bool turned) {
  for (std::uint32_t matrix = 0; matrix < count; ++matrix) {
    std::uint16_t elements[8][8];
    for (std::uint32_t row = 0; row < 8; ++row) {
      std::uint64_t address = 0;
      std::memcpy(&address, in[matrix * 8 + row], sizeof address);
      std::memcpy(elements[row], reinterpret_cast<const void*>(address), sizeof elements[row]);
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t row = lane / 4, column = lane % 4 * 2;
      const std::uint32_t low = turned ? elements[column][row] : elements[row][column];
      const std::uint32_t high = turned ? elements[column + 1][row] : elements[row][column + 1];
      out[lane][matrix] = low | high << 16;
    }
  }
}

// A lane's words are four of A, two of B, four of the sums. `in_word` elements to a word.
template <class Sum, std::uint32_t in_word, class Element, class Step>
void multiply(const Lanes<const std::uint32_t>& in, const Lanes<std::uint32_t>& out, Element element, Step step) {
  constexpr std::uint32_t half = 4 * in_word;  // of k
  Sum a[16][2 * half], b[2 * half][8];
  for (std::uint32_t k = 0; k < 2 * half; ++k) {
    const std::uint32_t lane = k % half / in_word, within = k % in_word;
    for (std::uint32_t row = 0; row < 16; ++row) a[row][k] = element(in[row % 8 * 4 + lane][row / 8 + 2 * (k / half)], within);
    for (std::uint32_t column = 0; column < 8; ++column) b[k][column] = element(in[column * 4 + lane][4 + k / half], within);
  }
  for (std::uint32_t row = 0; row < 16; ++row)
    for (std::uint32_t column = 0; column < 8; ++column) {
      const std::uint32_t lane = row % 8 * 4 + column / 2, word = row / 8 * 2 + column % 2;
      Sum sum = std::bit_cast<Sum>(in[lane][6 + word]);
      for (std::uint32_t k = 0; k < 2 * half; ++k) sum = step(a[row][k], b[k][column], sum);
      out[lane][word] = std::bit_cast<std::uint32_t>(sum);
    }
}

}  // namespace

Described Described::of(std::uint64_t descriptor) {
  const auto pieces = [&](unsigned from) { return static_cast<std::uint32_t>(descriptor >> from & 0x3fff) * 16; };
  const std::uint32_t form = static_cast<std::uint32_t>(descriptor >> 62);
  return {pieces(0), form == 0 ? 0u : 256u >> form, pieces(16), pieces(32)};
}

std::string SwizzledOperands::fault() const {
  const auto wrong = [](const Described& one) { return one.row == 0 || one.below != 8 * one.row || one.at % 16 != 0; };
  if (!product_.registers && wrong(a_)) return "the first operand's descriptor is of no matrix that is swizzled";
  if (wrong(b_)) return "the second operand's descriptor is of no matrix that is swizzled";
  if (!product_.along_k && b_.row != 128) return "the second operand is read across k, and not in rows of 128 bytes";
  return {};
}

std::uint32_t SwizzledOperands::place_a(std::uint32_t row, std::uint32_t k) const { return swizzled(a_.at + row * a_.row + k * size(), a_.row); }

std::uint32_t SwizzledOperands::place_b(std::uint32_t k, std::uint32_t column) const {
  if (product_.along_k) return swizzled(b_.at + column * b_.row + k * size(), b_.row);
  const std::uint32_t across = b_.row / size();
  return swizzled(b_.at + column / across * b_.between + k * b_.row + column % across * size(), b_.row);
}

std::uint32_t SwizzledOperands::element(std::uint32_t place) const {
  std::uint32_t bits = 0;
  std::memcpy(&bits, shared_ + place, size());
  return bits;
}

// Words 0 and 1 are of the first half of k, 0 and 2 of the upper row.
std::uint32_t SwizzledOperands::element_of(const std::uint32_t* quad, std::uint32_t below, std::uint32_t k) const {
  const std::uint32_t in_word = 4 / size(), half = k_extent() / 2, within = k % half;
  const std::uint32_t word = quad[within / in_word * 4 + below + 2 * (k / half)], bits = 8 * size();
  return word >> (within % in_word * bits) & (0xffffffffu >> (32 - bits));
}

template <class Sum, class Value, class Step>
void SwizzledOperands::multiply(std::uint32_t thread, const std::uint32_t* quad, Sum* sums, Value value, Step add) const {
  const std::uint32_t first_row = thread / 32 * 16 + thread % 32 / 4, first_column = thread % 4 * 2;
  for (std::uint32_t below = 0; below < 2; ++below) {
    Sum a[step];
    for (std::uint32_t k = 0; k < k_extent(); ++k) a[k] = value(quad ? element_of(quad, below, k) : element(place_a(first_row + 8 * below, k)));
    for (std::uint32_t block = 0; block < product_.n / 8; ++block)
      for (std::uint32_t next = 0; next < 2; ++next) {
        Sum& sum = sums[block * 4 + below * 2 + next];
        for (std::uint32_t k = 0; k < k_extent(); ++k) sum = add(a[k], value(element(place_b(k, block * 8 + first_column + next))), sum);
      }
  }
}

void SwizzledOperands::multiply(std::uint32_t thread, const std::uint32_t* quad, void* sums) const {
  const auto fused = [](float a, float b, float sum) { return std::fma(a, b, sum); };
  const auto wrapping = [](std::int32_t a, std::int32_t b, std::int32_t sum) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(a * b));
  };
  auto* floats = static_cast<float*>(sums);
  auto* integers = static_cast<std::int32_t*>(sums);
  switch (product_.factor) {
    case Factor::F16: return multiply(thread, quad, floats, [](std::uint32_t bits) { return f16_to_float(static_cast<std::uint16_t>(bits)); }, fused);
    case Factor::BF16: return multiply(thread, quad, floats, [](std::uint32_t bits) { return bf16_to_float(static_cast<std::uint16_t>(bits)); }, fused);
    case Factor::TF32: return multiply(thread, quad, floats, [](std::uint32_t bits) { return std::bit_cast<float>(bits & ~0x1fffu); }, fused);
    case Factor::I8: return multiply(thread, quad, integers, [](std::uint32_t bits) { return std::int32_t{static_cast<std::int8_t>(bits)}; }, wrapping);
    case Factor::U8: return multiply(thread, quad, integers, [](std::uint32_t bits) { return static_cast<std::int32_t>(bits); }, wrapping);
  }
}

std::uint64_t SwizzledOperands::hash() const {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint32_t place) { hash = (hash ^ element(place)) * 0x9e3779b97f4a7c15u; };
  for (std::uint32_t k = 0; k < k_extent(); ++k) {
    for (std::uint32_t row = 0; row < rows && !product_.registers; ++row) add(place_a(row, k));
    for (std::uint32_t column = 0; column < product_.n; ++column) add(place_b(k, column));
  }
  return hash;
}

std::uint32_t SwizzledOperands::end_of_a() const {
  std::uint32_t last = 0;
  for (std::uint32_t row = rows - 8; row < rows; ++row) last = std::max(last, place_a(row, k_extent() - 1));
  return last + size();
}

std::uint32_t SwizzledOperands::end_of_b() const {
  std::uint32_t last = 0;
  for (std::uint32_t k = 0; k < k_extent(); ++k)
    for (std::uint32_t column = product_.n - 8; column < product_.n; ++column) last = std::max(last, place_b(k, column));
  return last + size();
}

std::uint32_t round_to_tf32(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::isfinite(x) ? (bits + 0x1000u) & ~0x1fffu : bits & ~0x1fffu;
}

void run_matrices(MatrixOp op, const Lanes<const std::uint32_t>& in, const Lanes<std::uint32_t>& out) {
  const auto fused = [](float a, float b, float sum) { return std::fma(a, b, sum); };
  const auto wrapping = [](std::int32_t a, std::int32_t b, std::int32_t sum) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(a * b));
  };
  switch (op) {
    case MatrixOp::Store4:
      for (std::uint32_t matrix = 0; matrix < 4; ++matrix)
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
          std::uint64_t row = 0;
          std::memcpy(&row, in[matrix * 8 + lane / 4], sizeof row);
          std::memcpy(reinterpret_cast<std::byte*>(row) + lane % 4 * 4, &in[lane][2 + matrix], 4);
        }
      return;
    case MatrixOp::Quad4:
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t other = 0; other < 4; ++other) std::memcpy(out[lane] + 4 * other, in[lane / 4 * 4 + other], 16);
      return;
    case MatrixOp::Load2:
    case MatrixOp::Load4: return load(in, out, matrices_of(op), false);
    case MatrixOp::Load2Turned:
    case MatrixOp::Load4Turned: return load(in, out, matrices_of(op), true);
    case MatrixOp::MultiplyF16:
      return multiply<float, 2>(in, out, [](std::uint32_t word, std::uint32_t i) { return f16_to_float(static_cast<std::uint16_t>(word >> (16 * i))); }, fused);
    case MatrixOp::MultiplyBF16:
      return multiply<float, 2>(in, out, [](std::uint32_t word, std::uint32_t i) { return bf16_to_float(static_cast<std::uint16_t>(word >> (16 * i))); }, fused);
    case MatrixOp::MultiplyTf32:
      return multiply<float, 1>(in, out, [](std::uint32_t word, std::uint32_t) { return std::bit_cast<float>(word & ~0x1fffu); }, fused);
    case MatrixOp::MultiplyI8:
      return multiply<std::int32_t, 4>(in, out, [](std::uint32_t word, std::uint32_t i) { return std::int32_t{static_cast<std::int8_t>(word >> (8 * i))}; }, wrapping);
    case MatrixOp::MultiplyU8:
      return multiply<std::int32_t, 4>(in, out, [](std::uint32_t word, std::uint32_t i) { return std::int32_t{static_cast<std::uint8_t>(word >> (8 * i))}; }, wrapping);
  }
}

}  // namespace phobos::emulate
