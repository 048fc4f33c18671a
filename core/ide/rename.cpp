#include <phobos/ide/rename.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include <phobos/ide/navigation.h>
#include <phobos/syntax/lexer.h>

namespace phobos::ide {

namespace {

using Form = Symbol::Form;

Error refusal(std::string words) {
  return Error{std::move(words)};
}

bool has_syntax_error(const syntax::Item& item) {
  return std::any_of(item.diagnostics.begin(), item.diagnostics.end(), [](const diag::Diagnostic& each) { return each.severity == diag::Severity::Error; });
}

std::string_view title(const ItemView& item) {
  return item.item().name.missing ? std::string_view("this item") : std::string_view(item.item().name.text);
}

// The word that the offset touches, whatever it is.
std::string_view word_at(const File& file, std::uint32_t offset) {
  const auto is_part = [&](std::size_t at) { return at < file.text.size() && (file.text[at] == '_' || std::isalnum(static_cast<unsigned char>(file.text[at])) != 0); };
  std::size_t begin = std::min<std::size_t>(offset, file.text.size()), end = begin;
  while (begin > 0 && is_part(begin - 1)) --begin;
  while (is_part(end)) ++end;
  return std::string_view(file.text).substr(begin, end - begin);
}

bool is_keyword(std::string_view word) {
  std::vector<diag::Diagnostic> told;
  const std::vector<syntax::Lexeme> tokens = syntax::lex(word, told);
  return tokens.size() == 2 && tokens[0].kind >= syntax::Tok::Kernel && tokens[0].kind <= syntax::Tok::Ctx;
}

std::string why_not(const Symbol& symbol) {
  switch (symbol.form) {
    case Form::Builtin: return fmt::format("`{}` is a built-in", symbol.name);
    case Form::Ctx:
    case Form::Field:
    case Form::Axis: return fmt::format("`{}` is a part of `ctx`", symbol.name);
    case Form::Attribute: return fmt::format("`@{}` is an attribute of the language", symbol.name);
    case Form::Type: return fmt::format("`{}` is a type of the language", symbol.name);
    case Form::Word: return fmt::format("`{}` is a word of the language", symbol.name);
    default: return fmt::format("`{}` is declared nowhere in this file", symbol.name);
  }
}

Result<Subject> renameable(const File& file, std::uint32_t offset) {
  const auto subject = subject_at(file, offset);
  if (!subject) {
    const std::string_view word = word_at(file, offset);
    if (is_keyword(word)) return refusal(fmt::format("`{}` is a keyword", word));
    return refusal("no name stands here");
  }
  const Symbol& symbol = subject->what();
  if (!is_local(symbol.form) && (symbol.form != Form::Item || file.named(symbol.name) == nullptr)) return refusal(why_not(symbol));
  return *subject;
}

std::optional<std::string> no_name(const std::string& name) {
  const auto is_part = [](char c) { return c == '_' || (static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)) != 0); };
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_part) || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    return fmt::format("`{}` is no name: one has letters, digits and `_`, and begins with no digit", name);
  if (is_keyword(name)) return fmt::format("`{}` is a keyword", name);
  if (builtins::find(name)) return fmt::format("`{}` is a built-in", name);
  return std::nullopt;
}

std::uint32_t line_of(const File& file, std::uint32_t offset) {
  return file.lines.line_of(offset) + 1;
}

// What else has the name where the symbol of the item is known, or where it names something.
std::optional<std::string> clash_in(const File& file, const ItemView& item, Span known, SymbolId own, const std::string& name) {
  const Index& index = item.index();
  for (std::size_t i = 0; i < index.symbols.size(); ++i) {
    const Symbol& other = index[SymbolId(i)];
    if (other.name != name || SymbolId(i) == own) continue;
    if (is_local(other.form)) {
      const bool apart = other.visible.end <= known.begin || known.end <= other.visible.begin;
      if (!apart) return fmt::format("`{}` is declared on line {} already", name, line_of(file, item.absolute(other.declared).begin));
    } else if (other.form == Form::Item) {
      return fmt::format("`{}` is the name of another function, which `{}` calls", name, title(item));
    }
  }
  return std::nullopt;
}

std::optional<std::string> clash(const File& file, const Subject& subject, const std::string& name, const std::vector<Reference>& places) {
  const Symbol& symbol = subject.what();
  if (is_local(symbol.form)) {
    if (has_syntax_error(subject.item->item())) return fmt::format("`{}` has a syntax error, which has to be mended first", title(*subject.item));
    const Span known{std::min(symbol.declared.begin, symbol.visible.begin), symbol.visible.end};
    return clash_in(file, *subject.item, known, subject.symbol, name);
  }
  if (const ItemView* other = file.named(name)) return fmt::format("`{}` is defined on line {} already", name, line_of(file, other->absolute(other->item().name.span).begin));
  for (const Reference& place : places) {
    const ItemView* item = file.item_at(place.span.begin);
    if (has_syntax_error(item->item())) return fmt::format("`{}` has a syntax error, which has to be mended first", title(*item));
    if (place.role == Role::Declaration) continue;
    if (auto found = clash_in(file, *item, place.span.shifted(-static_cast<std::int64_t>(item->offset)), {}, name)) return found;
  }
  return std::nullopt;
}

}  // namespace

Result<Renameable> prepare_rename(const File& file, std::uint32_t offset) {
  const Result<Subject> subject = renameable(file, offset);
  if (!subject) return subject.error();
  return Renameable{subject->span, subject->what().name};
}

Result<std::vector<Edit>> rename(const File& file, std::uint32_t offset, const std::string& name) {
  const Result<Subject> subject = renameable(file, offset);
  if (!subject) return subject.error();
  if (auto reason = no_name(name)) return refusal(std::move(*reason));
  std::vector<Edit> edits;
  if (name == subject->what().name) return edits;
  const std::vector<Reference> places = references(file, *subject);
  if (auto reason = clash(file, *subject, name, places)) return refusal(std::move(*reason));
  for (const Reference& each : places) edits.push_back({each.span, name});
  return edits;
}

}  // namespace phobos::ide
