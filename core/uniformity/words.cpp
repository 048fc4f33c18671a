#include "words.h"

#include <algorithm>

#include <fmt/format.h>

namespace phobos::uniformity {

std::string_view text_of(const CheckedItem& item, std::uint32_t origin) {
  if (origin > item.functions.size()) return {};
  const syntax::Item* owner = origin == 0 ? item.item.get() : item.functions[origin - 1].get();
  return owner ? std::string_view(owner->text) : std::string_view();
}

std::string_view text_of(const CheckedItem& item, const Location& location) {
  const std::string_view text = text_of(item, location.origin);
  if (location.span.begin >= location.span.end || location.span.end > text.size()) return {};
  return text.substr(location.span.begin, location.span.size());
}

std::string quoted(const CheckedItem& item, const Location& location) {
  constexpr std::size_t longest = 48;
  std::string line = "`";
  const std::string_view text = text_of(item, location);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) == "//") at = std::min(text.find('\n', at), text.size() - 1);
    const char c = text[at];
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (blank && line.back() == ' ') continue;
    if (line.size() > longest && (c & 0xc0) != 0x80) {
      line += "…";
      break;
    }
    line += blank ? ' ' : c;
  }
  return line += '`';
}

std::string_view differing(Kind kind) { return kind == Kind::Varying ? "lanes" : "warps"; }

// --- operations ----------------------------------------------------------------------------------------------------------

static std::string_view name_of(const CheckedItem& item, LocalId local) { return item[local].name; }

static std::string name_of_fold(const CheckedItem& item, const sema::BuiltinCall& call) {
  using Form = syntax::Fold::Form;
  const std::string_view name = builtins::row(call.id).name;
  switch (call.fold->form) {
    case Form::OverLane: return fmt::format("`{}<over ctx.lane>`", name);
    case Form::OverThread: return fmt::format("`{}<over ctx.thread>`", name);
    case Form::Error: return fmt::format("`{}`", name);
    default: break;
  }
  static constexpr std::string_view words[] = {"xor", "up", "down", "from"};
  const auto word = words[static_cast<int>(call.fold->form) - static_cast<int>(Form::Xor)];
  const std::string operand = call.fold->operand.valid() ? quoted(item, item[call.fold->operand].location) : "``";
  return fmt::format("`{}<{} {}>`", name, word, operand.substr(1, operand.size() - 2));
}

static std::string name_of_builtin(const CheckedItem& item, const sema::BuiltinCall& call) {
  if (call.fold) return name_of_fold(item, call);
  const builtins::Row& row = builtins::row(call.id);
  return fmt::format("`{}{}`", row.name, row.form == builtins::Form::Barrier ? "()" : "");
}

// The compound assignment whose operation an expression is: `t += u` stands for `t + u`, which nobody wrote.
static bool is_compound(const CheckedItem& item, const Op& op) {
  const auto* assign = std::get_if<sema::Assign>(&item[op.stmt].node);
  return assign && assign->compound && assign->value == op.expr;
}

std::string name_of(const CheckedItem& item, const Op& op) {
  switch (op.form) {
    case Op::Form::Store: {
      const auto& store = std::get<sema::SliceStore>(item[op.stmt].node);
      return fmt::format("the store to `{}`", name_of(item, store.target));
    }
    case Op::Form::Fill: return fmt::format("the fill with {}", quoted(item, item[op.expr].location));
    case Op::Form::Sweep: return fmt::format("the elementwise sweep {}", quoted(item, location_of(item, op)));
    case Op::Form::Builtin: return name_of_builtin(item, std::get<sema::BuiltinCall>(item[op.expr].node));
    case Op::Form::Copy: break;
  }
  if (const auto* slice = std::get_if<sema::SliceLoad>(&item[op.expr].node)) {
    if (const auto* base = std::get_if<sema::LocalExpr>(&item[slice->base].node))
      return fmt::format("the copy of `{}[…]`", name_of(item, base->local));
  }
  return fmt::format("the copy of {}", quoted(item, item[op.expr].location));
}

