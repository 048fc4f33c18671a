#include "findings.h"

#include <fmt/format.h>

namespace phobos::sim {

std::string element_text(const std::string& name, std::vector<std::int64_t> indices, std::int64_t element) {
  for (std::size_t axis = indices.size(); axis-- > 0;) {
    const std::int64_t extent = indices[axis];
    indices[axis] = element % extent;
    element /= extent;
  }
  std::string text = name.empty() ? "tile" : name;
  for (std::size_t i = 0; i < indices.size(); ++i) text += (i == 0 ? "[" : ", ") + std::to_string(indices[i]);
  return text + "]";
}

std::string element_text(const Machine& machine, int buffer, std::int64_t element) {
  const ir::Value& value = (*machine.plan.kernel)[machine.plan.watched[static_cast<std::size_t>(buffer)].value];
  return element_text(value.name, machine.extents_of(buffer), element);
}

std::string block_text(const std::array<std::int64_t, 3>& block) { return fmt::format("({}, {}, {})", block[0], block[1], block[2]); }

namespace {

Span span_of(const Machine& machine, std::uint32_t op) { return (*machine.plan.kernel)[ir::OpId(std::size_t{op})].span; }

struct Verb {
  const char *now, *past;
};

Verb verb(bool writes) { return writes ? Verb{"writes", "wrote"} : Verb{"reads", "read"}; }

Verb verb_of(const Machine& machine, std::uint32_t op) {
  switch ((*machine.plan.kernel)[ir::OpId(std::size_t{op})].code) {
    case ir::Opcode::Atomic: return {"updates", "updated"};
    case ir::Opcode::Store:
    case ir::Opcode::RunStore:
    case ir::Opcode::ElemStore:
    case ir::Opcode::TileStore:
    case ir::Opcode::StoreRelease: return verb(true);
    default: return verb(false);
  }
}

std::string note(std::string_view who, const char* past, bool same_statement) {
  return fmt::format("{} {} it here{}", who, past, same_statement ? ", in the same statement" : "");
}

}  // namespace

diag::Diagnostic thread_race(Cta& cta, const ThreadRace& race) {
  const Machine& machine = cta.machine();
  const Span now = span_of(machine, race.op), earlier = span_of(machine, race.earlier_op);
  diag::Diagnostic finding =
      diag::make(diag::Code::ThreadRace, {now}, race.thread, verb(race.writes).now,
                 element_text(machine, race.buffer, race.element), race.earlier_thread, verb(race.earlier_writes).past, cta.block_text());
  const std::string who = fmt::format("thread {}", race.earlier_thread);
  finding.related.push_back({{earlier}, note(who, verb(race.earlier_writes).past, now == earlier)});
  return finding;
}

diag::Diagnostic unset_read(Cta& cta, std::uint32_t reader, std::uint32_t source, std::int64_t element, int thread) {
  const ir::Value& tile = cta.kernel()[ir::ValueId(std::size_t{source})];
  const std::string who = thread < 0 ? "" : fmt::format("thread {}, ", thread);
  diag::Diagnostic finding = diag::make(diag::Code::UnsetRead, {span_of(cta.machine(), reader)},
                                        element_text(tile.name, tile.type.shape, element), who, cta.block_text());
  if (tile.op) finding.related.push_back({{cta.kernel()[tile.op].span}, "declared here, without a value"});
  return finding;
}

diag::Diagnostic barrier_tensor_changed(Cta& cta, const Instr& in, std::int64_t element) {
  const ir::ValueId tensor = in.op->operands[0];
  const ir::Value& value = cta.kernel()[tensor];
  const BufferRef& buffer = cta.buffer(in.in[0]);
  const std::vector<std::int64_t> extents(buffer.extents.begin(), buffer.extents.begin() + value.type.rank());
  diag::Diagnostic finding = diag::make(diag::Code::BarrierTensor, {in.op->span}, element_text(value.name, extents, element), cta.block_text());
  for (const ir::Op& op : cta.kernel().ops) {
    if (op.code != ir::Opcode::GridBarrier || op.operands[0] != tensor) continue;
    finding.related.push_back({{op.span}, "`grid_barrier` counts in it here"});
    break;
  }
  return finding;
}

diag::Diagnostic divided_by_zero(Cta& cta, std::uint32_t op) {
  return diag::make(diag::Code::IntegerDivisionByZero, {span_of(cta.machine(), op)}, cta.block_text(), 0);
}

diag::Diagnostic grid_race(const Machine& machine, const GridRace& race) {
  const Span now = span_of(machine, race.op), other = span_of(machine, race.other_op);
  const std::string other_block = block_text(machine.block_of(race.other_cta));
  const Verb mine = verb_of(machine, race.op), theirs = verb_of(machine, race.other_op);
  diag::Diagnostic finding = diag::make(diag::Code::GridRace, {now}, block_text(machine.block_of(race.cta)), mine.now,
                                        element_text(machine, race.buffer, race.element), other_block, theirs.past);
  std::string text = note("block " + other_block, theirs.past, now == other);
  if (race.apart) text += ", the first and the last of those that write it; not all of them store the same";
  if (now == other && race.op != race.other_op) text += "; where both read before either writes, one of the changes is lost";
  finding.related.push_back({{other}, text});
  return finding;
}

}  // namespace phobos::sim
