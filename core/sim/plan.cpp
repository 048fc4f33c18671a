// Makes a kernel ready to run. Constants and the fields of `ctx` are set before and cost nothing in loops; every other operation
// becomes an instruction. A loop that threads leave together, by its end only, has its results where its carried values are; the
// operation that makes a carried value's next one writes it in place where nobody needs the old one (`acc = acc + x` copies
// nothing, which for tiles is most of the cost).
#include "plan.h"

#include <algorithm>
#include <set>

#include "demand.h"
#include "handlers.h"
#include "liveness.h"
#include "polling.h"

namespace phobos::sim {
namespace {

using ir::Opcode;

Handler handler_of(Opcode code) {
  switch (code) {
    case Opcode::Extent: return run_extent;
    case Opcode::Splat: return run_splat;
    case Opcode::Broadcast: return run_broadcast;
    case Opcode::Reshape: return run_reshape;
    case Opcode::Transpose: return run_transpose;
    case Opcode::Iota: return run_iota;
    case Opcode::Tril: return run_tril;
    case Opcode::Dot: return run_dot;
    case Opcode::RowFold: return run_row_fold;
    case Opcode::RowArgMax: return run_row_argmax;
    case Opcode::CumSum: return run_cumsum;
    case Opcode::RunFold: return run_run_fold;
    case Opcode::Collective: return run_collective;
    case Opcode::Shuffle: return run_shuffle;
    case Opcode::Alloc: return run_alloc;
    case Opcode::Load: return run_load;
    case Opcode::Store: return run_store;
    case Opcode::TileLoad: return run_tile_load;
    case Opcode::TileStore: return run_tile_store;
    case Opcode::RunLoad: return run_run_load;
    case Opcode::RunStore: return run_run_store;
    case Opcode::ElemLoad: return run_elem_load;
    case Opcode::ElemStore: return run_elem_store;
    case Opcode::Barrier: return run_barrier;
    case Opcode::GridBarrier: return run_grid_barrier;
    case Opcode::Atomic: return run_atomic;
    case Opcode::LoadAcquire: return run_load_acquire;
    case Opcode::StoreRelease: return run_store_release;
    case Opcode::Print: return run_print;
    case Opcode::Mark: return run_mark;
    case Opcode::If: return run_if;
    case Opcode::For: return run_for;
    case Opcode::While: return run_while;
    case Opcode::ScopeOp: return run_scope;
    default: return nullptr;
  }
}

// A loop or scope around what is being planned: where its leaving threads put their values.
struct Target {
  bool loop = false;
  Control* control = nullptr;
  std::vector<Slot> next;     // loops: the carried values of the next iteration
  std::vector<Slot> results;
};

constexpr std::int64_t large_tile = 1 << 18;  // elements

enum class Way { Kernel, Branch, Body, Condition, Scope };

class Planner {
 public:
  Planner(const ir::Kernel& kernel, bool check_kinds, bool checks, bool several_ctas)
      : kernel_(kernel), live_(kernel), slots_(kernel.values.size()), fixed_(kernel.values.size()), written_(kernel.values.size()),
        atomic_(kernel.values.size()), counts_(kernel.values.size()), uses_(kernel.values.size()), user_(kernel.values.size()),
        demand_(kernel) {
    plan_.kernel = &kernel;
    plan_.check_kinds = check_kinds;
    plan_.checks = checks;
    if (checks) plan_.watched = watched_buffers(kernel, several_ctas);
    for (std::size_t i = 0; i < kernel.ops.size(); ++i) {
      const ir::OpId id(i);
      const ir::Op& op = kernel[id];
      if (!live_.region_of(id).valid() || op.code == Opcode::Print || op.code == Opcode::Mark) continue;
      for (const ir::ValueId operand : op.operands) ++uses_[operand], user_[operand] = id;
      if (op.code == Opcode::GridBarrier) counts_[op.operands[0]] = true;
    }
  }

