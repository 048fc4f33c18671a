#include <phobos/ide/refactoring.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <phobos/ide/navigation.h>

namespace phobos::ide {

namespace {

using Form = Symbol::Form;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// One item of the file; spans are of the item.
class Item {
 public:
  Item(const File& file, const ItemView& view) : file_(file), view_(view), item_(view.item()), index_(view.index()) {}

  std::optional<Refactoring> extracted(Span selection) const {
    while (selection.begin < selection.end && is_blank(item_.text[selection.begin])) ++selection.begin;
    while (selection.end > selection.begin && is_blank(item_.text[selection.end - 1])) --selection.end;
    const syntax::ExprId expr = selected(selection);
    if (!expr.valid() || !is_value(expr) || is_literal(expr)) return std::nullopt;
    const syntax::Stmt* stmt = statement_of(item_[expr].span);
    if (stmt == nullptr || !may_come_before(*stmt, item_[expr].span)) return std::nullopt;
    const std::uint32_t at = stmt->span.begin;
    const std::size_t line = item_.text.rfind('\n', at) + 1;
    if (at == 0 || item_.text.find_first_not_of(" \t", line) != at) return std::nullopt;  // the statement does not begin its line
    const std::string name = free_name(at);
    const std::string before = fmt::format("let {} = {}\n{}", name, text_of(item_[expr].span), item_.text.substr(line, at - line));
    return Refactoring{Refactoring::Sort::Extract, "Extract to `let`", {{view_.absolute(Span{at, at}), before}, {view_.absolute(item_[expr].span), name}}};
  }

  std::optional<Refactoring> inlined(std::uint32_t offset) const {
    const Occurrence* there = index_.at(offset);
    if (there == nullptr || index_[there->symbol].form != Form::Let) return std::nullopt;
    const Symbol& symbol = index_[there->symbol];
    const syntax::Stmt* stmt = declaration_of(symbol);
    if (stmt == nullptr) return std::nullopt;
    const auto& let = std::get<syntax::LetStmt>(stmt->node);
    if (let.type || !let.init.valid() || !is_pure(let.init) || is_literal(let.init)) return std::nullopt;
    const std::optional<Span> line = own_line(stmt->span);
    if (!line) return std::nullopt;
    Refactoring result{Refactoring::Sort::Inline, fmt::format("Inline `{}`", symbol.name), {{view_.absolute(*line), ""}}};
    for (const Occurrence& each : index_.occurrences) {
      if (each.symbol != there->symbol || each.role == Role::Declaration) continue;
      if (each.role != Role::Read || !means_the_same(let.init, each.span.begin)) return std::nullopt;
      result.edits.push_back({view_.absolute(each.span), as_operand(let.init)});
    }
    if (result.edits.size() == 1) return std::nullopt;
    return result;
  }

  std::optional<Refactoring> launched(std::uint32_t offset) const {
    if (!view_.is_kernel() || item_.name.missing || offset > item_.body_span.begin) return std::nullopt;
    const auto& all = item_.attributes;
    if (std::any_of(all.begin(), all.end(), [](const syntax::Attribute& each) { return each.name.text == "launch"; })) return std::nullopt;
    const std::size_t keyword = item_.text.rfind("kernel", item_.name.span.begin);
    if (keyword == std::string::npos) return std::nullopt;
    const auto at = static_cast<std::uint32_t>(keyword);
    const std::uint32_t head = all.empty() ? at : std::min(at, all.front().span.begin);
    return Refactoring{Refactoring::Sort::Rewrite, "Add `@launch(256)`", {{view_.absolute(Span{head, head}), "@launch(256)\n"}}};
  }

 private:
  std::string text_of(Span span) const { return item_.text.substr(span.begin, span.size()); }

  syntax::ExprId selected(Span selection) const {
    for (std::size_t i = 0; i < item_.exprs.size(); ++i)
      if (item_[syntax::ExprId(i)].span == selection && !selection.empty()) return syntax::ExprId(i);
    return {};
  }

