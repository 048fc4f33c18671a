// Integers as sums: c0 + Σ ci · atom, where an atom is a name, a `ctx` field or any other expression. Tells when two subscripts
// differ by a constant.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include <phobos/sema/checked.h>

namespace phobos::sema {

struct Affine {
  // (0, local), (1, ctx field · 4 + axis) or (2, expression)
  using Atom = std::pair<int, std::uint32_t>;
  std::map<Atom, std::int64_t> terms;
  std::int64_t constant = 0;

  bool is_constant() const { return terms.empty(); }
  Affine& add(const Affine& other, std::int64_t factor);
};

// `inits` gives the initial values of lets, which are looked through as long as they depend on no variable.
Affine affine_of(const CheckedItem& item, const std::map<LocalId, ExprId>& inits, ExprId expr);

}  // namespace phobos::sema
