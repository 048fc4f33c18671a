// Calls of user functions. A body is checked again at each call, with the argument's shapes, in a frame of its own; its nodes carry
// the function's origin. What is wrong with a function by itself is reported where the function is checked by itself, so an error
// inside an inlined body is kept only when it comes from this call.
#include <algorithm>

#include "checker.h"

namespace phobos::sema {

namespace {
constexpr std::size_t deepest_call = 32;
}  // namespace

std::uint32_t Checker::origin_of(const std::shared_ptr<const syntax::Item>& function) {
  for (std::size_t i = 0; i < out_.functions.size(); ++i)
    if (out_.functions[i] == function) return static_cast<std::uint32_t>(i + 1);
  out_.functions.push_back(function);
  return static_cast<std::uint32_t>(out_.functions.size());
}

// Reports recursion, and what would grow past all bounds.
bool Checker::may_inline(const syntax::Item& function, Location at) {
  const std::string& name = function.name.text;
  if (const auto cycle = std::find(call_stack_.begin(), call_stack_.end(), name); cycle != call_stack_.end()) {
    std::string path;
    for (auto each = cycle; each != call_stack_.end(); ++each) path += fmt::format("`{}` → ", *each);
    // A cycle is told once: where the first of its functions by name is checked by itself.
    const bool here = cycle == call_stack_.begin() && *std::min_element(cycle, call_stack_.end()) == name;
    if (!here || !recursions_.insert(path).second) {
      out_.inlines_errors = true;
      return false;
    }
    auto& d = report(Code::Recursion, at, name);
    if (call_stack_.end() - cycle > 1) d.message = fmt::format("recursion is not possible, since calls are inlined: {}`{}`", path, name);
    return false;
  }
  if (call_stack_.size() > deepest_call) {
    if (too_large_) return false;
    const auto [back, cyclic] = way_back(function);
    if (cyclic) {  // told as one that is short is, at the first of them by name
      std::vector<std::string> all(call_stack_);
      all.insert(all.end(), back.begin(), back.end());
      out_.inlines_errors = true;
      if (back.empty() || *std::min_element(all.begin(), all.end()) != call_stack_.front() || !recursions_.insert("→").second) return false;
      report(Code::Recursion, at, name).message = fmt::format("recursion is not possible, since calls are inlined: `{}` → `{}` → … → `{}` → `{}`, a cycle of {} functions or more", all[0], all[1], all.back(), all[0], deepest_call + 2);
      return false;
    }
    report(Code::NestingTooDeep, at, deepest_call);
    too_large_ = true;
    return false;
  }
  return may_grow(function, at);
}

ExprId Checker::inlined(const std::shared_ptr<const syntax::Item>& function, const syntax::CallExpr& expr, Location at) {
  const std::string& name = function->name.text;
  std::vector<ExprId> arguments;
  for (const syntax::ExprId argument : expr.arguments) arguments.push_back(expression(argument));
  if (expr.fold) return misplaced_fold(name, expr, at);
  if (arguments.size() != function->parameters.size()) {
    if (expr.broken) return error(at);
    auto& d = report(Code::ArgumentCount, at, name, function->parameters.size(), function->parameters.size() == 1 ? "argument" : "arguments", arguments.size());
    d.related.push_back({{function->name.span, origin_of(function)}, fmt::format("`{}` is defined here", name)});
    return error(at);
  }
  if (!may_inline(*function, at)) return error(at);
  InlinedCall call;
  call.origin = origin_of(function);
  Names scope;
  bool bound = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) bound = bind_argument(function->parameters[i], arguments[i], call, scope) && bound;
  if (!bound) return error(at);
  return inlined_body(*function, std::move(call), std::move(scope), at);
}

