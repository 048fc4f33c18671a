// `let w: tile<T>[R, C] = generate(f, …)`: a tile whose element [i, j] is f(i, j, …).
//
// The body of `f` is inlined once, for an element that stands for all of them: its index parameters are locals of their own
// (BuiltinCall::indices), what follows them is bound once for the whole tile. So a body is the value of one element and nothing
// else: it stores nothing, and gives a scalar. That no operation of the whole CTA stands in it is a rule of uniformity.
#include <limits>

#include "checker.h"

namespace phobos::sema {

namespace {

std::int64_t largest(ScalarType type) {
  switch (type) {
    case ScalarType::I8: return 127;
    case ScalarType::U8: return 255;
    case ScalarType::I32: return std::numeric_limits<std::int32_t>::max();
    default: return std::numeric_limits<std::int64_t>::max();
  }
}

}  // namespace

// A value whose place has a declared type, which only `generate` needs to know.
ExprId Checker::value_as(syntax::ExprId id, const Type& wanted) {
  syntax::ExprId inner = id;
  while (inner)
    if (const auto* paren = std::get_if<syntax::ParenExpr>(&(*frame_.item)[inner].node)) inner = paren->inner;
    else break;
  if (!inner) return value(id);
  const syntax::Expr& expr = (*frame_.item)[inner];
  const auto* call = std::get_if<syntax::CallExpr>(&expr.node);
  const auto* callee = call ? std::get_if<syntax::NameExpr>(&(*frame_.item)[call->callee].node) : nullptr;
  const bool is_generate = callee && !call->fold && builtins::find(callee->name) == builtins::Builtin::Generate &&
                           !lookup(callee->name) && !(environment_.find && environment_.find(callee->name));
  return is_generate ? generate(*call, here(expr.span), &wanted) : value(id);
}

std::shared_ptr<const syntax::Item> Checker::generating_function(const syntax::CallExpr& expr, Location at) {
  if (expr.arguments.empty()) {
    report(Code::ArgumentCount, at, "generate", "a function and what it takes behind the indices,", "as in `generate(f, alpha)`", "nothing");
    return nullptr;
  }
  const syntax::Expr& first = (*frame_.item)[expr.arguments[0]];
  const Location first_at = here(first.span);
  const auto* name = std::get_if<syntax::NameExpr>(&first.node);
  if (!name || lookup(name->name)) {
    const ExprId what = expression(expr.arguments[0]);
    if (!wrong(what)) report(Code::Generates, first_at, fmt::format("`{}` is a value, no function", text_at(first_at)));
    return nullptr;
  }
  const auto function = environment_.find ? environment_.find(name->name) : nullptr;
  if (!function && builtins::find(name->name)) {
    report(Code::Generates, first_at, fmt::format("`{}` is a built-in, which takes no indices", name->name));
  } else if (!function) {
    report(Code::UnknownFunction, first_at, name->name);
  } else if (function->form == syntax::Item::Form::Kernel) {
    report(Code::KernelCalled, first_at, name->name);
  } else {
    return function;
  }
  return nullptr;
}

// The leading parameters, one an axis.
bool Checker::bind_indices(const syntax::Item& function, const Type& tile, Location at, InlinedCall& call, std::vector<LocalId>& indices,
                           Names& scope) {
  const auto refuse = [&](Span span, std::string why) {
    auto& d = report(Code::Generates, at, why);
    d.related.push_back({{span, call.origin}, fmt::format("`{}` is defined here", function.name.text)});
    return false;
  };
  if (function.parameters.size() < tile.shape.size())
    return refuse(function.name.span, fmt::format("`{}` takes {} parameter{}, but a tile of rank {} has {} indices", function.name.text,
                                                  function.parameters.size(), function.parameters.size() == 1 ? "" : "s", tile.rank(), tile.rank()));
  for (std::size_t axis = 0; axis < tile.shape.size(); ++axis) {
    const syntax::Parameter& parameter = function.parameters[axis];
    const auto element = scalar_named(parameter.type.element.text);
    if (parameter.name.missing || parameter.type.form == syntax::TypeSyntax::Form::Error || !element) {
      out_.inlines_errors = true;
      return false;
    }
    if (parameter.type.form != syntax::TypeSyntax::Form::Scalar || !is_integer(*element))
      return refuse(parameter.name.span, fmt::format("`{}` of `{}` is the index along axis {}, so it must be an integer", parameter.name.text,
                                                     function.name.text, axis));
    if (const auto& extent = tile.shape[axis].constant; extent && *extent - 1 > largest(*element))
      return refuse(parameter.name.span, fmt::format("`{}` of `{}` counts to {} along axis {}, which does not fit in `{}`", parameter.name.text,
                                                     function.name.text, *extent - 1, axis, name_of(*element)));
    Local local;
    local.form = Local::Form::Let;
    local.name = parameter.name.text;
    local.type = Type::scalar(*element);
    local.declared = {parameter.name.span, call.origin};
    local.is_argument = true;
    local.used = true;
    indices.push_back(out_.locals.add(std::move(local)));
    scope[parameter.name.text] = indices.back();
  }
  return true;
}

// What was checked since those counts is the body: it may change nothing but its own scalars.
bool Checker::only_computes(const std::string& function, std::size_t first_expr, std::size_t first_stmt, Location at) {
  std::optional<Location> effect;
  std::string what;
  for (std::size_t i = first_expr; i < out_.exprs.size() && !effect; ++i) {
    const Expr& expr = out_[ExprId(i)];
    const auto* call = std::get_if<BuiltinCall>(&expr.node);
    if (call && builtins::row(call->id).form == builtins::Form::Store) effect = expr.location, what = "stores here";
    if (call && builtins::row(call->id).form == builtins::Form::Print) effect = expr.location, what = "prints here";
  }
  for (std::size_t i = first_stmt; i < out_.stmts.size() && !effect; ++i) {
    const Stmt& stmt = out_[StmtId(i)];
    const auto* declare = std::get_if<Declare>(&stmt.node);
    if (std::holds_alternative<PointStore>(stmt.node) || std::holds_alternative<SliceStore>(stmt.node)) effect = stmt.location, what = "stores here";
    else if (declare && out_[declare->local].type.is_tile()) effect = stmt.location, what = "makes a tile here";
  }
  if (!effect) return true;
  auto& d = report(Code::Generates, at, fmt::format("`{}` computes one element, so it may neither store nor make a tile, nor print", function));
  d.related.push_back({*effect, fmt::format("it {}", what)});
  return false;
}

ExprId Checker::generate(const syntax::CallExpr& expr, Location at, const Type* wanted) {
  const auto function = generating_function(expr, at);
  std::vector<ExprId> extra;
  for (std::size_t i = 1; i < expr.arguments.size(); ++i) extra.push_back(expression(expr.arguments[i]));
  if (!function || (wanted && wanted->is_error())) return error(at);
  const std::string& name = function->name.text;
  if (!wanted || !wanted->is_tile()) {
    report(Code::Generates, at, fmt::format("its type is not declared, as in `let t: tile<f32>[16, 16] = generate({}, …)`", name));
    return error(at);
  }
  if (!may_inline(*function, at)) return error(at);
  InlinedCall call;
  call.origin = origin_of(function);
  Names scope;
  std::vector<LocalId> indices;
  if (!bind_indices(*function, *wanted, at, call, indices, scope)) return error(at);
  if (extra.size() + indices.size() != function->parameters.size()) {
    const std::size_t takes = function->parameters.size() - indices.size();
    auto& d = report(Code::Generates, at, fmt::format("`{}` takes {} argument{} behind its {}, not {}", name, takes, takes == 1 ? "" : "s",
                                                      indices.size() == 1 ? "index" : fmt::format("{} indices", indices.size()), extra.size()));
    d.related.push_back({{function->name.span, call.origin}, fmt::format("`{}` is defined here", name)});
    return error(at);
  }
  for (std::size_t i = 0; i < extra.size(); ++i)
    if (!bind_argument(function->parameters[indices.size() + i], extra[i], call, scope)) return error(at);
  const std::size_t first_expr = out_.exprs.size(), first_stmt = out_.stmts.size();
  ExprId element = inlined_body(*function, std::move(call), std::move(scope), at);
  if (wrong(element) || !only_computes(name, first_expr, first_stmt, at)) return error(at);
  if (!type(element).is_scalar()) {
    const std::string gives = type(element).is_void() ? "nothing" : with_article(type(element));
    report(Code::Generates, at, fmt::format("`{}` gives {}, but an element is a scalar", name, gives));
    return error(at);
  }
  const ScalarType gives = type(element).element;
  if (gives != wanted->element && !(is_float(gives) && is_float(wanted->element))) {
    auto& d = report(Code::Generates, at, fmt::format("`{}` gives {}, which is not assigned to {} without a conversion", name, with_article(Type::scalar(gives)), with_article(Type::scalar(wanted->element))));
    d.related.push_back({{function->result->span, origin_of(function)}, fmt::format("`{}` gives its result as this", name)});
    return error(at);
  }
  element = convert(element, wanted->element);
  const ExprId result = make_call(builtins::Builtin::Generate, *wanted, {element}, at);
  std::get<BuiltinCall>(out_.exprs[result].node).indices = std::move(indices);
  return result;
}

}  // namespace phobos::sema
