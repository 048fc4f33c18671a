// The state of lowering one kernel, shared by the files of this folder; each file lowers one group of constructs.
//
// The tree has variables, the IR has values. `env_` has, for each local, the value that it has where lowering stands. A branch or
// a loop's body starts from the `env_` at its entry, and what it assigns leaves it as a result of the `if` or the loop, so that
// `env_` behind it names results only. Which locals a region assigns is found by walking its statements beforehand.
//
// A tile that is accessed in part or by a thread cannot be one immutable value. It is a buffer in shared memory from its
// declaration on; `env_` then has the buffer, assigning stores the whole, and naming the tile loads the whole.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <phobos/ir/builder.h>
#include <phobos/lower/lower.h>

namespace phobos::lower {

using ir::Opcode;
using ir::ValueId;
using sema::ExprId;
using sema::LocalId;
using sema::StmtId;

// What the language has and lowering has not yet. Caught in lower().
struct NotYet {
  std::string what;
};

class Lowering {
 public:
  Lowering(const sema::CheckedItem& item, const uniformity::Result& kinds, const Origins& origins, Purpose purpose)
      : item_(item), kinds_(kinds), origins_(origins), purpose_(purpose), builder_(kernel_) {}

  ir::Kernel kernel();

 private:
  using Values = std::vector<ValueId>;
  using Locals = std::vector<LocalId>;

  // Memory that an access names: the buffer, and an index or a start an axis.
  struct Place {
    ValueId buffer;
    Values indices;
  };
  struct Branch {
    ir::RegionId region;
    bool falls_through = true;
  };

  // lower.cpp: the kernel's head, types, values of no expression
  void head();
  ir::Type type_of(const sema::Type& type) const;
  std::int64_t extent_of(const sema::Extent& extent) const;
  ir::Shape shape_of(const std::vector<sema::Extent>& extents) const;
  ValueId emit(Opcode code, ir::Type type, Values operands, std::int64_t immediate = 0);
  ValueId emit_as(ExprId id, Opcode code, Values operands, std::int64_t immediate = 0);
  ValueId constant(ScalarType element, const sema::Constant& value);
  ValueId index_constant(std::int64_t value) { return builder_.integer(ScalarType::Index, value); }
  ValueId zero(ir::Type type);
  void place_span(Location location);
  void name(ValueId value, const std::string& name);
  Kind kind_of(LocalId local) const { return item_[local].type.is_tile() ? Kind::Uniform : kinds_.local_kinds[local]; }

  // statements.cpp; each gives whether the statement behind is reached
  bool block(const sema::Block& block);
  bool statement(StmtId id);
  void bind(LocalId local, ExprId init);
  void assign(LocalId local, ValueId value);
  void point_store(const sema::PointStore& node);
  void slice_store(const sema::SliceStore& node);
  bool return_from(const sema::Return& node);

  // control.cpp
  bool if_statement(const sema::If& node);
  void for_statement(const sema::For& node);
  void while_statement(const sema::While& node);
  bool leave_loop(Opcode code);
  Branch branch(const sema::Block& block, const Locals& merged);
  void assigned_in(const sema::Block& block, std::vector<bool>& found) const;
  Locals carried_by(std::initializer_list<const sema::Block*> blocks) const;
  Values values_of(const Locals& locals) const;
  void add_results(ir::OpId op, const Locals& locals);
  void add_arguments(ir::RegionId region, const Locals& locals);
  void end_region(Opcode terminator, Values values);
  bool ended() const;

  // calls.cpp: functions are inlined
  ValueId call(ExprId id, const sema::InlinedCall& node);
  ValueId body_of(ExprId id, const sema::InlinedCall& node);
  ValueId scoped_call(ExprId id, const sema::InlinedCall& node);
  bool ends_in_value(const sema::Block& block, std::size_t first) const;
  ValueId tail_value(const sema::Block& block, std::size_t first, ExprId call);
  ValueId tail_if(ValueId condition, const sema::Block& then_block, const sema::Block& else_block, std::size_t else_first,
                  ExprId call);
  bool contains_return(const sema::Block& block) const;
  bool contains_return(StmtId id) const;

  // expressions.cpp
  ValueId expr(ExprId id);
  Values exprs(const std::vector<ExprId>& ids);
  ValueId local_value(LocalId local);
  ValueId ctx(const sema::CtxExpr& node);
  ValueId unary(ExprId id, const sema::UnaryExpr& node);
  ValueId binary(ExprId id, const sema::BinaryExpr& node);
  ValueId logical(ExprId id, const sema::LogicalExpr& node);
  bool is_speculatable(ExprId id) const;
  ValueId convert(ValueId value, ScalarType element);
  ValueId apply(sema::BinaryOp op, ValueId left, ValueId right);

