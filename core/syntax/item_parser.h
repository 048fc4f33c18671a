// Makes an item's tree from its tokens: one function a construct, each of which always returns something and moves on.
//
// Errors. An error belongs to the token at which the parser is stuck, and a token has one error: what fails there next follows
// from the first. An expression that fails stops at the token that it cannot use; the statement around it goes on as if what is
// missing stood there; whatever is left of a statement that had an error is skipped up to its end. A statement's end is known
// from the lines: inside a bracket that has its partner a line's end means nothing, inside one that has none it ends all.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <phobos/syntax/ast.h>

#include <phobos/syntax/lexer.h>

namespace phobos::syntax {

// Deeper nesting than this is reported and cut off, so that no later stage, all of which recurse, can run out of stack. A chain
// of operators, `a + b + c`, leans to the left and is no nesting; here it is read with a loop, but the later stages recurse over
// it as well.
constexpr int nesting_limit = 256;
constexpr int chain_limit = 1000;

// The scalar type that a word of this language or of C names; empty for none.
std::string_view scalar_meant(std::string_view word);
std::string_view scalar_meant(std::span<const std::string_view> words);  // `unsigned char`, `long int`, with what else stands there

class ItemParser {
 public:
  explicit ItemParser(Item& item);  // the item has its text
  void run();

 private:
  // Of a diagnostic that was reported: none when it followed from another one, so that nobody hears of it.
  using Found = std::optional<std::size_t>;

  // --- items.cpp
  void definition();
  void type_parameters();
  void forget_type_parameters();
  bool returns_value() const;
  void to_parameters();
  void parameters();
  std::optional<Parameter> parameter();
  void result_type();
  void tail();
  void foreign_definition();
  void declare_outside(std::string_view words);
  std::string documentation_above(std::uint32_t at) const;

  // --- attributes.cpp
  void attributes();
  bool loose_arguments(Attribute& into);
  void misplaced_attribute(std::uint32_t keyword);
  Attribute attribute();
  std::optional<AttributeArgument> attribute_argument();
  std::optional<AttributeArgument::Value> attribute_value();
  bool arithmetic_follows() const;
  bool attribute_arithmetic(ConstantExpr& into, bool of_products, int depth);
  void attribute_choices(AttributeArgument& into);
  std::optional<std::int64_t> attribute_integer();

  // --- types.cpp
  TypeSyntax type();
  void dimensions(TypeSyntax& into);
  bool c_parameter(Parameter& into);
  bool begins_type() const;
  TypeSyntax pointer_type();
  TypeSyntax bracketed_type();
  TypeSyntax type_without_word();
  TypeSyntax scalar_type(const Lexeme& first);
  TypeSyntax tensor_of(std::string_view scalar, Span at);
  void shape_inside(TypeSyntax& into, std::string_view word);
  const std::string& fresh_dimension();
  std::vector<std::string> fresh_dimensions();
  bool is_subscripted(std::string_view name) const;
  Name declared_name(std::string_view what);

  // --- statements.cpp
  Block block();  // at its `{`
  void statements(Block& into);
  void statement(Block& into);
  void end_of_statement(Block& into, bool had_error);
  void expression_statement(Block& into);
  std::optional<BinaryOp> split_assignment(ExprId target);
  bool split_assignment_follows() const;
  void power_assignment(Block& into, std::uint32_t begin, ExprId target);
  void assignment(Block& into, std::uint32_t begin, ExprId target, std::optional<BinaryOp> op);
  void return_statement(Block& into);
  void bare_block(Block& into);
  void nested_definition();
  bool missing_if(Block& into, std::uint32_t begin, ExprId test);
  void spoil(const Block& last);

  // --- declarations.cpp
  void declaration(Block& into);
  void declared(Block& into, std::uint32_t begin, bool is_var, Name name, Found outer = {}, std::string_view typed = {});
  void declared_type(LetStmt& into, std::uint32_t begin, std::uint32_t name_end);
  bool type_as_value(LetStmt& into, std::uint32_t begin, Span sign);
  void more_declarations(Block& into, bool is_var, Found outer, std::string_view typed);

