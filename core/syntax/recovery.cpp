// How errors are placed, and how the parser finds its feet again.
#include <algorithm>

#include <phobos/source/utf8.h>

#include "item_parser.h"
#include "split.h"

namespace phobos::syntax {

using diag::Code;

namespace {

constexpr std::size_t farthest = 1024;  // tokens that are looked ahead over, so that a long line of mistakes costs what it is long

}  // namespace

bool ItemParser::accept(Tok kind) {
  if (raw() != kind) return false;
  ++pos_;
  return true;
}

bool ItemParser::may_report() {
  ++errors_;
  if (error_at_ == pos_ || token().told || lexer_told() || item_.diagnostics.size() >= most_errors) {
    error_at_ = pos_;
    return false;
  }
  error_at_ = pos_;
  return true;
}

// Whether the lexer said of the token at hand that it is none.
bool ItemParser::lexer_told() const {
  const auto told = std::lower_bound(told_tokens_.begin(), told_tokens_.end(), token().begin);
  return told != told_tokens_.end() && *told == token().begin;
}

Span ItemParser::behind() const {
  const std::uint32_t end = previous_end();
  return {end > 0 ? character_start(text_, end - 1) : 0, end};
}

Span ItemParser::gap() const {
  if (!same_line(0) || pos_ == 0) return behind();
  const std::uint32_t end = previous_end();
  return {end, static_cast<std::uint32_t>(end + std::max<std::size_t>(utf8_length(text_, end), 1))};
}

std::string ItemParser::described(const Lexeme& token) const {
  if (token.kind == Tok::End) return "the end of the text";
  std::string_view word = text(token.span());
  if (word.size() > 40) word = word.substr(0, character_start(word, 40));
  const bool keyword = token.kind >= Tok::Kernel && token.kind <= Tok::Ctx;
  return fmt::format("{}`{}`", keyword ? "the keyword " : "", word);
}

ItemParser::Found ItemParser::expected(std::string_view what) {
  const Lexeme& here = token();
  if (pos_ == 0 || (same_line(0) && !closes(here.kind) && here.kind != Tok::LeftBrace && here.kind != Tok::Comma && here.kind != Tok::Semicolon))
    return report(Code::SyntaxExpected, here.span(), fmt::format("{}, not {}", what, described(here)));
  return report(Code::SyntaxExpected, gap(), what);
}

std::string_view ItemParser::trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t' || s.front() == '\n')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r' || s.back() == '\n')) s.remove_suffix(1);
  return s;
}

void ItemParser::relate(Found found, Span at, std::string_view words) {
  if (found) item_.diagnostics[*found].related.push_back({{at, 0}, std::string(words)});
}

void ItemParser::mend(Found found, std::string title, std::vector<std::pair<Span, std::string>> edits) {
  if (!found) return;
  diag::Fix fix{std::move(title), {}};
  for (auto& [span, words] : edits) fix.edits.push_back({{span, 0}, std::move(words)});
  item_.diagnostics[*found].fixes.push_back(std::move(fix));
}

// All brackets that end here and have no partner are one mistake, and one repair.
void ItemParser::unclosed(std::size_t opener, std::string_view what) {
  const auto closer_of = [&](std::size_t at) { return tokens_[at].kind == Tok::LeftParen ? ")" : tokens_[at].kind == Tok::LeftBracket ? "]" : "}"; };
  const auto found = report(Code::SyntaxUnclosed, gap(), closer_of(opener), what);
  if (!found) return;
  relate(found, tokens_[opener].span(), "opened here");
  const std::size_t comment = text_.find_first_not_of(" \t", previous_end());  // `A[n // 2]`, as Python divides
  if (comment != std::string_view::npos && text_.substr(comment, 2) == "//") {
    const std::string_view rest = text_.substr(comment, std::min(text_.find('\n', comment), text_.size()) - comment);
    const std::string_view operand = trimmed(rest.substr(2));
    const auto at = static_cast<std::uint32_t>(comment);
    if (!operand.empty() && operand[0] >= '0' && operand[0] <= '9' && rest.find(closer_of(opener)) != rest.npos) return mend(found, "Write `/` for `//`", {{{at, at + 2}, "/"}});
  }
  std::string closers(open_.empty() ? closer_of(opener) : "");
  for (auto each = open_.rbegin(); each != open_.rend(); ++each) closers += closer_of(*each);
  insert(found, previous_end(), closers);
}

