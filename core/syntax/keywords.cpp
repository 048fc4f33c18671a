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
