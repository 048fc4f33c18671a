// Names that are not there, and the repairs that several errors share.
//
// What a wrong name meant is looked for in this order: a visible name that differs in the case of letters only or in a slip of the
// keyboard; a word of CUDA, Triton or NumPy (vocabulary.h). Looking through all names costs what there are of them, so an item
// with thousands of unknown names stops looking after a while.
#include <algorithm>
#include <cstdlib>

#include <phobos/builtins/spelling.h>

#include "checker.h"
#include "vocabulary.h"

namespace phobos::sema {

namespace {

constexpr std::size_t most_compared = 500000;  // names, for all suggestions of an item

// Of CUDA, and each thread does it there.
bool done_by_each(std::string_view name) { return name == "atomicAdd" || name == "atomicSub"; }
constexpr std::string_view said_of_once = ", done once by the CTA, not by each thread; `sum<over ctx.thread>(v)` adds up what the threads have";

bool is_simple(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
}

// `pattern` with `$1` … replaced; none where it wants another number of arguments.
std::optional<std::string> filled(std::string_view pattern, const std::vector<std::string>& arguments) {
  std::string result;
  std::size_t most = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$') {
      result += pattern[i];
      continue;
    }
    const auto number = static_cast<std::size_t>(pattern[++i] - '0');
    if (number > arguments.size()) return std::nullopt;
    most = std::max(most, number);
    const std::string& argument = arguments[number - 1];
    const bool whole = i + 1 == pattern.size() || pattern[i + 1] == ')' || pattern[i + 1] == ',' || pattern[i + 1] == '>';
    const bool alone = whole && (i < 2 || pattern[i - 2] == '(' || pattern[i - 2] == ' ') && pattern.find_first_of("+*/-") == pattern.npos;
    result += alone || is_simple(argument) ? argument : "(" + argument + ")";
  }
  if (most != arguments.size()) return std::nullopt;
  return result;
}

}  // namespace

std::optional<std::string> Checker::nearest(std::string_view name, const std::vector<std::string_view>& names) {
  compared_ += names.size();
  if (compared_ > most_compared) return std::nullopt;
  const auto near = builtins::nearest(name, names);
  return near ? std::optional(std::string(*near)) : std::nullopt;
}

diag::Fix Checker::in_call(std::string title, std::string_view function, Location at) {
  return {std::move(title), {{{{at.span.begin, at.span.begin}, at.origin}, fmt::format("{}(", function)}, {{{at.span.end, at.span.end}, at.origin}, ")"}}};
}

void Checker::relate(std::size_t before, Location at, const std::string& message) {
  for (std::size_t i = before; i < out_.diagnostics.size(); ++i)
    if (out_.diagnostics[i].severity == diag::Severity::Error) out_.diagnostics[i].related.push_back({at, message});
}

// "the other side": a name is shown where it is declared, with its type.
void Checker::relate_operand(diag::Diagnostic& d, ExprId operand) {
  const auto* local = std::get_if<LocalExpr>(&out_[operand].node);
  const Location at = out_[operand].location;
  if (local && !out_[local->local].name.empty()) {
    d.related.push_back({out_[local->local].declared, fmt::format("`{}` is {}", out_[local->local].name, with_article(type(operand)))});
  } else {
    d.related.push_back({at, fmt::format("this is {}", with_article(type(operand)))});
  }
}

// A declaration that lacks its name declared what the first unknown name behind it means.
bool Checker::nameless_meant(const std::string& name, Location at) {
  if (nameless_ == 0 || at.origin != 0) return false;
  --nameless_;
  Local local;
  local.form = Local::Form::Var;
  local.name = name;
  local.type = Type::error();
  local.declared = at;
  local.used = true;
  frame_.scopes.front()[name] = out_.locals.add(std::move(local));
  return true;
}

