#include <phobos/ide/inlay_hints.h>

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace phobos::ide {

namespace {

using Sort = InlayHint::Sort;

class Hinter {
 public:
  Hinter(const File& file, const ItemView& item, const HintOptions& options, std::vector<InlayHint>& hints, std::set<std::uint32_t>* decided = nullptr)
      : file_(file), item_(item), checked_(item.checked()), syntax_(item.item()), options_(options), hints_(hints), decided_(decided) {}

  void run() {
    for (const syntax::Stmt& stmt : syntax_.stmts) {
      if (const auto* let = std::get_if<syntax::LetStmt>(&stmt.node); let && !let->name.missing) declaration(*let, stmt.span);
      if (const auto* loop = std::get_if<syntax::ForStmt>(&stmt.node); loop && !loop->variable.missing) kind(loop->variable);
    }
    if (options_.parameter_names || decided_ != nullptr)
      for (const syntax::Expr& expr : syntax_.exprs)
        if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node)) arguments(*call);
  }

 private:
  void add(std::uint32_t at, std::string text, Sort sort, std::uint32_t about) {
    hints_.push_back({item_.offset + at, std::move(text), sort, item_.offset + about});
  }

  void decide(std::uint32_t at) {
    if (decided_ != nullptr) decided_->insert(item_.offset + at);
  }

  const sema::Local* local_of(const syntax::Name& name, sema::LocalId& id) {
    const Occurrence* there = item_.index().at(name.span.begin);
    if (there == nullptr || there->span != name.span) return nullptr;
    id = item_.index()[there->symbol].local;
    if (!id) return nullptr;
    if (!checked_[id].type.is_error()) decide(name.span.begin);
    return &checked_[id];
  }

  void kind(const syntax::Name& name) {
    sema::LocalId id;
    const sema::Local* local = local_of(name, id);
    const auto& kinds = item_.analysis->kinds.local_kinds;
    if (!options_.kinds || local == nullptr || local->type.is_error() || local->type.is_tile() || !kinds.contains(id) || kinds[id] == Kind::Uniform) return;
    add(name.span.end, fmt::format(": {}", name_of(kinds[id])), Sort::Kind, name.span.begin);
  }

  void declaration(const syntax::LetStmt& let, Span whole) {
    sema::LocalId id;
    const sema::Local* local = local_of(let.name, id);
    if (local == nullptr || local->type.is_error()) return;
    if (options_.shapes && !let.type && (local->type.is_tile() || local->type.is_run()))
      add(let.name.span.end, ": " + sema::to_string(local->type), Sort::Shape, let.name.span.begin);
    kind(let.name);
    if (options_.constants && local->constant && let.init.valid() && !says_it(syntax_[let.init]))
      add(std::max(whole.begin, syntax_[let.init].span.end), " = " + sema::to_string(*local->constant), Sort::Constant, let.name.span.begin);
  }

  // Whether the expression is its own value: a literal.
  bool says_it(const syntax::Expr& expr) const {
    const auto& node = expr.node;
    if (const auto* unary = std::get_if<syntax::UnaryExpr>(&node)) return unary->operand.valid() && says_it(syntax_[unary->operand]);
    if (const auto* paren = std::get_if<syntax::ParenExpr>(&node)) return paren->inner.valid() && says_it(syntax_[paren->inner]);
    return std::holds_alternative<syntax::IntLiteral>(node) || std::holds_alternative<syntax::FloatLiteral>(node) || std::holds_alternative<syntax::BoolLiteral>(node);
  }

  void arguments(const syntax::CallExpr& call) {
    const auto* callee = call.callee.valid() ? std::get_if<syntax::NameExpr>(&syntax_[call.callee].node) : nullptr;
    if (callee == nullptr) return;
    const auto function = std::find_if(checked_.functions.begin(), checked_.functions.end(), [&](const auto& each) { return each->name.text == callee->name; });
    if (function == checked_.functions.end()) return;
    const auto& parameters = (*function)->parameters;
    const ItemView* defined = file_.named(callee->name);
    for (std::size_t i = 0; i < std::min(call.arguments.size(), parameters.size()); ++i) {
      if (!call.arguments[i].valid() || parameters[i].name.missing) continue;
      const syntax::Expr& argument = syntax_[call.arguments[i]];
      decide(argument.span.begin);
      if (!options_.parameter_names) continue;
      const auto* name = std::get_if<syntax::NameExpr>(&argument.node);
      if (name != nullptr && name->name == parameters[i].name.text) continue;
      add(argument.span.begin, parameters[i].name.text + ":", Sort::ParameterName, argument.span.begin);
      if (defined != nullptr) hints_.back().about = defined->absolute(parameters[i].name.span).begin;
    }
  }

  const File& file_;
  const ItemView& item_;
  const sema::CheckedItem& checked_;
  const syntax::Item& syntax_;
  const HintOptions& options_;
  std::vector<InlayHint>& hints_;
  std::set<std::uint32_t>* decided_;  // places of names and arguments of which is known whether they have a hint
};

// Of a broken item: what was shown on lines that are as they were, where nothing is known now.
void add_known_before(const File& file, const ItemView& item, const HintOptions& options, const std::set<std::uint32_t>& decided, std::vector<InlayHint>& hints) {
  const LastGood& good = *item.good;
  ItemView then = item;
  then.offset = 0;
  then.analysis = std::shared_ptr<const Analysis>(item.good, &good.analysis());
  std::vector<InlayHint> shown;
  Hinter(file, then, options, shown).run();
  for (InlayHint& each : shown) {
    const std::optional<Span> now = good.now({each.at, each.at});
    if (!now || !good.keeps_line_of(each.at)) continue;
    const bool is_name = each.sort == InlayHint::Sort::ParameterName;
    const std::optional<Span> about = is_name ? now : good.now({each.about, each.about});
    if (!about || decided.contains(item.offset + about->begin)) continue;
    if (!is_name || each.about == each.at) each.about = item.offset + about->begin;
    each.at = item.offset + now->begin;
    hints.push_back(std::move(each));
  }
}

}  // namespace

std::vector<InlayHint> inlay_hints(const File& file, Span range, const HintOptions& options) {
  std::vector<InlayHint> hints;
  for (const ItemView& item : file.items)
    if (item.span.begin <= range.end && range.begin <= item.span.end) {
      std::set<std::uint32_t> decided;
      Hinter(file, item, options, hints, item.good ? &decided : nullptr).run();
      if (item.good) add_known_before(file, item, options, decided, hints);
    }
  std::erase_if(hints, [&](const InlayHint& each) { return !range.touches(each.at); });
  std::stable_sort(hints.begin(), hints.end(), [](const InlayHint& a, const InlayHint& b) { return a.at < b.at; });
  return hints;
}

}  // namespace phobos::ide
