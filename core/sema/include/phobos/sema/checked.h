// The checked tree of one item: names resolved, types known, constants folded, conversions explicit, function bodies inlined at
// their calls. It is a value: the same text (and the same inlined functions and constants) gives the same tree.
//
// What the user wrote that is wrong is an `ErrorExpr` of type error, reported once in `diagnostics`.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <phobos/builtins/builtins.h>
#include <phobos/diag/diagnostic.h>
#include <phobos/sema/type.h>
#include <phobos/source/span.h>
#include <phobos/support/boxed.h>
#include <phobos/support/id.h>
#include <phobos/syntax/ast.h>

namespace phobos::sema {

using ExprId = Id<struct CheckedExprTag>;
using StmtId = Id<struct CheckedStmtTag>;
using LocalId = Id<struct LocalTag>;
using syntax::BinaryOp;
using syntax::UnaryOp;

struct Constant {
  std::variant<std::int64_t, double, bool> value;
  friend bool operator==(const Constant&, const Constant&) = default;
};
std::string to_string(const Constant& constant);

// Everything that a name can mean in an item.
struct Local {
  enum class Form {
    Let,
    Var,
    LoopVariable,
    Parameter,  // a tensor or a scalar of the kernel; of an inlined function: a Let bound to the argument (is_argument)
    Dimension,  // `M`: bound at launch, type index
    Autotune,   // a compile-time constant of the kernel
  };
  Form form = Form::Let;
  std::string name;
  Type type;
  Location declared;  // the name where it is declared
  std::optional<Constant> constant;  // Autotune; Let with a folded value; Dimension known at compile time
  bool is_argument = false;          // binds the argument of an inlined call
  bool used = false;
  // A tile that is subscripted anywhere (read or stored): it has to live in memory. A tile that never is can be a plain value.
  bool subscripted = false;
};

// --- expressions ---------------------------------------------------------------------------------------------------------

struct ErrorExpr {};
struct ConstantExpr {};  // the value is in Expr::constant
struct LocalExpr {
  LocalId local;  // a scalar, a tile or (as an operand that names a buffer) a tensor
};
struct CtxExpr {
  builtins::CtxField field;
  int axis = 0;  // 0 x, 1 y, 2 z; 0 for fields without an axis
};
struct UnaryExpr {
  UnaryOp op;
  ExprId operand;  // of the result's type
};
// Both operands have been converted to one element type. Shapes may differ as far as broadcasting goes (an extent of 1, a
// scalar, leading axes missing); Expr::type has the broadcast shape. Tile `&&`, `||` are here (bool tiles).
struct BinaryExpr {
  BinaryOp op;
  ExprId left, right;
};
// Scalar `&&`, `||`: the right operand runs only where the left one lets it.
struct LogicalExpr {
  bool is_and = true;
  ExprId left, right;
};
// To Expr::type from the operand's element type (scalar, tile or run; the shape stays), or a scalar spread over a tile or run
// (Expr::type is then of the target's shape and of the operand's element type).
struct ConvertExpr {
  ExprId operand;
  bool written = false;  // `f32(x)` in source, else implied
};

struct Axis {
  enum class Form { Point, Span, Full };  // ranges and prefixes have become spans
  Form form = Form::Full;
  ExprId start;     // Point and Span: an index-valued scalar; Full: none (0)
  Extent length;    // Point: 1; Span: constant; Full: the axis's extent
  Span span;
};

// One element, read by each thread on its own. `base` is a LocalExpr of a buffer, or any tile-valued expression.
struct PointLoad {
  ExprId base;
  std::vector<ExprId> indices;  // one an axis, of integer type
};
// A slice read as a value. In a tile: a copy, once per CTA. In a run (Expr::type is a run): a thread's own elements; all axes
// but the one with the length (the last with length > 1) have length 1.
struct SliceLoad {
  ExprId base;
  std::vector<Axis> axes;  // one an axis of the base
};
struct FoldArgument {
  syntax::Fold::Form form = syntax::Fold::Form::Error;
  ExprId operand;  // xor, up, down, from
};
// A built-in. `arguments` are in source order, converted where the operation wants it. `axis` is that of
// iota; an extent is a constant or a local instead. Buffers that an operation names (atomics, acquire and release, elem, store,
// grid_barrier) are LocalExpr arguments. sum/max/min without a fold are over a run. For the contraction pattern
// `acc += dot(a, b)` see Assign. generate: its argument is the value of one element, an InlinedCall or a conversion of one, and
// `indices` are the locals that stand for the element's position in it, one an axis; what the call binds, it binds once for all
// elements.
struct BuiltinCall {
  builtins::Builtin id;
  int axis = 0;
  std::vector<ExprId> arguments;
  Boxed<FoldArgument> fold;
  Boxed<std::vector<LocalId>> indices;
};
// A call of a user's function, functions[origin - 1]: bind each argument to its local, run the body (which is always there), give
// the value of the `return` reached.
// Tensor parameters are bound to LocalExpr of the tensor itself, and the body names the outer local directly.
struct InlinedCall {
  std::uint32_t origin = 0;
  std::vector<std::pair<LocalId, ExprId>> bindings;
  Boxed<std::vector<StmtId>> body;
};

struct Expr {
  std::variant<ErrorExpr, ConstantExpr, LocalExpr, CtxExpr, UnaryExpr, BinaryExpr, LogicalExpr, ConvertExpr, PointLoad, SliceLoad,
               BuiltinCall, InlinedCall>
      node;
  Type type;
  Location location;
  std::optional<Constant> constant;  // folded value of a scalar
};

// --- statements ----------------------------------------------------------------------------------------------------------

using Block = std::vector<StmtId>;

struct Declare {  // let and var
  LocalId local;
  ExprId init;  // none: `var t: tile…` without a value
};
// `x = e`; `x += e` arrives as value = Binary(Add, LocalExpr x, e) with `compound` set.
struct Assign {
  LocalId target;
  ExprId value;
  bool compound = false;
};
// `t[i, j] = e`: each thread on its own. `op`: reads and writes the same place once (t[i] op= e); `value` is then the right
// operand, already of the type in which the operation is done (`compute`), the result of which is converted to the element.
struct PointStore {
  LocalId target;
  std::vector<ExprId> indices;
  ExprId value;
  std::optional<BinaryOp> op;
  ScalarType compute = ScalarType::F32;
};
// `O[a :+ n, …] = e`: once per CTA. The value is a tile of the slice's shape (after broadcasting) or a scalar to fill it with.
struct SliceStore {
  LocalId target;
  std::vector<Axis> axes;
  ExprId value;
  std::optional<BinaryOp> op;
  ScalarType compute = ScalarType::F32;
};
struct For {
  LocalId variable;
  ExprId begin, end, step;  // of the variable's type; step is never none
  std::optional<std::int64_t> unroll;
  Block body;
};
struct While {
  ExprId condition;
  Block body;
};
struct If {
  ExprId condition;
  Block then_block, else_block;
};
struct Break {};
struct Continue {};
struct Return {  // of the kernel, or of the inlined call that it stands in
  ExprId value;
};
struct Evaluate {
  ExprId expr;
};

struct Stmt {
  std::variant<Declare, Assign, PointStore, SliceStore, For, While, If, Break, Continue, Return, Evaluate> node;
  Location location;
};

// --- items ---------------------------------------------------------------------------------------------------------------

struct AlignedPromise {
  std::string dimension;
  std::int64_t multiple = 1;
  Span span;
};
struct AutotuneConstant {
  std::string name;
  std::vector<std::int64_t> choices;  // bounds already spelt out in doubling steps
  std::int64_t value = 0;             // the one in force
};

struct Attributes {
  int threads = 256;
  std::optional<std::int64_t> threads_written;  // in `@launch`, right or wrong
  std::optional<int> min_blocks, max_registers;
  std::vector<AutotuneConstant> autotune;
  std::vector<AlignedPromise> aligned;
  bool persistent = false, precise = false, dynamic_shared = false;
  enum class TensorCore { No, F16, Tf32 };  // to what f32 contractions may be rounded
  TensorCore tensor_core = TensorCore::No;
  std::optional<std::int64_t> pipeline;  // stages; 0: as many as suit
  Span pipeline_span;
  std::int64_t swizzle = 0;  // 0: none
};

struct CheckedItem {
  std::shared_ptr<const syntax::Item> item;
  std::vector<std::shared_ptr<const syntax::Item>> functions;  // inlined ones, by Location::origin - 1
  Attributes attributes;
  IdVector<LocalId, Local> locals;
  std::vector<LocalId> parameters;  // in order
  std::vector<LocalId> dimensions;  // in order of first appearance; autotune names are not among them
  IdVector<ExprId, Expr> exprs;
  IdVector<StmtId, Stmt> stmts;
  Block body;
  std::vector<diag::Diagnostic> diagnostics;  // of this stage only; the syntax errors are in `item`
  bool inlines_errors = false;  // a function that it inlines is wrong by itself, which is told there

  // The call in which a `generate` computes an element.
  ExprId element_call(const BuiltinCall& generate) const;

  const Expr& operator[](ExprId id) const { return exprs[id]; }
  const Stmt& operator[](StmtId id) const { return stmts[id]; }
  const Local& operator[](LocalId id) const { return locals[id]; }
  // No error of syntax or of checking, in the functions that it inlines neither: only such an item may be lowered.
  bool ok() const;
  // The source text that a location names.
  std::string_view name_of_origin(std::uint32_t origin) const;
};

}  // namespace phobos::sema