  // Whether the expression is one that a `let` can have: not what is called or assigned to, and no word of a `ctx` field.
  bool is_value(syntax::ExprId id) const {
    const auto& node = item_[id].node;
    if (std::holds_alternative<syntax::ErrorExpr>(node) || std::holds_alternative<syntax::NameExpr>(node) || std::holds_alternative<syntax::CtxExpr>(node) || std::holds_alternative<syntax::RunExpr>(node)) return false;
    for (const syntax::Expr& expr : item_.exprs) {
      if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node); call && call->callee == id) return false;
      if (const auto* field = std::get_if<syntax::FieldExpr>(&expr.node); field && field->object == id) return false;
      if (const auto* element = std::get_if<syntax::SubscriptExpr>(&expr.node); element && element->object == id) return false;
    }
    for (const syntax::Stmt& stmt : item_.stmts) {
      if (const auto* assign = std::get_if<syntax::AssignStmt>(&stmt.node); assign && assign->target == id) return false;
      if (const auto* alone = std::get_if<syntax::ExprStmt>(&stmt.node); alone && alone->expr == id) return false;
    }
    return true;
  }

  // The innermost statement around a span.
  const syntax::Stmt* statement_of(Span span) const {
    const syntax::Stmt* best = nullptr;
    for (const syntax::Stmt& stmt : item_.stmts)
      if (stmt.span.begin <= span.begin && span.end <= stmt.span.end && (best == nullptr || stmt.span.size() < best->span.size())) best = &stmt;
    return best;
  }

  // Whether the expression is evaluated once, always, and first when the statement runs: not so a loop's condition, an `else if`, or
  // what stands behind `&&`.
  bool may_come_before(const syntax::Stmt& stmt, Span span) const {
    if (std::holds_alternative<syntax::WhileStmt>(stmt.node)) return false;
    if (std::holds_alternative<syntax::IfStmt>(stmt.node) && item_.text.find_last_not_of(" \t", stmt.span.begin - 1) != std::string::npos) {
      const std::size_t before = item_.text.find_last_not_of(" \t\n\r", stmt.span.begin - 1);
      if (before != std::string::npos && before >= 3 && item_.text.compare(before - 3, 4, "else") == 0) return false;
    }
    return std::none_of(item_.exprs.begin(), item_.exprs.end(), [&](const syntax::Expr& expr) {
      const auto* binary = std::get_if<syntax::BinaryExpr>(&expr.node);
      if (binary == nullptr || !syntax::is_logical(binary->op) || !binary->right.valid()) return false;
      const Span right = item_[binary->right].span;
      return right.begin <= span.begin && span.end <= right.end;
    });
  }

  std::string free_name(std::uint32_t) const {
    for (int i = 1;; ++i) {
      const std::string name = i == 1 ? "value" : fmt::format("value{}", i);
      if (std::none_of(index_.symbols.begin(), index_.symbols.end(), [&](const Symbol& each) { return each.name == name; }) && file_.named(name) == nullptr) return name;
    }
  }

  const syntax::Stmt* declaration_of(const Symbol& symbol) const {
    for (const syntax::Stmt& stmt : item_.stmts)
      if (const auto* let = std::get_if<syntax::LetStmt>(&stmt.node); let && let->name.span == symbol.declared) return &stmt;
    return nullptr;
  }

  // A built-in that computes an element of each element: of the type of what it is given.
  bool is_elementwise(const syntax::CallExpr& call) const {
    const auto* callee = call.callee.valid() ? std::get_if<syntax::NameExpr>(&item_[call.callee].node) : nullptr;
    const Occurrence* there = callee ? index_.at(item_[call.callee].span.begin) : nullptr;
    const auto builtin = there && index_[there->symbol].form == Form::Builtin ? builtins::find(callee->name) : std::nullopt;
    return builtin && builtins::row(*builtin).needs == builtins::Needs::CtaIfTile;
  }

