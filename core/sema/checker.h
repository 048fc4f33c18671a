// The state of one check. Scopes map names to locals; a call of a user's function swaps in a scope chain, an item and an origin of
// its own while its body is checked, so every construct is written once for kernels, functions and inlined bodies.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <phobos/sema/check.h>
#include <phobos/sema/constants.h>

#include "affine.h"

namespace phobos::sema {

using diag::Code;
using Form = Type::Form;

class Checker {
 public:
  Checker(std::shared_ptr<const syntax::Item> item, const Environment& environment, const Options& options);
  CheckedItem run();

 private:
  // check.cpp: the head of an item
  void declare_parameters();
  bool ends_in_values(const Block& body, std::vector<StmtId>& into) const;
  void missing_return();
  Type parameter_type(const syntax::Parameter& parameter);
  Extent parameter_extent(const syntax::DimSyntax& dim, const syntax::Parameter& parameter);
  void mend_given_dimension(diag::Diagnostic& d, Span name);
  void report_unused();
  void tell_names_once();
  std::set<std::string, std::less<>> mentioned_by_mistakes() const;
  void try_type_repairs();
  void mend_unused(diag::Diagnostic& d, StmtId stmt);
  std::optional<Span> own_line(Span stmt) const;  // with its end, where a statement has a line to itself
  bool only_a_value(ExprId expr) const;  // leaving it out changes nothing else
  std::optional<Location> keyword_before(Location name, std::string_view keyword) const;
  void judge_accesses();  // accesses.cpp
  bool always_returns(const Block& body) const;
  bool endless(const While& loop) const;
  bool breaks(const Block& body) const;  // out of the loop whose body it is

  // attributes.cpp
  void attributes();
  bool broken(const syntax::Attribute& attribute) const;
  void launch(const syntax::Attribute& attribute);
  // Of an argument of numbers and constants; `with` becomes what it is of those, as in ` with TM = 40`. None: it was reported.
  std::optional<std::int64_t> count_of(const syntax::AttributeArgument& argument, std::string& with);
  void wrong_launch_name(const syntax::AttributeArgument& argument, const std::string& name, Location at, std::string_view takes);
  void launch_threads(const syntax::AttributeArgument& argument, std::int64_t threads, const std::string& with);
  void autotune(const syntax::Attribute& attribute);
  void aligned(const syntax::Attribute& attribute);
  void flag(const syntax::Attribute& attribute, bool& target);
  void wrong_attribute(const syntax::Attribute& attribute, std::string_view takes, std::int64_t least = 1, std::int64_t most = 0);
  void wrong_attribute(const std::string& name, const syntax::AttributeArgument& argument, std::string_view takes, std::int64_t least = 1, std::int64_t most = 0);
  void cap_registers(std::int64_t most, Location at);
  void judge_pipeline();

  // statements.cpp
  Block block(const syntax::Block& body);  // in a scope of its own
  void statements(const syntax::Block& body, Block& into);
  void statement(const syntax::Stmt& stmt, Block& into);
  std::string_view why_it_leaves(const Block& block) const;
  void declaration(const syntax::LetStmt& let, Location at, Block& into);
  void assignment(const syntax::AssignStmt& assign, Location at, Block& into);
  void assign_name(const syntax::AssignStmt& assign, const std::string& name, Location at, Block& into);
  bool may_assign(LocalId id, Location at, std::string_view shown);
  void mend_refused(diag::Diagnostic& d, const Local& local);
  ExprId as_converted(std::size_t before, ExprId given, ExprId result, const Type& target);
  void store_to_all(std::size_t before, const Type& given, const Type& target, Location name);
  void start_as_float(diag::Diagnostic& d, const Local& local);
  Location operator_of(const syntax::AssignStmt& assign) const;
  ExprId compound_result(ExprId whole, const Type& target, std::string_view target_name, const syntax::AssignStmt& assign, Location at);
  void assign_element(const syntax::AssignStmt& assign, const syntax::SubscriptExpr& target, Location at, Block& into);
  void for_loop(const syntax::ForStmt& loop, Location at, Block& into);
  void mend_descent(diag::Diagnostic& d, const syntax::ForStmt& loop) const;
  void judge_unrolling(ExprId begin, ExprId end, ExprId step, Location at);
  void declares_no_result(ExprId result, Location at);
  void return_statement(const syntax::ReturnStmt& stmt, Location at, Block& into);
  ExprId condition(syntax::ExprId expr);
  void no_effect(syntax::ExprId written, ExprId expr, Location at);
  StmtId add(Location at, decltype(Stmt::node) stmt) { return out_.stmts.add({std::move(stmt), at}); }

