// Tiles that are loaded only to be multiplied never pass through registers: they are copied into shared memory by copies that go on by
// themselves, and read there. In a loop the copies run ahead: a ring of stages holds the operands of this turn and of the next ones,
//
//   for k in range(begin, end, step) {            for k from begin, stages - 1 turns {
//     a = tile_load A, r, k                         async_load ring, stage, k < end, A, r, k
//     acc = dot a, b, acc                           async_commit
//   }                                             }
//                                          →      for k in range(begin, end, step) {
//                                                   async_wait<stages - 2>     this turn's operands are there,
//                                                   barrier                    and everybody is done with those of the last turn
//                                                   ahead = k + (stages - 1) step
//                                                   async_load ring, …, ahead < end, A, r, ahead
//                                                   a = shared_tile ring, stage
//                                                   acc = dot a, b, acc        the copies are issued among the multiplications
//                                                   async_commit
//                                                 }
//
// A loop that does nothing else goes further: the wait and the barrier move to the end of the turn before, into the multiplications.
//
// so that a turn has one barrier and waits for memory only when all stages are used up. Elsewhere the copy is waited for where the load
// stood; that is worth it where a loop further in reads the tile again and again.
#include <phobos/passes/passes.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include <phobos/ir/builder.h>
#include <phobos/passes/contraction.h>

#include "walk.h"

namespace phobos::passes {
namespace {

using ir::Opcode;

constexpr std::int64_t most_stages = 4;
constexpr std::int64_t largest_step = std::int64_t{1} << 60;
constexpr std::int64_t reserve = 16 * 1024;  // of shared memory, for what operations exchange

class Stager {
 public:
  Stager(ir::Kernel& kernel, const Chip& chip) : kernel_(kernel), chip_(chip), uses_(kernel.values.size()), b_(kernel) {}

  void run() {
    if (!chip_.has_async_copy()) nowhere_ = fmt::format("{} has no cp.async", chip_.name);
    std::int64_t taken = 0;
    for (const ir::Op& op : kernel_.ops) {
      if (op.code == Opcode::LoadAcquire || op.code == Opcode::GridBarrier)
        nowhere_ = "the kernel waits for other CTAs, which may write what it reads";
      if (op.code == Opcode::Alloc) taken += ir::element_count(kernel_.type(op.results[0]).shape) * size_of(kernel_.type(op.results[0]).element);
    }
    const std::int64_t ctas = std::max(1, kernel_.min_blocks.value_or(1));
    room_ = std::min<std::int64_t>(chip_.shared_of_cta, chip_.shared / ctas - chip_.shared_reserved) - taken - reserve;
    note_uses(kernel_.body, 0);
    region(kernel_.body, 0);
    drop_barriers();
  }

 private:
  struct Use {
    ir::OpId op;
    std::size_t operand;
    int depth;  // of loops
  };

  void note_uses(ir::RegionId id, int depth) {
    for (const ir::OpId op_id : kernel_[id].ops) {
      const ir::Op& op = kernel_[op_id];
      for (std::size_t i = 0; i < op.operands.size(); ++i) uses_[op.operands[i]].push_back({op_id, i, depth});
      const bool loop = op.code == Opcode::For || op.code == Opcode::While;
      for (const ir::RegionId inner : op.regions) note_uses(inner, depth + (loop ? 1 : 0));
    }
  }

  const ir::Type& tile_of(ir::OpId load) const { return kernel_.type(kernel_[load].results[0]); }

  // As the contractions want it that read the tile.
  std::int64_t pitch_of(ir::OpId load) const {
    const ir::Type& tile = tile_of(load);
    const Use& use = uses_[kernel_[load].results[0]].front();
    const Contraction how = choose_contraction(kernel_, kernel_[use.op], chip_);
    return padded(how, tile.element, tile.shape[1], use.operand == 0 || how.transposed);
  }
  std::int64_t bytes_of(ir::OpId load) const {
    const ir::Type& tile = tile_of(load);
    return tile.shape[0] * pitch_of(load) * size_of(tile.element);
  }

