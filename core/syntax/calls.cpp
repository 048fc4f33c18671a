// Calls and subscripts: what stands in brackets behind an operand.
#include <algorithm>
#include <utility>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

// `exp{x}`, where no block can stand.
bool ItemParser::arguments_in_braces(ExprId callee) const {
  if (peek() != Tok::LeftBrace || previous_end() != token().begin || !closed(pos_) || !std::holds_alternative<NameExpr>(item_.exprs[callee].node)) return false;
  const Tok statement = tokens_[statement_at_].kind;
  if ((begins_statement(statement) && statement != Tok::Let && statement != Tok::Var && statement != Tok::Return) || pos_ < statement_at_ + 2) return false;
  return !tokens_[partner_[pos_]].newline && partner_[pos_] > pos_ + 1 && begins_operand(raw(1));
}

ExprId ItemParser::call(ExprId callee, std::optional<Fold> fold) {
  CallExpr result{callee, std::move(fold), {}};
  if (raw() == Tok::LeftParen) {
    arguments(result);
  } else if (arguments_in_braces(callee)) {
    mend(report(Code::SyntaxExpected, token().span(), "`(` before the arguments, not `{`"), "Write `(…)`", {{token().span(), "("}, {tokens_[partner_[pos_]].span(), ")"}});
    error_at_ = no_partner;
    arguments(result);
    result.broken = true;
  } else if (begins_operand(raw()) && same_line(0)) {  // `sum<over ctx.lane> x`
    result.arguments.push_back(argument_without_parentheses(report(Code::SyntaxExpected, token().span(), "`(` and the arguments"), previous_end()));
  } else {
    expected("`(` and the arguments");
    result.arguments.push_back(error_expression(behind()));
  }
  return add({std::move(result), {item_.exprs[callee].span.begin, previous_end()}});
}

// `f((a, b))`, `f((a, b)`, `f(()`: the arguments in two pairs of parentheses, or a half of the second. Past what is too much.
// Gives where what is too much behind them stands.
std::optional<std::size_t> ItemParser::doubled_parenthesis() {
  if (raw() != Tok::LeftParen || raw(1) != Tok::LeftParen || !closed(pos_ + 1)) return {};
  const std::size_t inner = pos_ + 1, end = partner_[inner];
  if (closed(pos_) && partner_[pos_] != end + 1) return {};
  bool list = end == inner + 1;
  for (std::size_t i = inner + 1; i < end && !list; ++i) {
    list = tokens_[i].kind == Tok::Comma;
    if (partner_[i] != no_partner && partner_[i] > i) i = partner_[i];
  }
  if (!list) return {};
  std::vector<std::pair<Span, std::string>> edits{{token().span(), ""}};
  if (closed(pos_)) edits.push_back({tokens_[partner_[pos_]].span(), ""});
  const std::optional<std::size_t> behind = closed(pos_) ? std::optional<std::size_t>(partner_[pos_]) : std::nullopt;
  mend(report(Code::SyntaxUnexpected, token().span(), "`(`: one pair of parentheses holds the arguments"), "Remove one pair", std::move(edits));
  error_at_ = no_partner;
  ++pos_;
  return behind;
}

void ItemParser::arguments(CallExpr& into) {
  const std::optional<std::size_t> too_much = doubled_parenthesis();
  const std::size_t opener = pos_;
  const Tok closer = raw() == Tok::LeftBrace ? Tok::RightBrace : Tok::RightParen;
  if (!enter()) {
    if (closed(pos_)) skip_group();
    skip_rest_of_depth(opener);
    return;
  }
  ++pos_;
  const bool before = open(opener);
  const std::size_t errors = errors_;
  const auto outer_names = std::exchange(names_, std::nullopt);
  while (!list_ends(opener)) {
    const std::size_t from = pos_;
    if (const auto given = argument(into, opener)) into.arguments.push_back(*given);
    if (!next_element(opener, "arguments")) break;
    if (pos_ == from) skip_group();
  }
  names_ = outer_names;
  close(opener, closer, "arguments", before);
  if (too_much) skip_to(*too_much + 1);
  into.broken = errors_ != errors;
  leave();
}

ExprId ItemParser::argument_without_parentheses(Found found, std::uint32_t from) {
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  const ExprId result = unary();
  const Span at = item_.exprs[result].span;
  if (errors_ == errors) mend(found, "Put it in parentheses", {{{from, at.begin}, "("}, {{at.end, at.end}, ")"}});
  return result;
}