  Plan plan() {
    for (const ir::Op& op : kernel_.ops)
      if (op.code == Opcode::Atomic || op.code == Opcode::StoreRelease) atomic_[op.operands[0]] = true;
    for (ir::ValueId id : kernel_[kernel_.body].arguments) plan_.arguments.push_back(fresh(id));  // never given back
    for (std::size_t i = 0; i < kernel_.ops.size(); ++i) {
      const ir::OpId id(i);
      if (!live_.region_of(id).valid()) continue;  // it stands nowhere
      plan_.barriers |= kernel_[id].code == Opcode::GridBarrier;
      plan_.acquires |= kernel_[id].code == Opcode::LoadAcquire;
      plan_.turns |= tells_order(kernel_[id]) || reads_atomics(kernel_[id]);
      if (writes(kernel_[id].code)) written_[kernel_[id].operands[0]] = true;
    }
    plan_.waits |= plan_.barriers || plan_.acquires;
    for (const ir::Value& value : kernel_.values)
      if (value.type.is_run()) plan_.longest_run = std::max(plan_.longest_run, value.type.shape[0]);
    plan_.body = code(kernel_.body, Way::Kernel, {}, false);
    plan_.frame_bytes = space_.size();
    return std::move(plan_);
  }

 private:
  // --- slots ---

  Slot shape_of(ir::ValueId id) const {
    const ir::Value& value = kernel_[id];
    Slot slot;
    slot.element = value.type.element;
    slot.store = value.type.is_buffer() ? Store::Buffer : store_of(slot.element);
    if (value.type.is_tile()) slot.rows = ir::element_count(value.type.shape);
    if (value.type.is_run()) slot.rows = value.type.shape[0];
    if (value.type.is_scalar() || value.type.is_run()) {
      const Kind kind = plan_.check_kinds ? Kind::Varying : value.kind;
      slot.lanes = kind == Kind::Varying ? kernel_.threads : kind == Kind::WarpUniform ? kernel_.threads / warp_size : 1;
    }
    return slot;
  }
  Slot fresh(ir::ValueId id) {
    Slot slot = shape_of(id);
    slot.offset = space_.take(slot.bytes());
    return slots_[id] = slot;
  }
  void give(const Slot& slot) { space_.give(slot.offset, slot.bytes()); }

  // `fixed` values live where someone else says, who also takes the slot back.
  Slot result(ir::ValueId id) { return fixed_[id] ? slots_[id] : fresh(id); }
  void fix(ir::ValueId id, const Slot& slot) {
    slots_[id] = slot;
    fixed_[id] = true;
  }
  void bury(ir::OpId id) {
    for (ir::ValueId value : live_.dying(id))
      if (!fixed_[value]) give(slots_[value]);
    for (ir::ValueId value : kernel_[id].results)
      if (live_.last_use(value) == Liveness::unused && !fixed_[value]) give(slots_[value]);
  }

  std::vector<Slot> slots(const std::vector<ir::ValueId>& ids, std::size_t from = 0) const {
    std::vector<Slot> found;
    for (std::size_t i = from; i < ids.size(); ++i) found.push_back(slots_[ids[i]]);
    return found;
  }

  // All of them at once: what a move would overwrite before another reads it is saved first.
  void moves(const std::vector<Slot>& from, const std::vector<Slot>& to, std::vector<Move>& saves, std::vector<Move>& out) {
    std::vector<Slot> temporaries;
    for (std::size_t i = 0; i < from.size() && i < to.size(); ++i) {
      if (from[i].offset == to[i].offset) continue;
      Slot source = from[i];
      const bool overwritten = std::any_of(out.begin(), out.end(), [&](const Move& one) { return one.to.offset == source.offset; });
      if (overwritten) {
        Slot saved = source;
        saved.offset = space_.take(saved.bytes());
        temporaries.push_back(saved);
        saves.push_back({source, saved});
        source = saved;
      }
      out.push_back({source, to[i]});
    }
    for (const Slot& slot : temporaries) give(slot);
  }
  std::vector<Move> simple_moves(const std::vector<Slot>& from, const std::vector<Slot>& to) {
    std::vector<Move> saves, out;
    moves(from, to, saves, out);
    return out;
  }

  // --- regions ---

  Code code(ir::RegionId id, Way way, const std::vector<Slot>& targets, bool masked) {
    Code code;
    if (way != Way::Kernel)
      for (ir::ValueId argument : kernel_[id].arguments) check(argument, code);
    for (ir::OpId op_id : kernel_[id].ops) {
      const ir::Op& op = kernel_[op_id];
      if (ir::has(ir::info(op.code).traits, ir::Trait::Terminator)) {
        code.exit = terminator(op, way, targets, masked);
      } else if (op.code == Opcode::Constant) {
        preset(op, plan_.constants);
      } else if (op.code == Opcode::Ctx) {
        preset(op, op.immediate <= static_cast<int>(ir::CtxValue::BlockZ) ? plan_.blocks : plan_.constants);
      } else {
        check_reached(op, code);
        code.instrs.push_back(instr(op));
        for (ir::ValueId result : op.results) check(result, code);
      }
      if (op.code != Opcode::Constant && op.code != Opcode::Ctx) bury(op_id);
    }
    return code;
  }