// Of a store the target alone: `O[0 :+ 4, :]` of `O[0 :+ 4, :] = t`.
static Location target_of_store(const CheckedItem& item, const Op& op) {
  Location location = item[op.stmt].location;
  const std::string_view text = text_of(item, location);
  const std::size_t open = text.find('[');
  if (open == text.npos) return location;
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '[' || text[at] == '(') ++depth;
    if (text[at] != ']' && text[at] != ')') continue;
    if (--depth > 0) continue;
    location.span.end = location.span.begin + static_cast<std::uint32_t>(at + 1);
    break;
  }
  return location;
}

Location location_of(const CheckedItem& item, const Op& op) {
  if (op.form == Op::Form::Store) return target_of_store(item, op);
  return is_compound(item, op) ? item[op.stmt].location : item[op.expr].location;
}

// --- reasons -------------------------------------------------------------------------------------------------------------

static std::string_view keyword_of(const sema::Stmt& stmt) {
  if (std::holds_alternative<sema::If>(stmt.node)) return "if";
  if (std::holds_alternative<sema::While>(stmt.node)) return "while";
  if (std::holds_alternative<sema::Break>(stmt.node)) return "break";
  if (std::holds_alternative<sema::Continue>(stmt.node)) return "continue";
  return "return";
}

static ExprId condition_of(const sema::Stmt& stmt) {
  if (const auto* node = std::get_if<sema::If>(&stmt.node)) return node->condition;
  return std::get<sema::While>(stmt.node).condition;
}

static std::string_view function_of(const CheckedItem& item, std::uint32_t origin) {
  if (origin == 0 || origin > item.functions.size()) return item.item->name.text;
  return item.functions[origin - 1]->name.text;
}

// What an exit leaves: "the loop", "the kernel", "`f`".
static std::string left_by(const CheckedItem& item, const sema::Stmt& stmt) {
  if (std::holds_alternative<sema::Break>(stmt.node)) return "the loop";
  if (stmt.location.origin == 0 && item.item->form == syntax::Item::Form::Kernel) return "the kernel";
  return fmt::format("`{}`", function_of(item, stmt.location.origin));
}

static std::string_view sign_of(const CheckedItem& item, ExprId id) {
  return std::get<sema::LogicalExpr>(item[id].node).is_and ? "&&" : "||";
}

static std::string ctx_field(const CheckedItem& item, ExprId id) {
  return fmt::format("`ctx.{}`", builtins::row(std::get<sema::CtxExpr>(item[id].node).field).name);
}

static std::string source_name(const CheckedItem& item, const Influence& source) {
  const ExprId id(source.subject);
  if (source.why == Why::Element) return "`generate`";
  if (source.why == Why::CtxField) return ctx_field(item, id);
  if (source.why == Why::OldValue) return fmt::format("`{}`", builtins::row(std::get<sema::BuiltinCall>(item[id].node).id).name);
  return name_of_fold(item, std::get<sema::BuiltinCall>(item[id].node));
}

static Step exit_step(const CheckedItem& item, const sema::Stmt& stmt, std::string_view differ) {
  const auto keyword = keyword_of(stmt);
  if (keyword == "continue")
    return {fmt::format("this `continue` skips the rest of the iteration in some {} only", differ), stmt.location};
  return {fmt::format("this `{}` leaves {} in some {} only", keyword, left_by(item, stmt), differ), stmt.location};
}

// A step whose subject is a statement.
static Step statement_step(const CheckedItem& item, std::string_view local, const Influence& influence, std::string_view differ) {
  const sema::Stmt& stmt = item[StmtId(influence.subject)];
  const Location at = stmt.location;
  switch (influence.why) {
    case Why::Set: return {fmt::format("`{}` is set to a value that differs between {}", local, differ), at};
    case Why::Started: return {fmt::format("`{}` starts as a value that differs between {}", local, differ), at};
    case Why::Assigned: return {fmt::format("`{}` is assigned a value that differs between {}", local, differ), at};
    case Why::AssignedUnder: return {fmt::format("`{}` is assigned under control that differs between {}", local, differ), at};
    case Why::Returned:
      return {fmt::format("`{}` returns a value that differs between {}", function_of(item, at.origin), differ), at};
    case Why::ReturnedUnder:
      return {fmt::format("`{}` returns here under control that differs between {}", function_of(item, at.origin), differ), at};
    case Why::Condition:
      return {fmt::format("this `{}` condition differs between {}", keyword_of(stmt), differ), item[condition_of(stmt)].location};
    default: return exit_step(item, stmt, differ);
  }
}