  // types.cpp
  Type declared_type(const syntax::TypeSyntax& syntax);
  std::optional<ScalarType> element_type(const syntax::Name& name);
  std::optional<Extent> declared_extent(const syntax::DimSyntax& dim);
  bool told_too_large(const syntax::DimSyntax& dim) const;
  std::optional<ScalarType> join(ExprId a, ExprId b);  // of two operands' elements; none: they do not go together
  ExprId convert(ExprId expr, ScalarType element, bool written = false);
  void retype(ExprId literal, ScalarType element);
  void literal_range(const Constant& constant, Location at, ScalarType element);
  void mend_store(diag::Diagnostic& d, ExprId value, const std::vector<Extent>& wanted);
  void mend_row(diag::Diagnostic& d, ExprId expr) const;
  void mend_slice(diag::Diagnostic& d, ExprId expr) const;
  void explain_rank(diag::Diagnostic& d, ExprId value, int wanted) const;
  bool literals_fit(ExprId literal, ScalarType element);  // reports
  ExprId spread(ExprId scalar, const Type& target);
  // By the rules of assignment; reports and gives an error expression where they do not allow it.
  ExprId assignable(ExprId expr, const Type& target, std::string_view target_name);
  ExprId harden(ExprId expr);  // a literal becomes index or f32
  bool fits(const Constant& constant, ScalarType type) const;
  // Equal, or in a function by itself not known to be unequal.
  bool agree(const Extent& a, const Extent& b) const { return a == b || (generic_ && !(a.constant && b.constant)); }
  bool agree(const std::vector<Extent>& a, const std::vector<Extent>& b) const;
  std::optional<std::vector<Extent>> broadcast(const std::vector<Extent>& a, const std::vector<Extent>& b, Location at);

  // expressions.cpp
  ExprId expression(syntax::ExprId id);
  ExprId value(syntax::ExprId id);  // not a tensor, not void
  ExprId integer(syntax::ExprId id, Code code, std::string_view what = {});  // an integer scalar, else reported by that code
  ExprId name(const std::string& name, Location at);
  ExprId field(const syntax::FieldExpr& expr, Location at);
  ExprId ctx_field(const syntax::Name& field, const syntax::Name* axis, Location at);
  ExprId ctx_value(const builtins::CtxRow& row, int axis, Location at);
  ExprId meant_field(std::string_view field, std::string_view axis, Location at);
  ExprId unary(const syntax::UnaryExpr& expr, Location at);
  ExprId binary(const syntax::BinaryExpr& expr, Location at);
  ExprId binary(BinaryOp op, ExprId left, ExprId right, Location at, Location op_at);
  ExprId logical(BinaryOp op, ExprId left, ExprId right, Location at);
  ExprId shift(BinaryOp op, ExprId left, ExprId right, Location at, Location op_at);
  ExprId no_join(BinaryOp op, ExprId left, ExprId right, Location at, Location op_at);
  void mend_shapes(diag::Diagnostic& d, ExprId left, ExprId right);
  bool takes(BinaryOp op, ScalarType type) const;

  // slices.cpp
  struct Place {
    bool point = false;
    std::vector<ExprId> indices;  // of a point
    std::vector<Axis> axes;       // of a slice
    bool ok = false;
    std::vector<Extent> shape() const;
  };
  ExprId subscript(const syntax::SubscriptExpr& expr, Location at);
  ExprId foreign_subscript(const syntax::SubscriptExpr& expr, Location at);  // none where it is ours
  Place place(const Type& base, std::string_view base_name, const std::vector<syntax::Subscript>& subscripts, Location at);
  Axis axis(const syntax::Subscript& subscript, const Extent& extent);
  std::optional<std::int64_t> constant_length(ExprId from, ExprId to);
  bool call_may_know(ExprId expr) const;
  bool call_may_know(LocalId local) const;
  mutable std::map<std::uint32_t, bool> call_may_know_;  // of lets, each once
  void mark_subscripted(ExprId base);
  bool tell_missing_axes(ExprId base, std::size_t given, const Place& where, Location at);
  void tell_launch_extent(const Axis& axis);

  // constants.cpp
  static bool overflows(BinaryOp op, const Constant& a, const Constant& b);  // of index values: the result takes more than 64 bits
  static bool becomes_infinite(const Constant& a, const Constant& b, const Constant& result);
  ExprId integer_constant(std::int64_t value, Location at);