  void check(ir::ValueId id, Code& code) {
    const ir::Value& value = kernel_[id];
    if (!plan_.check_kinds || value.kind == Kind::Varying || value.type.is_tile() || value.type.is_buffer()) return;
    Instr one;
    one.run = run_check_kind;
    one.idle = value.op.valid() && demand_.is_idle(kernel_[value.op]);
    one.op = value.op.valid() ? &kernel_[value.op] : nullptr;
    one.in = {slots_[id]};
    one.place = static_cast<std::size_t>(value.kind);
    code.instrs.push_back(std::move(one));
  }

  // An operation that the CTA does together.
  void check_reached(const ir::Op& op, Code& code) const {
    if (!plan_.check_kinds || !op.regions.empty() || op.code == Opcode::Print || op.code == Opcode::Mark) return;
    const auto is_tile = [&](ir::ValueId id) { return kernel_.type(id).is_tile(); };
    bool together = std::any_of(op.operands.begin(), op.operands.end(), is_tile) ||
                    std::any_of(op.results.begin(), op.results.end(), is_tile);
    together |= ir::has(ir::info(op.code).traits, ir::Trait::CtaWide) && op.code != Opcode::Splat;
    together |= op.code == Opcode::Collective && ir::collective_scope(op.immediate) == ir::Scope::Thread;
    if (!together) return;
    Instr one;
    one.run = run_check_reached;
    one.op = &op;
    one.idle = demand_.is_idle(op);
    code.instrs.push_back(std::move(one));
  }

  void preset(const ir::Op& op, std::vector<Preset>& list) {
    Slot slot = shape_of(op.results[0]);
    slot.offset = space_.take_unused(slot.bytes());  // it is set before anything runs
    fix(op.results[0], slot);
    list.push_back({slot, &op});
  }

  Exit terminator(const ir::Op& op, Way way, const std::vector<Slot>& targets, bool masked) {
    Exit exit;
    const Target* target = nullptr;
    std::vector<Slot> to = targets;
    exit.masked = masked;
    if (op.code == Opcode::Break || op.code == Opcode::Continue || op.code == Opcode::Leave) {
      for (const Target& one : targets_)
        if (one.loop == (op.code != Opcode::Leave)) target = &one;
      to = op.code == Opcode::Continue ? target->next : target->results;
      exit.collect = target->control->masks + (op.code == Opcode::Break ? 2 : 1);
      exit.masked = true;
    }
    exit.leaves = target || op.code == Opcode::Return;
    if (op.code == Opcode::Return && way != Way::Kernel) exit.returned = &op;
    if (op.code == Opcode::Return || op.code == Opcode::Condition || way == Way::Kernel) return exit;
    moves(slots(op.operands), to, exit.saves, exit.moves);
    return exit;
  }

  // --- operations ---

  Instr instr(const ir::Op& op) {
    Instr one;
    one.op = &op;
    one.in = slots(op.operands);
    one.run = handler_of(op.code);
    one.idle = demand_.is_idle(op);
    watch(one);
    if (ir::has(ir::info(op.code).traits, ir::Trait::Regions)) {
      one.control = std::make_unique<Control>();
      const int masks = masks_;
      one.control->masks = masks;
      masks_ += 3;
      plan_.masks = std::max(plan_.masks, masks_);
      if (op.code == Opcode::If) branch(op, *one.control);
      else if (op.code == Opcode::ScopeOp) scope(op, *one.control);
      else loop(op, *one.control);
      masks_ = masks;
      return one;
    }
    if (!op.results.empty()) one.out = result(op.results[0]);
    one.large = one.out.rows > large_tile || std::any_of(one.in.begin(), one.in.end(), [](const Slot& slot) { return slot.rows > large_tile; });
    if (ir::has(ir::info(op.code).traits, ir::Trait::Elementwise)) {
      choose_elementwise(one, kernel_.type(op.operands.back()).element, plan_.checks);
      const bool divides = (op.code == Opcode::Div || op.code == Opcode::Rem) && !is_float(one.out.element);
      if (divides && kernel_.type(op.results[0]).is_scalar()) guard(one);
    } else if (!op.results.empty()) {
      one.narrow = narrow_function(one.out.element);
    }
    if (op.code == Opcode::Alloc) {
      const auto& type = kernel_.type(op.results[0]);
      one.place = plan_.shared_bytes;
      const auto bytes = static_cast<std::size_t>(ir::element_count(type.shape)) * static_cast<std::size_t>(size_of(type.element));
      plan_.shared_bytes += (bytes + 63) / 64 * 64;
    }
    return one;
  }

