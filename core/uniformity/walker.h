// The walk behind walk.h. Control is carried along as the node that stands for it; a statement that threads may leave by makes
// the control of what follows another node, influenced by that of the exit.
//
// What is assigned to a variable is seen by threads that were not there, so it counts by its control too. What a variable is
// declared with does not: only threads that were there can name it. The same goes for what a call binds and returns.
#pragma once

#include "walk.h"

namespace phobos::uniformity {

class Walker {
 public:
  Walker(const CheckedItem& item, Facts& facts, const std::stop_token& stop) : item_(item), facts_(facts), stop_(stop) {
    root_.resize(item.locals.size());
  }
  void run();

 private:
  // `inner` is the control since the innermost inlined call began: all that its result depends on, since whoever made the call
  // made it together.
  struct Control {
    Node whole = no_node;
    Node inner = no_node;
  };
  struct Exit {
    enum class Form { Break, Continue, Return } form;
    Control control;
    StmtId stmt;
  };
  struct Loop {
    std::uint32_t head;                 // event
    std::vector<std::uint32_t> breaks;  // jumps to its end
  };
  struct Frame {
    ExprId call;
    std::vector<std::uint32_t> returns;  // jumps to its end
    std::vector<Loop> loops;
  };
  // Where an expression stands: the sweep it is a step of, and the outermost op around it.
  struct Place {
    std::uint32_t sweep = nothing;
    std::uint32_t outer = nothing;

    Place inside(std::uint32_t op) const { return {nothing, outer == nothing ? op : outer}; }
    Place step_of(std::uint32_t op) const { return {op, outer == nothing ? op : outer}; }
    Place apart() const { return {nothing, outer}; }
  };

  // Statements.
  void block(const sema::Block& statements, Control control);
  void statement(StmtId id, Control control);
  void at(const sema::Declare&, StmtId, Control);
  void at(const sema::Assign&, StmtId, Control);
  void at(const sema::PointStore&, StmtId, Control);
  void at(const sema::SliceStore&, StmtId, Control);
  void at(const sema::For&, StmtId, Control);
  void at(const sema::While&, StmtId, Control);
  void at(const sema::If&, StmtId, Control);
  void at(const sema::Break&, StmtId, Control);
  void at(const sema::Continue&, StmtId, Control);
  void at(const sema::Return&, StmtId, Control);
  void at(const sema::Evaluate&, StmtId, Control);
  void tile_value(ExprId value, Control control);
  bool accumulates(const sema::Assign& node, Control control);

  // Expressions.
  void expr(ExprId id, Control control, Place place);
  void expr(ExprId id, Control control) { expr(id, control, Place()); }
  void at(const sema::ErrorExpr&, ExprId, Control, Place) {}
  void at(const sema::ConstantExpr&, ExprId, Control, Place) {}
  void at(const sema::LocalExpr&, ExprId, Control, Place);
  void at(const sema::CtxExpr&, ExprId, Control, Place);
  void at(const sema::UnaryExpr&, ExprId, Control, Place);
  void at(const sema::BinaryExpr&, ExprId, Control, Place);
  void at(const sema::LogicalExpr&, ExprId, Control, Place);
  void at(const sema::ConvertExpr&, ExprId, Control, Place);
  void at(const sema::PointLoad&, ExprId, Control, Place);
  void at(const sema::SliceLoad&, ExprId, Control, Place);
  void at(const sema::BuiltinCall&, ExprId, Control, Place);
  void at(const sema::InlinedCall&, ExprId, Control, Place);
  void elementwise(ExprId id, const ExprId* operands, std::size_t count, Control control, Place place);
  void collective(const sema::BuiltinCall& call, ExprId id, Control control, Place place);
  void own_access(const sema::BuiltinCall& call, ExprId id, Control control, Place place);
  void whole(const sema::BuiltinCall& call, ExprId id, Control control, Place place);
  void generate(const sema::BuiltinCall& call, ExprId id, Control control, Place place);
  void body(const sema::InlinedCall& call, ExprId id, Control control);
  void own_read(LocalId buffer);
  void bind(LocalId local, ExprId argument, Control control, Place place);
  void operand(std::uint32_t op, ExprId id, Control control, Place place);

  // Control.
  Control derive(Control from);
  void feed(Control to, Control from, Why why, StmtId subject);
  void feed(Control to, ExprId from, Why why, std::uint32_t subject);
  Control after(Control control, std::size_t first_exit);
  void leave_loop(Control body, std::size_t first_exit);

  // Buffers and events.
  LocalId root(LocalId local) const { return root_[local].valid() ? root_[local] : local; }
  LocalId buffer_of(ExprId id) const;  // of a name or a view of one; none for any other expression
  void read(LocalId buffer, std::uint32_t op);
  std::uint32_t op(Op::Form form, Op::Needs needs, ExprId id, Control control);
  std::uint32_t emit(Event::Form form, std::uint32_t subject = 0, std::uint32_t target = nothing);
  std::uint32_t here() const { return static_cast<std::uint32_t>(facts_.events.size()); }
  void land(const std::vector<std::uint32_t>& jumps);

  const CheckedItem& item_;
  Facts& facts_;
  const std::stop_token& stop_;
  IdVector<LocalId, LocalId> root_;  // of a name that means another's buffer
  std::vector<Exit> exits_;          // those whose effect on what follows is not yet over
  std::vector<Frame> frames_;
  std::uint32_t call_ = nothing;
  std::uint32_t generating_ = nothing;  // the op of the `generate` whose element is walked
  ExprId element_;                      // its call, whose arguments are bound already
  StmtId stmt_;
};

}  // namespace phobos::uniformity