  // Reads nothing that can change, and does nothing.
  bool is_pure(syntax::ExprId id) const {
    if (!id.valid()) return true;
    const auto& node = item_[id].node;
    if (const auto* paren = std::get_if<syntax::ParenExpr>(&node)) return is_pure(paren->inner);
    if (const auto* unary = std::get_if<syntax::UnaryExpr>(&node)) return is_pure(unary->operand);
    if (const auto* binary = std::get_if<syntax::BinaryExpr>(&node)) return is_pure(binary->left) && is_pure(binary->right);
    if (const auto* field = std::get_if<syntax::FieldExpr>(&node)) return is_pure(field->object);
    if (const auto* call = std::get_if<syntax::CallExpr>(&node)) {
      return is_elementwise(*call) && std::all_of(call->arguments.begin(), call->arguments.end(), [&](syntax::ExprId each) { return is_pure(each); });
    }
    if (std::holds_alternative<syntax::NameExpr>(node)) {
      const Occurrence* there = index_.at(item_[id].span.begin);
      if (there == nullptr) return false;
      const Symbol& symbol = index_[there->symbol];
      const sema::Type* type = symbol.local ? &view_.checked()[symbol.local].type : nullptr;
      return is_local(symbol.form) && symbol.form != Form::Var && type != nullptr && type->is_scalar();
    }
    return std::holds_alternative<syntax::IntLiteral>(node) || std::holds_alternative<syntax::FloatLiteral>(node) ||
           std::holds_alternative<syntax::BoolLiteral>(node) || std::holds_alternative<syntax::CtxExpr>(node);
  }

  // Made of nothing but numbers: a name has a type of its own, and a number takes that of its place, through a built-in as well.
  bool is_literal(syntax::ExprId id) const {
    if (!id.valid()) return true;
    const auto& node = item_[id].node;
    if (const auto* paren = std::get_if<syntax::ParenExpr>(&node)) return is_literal(paren->inner);
    if (const auto* unary = std::get_if<syntax::UnaryExpr>(&node)) return is_literal(unary->operand);
    if (const auto* binary = std::get_if<syntax::BinaryExpr>(&node)) return is_literal(binary->left) && is_literal(binary->right);
    if (const auto* call = std::get_if<syntax::CallExpr>(&node)) {
      return is_elementwise(*call) && std::all_of(call->arguments.begin(), call->arguments.end(), [&](syntax::ExprId each) { return is_literal(each); });
    }
    return std::holds_alternative<syntax::IntLiteral>(node) || std::holds_alternative<syntax::FloatLiteral>(node);
  }

  bool means_the_same(syntax::ExprId id, std::uint32_t place) const {
    const Span init = item_[id].span;
    return std::all_of(index_.occurrences.begin(), index_.occurrences.end(), [&](const Occurrence& each) {
      if (each.span.begin < init.begin || each.span.end > init.end || !is_local(index_[each.symbol].form)) return true;
      return index_.meaning(index_[each.symbol].name, place) == each.symbol;
    });
  }

  std::string as_operand(syntax::ExprId id) const {
    const auto& node = item_[id].node;
    const bool binds = std::holds_alternative<syntax::BinaryExpr>(node) || std::holds_alternative<syntax::UnaryExpr>(node);
    const std::string text = text_of(item_[id].span);
    return binds ? "(" + text + ")" : text;
  }

  // The line of a statement that has one to itself, its end included.
  std::optional<Span> own_line(Span stmt) const {
    const std::string& text = item_.text;
    const std::size_t line = text.rfind('\n', stmt.begin) + 1;
    if (stmt.begin == 0 || text.find_first_not_of(" \t", line) != stmt.begin) return std::nullopt;
    const std::size_t end = text.find('\n', stmt.end);
    if (end == std::string::npos || text.find_first_not_of(" \t\r", stmt.end) != end) return std::nullopt;
    return Span{static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(end + 1)};
  }

  const File& file_;
  const ItemView& view_;
  const syntax::Item& item_;
  const Index& index_;
};

}  // namespace

std::vector<Refactoring> refactorings(const File& file, Span range) {
  std::vector<Refactoring> found;
  const ItemView* view = file.item_at(range.begin);
  if (view == nullptr || range.end > view->span.end) return found;
  const Item item(file, *view);
  const Span own = range.shifted(-static_cast<std::int64_t>(view->offset));
  const auto add = [&](std::optional<Refactoring> one) {
    if (!one) return;
    std::stable_sort(one->edits.begin(), one->edits.end(), [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
    found.push_back(std::move(*one));
  };
  if (!own.empty()) add(item.extracted(own));
  add(item.inlined(own.begin));
  add(item.launched(own.begin));
  return found;
}

}  // namespace phobos::ide
