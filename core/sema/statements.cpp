#include "checker.h"

namespace phobos::sema {

Block Checker::block(const syntax::Block& body) {
  frame_.scopes.emplace_back();
  Block result;
  statements(body, result);
  frame_.scopes.pop_back();
  return result;
}

void Checker::statements(const syntax::Block& body, Block& into) {
  for (const syntax::StmtId id : body) {
    if (options_.stop.stop_requested()) return;
    statement((*frame_.item)[id], into);
  }
}

void Checker::statement(const syntax::Stmt& stmt, Block& into) {
  const Location at = here(stmt.span);
  struct Visit {
    Checker& c;
    Location at;
    Block& into;
    void operator()(const syntax::ErrorStmt&) {}
    void operator()(const syntax::LetStmt& s) { c.declaration(s, at, into); }
    void operator()(const syntax::AssignStmt& s) { c.assignment(s, at, into); }
    void operator()(const syntax::ForStmt& s) { c.for_loop(s, at, into); }
    void operator()(const syntax::WhileStmt& s) {
      const ExprId condition = c.condition(s.condition);
      ++c.frame_.loops;
      Block body = c.block(s.body);
      --c.frame_.loops;
      into.push_back(c.add(at, While{condition, std::move(body)}));
    }
    void operator()(const syntax::IfStmt& s) {
      const ExprId condition = c.condition(s.condition);
      Block then_block = c.block(s.then_block);
      Block else_block = s.else_block ? c.block(*s.else_block) : Block{};
      into.push_back(c.add(at, If{condition, std::move(then_block), std::move(else_block)}));
    }
    void operator()(const syntax::BreakStmt&) {
      if (c.frame_.loops == 0) c.report(Code::OutsideLoop, at, "break");
      else into.push_back(c.add(at, Break{}));
    }
    void operator()(const syntax::ContinueStmt&) {
      if (c.frame_.loops == 0) c.report(Code::OutsideLoop, at, "continue");
      else into.push_back(c.add(at, Continue{}));
    }
    void operator()(const syntax::ReturnStmt& s) { c.return_statement(s, at, into); }
    void operator()(const syntax::ExprStmt& s) {
      const ExprId expr = c.expression(s.expr);
      const bool is_call = std::holds_alternative<BuiltinCall>(c.out_[expr].node) || std::holds_alternative<InlinedCall>(c.out_[expr].node);
      if (!is_call && !c.wrong(expr)) c.report(Code::NoEffect, at);
      into.push_back(c.add(at, Evaluate{c.harden(expr)}));
    }
  };
  std::visit(Visit{*this, at, into}, stmt.node);
}

void Checker::declaration(const syntax::LetStmt& let, Location at, Block& into) {
  Local local;
  local.form = let.is_var ? Local::Form::Var : Local::Form::Let;
  local.name = let.name.text;
  local.declared = here(let.name.span);
  ExprId init = let.init ? expression(let.init) : ExprId();
  if (let.type) {
    local.type = declared_type(*let.type);
    if (init) init = assignable(init, local.type, let.name.text);
    else if (!local.type.is_tile() && !local.type.is_error()) report(Code::VarNeedsInit, here(let.name.span), let.name.text);
  } else if (init) {
    init = harden(init);
    local.type = type(init);
    const Location init_at = out_[init].location;
    if (local.type.is_tensor()) {
      report(Code::NotAValue, init_at, fmt::format("`{}` is a tensor in global memory; read it through a subscript", text_at(init_at)));
      local.type = Type::error();
    } else if (local.type.is_void()) {
      report(Code::NotAValue, init_at, fmt::format("`{}` gives no value", text_at(init_at)));
      local.type = Type::error();
    }
    if (local.type.is_error() && !wrong(init)) init = error(init_at);
  }
  if (!let.is_var && init && !wrong(init) && local.type.is_scalar()) local.constant = out_[init].constant;
  if (let.name.missing) {
    if (init) into.push_back(add(at, Evaluate{init}));
    return;
  }
  const bool is_let = !let.is_var;
  const LocalId id = declare(std::move(local));
  if (is_let && init) inits_[id] = init;
  into.push_back(add(at, Declare{id, init}));
}

void Checker::assignment(const syntax::AssignStmt& assign, Location at, Block& into) {
  const syntax::Expr& target = (*frame_.item)[assign.target];
  if (const auto* name = std::get_if<syntax::NameExpr>(&target.node)) {
    assign_name(assign, name->name, at, into);
  } else if (const auto* element = std::get_if<syntax::SubscriptExpr>(&target.node)) {
    assign_element(assign, *element, at, into);
  } else {
    if (std::holds_alternative<syntax::CtxExpr>(target.node)) report(Code::CtxReserved, here(target.span));
    expression(assign.value);
  }
}

void Checker::assign_name(const syntax::AssignStmt& assign, const std::string& name, Location at, Block& into) {
  const Location name_at = here((*frame_.item)[assign.target].span);
  const LocalId id = lookup(name);
  if (!id) {
    this->name(name, name_at);  // reports
    expression(assign.value);
    return;
  }
  const Local local = out_.locals[id];
  const auto refuse = [&](std::string why, std::string_view related) {
    auto& d = report(Code::AssignToLet, name_at, name, why);
    d.related.push_back({local.declared, std::string(related)});
  };
  const std::size_t before = out_.diagnostics.size();
  switch (local.form) {
    case Local::Form::Var: break;
    case Local::Form::Let:
      if (local.is_argument) {
        refuse("it is a parameter", "declared here");
        break;
      }
      refuse("it is declared with `let`; a `var` can be", "declared here");
      if (local.declared.origin == origin_) {
        const Span declared = local.declared.span;
        const std::string& text = frame_.item->text;
        const std::size_t keyword = text.rfind("let", declared.begin);
        if (keyword != std::string::npos && text.find_first_not_of(" \t", keyword + 3) == declared.begin)
          out_.diagnostics.back().fixes.push_back(replacement("Declare it with `var`", here({static_cast<std::uint32_t>(keyword), static_cast<std::uint32_t>(keyword + 3)}), "var"));
      }
      break;
    case Local::Form::LoopVariable: refuse("it is a loop's variable", "the loop is here"); break;
    case Local::Form::Parameter:
      refuse(local.type.is_tensor() ? "it is a tensor; store through a subscript, as in `O[i] = v`" : "it is a parameter", "declared here");
      break;
    case Local::Form::Dimension: refuse("it is a dimension", "bound here"); break;
    case Local::Form::Autotune: refuse("it is a compile-time constant", "declared here"); break;
  }
  const bool refused = out_.diagnostics.size() != before;
  ExprId right = value(assign.value);
  if (refused) {
    out_.locals[id].used = true;
    return;
  }
  if (assign.op) {
    const ExprId old = add(LocalExpr{id}, local.type, name_at);
    right = binary(*assign.op, old, right, at, at);
  }
  right = assignable(right, local.type, name);
  into.push_back(add(at, Assign{id, right, assign.op.has_value()}));
}

void Checker::assign_element(const syntax::AssignStmt& assign, const syntax::SubscriptExpr& target, Location at, Block& into) {
  const ExprId base = expression(target.object);
  const Type base_type = type(base);
  const auto* local = std::get_if<LocalExpr>(&out_[base].node);
  const std::string base_name = text_at(out_[base].location);
  if (wrong(base) || !base_type.is_buffer() || !local) {
    if (!wrong(base)) report(Code::NotSubscriptable, out_[base].location, base_name, fmt::format("a `{}`", to_string(base_type)));
    value(assign.value);
    return;
  }
  const LocalId id = local->local;
  Place where = place(base_type, base_name, target.subscripts, here((*frame_.item)[assign.target].span));
  ExprId right = value(assign.value);
  if (base_type.is_tile() && out_[id].form != Local::Form::Var) {
    auto& d = report(Code::AssignToLet, out_[base].location, base_name, out_[id].is_argument || out_[id].form == Local::Form::Parameter ? "it is a parameter" : "it is declared with `let`; a `var` can be");
    d.related.push_back({out_[id].declared, "declared here"});
    return;
  }
  if (!where.ok || wrong(right)) return;
  mark_subscripted(base);
  const Type element = where.point ? Type::scalar(base_type.element) : Type::tile(base_type.element, where.shape());
  const std::string place_name = text_at(here((*frame_.item)[assign.target].span));
  ScalarType compute = base_type.element;
  if (assign.op) {  // typed as `place op value`, of which only the right side is kept
    const ExprId old = add(ErrorExpr{}, element, out_[base].location);
    const ExprId whole = binary(*assign.op, old, right, at, at);
    if (wrong(whole) || wrong(assignable(whole, element, place_name))) return;
    const auto& result = std::get<BinaryExpr>(out_[whole].node);
    right = result.right;
    compute = type(right).element;
  } else if (where.point || type(right).is_scalar() || type(right).shape == element.shape || !type(right).is_tile()) {
    right = assignable(right, element, place_name);
  } else {  // a tile that broadcasts to the slice
    const std::size_t before = out_.diagnostics.size();
    const auto shape = broadcast(type(right).shape, element.shape, out_[right].location);
    out_.diagnostics.erase(out_.diagnostics.begin() + static_cast<std::ptrdiff_t>(before), out_.diagnostics.end());
    if (!shape || *shape != element.shape) {
      report(Code::StoreShape, out_[right].location, to_string(type(right).shape), to_string(element.shape));
      return;
    }
    right = assignable(right, Type::tile(element.element, type(right).shape), place_name);
  }
  if (wrong(right)) return;
  if (where.point) into.push_back(add(at, PointStore{id, std::move(where.indices), right, assign.op, compute}));
  else into.push_back(add(at, SliceStore{id, std::move(where.axes), right, assign.op, compute}));
}

ExprId Checker::condition(syntax::ExprId expr) {
  const ExprId result = value(expr);
  if (wrong(result) || type(result) == Type::scalar(ScalarType::Bool)) return result;
  const Location at = out_[result].location;
  auto& d = report(Code::ConditionNotBool, at, to_string(type(harden(result))));
  if (type(result).is_scalar()) d.fixes.push_back(replacement("Compare with zero", {{at.span.end, at.span.end}, at.origin}, " != 0"));
  return error(at);
}

void Checker::for_loop(const syntax::ForStmt& loop, Location at, Block& into) {
  ExprId bounds[3] = {value(loop.begin), value(loop.end), loop.step ? value(loop.step) : ExprId()};
  const auto is_int = [&](ExprId id) { return wrong(id) || (type(id).is_scalar() && is_integer(type(id).element)); };
  for (ExprId& each : bounds) {
    if (!each || is_int(each)) continue;
    report(Code::BoundNotInteger, out_[each].location, to_string(type(harden(each))));
    each = error(out_[each].location);
  }
  if (!bounds[2]) {
    bounds[2] = integer_constant(1, at);
    set_soft(bounds[2]);
  }
  std::optional<ScalarType> element;
  for (const ExprId each : bounds) {
    if (wrong(each) || soft(each)) continue;
    const ScalarType mine = type(each).element;
    if (!element) {
      element = mine;
    } else if (*element != mine) {
      const bool has_index = *element == ScalarType::Index || mine == ScalarType::Index;
      element = has_index || size_of(mine) == 8 || size_of(*element) == 8 ? ScalarType::I64 : ScalarType::I32;
    }
  }
  const ScalarType variable_type = element.value_or(ScalarType::Index);
  for (ExprId& each : bounds) each = convert(each, variable_type);
  if (const auto& step = out_[bounds[2]].constant; step && !wrong(bounds[2])) {
    const auto* by = std::get_if<std::int64_t>(&step->value);
    if (by && *by <= 0) {
      report(Code::BadStep, out_[bounds[2]].location, *by);
      bounds[2] = error(out_[bounds[2]].location);
    }
  }
  frame_.scopes.emplace_back();
  Local local;
  local.form = Local::Form::LoopVariable;
  local.name = loop.variable.text;
  local.type = Type::scalar(variable_type);
  local.declared = here(loop.variable.span);
  const LocalId variable = loop.variable.missing ? out_.locals.add(std::move(local)) : declare(std::move(local));
  ++frame_.loops;
  Block body = block(loop.body);
  --frame_.loops;
  frame_.scopes.pop_back();
  into.push_back(add(at, For{variable, bounds[0], bounds[1], bounds[2], loop.unroll, std::move(body)}));
}

void Checker::return_statement(const syntax::ReturnStmt& stmt, Location at, Block& into) {
  ExprId result = stmt.value ? value(stmt.value) : ExprId();
  const bool wants = !frame_.result.is_void();
  if (frame_.in_kernel && result) {
    report(Code::ReturnType, at, "a kernel returns no value; it writes to its tensors");
    result = {};
  } else if (!frame_.in_kernel && wants && !result) {
    report(Code::ReturnType, at, fmt::format("`return` needs a value: `{}` gives a `{}`", frame_.item->name.text, to_string(frame_.result)));
  } else if (!frame_.in_kernel && !wants && result) {
    if (!wrong(result)) {
      report(Code::ReturnType, at, fmt::format("`{}` declares no result; write `-> {}` behind its parameters", frame_.item->name.text, to_string(type(harden(result)))));
    }
    result = {};
  } else if (result) {
    result = assignable(result, frame_.result, "the result");
  }
  into.push_back(add(at, Return{result}));
}

}  // namespace phobos::sema
