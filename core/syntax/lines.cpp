// Lines that begin with what belongs at the end of the line before. A line's end ends a statement, so `a` and `+ b` on two lines
// are two statements to the language and one to whoever broke the line there. Where the second cannot be a statement it is read as
// going on, with one error for all such lines of a statement; a line that begins with `-` can be one, and gets a warning.
#include <algorithm>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

// Whether the line that begins with this token can only go on with the one before.
bool ItemParser::goes_on() const {
  const Tok kind = raw();
  switch (kind) {
    case Tok::Plus:
    case Tok::Star:
    case Tok::And:
      if (raw(1) == kind && adjacent(0)) return false;  // `++i`
      [[fallthrough]];
    case Tok::OrOr: case Tok::AndAnd: case Tok::EqEq: case Tok::NotEq: case Tok::Less: case Tok::LessEq: case Tok::Greater:
    case Tok::GreaterEq: case Tok::Or: case Tok::Xor: case Tok::Shl: case Tok::Shr: case Tok::Slash: case Tok::Percent: case Tok::Question:
      return begins_operand(raw(1)) && same_line(1) && !line_is_statement(pos_);
    case Tok::Name: return (word_is("and") || word_is("or")) && begins_operand(raw(1)) && same_line(1) && !line_is_statement(pos_);
    case Tok::Dot: return raw(1) == Tok::Name && same_line(1);
    case Tok::LeftBracket: return closed(pos_) && !open_.size() && (tokens_[pos_ - 1].kind == Tok::Name || tokens_[pos_ - 1].kind == Tok::RightBracket);
    default: return false;
  }
}

void ItemParser::join_line() {
  if (!newline_ends_ || !token().newline || pos_ == 0 || pos_ == statement_at_ || !goes_on()) return;
  const Tok kind = raw();
  if (kind == Tok::Question) {  // the conditional says it, and its repair joins the lines
    tokens_[pos_].newline = false;
    return;
  }
  const bool words = kind == Tok::Name;
  if (kind == Tok::Dot || kind == Tok::LeftBracket) {
    const Span between{previous_end(), token().begin};
    const std::size_t errors = errors_;
    const auto found = report(Code::LeadingOperator, token().span(), kind == Tok::Dot ? "." : "[");
    if (trimmed(text(between)).empty()) mend(found, "Join the lines", {{between, ""}});
    errors_ = errors;
    error_at_ = no_partner;
  } else {
    move_to_line_before(words ? word_is("and") ? "&&" : "||" : text(token().span()));
    if (words) tokens_[pos_].kind = word_is("and") ? Tok::AndAnd : Tok::OrOr;
  }
  tokens_[pos_].newline = false;
}

// `let a` and `= 1` on the next line.
void ItemParser::join_assignment() {
  if (!newline_ends_ || !token().newline || pos_ == 0 || pos_ == statement_at_ || !assigns(raw()) || !begins_operand(raw(1)) || !same_line(1)) return;
  move_to_line_before(text(token().span()));
  tokens_[pos_].newline = false;
}

void ItemParser::move_to_line_before(std::string_view word) {
  const Span sign = token().span();
  std::vector<std::pair<Span, std::string>> edits{{{previous_end(), previous_end()}, fmt::format(" {}", word)}, {{sign.begin, token(1).begin}, ""}};
  if (joined_at_ == statement_at_ && joined_) {
    auto& fix = item_.diagnostics[*joined_].fixes.back();
    for (auto& [span, words] : edits) fix.edits.push_back({{span, 0}, std::move(words)});
    fix.title = "Move the operators to the lines before";
    return;
  }
  const std::size_t errors = errors_;
  joined_at_ = statement_at_;
  joined_ = report(Code::LeadingOperator, sign, word);
  mend(joined_, fmt::format("Move `{}` to the line before", word), std::move(edits));
  errors_ = errors;  // the statement is whole
  error_at_ = no_partner;
}

// At a statement that begins with `-`: whether the one before, on the line before, was meant to go on.
void ItemParser::leading_minus(const Block& before) {
  if (raw() != Tok::Minus || !token().newline || before.empty() || pos_ == 0 || !begins_operand(raw(1))) return;
  if (step_ahead()) return;  // `--x`
  const auto& node = item_.stmts[before.back()].node;
  const bool has_value = std::holds_alternative<LetStmt>(node) || std::holds_alternative<AssignStmt>(node) || std::holds_alternative<ReturnStmt>(node) || std::holds_alternative<ExprStmt>(node);
  if (!has_value || tokens_[pos_ - 1].kind == Tok::Semicolon || item_.stmts[before.back()].span.end != previous_end()) return;
  const std::size_t errors = errors_;
  const auto found = report(Code::LeadingMinus, token().span());
  mend(found, "Move `-` to the line before", {{{previous_end(), previous_end()}, " -"}, {{token().begin, token(1).begin}, ""}});
  errors_ = errors;
  error_at_ = no_partner;
}

}  // namespace phobos::syntax
