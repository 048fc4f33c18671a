#include <phobos/ide/semantic_tokens.h>

#include <algorithm>
#include <optional>

#include <phobos/ide/loose_tokens.h>
#include <phobos/source/positions.h>
#include <phobos/syntax/lexer.h>

namespace phobos::ide {

namespace {

std::uint32_t modifier_of(Kind kind) {
  return kind == Kind::Uniform ? token_uniform : kind == Kind::WarpUniform ? token_warp_uniform : token_varying;
}

TokenSort sort_of(Symbol::Form form) {
  using Form = Symbol::Form;
  switch (form) {
    case Form::Parameter: return TokenSort::Parameter;
    case Form::Dimension: return TokenSort::Dimension;
    case Form::Item:
    case Form::Builtin: return TokenSort::Function;
    case Form::Field:
    case Form::Axis: return TokenSort::Property;
    case Form::Attribute: return TokenSort::Attribute;
    case Form::Type: return TokenSort::Type;
    case Form::Word: return TokenSort::Word;
    default: return TokenSort::Variable;
  }
}

// A tensor has no kind: it is no value.
std::uint32_t kind_of(const Analysis& item, sema::LocalId local) {
  if (!local || !item.kinds.local_kinds.contains(local)) return 0;
  const sema::Type& type = item.checked[local].type;
  return type.is_error() || type.is_tensor() ? 0 : modifier_of(item.kinds.local_kinds[local]);
}

std::uint32_t modifiers_of(const Analysis& item, const Symbol& symbol) {
  using Form = Symbol::Form;
  switch (symbol.form) {
    case Form::Constant: return token_readonly | token_static | kind_of(item, symbol.local);
    case Form::Parameter: {
      const bool tensor = symbol.local && item.checked[symbol.local].type.is_tensor();
      return (tensor ? 0 : token_readonly) | kind_of(item, symbol.local);
    }
    case Form::Dimension:
    case Form::Let:
    case Form::LoopVariable: return token_readonly | kind_of(item, symbol.local);
    case Form::Var: return kind_of(item, symbol.local);
    case Form::Field: {
      const auto rows = builtins::ctx_fields();
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const builtins::CtxRow& each) { return each.name == symbol.name; });
      if (row == rows.end()) return 0;
      return token_readonly | token_default_library | (row->compile_time ? token_static : 0) | modifier_of(row->kind);
    }
    case Form::Axis: return token_readonly | token_default_library | token_uniform;
    case Form::Ctx: return token_readonly | token_default_library;
    case Form::Builtin:
    case Form::Type: return token_default_library;
    default: return 0;
  }
}

// The names of one analysis, with their modifiers.
class TokensOfNames {
 public:
  explicit TokensOfNames(const Analysis& item) : item_(item), index_(item.index()), modifiers_(index_.symbols.size()) {
    for (std::size_t i = 0; i < modifiers_.size(); ++i) modifiers_[i] = modifiers_of(item, index_[SymbolId(i)]);
  }

  std::optional<Token> token_of(const Occurrence& there) const {
    const Symbol::Form form = index_[there.symbol].form;
    if (form == Symbol::Form::Unknown) return std::nullopt;
    std::uint32_t own = modifiers_[there.symbol.value];
    if (there.role == Role::Declaration) own |= token_declaration;
    if (there.role == Role::Write) own |= token_modification;
    return Token{there.span, sort_of(form), own};
  }
  // Whether nothing is known of the name but that it is one.
  bool is_unknown(const Occurrence& there) const {
    const Symbol& symbol = index_[there.symbol];
    if (is_local(symbol.form)) return !symbol.local || item_.checked[symbol.local].type.is_error();
    return symbol.form == Symbol::Form::Unknown;
  }

 private:
  const Analysis& item_;
  const Index& index_;
  std::vector<std::uint32_t> modifiers_;
};

std::optional<TokenSort> lexical_sort(syntax::Tok kind) {
  using syntax::Tok;
  if (kind == Tok::Integer || kind == Tok::Float) return TokenSort::Number;
  if (kind >= Tok::Kernel && kind <= Tok::False) return TokenSort::Word;
  if (kind >= Tok::Assign || kind == Tok::Arrow || kind == Tok::ColonPlus) return TokenSort::Operator;
  return std::nullopt;
}

// A comment line by line, between two tokens.
void add_comments(std::string_view text, std::uint32_t begin, std::uint32_t end, std::vector<Token>& into) {
  while (begin < end) {
    const std::size_t newline = std::min<std::size_t>(text.find_first_of("\r\n", begin), end);
    const std::size_t first = std::min(text.find_first_not_of(" \t", begin), newline), last = text.find_last_not_of(" \t", newline - 1);
    if (first < newline) into.push_back({{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last + 1)}, TokenSort::Comment, 0});
    begin = static_cast<std::uint32_t>(newline + 1);
  }
}

void add_lexical(std::string_view text, std::vector<Token>& tokens) {
  std::vector<diag::Diagnostic> told;
  std::uint32_t end = 0;
  for (const syntax::Lexeme& each : syntax::lex(text, told)) {
    add_comments(text, end, each.begin, tokens);
    end = each.end;
    const bool on_a_line = text.substr(each.begin, each.end - each.begin).find_first_of("\r\n") == std::string_view::npos;
    if (const auto sort = lexical_sort(each.kind); sort && on_a_line) tokens.push_back({each.span(), *sort, 0});
  }
  std::stable_sort(tokens.begin(), tokens.end(), [](const Token& a, const Token& b) { return a.span.begin < b.span.begin; });
}

TokenRun run_of(const std::vector<Token>& tokens, std::string_view text, Encoding encoding) {
  const LineMap lines(text);
  Positions positions(text, lines, encoding);
  TokenRun run;
  run.data.reserve(tokens.size() * 5);
  for (const Token& token : tokens) {
    const Position at = positions.of(token.span.begin);
    const std::uint32_t length = positions.of(token.span.end).column - at.column;
    const std::uint32_t down = at.line - run.last.line;
    run.data.insert(run.data.end(), {down, down == 0 ? at.column - run.last.column : at.column, length, static_cast<std::uint32_t>(token.sort), token.modifiers});
    run.last = at;
  }
  return run;
}

}  // namespace

std::vector<Token> semantic_tokens(const Analysis& item, const LastGood* good, bool lexical) {
  const TokensOfNames names(item);
  const std::optional<TokensOfNames> then = good ? std::optional<TokensOfNames>(good->analysis()) : std::nullopt;
  std::vector<Token> tokens;
  tokens.reserve(item.index().occurrences.size());
  for (const Occurrence& each : item.index().occurrences) {
    std::optional<Token> token = names.token_of(each);
    const std::optional<Span> was = then && names.is_unknown(each) ? good->then(each.span) : std::nullopt;
    if (const Occurrence* there = was ? good->analysis().index().at(was->begin) : nullptr; there && there->span == *was)
      if (auto known = then->token_of(*there)) token = Token{each.span, known->sort, known->modifiers};
    if (token) tokens.push_back(*token);
  }
  if (lexical) add_lexical(item.checked.item->text, tokens);
  return tokens;
}

TokenRun make_token_run(const Analysis& item, const TokenOptions& options, const LastGood* good) {
  return run_of(semantic_tokens(item, good, options.lexical), item.checked.item->text, options.encoding);
}

std::vector<Token> loose_tokens(std::string_view text) {
  std::vector<Token> tokens;
  add_lexical(text, tokens);
  return tokens;
}

TokenRun loose_token_run(std::string_view text, Encoding encoding) { return run_of(loose_tokens(text), text, encoding); }

}  // namespace phobos::ide