ExprId Checker::inlined_body(const syntax::Item& function, InlinedCall call, Names scope, Location at) {
  Frame frame;
  frame.item = &function;
  frame.in_kernel = false;
  frame.scopes.push_back(std::move(scope));

  std::swap(frame, frame_);
  const std::uint32_t outer_origin = std::exchange(origin_, call.origin);
  const bool outer_run = std::exchange(in_run_, false);
  const std::size_t before = out_.diagnostics.size();
  call_stack_.push_back(function.name.text);
  if (function.result) frame_.result = declared_type(*function.result);
  Block body = block(function.body);
  const Type result = frame_.result_told ? Type::error() : frame_.result;  // that it declares none is its own mistake
  if (frame_.result_told) out_.inlines_errors = true;
  if (!result.is_void() && !result.is_error() && !always_returns(body)) out_.inlines_errors = true;
  call_stack_.pop_back();
  in_run_ = outer_run;
  origin_ = outer_origin;
  std::swap(frame, frame_);
  relocate_diagnostics(before, function, at);
  call.body = std::move(body);
  return add(std::move(call), result, at);
}

bool Checker::bind_argument(const syntax::Parameter& parameter, ExprId argument, InlinedCall& call, Names& scope) {
  const Location at = out_[argument].location;
  if (wrong(argument) || parameter.name.missing) return false;
  const auto element = scalar_named(parameter.type.element.text);
  if (!element || parameter.type.form == syntax::TypeSyntax::Form::Error) {
    out_.inlines_errors = true;
    return false;
  }
  using T = syntax::TypeSyntax::Form;
  Type given = type(argument);
  if (parameter.type.form == T::Scalar) {
    argument = assignable(argument, Type::scalar(*element), parameter.name.text);
  } else {
    const bool tensor = parameter.type.form == T::Tensor;
    const bool named = std::holds_alternative<LocalExpr>(out_[argument].node);
    const bool fits = (tensor ? given.is_tensor() && named && given.element == *element : given.is_tile()) &&
                      given.shape.size() == parameter.type.dims.size();
    if (!fits) {
      std::string wanted = fmt::format("a `{}<{}>` of rank {}", tensor ? "tensor" : "tile", name_of(*element), parameter.type.dims.size());
      report(Code::ArgumentType, at, out_.name_of_origin(call.origin), wanted, fmt::format("`{}`", to_string(type(harden(argument)))));
      return false;
    }
    if (!unify(parameter, given, at, call.origin, scope)) return false;
    if (tensor) {
      scope[parameter.name.text] = std::get<LocalExpr>(out_[argument].node).local;
      return true;
    }
    argument = assignable(argument, Type::tile(*element, given.shape), parameter.name.text);
  }
  if (wrong(argument)) return false;
  Local local;
  local.form = Local::Form::Let;
  local.name = parameter.name.text;
  local.type = type(argument);
  local.declared = {parameter.name.span, call.origin};
  local.is_argument = true;
  local.used = true;
  if (local.type.is_scalar()) local.constant = out_[argument].constant;
  const LocalId id = out_.locals.add(std::move(local));
  inits_[id] = argument;
  scope[parameter.name.text] = id;
  call.bindings.emplace_back(id, argument);
  return true;
}

