// `sum<over ctx.lane>(x)` and `shfl<xor 16>(x)`. They begin like a comparison; what decides is that a comparison never goes on
// with `>` and a parenthesis, since comparisons do not chain.
#include <algorithm>
#include <array>
#include <utility>

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
      case Tok::Plus: case Tok::Minus: case Tok::Star: case Tok::Slash: case Tok::Percent: case Tok::Not: case Tok::Tilde:
      case Tok::And: case Tok::Or: case Tok::Xor: case Tok::Shl: case Tok::EqEq: case Tok::NotEq: case Tok::LessEq: case Tok::AndAnd: case Tok::OrOr: break;
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
  if (in_lane_count_ && raw(1) != Tok::Name) return false;  // `shfl<from i < 3>(v)`
  const Lexeme& first = token(1);
  const std::string_view word = text(first.span());
  const Tok second = raw(2);
  if (first.kind == Tok::Name && word == "over" && second == Tok::Ctx) return true;
  if (first.kind == Tok::Name && is_shuffle(word) && (second == Tok::Integer || second == Tok::Name || second == Tok::Ctx || second == Tok::Float)) return same_line(2);
  const bool group = raw(2) == Tok::Dot && raw(3) == Tok::Name && raw(4) == Tok::Greater;
  if (first.kind == Tok::Ctx && group && (word_is("lane", 3) || word_is("thread", 3))) return true;  // `sum<ctx.lane> x`
  if (first.kind == Tok::Name && (word == "over" || is_shuffle(word)) && (second == Tok::Assign || second == Tok::Colon || second == Tok::Comma))
    return fold_end(pos_ + 3).has_value();  // `shfl<xor, 16>(x)`
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
    insert(report(Code::SyntaxExpected, gap(), fmt::format("`<` before `{}`", text(token().span()))), previous_end(), "<");
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
    skip_foreign_sign(word);
    if (raw() == Tok::Greater) {
      report(Code::FoldMisplaced, Span{begin, previous_end()}, fmt::format("`{0}` needs a lane count behind it, as in `shfl<{0} 1>(v)`", word));
      result.form = Fold::Form::Error;
    } else if (raw() == Tok::Integer && raw(1) == Tok::LeftParen && adjacent(0)) {  // `shfl<xor 1(x)`
      result.operand = integer();
      insert(report(Code::SyntaxExpected, gap(), "`>` behind the fold"), previous_end(), ">");
      --errors_;
      error_at_ = no_partner;
      newline_ends_ = outer;
      result.span = {begin, previous_end()};
      return result;
    } else if (enter()) {
      const bool inside = std::exchange(in_lane_count_, true);
      result.operand = binary(8);
      in_lane_count_ = inside;
      leave();
      loose_lane_count(result);
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
    const auto found = raw() == Tok::LeftParen ? report(Code::SyntaxExpected, gap(), "`>` behind the fold") : expected("`>` behind the fold");
    if (raw() == Tok::LeftParen) insert(found, previous_end(), ">");
    if (raw() == Tok::LeftParen) error_at_ = no_partner;
  }
  newline_ends_ = outer;
  return result;
}

// `shfl<up 1 << d>(v)`: what binds less tightly than `+` stands in parentheses. A comparison gives no lane, so that nothing is said of its type.
void ItemParser::loose_lane_count(Fold& into) {
  const Tok kind = raw();
  const bool compares = kind == Tok::Less || kind == Tok::LessEq || kind == Tok::GreaterEq || ((kind == Tok::EqEq || kind == Tok::NotEq) && begins_operand(raw(1)));
  if (kind != Tok::Shl && kind != Tok::And && kind != Tok::Xor && kind != Tok::Or && !compares) return;
  const auto found = report(Code::SyntaxExpected, token().span(), fmt::format("parentheses around a lane count with {}", described(token())));
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  if (!enter()) return;
  const std::uint32_t begin = item_.exprs[into.operand].span.begin;
  into.operand = binary_from(into.operand, 4);
  if (compares) {
    ++pos_;
    into.operand = error_expression({begin, item_.exprs[binary(4)].span.end});
  }
  leave();
  const Span at = item_.exprs[into.operand].span;
  if (errors_ == errors) mend(found, "Put it in parentheses", {{{at.begin, at.begin}, "("}, {{at.end, at.end}, ")"}});
}