// `program_id(axis=0)`, which the checker tells, and mends, as a whole.
bool ItemParser::respelt_whole(ExprId callee) const {
  const auto* name = std::get_if<NameExpr>(&item_.exprs[callee].node);
  const auto* field = std::get_if<FieldExpr>(&item_.exprs[callee].node);
  const std::string_view word = name ? std::string_view(name->name) : field ? std::string_view(field->field.text) : std::string_view();
  return word == "program_id" || word == "num_programs";
}

// What is said of `tl.load(p, mask=m)`: that there is no such operation, and not that its arguments have names. None for one of ours.
std::string ItemParser::of_module(ExprId callee) const {
  if (!std::holds_alternative<FieldExpr>(item_.exprs[callee].node)) return {};
  const std::string_view field = std::get<FieldExpr>(item_.exprs[callee].node).field.text;
  const std::string_view instead = field == "load" ? "read a slice, as in `A[i :+ 64]`" : field == "store" ? "write a slice, as in `A[i :+ 64] = x`" : "arguments are given by place, not by name";
  return fmt::format("there is no `{}`; {}", text(item_.exprs[callee].span), instead);
}

// None for one that says over what a fold goes.
std::optional<ExprId> ItemParser::argument(CallExpr& into, std::size_t opener) {
  if (fold_as_argument(into, opener) || axis_as_argument(into, opener)) return {};
  if (raw() == Tok::Name && raw(1) == Tok::Assign && raw(2) != Tok::Assign && respelt_whole(into.callee)) {
    pos_ += 2;
  } else if (raw() == Tok::Name && raw(1) == Tok::Assign && raw(2) != Tok::Assign) {  // `f(x = 1)`
    const Span name{token().begin, token(2).begin};
    if (!names_) {  // of one call they are one mistake
      const std::string words = of_module(into.callee);
      names_ = words.empty() ? foreign(token().span(), "arguments are given by place, not by name") : foreign(item_.exprs[into.callee].span, words);
      mend(*names_, "Remove the name", {{name, ""}});
    } else if (*names_) {
      diag::Fix& fix = item_.diagnostics[**names_].fixes.back();
      fix.title = "Remove the names";
      fix.edits.push_back({{name, 0}, ""});
    }
    pos_ += 2;
  }
  if (const auto position = element_address(into)) return position;
  return argument_value();
}

