#include <phobos/ide/index.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <phobos/support/scalar_type.h>
#include <phobos/syntax/lexer.h>

#include "run_words.h"

namespace phobos::ide {

namespace {

using syntax::Lexeme;
using syntax::Tok;
using Form = Symbol::Form;

class Maker {
 public:
  explicit Maker(const sema::CheckedItem& item) : checked_(item), item_(*item.item), text_(item_.text) {}

  Index make() {
    std::vector<diag::Diagnostic> told;
    tokens_ = syntax::lex(text_, told);
    partner_ = syntax::pair_brackets(tokens_);
    declare_head();
    declare_body();
    note_places();
    connect_locals();
    read_tokens();
    index_.run_names = run_names(item_);
    fold();
    return std::move(index_);
  }

 private:
  Span whole() const { return {0, static_cast<std::uint32_t>(text_.size())}; }
  std::string_view text_at(Span span) const { return std::string_view(text_).substr(span.begin, span.size()); }

  void declare(Form form, const std::string& name, Span at, Span visible) {
    if (name.empty() || at.end > text_.size() || at.empty() || text_at(at) != name || declared_.contains(at.begin)) return;
    const SymbolId id = index_.symbols.add({form, name, at, visible, {}});
    declared_.emplace(at.begin, id);
    by_name_[name].push_back(id);
  }

  void declare_head() {
    for (const syntax::Attribute& attribute : item_.attributes)
      if (attribute.name.text == "autotune" || attribute.name.text == "cluster")
        for (const syntax::AttributeArgument& argument : attribute.arguments) {
          const auto* alone = argument.form == syntax::AttributeArgument::Form::Value ? std::get_if<std::string>(&argument.value) : nullptr;
          if (alone != nullptr) declare(Form::Constant, *alone, argument.span, whole());
          else if (!argument.name.missing) declare(Form::Constant, argument.name.text, argument.name.span, whole());
        }
    for (const syntax::Parameter& parameter : item_.parameters) {
      if (!parameter.name.missing) declare(Form::Parameter, parameter.name.text, parameter.name.span, whole());
      for (const syntax::DimSyntax& dim : parameter.type.dims)
        if (const auto* name = std::get_if<std::string>(&dim.value); name && !by_name_.contains(*name))
          declare(Form::Dimension, *name, dim.span, whole());
    }
  }

  // A declaration's name is known behind the whole of it, to the end of its block; a loop's variable in the loop's body.
  void declare_body() {
    struct Found {
      Form form;
      const syntax::Name* name;
      std::uint32_t from;
      Span loop;
    };
    std::vector<Found> found;
    for (const syntax::Stmt& stmt : item_.stmts) {
      if (const auto* let = std::get_if<syntax::LetStmt>(&stmt.node); let && !let->name.missing)
        found.push_back({let->is_var ? Form::Var : Form::Let, &let->name, stmt.span.end, {}});
      if (const auto* loop = std::get_if<syntax::ForStmt>(&stmt.node); loop && !loop->variable.missing) {
        std::uint32_t from = loop->variable.span.end;
        for (const syntax::ExprId bound : {loop->begin, loop->end, loop->step})
          if (bound.valid()) from = std::max(from, item_[bound].span.end);
        found.push_back({Form::LoopVariable, &loop->variable, from, stmt.span});
      }
    }
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.name->span.begin < b.name->span.begin; });
    std::vector<std::uint32_t> open;  // the ends of the blocks around
    std::size_t token = 0;
    for (const Found& each : found) {
      for (; tokens_[token].kind != Tok::End && tokens_[token].begin < each.name->span.begin; ++token) {
        if (tokens_[token].kind == Tok::LeftBrace)
          open.push_back(partner_[token] == syntax::no_partner ? whole().end : tokens_[partner_[token]].begin);
        if (tokens_[token].kind == Tok::RightBrace && !open.empty() && partner_[token] != syntax::no_partner) open.pop_back();
      }
      const std::uint32_t end = each.form == Form::LoopVariable ? each.loop.end : open.empty() ? whole().end : open.back();
      declare(each.form, each.name->text, each.name->span, {std::min(each.from, end), end});
    }
  }

  void note_type(const syntax::TypeSyntax& type) {
    if (type.form == syntax::TypeSyntax::Form::Error) return;
    types_.push_back(type.span.begin);
    if (!type.element.missing) types_.push_back(type.element.span.begin);
  }

