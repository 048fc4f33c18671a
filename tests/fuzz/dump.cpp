#include "dump.h"

#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <phobos/sema/checked.h>

namespace phobos::fuzz {

namespace {

std::string at(Span span) { return fmt::format("{}-{}", span.begin, span.end); }

template <class Tag>
std::string id(Id<Tag> value) {
  return value ? fmt::format("#{}", value.value) : "-";
}

std::string name(const syntax::Name& name) { return fmt::format("`{}`{} {}", name.text, name.missing ? "?" : "", at(name.span)); }

template <class T, class Print>
std::string list(const std::vector<T>& items, Print print) {
  std::string text = "(";
  for (const T& item : items) text += (text.size() > 1 ? ", " : "") + print(item);
  return text + ")";
}

std::string type(const syntax::TypeSyntax& type) {
  const auto dim = [](const syntax::DimSyntax& dim) {
    return std::visit([](const auto& value) { return fmt::format("{}", value); }, dim.value) + " " + at(dim.span);
  };
  return fmt::format("type {} {} {} {}", static_cast<int>(type.form), name(type.element), list(type.dims, dim), at(type.span));
}

std::string diagnostic(const diag::Diagnostic& d) {
  std::string text = fmt::format("{} {}/{} {}", diag::info(d.code).code, at(d.location.span), d.location.origin, d.message);
  for (const auto& related : d.related) text += fmt::format(" | {}/{} {}", at(related.location.span), related.location.origin, related.message);
  for (const auto& fix : d.fixes) {
    text += " | fix " + fix.title;
    for (const auto& edit : fix.edits) text += fmt::format(" {}/{} `{}`", at(edit.location.span), edit.location.origin, edit.text);
  }
  return text;
}

std::string fold(const syntax::Fold& fold) { return fmt::format("fold {} {} {}", static_cast<int>(fold.form), id(fold.operand), at(fold.span)); }

// One overload for each node that has something in it.
struct SyntaxNodes {
  std::string block(const syntax::Block& block) const {
    return list(block, [](syntax::StmtId each) { return id(each); });
  }
  std::string operator()(const syntax::IntLiteral& e) const { return fmt::format("{}", e.value); }
  std::string operator()(const syntax::FloatLiteral& e) const { return fmt::format("{}", e.value); }
  std::string operator()(const syntax::BoolLiteral& e) const { return fmt::format("{}", e.value); }
  std::string operator()(const syntax::NameExpr& e) const { return e.name; }
  std::string operator()(const syntax::ParenExpr& e) const { return id(e.inner); }
  std::string operator()(const syntax::UnaryExpr& e) const { return fmt::format("{}{}", spelling(e.op), id(e.operand)); }
  std::string operator()(const syntax::BinaryExpr& e) const { return fmt::format("{} {} {} {}", id(e.left), spelling(e.op), id(e.right), at(e.op_span)); }
  std::string operator()(const syntax::FieldExpr& e) const { return fmt::format("{}.{}", id(e.object), name(e.field)); }
  std::string operator()(const syntax::SubscriptExpr& e) const {
    return id(e.object) + list(e.subscripts, [](const syntax::Subscript& s) {
             return fmt::format("{} {} {} {}", static_cast<int>(s.form), id(s.first), id(s.second), at(s.span));
           });
  }
  std::string operator()(const syntax::CallExpr& e) const {
    return id(e.callee) + (e.fold ? fold(*e.fold) : "") + list(e.arguments, [](syntax::ExprId each) { return id(each); });
  }
  std::string operator()(const syntax::RunExpr& e) const { return fmt::format("{} :+ {}", id(e.start), id(e.length)); }
  std::string operator()(const syntax::LetStmt& s) const {
    return fmt::format("{} {} {} {}", s.is_var, name(s.name), s.type ? type(*s.type) : "", id(s.init));
  }
  std::string operator()(const syntax::AssignStmt& s) const {
    return fmt::format("{} {}= {}", id(s.target), s.op ? spelling(*s.op) : "", id(s.value));
  }
  std::string operator()(const syntax::ForStmt& s) const {
    return fmt::format("{} {} {} {} {} {}", name(s.variable), id(s.begin), id(s.end), id(s.step), s.unroll.value_or(-1), block(s.body));
  }
  std::string operator()(const syntax::WhileStmt& s) const { return id(s.condition) + block(s.body); }
  std::string operator()(const syntax::IfStmt& s) const {
    return id(s.condition) + block(s.then_block) + (s.else_block ? " else " + block(*s.else_block) : "");
  }
  std::string operator()(const syntax::ReturnStmt& s) const { return id(s.value); }
  std::string operator()(const syntax::ExprStmt& s) const { return id(s.expr); }
  template <class Other>
  std::string operator()(const Other&) const {
    static_assert(std::is_empty_v<Other>, "a node whose contents are left out");
    return {};
  }
};

std::string arithmetic(const syntax::ConstantExpr& expr) {
  return list(expr.steps, [](const syntax::ConstantExpr::Step& step) {
    const auto* op = std::get_if<syntax::BinaryOp>(&step.what);
    const auto* constant = std::get_if<std::string>(&step.what);
    return (op ? std::string(spelling(*op)) : constant ? *constant : std::to_string(std::get<std::int64_t>(step.what))) + " " + at(step.span);
  });
}

std::string value(const syntax::AttributeArgument& argument) {
  return std::visit([](const auto& v) {
    if constexpr (std::is_same_v<std::decay_t<decltype(v)>, syntax::ConstantExpr>) return arithmetic(v);
    else return fmt::format("{}", v);
  }, argument.value);
}

std::string attribute(const syntax::Attribute& attribute) {
  return name(attribute.name) + at(attribute.span) + list(attribute.arguments, [](const syntax::AttributeArgument& argument) {
           return fmt::format("{} {} {} {} {}", static_cast<int>(argument.form), name(argument.name), value(argument),
                              list(argument.choices, [](std::int64_t choice) { return std::to_string(choice); }), at(argument.span));
         });
}

std::string constant(const std::optional<sema::Constant>& value) { return value ? " = " + to_string(*value) : ""; }

class CheckedPrinter {
 public:
  explicit CheckedPrinter(const session::ItemView& view) : view_(view), checked_(view.analysis->checked), kinds_(view.analysis->kinds) {}

