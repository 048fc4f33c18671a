// What stands at an offset of an item: in the syntax tree, where every name that was written is, and in the checked tree, where
// its meaning is.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <phobos/sema/checked.h>

namespace phobos::ide {

struct SyntaxPlace {
  const syntax::NameExpr* callee = nullptr;  // the offset is in the name of what is called
  const syntax::FieldExpr* ctx_field = nullptr;  // or in a field of ctx, its axis or `ctx` itself
  const syntax::NameExpr* name = nullptr;    // or in any other name
  Span span;                                 // of that
};
SyntaxPlace syntax_at(const syntax::Item& item, std::uint32_t offset);

// The smallest expression of the item itself, conversions that nobody wrote left aside; none where there is none.
sema::ExprId expr_at(const sema::CheckedItem& item, std::uint32_t offset);
// What is declared by the name at the offset.
sema::LocalId declared_at(const sema::CheckedItem& item, std::uint32_t offset);
// What a name that is assigned to at the offset means: it is no expression of the checked tree.
sema::LocalId target_at(const sema::CheckedItem& item, std::uint32_t offset, std::string_view name);
// The last local of that name that is declared before the offset.
sema::LocalId named_before(const sema::CheckedItem& item, std::uint32_t offset, std::string_view name);
// The dimension whose name stands at the offset in a parameter's type, with where.
struct DimensionPlace {
  sema::LocalId local;
  Span span;
};
DimensionPlace dimension_at(const sema::CheckedItem& item, std::uint32_t offset);

}  // namespace phobos::ide