  // calls.cpp, builtin_calls.cpp
  ExprId call(const syntax::CallExpr& expr, Location at);
  ExprId foreign_cast(const syntax::CallExpr& expr, Location at);
  ExprId method(const syntax::FieldExpr& field, syntax::ExprId argument, Location at);
  void mend_parentheses(diag::Diagnostic& d, const syntax::CallExpr& expr, Location at);
  ExprId builtin(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId math(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId where(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId conversion(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId contraction(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId tile_operation(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId iota(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId collective(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId run_fold(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId shuffle(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId element(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  void judge_position(ExprId buffer, ExprId position);
  ExprId atomic(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId bits(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId extent(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  ExprId extent_of(ExprId buffer, std::size_t axis, Location at);
  ExprId print(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  void take_as_run(ExprId slice);
  ExprId quantised(const builtins::Row& row, const syntax::CallExpr& expr, Location at);
  bool quantised_shapes(const builtins::Row& row, const std::vector<ExprId>& arguments);
  bool count_is(const builtins::Row& row, const syntax::CallExpr& expr, Location at, std::size_t least, std::size_t most);
  static std::optional<std::string> axis_folded(std::string_view fold, std::string_view tile, const Type& type, std::string_view axis);
  void mend_two_folded(diag::Diagnostic& d, const builtins::Row& row, const syntax::CallExpr& expr, ExprId first, Location at);
  bool count_is(const builtins::Row& row, const syntax::CallExpr& expr, Location at, std::size_t count) { return count_is(row, expr, at, count, count); }
  std::optional<std::string> on_position(std::string_view name, const syntax::CallExpr& expr) const;
  ExprId wrong_argument(const builtins::Row& row, ExprId argument, std::string_view takes);
  ExprId misplaced_fold(std::string_view name, const syntax::CallExpr& expr, Location at);
  void offer_folds(diag::Diagnostic& d, Span where, std::string_view verb);
  void scalar_fold(const builtins::Row& row, const syntax::CallExpr& expr, ExprId x);
  void mend_condition(diag::Diagnostic& d, ExprId number) const;
  ExprId buffer_argument(const builtins::Row& row, syntax::ExprId argument, bool tile_too);
  ExprId make_call(builtins::Builtin id, Type type, std::vector<ExprId> arguments, Location at, int axis = 0);

  // generate.cpp
  ExprId value_as(syntax::ExprId id, const Type& wanted);
  ExprId generate(const syntax::CallExpr& expr, Location at, const Type* wanted);
  std::shared_ptr<const syntax::Item> generating_function(const syntax::CallExpr& expr, Location at);
  bool bind_indices(const syntax::Item& function, const Type& tile, Location at, InlinedCall& call, std::vector<LocalId>& indices,
                    std::unordered_map<std::string, LocalId>& scope);
  bool only_computes(const std::string& function, std::size_t first_expr, std::size_t first_stmt, Location at);

  // functions.cpp
  ExprId inlined(const std::shared_ptr<const syntax::Item>& function, const syntax::CallExpr& expr, Location at);
  bool may_inline(const syntax::Item& function, Location at);
  ExprId inlined_body(const syntax::Item& function, InlinedCall call, std::unordered_map<std::string, LocalId> scope, Location at);
  bool bind_argument(const syntax::Parameter& parameter, ExprId argument, InlinedCall& call,
                     std::unordered_map<std::string, LocalId>& scope);
  bool unify(const syntax::Parameter& parameter, const Type& type, Location at, std::uint32_t origin, std::unordered_map<std::string, LocalId>& scope);
  void relocate_diagnostics(std::size_t from, const syntax::Item& function, Location call);
  const std::vector<diag::Diagnostic>& check_by_itself(const std::shared_ptr<const syntax::Item>& function);
  std::uint32_t origin_of(const std::shared_ptr<const syntax::Item>& function);

  // inline_size.cpp
  struct InlineSize {
    std::size_t own = 0, called = 0;  // expressions
    std::size_t whole() const { return own + called; }
  };
  InlineSize inline_size(const syntax::Item& function, int depth);
  std::pair<std::vector<std::string>, bool> way_back(const syntax::Item& function);
  bool may_grow(const syntax::Item& function, Location at);

  // suggestions.cpp
  std::optional<std::string> nearest(std::string_view name, const std::vector<std::string_view>& names);
  ExprId unknown_name(const std::string& name, Location at);
  bool nameless_meant(const std::string& name, Location at);
  ExprId unknown_object(const std::string& object, const syntax::Name& field, Location object_at, Location at);
  ExprId unknown_function(const std::string& name, const syntax::CallExpr& expr, Location at);
  bool misspelt_keyword(const syntax::Expr& written, Location at);
  ExprId suggest_name(diag::Diagnostic& d, const std::string& name, Location at);  // gives what is meant, where that is known
  ExprId meant_number(std::string_view text, Location at);
  std::optional<builtins::Builtin> renamed(const std::string& name, const syntax::CallExpr& expr) const;
  ExprId call_renamed(builtins::Builtin id, const std::string& name, const syntax::CallExpr& expr, Location at);
  std::vector<ExprId> foreign_arguments(const std::string& name, const syntax::CallExpr& expr);
  void drop_echoes(std::size_t before, const std::string& name, bool broken);
  std::optional<std::string> opencl_index(const std::string& name, const syntax::CallExpr& expr) const;
  void suggest_function(diag::Diagnostic& d, const std::string& name, std::vector<std::string> arguments, bool ours, Location name_at, Location at);
  static diag::Fix in_call(std::string title, std::string_view function, Location at);  // in a call of that name
  void relate(std::size_t before, Location at, const std::string& message);  // to the errors reported since
  void relate_operand(diag::Diagnostic& d, ExprId operand);

  // shared
  static constexpr std::int64_t largest_tile = std::int64_t{1} << 24, largest_tensor = std::int64_t{1} << 40;
  // Tiles that the simulator takes and no GPU holds: one of a statement is told, where it is made.
  void note_size(const Type& type, std::optional<Location> at);  // without a place one that was told elsewhere
  // Reports a shape of more elements than `most`.
  bool too_many(const std::vector<Extent>& shape, std::int64_t most, std::string_view what, Location at);
  ExprId add(decltype(Expr::node) node, Type type, Location at, std::optional<Constant> constant = {});
  ExprId error(Location at) { return add(ErrorExpr{}, Type::error(), at); }
  Location here(Span span) const { return {span, origin_}; }
  const Type& type(ExprId id) const { return out_.exprs[id].type; }
  bool wrong(ExprId id) const { return type(id).is_error(); }
  bool soft(ExprId id) const { return id.value < soft_.size() && soft_[id.value]; }
  void set_soft(ExprId id);
  std::string text_at(Location location) const;
  bool here_is(Location location, std::string_view text) const { return text_at(location) == text; }
  template <class... Args>
  diag::Diagnostic& report(Code code, Location at, const Args&... args) {
    out_.diagnostics.push_back(diag::make(code, at, args...));
    return out_.diagnostics.back();
  }
  diag::Diagnostic& last() { return out_.diagnostics.back(); }
  static diag::Fix replacement(std::string title, Location at, std::string text) { return {std::move(title), {{at, std::move(text)}}}; }

  using Names = std::unordered_map<std::string, LocalId>;
  LocalId declare(Local local);  // in the innermost scope; reports redeclaration and shadowing
  LocalId lookup(std::string_view name) const;
  std::vector<std::string_view> visible_names() const;

  struct Frame {  // what a call swaps
    const syntax::Item* item = nullptr;
    std::vector<Names> scopes;
    Type result = Type::none();
    bool in_kernel = true;
    int loops = 0;
    bool result_told = false;  // that it declares none
    bool loose_extents = false;  // inside of an operation that takes tiles of extents known only at launch (qdot_t)
  };

  const Environment& environment_;
  const Options& options_;
  CheckedItem out_;
  Frame frame_;
  std::uint32_t origin_ = 0;
  std::vector<std::string> call_stack_;
  std::vector<bool> soft_;  // by expression: a literal (or arithmetic on literals), which takes the type that its context wants
  std::map<LocalId, ExprId> inits_;  // of lets: for affine forms
  bool in_run_ = false;              // slices are a thread's own runs
  bool generic_ = false;             // a function on its own: extents and counts are not known
  bool too_large_ = false;
  struct LargeTile {
    bool known = false;  // the statement's others follow from it
    std::int64_t elements = 0, most = 0;
    std::optional<Location> at;
  };
  LargeTile large_tile_;  // of the statement at hand
  std::size_t nameless_ = 0;  // declarations whose names are missing: names that are not there may be theirs
  std::size_t compared_ = 0;  // names, for suggestions
  std::map<const syntax::Item*, InlineSize> inline_sizes_;
  std::set<const syntax::Item*> looked_back_;  // whose cycles `way_back` has sought
  std::set<std::string> recursions_;           // the cycles that were told
  std::vector<bool> seen_;                     // by expression of the item itself: what was looked at
  std::optional<Span> other_buffer_;           // a trial: the type there is a tensor for a tile, or a tile for a tensor
  std::size_t inlined_ = 0;  // expressions
  bool by_itself_ = false;
  std::map<const syntax::Item*, std::vector<diag::Diagnostic>> by_themselves_;  // what check_by_itself has found
};

}  // namespace phobos::sema