bool ItemParser::enter() {
  if (depth_ < nesting_limit) {
    ++depth_;
    return true;
  }
  too_deep();
  return false;
}

void ItemParser::too_deep(int limit) {
  if (!too_deep_) report(Code::NestingTooDeep, token().span(), limit);
  too_deep_ = true;
  ++errors_;
}

bool ItemParser::open(std::size_t opener) {
  const bool before = newline_ends_;
  newline_ends_ = !closed(opener);
  if (!closed(opener)) open_.push_back(static_cast<std::uint32_t>(opener));
  return before;
}

// At the end of a bracket's inside. What stands in the way of its closer is skipped.
void ItemParser::close(std::size_t opener, Tok closer, std::string_view what, bool outer_newline_ends) {
  if (raw() == closer && (closed(opener) || partner_[pos_] == no_partner)) {
    ++pos_;
  } else if (closed(opener)) {
    if (pos_ < partner_[opener]) {
      if (errors_ == 0 || error_at_ != pos_) report(Code::SyntaxUnexpected, token().span(), described(token()));
      skip_to(partner_[opener]);
    }
    skip_to(partner_[opener] + 1);
  } else if ((raw() == Tok::RightParen || raw() == Tok::RightBracket) && partner_[pos_] == no_partner && same_line(0)) {
    const auto words = closer == Tok::RightParen ? ")" : "]";
    const auto found = report(Code::SyntaxUnclosed, token().span(), words, what);
    relate(found, tokens_[opener].span(), "opened here");
    const Tok opening = raw() == Tok::RightParen ? Tok::LeftParen : Tok::LeftBracket;
    if (std::any_of(open_.begin(), open_.end(), [&](std::uint32_t outer) { return outer != opener && tokens_[outer].kind == opening; })) {
      insert(found, previous_end(), words);  // `x[(1 + 2]`: it closes what is around this
      error_at_ = pos_;
    } else {
      mend(found, fmt::format("Write `{}`", words), {{token().span(), words}});  // `A[i)`
      ++pos_;
    }
  } else {
    unclosed(opener, what);
    error_at_ = pos_;
  }
  if (!closed(opener) && !open_.empty() && open_.back() == opener) open_.pop_back();
  newline_ends_ = outer_newline_ends;
}

// Whether the list in a bracket ends here: at its closer, or where a bracket without one has to be given up.
bool ItemParser::list_ends(std::size_t opener) const {
  const Tok kind = raw();
  if (kind == Tok::End) return true;
  if (closed(opener)) return pos_ >= partner_[opener];
  if (closes(kind) || kind == Tok::LeftBrace || kind == Tok::Arrow || kind == Tok::Semicolon || kind == Tok::Kernel || kind == Tok::Fn || begins_statement(kind) || assigns(kind)) return true;
  return token().newline && (raw(0) == Tok::End || pos_ == 0 || tokens_[pos_ - 1].kind != Tok::Comma || line_is_statement(pos_));
}

// A `;` ends a statement, and so the brackets around it have no partners; a closer on its line tells what was meant.
bool ItemParser::semicolon_for_comma(std::size_t opener) const {
  if (raw() != Tok::Semicolon || !begins_operand(raw(1)) || !same_line(1) || error_at_ == pos_) return false;
  if (closed(opener)) return true;
  const auto stray = unopened_ahead(1);
  return stray && (tokens_[*stray].kind == Tok::RightParen) == (tokens_[opener].kind == Tok::LeftParen);
}

