// Expressions that choose between two values, as other languages write them: all of them mean `where(c, a, b)`.
//
// `where` computes both. Where one of them is an access that only the condition makes sound, the repair is an `if`.
#include <algorithm>
#include <array>
#include <utility>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

// Whether computing it does nothing but take time, whatever the condition is.
bool ItemParser::harmless(ExprId expr) const {
  constexpr std::array elementwise = {"where", "exp",   "log",  "sqrt", "rsqrt", "tanh", "sin", "cos", "abs",  "floor", "ceil", "round", "pow",
                                      "tmax",  "tmin",  "f16",  "bf16", "f32",   "f64",  "i8",  "u8",  "i32",  "i64",   "bool", "fmaxf", "fminf"};
  const auto all = [&](const std::vector<ExprId>& of) { return std::all_of(of.begin(), of.end(), [&](ExprId each) { return harmless(each); }); };
  if (!expr) return true;
  const auto& node = item_.exprs[expr].node;
  if (const auto* paren = std::get_if<ParenExpr>(&node)) return harmless(paren->inner);
  if (const auto* unary = std::get_if<UnaryExpr>(&node)) return harmless(unary->operand);
  if (const auto* binary = std::get_if<BinaryExpr>(&node)) {
    const auto* integer = std::get_if<IntLiteral>(&item_.exprs[binary->right].node);
    const bool divides = binary->op == BinaryOp::Div || binary->op == BinaryOp::Rem;
    const bool by_number = (integer && integer->value != 0) || std::holds_alternative<FloatLiteral>(item_.exprs[binary->right].node);
    return (!divides || by_number) && harmless(binary->left) && harmless(binary->right);
  }
  if (const auto* subscript = std::get_if<SubscriptExpr>(&node)) {  // a slice is masked
    const auto& each = subscript->subscripts;
    const auto is_point = [](const Subscript& s) { return s.form == Subscript::Form::Point; };
    return !std::all_of(each.begin(), each.end(), is_point) && std::all_of(each.begin(), each.end(), [&](const Subscript& s) { return harmless(s.first) && harmless(s.second); });
  }
  if (const auto* call = std::get_if<CallExpr>(&node)) {
    const auto* name = std::get_if<NameExpr>(&item_.exprs[call->callee].node);
    return name && !call->fold && std::find(elementwise.begin(), elementwise.end(), name->name) != elementwise.end() && all(call->arguments);
  }
  return true;
}

// What is said and offered of a choice that has been read. `whole`: without an error in it.
void ItemParser::choose(const Choice& choice, bool whole, std::vector<std::pair<Span, std::string>> edits) {
  if (!choice.found) return;
  if (harmless(choice.first) && harmless(choice.second)) {
    if (whole) mend(choice.found, "Write `where(…)`", std::move(edits));
    return;
  }
  std::string& message = item_.diagnostics[*choice.found].message;
  message = message.substr(0, message.rfind(": ")) + ": what only one of two values may do stands under an `if`, since `where(c, a, b)` computes both";
  if (whole) choice_ = choice;
}

// The choice that is the whole value of the statement that has just been read, where it can be written anew.
std::optional<ItemParser::Choice> ItemParser::taken_choice(ExprId value, std::uint32_t begin) {
  const auto choice = std::exchange(choice_, std::nullopt);
  if (!choice || (peek() != Tok::End && raw() != Tok::Semicolon && raw() != Tok::RightBrace)) return {};
  const Span whole{begin, item_.exprs[value].span.end};
  while (const auto* paren = std::get_if<ParenExpr>(&item_.exprs[value].node)) value = paren->inner;
  if (value != choice->value || text(whole).find("//") != std::string_view::npos) return {};
  for (const ExprId each : {choice->test, choice->first, choice->second})
    if (text(item_.exprs[each].span).find('\n') != std::string_view::npos) return {};
  return choice;
}