ExprId Checker::unknown_name(const std::string& name, Location at) {
  // By value: what stands here in the same place of a function is known by the function's own check.
  if (const auto function = environment_.find && compared_ < most_compared ? environment_.find(name) : nullptr) {
    const bool kernel = function->form == syntax::Item::Form::Kernel;
    auto& d = report(Code::NotAValue, at, kernel ? fmt::format("`{}` is a kernel, not a value", name) : fmt::format("`{}` is a function; a value is what a call of it gives, as in `{}(…)`", name, name));
    if (!kernel && function->parameters.empty()) d.fixes.push_back(replacement("Call it", {{at.span.end, at.span.end}, at.origin}, "()"));
    return error(at);
  }
  if (const auto id = builtins::find(name)) {
    const builtins::Row& row = builtins::row(*id);
    auto& d = report(Code::NotAValue, at, fmt::format("`{}` is an operation, not a value: `{}`", name, row.signature));
    if (row.form == builtins::Form::Barrier) d.fixes.push_back(replacement("Call it", {{at.span.end, at.span.end}, at.origin}, "()"));
    return error(at);
  }
  if (nameless_meant(name, at)) return error(at);
  auto& d = report(Code::UnknownName, at, name);
  const ExprId meant = suggest_name(d, name, at);
  return meant ? meant : error(at);
}

ExprId Checker::meant_number(std::string_view text, Location at) {
  const bool is_float = text.find_first_of(".e") != text.npos;
  const double number = std::strtod(std::string(text).c_str(), nullptr);
  const ExprId id = is_float ? add(ConstantExpr{}, Type::scalar(ScalarType::F64), at, Constant{number})
                             : add(ConstantExpr{}, Type::scalar(ScalarType::Index), at, Constant{static_cast<std::int64_t>(number)});
  set_soft(id);
  return id;
}

ExprId Checker::suggest_name(diag::Diagnostic& d, const std::string& name, Location at) {
  std::optional<std::string> better;
  ExprId known;
  if (compared_ < most_compared) {
    compared_ += out_.locals.size();
    for (const Local& local : out_.locals)
      if (local.name == name && local.declared.origin == at.origin && local.declared.span.begin < at.span.begin) {
        const bool loop = local.form == Local::Form::LoopVariable;
        if (loop) d.message += "; a loop's variable ends with its loop";
        d.related.push_back({local.declared, loop ? fmt::format("the loop of this `{}` has ended", name) : fmt::format("a `{}` is declared here, in a block that has ended", name)});
        return {};
      }
  }
  if (compared_ < most_compared) {
    std::vector<std::string_view> names = visible_names();
    if (name[0] != '_') std::erase_if(names, [](std::string_view each) { return each[0] == '_'; });  // of what nobody is meant to use
    std::erase_if(names, [&](std::string_view each) { return builtins::are_siblings(name, each); });
    better = nearest(name, names);
    if (better) {
      d.message += fmt::format("; did you mean `{}`?", *better);
      out_.locals[lookup(*better)].used = true;  // as it will be
    }
  }
  if (!better)
    if (const auto meant = field_meant(name)) {
      const bool axis = meant->field == "block" || meant->field == "blocks";
      better = fmt::format("ctx.{}{}", meant->field, axis ? ".x" : "");
      d.message += fmt::format("; {} is `{}`", meant->what, *better);
      known = meant_field(meant->field, "x", at);
    }
  if (!better)
    if (const auto literal = nearest(name, {"true", "false"})) {
      better = literal;
      d.message += fmt::format("; did you mean `{}`?", *better);
    }
  if (!better && (name == "True" || name == "TRUE")) better = "true";
  if (!better && (name == "False" || name == "FALSE")) better = "false";
  if (!better)
    if (const auto meant = value_meant(name)) {
      if (!meant->ours.empty()) better = meant->ours;
      d.message += fmt::format("; {}", meant->said);
      if (better) known = meant_number(*better, at);
    }
  if (!known && (better == "true" || better == "false")) known = add(ConstantExpr{}, Type::scalar(ScalarType::Bool), at, Constant{better == "true"});
  if (better) d.fixes.push_back(replacement(fmt::format("Change to `{}`", *better), at, *better));
  return known;
}