// Takes an argument and its comma out of a list. It lies between the token `from` and the one at hand.
void ItemParser::drop_argument(std::size_t from, std::vector<std::pair<Span, std::string>>& edits) const {
  if (from > 0 && tokens_[from - 1].kind == Tok::Comma) edits.push_back({{tokens_[from - 1].begin, previous_end()}, ""});
  else edits.push_back({{tokens_[from].begin, raw() == Tok::Comma ? token(1).begin : previous_end()}, ""});
}

// `sum(x, over=ctx.lane)`, `shfl(x, xor 16)`: what stands in `<…>` here.
bool ItemParser::fold_as_argument(CallExpr& into, std::size_t opener) {
  const auto* callee = std::get_if<NameExpr>(&item_.exprs[into.callee].node);
  if (!callee || into.fold || raw() != Tok::Name) return false;
  const std::string name = callee->name;
  const std::string_view word = text(token().span());
  const bool folds = name == "sum" || name == "max" || name == "min" || name == "any" || name == "all";
  if (!(folds && word == "over") && !(name == "shfl" && is_shuffle(word))) return false;
  const std::size_t sign = raw(1) == Tok::Assign || raw(1) == Tok::Colon ? 1 : 0;
  if (word == "over" ? raw(1 + sign) != Tok::Ctx || raw(2 + sign) != Tok::Dot || raw(3 + sign) != Tok::Name : !begins_operand(raw(1 + sign)) || (sign == 0 && raw(1) != Tok::Integer && raw(1) != Tok::Name)) return false;
  const std::size_t from = pos_;
  const auto found = foreign(token().span(), fmt::format("what {} stands in `<…>` before the arguments", folds ? "a fold goes over" : "lane a shuffle reads"));
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  Fold fold;
  pos_ += 1 + sign;
  std::string words;
  const std::uint32_t begin = token().begin;
  if (folds) {
    const std::string_view field = text(token(2).span());
    fold.form = field == "lane" ? Fold::Form::OverLane : field == "thread" ? Fold::Form::OverThread : Fold::Form::Error;
    pos_ += 3;
  } else {
    fold.form = word == "xor" ? Fold::Form::Xor : word == "up" ? Fold::Form::Up : word == "down" ? Fold::Form::Down : Fold::Form::From;
    fold.operand = expression();
  }
  words = std::string(text({begin, previous_end()}));
  fold.span = {tokens_[from].begin, previous_end()};
  if (!folds && words.find_first_of("<>=&|^!") != words.npos) words = fmt::format("({})", words);
  const bool good = errors_ == errors && fold.form != Fold::Form::Error && closed(opener);
  if (good) {
    std::vector<std::pair<Span, std::string>> edits{{{tokens_[opener].begin, tokens_[opener].begin}, fmt::format("<{} {}>", word, words)}};
    drop_argument(from, edits);
    mend(found, fmt::format("Write `<{} {}>`", word, words), std::move(edits));
  }
  into.fold = fold;
  errors_ = errors;
  error_at_ = no_partner;
  return true;
}

