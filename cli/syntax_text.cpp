#include "syntax_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace phobos::cli {
namespace {

using namespace syntax;

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

std::string type_text(const TypeSyntax& type) {
  if (type.form == TypeSyntax::Form::Error) return "<error>";
  if (type.form == TypeSyntax::Form::Scalar) return type.element.text;
  std::vector<std::string> dims;
  for (const DimSyntax& dim : type.dims)
    dims.push_back(std::visit(Overloaded{[](std::int64_t value) { return fmt::format("{}", value); },
                                         [](const std::string& name) { return name; }}, dim.value));
  return fmt::format("{}<{}>[{}]", type.form == TypeSyntax::Form::Tensor ? "tensor" : "tile", type.element.text, fmt::join(dims, ", "));
}

// One node a line, its children two columns further in, the bytes that it covers in the item at its end.
class ItemPrinter {
 public:
  explicit ItemPrinter(const Item& item) : item_(item) {}

  std::string print() {
    line(fmt::format("{} {}", item_.form == Item::Form::Kernel ? "kernel" : "fn", item_.name.text), item_.body_span);
    ++depth_;
    for (const Attribute& attribute : item_.attributes)
      line(fmt::format("@{} with {} arguments", attribute.name.text, attribute.arguments.size()), attribute.span);
    for (const Parameter& parameter : item_.parameters)
      line(fmt::format("parameter {}: {}", parameter.name.text, type_text(parameter.type)), parameter.span);
    if (item_.result) line(fmt::format("result {}", type_text(*item_.result)), item_.result->span);
    block(item_.body);
    return std::move(text_);
  }

 private:
  void line(const std::string& what, Span span) {
    text_ += fmt::format("{}{} @{}:{}\n", std::string(2 * depth_, ' '), what, span.begin, span.end);
  }

  template <class... Children>
  void node(const std::string& what, Span span, const Children&... children) {
    line(what, span);
    ++depth_;
    (expr(children), ...);
    --depth_;
  }

  void block(const Block& statements) {
    for (const StmtId id : statements) statement(id);
  }

  void nested(const char* label, const Block& statements, Span span) {
    line(label, span);
    ++depth_;
    block(statements);
    --depth_;
  }

  void statement(StmtId id) {
    const Stmt& stmt = item_[id];
    std::visit(Overloaded{
                   [&](const ErrorStmt&) { line("error", stmt.span); },
                   [&](const LetStmt& let) {
                     node(fmt::format("{} {}{}", let.is_var ? "var" : "let", let.name.text, let.type ? ": " + type_text(*let.type) : ""),
                          stmt.span, let.init);
                   },
                   [&](const AssignStmt& assign) {
                     node(fmt::format("assign {}=", assign.op ? spelling(*assign.op) : ""), stmt.span, assign.target, assign.value);
                   },
                   [&](const ForStmt& loop) {
                     node(fmt::format("for {}{}", loop.variable.text, loop.unroll ? fmt::format(" unroll {}", *loop.unroll) : ""),
                          stmt.span, loop.begin, loop.end, loop.step);
                     nested("do", loop.body, stmt.span);
                   },
                   [&](const WhileStmt& loop) {
                     node("while", stmt.span, loop.condition);
                     nested("do", loop.body, stmt.span);
                   },
                   [&](const IfStmt& branch) {
                     node("if", stmt.span, branch.condition);
                     nested("then", branch.then_block, stmt.span);
                     if (branch.else_block) nested("else", *branch.else_block, stmt.span);
                   },
                   [&](const BreakStmt&) { line("break", stmt.span); },
                   [&](const ContinueStmt&) { line("continue", stmt.span); },
                   [&](const ReturnStmt& leave) { node("return", stmt.span, leave.value); },
                   [&](const ExprStmt& inner) { node("expression", stmt.span, inner.expr); },
               },
               stmt.node);
  }

  void expr(ExprId id) {
    if (!id.valid()) return;
    const Expr& expr = item_[id];
    std::visit(Overloaded{
                   [&](const ErrorExpr&) { line("error", expr.span); },
                   [&](const IntLiteral& literal) { line(fmt::format("int {}", literal.value), expr.span); },
                   [&](const FloatLiteral& literal) { line(fmt::format("float {}", literal.value), expr.span); },
                   [&](const BoolLiteral& literal) { line(literal.value ? "true" : "false", expr.span); },
                   [&](const NameExpr& name) { line("name " + name.name, expr.span); },
                   [&](const CtxExpr&) { line("ctx", expr.span); },
                   [&](const ParenExpr& paren) { node("paren", expr.span, paren.inner); },
                   [&](const UnaryExpr& unary) { node(fmt::format("unary {}", spelling(unary.op)), expr.span, unary.operand); },
                   [&](const BinaryExpr& binary) {
                     node(fmt::format("binary {}", spelling(binary.op)), expr.span, binary.left, binary.right);
                   },
                   [&](const FieldExpr& field) { node("field " + field.field.text, expr.span, field.object); },
                   [&](const SubscriptExpr& subscript) { subscripts(subscript, expr.span); },
                   [&](const CallExpr& call) { this->call(call, expr.span); },
                   [&](const RunExpr& run) { node("run", expr.span, run.start, run.length); },
               },
               expr.node);
  }

  void subscripts(const SubscriptExpr& subscript, Span span) {
    constexpr const char* forms[] = {"point", "span", "range", "prefix", "full", "error"};
    node("subscript", span, subscript.object);
    ++depth_;
    for (const Subscript& one : subscript.subscripts) node(forms[static_cast<int>(one.form)], one.span, one.first, one.second);
    --depth_;
  }

  void call(const CallExpr& call, Span span) {
    constexpr const char* forms[] = {"over lanes", "over threads", "xor", "up", "down", "from", "error"};
    node("call", span, call.callee);
    ++depth_;
    if (call.fold) node(forms[static_cast<int>(call.fold->form)], call.fold->span, call.fold->operand);
    for (const ExprId argument : call.arguments) expr(argument);
    --depth_;
  }

  const Item& item_;
  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string syntax_text(const Source& source) {
  std::string text;
  for (const session::ItemView& view : source.snapshot->items()) text += ItemPrinter(view.item()).print();
  return text;
}

}  // namespace phobos::cli