// A name that stands alone as a statement: `brake`, `pass`.
bool Checker::misspelt_keyword(const syntax::Expr& written, Location at) {
  const auto* name = std::get_if<syntax::NameExpr>(&written.node);
  if (!name || lookup(name->name)) return false;
  std::optional<std::string> better = name->name == "next" ? std::optional<std::string>("continue") : name->name == "brake" ? std::optional<std::string>("break") : nearest(name->name, {"break", "continue", "return"});
  const bool pass = name->name == "pass";
  if (!better && !pass) return false;
  auto& d = report(Code::UnknownName, at, name->name);
  d.message += pass ? "; a block may be empty" : fmt::format("; did you mean `{}`?", *better);
  d.fixes.push_back(replacement(pass ? "Remove `pass`" : fmt::format("Change to `{}`", *better), at, pass ? "" : *better));
  return true;
}

// `threadIdx.x`, `np.pi`: a field of a name that is not there.
ExprId Checker::unknown_object(const std::string& object, const syntax::Name& field, Location object_at, Location at) {
  if (const auto value = is_foreign_module(object) ? value_meant(field.text) : std::nullopt) {  // `np.inf`
    auto& d = report(Code::UnknownName, at, object + "." + field.text);
    d.message += fmt::format("; {}", value->said);
    if (value->ours.empty()) return error(at);
    d.fixes.push_back(replacement(fmt::format("Change to `{}`", value->ours), at, std::string(value->ours)));
    return meant_number(value->ours, at);
  }
  const auto meant = field_meant(object);
  if (!meant) return unknown_name(object, object_at);
  const bool axis = meant->field == "block" || meant->field == "blocks";
  const bool first = field.text == "x";
  const std::string better = fmt::format("ctx.{}{}", meant->field, axis ? "." + field.text : "");
  auto& d = report(Code::UnknownName, at, object);
  if (axis || first) {
    d.message += fmt::format("; {} is `{}`", meant->what, better);
    if (!first && field.text != "y" && field.text != "z") return error(at);
    d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), at, better));
    return meant_field(meant->field, field.text, at);
  } else {
    d.message += fmt::format("; a CTA's threads are counted along one axis: {} is `{}`", meant->what, better);
  }
  return error(at);
}

