// The syntax tree of one item (a kernel or a function), made from Tree-sitter's tree. It owns all it needs and its spans are
// relative to the item's start, so that an item whose text did not change is the same value wherever it has moved to.
//
// The builder never gives up: what is missing or wrong is an Error node (or a Name with `missing` set), already reported once
// in `Item::diagnostics`; later stages stay silent about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/source/span.h>
#include <phobos/support/boxed.h>
#include <phobos/support/id.h>

namespace phobos::syntax {

using ExprId = Id<struct ExprTag>;
using StmtId = Id<struct StmtTag>;

struct Name {
  std::string text;
  Span span;
  bool missing = false;
};

enum class UnaryOp { Negate, Not, Complement };
enum class BinaryOp { Or, And, Eq, Ne, Lt, Le, Gt, Ge, BitOr, BitXor, BitAnd, Shl, Shr, Add, Sub, Mul, Div, Rem };
std::string_view spelling(UnaryOp op);
std::string_view spelling(BinaryOp op);
constexpr bool is_comparison(BinaryOp op) { return op >= BinaryOp::Eq && op <= BinaryOp::Ge; }
constexpr bool is_logical(BinaryOp op) { return op == BinaryOp::Or || op == BinaryOp::And; }

// --- expressions ---------------------------------------------------------------------------------------------------------

struct ErrorExpr {};
struct IntLiteral {
  std::uint64_t value = 0;
};
struct FloatLiteral {
  double value = 0;
};
struct BoolLiteral {
  bool value = false;
};
struct NameExpr {
  std::string name;
};
struct CtxExpr {};
struct ParenExpr {
  ExprId inner;
};
struct UnaryExpr {
  UnaryOp op;
  ExprId operand;
};
struct BinaryExpr {
  BinaryOp op;
  Span op_span;
  ExprId left, right;
};
struct FieldExpr {
  ExprId object;
  Name field;
};

struct Subscript {
  enum class Form { Point, Span, Range, Prefix, Full, Error };
  Form form = Form::Error;
  ExprId first;   // Point: the index; Span and Range: the start
  ExprId second;  // Span: the length; Range and Prefix: the end
  Span span;
};
struct SubscriptExpr {
  ExprId object;
  std::vector<Subscript> subscripts;
};

// What stands in `<…>` between a name and its arguments.
struct Fold {
  enum class Form { OverLane, OverThread, Xor, Up, Down, From, Error };
  Form form = Form::Error;
  ExprId operand;  // of xor, up, down, from
  Span span;
};
struct CallExpr {
  ExprId callee;
  std::optional<Fold> fold;
  std::vector<ExprId> arguments;
  bool broken = false;  // something in the parentheses was reported: how many there are says nothing
};

// `e :+ n` as an argument: a thread's own run of n elements (elem, store).
struct RunExpr {
  ExprId start, length;
};

struct Expr {
  std::variant<ErrorExpr, IntLiteral, FloatLiteral, BoolLiteral, NameExpr, CtxExpr, ParenExpr, UnaryExpr, BinaryExpr, FieldExpr,
               SubscriptExpr, CallExpr, RunExpr>
      node;
  Span span;
};

// --- types ---------------------------------------------------------------------------------------------------------------

struct DimSyntax {
  std::variant<std::int64_t, std::string> value;  // a number or a dimension's name
  Span span;
};
struct TypeSyntax {
  enum class Form { Scalar, Tensor, Tile, Error };
  Form form = Form::Error;
  Name element;  // `f32`; not resolved here
  std::vector<DimSyntax> dims;
  Span span;
};

// --- statements ----------------------------------------------------------------------------------------------------------

using Block = std::vector<StmtId>;

struct ErrorStmt {};
struct LetStmt {  // `let` and `var`
  bool is_var = false;
  Name name;
  Boxed<TypeSyntax> type;
  ExprId init;  // none only for `var x: T`
};
struct AssignStmt {
  ExprId target;               // a NameExpr or a SubscriptExpr of one; anything else was reported and is an ErrorExpr
  std::optional<BinaryOp> op;  // of `op=`
  ExprId value;
};
struct ForStmt {
  Name variable;
  ExprId begin, end, step;          // step may be none
  std::optional<std::int64_t> unroll;  // 0: whole
  Block body;
};
struct WhileStmt {
  ExprId condition;
  Block body;
};
struct IfStmt {
  ExprId condition;
  Block then_block;
  std::optional<Block> else_block;  // `else if`: one IfStmt
};
struct BreakStmt {};
struct ContinueStmt {};
struct ReturnStmt {
  ExprId value;  // may be none
};
struct ExprStmt {
  ExprId expr;
  bool broken = false;  // something in it was reported: that its value is not used says nothing
};

struct Stmt {
  std::variant<ErrorStmt, LetStmt, AssignStmt, ForStmt, WhileStmt, IfStmt, BreakStmt, ContinueStmt, ReturnStmt, ExprStmt> node;
  Span span;
};

// --- items ---------------------------------------------------------------------------------------------------------------

// Arithmetic of an attribute, `TM * 2`: each operand stands before its operator.
struct ConstantExpr {
  struct Step {
    std::variant<std::int64_t, std::string, BinaryOp> what;  // a number, a constant's name, `+ - * / %`
    Span span;
  };
  std::vector<Step> steps;
};
struct AttributeArgument {
  enum class Form { Value, Assign, Choices };  // `128`, `K = 128`, `X in [1, 2]`
  using Value = std::variant<std::int64_t, double, bool, std::string, ConstantExpr>;  // a name alone is a string
  Form form = Form::Value;
  Name name;  // Assign and Choices
  Value value;
  std::vector<std::int64_t> choices;
  Span span;
};
struct Attribute {
  Name name;
  std::vector<AttributeArgument> arguments;
  Span span;
};
struct Parameter {
  Name name;
  TypeSyntax type;
  std::string documentation;
  Span span;
};
// `//# run …` above a kernel; `text` is what follows `//# run`.
struct RunLine {
  std::string text;
  Span span;
};

struct Item {
  enum class Form { Kernel, Function };
  Form form = Form::Kernel;
  std::string text;  // of the item; all its spans point into it
  Name name;
  std::vector<Attribute> attributes;
  std::vector<Parameter> parameters;
  std::optional<TypeSyntax> result;
  Block body;
  Span body_span;             // braces included
  std::string documentation;  // the `//` lines directly above
  std::vector<RunLine> run_lines;
  std::vector<std::string> nested;  // the names of definitions that stand in its body, where none may stand
  std::vector<std::string> outside;  // names that the text behind its body would declare elsewhere
  IdVector<ExprId, Expr> exprs;
  IdVector<StmtId, Stmt> stmts;
  std::vector<diag::Diagnostic> diagnostics;  // syntax errors

  const Expr& operator[](ExprId id) const { return exprs[id]; }
  const Stmt& operator[](StmtId id) const { return stmts[id]; }
};

}  // namespace phobos::syntax