  // Whether the order in which CTAs run shows in what the operation gives.
  bool tells_order(const ir::Op& op) const {
    if (op.code == Opcode::LoadAcquire) return true;
    if (op.code != Opcode::Atomic) return false;
    const bool used = !op.results.empty() && live_.last_use(op.results[0]) != Liveness::unused;
    return used || is_float(kernel_.type(op.operands[0]).element);
  }

  // The same of a plain read of what atomics and releases change.
  bool reads_atomics(const ir::Op& op) const {
    if (op.code != Opcode::Load && op.code != Opcode::RunLoad && op.code != Opcode::ElemLoad && op.code != Opcode::TileLoad) return false;
    return !demand_.is_told(op) && atomic_[op.operands[0]];
  }

  // A loop goes round for a wait where it reads what some CTA writes. One that counts to its end does only where it says so.
  bool may_wait(const ir::Op& loop) const {
    const auto reads = [&](const ir::Op& op) {
      if (op.code == Opcode::LoadAcquire) return true;
      if (loop.code != Opcode::While || op.operands.empty() || op.code == Opcode::Print || op.code == Opcode::Mark) return false;
      const ir::Value& buffer = kernel_[op.operands[0]];
      if (!buffer.type.is_buffer() || buffer.type.space == ir::Type::Space::Shared || !written_[op.operands[0]]) return false;
      return op.code == Opcode::Atomic || !writes(op.code);
    };
    const auto any = [&](auto&& self, const ir::Op& op) -> bool {
      for (const ir::RegionId region : op.regions)
        for (const ir::OpId id : kernel_[region].ops)
          if (reads(kernel_[id]) || self(self, kernel_[id])) return true;
      return false;
    };
    return any(any, loop);
  }

  // Of a loop that does nothing but wait: the read of a tensor that somebody writes. That it waits so is told by itself.
  const ir::Op* polled(const ir::Op& loop) {
    Polling polling(kernel_, demand_, written_);
    const ir::Op* found = polling.find(loop);
    if (found) polled_.insert(polling.reads().begin(), polling.reads().end());
    return found;
  }

  // A quotient that only a `where` takes, as it is or with other elements: where that picks the other side it matters to nobody.
  void guard(Instr& instr) const {
    const ir::OpId division(static_cast<std::size_t>(instr.op - &kernel_[ir::OpId(std::size_t{0})]));
    const ir::RegionId region = live_.region_of(division);
    for (ir::OpId maker = division;;) {
      const ir::ValueId value = kernel_[maker].results[0];
      if (uses_[value] != 1 || live_.region_of(user_[value]) != region) return;
      const ir::Op& user = kernel_[user_[value]];
      if (!ir::has(ir::info(user.code).traits, ir::Trait::Elementwise)) return;
      if (user.code == Opcode::Select && user.operands[0] != value) {
        const ir::OpId from = kernel_[user.operands[0]].op;
        if (from.valid() && live_.region_of(from) == region && live_.position(from) > live_.position(division)) return;
        instr.guard = slots_[user.operands[0]];
        instr.guarded = user.operands[1] == value;
        return;
      }
      if ((user.code == Opcode::Div || user.code == Opcode::Rem) && user.operands[1] == value) return;
      maker = user_[value];
    }
  }

  void watch(Instr& instr) const {
    const ir::Op& op = *instr.op;
    if (op.code == Opcode::Splat && op.immediate == 1 && plan_.checks) instr.watch = watch_unset;
    instr.told = demand_.is_told(op);
    const std::vector<ir::ValueId>& names = op.code == Opcode::Alloc ? op.results : op.operands;
    if (names.empty()) return;
    if (plan_.checks && counts_[names[0]] && writes(op.code)) instr.watch |= watch_count;
    for (std::size_t i = 0; i < plan_.watched.size(); ++i) {
      if (plan_.watched[i].value != names[0]) continue;
      instr.buffer = static_cast<int>(i);
      instr.watch |= instr.told ? plan_.watched[i].watch & watch_unset : plan_.watched[i].watch;
      if (polled_.contains(&op)) instr.watch &= static_cast<std::uint8_t>(~watch_change);
    }
  }