  bool loads_tensor(ir::OpId id) const {
    return kernel_[id].code == Opcode::TileLoad && kernel_.type(kernel_[id].operands[0]).space == ir::Type::Space::Global;
  }
  bool stageable(ir::OpId id) const { return loads_tensor(id) && why_not_shared(id).empty(); }

  // Why a load's tile may not lie in shared memory, where it is copied to on its own. Empty: it may.
  std::string why_not_shared(ir::OpId id) const {
    if (!nowhere_.empty()) return nowhere_;
    const ir::Op& op = kernel_[id];
    const ir::Type& tile = tile_of(id);
    const std::vector<Use>& uses = uses_[op.results[0]];
    const auto multiplies = [&](const Use& use) { return kernel_[use.op].code == Opcode::Dot && use.operand < 2; };
    if (const std::optional<ScalarType> wider = widened_for_contractions(uses))
      return fmt::format("it is made {} before it is multiplied, so it goes through registers", name_of(*wider));
    if (uses.empty() || !std::all_of(uses.begin(), uses.end(), multiplies)) return "it is not for contractions alone, so it goes through registers";
    const std::vector<ir::ValueId>& arguments = kernel_[kernel_.body].arguments;
    const auto index = static_cast<std::size_t>(std::find(arguments.begin(), arguments.end(), op.operands[0]) - arguments.begin());
    if (index >= kernel_.parameters.size() || kernel_.parameters[index].written) return "the kernel writes that tensor";
    if (tile.rank() != 2) return fmt::format("it has {} axes, not 2", tile.rank());
    const std::int64_t bytes = tile.shape[1] * size_of(tile.element);
    if (bytes % 16 != 0) return fmt::format("its rows of {} bytes are no multiple of 16", bytes);
    for (const Use& use : uses) {
      const Contraction how = choose_contraction(kernel_, kernel_[use.op], chip_);
      if (!reads_in_place(how, tile.element, use.operand))
        return how.path == Contraction::Path::Fma ? "multiply-adds read it along the other axis" : "bytes are multiplied along the other axis";
    }
    return {};
  }

  // The type that it is converted to, where nothing is done with it but that, and then multiplied.
  std::optional<ScalarType> widened_for_contractions(const std::vector<Use>& uses) const {
    if (uses.size() != 1 || kernel_[uses[0].op].code != Opcode::Convert) return std::nullopt;
    const ir::ValueId wide = kernel_[uses[0].op].results[0];
    const bool multiplied = !uses_[wide].empty() && std::all_of(uses_[wide].begin(), uses_[wide].end(), [&](const Use& use) { return kernel_[use.op].code == Opcode::Dot && use.operand < 2; });
    if (!multiplied) return std::nullopt;
    return kernel_.type(wide).element;
  }

  void region(ir::RegionId id, int depth) {
    const std::vector<ir::OpId> ops = kernel_[id].ops;
    std::vector<ir::OpId> made;
    const auto append = [&](const std::function<void()>& build) {  // what is built here, in order, between what was there
      kernel_[id].ops.clear();
      b_.set_region(id);
      build();
      made.insert(made.end(), kernel_[id].ops.begin(), kernel_[id].ops.end());
    };
    for (const ir::OpId op : ops) {
      b_.set_span(kernel_[op].span);
      const std::int64_t room = room_;
      if (const LoopPlan plan = plan_loop(op); !plan.loads.empty()) append([&] { pipeline(op, plan); });
      if (stageable(op) && worth_alone(op, depth)) {
        append([&] { stage_alone(op); });
        continue;
      }
      made.push_back(op);
      const bool loop = kernel_[op].code == Opcode::For || kernel_[op].code == Opcode::While;
      for (const ir::RegionId inner : std::vector<ir::RegionId>(kernel_[op].regions)) region(inner, depth + (loop ? 1 : 0));
      if (loop) room_ = room;  // its buffers are dead behind it
    }
    kernel_[id].ops = std::move(made);
  }