  // What the tree knows of a name and its words do not say.
  void note_places() {
    for (const syntax::Parameter& parameter : item_.parameters) note_type(parameter.type);
    if (item_.result) note_type(*item_.result);
    for (const syntax::Stmt& stmt : item_.stmts) {
      if (const auto* let = std::get_if<syntax::LetStmt>(&stmt.node); let && let->type) note_type(*let->type);
      const auto* assign = std::get_if<syntax::AssignStmt>(&stmt.node);
      if (assign == nullptr || !assign->target.valid()) continue;
      syntax::ExprId target = assign->target;
      if (const auto* element = std::get_if<syntax::SubscriptExpr>(&item_[target].node)) target = element->object;
      if (target.valid() && std::holds_alternative<syntax::NameExpr>(item_[target].node)) written_.push_back(item_[target].span.begin);
    }
    for (const syntax::Expr& expr : item_.exprs)
      if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node)) {
        if (call->fold) folds_.push_back(call->fold->span);
        if (call->callee.valid()) called_.push_back(item_[call->callee].span.begin);
      }
    for (const syntax::Attribute& attribute : item_.attributes) attributes_.push_back(attribute.span);
    for (auto* all : {&types_, &written_, &called_}) std::sort(all->begin(), all->end());
  }

  void connect_locals() {
    for (std::size_t i = 0; i < checked_.locals.size(); ++i) {
      const sema::LocalId id(i);
      const sema::Local& local = checked_[id];
      if (local.declared.origin != 0 || local.is_argument) continue;
      const auto there = declared_.find(local.declared.span.begin);
      if (there != declared_.end() && index_.symbols[there->second].name == local.name) index_.symbols[there->second].local = id;
    }
  }

  SymbolId named(Form form, std::string_view name) {
    const auto [there, fresh] = others_.try_emplace(std::string(1, static_cast<char>('a' + static_cast<int>(form))) + std::string(name));
    if (fresh) there->second = index_.symbols.add({form, std::string(name), {}, {}, {}});
    return there->second;
  }

  SymbolId local(std::string_view name, std::uint32_t offset) const {
    const auto there = by_name_.find(std::string(name));
    if (there == by_name_.end()) return {};
    for (auto id = there->second.rbegin(); id != there->second.rend(); ++id)
      if (const Span visible = index_[*id].visible; visible.begin <= offset && offset < std::max(visible.end, visible.begin + 1)) return *id;
    return {};
  }

  bool calls_item(std::string_view name) const {
    return std::any_of(checked_.functions.begin(), checked_.functions.end(), [&](const auto& each) { return each->name.text == name; });
  }

  static bool has(const std::vector<std::uint32_t>& sorted, std::uint32_t offset) { return std::binary_search(sorted.begin(), sorted.end(), offset); }
  static bool in(const std::vector<Span>& spans, std::uint32_t offset) {
    return std::any_of(spans.begin(), spans.end(), [&](Span span) { return span.contains(offset); });
  }

  Tok kind_at(std::size_t i) const { return i < tokens_.size() ? tokens_[i].kind : Tok::End; }
  Tok before(std::size_t i, std::size_t by = 1) const { return i < by ? Tok::End : tokens_[i - by].kind; }

  void read_tokens() {
    for (std::size_t i = 0; kind_at(i) != Tok::End; ++i) {
      const Lexeme& token = tokens_[i];
      if (token.kind == Tok::Ctx) add(token.span(), named(Form::Ctx, "ctx"));
      if (token.kind == Tok::Name) read_name(i, text_at(token.span()));
    }
  }

  void add(Span span, SymbolId symbol, Role role = Role::Read) { index_.occurrences.push_back({span, symbol, role}); }

  void read_name(std::size_t i, std::string_view name) {
    const Span span = tokens_[i].span();
    if (const auto own = declared_.find(span.begin); own != declared_.end()) return add(span, own->second, Role::Declaration);
    if (!item_.name.missing && item_.name.span == span) return add(span, named(Form::Item, name), Role::Declaration);
    if (before(i) == Tok::At) return add(span, named(Form::Attribute, name));
    if (before(i) == Tok::Dot) return add(span, field(i, name));
    const bool of_fold = before(i) == Tok::Less && (in(folds_, span.begin) || before(i, 2) == Tok::For);
    if (of_fold && (name == "over" || name == "xor" || name == "up" || name == "down" || name == "from" || name == "unroll"))
      return add(span, named(Form::Word, name));
    if (has(types_, span.begin)) return add(span, named(Form::Type, name));
    if (const SymbolId known = local(name, span.begin)) return add(span, known, has(written_, span.begin) ? Role::Write : Role::Read);
    if (before(i) == Tok::In && name == "range") return add(span, named(Form::Word, name));
    if (in(attributes_, span.begin)) return add(span, named(Form::Word, name));
    add(span, foreign(i, name));
  }

  SymbolId field(std::size_t i, std::string_view name) {
    if (before(i, 2) == Tok::Ctx) return named(Form::Field, name);
    const bool is_axis = before(i, 2) == Tok::Name && before(i, 3) == Tok::Dot && before(i, 4) == Tok::Ctx;
    return named(is_axis ? Form::Axis : Form::Unknown, name);
  }

  // A name that the item does not declare.
  SymbolId foreign(std::size_t i, std::string_view name) {
    if (calls_item(name)) return named(Form::Item, name);
    if (builtins::find(name)) return named(Form::Builtin, name);
    const bool called = has(called_, tokens_[i].begin) || kind_at(i + 1) == Tok::LeftParen;
    return named(called ? Form::Item : Form::Unknown, name);
  }

  void fold() {
    std::uint32_t end = 0;
    std::vector<std::uint32_t> lines(tokens_.size());  // how many ended before each token
    for (std::size_t i = 0; i < tokens_.size(); ++i) lines[i] = (i == 0 ? 0 : lines[i - 1]) + tokens_[i].newline;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      fold_comments(end, tokens_[i].begin);
      end = tokens_[i].end;
      if (partner_[i] != syntax::no_partner && partner_[i] > i && lines[partner_[i]] > lines[i])
        index_.folds.push_back({{tokens_[i].begin, tokens_[partner_[i]].end}, false});
    }
  }

  // Lines of nothing but a comment, between two tokens; a run line begins a run of its own.
  void fold_comments(std::uint32_t begin, std::uint32_t end) {
    if (begin != 0 && std::string_view(text_).substr(begin, end - begin).find('\n') == std::string_view::npos) return;
    Span run;
    int lines = 0;
    const auto close = [&] {
      if (lines > 1) index_.folds.push_back({run, true});
      lines = 0;
    };
    for (std::size_t at = begin; at < end;) {
      const std::size_t newline = std::min<std::size_t>(text_.find('\n', at), end);
      const std::size_t first = std::min(text_.find_first_not_of(" \t\r", at), newline);
      const bool is_comment = text_.compare(first, 2, "//") == 0 && first < newline && (at != begin || begin == 0);
      if (!is_comment || text_.compare(first, 3, "//#") == 0) close();
      else if (lines++ == 0) run = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(newline)};
      else run.end = static_cast<std::uint32_t>(newline);
      at = newline + 1;
    }
    close();
  }

  const sema::CheckedItem& checked_;
  const syntax::Item& item_;
  const std::string& text_;
  std::vector<Lexeme> tokens_;
  std::vector<std::uint32_t> partner_;
  Index index_;
  std::unordered_map<std::uint32_t, SymbolId> declared_;                // by where the name begins
  std::unordered_map<std::string, std::vector<SymbolId>> by_name_;  // of those
  std::unordered_map<std::string, SymbolId> others_;
  std::vector<std::uint32_t> types_, written_, called_;  // where their names begin
  std::vector<Span> folds_, attributes_;
};

}  // namespace

const Occurrence* Index::at(std::uint32_t offset) const {
  const auto after = std::upper_bound(occurrences.begin(), occurrences.end(), offset, [](std::uint32_t at, const Occurrence& each) { return at < each.span.begin; });
  if (after == occurrences.begin()) return nullptr;
  const Occurrence& last = *std::prev(after);
  return last.span.touches(offset) ? &last : nullptr;
}

SymbolId Index::meaning(std::string_view name, std::uint32_t offset) const {
  SymbolId found;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Symbol& symbol = symbols[SymbolId(i)];
    if (!is_local(symbol.form)) break;
    if (symbol.name == name && symbol.visible.touches(offset)) found = SymbolId(i);
  }
  return found;
}

SymbolId Index::declared_by_head(std::string_view name) const {
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Symbol& symbol = symbols[SymbolId(i)];
    if (symbol.form > Symbol::Form::Constant) break;
    if (symbol.name == name) return SymbolId(i);
  }
  return {};
}

Index make_index(const sema::CheckedItem& item) {
  if (!item.item) return {};
  return Maker(item).make();
}

}  // namespace phobos::ide