  std::string print() {
    for (std::size_t i = 0; i < checked_.functions.size(); ++i) text_ += fmt::format("inlines {}\n", checked_.functions[i]->name.text);
    for (std::size_t i = 0; i < checked_.locals.size(); ++i) local(sema::LocalId(i));
    for (std::size_t i = 0; i < checked_.exprs.size(); ++i) expression(sema::ExprId(i));
    for (std::size_t i = 0; i < checked_.stmts.size(); ++i) statement(sema::StmtId(i));
    for (const auto& d : checked_.diagnostics) text_ += diagnostic(d) + "\n";
    for (const auto& d : kinds_.diagnostics) text_ += diagnostic(d) + "\n";
    return std::move(text_);
  }

 private:
  void local(sema::LocalId local_id) {
    const sema::Local& local = checked_[local_id];
    text_ += fmt::format("local {} {} {}: {}{} {} used {} subscripted {}", local_id.value, static_cast<int>(local.form), local.name,
                         to_string(local.type), constant(local.constant), at(view_.absolute(local.declared)), local.used, local.subscripted);
    kind(kinds_.local_kinds, kinds_.local_causes, local_id);
  }
  void expression(sema::ExprId expr_id) {
    const sema::Expr& expr = checked_[expr_id];
    text_ += fmt::format("expr {} form {}: {}{} {}", expr_id.value, expr.node.index(), to_string(expr.type), constant(expr.constant), at(view_.absolute(expr.location)));
    if (const auto* local = std::get_if<sema::LocalExpr>(&expr.node)) text_ += " local " + id(local->local);
    if (const auto* call = std::get_if<sema::InlinedCall>(&expr.node)) text_ += fmt::format(" {} {}", checked_.name_of_origin(call->origin), call->origin);
    if (const auto* call = std::get_if<sema::BuiltinCall>(&expr.node)) text_ += fmt::format(" {}", static_cast<int>(call->id));
    kind(kinds_.expr_kinds, kinds_.expr_causes, expr_id);
  }
  void statement(sema::StmtId stmt_id) {
    text_ += fmt::format("stmt {} form {} {}", stmt_id.value, checked_[stmt_id].node.index(), at(view_.absolute(checked_[stmt_id].location)));
    kind(kinds_.control, kinds_.control_causes, stmt_id);
  }

  template <class IdType>
  void kind(const IdVector<IdType, Kind>& kinds, const IdVector<IdType, uniformity::CauseId>& causes, IdType of) {
    if (kinds.contains(of)) text_ += fmt::format(" {}", name_of(kinds[of]));
    if (causes.contains(of) && causes[of].valid())
      for (const uniformity::Step& step : kinds_.chain(causes[of])) text_ += fmt::format(" < {} {}", step.message, at(view_.absolute(step.location)));
    text_ += "\n";
  }

  const session::ItemView& view_;
  const sema::CheckedItem& checked_;
  const uniformity::Result& kinds_;
  std::string text_;
};

}  // namespace

std::string dump(const syntax::Item& item) {
  std::string text = fmt::format("{} {} body {} {}\n", static_cast<int>(item.form), name(item.name), SyntaxNodes().block(item.body), at(item.body_span));
  text += "documentation " + item.documentation + "\n";
  for (const auto& each : item.attributes) text += "attribute " + attribute(each) + "\n";
  for (const auto& each : item.parameters)
    text += fmt::format("parameter {} {} {} {}\n", name(each.name), type(each.type), at(each.span), each.documentation);
  if (item.result) text += "result " + type(*item.result) + "\n";
  for (const auto& each : item.run_lines) text += fmt::format("run {} {}\n", each.text, at(each.span));
  for (std::size_t i = 0; i < item.exprs.size(); ++i) {
    const syntax::Expr& expr = item[syntax::ExprId(i)];
    text += fmt::format("expr {} form {} {} {}\n", i, expr.node.index(), at(expr.span), std::visit(SyntaxNodes(), expr.node));
  }
  for (std::size_t i = 0; i < item.stmts.size(); ++i) {
    const syntax::Stmt& stmt = item[syntax::StmtId(i)];
    text += fmt::format("stmt {} form {} {} {}\n", i, stmt.node.index(), at(stmt.span), std::visit(SyntaxNodes(), stmt.node));
  }
  for (const auto& d : item.diagnostics) text += diagnostic(d) + "\n";
  return text;
}

std::string dump(const session::ItemView& view) {
  return CheckedPrinter(view).print();
}

}  // namespace phobos::fuzz
