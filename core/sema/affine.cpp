#include "affine.h"

namespace phobos::sema {

Affine& Affine::add(const Affine& other, std::int64_t factor) {
  const auto wrap = [](std::int64_t a, std::int64_t b, std::int64_t f) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b) * static_cast<std::uint64_t>(f));
  };
  constant = wrap(constant, other.constant, factor);
  for (const auto& [atom, coefficient] : other.terms) {
    std::int64_t& mine = terms[atom];
    mine = wrap(mine, coefficient, factor);
    if (mine == 0) terms.erase(atom);
  }
  return *this;
}

namespace {

class Former {
 public:
  Former(const CheckedItem& item, const std::map<LocalId, ExprId>& inits) : item_(item), inits_(inits) {}

  Affine form(ExprId id, int depth = 0) {
    const Expr& expr = item_[id];
    if (expr.constant)
      if (const auto* value = std::get_if<std::int64_t>(&expr.constant->value)) return {{}, *value};
    if (depth > 64) return atom(2, id.value);
    if (const auto* local = std::get_if<LocalExpr>(&expr.node)) return form_of(local->local, depth);
    if (const auto* ctx = std::get_if<CtxExpr>(&expr.node))
      return atom(1, static_cast<std::uint32_t>(ctx->field) * 4 + static_cast<std::uint32_t>(ctx->axis));
    if (const auto* convert = std::get_if<ConvertExpr>(&expr.node)) {
      const Type& from = item_[convert->operand].type;
      if (from.is_scalar() && is_integer(from.element) && expr.type.is_scalar() && size_of(expr.type.element) >= size_of(from.element) &&
          is_integer(expr.type.element))
        return form(convert->operand, depth + 1);
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&expr.node); unary && unary->op == UnaryOp::Negate)
      return Affine().add(form(unary->operand, depth + 1), -1);
    if (const auto* binary = std::get_if<BinaryExpr>(&expr.node); binary && expr.type.is_scalar()) {
      const Affine left = form(binary->left, depth + 1), right = form(binary->right, depth + 1);
      if (binary->op == BinaryOp::Add) return Affine(left).add(right, 1);
      if (binary->op == BinaryOp::Sub) return Affine(left).add(right, -1);
      if (binary->op == BinaryOp::Mul && left.is_constant()) return Affine().add(right, left.constant);
      if (binary->op == BinaryOp::Mul && right.is_constant()) return Affine().add(left, right.constant);
    }
    return atom(2, id.value);
  }

 private:
  // Each local once: a chain of `let b = a + a` would otherwise double the work at every link.
  Affine form_of(LocalId local, int depth) {
    if (const auto known = known_.find(local); known != known_.end()) return known->second;
    Affine result = atom(0, local.value);
    if (const auto init = inits_.find(local); init != inits_.end()) {
      Affine inner = form(init->second, depth + 1);
      if (!mentions_variable(inner)) result = std::move(inner);
    }
    known_.emplace(local, result);
    return result;
  }

  static Affine atom(int kind, std::uint32_t id) { return {{{{kind, id}, 1}}, 0}; }
  bool mentions_variable(const Affine& affine) const {
    for (const auto& [atom, coefficient] : affine.terms)
      if (atom.first == 2 || (atom.first == 0 && item_[LocalId(atom.second)].form == Local::Form::Var)) return true;
    return false;
  }

  const CheckedItem& item_;
  const std::map<LocalId, ExprId>& inits_;
  std::map<LocalId, Affine> known_;
};

}  // namespace

Affine affine_of(const CheckedItem& item, const std::map<LocalId, ExprId>& inits, ExprId expr) { return Former(item, inits).form(expr); }

}  // namespace phobos::sema