  // --- one copy, waited for at once ---

  bool worth_alone(ir::OpId load, int depth) const {
    const std::vector<Use>& uses = uses_[kernel_[load].results[0]];
    const bool again = std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return use.depth > depth; });
    return (again || depth == 0) && bytes_of(load) <= room_;
  }

  void stage_alone(ir::OpId load) {
    const ir::ValueId ring = allocate(load, 1);
    const ir::ValueId stage = b_.integer(ScalarType::Index, 0);
    const ir::ValueId always = b_.integer(ScalarType::Bool, 1);
    copy(load, ring, stage, always, kernel_[load].operands);
    b_.op(Opcode::AsyncCommit, {});
    b_.op(Opcode::AsyncWait, {}, 0);
    alone_.push_back({b_.region(), b_.op(Opcode::Barrier, {}), load});
    become_shared(load, ring, stage);
    kernel_[b_.region()].ops.push_back(load);
  }

  // A copy that only pipelined loops read needs no barrier: each of their turns begins with one.
  void drop_barriers() {
    for (const Alone& alone : alone_) {
      const std::vector<Use>& uses = uses_[kernel_[alone.load].results[0]];
      if (!std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return behind_barrier_.contains(use.op.value); })) continue;
      std::erase(kernel_[alone.region].ops, alone.barrier);
    }
  }

  // --- a ring of copies ---

  struct LoopPlan {
    std::vector<ir::OpId> loads;  // that run ahead
    std::int64_t stages = 0;
    std::int64_t lag = 1;  // turns that may still be read when another is copied
  };

  bool is_mma(ir::OpId dot) const { return choose_contraction(kernel_, kernel_[dot], chip_).path == Contraction::Path::Mma; }

  // Whether a turn does nothing but one contraction of two tiles that it loads, added to what the loop carries. Its dot, then.
  ir::OpId only_dot(ir::RegionId body) const {
    ir::OpId found;
    std::vector<ir::ValueId> loaded;
    for (const ir::OpId id : kernel_[body].ops) {
      const ir::Op& op = kernel_[id];
      if (op.code == Opcode::Dot) {
        if (found.valid()) return {};
        found = id;
      } else if (stageable(id)) {
        loaded.push_back(op.results[0]);
      } else if (op.code != Opcode::Yield && !(is_pure(op) && kernel_.type(op.results[0]).is_scalar())) {
        return {};
      }
    }
    if (!found.valid() || loaded.size() != 2) return {};
    const ir::Op& dot = kernel_[found];
    const std::vector<Use>& uses = uses_[dot.results[0]];
    const bool alone = dot.operands.size() == 3 && argument_of(body, dot.operands[2]) && uses.size() == 1 && kernel_[uses[0].op].code == Opcode::Yield;
    const auto is_loaded = [&](ir::ValueId value) { return uses_[value].size() == 1 && std::find(loaded.begin(), loaded.end(), value) != loaded.end(); };
    return alone && is_loaded(dot.operands[0]) && is_loaded(dot.operands[1]) ? found : ir::OpId();
  }

  // By groups of warps where that fits; those have multiplications of two turns under way, and so want a stage more.
  LoopPlan plan_loop(ir::OpId loop) {
    if (kernel_[loop].code == Opcode::For)
      if (const ir::OpId dot = only_dot(kernel_[loop].regions[0]); dot.valid() && is_mma(dot) && why_not_groups(kernel_, kernel_[dot], chip_).empty()) {
        const std::size_t said = kernel_.decisions.size();
        const bool met = kernel_.pipeline && kernel_.pipeline->met;
        kernel_[dot].immediate |= dot_by_groups;
        if (LoopPlan plan = plan_copies(loop); plan.loads.size() == 2 && plan.stages >= 3) {
          plan.lag = 2;
          return plan;
        }
        kernel_[dot].immediate &= ~dot_by_groups;
        kernel_.decisions.resize(said);
        if (kernel_.pipeline) kernel_.pipeline->met = met;
      }
    return plan_copies(loop);
  }

  // The loads of a loop that can run ahead of it: where they start is known from the loop's variable, and the loop ends only of itself.
  LoopPlan plan_copies(ir::OpId loop) {
    LoopPlan plan;
    if (kernel_[loop].code != Opcode::For && kernel_[loop].code != Opcode::While) return plan;
    const ir::RegionId body = kernel_[loop].regions.back();
    body_ops_.clear();
    bool dots = false;
    for (const ir::OpId id : kernel_[body].ops) {
      body_ops_.insert(id.value);
      dots |= kernel_[id].code == Opcode::Dot;
    }
    const std::int64_t demanded = kernel_.pipeline ? kernel_.pipeline->stages : 0;
    std::int64_t bytes = 0;
    std::string reasons;
    bool too_many = false;  // stages were asked for
    for (const ir::OpId id : kernel_[body].ops) {
      if (!loads_tensor(id)) continue;
      std::string why = why_not_ahead(id, loop);
      if (const std::int64_t least = std::max<std::int64_t>(2, demanded); why.empty() && (bytes + bytes_of(id)) * least > room_) {
        why = fmt::format("{} stages of it are {} bytes of shared memory, and {} are left", least, bytes_of(id) * least, std::max<std::int64_t>(0, room_ - bytes * least));
        if (const int ctas = kernel_.min_blocks.value_or(1); ctas > 1) why += fmt::format(" to each of {} CTAs on a multiprocessor", ctas);
        too_many |= demanded > 0;
      }
      if (why.empty()) {
        bytes += bytes_of(id);
        plan.loads.push_back(id);
      } else {
        reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", ir::slice_text(kernel_, kernel_[id].operands[0], tile_of(id).shape), why);
      }
    }
    if (!reasons.empty() && !nowhere_.empty()) reasons = nowhere_;
    if (too_many) plan.loads.clear();
    if (!plan.loads.empty()) plan.stages = demanded > 0 ? demanded : std::clamp(room_ / bytes, std::int64_t{2}, most_stages);
    else if (reasons.empty() && dots) reasons = "what its contractions multiply is not loaded in it";
    else if (reasons.empty() && multiplies_under_condition(body)) dots = true, reasons = "its contractions stand under an `if`";
    if (plan.loads.empty() && reasons.empty()) return plan;  // it neither loads nor multiplies
    const std::string path = plan.loads.empty() ? "not pipelined" : fmt::format("pipelined, {} stages", plan.stages);
    kernel_.decisions.push_back({ir::Decision::Kind::Loop, kernel_[loop].span, dots ? "loop over contractions" : "loop over copies", path, reasons, false, reasons.empty()});
    if (kernel_.pipeline) kernel_.pipeline->met |= !plan.loads.empty();
    return plan;
  }

  bool multiplies_under_condition(ir::RegionId region) const {
    for (const ir::OpId id : kernel_[region].ops) {
      if (kernel_[id].code != Opcode::If) continue;
      for (const ir::RegionId inner : kernel_[id].regions) {
        const std::vector<ir::OpId>& ops = kernel_[inner].ops;
        if (std::any_of(ops.begin(), ops.end(), [&](ir::OpId op) { return kernel_[op].code == Opcode::Dot; }) || multiplies_under_condition(inner)) return true;
      }
    }
    return false;
  }

  std::string why_not_ahead(ir::OpId load, ir::OpId loop) {
    if (std::string why = why_not_shared(load); !why.empty()) return why;
    if (kernel_[loop].code == Opcode::While) return "where a `while` loop ends is not known ahead";
    if (leaves(kernel_[loop].regions[0])) return "the loop can be left early";
    // Turns ahead are counted in the type of the variable.
    if (const ir::OpId step = kernel_[kernel_[loop].operands[2]].op; step.valid() && kernel_[step].code == Opcode::Constant && kernel_[step].immediate > largest_step)
      return fmt::format("its step is larger than {}", largest_step);
    std::set<std::uint32_t> inner;
    const std::vector<ir::ValueId>& operands = kernel_[load].operands;
    if (!std::all_of(operands.begin() + 1, operands.end(), [&](ir::ValueId start) { return foreseeable(start, loop, inner); }))
      return "where it begins is known only in its turn";
    return {};
  }

  bool leaves(ir::RegionId region) const {
    for (const ir::OpId id : kernel_[region].ops) {
      const ir::Op& op = kernel_[id];
      if (op.code == Opcode::Break || op.code == Opcode::Continue || op.code == Opcode::Leave || op.code == Opcode::Return) return true;
      for (const ir::RegionId inner : op.regions)
        if (leaves(inner)) return true;
    }
    return false;
  }

  // Whether a value of the loop's body follows from the loop's variable and from what is known before the loop.
  bool foreseeable(ir::ValueId value, ir::OpId loop, std::set<std::uint32_t>& inner) const {
    const ir::RegionId body = kernel_[loop].regions[0];
    const ir::Value& known = kernel_[value];
    if (!known.op.valid()) return value == kernel_[body].arguments[0] || !argument_of(body, value);
    if (!body_ops_.contains(known.op.value)) return true;  // made outside: nothing in a region further in is seen here
    const ir::Op& op = kernel_[known.op];
    if (!is_pure(op) || !known.type.is_scalar()) return false;
    inner.insert(known.op.value);
    return std::all_of(op.operands.begin(), op.operands.end(), [&](ir::ValueId operand) {
      return kernel_.type(operand).is_buffer() || foreseeable(operand, loop, inner);
    });
  }

  bool argument_of(ir::RegionId region, ir::ValueId value) const {
    const std::vector<ir::ValueId>& arguments = kernel_[region].arguments;
    return std::find(arguments.begin(), arguments.end(), value) != arguments.end();
  }

  void pipeline(ir::OpId loop, const LoopPlan& plan) {
    const auto& [loads, stages, lag] = plan;
    const ir::RegionId before = b_.region(), body = kernel_[loop].regions[0];
    std::vector<ir::ValueId> rings;
    for (const ir::OpId load : loads) rings.push_back(allocate(load, stages));

    const std::vector<ir::ValueId> bounds(kernel_[loop].operands.begin(), kernel_[loop].operands.begin() + 3);
    const ir::Type counter = kernel_.type(bounds[0]);
    const ir::ValueId first = b_.integer(ScalarType::Index, 0), one = b_.integer(ScalarType::Index, 1);
    const ir::ValueId last = b_.integer(ScalarType::Index, stages - 1), ahead_by = b_.integer(ScalarType::Index, stages - lag);
    const ir::Type flag = ir::Type::scalar(ScalarType::Bool), index = ir::Type::scalar(ScalarType::Index);
    const auto as = [&](ScalarType element, ir::ValueId value) {
      return kernel_.type(value).element == element ? value : b_.value(Opcode::Convert, ir::Type::scalar(element), {value});
    };
    const ir::ValueId lead = b_.value(Opcode::Mul, counter, {b_.integer(counter.element, stages - lag), bounds[2]});
    // One less than there are stages, whether there are so many turns or not: what is waited for is counted. So the way from the first
    // turn on is counted, and not the variable, which may not come so far in its type.
    const ir::ValueId step = as(ScalarType::Index, bounds[2]);
    const ir::ValueId way = step == bounds[2] ? lead : b_.value(Opcode::Mul, index, {ahead_by, step});
    const ir::OpId ahead = b_.op(Opcode::For, {first, way, step, first});
    b_.add_result(ahead, index, Kind::Uniform);
    const ir::RegionId filling = b_.new_region();
    kernel_[ahead].regions.push_back(filling);
    const ir::ValueId passed = b_.add_argument(filling, index, Kind::Uniform);
    const ir::ValueId stage = b_.add_argument(filling, index, Kind::Uniform);
    b_.set_region(filling);
    const ir::OpId begin = kernel_[bounds[0]].op;
    const bool from_zero = step == bounds[2] && begin.valid() && kernel_[begin].code == Opcode::Constant && kernel_[begin].immediate == 0;
    const ir::ValueId at = from_zero ? passed : b_.value(Opcode::Add, counter, {bounds[0], as(counter.element, passed)});
    fill(loop, loads, rings, at, stage, bounds[1]);
    b_.op(Opcode::AsyncCommit, {});
    b_.op(Opcode::Yield, {b_.value(Opcode::Add, index, {stage, one})});

    // The loop carries the stage of its turn.
    kernel_[loop].operands.push_back(first);
    b_.add_result(loop, ir::Type::scalar(ScalarType::Index), Kind::Uniform);
    const ir::ValueId now = b_.add_argument(body, ir::Type::scalar(ScalarType::Index), Kind::Uniform);
    const bool ahead_of_turn = can_preload(body, loads);
    std::vector<ir::OpId> ops = std::move(kernel_[body].ops);
    kernel_[body].ops.clear();
    const auto arrive = [&] {
      b_.op(Opcode::AsyncWait, {}, stages - lag - 1);
      b_.op(Opcode::Barrier, {});
    };
    if (ahead_of_turn) {
      b_.set_region(before);
      arrive();
      preload(loads, rings, first);
    }
    b_.set_region(body);
    if (!ahead_of_turn) arrive();
    const ir::ValueId around = lag == 1 ? b_.value(Opcode::CmpEq, flag, {now, first}) : b_.value(Opcode::CmpLt, flag, {now, b_.integer(ScalarType::Index, lag)});
    const ir::ValueId wrapped = lag == 1 ? last : b_.value(Opcode::Add, index, {now, ahead_by});
    const ir::ValueId free = b_.value(Opcode::Select, index, {around, wrapped, b_.value(Opcode::Sub, index, {now, lag == 1 ? one : b_.integer(ScalarType::Index, lag)})});
    fill(loop, loads, rings, b_.value(Opcode::Add, counter, {kernel_[body].arguments[0], lead}), free, bounds[1]);
    const ir::OpId yield = ops.back();
    ops.pop_back();
    for (const ir::OpId op : ops) behind_barrier_.insert(op.value);
    kernel_[body].ops.insert(kernel_[body].ops.end(), ops.begin(), ops.end());
    for (std::size_t i = 0; i < loads.size(); ++i) become_shared(loads[i], rings[i], now);
    b_.op(Opcode::AsyncCommit, {});
    const ir::ValueId full = b_.value(Opcode::CmpEq, flag, {now, last});
    const ir::ValueId next = b_.value(Opcode::Select, index, {full, first, b_.value(Opcode::Add, index, {now, one})});
    kernel_[yield].operands.push_back(next);
    if (ahead_of_turn) {
      arrive();
      preload(loads, rings, next);
    }
    kernel_[body].ops.push_back(yield);
    b_.set_region(before);
  }

  // Where a turn does nothing else, the next turn's first step can be read before this one's last is multiplied, and no turn begins with
  // a wait.
  bool can_preload(ir::RegionId body, const std::vector<ir::OpId>& loads) const {
    const ir::OpId dot = only_dot(body);
    return dot.valid() && loads.size() == 2 && kernel_[dot].operands[0] == kernel_[loads[0]].results[0] && is_mma(dot);
  }

  void preload(const std::vector<ir::OpId>& loads, const std::vector<ir::ValueId>& rings, ir::ValueId stage) {
    std::vector<ir::ValueId> tiles;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const ir::Type tile = kernel_.type(kernel_[loads[i]].results[0]);
      tiles.push_back(b_.value(Opcode::SharedTile, tile, {rings[i], stage}));
    }
    b_.op(Opcode::Preload, std::move(tiles));
  }

  // Copies of what the loop reads in the turn of `at`, if there is such a turn.
  void fill(ir::OpId loop, const std::vector<ir::OpId>& loads, const std::vector<ir::ValueId>& rings, ir::ValueId at, ir::ValueId stage,
            ir::ValueId end) {
    const ir::ValueId more = b_.value(Opcode::CmpLt, ir::Type::scalar(ScalarType::Bool), {at, end});
    std::map<std::uint32_t, ir::ValueId> copies{{kernel_[kernel_[loop].regions[0]].arguments[0].value, at}};
    for (std::size_t i = 0; i < loads.size(); ++i) {
      std::vector<ir::ValueId> operands = kernel_[loads[i]].operands;
      for (std::size_t start = 1; start < operands.size(); ++start) operands[start] = copy_of(operands[start], loop, copies);
      copy(loads[i], rings[i], stage, more, operands);
    }
  }

  // A value of the loop's body, computed anew for another turn.
  ir::ValueId copy_of(ir::ValueId value, ir::OpId loop, std::map<std::uint32_t, ir::ValueId>& copies) {
    if (const auto known = copies.find(value.value); known != copies.end()) return known->second;
    std::set<std::uint32_t> inner;
    foreseeable(value, loop, inner);
    const ir::OpId made = kernel_[value].op;
    if (!made.valid() || !inner.contains(made.value)) return value;
    std::vector<ir::ValueId> operands;
    for (const ir::ValueId operand : std::vector<ir::ValueId>(kernel_[made].operands)) operands.push_back(copy_of(operand, loop, copies));
    const ir::Op original = kernel_[made];
    const ir::OpId again = b_.op(original.code, operands, original.immediate);
    kernel_[again].real = original.real;
    const ir::Type type = kernel_.type(value);
    return copies[value.value] = b_.add_result(again, type, kernel_[value].kind);
  }

  // --- both ---

  ir::ValueId allocate(ir::OpId load, std::int64_t stages) {
    const ir::Type tile = kernel_.type(kernel_[load].results[0]);
    room_ -= stages * bytes_of(load);
    return b_.value(Opcode::Alloc, ir::Type::buffer(tile.element, {stages, tile.shape[0], pitch_of(load)}, ir::Type::Space::Shared), {});
  }

  // `from`: by value, since operations that are made beside it move all others.
  void copy(ir::OpId load, ir::ValueId ring, ir::ValueId stage, ir::ValueId whether, std::vector<ir::ValueId> from) {
    std::vector<ir::ValueId> operands{ring, stage, whether};
    operands.insert(operands.end(), from.begin(), from.end());
    const Span span = b_.span();
    b_.set_span(kernel_[load].span);
    b_.op(Opcode::AsyncLoad, std::move(operands), kernel_.type(kernel_[load].results[0]).shape[1]);
    b_.set_span(span);
  }

  void become_shared(ir::OpId load, ir::ValueId ring, ir::ValueId stage) {
    kernel_[load].code = Opcode::SharedTile;
    kernel_[load].operands = {ring, stage};
  }

  ir::Kernel& kernel_;
  const Chip& chip_;
  IdVector<ir::ValueId, std::vector<Use>> uses_;
  ir::Builder b_;
  std::set<std::uint32_t> body_ops_;  // of the loop that is looked at
  std::string nowhere_;  // why nothing is copied ahead in this kernel
  std::int64_t room_ = 0;
  struct Alone {
    ir::RegionId region;
    ir::OpId barrier, load;
  };
  std::vector<Alone> alone_;
  std::set<std::uint32_t> behind_barrier_;  // operations of pipelined loops
};

}  // namespace

void stage_operands(ir::Kernel& kernel, const Chip& chip) { Stager(kernel, chip).run(); }

}  // namespace phobos::passes
