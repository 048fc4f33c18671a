#include "place.h"

#include <algorithm>
#include <vector>

namespace phobos::ide {

namespace {

bool covers(Span span, std::uint32_t offset) {
  return span.touches(offset) && !span.empty();
}

// Of two that touch the offset, the one that begins there is meant rather than the one that ends there.
bool better(Span a, Span b, std::uint32_t offset) {
  if (a.contains(offset) != b.contains(offset)) return a.contains(offset);
  return a.size() < b.size();
}

bool is_ctx(const syntax::Item& item, syntax::ExprId id) {
  return id.valid() && std::holds_alternative<syntax::CtxExpr>(item[id].node);
}

// The first field of a chain on ctx: `block` of `ctx.block.x`, given either field.
const syntax::FieldExpr* ctx_field_of(const syntax::Item& item, const syntax::FieldExpr& field) {
  if (is_ctx(item, field.object)) return &field;
  if (!field.object.valid()) return nullptr;
  const auto* inner = std::get_if<syntax::FieldExpr>(&item[field.object].node);
  return inner != nullptr && is_ctx(item, inner->object) ? inner : nullptr;
}

bool is_implied(const sema::Expr& expr) {
  const auto* convert = std::get_if<sema::ConvertExpr>(&expr.node);
  return convert != nullptr && !convert->written;
}

std::optional<sema::LocalId> target_of(const sema::Stmt& stmt) {
  if (const auto* assign = std::get_if<sema::Assign>(&stmt.node)) return assign->target;
  if (const auto* store = std::get_if<sema::PointStore>(&stmt.node)) return store->target;
  if (const auto* store = std::get_if<sema::SliceStore>(&stmt.node)) return store->target;
  return std::nullopt;
}

}  // namespace

SyntaxPlace syntax_at(const syntax::Item& item, std::uint32_t offset) {
  std::vector<bool> is_callee(item.exprs.size());
  for (const syntax::Expr& expr : item.exprs) {
    const auto* call = std::get_if<syntax::CallExpr>(&expr.node);
    if (call != nullptr && call->callee.valid()) is_callee[call->callee.value] = true;
  }
  SyntaxPlace place;
  bool found = false;
  for (std::size_t i = 0; i < item.exprs.size(); ++i) {
    const syntax::Expr& expr = item[syntax::ExprId(i)];
    if (!covers(expr.span, offset) || (found && !better(expr.span, place.span, offset))) continue;
    SyntaxPlace candidate{nullptr, nullptr, nullptr, expr.span};
    if (const auto* name = std::get_if<syntax::NameExpr>(&expr.node)) (is_callee[i] ? candidate.callee : candidate.name) = name;
    else if (const auto* field = std::get_if<syntax::FieldExpr>(&expr.node)) candidate.ctx_field = ctx_field_of(item, *field);
    if (!candidate.callee && !candidate.name && !candidate.ctx_field) continue;
    found = true;
    place = candidate;
  }
  return place;
}

sema::ExprId expr_at(const sema::CheckedItem& item, std::uint32_t offset) {
  sema::ExprId best;
  for (std::size_t i = 0; i < item.exprs.size(); ++i) {
    const sema::ExprId id(i);
    const sema::Expr& expr = item[id];
    if (expr.location.origin != 0 || !covers(expr.location.span, offset) || is_implied(expr)) continue;
    if (!best.valid() || better(expr.location.span, item[best].location.span, offset)) best = id;
  }
  return best;
}

sema::LocalId declared_at(const sema::CheckedItem& item, std::uint32_t offset) {
  sema::LocalId best;
  for (std::size_t i = 0; i < item.locals.size(); ++i) {
    const sema::LocalId id(i);
    const Location declared = item[id].declared;
    if (declared.origin != 0 || !covers(declared.span, offset)) continue;
    if (!best.valid() || better(declared.span, item[best].declared.span, offset)) best = id;
  }
  return best;
}

sema::LocalId named_before(const sema::CheckedItem& item, std::uint32_t offset, std::string_view name) {
  sema::LocalId last;
  for (std::size_t i = 0; i < item.locals.size(); ++i) {
    const sema::Local& local = item[sema::LocalId(i)];
    if (local.declared.origin == 0 && local.declared.span.begin <= offset && local.name == name) last = sema::LocalId(i);
  }
  return last;
}

sema::LocalId target_at(const sema::CheckedItem& item, std::uint32_t offset, std::string_view name) {
  sema::LocalId best;
  Span best_span;
  for (const sema::Stmt& stmt : item.stmts) {
    const std::optional<sema::LocalId> target = target_of(stmt);
    const Span span = stmt.location.span;
    if (!target || !target->valid() || stmt.location.origin != 0 || !covers(span, offset) || item[*target].name != name) continue;
    if (!best.valid() || better(span, best_span, offset)) best = *target, best_span = span;
  }
  return best;
}

DimensionPlace dimension_at(const sema::CheckedItem& item, std::uint32_t offset) {
  for (const syntax::Parameter& parameter : item.item->parameters)
    for (const syntax::DimSyntax& dim : parameter.type.dims) {
      const auto* name = std::get_if<std::string>(&dim.value);
      if (name == nullptr || !covers(dim.span, offset)) continue;
      for (std::size_t i = 0; i < item.locals.size(); ++i) {
        const sema::Local& local = item[sema::LocalId(i)];
        const bool fits = local.form == sema::Local::Form::Dimension || local.form == sema::Local::Form::Autotune;
        if (fits && local.declared.origin == 0 && local.name == *name) return {sema::LocalId(i), dim.span};
      }
    }
  return {};
}

}  // namespace phobos::ide