  // --- control.cpp
  // Bodies without braces, of one statement: one mistake and one repair, `else` branches included.
  struct Braces {
    Found found;
    std::string title;
    bool reported = false, mendable = true;
    std::vector<std::pair<Span, std::string>> edits;
    std::optional<std::pair<std::uint32_t, std::string>> close;  // of the last body, where nothing else closes it
  };
  void while_statement(Block& into);
  ExprId condition(std::string_view what);
  ExprId compared(ExprId before);
  StmtId if_statement();
  void finish(Braces& braces);
  Block body_of(std::uint32_t head, std::string_view what, Braces* of_chain = nullptr);
  Block indented(std::uint32_t head);
  Block indented_body(std::uint32_t head, std::string_view what, Braces& braces);
  Block body_on_the_line(std::string_view what, Braces& braces);
  Block body_after_colon(std::uint32_t head, Braces& braces);
  bool else_if_follows(std::optional<Block>& last, std::uint32_t first, Braces& braces);
  bool branch_behind_else(std::optional<Block>& last, Braces& braces);

  // --- items.cpp: heads and bodies of definitions
  void mend_types(Braces& head);
  bool foreign_head(Braces& braces, std::string_view& result);
  std::string_view typed_head(Braces& braces);
  void body(Braces& braces);

  // --- loops.cpp
  void for_statement(Block& into);
  void loop_over_range(Block& into, std::uint32_t head, ForStmt loop);
  void loop_over_nothing(Block& into, std::uint32_t head, ForStmt loop);
  bool for_in_parentheses(Block& into, std::uint32_t head, ForStmt& loop);
  bool same_as_range(std::string_view variable, bool declares, ExprId end, ExprId step) const;
  void counting_loop(Block& into, std::uint32_t head, ForStmt loop, std::size_t from);
  enum class Descent { Inclusive, Exclusive, Before };  // down to the end or above it; from before the start, and down to the end
  void counting_down(Block& into, std::uint32_t head, ForStmt loop, std::size_t from, Found found, Descent descent);
  bool range_reversed(Block& into, std::uint32_t head, ForStmt& loop);
  bool range_of_module(ForStmt& into);
  void loop_variable(std::uint32_t head, ForStmt& into);
  bool unroll_above(Block& into);
  void to_body();
  void range(ForStmt& into);
  void range_in_other_words(ForStmt& into);
  void bounds(ForStmt& into, Found outer);
  bool bound_sign(Found outer);
  void unroll(ForStmt& into);

  // --- expressions.cpp
  ExprId expression() { return binary(0); }
  ExprId value();  // behind `=`, or wherever a statement may stand by mistake
  static constexpr int tightest_level = 9;  // of `*`
  ExprId binary(int lowest) { return binary_from(unary(), lowest); }
  ExprId binary_from(ExprId left, int lowest);
  ExprId unary();
  ExprId postfix();
  ExprId postfix_of(ExprId left);
  bool compares(ExprId expr) const;
  ExprId chained(ExprId left, BinaryOp op, Span sign);
  const BinaryExpr* bits_in(ExprId expr) const;
  bool compares_within(ExprId expr) const;
  static BinaryOp logical_of(BinaryOp bits);
  Found join_truths(const BinaryExpr& bits, bool alone);
  void skip_rest_of_depth(std::size_t opener);
  bool integer_value_fits(const Lexeme& token) const;
  ExprId primary();
  ExprId parenthesized();
  ExprId integer();
  ExprId missing_operand();
  ExprId error_expression(Span at) { return add({ErrorExpr{}, at}); }
  ExprId add(Expr expr);
  std::uint64_t integer_value(const Lexeme& token, bool negated);

  // --- calls.cpp
  ExprId call(ExprId callee, std::optional<Fold> fold);
  void arguments(CallExpr& into);
  std::optional<std::size_t> doubled_parenthesis();
  bool arguments_in_braces(ExprId callee) const;
  std::optional<ExprId> argument(CallExpr& into, std::size_t opener);
  bool respelt_whole(ExprId callee) const;
  std::string of_module(ExprId callee) const;
  std::optional<ExprId> element_address(CallExpr& into);
  ExprId argument_value();
  ExprId argument_without_parentheses(Found found, std::uint32_t from);
  ExprId subscripted(ExprId object);
  Subscript subscript(ExprId object, std::size_t axis);
  void foreign_span_sign();
  void open_range(Subscript& s, ExprId object, std::size_t axis);
  bool new_axes(const SubscriptExpr& into);

