#include <phobos/ide/semantic_tokens.h>

#include <algorithm>

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

}  // namespace

std::vector<Token> semantic_tokens(const Analysis& item) {
  const Index& index = item.index();
  std::vector<std::uint32_t> modifiers(index.symbols.size());
  for (std::size_t i = 0; i < modifiers.size(); ++i) modifiers[i] = modifiers_of(item, index[SymbolId(i)]);
  std::vector<Token> tokens;
  tokens.reserve(index.occurrences.size());
  for (const Occurrence& each : index.occurrences) {
    const Symbol::Form form = index[each.symbol].form;
    if (form == Symbol::Form::Unknown) continue;
    std::uint32_t own = modifiers[each.symbol.value];
    if (each.role == Role::Declaration) own |= token_declaration;
    if (each.role == Role::Write) own |= token_modification;
    tokens.push_back({each.span, sort_of(form), own});
  }
  return tokens;
}

TokenRun make_token_run(const Analysis& item, Encoding encoding) {
  const std::string& text = item.checked.item->text;
  const LineMap lines(text);
  TokenRun run;
  const std::vector<Token> tokens = semantic_tokens(item);
  run.data.reserve(tokens.size() * 5);
  for (const Token& token : tokens) {
    const Position at = lines.position(text, token.span.begin, encoding);
    const std::uint32_t length = lines.position(text, token.span.end, encoding).column - at.column;
    const std::uint32_t down = at.line - run.last.line;
    run.data.insert(run.data.end(), {down, down == 0 ? at.column - run.last.column : at.column, length, static_cast<std::uint32_t>(token.sort), token.modifiers});
    run.last = at;
  }
  return run;
}

}  // namespace phobos::ide