// `sum(t, axis=1)`, `tl.max(t, 1)`: a fold over an axis of a tile has a name of its own.
bool ItemParser::axis_as_argument(CallExpr& into, std::size_t opener) {
  constexpr std::array modules = {"tl", "np", "jnp", "torch"};
  constexpr std::array folds = {"sum", "max", "min", "argmax"};
  const auto* callee = std::get_if<NameExpr>(&item_.exprs[into.callee].node);
  const auto* member = std::get_if<FieldExpr>(&item_.exprs[into.callee].node);
  const auto* module = member ? std::get_if<NameExpr>(&item_.exprs[member->object].node) : nullptr;
  const bool foreign_fold = module && std::find(modules.begin(), modules.end(), module->name) != modules.end();
  if ((!callee && !foreign_fold) || into.fold || into.arguments.size() != 1) return false;
  const std::string name = callee ? callee->name : member->field.text;
  const std::size_t sign = (word_is("axis") || word_is("dim")) && raw(1) == Tok::Assign ? 2 : 0;
  if (std::find(folds.begin(), folds.end(), name) == folds.end() || (sign == 0 && !foreign_fold)) return false;
  const bool minus = raw(sign) == Tok::Minus;
  const Lexeme number = token(sign + (minus ? 1 : 0));
  if (sign == 0 && token(minus ? 2 : 1).kind != Tok::RightParen) return false;
  const bool last = number.kind == Tok::Integer && text(number.span()) == "1", first = number.kind == Tok::Integer && text(number.span()) == "0" && !minus;
  if (!last && !first) return false;
  const std::size_t from = pos_;
  const Span callee_at = item_.exprs[into.callee].span;
  const std::string row = "row" + name;
  const auto found = foreign(sign == 0 ? callee_at : token().span(), fmt::format("a fold over the last axis of a tile is `{0}(t)`{1}", row, first ? fmt::format(", over the first one `transpose({}(transpose(t)))`", row) : ""));
  pos_ += sign + (minus ? 2 : 1);
  std::vector<std::pair<Span, std::string>> edits{{callee_at, first ? fmt::format("transpose({}(transpose", row) : row}};
  drop_argument(from, edits);
  if (first && closed(opener)) edits.push_back({{tokens_[partner_[opener]].begin, tokens_[partner_[opener]].begin}, "))"});
  if (closed(opener)) mend(found, fmt::format("Write `{}`", first ? fmt::format("transpose({}(…))", row) : row + "(…)"), std::move(edits));
  const Span at = item_.exprs[into.arguments[0]].span;
  if (first) into.arguments[0] = called(row, {called("transpose", {into.arguments[0]}, at)}, at);
  into.callee = add({NameExpr{first ? "transpose" : row}, callee_at});
  error_at_ = no_partner;
  --errors_;
  return true;
}

// `over = ctx.lane`, `xor, 16`. At what stands between.
void ItemParser::skip_foreign_sign(std::string_view word) {
  if (raw() != Tok::Assign && raw() != Tok::Colon && raw() != Tok::Comma) return;
  const std::size_t errors = errors_;
  mend(report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: `{}` and what belongs to it stand side by side", described(token()), word)),
       fmt::format("Remove {}", described(token())), {{{previous_end(), token(1).begin}, " "}});
  ++pos_;
  errors_ = errors;
  error_at_ = no_partner;
}

void ItemParser::over_fold(Fold& into) {
  const std::uint32_t begin = token().begin;
  const bool over = word_is("over");
  if (over) {
    ++pos_;
    skip_foreign_sign("over");
  }
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
  const bool warp = field == "warp" || field == "warps" || field == "lanes" || field == "lane_id" || field == "laneid";
  const bool cta = field == "threads" || field == "block" || field == "cta" || field == "thread_id";
  const std::string_view meant = known ? field : warp ? "lane" : cta ? "thread" : "";
  if (!known) into.form = warp ? Fold::Form::OverLane : cta ? Fold::Form::OverThread : Fold::Form::Error;
  if (!meant.empty()) mend(found, fmt::format("Write `over ctx.{}`", meant), {{{begin, previous_end()}, fmt::format("over ctx.{}", meant)}});
  pos_ = stuck;
  error_at_ = no_partner;
}

}  // namespace phobos::syntax