  // --- folds.cpp
  bool fold_follows() const;
  std::optional<std::size_t> fold_end(std::size_t from) const;
  std::optional<Fold> fold();
  void over_fold(Fold& into);
  bool fold_without_opener() const;
  bool fold_as_argument(CallExpr& into, std::size_t opener);
  bool axis_as_argument(CallExpr& into, std::size_t opener);
  void drop_argument(std::size_t from, std::vector<std::pair<Span, std::string>>& edits) const;
  void loose_lane_count(Fold& into);
  void skip_foreign_sign(std::string_view word);

  // --- foreign_statements.cpp: what other languages write there
  bool foreign_statement(Block& into);
  bool foreign_declaration(Block& into);
  bool do_while(Block& into);
  bool nameless_tile(Block& into);
  bool cases_by_indent();
  bool printing(Block& into);

  // --- habits.cpp: and what they write in expressions
  std::optional<ExprId> foreign_infix(ExprId left, int lowest);
  std::optional<ExprId> foreign_prefix();
  std::optional<ExprId> closure();
  std::optional<ExprId> number_in_text();
  std::optional<ExprId> comprehension();
  bool assigns_elsewhere() const;
  std::optional<std::pair<std::size_t, Tok>> foreign_comparison() const;
  ExprId called(std::string_view name, std::vector<ExprId> arguments, Span at);
  bool step_follows() const;  // `++` or `--` at a statement's end
  bool step_ahead() const;    // at the begin of `++x` or `--A[i]`, and nothing else
  bool foreign_junk();
  bool text_junk();
  ExprId dereference();
  ExprId power(ExprId first, int lowest);
  bool is_square(ExprId base, ExprId exponent) const;
  bool simple(ExprId expr) const;
  Span strip_parentheses(ExprId expr) const;

  // --- conditionals.cpp
  ExprId conditional(ExprId condition);
  ExprId conditional_behind(ExprId first);
  ExprId conditional_statement();
  ExprId skipped_conditional(std::uint32_t begin);
  // A choice one of whose values only its condition lets be computed. Its repair is an `if`, where a statement takes the value.
  struct Choice {
    Found found;
    ExprId value, test, first, second;
  };
  bool harmless(ExprId expr) const;
  void choose(const Choice& choice, bool whole, std::vector<std::pair<Span, std::string>> edits);
  std::optional<Choice> taken_choice(ExprId value, std::uint32_t begin);
  void declare_chosen(const LetStmt& let, std::uint32_t begin);
  void branch_on_choice(ExprId value, std::uint32_t begin);

  // --- lines.cpp: lines that begin with what belongs at the end of the line before
  void join_line();
  void join_assignment();
  bool goes_on() const;
  void move_to_line_before(std::string_view word);
  void leading_minus(const Block& before);

  // --- keywords.cpp: misspelt ones, and those that are meant as names
  void keywords_as_names();
  bool misspelt_statement(Block& into);
  bool near_word(std::string_view word) const;
  void respell(std::string_view word);

  // --- recovery.cpp
  const Lexeme& token(std::size_t ahead = 0) const { return tokens_[std::min(pos_ + ahead, tokens_.size() - 1)]; }
  Tok raw(std::size_t ahead = 0) const { return token(ahead).kind; }
  Tok peek() const { return newline_ends_ && token().newline ? Tok::End : token().kind; }  // End where the line's end counts
  bool same_line(std::size_t ahead) const { return raw(ahead) != Tok::End && !token(ahead).newline; }
  bool word_is(std::string_view word, std::size_t ahead = 0) const { return raw(ahead) == Tok::Name && text(token(ahead).span()) == word; }
  bool adjacent(std::size_t ahead) const { return token(ahead).end == token(ahead + 1).begin; }
  std::string_view text(Span span) const { return text_.substr(span.begin, span.size()); }
  std::uint32_t previous_end() const { return pos_ > 0 ? tokens_[pos_ - 1].end : 0; }
  Span previous_span() const { return pos_ > 0 ? tokens_[pos_ - 1].span() : Span{0, 0}; }
  bool accept(Tok kind);