// `let v = c ? x[i] : 0.0`: `var v = 0.0` and `if c { v = x[i] }`.
void ItemParser::declare_chosen(const LetStmt& let, std::uint32_t begin) {
  const auto choice = taken_choice(let.init, begin);
  if (!choice || let.name.missing) return;
  const bool second = harmless(choice->second);
  const Lexeme& head = tokens_[statement_at_];
  const bool is_let = head.kind == Tok::Let && head.begin == begin;
  if ((!second && !harmless(choice->first)) || (!let.is_var && !is_let)) return;
  const auto words = [&](ExprId of) { return text(strip_parentheses(of)); };
  const std::string test = second ? std::string(words(choice->test)) : fmt::format("!({})", words(choice->test));
  const bool own_lines = head.newline && raw() != Tok::Semicolon && token().newline;
  const std::string gap = own_lines ? fmt::format("\n{}", text_.substr(head.begin - head.indent, head.indent)) : "; ";
  std::vector<std::pair<Span, std::string>> edits;
  if (!let.is_var) edits.push_back({head.span(), "var"});
  edits.push_back({item_.exprs[let.init].span, fmt::format("{}{}if {} {{ {} = {} }}", words(second ? choice->second : choice->first), gap, test, let.name.text, words(second ? choice->first : choice->second))});
  mend(choice->found, "Write an `if`", std::move(edits));
}

// `y[i] = c ? x[i] : 0.0`, `return c ? a : b`: the statement twice, under an `if`.
void ItemParser::branch_on_choice(ExprId value, std::uint32_t begin) {
  const auto choice = taken_choice(value, begin);
  if (!choice) return;
  const Span at = item_.exprs[value].span;
  const auto words = [&](ExprId of) { return text(strip_parentheses(of)); };
  const std::string_view head = text({begin, at.begin});
  if (head.find('\n') != head.npos) return;
  mend(choice->found, "Write an `if`", {{{begin, at.end}, fmt::format("if {} {{ {}{} }} else {{ {}{} }}", words(choice->test), head, words(choice->first), head, words(choice->second))}});
}

// One that nests too deep: nothing of the rest of its line is read.
ExprId ItemParser::skipped_conditional(std::uint32_t begin) {
  while (peek() != Tok::End && raw() != Tok::LeftBrace && raw() != Tok::RightBrace) ++pos_;
  error_at_ = pos_;
  return error_expression({begin, previous_end()});
}

// `c ? a : b`. At the `?`. What stands inside of it is part of the same mistake and of its repair.
ExprId ItemParser::conditional(ExprId test) {
  const Span sign = token().span(), from = item_.exprs[test].span;
  const bool outermost = where_edits_ == nullptr;
  std::vector<std::pair<Span, std::string>> own;
  const auto found = outermost ? foreign(sign, "there is no `? :`: write `where(c, a, b)`") : Found();
  if (outermost) where_edits_ = &own;
  std::vector<std::pair<Span, std::string>>& edits = *where_edits_;
  const auto done = [&](ExprId result) {
    if (outermost) where_edits_ = nullptr;
    return result;
  };
  ++pos_;
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  if (!enter()) return done(skipped_conditional(from.begin));
  const ExprId first = expression();
  const Span colon = token().span();
  if (raw() != Tok::Colon) {
    leave();
    if (!outermost) ++errors_;
    error_at_ = pos_;
    return done(error_expression({from.begin, previous_end()}));
  }
  ++pos_;
  const ExprId second = expression();
  leave();
  const std::uint32_t end = item_.exprs[second].span.end;
  edits.push_back({{from.begin, from.begin}, "where("});
  edits.push_back({{from.end, sign.end}, ","});
  edits.push_back({{item_.exprs[first].span.end, colon.end}, ","});
  edits.push_back({{end, end}, ")"});
  const ExprId result = called("where", {test, first, second}, {from.begin, end});
  if (outermost) choose({found, result, test, first, second}, errors_ == errors, edits);
  return done(result);
}