  void branch(const ir::Op& op, Control& control) {
    control.condition = slots_[op.operands[0]];
    std::vector<Slot> results;
    for (ir::ValueId id : op.results) results.push_back(result(id));
    const bool split = control.condition.lanes > 1;
    control.regions.push_back(code(op.regions[0], Way::Branch, results, false));
    control.regions.push_back(code(op.regions[1], Way::Branch, results, split));
  }

  void scope(const ir::Op& op, Control& control) {
    std::vector<Slot> results;
    for (ir::ValueId id : op.results) results.push_back(result(id));
    control.leaves = leaves(op.regions[0], false, 0, 0);
    targets_.push_back({false, &control, {}, results});
    control.regions.push_back(code(op.regions[0], Way::Scope, results, control.leaves));
    targets_.pop_back();
  }

  // Whether some thread may leave the region's loop or scope in it, or what is outside of that.
  bool leaves(ir::RegionId region, bool loop, int loops, int scopes) const {
    for (ir::OpId id : kernel_[region].ops) {
      const ir::Op& op = kernel_[id];
      if (op.code == Opcode::Return) return true;
      if ((op.code == Opcode::Break || op.code == Opcode::Continue) && loop && loops == 0) return true;
      if (op.code == Opcode::Leave && scopes == 0) return true;
      const bool inner_loop = op.code == Opcode::For || op.code == Opcode::While;
      for (ir::RegionId nested : op.regions)
        if (leaves(nested, loop, loops + inner_loop, scopes + (op.code == Opcode::ScopeOp))) return true;
    }
    return false;
  }
  bool continues(ir::RegionId region) const {
    for (ir::OpId id : kernel_[region].ops) {
      const ir::Op& op = kernel_[id];
      if (op.code == Opcode::Continue) return true;
      if (op.code == Opcode::If || op.code == Opcode::ScopeOp)
        for (ir::RegionId nested : op.regions)
          if (continues(nested)) return true;
    }
    return false;
  }

  void loop(const ir::Op& op, Control& control) {
    const bool counts = op.code == Opcode::For;
    const ir::RegionId body = op.regions[counts ? 0 : 1];
    const std::vector<ir::ValueId>& arguments = kernel_[op.regions[0]].arguments;
    const std::vector<ir::ValueId> carried_ids(arguments.begin() + (counts ? 1 : 0), arguments.end());
    for (ir::RegionId region : op.regions) control.leaves |= leaves(region, true, 0, 0);
    control.may_wait = may_wait(op);
    control.header = header_of(op);
    if (control.may_wait) plan_.waits = plan_.turns = true;
    if (plan_.checks) control.polls = polled(op);
    const bool skips = std::any_of(op.regions.begin(), op.regions.end(), [&](ir::RegionId one) { return continues(one); });

    for (ir::RegionId region : op.regions)
      for (ir::ValueId id : kernel_[region].arguments) fresh(id);
    if (counts) control.variable = slots_[arguments[0]];
    const std::vector<Slot> carried = slots(carried_ids);
    control.enter = simple_moves(slots(op.operands, counts ? 3 : 0), carried);
    const std::vector<Slot> results = loop_results(op, carried, !control.leaves && ends_together(op));
    control.finish = simple_moves(carried, results);
    std::vector<Slot> next = carried;
    if (skips)
      for (Slot& slot : next) slot.offset = space_.take(slot.bytes());
    else write_in_place(kernel_[body], carried_ids);
    control.commit = simple_moves(next, carried);

    targets_.push_back({true, &control, next, results});
    if (!counts) condition(op, body, control);
    control.regions.push_back(code(body, Way::Body, next, skips));
    targets_.pop_back();

    if (skips)
      for (const Slot& slot : next) give(slot);
    for (ir::RegionId region : op.regions)
      for (ir::ValueId id : kernel_[region].arguments) {
        const bool kept = std::any_of(results.begin(), results.end(), [&](const Slot& one) { return one.offset == slots_[id].offset; });
        if (!kept) give(slots_[id]);
      }
  }