// Behind an element of a list: past the comma, or past what has no business there. False where the list ends.
bool ItemParser::next_element(std::size_t opener, std::string_view what) {
  if (semicolon_for_comma(opener)) {  // `f(a; b)`
    mend(report(Code::SyntaxExpected, token().span(), fmt::format("`,` between two {}, not `;`", what)), "Write `,`", {{token().span(), ","}});
    ++pos_;
    --errors_;
    error_at_ = no_partner;
    return true;
  }
  if (list_ends(opener)) return false;
  if (pos_ == element_at_) skip_group();  // an element that took nothing
  element_at_ = pos_;
  if (list_ends(opener)) return false;
  if (accept(Tok::Comma)) return true;
  if (const auto stray = unopened_ahead(); stray && (!closed(opener) || *stray < partner_[opener])) {
    if (!closed(opener) && (tokens_[*stray].kind == Tok::RightParen) == (tokens_[opener].kind == Tok::LeftParen)) {  // it is this list's own
      if (errors_ == 0 || error_at_ != pos_) report(Code::SyntaxUnexpected, token().span(), described(token()));
      pos_ = *stray;
      return false;
    }
    junk_ = true;
    take_unopened(*stray);
    return !list_ends(opener) && (accept(Tok::Comma), true);
  }
  if (begins_operand(raw())) {
    const auto found = report(Code::SyntaxExpected, gap(), fmt::format("`,` between two {}", what));
    insert(found, previous_end(), ",");
    return true;
  }
  if (errors_ == 0 || error_at_ != pos_) {
    if (!foreign_junk()) report(Code::SyntaxUnexpected, token().span(), described(token()));
  }
  junk_ = true;
  while (!list_ends(opener) && raw() != Tok::Comma) skip_group();
  error_at_ = pos_;
  return accept(Tok::Comma);
}

// Whether the line that begins with this token assigns something, and so begins a statement whatever stands before it.
bool ItemParser::line_is_statement(std::size_t from) const {
  if (begins_statement(tokens_[from].kind)) return true;
  for (std::size_t i = from; i < tokens_.size(); ++i) {
    const Lexeme& here = tokens_[i];
    if (here.kind == Tok::End || (i > from && here.newline) || here.kind == Tok::LeftBrace || here.kind == Tok::RightBrace || here.kind == Tok::Semicolon) return false;
    if (assigns(here.kind)) return true;
    if (partner_[i] != no_partner && partner_[i] > i) i = partner_[i];
  }
  return false;
}

// The first `)` or `]` on the rest of the line that no bracket opens.
std::optional<std::size_t> ItemParser::unopened_ahead(std::size_t from) const {
  from += pos_;
  for (std::size_t i = from, steps = 0; i < tokens_.size() && steps < farthest; ++i, ++steps) {
    const Lexeme& here = tokens_[i];
    if (here.kind == Tok::End || (i > from && here.newline) || here.kind == Tok::LeftBrace || here.kind == Tok::RightBrace || here.kind == Tok::Semicolon) return {};
    if ((here.kind == Tok::RightParen || here.kind == Tok::RightBracket) && partner_[i] == no_partner) return i;
    if (partner_[i] != no_partner) {
      if (partner_[i] < i) return {};
      i = partner_[i];
    }
  }
  return {};
}

std::optional<std::size_t> ItemParser::on_this_line(Tok kind) const {
  for (std::size_t i = pos_, steps = 0; i < tokens_.size() && steps < farthest; ++i, ++steps) {
    const Lexeme& here = tokens_[i];
    if (here.kind == Tok::End || (i > pos_ && here.newline)) return {};
    if (here.kind == kind) return i;
    if (partner_[i] != no_partner && partner_[i] > i) i = partner_[i];
  }
  return {};
}

