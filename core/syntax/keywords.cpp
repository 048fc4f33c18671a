// Misspelt keywords. A line that no statement begins like, whose first word is a slip of the keyboard away from a keyword and which
// goes on as that keyword's statement does, is read as that statement.
#include <algorithm>
#include <array>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

namespace {

// One letter too many, too few, wrong, or two swapped.
bool near(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1 || b.size() < 2 || a == b) return false;
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  const std::string_view rest_a = a.substr(same), rest_b = b.substr(same);
  if (a.size() < b.size()) return rest_a == rest_b.substr(1);
  if (rest_a.substr(1) == rest_b.substr(1)) return true;
  return rest_a.size() > 1 && rest_a[0] == rest_b[1] && rest_a[1] == rest_b[0] && rest_a.substr(2) == rest_b.substr(2);
}

std::string lower(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

}  // namespace

// `let kernel = 3`, `in: tensor<f32>[N]`: keywords that stand where only a name can. They are read as names, and are one mistake
// wherever they stand.
void ItemParser::keywords_as_names() {
  const auto keyword = std::find_if(tokens_.begin(), tokens_.end(), [](const Lexeme& each) { return each.kind == Tok::Kernel || each.kind == Tok::Fn; });
  const std::size_t definition = keyword == tokens_.end() ? 0 : static_cast<std::size_t>(keyword - tokens_.begin());
  const auto ends_operand = [](Tok kind) { return kind == Tok::Name || kind == Tok::Integer || kind == Tok::RightParen || kind == Tok::RightBracket; };
  std::array<std::vector<Span>, 3> places;
  for (std::size_t i = definition + 1; i < tokens_.size(); ++i) {
    Lexeme& here = tokens_[i];
    const Lexeme& next = tokens_[std::min(i + 1, tokens_.size() - 1)];
    if (here.kind == Tok::In) {
      const Tok before = tokens_[i - 1].kind;
      if ((ends_operand(before) && (!here.newline || next.kind == Tok::Name)) || before == Tok::Greater || (before == Tok::For && next.kind != Tok::In)) continue;
      places[0].push_back(here.span());
    } else if (here.kind == Tok::Kernel || here.kind == Tok::Fn) {
      if (!next.newline && (next.kind == Tok::Name || next.kind == Tok::LeftParen || next.kind == Tok::LeftBrace || next.kind == Tok::Kernel || next.kind == Tok::Fn || next.kind == Tok::End)) continue;
      places[here.kind == Tok::Kernel ? 1 : 2].push_back(here.span());
    } else {
      continue;
    }
    here.kind = Tok::Name;
  }
  for (const std::vector<Span>& each : places) {
    if (each.empty()) continue;
    const std::string better = fmt::format("{}_", text(each.front()));
    item_.diagnostics.push_back(diag::make(Code::SyntaxExpected, Location{each.front(), 0}, fmt::format("a name, not the keyword `{}`", text(each.front()))));
    if (std::any_of(tokens_.begin(), tokens_.end(), [&](const Lexeme& token) { return token.kind == Tok::Name && text(token.span()) == better; })) continue;
    std::vector<std::pair<Span, std::string>> edits;
    for (const Span at : each) edits.push_back({at, better});
    mend(item_.diagnostics.size() - 1, fmt::format("Write `{}`", better), std::move(edits));
  }
}

// Whether the name at hand is that word with a slip in it.
bool ItemParser::near_word(std::string_view word) const {
  if (raw() != Tok::Name) return false;
  const std::string_view written = text(token().span());
  return near(written, word) || (written != word && lower(written) == word);
}

void ItemParser::respell(std::string_view word) {
  const std::size_t errors = errors_;
  mend(report(Code::SyntaxExpected, token().span(), fmt::format("`{}`, not {}", word, described(token()))), fmt::format("Write `{}`", word), {{token().span(), std::string(word)}});
  errors_ = errors;  // it is read as if it were spelt right
  error_at_ = no_partner;
}

bool ItemParser::misspelt_statement(Block& into) {
  if (raw() != Tok::Name || !same_line(1)) return false;
  const Tok next = raw(1);
  struct Keyword {
    std::string_view word;
    Tok kind;
  };
  constexpr std::array keywords = {Keyword{"let", Tok::Let}, Keyword{"var", Tok::Var},       Keyword{"if", Tok::If}, Keyword{"for", Tok::For},
                                   Keyword{"while", Tok::While}, Keyword{"return", Tok::Return}, Keyword{"else", Tok::Else}};
  const bool foreach = (word_is("foreach") || word_is("loop")) && next == Tok::Name && raw(2) == Tok::In;
  for (const Keyword& each : keywords) {
    if (!near_word(each.word) && !(foreach && each.kind == Tok::For)) continue;
    bool fits = false;
    switch (each.kind) {
      case Tok::Let:
      case Tok::Var: fits = next == Tok::Name && (raw(2) == Tok::Assign || raw(2) == Tok::Colon); break;
      case Tok::For: fits = (next == Tok::Name && raw(2) == Tok::In) || (next == Tok::Less && word_is("unroll", 2)); break;
      case Tok::If:
      case Tok::While: fits = begins_operand(next) && next != Tok::LeftParen && on_this_line(Tok::LeftBrace).has_value(); break;
      case Tok::Return: fits = begins_operand(next) && next != Tok::LeftParen && next != Tok::Minus && item_.form == Item::Form::Function; break;
      case Tok::Else: break;
      default: break;
    }
    if (next == Tok::LeftParen && (each.kind == Tok::If || each.kind == Tok::While) && closed(pos_ + 1)) fits = tokens_[partner_[pos_ + 1] + 1].kind == Tok::LeftBrace;
    if (!fits) continue;
    respell(each.word);
    tokens_[pos_].kind = each.kind;
    statement(into);
    return true;
  }
  return false;
}

}  // namespace phobos::syntax