  // tiles.cpp: shapes and contractions
  ValueId shaped(ValueId value, const ir::Type& target);  // spread, stretched and converted to that type
  ValueId elementwise(ExprId id, Opcode code, const std::vector<ExprId>& operands);
  ValueId elementwise(ExprId id, Opcode code, Values operands);
  const sema::BuiltinCall* as_dot(ExprId id, const sema::Type& type) const;
  ValueId dot(ExprId id, const sema::BuiltinCall& node, ExprId addend);
  ValueId quantised(ExprId id, const sema::BuiltinCall& node);
  ValueId quantised_block(const std::vector<Place>& places, ValueId k, bool scales_by_row, const ir::Type& type);
  Place slice_of(ExprId id);

  // generate.cpp
  bool lifts(ExprId id) const;
  bool lifts(const sema::InlinedCall& call) const;
  bool fills_memory(ExprId id) const;  // a `generate` whose elements the threads put into memory
  ValueId generate(ExprId id, const sema::BuiltinCall& node);
  void bind_element(const sema::BuiltinCall& node);
  ValueId element_of(const sema::BuiltinCall& node);
  void fill(ValueId buffer, ExprId id, const sema::BuiltinCall& node);

  // memory.cpp: buffers and accesses
  void find_memory();
  void note_base(ExprId base);
  void note_arguments();
  ExprId under_flat(ExprId id) const;
  ValueId extent_value(const sema::Extent& extent);
  ValueId buffer_of(ExprId base);
  ValueId load_whole(ValueId buffer);
  void store_whole(ValueId buffer, ValueId value);
  ValueId materialise(ValueId tile);
  Values whole_starts(int rank);
  Place place(ValueId buffer, const std::vector<sema::Axis>& axes);
  ValueId point_load(ExprId id, const sema::PointLoad& node);
  ValueId slice_load(ExprId id, const sema::SliceLoad& node);
  void mark(ValueId buffer, bool read, bool written);

  // builtins.cpp
  ValueId builtin(ExprId id, const sema::BuiltinCall& node);
  ValueId math(ExprId id, const sema::BuiltinCall& node);
  ValueId fold(ExprId id, const sema::BuiltinCall& node);
  ValueId widened(ExprId id, ScalarType element);
  ValueId shuffle(ExprId id, const sema::BuiltinCall& node);
  ValueId elem(ExprId id, const sema::BuiltinCall& node);
  void elem_store(ExprId id, const sema::BuiltinCall& node);
  ValueId synchronise(ExprId id, const sema::BuiltinCall& node);

  // notes.cpp
  std::string label(Location location) const;
  std::string label(std::string name, const std::vector<std::string>& subscripts) const;
  void note(Opcode code, ir::Note note, Values operands);
  void note_printed();
  ValueId told(ExprId id);
  void print(ExprId id, const sema::BuiltinCall& node);
  bool tracing() const;
  void step(ir::Note::Form form, std::vector<std::string> labels = {}, Values operands = {});
  void step_of(LocalId local);
  void step_of_parameters(const std::vector<LocalId>& parameters);
  void step_of(const sema::Evaluate& node);
  void step_of_store(LocalId target, std::vector<std::string> subscripts, Values operands);
  ExprId last_bound(const sema::For& node) const;
  void place_header(Location stmt, ExprId last);  // of a statement with a body: what stands before it, up to that expression

  // bytes.cpp
  ValueId bytes(ExprId id, const sema::BuiltinCall& node);
  ValueId with_integer(Opcode code, ValueId left, std::int64_t right);
  ValueId popcount(ValueId x);
  ValueId byteperm(ValueId a, ValueId b, ValueId selector);
  ValueId dp4a(ValueId a, ValueId b, ValueId sum);
  ValueId word(const sema::BuiltinCall& node);
  ValueId f16_of_bits(ValueId bits);

  const sema::CheckedItem& item_;
  const uniformity::Result& kinds_;
  const Origins& origins_;
  const Purpose purpose_;
  ir::Kernel kernel_;
  ir::Builder builder_;
  IdVector<LocalId, ValueId> env_;
  std::vector<bool> in_memory_;   // by local: a tile that is a buffer
  std::vector<bool> part_stored_; // by local: a tile that is stored in part
  std::vector<Locals> loops_;     // what the open loops carry, the innermost last
  std::vector<std::pair<std::uint32_t, std::uint32_t>> inlined_;  // the open calls: the function's origin, and its place in Kernel::calls, from 1
  std::vector<ExprId> calls_;     // the open calls that are scopes, the innermost last
  StmtId stmt_;                   // that is being lowered
  ExprId element_;                // the call that is an element of a `generate`: its arguments are bound already
  bool lifting_ = false;          // in such a call, a scalar of the source may be a tile of all elements
};

// The rule of the grid, from the stores to the kernel's tensors. Extents are as in ir::GridAxis; `dimensions` are the kernel's.
ir::GridRule infer_grid(const sema::CheckedItem& item, const Origins& origins, const std::vector<std::string>& dimensions);

}  // namespace phobos::lower