  template <class... Args>
  Found report(diag::Code code, Span at, const Args&... args) {
    if (!may_report()) return {};
    item_.diagnostics.push_back(diag::make(code, Location{at, 0}, args...));
    constexpr std::string_view keyword = "unexpected the ";  // as `described` has it
    if (std::string& said = item_.diagnostics.back().message; said.starts_with(keyword)) said.erase(keyword.size() - 4, 4);
    return item_.diagnostics.size() - 1;
  }
  bool may_report();
  bool lexer_told() const;
  Found expected(std::string_view what);  // behind the last token, or at this one when it stands in the way
  Found foreign(Span at, std::string_view words) { return report(diag::Code::OtherLanguage, at, words); }
  void unclosed(std::size_t opener, std::string_view what);
  void unclosed_block(std::size_t opener);
  void supply_braces();
  void too_deep(int limit = nesting_limit);
  void relate(Found found, Span at, std::string_view words);
  // What closes a block whose head stands that far in.
  static std::string closing_line(std::size_t indent) { return fmt::format("\n{:{}}}}", "", indent); }
  void mend(Found found, std::string title, std::vector<std::pair<Span, std::string>> edits);
  void insert(Found found, std::uint32_t at, std::string_view what) { mend(found, fmt::format("Insert `{}`", trimmed(what)), {{{at, at}, std::string(what)}}); }
  static std::string_view trimmed(std::string_view s);
  std::string described(const Lexeme& token) const;
  Span behind() const;  // the last character of the token before
  Span gap() const;     // where something is missing before the token at hand: the character behind the one before, on its line

  bool enter();  // one level deeper; false past the limit, reported once
  void leave() { --depth_; }
  bool open(std::size_t opener);  // into a bracket's inside: whether a line's end counts there
  void close(std::size_t opener, Tok closer, std::string_view what, bool outer_newline_ends);
  bool closed(std::size_t opener) const { return partner_[opener] != no_partner; }
  bool list_ends(std::size_t opener) const;
  bool semicolon_for_comma(std::size_t opener) const;
  bool next_element(std::size_t opener, std::string_view what);
  bool line_is_statement(std::size_t from) const;
  std::optional<std::size_t> unopened_ahead(std::size_t from = 0) const;
  std::optional<std::size_t> on_this_line(Tok kind) const;
  void skip_to(std::size_t index) { pos_ = std::max(pos_, index); }
  void skip_group();
  void skip_statement();
  bool take_unopened(std::size_t stray = no_partner);

  StmtId add(std::uint32_t begin, decltype(Stmt::node) stmt);

  Item& item_;
  std::string_view text_;
  std::vector<Lexeme> tokens_;
  std::vector<std::uint32_t> partner_;
  std::vector<std::uint32_t> told_tokens_;  // where those begin that the lexer reported
  std::vector<std::uint32_t> open_;    // the brackets that the parser is in and that nothing closes
  struct Depth {
    std::uint16_t height, chain;
  };
  std::vector<Depth> depths_;  // of each expression
  std::size_t pos_ = 0;
  std::size_t error_at_ = static_cast<std::size_t>(-1);  // the token of the last error
  std::size_t errors_ = 0;
  std::size_t statement_at_ = 0;  // the first token of the statement at hand
  std::size_t joined_at_ = static_cast<std::size_t>(-1);  // the statement whose lines were joined last, and the error that says so
  Found joined_;
  std::optional<Found> names_;  // in the arguments at hand: what was said of the first `x=`
  std::vector<std::pair<Span, std::string>>* where_edits_ = nullptr;  // inside of a `c ? a : b`: its repair
  std::optional<Choice> choice_;  // the last one that was read
  bool in_lane_count_ = false;
  bool unknown_outside_ = false;  // what stands before it outside of the body is nothing known
  std::size_t element_at_ = static_cast<std::size_t>(-1);  // where the last element of a list ended
  std::size_t stray_braces_ = 0;  // `}` that no `{` matches, yet to come
  int depth_ = 0;
  bool newline_ends_ = true;
  std::string fresh_dimension_, parameter_name_;  // of the parameter at hand
  bool in_body_ = false;
  std::vector<std::string> type_parameters_;
  bool head_told_ = false;  // that the definition begins as another language's
  bool untyped_ = false;    // a parameter without a type was reported
  Found typed_found_, untyped_found_;  // of `x f32` and of `x`
  std::vector<std::pair<Span, std::string>> typed_edits_, untyped_edits_;
  bool too_deep_ = false;
  bool junk_ = false;  // a list had something in it that no rule takes
};

}  // namespace phobos::syntax
