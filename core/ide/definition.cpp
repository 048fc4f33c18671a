#include <algorithm>

#include <phobos/ide/navigation.h>

namespace phobos::ide {

namespace {

const syntax::LetStmt* declaring_let(const syntax::Item& item, Span name, Span& whole) {
  for (const syntax::Stmt& stmt : item.stmts)
    if (const auto* let = std::get_if<syntax::LetStmt>(&stmt.node); let && let->name.span == name) {
      whole = stmt.span;
      return let;
    }
  return nullptr;
}

const syntax::Parameter* declaring_parameter(const syntax::Item& item, Span name) {
  const auto found = std::find_if(item.parameters.begin(), item.parameters.end(), [&](const syntax::Parameter& each) { return each.name.span == name; });
  return found == item.parameters.end() ? nullptr : &*found;
}

Target to_item(const ItemView& item, Span from) {
  return {from, item.absolute(item.item().name.span), item.span};
}

// Follows initialisers from name to name, as long as each is declared before.
std::optional<Target> written_type(const File& file, const ItemView& item, SymbolId symbol, Span from) {
  const syntax::Item& syntax = item.item();
  for (const Symbol* at = &item.index()[symbol]; is_local(at->form);) {
    if (const auto* parameter = declaring_parameter(syntax, at->declared)) return Target{from, item.absolute(parameter->type.span), item.absolute(parameter->span)};
    Span whole;
    const syntax::LetStmt* let = declaring_let(syntax, at->declared, whole);
    if (let == nullptr) return std::nullopt;
    if (let->type) return Target{from, item.absolute(let->type->span), item.absolute(whole)};
    if (!let->init.valid()) return std::nullopt;
    const syntax::Expr& init = syntax[let->init];
    if (const auto* call = std::get_if<syntax::CallExpr>(&init.node); call && call->callee.valid()) {
      const auto* callee = std::get_if<syntax::NameExpr>(&syntax[call->callee].node);
      const ItemView* function = callee ? file.named(callee->name) : nullptr;
      if (function == nullptr || !function->item().result) return std::nullopt;
      return Target{from, function->absolute(function->item().result->span), function->span};
    }
    const auto* name = std::get_if<syntax::NameExpr>(&init.node);
    if (name == nullptr) return std::nullopt;
    const SymbolId next = item.index().meaning(name->name, init.span.begin);
    if (!next || item.index()[next].declared.begin >= at->declared.begin) return std::nullopt;
    at = &item.index()[next];
  }
  return std::nullopt;
}

}  // namespace

std::optional<Target> definition(const File& file, std::uint32_t offset) {
  const auto subject = subject_at(file, offset);
  if (!subject) return std::nullopt;
  const Symbol& symbol = subject->what();
  if (symbol.form == Symbol::Form::Item) {
    const ItemView* item = subject->role == Role::Declaration ? subject->item : file.named(symbol.name);
    if (item == nullptr) return std::nullopt;
    return to_item(*item, subject->span);
  }
  if (!is_local(symbol.form)) return std::nullopt;
  Target target{subject->span, subject->item->absolute(symbol.declared), {}};
  target.whole = target.name;
  Span whole;
  if (const auto* parameter = declaring_parameter(subject->item->item(), symbol.declared)) target.whole = subject->item->absolute(parameter->span);
  else if (declaring_let(subject->item->item(), symbol.declared, whole)) target.whole = subject->item->absolute(whole);
  return target;
}

std::optional<Target> type_definition(const File& file, std::uint32_t offset) {
  const auto subject = subject_at(file, offset);
  if (!subject || !is_local(subject->what().form)) return std::nullopt;
  return written_type(file, *subject->item, subject->symbol, subject->span);
}

}  // namespace phobos::ide
