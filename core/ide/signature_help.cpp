#include <phobos/ide/signature_help.h>

#include <algorithm>

#include <fmt/format.h>

#include "attributes.h"
#include "cursor.h"
#include "signature.h"

namespace phobos::ide {

namespace {

using syntax::Tok;

// The name before an opening parenthesis, the fold between them left out; none where there is none.
std::size_t callee_of(const Cursor& cursor, std::size_t opener) {
  std::size_t at = opener;
  if (at == 0 || cursor.tokens[at].kind != Tok::LeftParen) return Cursor::no_token;
  --at;
  if (cursor.tokens[at].kind == Tok::Greater) {
    constexpr std::size_t longest_fold = 16;  // tokens
    std::size_t back = 0;
    while (at > 0 && cursor.tokens[at].kind != Tok::Less && back++ < longest_fold) --at;
    if (at == 0 || cursor.tokens[at].kind != Tok::Less) return Cursor::no_token;
    --at;
  }
  return cursor.tokens[at].kind == Tok::Name ? at : Cursor::no_token;
}

std::optional<SignatureHelp> of_attribute(std::string_view name) {
  const auto row = attribute_named(name);
  if (!row || row->form.find('(') == std::string_view::npos) return std::nullopt;
  SignatureFacts facts = signature_from(std::string(row->form));
  facts.documentation = fmt::format("{}\n\n{}", row->documentation, row->choices);
  return SignatureHelp{{std::move(facts)}, 0, 0};
}

std::optional<SignatureHelp> of_callee(const File& file, std::string_view name) {
  if (const ItemView* item = file.named(name)) {
    if (item->is_kernel()) return std::nullopt;
    return SignatureHelp{{signature_of(item->item())}, 0, 0};
  }
  const auto builtin = builtins::find(name);
  if (!builtin) return std::nullopt;
  return SignatureHelp{signatures_of(builtins::row(*builtin)), 0, 0};
}

// Of several ways to call: with a fold or without one; else the first that takes so many.
void choose(SignatureHelp& help, bool has_fold, bool has_closed, std::size_t count) {
  const auto fits = [&](const SignatureFacts& each) {
    const bool folds = each.label.find("<over") != std::string::npos;
    if (folds != has_fold && help.signatures.size() > 1) return false;
    return has_closed ? each.parameters.size() == count : each.parameters.size() >= count;
  };
  const auto found = std::find_if(help.signatures.begin(), help.signatures.end(), fits);
  if (found != help.signatures.end()) help.signature = static_cast<std::size_t>(found - help.signatures.begin());
}

}  // namespace

std::optional<SignatureHelp> signature_help(const File& file, std::uint32_t offset) {
  const Cursor cursor = cursor_at(file, offset);
  if (cursor.in != Cursor::In::Code) return std::nullopt;
  std::size_t opener = cursor.opener();
  while (opener != Cursor::no_token && cursor.tokens[opener].kind == Tok::LeftBracket) {  // `f(A[i, `: the subscript is no call
    Cursor outside = cursor;
    outside.tokens.resize(opener);
    opener = outside.opener();
  }
  if (opener == Cursor::no_token) return std::nullopt;
  const std::size_t callee = callee_of(cursor, opener);
  if (callee == Cursor::no_token) return std::nullopt;
  const std::string_view name = cursor.text_at(callee);
  const Tok before = callee > 0 ? cursor.tokens[callee - 1].kind : Tok::End;
  if (before == Tok::Kernel || before == Tok::Fn || before == Tok::Dot) return std::nullopt;
  const std::size_t commas = cursor.commas_since(opener);
  auto help = before == Tok::At ? of_attribute(name) : of_callee(file, name);
  if (!help) return std::nullopt;
  choose(*help, callee + 1 != opener, false, commas + 1);
  const SignatureFacts& chosen = help->signatures[help->signature];
  const auto variadic = [&](Span parameter) { return std::string_view(chosen.label).substr(parameter.begin, parameter.size()).find_first_of(".\xe2") != std::string_view::npos; };
  help->parameter = commas;
  if (!chosen.parameters.empty() && commas >= chosen.parameters.size() && variadic(chosen.parameters.back())) help->parameter = chosen.parameters.size() - 1;
  return help;
}

std::string text_of(const syntax::TypeSyntax& type) {
  std::string text = type.element.text;
  if (type.form == syntax::TypeSyntax::Form::Tensor) text = "tensor<" + text + ">";
  if (type.form == syntax::TypeSyntax::Form::Tile) text = "tile<" + text + ">";
  if (type.dims.empty()) return text;
  text += "[";
  for (const syntax::DimSyntax& dim : type.dims) {
    if (text.back() != '[') text += ", ";
    const auto* number = std::get_if<std::int64_t>(&dim.value);
    text += number != nullptr ? std::to_string(*number) : std::get<std::string>(dim.value);
  }
  return text + "]";
}

SignatureFacts signature_of(const syntax::Item& item) {
  SignatureFacts facts;
  facts.label = fmt::format("{} {}(", item.form == syntax::Item::Form::Kernel ? "kernel" : "fn", item.name.text);
  for (const syntax::Parameter& parameter : item.parameters) {
    if (facts.label.back() != '(') facts.label += ", ";
    const auto begin = static_cast<std::uint32_t>(facts.label.size());
    facts.label += parameter.name.text + ": " + text_of(parameter.type);
    facts.parameters.push_back({begin, static_cast<std::uint32_t>(facts.label.size())});
    facts.of_parameters.push_back(parameter.documentation);
  }
  facts.label += ")";
  if (item.result) facts.label += " -> " + text_of(*item.result);
  facts.documentation = item.documentation;
  return facts;
}

SignatureFacts signature_from(std::string label) {
  SignatureFacts facts{std::move(label), {}, {}, {}};
  const std::string& text = facts.label;
  const std::size_t open = text.find('(');
  if (open == std::string::npos) return facts;
  const auto trimmed = [&](std::size_t begin, std::size_t end) {
    while (begin < end && (text[begin] == ' ' || text[begin] == '[' || text[begin] == ',')) ++begin;
    while (end > begin && text[end - 1] == ' ') --end;
    return Span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  };
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t at = open + 1; at < text.size(); ++at) {
    const char c = text[at];
    const bool optional = text.compare(at, 2, "[,") == 0;  // `threads[, minBlocks]`
    if ((c == ')' && depth == 0) || (c == ',' && depth == 0) || optional) {
      std::size_t end = at;
      while (end > begin && text[end - 1] == ']' && std::count(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), '[') < std::count(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), ']')) --end;
      if (const Span parameter = trimmed(begin, end); !parameter.empty()) facts.parameters.push_back(parameter);
      if (c == ')' && depth == 0) break;
      at += optional;
      begin = at + 1;
      continue;
    }
    if (c == '[' || c == '(' || c == '<') ++depth;
    if ((c == ']' || c == ')' || c == '>') && depth > 0) --depth;
  }
  return facts;
}

std::vector<SignatureFacts> signatures_of(const builtins::Row& row) {
  std::vector<SignatureFacts> all;
  std::string_view rest = row.signature;
  while (!rest.empty()) {
    std::size_t next = std::string_view::npos;
    for (std::size_t at = rest.find(", "); at != std::string_view::npos; at = rest.find(", ", at + 1)) {
      const std::string_view behind = rest.substr(at + 2);
      if (behind.starts_with(row.name) && behind.size() > row.name.size() && (behind[row.name.size()] == '(' || behind[row.name.size()] == '<')) {
        next = at;
        break;
      }
    }
    all.push_back(signature_from(std::string(rest.substr(0, next))));
    all.back().documentation = row.documentation;
    rest = next == std::string_view::npos ? std::string_view() : rest.substr(next + 2);
  }
  return all;
}

}  // namespace phobos::ide
