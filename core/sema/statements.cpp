#include <utility>

#include <phobos/builtins/spelling.h>

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
  bool told = false;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (options_.stop.stop_requested()) return;
    const std::size_t before = into.size();
    statement((*frame_.item)[body[i]], into);
    if (told || origin_ != 0 || i + 1 == body.size()) continue;
    const std::string_view why = why_it_leaves(Block(into.begin() + static_cast<std::ptrdiff_t>(before), into.end()));
    told = !why.empty();
    if (!told) continue;
    const Span rest = cover((*frame_.item)[body[i + 1]].span, (*frame_.item)[body.back()].span);
    report(Code::Unreachable, here(rest), why).related.push_back({here((*frame_.item)[body[i]].span), "what is behind this does not run"});
  }
}

// Why what is behind a block never runs; empty where it may.
std::string_view Checker::why_it_leaves(const Block& block) const {
  for (const StmtId id : block) {
    const auto& node = out_[id].node;
    if (std::holds_alternative<Return>(node)) return "the `return` before it leaves";
    if (std::holds_alternative<Break>(node)) return "the `break` before it leaves";
    if (std::holds_alternative<Continue>(node)) return "the `continue` before it goes on elsewhere";
    if (const auto* loop = std::get_if<While>(&node); loop && endless(*loop)) return "the loop before it has no end";
    const auto* branch = std::get_if<If>(&node);
    if (branch && !why_it_leaves(branch->then_block).empty() && !why_it_leaves(branch->else_block).empty()) return "both branches before it leave";
  }
  return {};
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
      if (s.expr && c.misspelt_keyword((*c.frame_.item)[s.expr], c.here((*c.frame_.item)[s.expr].span))) return;
      const ExprId expr = c.expression(s.expr);
      const bool is_call = std::holds_alternative<BuiltinCall>(c.out_[expr].node) || std::holds_alternative<InlinedCall>(c.out_[expr].node);
      if (!is_call && !s.broken && !c.wrong(expr)) c.no_effect(s.expr, expr, at);
      into.push_back(c.add(at, Evaluate{c.harden(expr)}));
    }
  };
  const LargeTile outer = std::exchange(large_tile_, {});
  std::visit(Visit{*this, at, into}, stmt.node);
  const bool known = outer.known || large_tile_.known;
  if (large_tile_.at) report(Code::TileUnbuildable, *large_tile_.at, large_tile_.elements, out_.attributes.threads, large_tile_.most);
  large_tile_ = outer;
  large_tile_.known = known;
}