// What other languages subscript: `ctx.block[0]`, `A.shape[0]`, and `A[i][j]` where a row of `A` is no tile.
ExprId Checker::foreign_subscript(const syntax::SubscriptExpr& expr, Location at) {
  const syntax::Item& item = *frame_.item;
  const auto local_of = [&](syntax::ExprId id) {
    const auto* name = std::get_if<syntax::NameExpr>(&item[id].node);
    return name ? lookup(name->name) : LocalId();
  };
  const auto points = [](const std::vector<syntax::Subscript>& all) {
    return std::all_of(all.begin(), all.end(), [](const syntax::Subscript& each) { return each.form == syntax::Subscript::Form::Point; });
  };
  if (!points(expr.subscripts)) return {};
  const auto* called = std::get_if<syntax::NameExpr>(&item[expr.object].node);
  if (called && !lookup(called->name) && (builtins::find(called->name) || (environment_.find && environment_.find(called->name)))) {  // `exp[x]`
    const std::uint32_t opener = item[expr.object].span.end;
    auto& d = report(Code::NotAValue, here(item[expr.object].span), fmt::format("`{0}` takes its arguments in parentheses: `{0}(…)`", called->name));
    if (here_is(here({opener, opener + 1}), "[")) d.fixes.push_back({"Write `(…)`", {{here({opener, opener + 1}), "("}, {here({at.span.end - 1, at.span.end}), ")"}}});
    for (const syntax::Subscript& each : expr.subscripts) expression(each.first);
    return error(at);
  }
  const auto* number = expr.subscripts.size() == 1 ? std::get_if<syntax::IntLiteral>(&item[expr.subscripts[0].first].node) : nullptr;
  if (const auto* field = std::get_if<syntax::FieldExpr>(&item[expr.object].node)) {
    const bool of_ctx = std::holds_alternative<syntax::CtxExpr>(item[field->object].node);
    if (of_ctx && number && number->value < 3 && (field->field.text == "block" || field->field.text == "blocks")) {
      const std::string better = fmt::format("ctx.{}.{}", field->field.text, "xyz"[number->value]);
      auto& d = report(Code::CtxNeedsAxis, here(item[expr.object].span), field->field.text, field->field.text);
      d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), at, better));
      return error(at);
    }
    const LocalId buffer = local_of(field->object);
    if (buffer && number && field->field.text == "shape" && out_[buffer].type.is_buffer() && number->value < out_[buffer].type.shape.size()) {
      const std::string better = fmt::format("extent({}, {})", out_[buffer].name, number->value);
      const Location object = here(item[field->object].span);
      auto& d = report(Code::NoFields, here(field->field.span), out_[buffer].name);
      d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), at, better));
      out_.locals[buffer].used = true;
      return extent_of(add(LocalExpr{buffer}, out_[buffer].type, object), number->value, at);
    }
  }
  const auto* inner = std::get_if<syntax::SubscriptExpr>(&item[expr.object].node);
  const LocalId buffer = inner ? local_of(inner->object) : LocalId();
  if (!buffer || !points(inner->subscripts) || inner->subscripts.empty() || expr.subscripts.empty()) return {};
  const Type& base = out_[buffer].type;
  const std::size_t first = inner->subscripts.size();
  if (!base.is_buffer() || first + expr.subscripts.size() != base.shape.size()) return {};
  if (std::all_of(base.shape.begin() + static_cast<std::ptrdiff_t>(first), base.shape.end(), [](const Extent& extent) { return extent.constant.has_value(); })) return {};
  auto& d = report(Code::SubscriptCount, at, first, out_[buffer].name, base.rank(), base.rank() == 1 ? "axis" : "axes");
  d.message = fmt::format("an element of `{}` takes its subscripts in one pair of brackets", out_[buffer].name);
  const Location between = here({inner->subscripts.back().span.end, expr.subscripts.front().span.begin});
  d.fixes.push_back(replacement("Write them in one pair", between, ", "));
  out_.locals[buffer].used = true;
  return error(at);
}

ExprId Checker::unknown_function(const std::string& name, const syntax::CallExpr& expr, Location at) {
  const Location name_at = here((*frame_.item)[expr.callee].span);
  const std::string bare = name.substr(name.rfind('.') + 1);
  const auto& nested = frame_.item->nested;  // its definition is what is wrong
  const bool known = std::find(nested.begin(), nested.end(), name) != nested.end();
  const bool told = bare != name && expr.broken && bare != "program_id" && bare != "num_programs";
  if (const auto id = known || told ? std::nullopt : renamed(name, expr)) return call_renamed(*id, name, expr, at);
  const std::vector<ExprId> arguments = foreign_arguments(name, expr);
  if (known || told) return error(at);
  if (bare == "program_id" || bare == "num_programs") {
    std::string axis = arguments.empty() ? "x" : "";
    if (arguments.size() == 1)
      if (const auto& constant = out_[arguments[0]].constant)
        if (const auto* n = std::get_if<std::int64_t>(&constant->value); n && *n >= 0 && *n <= 2) axis = std::string(1, static_cast<char>('x' + *n));
    const std::string shown = arguments.empty() ? "" : text_at(out_[arguments[0]].location);
    const std::string_view field = bare == "program_id" ? "block" : "blocks";
    auto& d = report(Code::ProgramId, at, shown, axis.empty() ? "x" : axis);
    if (axis.empty()) {
      d.message = fmt::format("`{}` is an older spelling, and its axis is 0, 1 or 2: write `ctx.{}.x`, `.y` or `.z`", bare, field);
      return error(at);
    }
    const std::string better = fmt::format("ctx.{}.{}", field, axis);
    if (name != "program_id") d.message = fmt::format("`{}({})` is spelt `{}`", name, shown, better);
    d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), at, better));
    return meant_field(field, axis, at);
  }
  if (const auto work_item = opencl_index(name, expr)) {  // `get_local_id(0)`
    auto& d = report(Code::UnknownFunction, name_at, name);
    d.message += fmt::format("; it is `{}`", *work_item);
    d.fixes.push_back(replacement(fmt::format("Change to `{}`", *work_item), at, *work_item));
    const std::string_view field = name == "get_local_size" ? "threads" : name.ends_with("size") || name.ends_with("groups") ? "blocks" : name == "get_group_id" ? "block" : "thread";
    return meant_field(field, work_item->substr(work_item->size() - 1), at);
  }
  if (const auto meant = name.starts_with("atomic") ? function_meant(name) : std::nullopt; meant && meant->find('$') == meant->npos)
    if (const auto better = on_position(*meant, expr)) {  // `atomicAdd(&A[i], v)`
      auto& d = report(Code::UnknownFunction, name_at, name);
      d.message += fmt::format("; it is `{}`", *better);
      if (done_by_each(name)) d.message += said_of_once;
      else d.fixes.push_back(replacement(fmt::format("Change to `{}`", *better), at, *better));
      return error(at);
    }
  std::vector<std::string> texts;
  for (const syntax::ExprId argument : expr.arguments) texts.push_back(text_at(here((*frame_.item)[argument].span)));
  auto& d = report(Code::UnknownFunction, name_at, name);
  suggest_function(d, bare, texts, bare == name, name_at, at);
  if ((bare == "len" || bare == "size") && arguments.size() == 1 && type(arguments[0]).is_buffer()) return extent_of(arguments[0], 0, at);
  return error(at);
}