// `atomicAdd(&A[i], v)`: `atomic_add(A, i, v)`. At the `&`; the name is put in, and the position given.
std::optional<ExprId> ItemParser::element_address(CallExpr& into) {
  const auto* callee = std::get_if<NameExpr>(&item_.exprs[into.callee].node);
  if (raw() != Tok::And || raw(1) != Tok::Name || raw(2) != Tok::LeftBracket || !closed(pos_ + 2) || !into.arguments.empty() || !callee || !callee->name.starts_with("atomic")) return {};
  std::string ours = callee->name;
  if (ours.size() > 6 && ours[6] >= 'A' && ours[6] <= 'Z') {  // as CUDA spells it
    ours = fmt::format("atomic_{}", ours.substr(6));
    for (char& c : ours)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const bool counts = ours != callee->name && (ours == "atomic_add" || ours == "atomic_sub" || ours == "atomic_inc" || ours == "atomic_dec");
  const Span sign = token().span(), name = token(1).span(), opener = token(2).span(), callee_at = item_.exprs[into.callee].span;
  const std::size_t end = partner_[pos_ + 2];
  const auto found = foreign(sign, fmt::format("there are no references: `{}` takes a tensor and a position in it{}", ours, counts ? "; it is done once by the CTA, not by each thread, which `sum<over ctx.thread>(v)` adds up" : ""));
  pos_ += 3;
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  const ExprId position = expression();
  if (errors_ == errors && pos_ == end && !counts) mend(found, fmt::format("Write `{}({}, …)`", ours, text(name)), {{callee_at, ours}, {sign, ""}, {opener, ", "}, {tokens_[end].span(), ""}});
  if (pos_ != end) ++errors_, error_at_ = end + 1;
  skip_to(end + 1);
  --errors_;
  into.callee = add({NameExpr{std::move(ours)}, callee_at});
  into.arguments.push_back(add({NameExpr{std::string(text(name))}, name}));
  return position;
}

ExprId ItemParser::argument_value() {
  const ExprId first = expression();
  if (raw() != Tok::ColonPlus) return first;
  ++pos_;
  const ExprId length = expression();
  return add({RunExpr{first, length}, cover(item_.exprs[first].span, item_.exprs[length].span)});
}

ExprId ItemParser::subscripted(ExprId object) {
  const std::size_t opener = pos_;
  const std::uint32_t begin = item_.exprs[object].span.begin;
  if (!enter()) {
    if (closed(pos_)) skip_group();
    else ++pos_;
    skip_rest_of_depth(opener);
    return error_expression({begin, previous_end()});
  }
  ++pos_;
  const bool before = open(opener);
  SubscriptExpr result{object, {}};
  const std::size_t errors = errors_;
  junk_ = false;
  do {
    if ((raw() == Tok::RightBracket || raw() == Tok::End) && pos_ - 1 > opener) {  // `A[0, ]`
      mend(report(Code::SyntaxExpected, previous_span(), "a subscript behind `,`"), "Remove `,`", {{previous_span(), ""}});
      error_at_ = pos_;
      junk_ = true;
      break;
    }
    result.subscripts.push_back(subscript(object, result.subscripts.size()));
  } while (next_element(opener, "subscripts"));
  if ((junk_ || errors_ != errors) && !result.subscripts.empty()) result.subscripts.back().form = Subscript::Form::Error;
  junk_ = false;
  const bool adds_axes = closed(opener) && pos_ == partner_[opener] && new_axes(result);
  close(opener, Tok::RightBracket, "subscript", before);
  leave();
  if (adds_axes) return error_expression({begin, previous_end()});
  return add({std::move(result), {begin, previous_end()}});
}

// `v[:, None]`, `v[None, :]`. At the `]`.
bool ItemParser::new_axes(const SubscriptExpr& into) {
  const auto adds = [&](const Subscript& s) {
    if (s.form != Subscript::Form::Point) return false;
    const auto* field = std::get_if<FieldExpr>(&item_.exprs[s.first].node);
    const auto* name = std::get_if<NameExpr>(&item_.exprs[s.first].node);
    return (name && (name->name == "None" || name->name == "newaxis")) || (field && field->field.text == "newaxis");
  };
  const auto first = std::find_if(into.subscripts.begin(), into.subscripts.end(), adds);
  if (first == into.subscripts.end()) return false;
  bool leading = true, behind = false;  // then it says nothing that broadcasting does not do
  for (const Subscript& each : into.subscripts) {
    if (adds(each)) leading = leading && !behind;
    else behind = true, leading = leading && each.form == Subscript::Form::Full;
  }
  const auto found = report(Code::OtherLanguage, first->span, leading ? "no axis is added in front: where tiles meet, missing ones are as if they were there" : "a subscript adds no axis: a column is a tile of shape `[R, 1]`, and `transpose` makes one of a row");
  if (leading) mend(found, "Remove the subscripts", {{{item_.exprs[into.object].span.end, token().end}, ""}});
  return true;
}

Subscript ItemParser::subscript(ExprId object, std::size_t axis) {
  using Form = Subscript::Form;
  Subscript s;
  const std::uint32_t begin = token().begin;
  if (raw() == Tok::Colon && raw(1) == Tok::Plus && begins_operand(raw(2))) {  // `: + n`
    foreign_span_sign();
  }
  if (accept(Tok::Colon)) {
    s.form = Form::Full;
    if (begins_operand(raw())) {
      s.form = Form::Prefix;
      s.second = expression();
    }
  } else if (raw() == Tok::Dot && raw(1) == Tok::Dot && raw(2) == Tok::Dot && (raw(3) == Tok::RightBracket || raw(3) == Tok::Comma)) {
    const Span dots{begin, token(2).end};
    mend(foreign(dots, "`...` names no axis: `:` takes one whole, and those that are left out at the end are"), "Write `:`", {{dots, ":"}});
    pos_ += 3;
    error_at_ = no_partner;
    --errors_;
    s.form = Form::Full;
  } else if (raw() == Tok::ColonPlus) {
    insert(report(Code::SyntaxExpected, token().span(), "a start before `:+`"), begin, "0 ");
    s.form = Form::Span;
    s.first = add({IntLiteral{0}, {begin, begin}});
    ++pos_;
    error_at_ = no_partner;
    s.second = expression();
  } else {
    s.form = Form::Point;
    if (raw() == Tok::RightBracket || raw() == Tok::Comma) {
      const bool comma = raw() == Tok::Comma;
      const auto found = expected("a subscript");
      if (comma) mend(found, "Remove `,`", {{{token().begin, token(1).begin}, ""}});
      s.first = error_expression(behind());
      s.form = Form::Error;
      s.span = {std::min(begin, previous_end()), previous_end()};
      return s;
    }
    s.first = expression();
    foreign_span_sign();
    if (raw() == Tok::Dot && raw(1) == Tok::Dot) {  // `a..b`
      const bool last = raw(2) == Tok::Assign;
      const std::size_t length = last || raw(2) == Tok::Dot ? 3 : 2;
      const Span sign{token().begin, token(length - 1).end};
      const auto found = foreign(sign, "`..` is no range: a slice is `a : b`, a loop's range is `range(a, b)`");
      pos_ += length;
      error_at_ = no_partner;
      const std::size_t errors = errors_;
      s.form = Form::Range;
      s.second = begins_operand(raw()) ? expression() : error_expression(behind());
      if (errors_ == errors && !std::holds_alternative<ErrorExpr>(item_.exprs[s.second].node)) {
        const std::uint32_t end = item_.exprs[s.second].span.end;
        std::vector<std::pair<Span, std::string>> edits{{sign, " : "}};
        if (last) edits.push_back({{end, end}, " + 1"});
        mend(found, "Write `:`", std::move(edits));
      }
      if (std::holds_alternative<ErrorExpr>(item_.exprs[s.second].node) || last) s.form = Form::Error;
    } else if (accept(Tok::ColonPlus)) {
      s.form = Form::Span;
      s.second = expression();
    } else if (raw() == Tok::Colon && begins_operand(raw(1))) {
      ++pos_;
      s.form = Form::Range;
      s.second = expression();
    } else if (accept(Tok::Colon)) {
      open_range(s, object, axis);
    }
  }
  s.span = {std::min(begin, previous_end()), previous_end()};
  if (raw() == Tok::Colon || raw() == Tok::ColonPlus) {
    foreign(token().span(), "a slice has a start and an end, and no step");
    ++pos_;
    if (begins_operand(raw())) expression();
    error_at_ = pos_;
    s.form = Form::Error;
  }
  return s;
}

// `+: n` and `: + n` for `:+ n`. At the sign, which is made one.
void ItemParser::foreign_span_sign() {
  const bool turned = raw() == Tok::Plus && raw(1) == Tok::Colon && begins_operand(raw(2)), apart = raw() == Tok::Colon && raw(1) == Tok::Plus && begins_operand(raw(2));
  if (!turned && !apart) return;
  const Span both{token().begin, token(1).end};
  mend(foreign(both, fmt::format("`{}` is written `:+`", text(both))), "Write `:+`", {{{both.begin, token(2).begin}, ":+ "}});
  ++pos_;
  tokens_[pos_].kind = Tok::ColonPlus;
  error_at_ = no_partner;
  --errors_;
}

// `A[i :]`. Where both ends are known, they are offered.
void ItemParser::open_range(Subscript& s, ExprId object, std::size_t axis) {
  if (raw() == Tok::Colon) {  // `0::2`: a step, which is said next
    s.form = Subscript::Form::Error;
    return;
  }
  const Span start = item_.exprs[s.first].span;
  if (!closes(raw()) && raw() != Tok::Comma && raw() != Tok::Colon && same_line(0)) {
    s.form = Subscript::Form::Error;
    expected("the end of the range");
    return;
  }
  const std::string words(text(start));
  const Span all{start.begin, previous_end()};
  const std::size_t stuck = pos_;
  --pos_;
  const auto found = report(Code::OpenRange, all, words, words);
  pos_ = stuck;
  error_at_ = no_partner;
  ++errors_;
  s.form = Subscript::Form::Error;
  const auto* from = std::get_if<IntLiteral>(&item_.exprs[s.first].node);
  if (!from) return;
  if (from->value == 0) return mend(found, "Take the whole axis", {{all, ":"}});
  const auto* name = std::get_if<NameExpr>(&item_.exprs[object].node);
  for (const Parameter& each : item_.parameters) {
    if (!name || each.name.text != name->name || axis >= each.type.dims.size()) continue;
    if (const auto* extent = std::get_if<std::int64_t>(&each.type.dims[axis].value)) mend(found, "Go up to the end of the axis", {{all, fmt::format("{} : {}", words, *extent)}});
  }
}

}  // namespace phobos::syntax