// At a closer that nothing opens, or before the one at `stray`.
bool ItemParser::take_unopened(std::size_t stray) {
  const std::size_t stuck = pos_;
  if (stray != no_partner) pos_ = stray;
  if ((raw() != Tok::RightParen && raw() != Tok::RightBracket) || partner_[pos_] != no_partner) return false;
  const bool paren = raw() == Tok::RightParen;
  const std::string_view opener = paren ? "(" : "[";
  const auto found = report(Code::SyntaxUnexpected, token().span(), fmt::format("`{}`: no `{}` opens it", paren ? ")" : "]", opener));
  if (pos_ == stuck) mend(found, fmt::format("Remove `{}`", paren ? ")" : "]"), {{token().span(), ""}});
  else if (stuck > 0 && tokens_[stuck - 1].kind == Tok::Name) mend(found, fmt::format("Insert `{}`", opener), {{{tokens_[stuck - 1].end, tokens_[stuck].begin}, std::string(opener)}});
  ++pos_;
  error_at_ = pos_;
  return true;
}

// One token, or a bracket with all that is in it.
void ItemParser::skip_group() {
  const std::uint32_t partner = partner_[pos_];
  pos_ = partner != no_partner && partner > pos_ ? partner + 1 : std::min(pos_ + 1, tokens_.size() - 1);
}

// What is left of a broken statement. Blocks are left for the caller.
void ItemParser::skip_statement() {
  const std::size_t from = pos_;
  while (raw() != Tok::End && raw() != Tok::RightBrace && raw() != Tok::LeftBrace && raw() != Tok::Semicolon && !token().newline) {
    if (begins_statement(raw()) && pos_ != from) break;
    skip_group();
  }
}

// At the end of the text, or at a brace that `supply_braces` put in.
void ItemParser::unclosed_block(std::size_t opener) {
  const auto found = report(Code::SyntaxUnclosed, gap(), "}", "block");
  if (!found) return;
  relate(found, tokens_[opener].span(), "opened here");
  const Lexeme& next = token(raw() == Tok::RightBrace ? 1 : 0);
  if (next.kind == Tok::Else && next.newline && next.indent == tokens_[opener].indent) insert(found, next.begin, "} ");
  else mend(found, "Insert `}`", {{{previous_end(), previous_end()}, closing_line(tokens_[opener].indent)}});
}

// Where a block has no `}`, the lines' indentation tells which block that is and where it ends: the innermost one whose `}`, by
// count, is indented otherwise than the line it opens on. Its end is put in as an empty token, so that all that follows stands
// in the block that a reader sees it in.
void ItemParser::supply_braces() {
  constexpr int most = 8;
  for (int round = 0; round < most; ++round) {
    bool missing = false;
    std::size_t culprit = no_partner;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Tok::LeftBrace) continue;
      const bool unclosed = partner_[i] == no_partner;
      missing = missing || unclosed;
      if (unclosed || (tokens_[partner_[i]].newline && tokens_[partner_[i]].indent != tokens_[i].indent)) culprit = i;
    }
    if (!missing) return;
    const std::size_t limit = closed(culprit) ? partner_[culprit] + 1 : tokens_.size() - 1;
    std::size_t at = culprit + 1;
    for (; at < limit; ++at) {
      if (tokens_[at].newline && tokens_[at].indent <= tokens_[culprit].indent) break;
      if (partner_[at] != no_partner && partner_[at] > at) at = partner_[at];
    }
    if (at >= limit || at == culprit + 1) return;
    if (tokens_[at].kind == Tok::RightBrace && tokens_[at].indent == tokens_[culprit].indent) return;
    const std::uint32_t end = tokens_[at - 1].end;
    tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(at), Lexeme{end, end, tokens_[culprit].indent, Tok::RightBrace, true, false});
    partner_ = pair_brackets(tokens_);
  }
}

}  // namespace phobos::syntax