// `a if c else b`. At the `if`.
ExprId ItemParser::conditional_behind(ExprId first) {
  const Span sign = token().span(), from = item_.exprs[first].span;
  const auto found = foreign(sign, "`if` is a statement and gives no value: `where(c, a, b)` chooses one");
  ++pos_;
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  if (!enter()) return skipped_conditional(from.begin);
  const ExprId test = expression();
  const Span otherwise = token().span();
  if (raw() != Tok::Else) {
    leave();
    error_at_ = pos_;
    return error_expression({from.begin, previous_end()});
  }
  ++pos_;
  const ExprId second = expression();
  leave();
  const std::uint32_t end = item_.exprs[second].span.end;
  const ExprId result = called("where", {test, first, second}, {from.begin, end});
  choose({found, result, test, first, second}, errors_ == errors, {{{from.begin, from.begin}, fmt::format("where({}, ", text(item_.exprs[test].span))}, {{from.end, otherwise.end}, ","}, {{end, end}, ")"}});
  return result;
}

// `if c { a } else { b }` and `if c then a else b` where a value stands. At the `if`.
ExprId ItemParser::conditional_statement() {
  const std::uint32_t begin = token().begin;
  const auto found = foreign(token().span(), "`if` is a statement and gives no value: `where(c, a, b)` chooses one");
  std::vector<std::pair<Span, std::string>> edits;
  std::vector<std::pair<ExprId, ExprId>> branches;
  const std::size_t errors = errors_;
  bool good = true;
  ExprId last;
  const auto value_in = [&](std::string_view opener, std::string_view closer) {  // `{ a }`, or `a` alone
    const bool braces = raw() == Tok::LeftBrace && closed(pos_);
    const std::size_t opens = pos_;
    const std::uint32_t before = previous_end();
    if (!braces && !word_is("then") && opener == ", ") good = false;
    if (braces || word_is("then")) {
      edits.push_back({{opener.empty() ? token().begin : before, token(1).begin}, std::string(opener)});
      ++pos_;
    }
    const ExprId result = good && enter() ? expression() : error_expression(behind());
    if (good) leave();
    if (braces) {
      good = good && pos_ == partner_[opens];
      edits.push_back({{previous_end(), tokens_[partner_[opens]].end}, std::string(closer)});
      skip_to(partner_[opens] + 1);
    }
    return result;
  };
  for (bool more = true; more && good;) {
    edits.push_back({{token().begin, token(1).begin}, "where("});
    ++pos_;
    error_at_ = no_partner;
    const ExprId test = enter() ? expression() : error_expression(behind());
    leave();
    const ExprId value = value_in(", ", "");
    branches.emplace_back(test, value);
    good = good && raw() == Tok::Else;
    if (!good) break;
    edits.push_back({{previous_end(), token().end}, ","});
    ++pos_;
    more = raw() == Tok::If;
    if (!more) last = value_in("", "");
  }
  if (!good) {
    error_at_ = pos_;
    errors_ = errors + 1;
    return error_expression({begin, previous_end()});
  }
  ExprId result = last;
  for (auto each = branches.rbegin(); each != branches.rend(); ++each) result = called("where", {each->first, each->second, result}, {begin, previous_end()});
  edits.push_back({{previous_end(), previous_end()}, std::string(branches.size(), ')')});
  const bool one = branches.size() == 1;
  const auto is_harmless = [&](const auto& branch) { return harmless(branch.second); };
  const ExprId first = one ? branches[0].second : std::find_if_not(branches.begin(), branches.end(), is_harmless) == branches.end() ? last : std::find_if_not(branches.begin(), branches.end(), is_harmless)->second;
  choose({found, result, branches[0].first, first, last}, errors_ == errors, std::move(edits));
  if (!one) choice_.reset();
  return result;
}

}  // namespace phobos::syntax
