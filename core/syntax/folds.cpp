// `sum<over ctx.lane>(x)` and `shfl<xor 16>(x)`. They begin like a comparison; what decides is that a comparison never goes on
// with `>` and a parenthesis, since comparisons do not chain.
#include <algorithm>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

namespace {

constexpr std::string_view shuffles[] = {"xor", "up", "down", "from"};

bool is_shuffle(std::string_view word) { return std::find(std::begin(shuffles), std::end(shuffles), word) != std::end(shuffles); }

}  // namespace

// The `>` that ends a fold which begins at token `from`, when `(` follows it.
std::optional<std::size_t> ItemParser::fold_end(std::size_t from) const {
  constexpr std::size_t farthest = 256;  // tokens
  int folds = 0;
  for (std::size_t i = from, steps = 0; i + 1 < tokens_.size() && steps < farthest; ++i, ++steps) {
    switch (tokens_[i].kind) {
      case Tok::Name: case Tok::Integer: case Tok::Float: case Tok::True: case Tok::False: case Tok::Ctx: case Tok::Dot: case Tok::Text:
      case Tok::Plus: case Tok::Minus: case Tok::Star: case Tok::Slash: case Tok::Percent: case Tok::Not: case Tok::Tilde: break;
      case Tok::LeftParen: case Tok::LeftBracket:
        if (partner_[i] == no_partner) return {};
        i = partner_[i];
        break;
      case Tok::Less: ++folds; break;
      case Tok::Greater:
        if (tokens_[i + 1].kind != Tok::LeftParen) return {};
        if (folds-- == 0) return i;
        break;
      default: return {};
    }
  }
  return {};
}

// At a `<`.
bool ItemParser::fold_follows() const {
  const Lexeme& first = token(1);
  const std::string_view word = text(first.span());
  const Tok second = raw(2);
  if (first.kind == Tok::Name && word == "over" && second == Tok::Ctx) return true;
  if (first.kind == Tok::Name && is_shuffle(word) && (second == Tok::Integer || second == Tok::Name || second == Tok::Ctx || second == Tok::Float)) return same_line(2);
  const auto end = fold_end(pos_ + 1);
  if (!end) return false;
  if (*end == pos_ + 1) return true;  // `f<>(x)`
  if (first.kind == Tok::Name && (word == "over" || is_shuffle(word))) return true;
  if (first.kind == Tok::Ctx && raw(4) == Tok::Greater) return true;  // `sum<ctx.lane>(x)`
  if (first.kind == Tok::Name && second == Tok::Greater && (word == "lane" || word == "thread" || word == "warp" || !scalar_meant(word).empty())) return true;
  return first.kind == Tok::Integer ? second == Tok::Greater : first.kind == Tok::Name && (second == Tok::Integer || second == Tok::Name || second == Tok::Ctx);
}

// `sum over ctx.lane>(x)`, `shfl xor 16>(x)`.
bool ItemParser::fold_without_opener() const {
  if (peek() != Tok::Name) return false;
  const std::string_view word = text(token().span());
  return (word == "over" && raw(1) == Tok::Ctx) || (is_shuffle(word) && fold_end(pos_ + 1).has_value());
}

// From the `<` (or from where it should be) up to the `(`.
std::optional<Fold> ItemParser::fold() {
  Fold result;
  const bool outer = newline_ends_;
  if (raw() != Tok::Less) {
    insert(report(Code::SyntaxExpected, behind(), fmt::format("`<` before `{}`", text(token().span()))), previous_end(), "<");
    error_at_ = no_partner;
  } else {
    ++pos_;
  }
  newline_ends_ = false;
  const std::uint32_t begin = token().begin;
  const std::string_view word = raw() == Tok::Name ? text(token().span()) : "";
  const auto end = fold_end(pos_);
  if (word == "over" || raw() == Tok::Ctx || word == "lane" || word == "thread" || word == "warp") {
    over_fold(result);
  } else if (is_shuffle(word)) {
    result.form = word == "xor" ? Fold::Form::Xor : word == "up" ? Fold::Form::Up : word == "down" ? Fold::Form::Down : Fold::Form::From;
    ++pos_;
    if (raw() == Tok::Greater) {
      report(Code::FoldMisplaced, Span{begin, previous_end()}, fmt::format("`{0}` needs a lane count behind it, as in `shfl<{0} 1>(v)`", word));
      result.form = Fold::Form::Error;
    } else if (enter()) {
      result.operand = binary(8);
      leave();
    } else {
      while (peek() != Tok::End && !token().newline && raw() != Tok::LeftBrace && raw() != Tok::RightBrace) ++pos_;
      error_at_ = pos_;
    }
  } else if (!word.empty() && !scalar_meant(word).empty() && raw(1) == Tok::Greater) {  // `static_cast<float>(x)`
    const std::string_view scalar = scalar_meant(word);
    mend(foreign(token().span(), fmt::format("a conversion is written `{}(x)`", scalar)), fmt::format("Write `{}(…)`", scalar),
         {{{tokens_[pos_ - 2].begin, token(1).end}, std::string(scalar)}});
    pos_ += 2;
    error_at_ = no_partner;
    newline_ends_ = outer;
    return {};
  } else {
    const auto found = report(Code::FoldMisplaced, raw() == Tok::Greater ? behind() : token().span(),
                         raw() == Tok::Name ? fmt::format("`<{}>` names no group and no shuffle: it takes `over`, `xor`, `up`, `down` or `from`", word)
                                            : std::string("`<…>` takes `over ctx.lane` or `over ctx.thread`, or `xor`, `up`, `down` or `from` and a lane count"));
    (void)found;
    if (end) pos_ = *end;
    error_at_ = no_partner;
  }
  result.span = {begin, std::max(begin, previous_end())};
  if (end && pos_ < *end) {
    if (error_at_ != pos_) report(Code::SyntaxUnexpected, token().span(), described(token()));
    pos_ = *end;
    error_at_ = no_partner;
    result.form = Fold::Form::Error;
  }
  if (!accept(Tok::Greater)) {
    const auto found = raw() == Tok::LeftParen ? report(Code::SyntaxExpected, behind(), "`>` behind the fold") : expected("`>` behind the fold");
    if (raw() == Tok::LeftParen) insert(found, previous_end(), ">");
    if (raw() == Tok::LeftParen) error_at_ = no_partner;
  }
  newline_ends_ = outer;
  return result;
}

void ItemParser::over_fold(Fold& into) {
  const std::uint32_t begin = token().begin;
  const bool over = word_is("over");
  if (over) ++pos_;
  const std::uint32_t from = token().begin;
  const bool has_ctx = accept(Tok::Ctx);
  const bool has_dot = accept(Tok::Dot);
  std::string_view field;
  if (raw() == Tok::Name) {
    field = text(token().span());
    ++pos_;
  }
  const bool known = field == "lane" || field == "thread";
  if (known) into.form = field == "lane" ? Fold::Form::OverLane : Fold::Form::OverThread;
  if (over && has_ctx && has_dot && known) return;
  const Span at{over ? std::min(from, std::max(previous_end(), begin)) : begin, std::max(previous_end(), begin)};
  const std::size_t stuck = pos_;
  const auto found = report(Code::SyntaxExpected, at, over ? "`ctx.lane` or `ctx.thread` behind `over`" : "`over` before `ctx.lane` or `ctx.thread`");
  if (known) mend(found, fmt::format("Write `over ctx.{}`", field), {{{begin, previous_end()}, fmt::format("over ctx.{}", field)}});
  pos_ = stuck;
  error_at_ = no_partner;
}

}  // namespace phobos::syntax