  Span header_of(const ir::Op& op) const {
    Span header{op.span.begin, std::min(op.span.begin + (op.code == Opcode::For ? 3u : 5u), op.span.end)};
    const auto include = [&](Span part) {
      if (part.begin > op.span.begin && part.end <= op.span.end) header.end = std::max(header.end, part.end);
    };
    if (op.code == Opcode::While) {
      for (const ir::OpId id : kernel_[op.regions[0]].ops) include(kernel_[id].span);
    } else {
      for (std::size_t i = 0; i < 3; ++i)
        if (const ir::OpId maker = kernel_[op.operands[i]].op; maker.valid()) include(kernel_[maker].span);
    }
    return header;
  }

  // Where threads end the loop together, its results lie where its carried values do.
  std::vector<Slot> loop_results(const ir::Op& op, const std::vector<Slot>& carried, bool together) {
    std::vector<Slot> results;
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      const bool shared = together && shape_of(op.results[i]).lanes == carried[i].lanes;
      results.push_back(shared ? slots_[op.results[i]] = carried[i] : fresh(op.results[i]));
    }
    return results;
  }

  void condition(const ir::Op& op, ir::RegionId body, Control& control) {
    control.regions.push_back(code(op.regions[0], Way::Condition, {}, false));
    const ir::Op& last = kernel_[kernel_[op.regions[0]].ops.back()];
    if (last.code != Opcode::Condition) return;
    control.condition = slots_[last.operands[0]];
    control.pass = simple_moves(slots(last.operands, 1), slots(kernel_[body].arguments));
  }

  // Whether all threads that enter a loop end it in the same iteration, when none leaves it.
  bool ends_together(const ir::Op& op) const {
    if (op.code == Opcode::For)
      return std::all_of(op.operands.begin(), op.operands.begin() + 3, [&](ir::ValueId id) { return slots_[id].lanes == 1; });
    const ir::Op& last = kernel_[kernel_[op.regions[0]].ops.back()];
    return last.code == Opcode::Condition && shape_of(last.operands[0]).lanes == 1;
  }

  void write_in_place(const ir::Region& body, const std::vector<ir::ValueId>& carried) {
    if (body.ops.empty() || kernel_[body.ops.back()].code != Opcode::Yield) return;
    const ir::Op& yield = kernel_[body.ops.back()];
    for (std::size_t i = 0; i < yield.operands.size() && i < carried.size(); ++i) {
      const ir::ValueId next = yield.operands[i];
      const ir::OpId maker = kernel_[next].op;
      if (!maker.valid() || fixed_[next] || live_.region_of(maker) != live_.region_of(body.ops.back())) continue;
      if (!can_write_over(kernel_[maker], carried[i])) continue;
      const bool same_region = std::find(body.arguments.begin(), body.arguments.end(), carried[i]) != body.arguments.end();
      if (same_region && live_.last_use(carried[i]) > live_.position(maker)) continue;
      const Slot shape = shape_of(next), &slot = slots_[carried[i]];
      if (shape.lanes == slot.lanes && shape.rows == slot.rows && shape.store == slot.store) fix(next, slot);
    }
  }

  static bool can_write_over(const ir::Op& op, ir::ValueId old) {
    const auto uses = [&](std::size_t i) { return i < op.operands.size() && op.operands[i] == old; };
    if (op.code == Opcode::Constant || op.code == Opcode::Ctx || ir::has(ir::info(op.code).traits, ir::Trait::Regions)) return false;
    if (ir::has(ir::info(op.code).traits, ir::Trait::Elementwise)) return true;
    if (op.code == Opcode::Dot) return !uses(0) && !uses(1);
    return std::find(op.operands.begin(), op.operands.end(), old) == op.operands.end();
  }

  const ir::Kernel& kernel_;
  Liveness live_;
  Plan plan_;
  FrameSpace space_;
  IdVector<ir::ValueId, Slot> slots_;
  IdVector<ir::ValueId, bool> fixed_;
  IdVector<ir::ValueId, bool> written_, atomic_;  // buffers
  IdVector<ir::ValueId, bool> counts_;   // of a grid barrier
  IdVector<ir::ValueId, int> uses_;
  IdVector<ir::ValueId, ir::OpId> user_;
  Demand demand_;
  std::set<const ir::Op*> polled_;
  std::vector<Target> targets_;
  int masks_ = 0;
};

}  // namespace

Plan make_plan(const ir::Kernel& kernel, bool check_kinds, bool checks, bool several_ctas) {
  return Planner(kernel, check_kinds, checks, several_ctas).plan();
}

}  // namespace phobos::sim
