#include <phobos/sema/check.h>

#include <algorithm>

#include "checker.h"

namespace phobos::sema {

bool CheckedItem::ok() const {
  const auto is_error = [](const diag::Diagnostic& d) { return d.severity == diag::Severity::Error; };
  const auto none_in = [&](const std::vector<diag::Diagnostic>& found) { return std::none_of(found.begin(), found.end(), is_error); };
  return !inlines_errors && none_in(item->diagnostics) && none_in(diagnostics) &&
         std::all_of(functions.begin(), functions.end(), [&](const auto& function) { return none_in(function->diagnostics); });
}

std::string_view CheckedItem::name_of_origin(std::uint32_t origin) const {
  return origin == 0 ? item->name.text : functions[origin - 1]->name.text;
}

Checker::Checker(std::shared_ptr<const syntax::Item> item, const Environment& environment, const Options& options)
    : environment_(environment), options_(options) {
  out_.item = std::move(item);
  frame_.item = out_.item.get();
  frame_.in_kernel = out_.item->form == syntax::Item::Form::Kernel;
  generic_ = !frame_.in_kernel;
}

CheckedItem Checker::run() {
  frame_.scopes.emplace_back();  // constants, dimensions and parameters
  call_stack_.push_back(out_.item->name.text);
  if (out_.item->name.text == "ctx") report(Code::CtxReserved, here(out_.item->name.span));
  attributes();
  declare_parameters();
  for (const syntax::Attribute& attribute : out_.item->attributes)
    if (attribute.name.text == "aligned") aligned(attribute);
  if (out_.item->result) frame_.result = declared_type(*out_.item->result);
  if (frame_.in_kernel && out_.item->result)
    report(Code::ReturnType, here(out_.item->result->span), "a kernel gives no value; it writes to its tensors");
  out_.body = block(out_.item->body);
  if (!frame_.in_kernel && !frame_.result.is_void() && !frame_.result.is_error() && out_.item->diagnostics.empty() && !always_returns(out_.body))
    report(Code::ReturnType, here(out_.item->name.span), fmt::format("`{}` gives a `{}`, but its body can end without a `return`", out_.item->name.text, to_string(frame_.result)));
  report_unused();
  std::stable_sort(out_.diagnostics.begin(), out_.diagnostics.end(), [](const auto& a, const auto& b) {
    return a.location.origin == 0 && b.location.origin == 0 && a.location.span.begin < b.location.span.begin;
  });
  return std::move(out_);
}

bool Checker::always_returns(const Block& body) const {
  for (const StmtId id : body) {
    const Stmt& stmt = out_[id];
    if (std::holds_alternative<Return>(stmt.node)) return true;
    if (const auto* branch = std::get_if<If>(&stmt.node); branch && always_returns(branch->then_block) && always_returns(branch->else_block)) return true;
  }
  return false;
}

void Checker::declare_parameters() {
  for (const syntax::Parameter& parameter : out_.item->parameters) {
    if (parameter.name.missing) continue;
    Local local;
    local.form = Local::Form::Parameter;
    local.name = parameter.name.text;
    local.type = parameter_type(parameter);
    local.declared = here(parameter.name.span);
    out_.parameters.push_back(declare(std::move(local)));
  }
}

Type Checker::parameter_type(const syntax::Parameter& parameter) {
  const syntax::TypeSyntax& syntax = parameter.type;
  if (syntax.form == syntax::TypeSyntax::Form::Error) return Type::error();
  const auto element = element_type(syntax.element);
  if (!element) return Type::error();
  if (syntax.form == syntax::TypeSyntax::Form::Scalar) return Type::scalar(*element);
  if (syntax.dims.size() > 4) {
    report(Code::RankRange, here(syntax.span), parameter.name.text, syntax.dims.size());
    return Type::error();
  }
  std::vector<Extent> shape;
  for (const syntax::DimSyntax& dim : syntax.dims) shape.push_back(parameter_extent(dim));
  if (syntax.form == syntax::TypeSyntax::Form::Tensor) return Type::tensor(*element, std::move(shape));
  if (frame_.in_kernel) {
    report(Code::ParameterType, here(syntax.span), "a kernel takes tensors and scalars; a tile is made inside of it");
    return Type::error();
  }
  return Type::tile(*element, std::move(shape));
}

// A new name declares a dimension.
Extent Checker::parameter_extent(const syntax::DimSyntax& dim) {
  if (const auto* number = std::get_if<std::int64_t>(&dim.value)) {
    if (*number > 0) return Extent::of(*number);
    report(Code::BadExtent, here(dim.span), *number);
    return Extent::of(1);
  }
  const std::string& name = std::get<std::string>(dim.value);
  if (const LocalId known = lookup(name)) {
    const Local& local = out_.locals[known];
    if (local.form == Local::Form::Autotune) {
      out_.locals[known].used = true;
      return Extent::of(std::get<std::int64_t>(local.constant->value));
    }
    if (local.form == Local::Form::Dimension) return Extent::named(name);
    report(Code::NotAValue, here(dim.span), fmt::format("`{}` is a parameter, not the name of a dimension", name));
    return Extent::of(1);
  }
  if (name == "ctx") {
    report(Code::CtxReserved, here(dim.span));
    return Extent::of(1);
  }
  Local local;
  local.form = Local::Form::Dimension;
  local.name = name;
  local.type = Type::scalar(ScalarType::Index);
  local.declared = here(dim.span);
  local.used = true;
  out_.dimensions.push_back(declare(std::move(local)));
  return Extent::named(name);
}

void Checker::report_unused() {
  for (const Local& local : out_.locals) {
    if (local.used || local.declared.origin != 0 || local.name.empty() || local.name.starts_with('_') || local.type.is_error()) continue;
    if (local.form == Local::Form::Dimension || local.is_argument) continue;
    report(Code::Unused, local.declared, local.name);
  }
}

LocalId Checker::declare(Local local) {
  const std::string name = local.name;
  const Location at = local.declared;
  if (name == "ctx") {
    report(Code::CtxReserved, at);
    local.name.clear();
    local.type = Type::error();
    return out_.locals.add(std::move(local));
  }
  Names& scope = frame_.scopes.back();
  const auto there = scope.find(name);
  if (there != scope.end()) {
    auto& d = report(Code::Redeclared, at, name);
    d.related.push_back({out_.locals[there->second].declared, "declared here first"});
    out_.locals[there->second].used = true;
  } else if (local.form != Local::Form::Dimension && !local.is_argument) {
    if (const LocalId outer = lookup(name)) {
      auto& d = report(Code::Shadows, at, name, fmt::format("the `{}` of an outer block", name));
      d.related.push_back({out_.locals[outer].declared, "the other one is declared here"});
    } else if (builtins::find(name)) {
      report(Code::Shadows, at, name, "the built-in of that name");
    }
  }
  const LocalId id = out_.locals.add(std::move(local));
  scope[name] = id;
  return id;
}

LocalId Checker::lookup(std::string_view name) const {
  const std::string key(name);
  for (auto scope = frame_.scopes.rbegin(); scope != frame_.scopes.rend(); ++scope)
    if (const auto found = scope->find(key); found != scope->end()) return found->second;
  return {};
}

std::vector<std::string_view> Checker::visible_names() const {
  std::vector<std::string_view> names;
  for (auto scope = frame_.scopes.rbegin(); scope != frame_.scopes.rend(); ++scope)
    for (const auto& [name, id] : *scope) names.push_back(name);
  std::sort(names.begin(), names.end());  // the order of a hash table must not show in a message
  return names;
}

ExprId Checker::add(decltype(Expr::node) node, Type type, Location at, std::optional<Constant> constant) {
  return out_.exprs.add({std::move(node), std::move(type), at, std::move(constant)});
}

void Checker::set_soft(ExprId id) {
  if (soft_.size() <= id.value) soft_.resize(id.value + 1, false);
  soft_[id.value] = true;
}

std::string Checker::text_at(Location location) const {
  const syntax::Item& item = location.origin == 0 ? *out_.item : *out_.functions[location.origin - 1];
  const Span span = location.span;
  if (span.end > item.text.size() || span.begin > span.end) return {};
  std::string text = item.text.substr(span.begin, span.size());
  const std::size_t line = text.find('\n');
  if (line != std::string::npos) text = text.substr(0, line) + "…";
  return text;
}

CheckedItem check(std::shared_ptr<const syntax::Item> item, const Environment& environment, const Options& options) {
  return Checker(std::move(item), environment, options).run();
}

}  // namespace phobos::sema