// Binds the dimension names of a parameter's type to the argument's extents.
bool Checker::unify(const syntax::Parameter& parameter, const Type& given, Location at, std::uint32_t origin, Names& scope) {
  for (std::size_t i = 0; i < given.shape.size(); ++i) {
    const Extent& extent = given.shape[i];
    const auto& dim = parameter.type.dims[i].value;
    Extent wanted;
    if (const auto* number = std::get_if<std::int64_t>(&dim)) {
      wanted = Extent::of(*number);
    } else {
      const std::string& name = std::get<std::string>(dim);
      const auto known = scope.find(name);
      if (known == scope.end()) {
        LocalId id;
        if (!extent.constant)
          for (const LocalId each : out_.dimensions)
            if (out_[each].name == extent.name) id = each;
        if (!id) {
          Local local;
          local.form = Local::Form::Dimension;
          local.name = name;
          local.type = Type::scalar(ScalarType::Index);
          local.declared = {parameter.type.dims[i].span, 0};
          local.used = true;
          local.is_argument = true;
          if (extent.constant) local.constant = Constant{*extent.constant};
          id = out_.locals.add(std::move(local));
        }
        scope[name] = id;
        continue;
      }
      const Local& local = out_.locals[known->second];
      wanted = local.constant ? Extent::of(std::get<std::int64_t>(local.constant->value)) : Extent::named(local.name);
    }
    if (!agree(wanted, extent)) {
      std::vector<Extent> shape = given.shape;
      std::string bound;  // the names that are so by other arguments
      for (std::size_t k = 0; k < shape.size(); ++k) {
        const auto& each = parameter.type.dims[k].value;
        if (const auto* number = std::get_if<std::int64_t>(&each)) shape[k] = Extent::of(*number);
        const auto* name = std::get_if<std::string>(&each);
        const auto known = name ? scope.find(*name) : scope.end();
        if (known == scope.end()) continue;
        const Local& local = out_.locals[known->second];
        shape[k] = local.constant ? Extent::of(std::get<std::int64_t>(local.constant->value)) : Extent::named(local.name);
        if (k >= i) bound += fmt::format("{}`{}` is {}", bound.empty() ? ", where " : " and ", *name, to_string(shape[k]));
      }
      auto& d = report(Code::ShapeMismatch, at, to_string(given.shape), to_string(shape), i);
      const syntax::Item& function = *out_.functions[origin - 1];
      d.related.push_back({{parameter.type.span, origin}, fmt::format("`{}` is `{}`{}", parameter.name.text, function.text.substr(parameter.type.span.begin, parameter.type.span.size()), bound)});
      return false;
    }
  }
  return true;
}

// One level deep: what such a check finds in the bodies that it inlines is of no interest here.
const std::vector<diag::Diagnostic>& Checker::check_by_itself(const std::shared_ptr<const syntax::Item>& function) {
  const auto [known, fresh] = by_themselves_.try_emplace(function.get());
  if (fresh) {
    Options options;
    options.stop = options_.stop;
    Checker checker(function, environment_, options);
    checker.by_itself_ = true;
    known->second = checker.run().diagnostics;
  }
  return known->second;
}

void Checker::relocate_diagnostics(std::size_t from, const syntax::Item& function, Location call) {
  if (out_.diagnostics.size() == from) return;
  std::vector<diag::Diagnostic> inner(out_.diagnostics.begin() + static_cast<std::ptrdiff_t>(from), out_.diagnostics.end());
  out_.diagnostics.erase(out_.diagnostics.begin() + static_cast<std::ptrdiff_t>(from), out_.diagnostics.end());
  std::vector<diag::Diagnostic> own;
  if (!by_itself_)
    for (const auto& candidate : out_.functions)
      if (candidate.get() == &function) own = check_by_itself(candidate);
  for (diag::Diagnostic& d : inner) {
    if (d.severity == diag::Severity::Hint) continue;
    const auto same = [&](const diag::Diagnostic& o) {  // an unknown name is told once
      return o.code == d.code && (o.location.span == d.location.span || (d.code == Code::UnknownName && o.message == d.message));
    };
    const bool known = d.code != Code::Recursion && std::any_of(own.begin(), own.end(), same);
    if (known) {
      out_.inlines_errors = out_.inlines_errors || d.severity == diag::Severity::Error;
      continue;
    }
    const bool cycle = d.code == Code::Recursion;
    d.related.insert(d.related.begin(), {d.location, fmt::format(fmt::runtime(cycle ? "`{}` calls on here" : "in `{}`, inlined by this call"), function.name.text)});
    d.location = call;
    d.fixes.clear();
    out_.diagnostics.push_back(std::move(d));
  }
}

}  // namespace phobos::sema