void Checker::declaration(const syntax::LetStmt& let, Location at, Block& into) {
  Local local;
  local.form = let.is_var ? Local::Form::Var : Local::Form::Let;
  local.name = let.name.text;
  local.declared = here(let.name.span);
  ExprId init;
  if (let.type) {
    local.type = declared_type(*let.type);
    note_size(local.type, here(let.type->span));
    if (let.init) init = value_as(let.init, local.type);
  } else if (let.init) {
    init = expression(let.init);
  }
  if (let.type) {
    const std::size_t before = out_.diagnostics.size();
    const ExprId given = init;
    if (init) init = assignable(init, local.type, let.name.text);
    if (init) {
      if (wrong(init)) relate(before, here(let.type->span), fmt::format("`{}` is declared as this", let.name.text));
      init = as_converted(before, given, init, local.type);
    } else if (!local.type.is_tile() && !local.type.is_error()) {
      auto& d = report(Code::VarNeedsInit, here(let.name.span), let.name.text);
      const std::string zero = local.type.element == ScalarType::Bool ? "false" : is_float(local.type.element) ? "0.0" : "0";
      const Location end = here({let.type->span.end, let.type->span.end});
      if (local.type.is_scalar()) d.fixes.push_back(replacement(fmt::format("Start at `{}`", zero), end, " = " + zero));
    }
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
    const std::string& text = frame_.item->text;
    const std::size_t behind = text.find_first_not_of(" \t", at.span.begin + 3);
    if (origin_ == 0 && behind != std::string::npos && (text[behind] == '=' || text[behind] == ':')) ++nameless_;
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
  if (origin_ == 0) seen_[assign.target.value] = true;
  const LocalId id = lookup(name);
  const bool nobodys = !id && !assign.op && !builtins::find(name) && !(environment_.find && environment_.find(name));
  const auto near = nobodys ? nearest(name, visible_names()) : std::nullopt;
  if (nobodys && (!near || builtins::are_siblings(name, *near))) {  // as Python declares
    auto& d = report(Code::UnknownName, name_at, name);
    d.message += "; a name is declared with `let` or `var`";
    d.fixes.push_back(replacement("Declare it with `var`", {{at.span.begin, at.span.begin}, at.origin}, "var "));
    declaration({true, {name, name_at.span, false}, {}, assign.value}, at, into);
    if (const LocalId made = lookup(name)) out_.locals[made].used = true;  // it has been spoken of
    return;
  }
  if (!id) {
    const std::size_t said = out_.diagnostics.size();
    this->name(name, name_at);  // reports
    if (nobodys && out_.diagnostics.size() == said + 1)
      out_.diagnostics[said].fixes.push_back(replacement("Declare it with `var`", {{at.span.begin, at.span.begin}, at.origin}, "var "));
    expression(assign.value);
    return;
  }
  const Local local = out_.locals[id];
  const bool refused = !may_assign(id, name_at, name);
  note_size(local.type, {});
  ExprId right = assign.op ? value(assign.value) : value_as(assign.value, local.type);
  if (refused) {
    out_.locals[id].used = true;
    return;
  }
  const std::size_t before = out_.diagnostics.size();
  if (assign.op) {
    const ExprId old = add(LocalExpr{id}, local.type, name_at);
    right = binary(*assign.op, old, right, at, operator_of(assign));
    right = compound_result(right, local.type, name, assign, at);
  } else {
    const ExprId given = right;
    const Type given_type = type(right);
    right = assignable(right, local.type, name);
    if (wrong(right)) {
      relate(before, local.declared, fmt::format("`{}` is {}", name, with_article(local.type)));
      store_to_all(before, given_type, local.type, name_at);
    }
    right = as_converted(before, given, right, local.type);
  }
  if (out_.diagnostics.size() > before && out_.diagnostics[before].code == Code::NeedsConversion) start_as_float(out_.diagnostics[before], local);
  into.push_back(add(at, Assign{id, right, assign.op.has_value()}));
}

// What lacks its conversion, as if that stood there: the name's kind is known, and so what else is wrong with its uses.
ExprId Checker::as_converted(std::size_t before, ExprId given, ExprId result, const Type& target) {
  const bool lacks = out_.diagnostics.size() == before + 1 && out_.diagnostics[before].code == Code::NeedsConversion;
  if (!lacks || !wrong(result) || wrong(given) || !target.is_scalar() || !type(given).is_scalar()) return result;
  return add(ConvertExpr{harden(given), true}, target, out_[given].location);
}

// `t = y[:]` of a shape that would broadcast: a store to all of `t` does.
void Checker::store_to_all(std::size_t before, const Type& given, const Type& target, Location name) {
  if (out_.diagnostics.size() != before + 1 || out_.diagnostics[before].code != Code::StoreShape) return;
  const auto shape = broadcast(given.shape, target.shape, name);
  out_.diagnostics.resize(before + 1, out_.diagnostics[before]);
  if (!shape || *shape != target.shape) return;
  diag::Diagnostic& d = out_.diagnostics[before];
  d.message += "; a store stretches it";
  d.fixes.push_back(replacement("Store to all of it", {{name.span.end, name.span.end}, name.origin}, "[:]"));
}

// `var t = 0` makes an `index`, which takes no float; one that starts at `0.0` does.
void Checker::start_as_float(diag::Diagnostic& d, const Local& local) {
  if (local.form != Local::Form::Var || local.type.element != ScalarType::Index || !local.type.is_scalar() || local.declared.origin != origin_) return;
  const std::string& text = frame_.item->text;
  const std::size_t sign = text.find_first_not_of(" \t", local.declared.span.end);
  if (sign == std::string::npos || text[sign] != '=') return;
  const std::size_t from = text.find_first_not_of(" \t", sign + 1), begin = text.find_first_not_of(" \t-", sign + 1);
  const std::size_t end = begin == std::string::npos ? begin : text.find_first_not_of("0123456789", begin);
  const std::size_t next = end == std::string::npos ? end : text.find_first_not_of(" \t\r", end);
  if (next == std::string::npos || end == begin || (text[next] != '\n' && text[next] != ';' && text[next] != '/')) return;
  const std::string better = text.substr(from, end - from) + ".0";
  d.message += fmt::format("; started at `{}`, `{}` is an `f32`", better, local.name);
  const auto at = static_cast<std::uint32_t>(end);
  d.fixes = {replacement(fmt::format("Start `{}` at `{}`", local.name, better), here({at, at}), ".0")};
}

// Whether a name may be assigned or, of a tile, stored to. Says why not.
bool Checker::may_assign(LocalId id, Location at, std::string_view shown) {
  const Local local = out_.locals[id];
  std::string why, related = "declared here";
  switch (local.form) {
    case Local::Form::Var: return true;
    case Local::Form::Let: why = local.is_argument ? "it is a parameter" : "it is declared with `let`; a `var` can be"; break;
    case Local::Form::LoopVariable: why = "it is a loop's variable", related = "the loop is here"; break;
    case Local::Form::Parameter:
      why = local.type.is_tensor() ? "it is a tensor; store through a subscript, as in `O[i] = v`" : "it is a parameter";
      break;
    case Local::Form::Dimension: why = "it is a dimension", related = "bound here"; break;
    case Local::Form::Autotune: why = "it is a compile-time constant"; break;
  }
  auto& d = report(Code::AssignToLet, at, shown, why);
  d.related.push_back({local.declared, std::move(related)});
  if (local.declared.origin == origin_) mend_refused(d, local);
  return false;
}

void Checker::mend_refused(diag::Diagnostic& d, const Local& local) {
  if (local.form == Local::Form::Let && !local.is_argument) {
    if (const auto keyword = keyword_before(local.declared, "let")) d.fixes.push_back(replacement("Declare it with `var`", *keyword, "var"));
  } else if (local.form == Local::Form::Parameter && !local.type.is_tensor() && frame_.item->body_span.size() > 1) {
    const std::string& text = frame_.item->text;
    const std::uint32_t inside = frame_.item->body_span.begin + 1;
    const std::size_t next = text.find_first_not_of(" \t\r", inside);
    const bool line = next != std::string::npos && text[next] == '\n';
    d.fixes.push_back(replacement("Copy the parameter into a `var`", here({inside, inside}), fmt::format("{0} var {1} = {1}{2}", line ? "\n " : "", local.name, line ? "" : ";")));
  }
}

std::optional<Location> Checker::keyword_before(Location name, std::string_view keyword) const {
  const std::string& text = frame_.item->text;
  if (name.origin != origin_ || name.span.begin == 0) return std::nullopt;
  const std::size_t last = text.find_last_not_of(" \t", name.span.begin - 1);
  if (last == std::string::npos || !std::string_view(text).substr(0, last + 1).ends_with(keyword)) return std::nullopt;
  const auto end = static_cast<std::uint32_t>(last + 1);
  return here({end - static_cast<std::uint32_t>(keyword.size()), end});
}

// `+=` in `x += e`.
Location Checker::operator_of(const syntax::AssignStmt& assign) const {
  const std::uint32_t end = (*frame_.item)[assign.target].span.end;
  const std::size_t at = frame_.item->text.find_first_not_of(" \t", end);
  const auto begin = at == std::string::npos ? end : static_cast<std::uint32_t>(at);
  return here({begin, begin + static_cast<std::uint32_t>(syntax::spelling(*assign.op).size()) + 1});
}

// `x op e` as what `x` takes. No call around the statement mends it, but the statement written out does.
ExprId Checker::compound_result(ExprId whole, const Type& target, std::string_view target_name, const syntax::AssignStmt& assign, Location at) {
  if (wrong(whole)) return whole;
  const Type given = type(whole);
  const std::size_t before = out_.diagnostics.size();
  const ExprId result = assignable(whole, target, target_name);
  if (out_.diagnostics.size() == before) return result;
  diag::Diagnostic& d = out_.diagnostics[before];
  d.fixes.clear();
  if (const auto* binary = std::get_if<BinaryExpr>(&out_[whole].node); binary && d.code == Code::AssignType && target.is_scalar()) mend_row(d, binary->right);
  if (d.code != Code::NeedsConversion) return result;
  const std::string place = text_at(here((*frame_.item)[assign.target].span)), value = text_at(here((*frame_.item)[assign.value].span));
  const bool compound = std::holds_alternative<syntax::BinaryExpr>((*frame_.item)[assign.value].node);
  const std::string_view to = name_of(target.element == ScalarType::Index ? ScalarType::I64 : target.element);
  const std::string better = fmt::format("{} = {}({} {} {}{}{})", place, to, place, syntax::spelling(*assign.op), compound ? "(" : "", value, compound ? ")" : "");
  d.message = fmt::format("`{}` is not assigned to `{}` without a conversion: write `{}`", name_of(given.element), name_of(target.element), better);
  if (better.find("…") == std::string::npos) d.fixes.push_back(replacement("Write the conversion", at, better));
  return result;
}

// A comparison that stands alone was meant to assign.
void Checker::no_effect(syntax::ExprId written, ExprId expr, Location at) {
  auto& d = report(Code::NoEffect, at);
  const auto* equal = std::get_if<syntax::BinaryExpr>(&(*frame_.item)[written].node);
  const auto* binary = std::get_if<BinaryExpr>(&out_[expr].node);
  if (equal && equal->op == BinaryOp::Eq && binary) {
    const auto* local = std::get_if<LocalExpr>(&out_[binary->left].node);
    if (std::holds_alternative<PointLoad>(out_[binary->left].node) && type(binary->left) == type(binary->right))
      d.fixes.push_back(replacement("Assign instead", here(equal->op_span), "="));
    if (local && out_[local->local].form == Local::Form::Var && out_[local->local].type == type(binary->right))
      d.fixes.push_back(replacement("Assign instead", here(equal->op_span), "="));
  }
  if (origin_ != 0 || !only_a_value(expr)) return;
  if (const auto line = own_line(at.span)) d.fixes.push_back(replacement("Delete it", here(*line), ""));
}

void Checker::assign_element(const syntax::AssignStmt& assign, const syntax::SubscriptExpr& target, Location at, Block& into) {
  const ExprId base = expression(target.object);
  const Type base_type = type(base);
  const auto* local = std::get_if<LocalExpr>(&out_[base].node);
  const std::string base_name = text_at(out_[base].location);
  if (wrong(base) || !base_type.is_buffer() || !local) {
    if (!wrong(base)) report(Code::NotSubscriptable, out_[base].location, base_name, with_article(base_type));
    value(assign.value);
    return;
  }
  const LocalId id = local->local;
  Place where = place(base_type, base_name, target.subscripts, here((*frame_.item)[assign.target].span));
  if (where.ok && !where.point) note_size(Type::tile(base_type.element, where.shape()), here((*frame_.item)[assign.target].span));
  ExprId right = value(assign.value);
  const std::size_t before = out_.diagnostics.size();
  if (base_type.is_tile() && !may_assign(id, out_[base].location, base_name)) return;
  if (!where.ok || wrong(right)) return;
  mark_subscripted(base);
  const Type element = where.point ? Type::scalar(base_type.element) : Type::tile(base_type.element, where.shape());
  if (element.is_tile() && too_many(element.shape, largest_tile, "tile", here((*frame_.item)[assign.target].span))) return;
  const std::string place_name = text_at(here((*frame_.item)[assign.target].span));
  ScalarType compute = base_type.element;
  if (assign.op) {  // typed as `place op value`, of which only the right side is kept
    const ExprId old = add(ErrorExpr{}, element, here((*frame_.item)[assign.target].span));
    const ExprId whole = binary(*assign.op, old, right, at, operator_of(assign));
    if (wrong(whole) || wrong(compound_result(whole, element, place_name, assign, at))) return;
    const auto& result = std::get<BinaryExpr>(out_[whole].node);
    right = result.right;
    compute = type(right).element;
  } else if (where.point || type(right).is_scalar() || agree(type(right).shape, element.shape) || !type(right).is_tile()) {
    right = assignable(right, element, place_name);
  } else {  // a tile that broadcasts to the slice
    const auto shape = broadcast(type(right).shape, element.shape, out_[right].location);
    out_.diagnostics.erase(out_.diagnostics.begin() + static_cast<std::ptrdiff_t>(before), out_.diagnostics.end());
    if (!shape || !agree(*shape, element.shape)) {
      auto& d = report(Code::StoreShape, out_[right].location, to_string(type(right).shape), to_string(element.shape));
      mend_store(d, right, element.shape);
      right = error(out_[right].location);
    } else {
      right = assignable(right, Type::tile(element.element, type(right).shape), place_name);
    }
  }
  if (wrong(right)) {
    relate(before, out_[id].declared, fmt::format("`{}` is {}", out_[id].name, with_article(out_[id].type)));
    return;
  }
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

// `range(n - 1, -1, -1)`: it counts up, and subtracts.
void Checker::mend_descent(diag::Diagnostic& d, const syntax::ForStmt& loop) const {
  const syntax::Item& item = *frame_.item;
  const auto written = [&](syntax::ExprId id) {
    const std::string words = item.text.substr(item[id].span.begin, item[id].span.size());
    const auto* binary = std::get_if<syntax::BinaryExpr>(&item[id].node);
    return (binary && binary->op < BinaryOp::Add) || std::holds_alternative<syntax::UnaryExpr>(item[id].node) ? "(" + words + ")" : words;
  };
  const std::string first = written(loop.begin), end = written(loop.end), &name = loop.variable.text, up = name + "_up";
  d.message += fmt::format("; to count down, count up and take `{} - {}`", first, up);
  const std::size_t closer = item.text.find_first_not_of(" )", item[loop.step].span.end), line = item.text.find('\n', closer);
  if (loop.variable.missing || origin_ != 0 || closer == std::string::npos || item.text[closer] != '{' || item.text.find(up) != std::string::npos) return;
  std::string count = first;
  if (end == "(-1)") count = first.ends_with(" - 1") ? first.substr(0, first.size() - 4) : first + " + 1";
  else if (end != "0") count += " - " + (end.find(' ') != end.npos && end[0] != '(' ? "(" + end + ")" : end);
  const std::size_t next = item.text.find_first_not_of(" \t\r\n", closer + 1);
  if (next == std::string::npos || item.text[next] == '}') return;
  const bool own_line = line < next;
  const std::string value = fmt::format("let {} = {} - {}", name, first, up);
  const auto at = [&](std::size_t from, std::size_t to) { return here({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)}); };
  const std::size_t indent = next - (item.text.rfind('\n', next) + 1);
  d.fixes.push_back({"Count up, and subtract", {{here(loop.variable.span), up},
                                                {at(item[loop.begin].span.begin, item[loop.step].span.end), fmt::format("0, {}", count)},
                                                {at(closer + 1, closer + 1), own_line ? fmt::format("\n{:{}}{}", "", indent, value) : fmt::format(" {};", value)}}});
}

void Checker::for_loop(const syntax::ForStmt& loop, Location at, Block& into) {
  ExprId bounds[3] = {value(loop.begin), value(loop.end), loop.step ? value(loop.step) : ExprId()};
  const auto is_int = [&](ExprId id) { return wrong(id) || (type(id).is_scalar() && is_integer(type(id).element)); };
  for (ExprId& each : bounds) {
    if (!each || is_int(each)) continue;
    auto& d = report(Code::BoundNotInteger, out_[each].location, to_string(type(harden(each))));
    if (type(each).is_scalar()) d.fixes.push_back(in_call("Convert to `i32`", "i32", out_[each].location));
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
      auto& d = report(Code::BadStep, out_[bounds[2]].location, *by);
      if (*by == -1) mend_descent(d, loop);
      bounds[2] = error(out_[bounds[2]].location);
    }
  }
  if (loop.unroll == 0 && !generic_) judge_unrolling(bounds[0], bounds[1], bounds[2], at);
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

// Of a `for<unroll>`: in a function by itself nothing can be said, since a call may make constants of its parameters.
void Checker::judge_unrolling(ExprId begin, ExprId end, ExprId step, Location at) {
  constexpr std::int64_t most = 1024;
  if (wrong(begin) || wrong(end) || wrong(step)) return;
  const Location keyword = {{at.span.begin, at.span.begin + 3}, at.origin};
  const auto length = constant_length(begin, end);
  const auto& by = out_[step].constant;
  if (!length || !by) {
    report(Code::UnrollWhole, keyword, "this loop is not unrolled whole: how often it runs is not known before the launch");
  } else if (const std::int64_t count = (*length - 1) / std::get<std::int64_t>(by->value) + 1; count > most) {
    report(Code::UnrollWhole, keyword, fmt::format("this loop is not unrolled whole: it runs {} times, and at most {} are", count, most));
  }
}

void Checker::declares_no_result(ExprId result, Location at) {
  frame_.result_told = true;
  const Type& given = type(result);
  const std::string shown = given == Type::scalar(ScalarType::Index) ? "i64" : to_string(given);
  const syntax::Item& function = *frame_.item;
  auto& d = report(Code::ReturnType, at, fmt::format("`{}` declares no result; write `-> {}` behind its parameters", function.name.text, shown));
  const bool can_be_written = given.is_scalar() ? given.element != ScalarType::Index : given.is_tile() && !generic_;
  if (!can_be_written || function.body.empty() || !std::holds_alternative<syntax::ReturnStmt>(function[function.body.back()].node)) return;
  d.fixes.push_back(replacement(fmt::format("Declare the result `{}`", shown), here({function.body_span.begin, function.body_span.begin}), fmt::format("-> {} ", shown)));
}

void Checker::return_statement(const syntax::ReturnStmt& stmt, Location at, Block& into) {
  ExprId result = stmt.value ? value_as(stmt.value, frame_.result) : ExprId();
  const bool wants = !frame_.result.is_void();
  if (frame_.in_kernel && result) {
    auto& d = report(Code::ReturnType, at, "a kernel returns no value; it writes to its tensors");
    const Location rest = {{at.span.begin + 6, at.span.end}, at.origin};
    if (only_a_value(result)) d.fixes.push_back(replacement("Return nothing", rest, ""));
    result = {};
  } else if (!frame_.in_kernel && wants && !result) {
    report(Code::ReturnType, at, fmt::format("`return` needs a value: `{}` gives {}", frame_.item->name.text, with_article(frame_.result)));
  } else if (!frame_.in_kernel && !wants && result) {
    if (!wrong(result) && !frame_.result_told) declares_no_result(harden(result), at);
    result = {};
  } else if (result) {
    const std::size_t before = out_.diagnostics.size();
    const Type given = type(result);
    result = assignable(result, frame_.result, "the result");
    if (out_.diagnostics.size() > before && out_.diagnostics[before].code == Code::AssignType)
      out_.diagnostics[before].message = fmt::format("`{}` gives {}, not {}", frame_.item->name.text, with_article(frame_.result), with_article(given));
    if (wrong(result) && frame_.item->result) relate(before, here(frame_.item->result->span), fmt::format("`{}` gives this", frame_.item->name.text));
  }
  into.push_back(add(at, Return{result}));
}

}  // namespace phobos::sema
