// What is told of a run: `print`, and the steps of a trace. Neither changes what the kernel does. A tile that lives in memory is
// named as such, without a load, which would be an operation of the whole CTA.
#include <algorithm>

#include "lowering.h"

namespace phobos::lower {

namespace {

constexpr std::size_t longest_label = 60;

// On one line, and not too much of it.
std::string shortened(std::string_view text) {
  std::string label;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space) label += c;
    else if (!label.empty() && label.back() != ' ') label += ' ';
  }
  if (label.size() <= longest_label) return label;
  std::size_t end = longest_label;
  while (end > 0 && (static_cast<unsigned char>(label[end]) & 0xc0) == 0x80) --end;
  return label.substr(0, end) + "...";
}

}  // namespace

std::string Lowering::label(Location location) const {
  const syntax::Item& item = location.origin == 0 ? *item_.item : *item_.functions[location.origin - 1];
  const Span span = location.span;
  if (span.end > item.text.size() || span.begin > span.end) return {};
  return shortened(std::string_view(item.text).substr(span.begin, span.size()));
}

std::string Lowering::label(std::string name, const std::vector<std::string>& subscripts) const {
  for (std::size_t i = 0; i < subscripts.size(); ++i) name += (i == 0 ? "[" : ", ") + subscripts[i];
  return shortened(name + "]");
}

void Lowering::note(Opcode code, ir::Note note, Values operands) {
  kernel_.notes.push_back(std::move(note));
  builder_.op(code, std::move(operands), static_cast<std::int64_t>(kernel_.notes.size() - 1));
}

// A tile that is printed where not all threads come is memory: each thread that does can tell all of it.
void Lowering::note_printed() {
  for (std::size_t i = 0; i < item_.stmts.size(); ++i) {
    const auto* evaluated = std::get_if<sema::Evaluate>(&item_[StmtId(i)].node);
    const auto* call = evaluated ? std::get_if<sema::BuiltinCall>(&item_[evaluated->expr].node) : nullptr;
    if (!call || call->id != builtins::Builtin::Print || kinds_.control[StmtId(i)] == Kind::Uniform) continue;
    for (const ExprId argument : call->arguments) note_base(argument);
  }
}

ValueId Lowering::told(ExprId id) {
  const ExprId under = under_flat(id);
  const auto* local = std::get_if<sema::LocalExpr>(&item_[under].node);
  if (local && in_memory_[local->local.value]) return env_[local->local];
  return expr(item_[under].type.is_tile() ? under : id);
}

void Lowering::print(ExprId id, const sema::BuiltinCall& node) {
  ir::Note made{ir::Note::Form::Print, kinds_.control[stmt_], {}, {}};
  Values operands;
  for (const ExprId argument : node.arguments) {
    operands.push_back(told(argument));
    made.labels.push_back(label(item_[argument].location));
  }
  place_span(item_[id].location);
  note(Opcode::Print, std::move(made), std::move(operands));
}

// --- steps of a trace -------------------------------------------------------------------------------------------------------

// The elements of a `generate` may be computed all at once, in no order of statements.
bool Lowering::tracing() const { return purpose_ == Purpose::Trace && !lifting_ && !element_.valid(); }

void Lowering::place_header(Location stmt, ExprId last) {
  const Location end = item_[last].location;
  if (end.origin == stmt.origin && end.span.end > stmt.span.begin) {
    const std::string& text = (stmt.origin == 0 ? *item_.item : *item_.functions[stmt.origin - 1]).text;
    std::uint32_t at = end.span.end;
    for (std::uint32_t next = at; next < stmt.span.end && (text[next] == ')' || text[next] == ' '); ++next)  // of `range(` or around all
      if (text[next] == ')') at = next + 1;
    stmt.span.end = std::min(stmt.span.end, at);
  }
  place_span(stmt);
}

void Lowering::step(ir::Note::Form form, std::vector<std::string> labels, Values operands) {
  if (!tracing()) return;
  ir::Note made{form, stmt_.valid() ? kinds_.control[stmt_] : Kind::Uniform, std::move(labels), {}};
  note(Opcode::Mark, std::move(made), std::move(operands));
}

void Lowering::step_of(LocalId local) {
  if (!tracing() || !env_[local] || item_[local].type.is_tensor()) return;
  ir::Note made{ir::Note::Form::Values, kinds_.control[stmt_], {item_[local].name}, {kind_of(local)}};
  note(Opcode::Mark, std::move(made), {env_[local]});
}

// What a kernel or a function is given, where it begins: its scalars, runs and tiles.
void Lowering::step_of_parameters(const std::vector<LocalId>& parameters) {
  if (!tracing()) return;
  ir::Note made{ir::Note::Form::Values, stmt_.valid() ? kinds_.control[stmt_] : Kind::Uniform, {}, {}};
  Values operands;
  Location place;
  for (const LocalId local : parameters) {
    if (!env_[local] || item_[local].type.is_tensor()) continue;
    const Location name = item_[local].declared;
    if (operands.empty()) place = name;
    place.span.end = std::max(place.span.end, name.span.end);
    made.labels.push_back(item_[local].name);
    made.kinds.push_back(kind_of(local));
    operands.push_back(env_[local]);
  }
  if (operands.empty()) return;
  const std::string& text = (place.origin == 0 ? *item_.item : *item_.functions[place.origin - 1]).text;
  if (const std::size_t closer = text.find(')', place.span.end); closer != std::string::npos) place.span.end = static_cast<std::uint32_t>(closer);
  place_span(place);
  note(Opcode::Mark, std::move(made), std::move(operands));
}

void Lowering::step_of_store(LocalId target, std::vector<std::string> subscripts, Values operands) {
  step(ir::Note::Form::Stored, {label(item_[target].name, subscripts)}, std::move(operands));
}

// A statement that nothing else tells of.
void Lowering::step_of(const sema::Evaluate& node) {
  const auto* call = std::get_if<sema::BuiltinCall>(&item_[node.expr].node);
  if (!call) return;
  switch (builtins::row(call->id).form) {
    case builtins::Form::Barrier: return step(ir::Note::Form::Barrier);
    case builtins::Form::GridBarrier: return step(ir::Note::Form::GridBarrier);
    case builtins::Form::Atomic:
    case builtins::Form::LoadAcquire:
    case builtins::Form::StoreRelease:
    case builtins::Form::Store: return;
    default: return step(ir::Note::Form::Call);
  }
}

}  // namespace phobos::lower