// `tl.load(x + i, dtype=tl.float32)`, `sizeof(f32)`: pointers, the module's names and types are part of the same mistake; so is all of
// what has names, which was told.
void Checker::drop_echoes(std::size_t before, const std::string& name, bool broken) {
  const bool by_module = name.find('.') != name.npos;
  const auto is_same = [&](const diag::Diagnostic& d) {
    if (d.code == Code::NotAValue) return by_module || scalar_named(text_at(d.location)) || type_meant(text_at(d.location));
    return d.code == Code::UnknownName && by_module && (broken || is_foreign_module(text_at(d.location)));
  };
  out_.diagnostics.erase(std::remove_if(out_.diagnostics.begin() + static_cast<std::ptrdiff_t>(before), out_.diagnostics.end(), is_same), out_.diagnostics.end());
}

std::vector<ExprId> Checker::foreign_arguments(const std::string& name, const syntax::CallExpr& expr) {
  std::vector<ExprId> arguments;
  for (const syntax::ExprId argument : expr.arguments) {
    const std::size_t before = out_.diagnostics.size();
    arguments.push_back(expression(argument));
    drop_echoes(before, name, expr.broken);
  }
  return arguments;
}

// The operation that another language calls so, with the same arguments.
std::optional<builtins::Builtin> Checker::renamed(const std::string& name, const syntax::CallExpr& expr) const {
  const std::string bare = name.substr(name.rfind('.') + 1);
  if (bare != name && builtins::find(bare)) {
    const builtins::Form form = builtins::row(*builtins::find(bare)).form;
    const bool same = form != builtins::Form::Store && form != builtins::Form::Fold;  // `tl.store`, `tl.sum`
    return same ? builtins::find(bare) : std::nullopt;
  }
  const auto meant = function_meant(bare);
  if (!meant || (name.starts_with("atomic") && on_position(*meant, expr))) return std::nullopt;
  return builtins::find(*meant);
}

