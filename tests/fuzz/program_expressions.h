// The expressions of a random program, of what is in scope.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <phobos/support/random.h>

namespace phobos::fuzz {

enum class Kind { Uniform, Warp, Varying };  // as far as the generator cares to know

enum class Element { I32, I64, F32, F16, BF16, F64, I8, U8, Bool };
inline constexpr std::array<const char*, 9> element_names = {"i32", "i64", "f32", "f16", "bf16", "f64", "i8", "u8", "bool"};
inline const char* name_of(Element element) { return element_names[static_cast<std::size_t>(element)]; }
inline bool is_real(Element element) { return element >= Element::F32 && element <= Element::F64; }

struct Scalar {
  std::string name;
  Element element;
  Kind kind;
  bool assignable;
};
struct Tile {
  std::string name;
  Element element;
  int rows, columns;
  bool assignable;
};
struct Scope {
  std::vector<Scalar> scalars;
  std::vector<Tile> tiles;
};

inline constexpr std::array<std::pair<int, int>, 7> shapes = {{{8, 8}, {16, 16}, {4, 16}, {16, 4}, {1, 16}, {16, 1}, {8, 32}}};

class Expressions {
 protected:
  explicit Expressions(std::uint64_t seed) : random_(seed) {}

  // --- randomness ---
  int below(int count) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(count))); }
  bool chance(int percent) { return below(100) < percent; }
  template <class Container>
  const auto& pick(const Container& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }
  std::string pick(std::initializer_list<const char*> from) { return *(from.begin() + below(static_cast<int>(from.size()))); }
  std::string fresh(const char* letter) { return letter + std::to_string(++names_); }

  // --- integer expressions: text and an upper bound of the kind ---
  struct Expr {
    std::string text;
    Kind kind = Kind::Uniform;
  };
  static Kind join(Kind a, Kind b) { return std::max(a, b); }
  const Scalar* some_scalar(Element element, Kind most);
  std::string extent(int n) { return n == 8 && tuned_ && !in_function_ && chance(40) ? "Z" : std::to_string(n); }
  // A thread's own run, folded; it may go past the end, or begin before the start.
  Expr run_i32(Kind most, int depth);
  Expr bits_i32(Kind most, int depth);
  // On elements that are the CTA's own, so that the old value does not depend on who came first.
  Expr atomic_i32(int depth);
  Expr leaf_i32(Kind most);
  Expr i32(Kind most, int depth);
  Expr integer(Element element, Kind most, int depth);
  Expr condition(Kind most, int depth);
  // A function may hold a loop or a return under control, and takes what it is given.
  Expr function_call(Kind most, int depth);

  // --- floats, of about unit size ---
  Expr real(Kind most, int depth);
  static std::string bounded(const std::string& text) { return fmt::format("tmax(-2.0, tmin(2.0, {}))", text); }

  // --- tiles ---
  std::string uniform_offset();
  static const char* tensor_of(Element element);
  // A scalar that meets a tile of that element without changing its type.
  std::string scalar_of(Element element);
  std::string truths(int rows, int columns, int depth);
  const Tile* some_tile(Element element, int rows, int columns);
  std::string tile_leaf(Element element, int rows, int columns);
  std::string tile(Element element, int rows, int columns, int depth);

  SplitMix64 random_;
  int names_ = 0;
  int threads_ = 32;
  bool in_function_ = false, has_tile_function_ = false, has_real_function_ = false, has_element_function_ = false;
  bool tuned_ = false;  // 8 has a name
  Kind control_ = Kind::Uniform;
  Scope scope_;
  std::vector<std::string> functions_;
};

}  // namespace phobos::fuzz