static std::string_view per_each(const CheckedItem& item, ExprId id) {
  const builtins::CtxField field = std::get<sema::CtxExpr>(item[id].node).field;
  return field == builtins::CtxField::Block ? "CTA" : builtins::row(field).name;
}

static Step expression_step(const CheckedItem& item, std::string_view local, const Influence& influence, std::string_view differ) {
  const ExprId id(influence.subject);
  const Location at = item[id].location;
  switch (influence.why) {
    case Why::CtxField: return {fmt::format("{} is a different number in each {}", ctx_field(item, id), per_each(item, id)), at};
    case Why::OldValue: return {fmt::format("{} gives each CTA a value of its own", source_name(item, influence)), at};
    case Why::Element: return {"`generate` computes each element in one thread", at};
    case Why::LaneCollective: return {fmt::format("{} gives each warp a result of its own", source_name(item, influence)), at};
    case Why::Argument: return {fmt::format("`{}` is passed a value that differs between {}", local, differ), at};
    case Why::RunsFrom: return {fmt::format("`{}` runs from {}", local, quoted(item, at)), at};
    case Why::RunsTo: return {fmt::format("`{}` runs up to {}", local, quoted(item, at)), at};
    case Why::RunsBy: return {fmt::format("`{}` runs in steps of {}", local, quoted(item, at)), at};
    case Why::Loaded: return {fmt::format("{} is loaded at an index that differs between {}", quoted(item, at), differ), at};
    case Why::Bound: return {fmt::format("this bound of the `for` differs between {}", differ), at};
    default: break;
  }
  const Location left = item[std::get<sema::LogicalExpr>(item[id].node).left].location;
  return {fmt::format("the left side of this `{}` differs between {}", sign_of(item, id), differ), left};
}

Step step_of(const CheckedItem& item, const Facts& facts, const Influence& influence, std::string_view differ) {
  const bool to_local = influence.to >= facts.locals_at && influence.to < facts.locals_at + item.locals.size();
  const std::string_view local = to_local ? name_of(item, LocalId(influence.to - facts.locals_at)) : std::string_view();
  switch (influence.why) {
    case Why::Set:
    case Why::Started:
    case Why::Assigned:
    case Why::AssignedUnder:
    case Why::Returned:
    case Why::ReturnedUnder:
    case Why::Condition:
    case Why::Exit: return statement_step(item, local, influence, differ);
    default: return expression_step(item, local, influence, differ);
  }
}

std::string source_of(const CheckedItem& item, const Ways& ways, Node node) {
  if (!ways.reach(node)) return {};
  Influence influence = ways.last[node];
  while (influence.from != no_node) influence = ways.last[influence.from];
  return source_name(item, influence);
}

std::string culprit(const CheckedItem& item, const Ways& ways, Node control, std::string_view differ) {
  Influence influence = ways.last[control];
  while (influence.why == Why::Plain) influence = ways.last[influence.from];
  std::string what;
  if (influence.why == Why::Element) return "`generate` computes each element in one thread";
  if (influence.why == Why::Bound) {
    what = "the `for` around it";
  } else if (influence.why == Why::LeftOperand) {
    what = fmt::format("the left side of the `{}`", sign_of(item, ExprId(influence.subject)));
  } else if (influence.why == Why::Condition) {
    what = fmt::format("the `{}` around it", keyword_of(item[StmtId(influence.subject)]));
  } else {
    const sema::Stmt& stmt = item[StmtId(influence.subject)];
    const auto keyword = keyword_of(stmt);
    what = keyword == "continue" ? "whether a `continue` skips it"
                                 : fmt::format("whether a `{}` leaves {} first", keyword, left_by(item, stmt));
  }
  return fmt::format("{} differs between {}, because of {}", what, differ, source_of(item, ways, control));
}

}  // namespace phobos::uniformity