// As if it were written so. How many arguments ours takes is no second mistake.
ExprId Checker::call_renamed(builtins::Builtin id, const std::string& name, const syntax::CallExpr& expr, Location at) {
  const Location name_at = here((*frame_.item)[expr.callee].span);
  const std::string bare = name.substr(name.rfind('.') + 1);
  suggest_function(report(Code::UnknownFunction, name_at, name), bare, {}, bare == name, name_at, at);
  const std::size_t before = out_.diagnostics.size();
  const ExprId result = builtin(builtins::row(id), expr, at);
  drop_echoes(before, name, expr.broken);
  const auto of_the_call = [&](const diag::Diagnostic& d) { return d.location == at && (d.code == Code::ArgumentCount || d.code == Code::FoldMisplaced); };
  out_.diagnostics.erase(std::remove_if(out_.diagnostics.begin() + static_cast<std::ptrdiff_t>(before), out_.diagnostics.end(), of_the_call), out_.diagnostics.end());
  return result;
}

// What a thread's or a group's place in one of OpenCL's axes is called here.
std::optional<std::string> Checker::opencl_index(const std::string& name, const syntax::CallExpr& expr) const {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"get_global_id", "ctx.block.x * ctx.threads + ctx.thread"}, {"get_global_size", "ctx.blocks.x * ctx.threads"},
      {"get_local_id", "ctx.thread"}, {"get_local_size", "ctx.threads"}, {"get_group_id", "ctx.block."}, {"get_num_groups", "ctx.blocks."}};
  const auto* axis = expr.arguments.size() == 1 ? std::get_if<syntax::IntLiteral>(&(*frame_.item)[expr.arguments[0]].node) : nullptr;
  const auto* word = std::find_if(std::begin(words), std::end(words), [&](const auto& each) { return each.first == name; });
  if (!axis || axis->value > 2 || word == std::end(words)) return {};
  if (word->second.back() == '.') return fmt::format("{}{}", word->second, "xyz"[axis->value]);
  if (axis->value > 0) return {};  // threads are counted along one axis
  return word->second.find(' ') == std::string_view::npos ? std::string(word->second) : fmt::format("({})", word->second);
}

void Checker::suggest_function(diag::Diagnostic& d, const std::string& name, std::vector<std::string> arguments, bool ours, Location name_at, Location at) {
  const auto change_to = [&](std::string_view better) {
    d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), name_at, std::string(better)));
  };
  if (!ours && name == "store") {
    d.message += "; write a slice, as in `A[i :+ 64] = x`";
    return;
  }
  if (!ours && builtins::find(name)) return change_to(name);
  if (const auto meant = function_meant(name)) {
    if (name.starts_with("__shfl") && arguments.size() == 4) {
      const std::string width = arguments.back();
      arguments.pop_back();
      if (width != "32" && width != "warpSize" && width != "ctx.lanes") {
        d.message += fmt::format("; `{}` goes over a whole warp, of 32 lanes", filled(*meant, arguments).value_or("shfl"));
        return;
      }
    }
    if (name == "arange" && arguments.size() == 2 && arguments[0] == "0") arguments.erase(arguments.begin());
    if (meant->find('$') == meant->npos) {
      d.message += fmt::format("; {}", type_meant(name) ? said_of_type(name) : fmt::format("it is spelt `{}`", *meant));
      if (done_by_each(name)) d.message += said_of_once;
      return change_to(*meant);
    }
    const bool whole = std::none_of(arguments.begin(), arguments.end(), [](const std::string& text) { return text.find("…") != text.npos; });
    const auto better = whole ? filled(*meant, arguments) : std::nullopt;
    if (done_by_each(name)) d.message += said_of_once;
    if (better) d.fixes.push_back(replacement(fmt::format("Change to `{}`", *better), at, *better));
    return;
  }
  if (const auto other = instead_of(name)) {
    d.message += fmt::format("; {}", *other);
    return;
  }
  std::vector<std::string_view> names;
  for (const builtins::Row& row : builtins::all()) names.push_back(row.name);
  if (environment_.functions)
    for (const std::string& function : environment_.functions()) names.push_back(function);
  const auto near = nearest(name, names);
  if (!near) return;
  d.message += fmt::format("; did you mean `{}`?", *near);
  if (!builtins::is_slip(name, *near)) return;
  std::erase(names, *near);
  const auto other = nearest(name, names);
  if (!other || !builtins::is_slip(name, *other)) change_to(*near);
}

}  // namespace phobos::sema
