// What is known of an integer value before it is computed: bounds, what it is a multiple of, and how it is made of dimensions,
// `ctx` fields and names (language.md, 4). Computed when asked for, from the checked tree alone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <phobos/sema/checked.h>

namespace phobos::sema {

// c + Σ ci · dimension: a number where there are no terms.
struct Bound {
  std::int64_t constant = 0;
  std::map<std::string, std::int64_t> terms;  // by the dimension's name; no coefficient is 0

  bool is_number() const { return terms.empty(); }
  friend bool operator==(const Bound&, const Bound&) = default;
};
std::string to_string(const Bound& bound);  // `2*M - 1`

// Of all values that an expression can have in any thread of any CTA. Arithmetic on `index` and i64 is taken not to overflow;
// narrower integers wrap, and where they could, nothing is claimed.
struct Facts {
  std::optional<Bound> lower, upper;  // both inclusive
  std::int64_t divisor = 1;           // the value is a multiple of it; 0: it is zero
  std::string affine;                 // `64*ctx.block.x + i`; empty where it is no such sum, or nothing but a name or a number
};

// Remembers what it has found, so that asking for all expressions of an item is linear in their number.
class FactFinder {
 public:
  explicit FactFinder(const CheckedItem& item);
  ~FactFinder();
  FactFinder(const FactFinder&) = delete;
  FactFinder& operator=(const FactFinder&) = delete;

  // Without the affine form; nothing for what is no integer.
  Facts of(ExprId expr);
  Facts of(LocalId local);

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

Facts facts_of(const CheckedItem& item, ExprId expr);
Facts facts_of(const CheckedItem& item, LocalId local);

}  // namespace phobos::sema
