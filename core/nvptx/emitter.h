// Writes one kernel as LLVM IR. A value of the tile IR is a list of LLVM values, its parts: a scalar is one, a run one an
// element, a tile one a slot of its layout (layout.h), a buffer its address. Control becomes branches and phis over parts, so
// that nothing in control.cpp knows what it carries. Everything else is one emit_<operation> each, in the file of its kind.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <phobos/nvptx/nvptx.h>
#include <phobos/passes/contraction.h>
#include <phobos/passes/bulk.h>
#include <phobos/passes/facts.h>
#include <phobos/source/line_map.h>

#include "accesses.h"
#include "layout.h"
#include "lines.h"
#include "math.h"
#include "shared.h"
#include "target.h"

namespace phobos::nvptx {

using Parts = llvm::SmallVector<llvm::Value*, 4>;

using ir::Decision;

// CTAs walk the grid in bands of so many rows: what `@swizzle` says, else what suits the largest contraction; 0: as the machine does.
std::int64_t band_of(const ir::Kernel& kernel);

class Emitter {
 public:
  // `places`: of the module. `bulk`: the entry is the one of roles and bulk copies.
  Emitter(const ir::Kernel& kernel, llvm::Module& module, const Options& options, const Chip& chip, SourcePlaces* places, const passes::BulkPlan* bulk = nullptr);
  Outcome run();  // fills the module; the text is the caller's to make
  void erase();   // what `run` made

 private:
  using V = llvm::Value*;

  // --- emitter.cpp: the function around the body, values, shared memory, barriers ---
  void declare();
  void finish_shared(Compiled& compiled);
  void emit(ir::OpId id, const ir::Op& op);
  void emit_value(ir::OpId id, const ir::Op& op);
  void fail(const ir::Op& op, const std::string& message);

  // --- source.cpp: where instructions come from, and what was decided for them ---
  void describe_source();
  void locate(const ir::Op& op);
  void describe_calls();
  // Of the operation that is being emitted; what is noted already is not noted twice.
  void decide(Decision decision);
  void decide(Decision::Kind kind, std::string what, std::string path, std::string reason = {});
  std::vector<Decision> sorted_decisions();
  std::string slice_text(ir::ValueId buffer, const ir::Shape& shape) const { return ir::slice_text(kernel_, buffer, shape); }
  std::optional<Refusal> too_large_tile() const;
  std::optional<Refusal> unmet_pipeline() const;
  Refusal too_much_shared() const;
  void note_chip();
  void note_band();  // raster.cpp

  const ir::Type& type(ir::ValueId id) const { return kernel_.type(id); }
  const Parts& parts(ir::ValueId id) const { return values_[id]; }
  V scalar(ir::ValueId id) const { return values_[id][0]; }
  void define(const ir::Op& op, Parts parts) { values_[op.results[0]] = std::move(parts); }
  void define(const ir::Op& op, V value) { values_[op.results[0]] = Parts{value}; }
  bool in_memory(ir::ValueId value) const;
  bool exchanges(const ir::Op& op) const;
  std::size_t part_count(ir::ValueId value) const;
  llvm::Type* part_type(const ir::Type& type) const;

  V i32(std::int64_t value) { return b_.getInt32(static_cast<std::uint32_t>(value)); }
  V i64(std::int64_t value) { return b_.getInt64(static_cast<std::uint64_t>(value)); }
  V as_i64(ir::ValueId index);  // of any integer type
  V as_i32(V value) { return b_.CreateIntCast(value, b_.getInt32Ty(), true); }
  V both(V a, V b) { return !a ? b : !b ? a : b_.CreateAnd(a, b); }  // of conditions; null: holds
  V memory_value(V value, ScalarType type);  // as it is stored
  V loaded_value(V value, ScalarType type);

  // Before an access: a barrier where an earlier one by other threads may conflict. After: one where threads on their own may
  // follow under control that no barrier may stand in. `harmless`: earlier accesses that cannot conflict.
  void before_access(Memory memory, unsigned access, unsigned harmless = 0);
  bool never_overlaps_itself(const ir::Op& store) const;
  void after_access(Memory memory, unsigned access);
  void barrier();
  void merge_pending(const AccessMap& more);

  void claim(std::int64_t from, std::int64_t to);
  // The exchange area, behind the buffers that are alive: `bytes` of it from `offset` on, kept free of what others still do there.
  void begin_exchange();
  void end_writes() { barrier(); }
  void end_exchange() { pending_[Memory()] |= CtaRead; }
  V exchange(std::int64_t offset, std::int64_t bytes);
  V element(V base, ScalarType type, V index) { return b_.CreateGEP(memory_type(context_, type), base, index); }

  // --- checks.cpp: tests of indices, where they are asked for ---
  void check_index(const ir::Op& op, int axis, V index, V extent);
  void check_point(const ir::Op& op, std::size_t first);  // indices from that operand on, one an axis
  void check_element(const ir::Op& op, ir::ValueId index);  // of a row-major position

  // --- control.cpp ---
  struct Join {  // where several ways meet, with values
    llvm::BasicBlock* block = nullptr;
    std::vector<std::pair<llvm::BasicBlock*, Parts>> incoming;
  };
  struct Loop {
    Join* again;
    Join* out;
    const ir::Op* op;
  };
  // All operations of a region. Its terminator is returned where it is the caller's to act on (yield, condition).
  const ir::Op* emit_region(ir::RegionId region);
  bool leave(const ir::Op& op);  // break, continue, leave, return
  Parts flatten(const std::vector<ir::ValueId>& values, std::size_t from = 0) const;
  void unflatten(const std::vector<ir::ValueId>& values, const Parts& parts, std::size_t from = 0);
  Join join(const char* name);
  void jump(Join& target, Parts parts);
  Parts arrive(Join& join, const std::vector<ir::ValueId>& values, std::size_t from = 0);
  Parts open_phis(const Parts& initial);  // of a loop header; the builder stands in it
  static void close_phis(const Parts& phis, const Parts& next, llvm::BasicBlock* from);
  void unroll(llvm::Instruction* back, const char* how, std::int64_t count = 0);
  bool may_wrap(const ir::Op& loop) const;
  Parts emit_turns(ir::OpId id, const ir::Op& op, V begin, V end, const Parts& initial, Join& out, V& next);
  void emit_for(ir::OpId id, const ir::Op& op);
  void emit_while(ir::OpId id, const ir::Op& op);
  void emit_if(const ir::Op& op);
  void emit_scope(ir::OpId id, const ir::Op& op);
  // `then` where the condition holds, by the threads for which it does.
  void guarded(V condition, const std::function<void()>& then);
  // A loop of the emitter's own: i from begin below end; `body` gives the next values of what is carried. Not unrolled.
  Parts repeat(V begin, V end, V step, const Parts& initial, const std::function<Parts(V i, const Parts& carried)>& body);

  // --- split.cpp: loops over slices ---
  struct Split;
  struct Moving;
  Split plan_split(const ir::Op& loop);
  bool add_slice(Split& split, const ir::Op& loop, const ir::Op& op);
  V whole_end(const Split& split, V begin, V end);

  // --- memory.cpp: single threads, and single operations of the CTA ---
  V extent(ir::ValueId buffer, std::size_t axis);
  V stride(ir::ValueId buffer, std::size_t axis);  // in elements
  V address(ir::ValueId buffer, V index) { return element(scalar(buffer), type(buffer).element, index); }
  V load_element(V pointer, ScalarType element);
  void store_element(V value, V pointer, ScalarType element);
  V flat_index(ir::ValueId buffer, const std::vector<ir::ValueId>& operands, std::size_t from);
  bool constant_memory(ir::ValueId buffer) const;
  struct Run;
  Run slice_run(const ir::Op& op, std::size_t first_index, std::int64_t length);
  Run flat_run(ir::ValueId buffer, ir::ValueId index, const ir::Type& type);
  V run_pointer(const Run& run, std::size_t i);
  V run_at_once(const Run& run);
  V within(ir::ValueId buffer, std::size_t axis, ir::ValueId index);
  void note_run(const Run& run, V at_once, bool store);
  Parts load_run(const Run& run, const std::vector<ir::ValueId>& results);
  void store_run(const Run& run, const Parts& values);
  void emit_load(const ir::Op& op);
  void emit_store(const ir::Op& op);
  void emit_run_load(const ir::Op& op);
  void emit_run_store(const ir::Op& op);
  void emit_elem_load(const ir::Op& op);
  void emit_elem_store(const ir::Op& op);
  void emit_atomic(const ir::Op& op);
  void emit_load_acquire(const ir::Op& op);
  void emit_store_release(const ir::Op& op);
  void emit_grid_barrier(const ir::Op& op);
  V once(ScalarType type, const std::function<V()>& compute);  // by the first thread; all get the result

  // --- tile.cpp ---
  V place(const Axis& axis);  // i32
  V thread_digit(const Digit& digit);
  V row(const Layout& layout, std::int64_t slot);     // i32
  V column(const Layout& layout, std::int64_t slot);  // i32
  V row_valid(const Layout& layout, std::int64_t slot);  // null: always
  V column_valid(const Layout& layout, std::int64_t slot);
  V owner(const Layout& layout);  // of the copies of a replicated tile, this thread has the one to store; null: always
  static std::size_t index(const Layout& layout, std::int64_t row_slot, std::int64_t column_slot) {
    return static_cast<std::size_t>(row_slot * layout.columns.slot_count() + column_slot);
  }
  const Layout& layout(ir::ValueId tile) const { return layouts_.of(tile); }
  // The index in the exchange area of the element at (row, column).
  using Where = std::function<V(V row, V column)>;
  Where row_major(std::int64_t pitch) {
    return [this, pitch](V r, V c) { return b_.CreateAdd(b_.CreateMul(r, i32(pitch)), c); };
  }
  // Writes a tile into the exchange area; where `only` is given, the elements for which it holds.
  void stage(const Parts& tile, const Layout& layout, ScalarType element, V base, const Where& where,
             const Where& only = nullptr, std::int64_t pitch = 0);
  // Reads a tile from the exchange area.
  Parts collect(const Layout& layout, ScalarType element, V base, const Where& where);
  Parts relayout(const Parts& tile, ScalarType element, const Layout& from, const Layout& to);
  void emit_splat(const ir::Op& op);
  void emit_broadcast(const ir::Op& op);
  void emit_reshape(const ir::Op& op);
  void emit_transpose(const ir::Op& op);
  void emit_iota(const ir::Op& op);
  void emit_tril(const ir::Op& op);
  void emit_elementwise(const ir::Op& op);
  bool emit_quotients(const ir::Op& op);  // quotient.cpp

  // --- slice.cpp ---
  struct Slice;
  Slice slice(const ir::Op& op, ir::ValueId tile, std::size_t first_index);
  V fast_path(Slice& slice);
  V inside(ir::ValueId buffer, std::size_t axis, ir::ValueId start, std::int64_t count, ir::ValueId whether = {});
  V aligned(ir::ValueId buffer, const std::vector<ir::ValueId>& starts, std::int64_t bytes, V only = nullptr);
  void note_copy(const Slice& slice, V fast, bool store);
  Parts load_fast(const Slice& slice);
  Parts load_masked(const Slice& slice);
  void store_slice(const Slice& to, const Parts& tile, V fast);  // by the threads that it is for
  void store_fast(const Slice& slice, const Parts& tile);
  void store_masked(const Slice& slice, const Parts& tile);
  void emit_tile_load(const ir::Op& op);
  void emit_tile_store(const ir::Op& op);

  // --- copy.cpp ---
  struct Copy {
    const ir::Op* op;
    ir::ValueId buffer;
    ScalarType element;
    std::int64_t rows, columns, pitch;
    std::vector<V> starts = {};
    V whether = nullptr;                    // the same for all threads
    V inside = nullptr, aligned = nullptr;  // null where that is known
    V origin = nullptr, to = nullptr;       // addresses of the first element, of the slice and of the stage
    std::int64_t chunk() const { return 16 / size_of(element); }  // elements
    std::int64_t across() const { return columns / chunk(); }
    std::int64_t chunks() const { return rows * across(); }
  };
  V plain(const Copy& copy) { return both(copy.inside, copy.aligned); }
  V stage_pointer(ir::ValueId ring, ir::ValueId stage);
  V place(const Copy& copy, V row, V column);
  void copy_whole(const Copy& copy, V condition);
  void issue_copies(std::size_t most = SIZE_MAX);
  void copy_ragged(const Copy& copy);
  void copy_elements(const Copy& copy);
  void copy_slowly(const Copy& copy);
  Copy placed(Copy copy);
  void begin_copies();
  void emit_async_load(const ir::Op& op);
  void note_async_copy(const Copy& copy);

  // --- fold.cpp ---
  V leads(const Axis& axis);
  V number_of(const std::vector<Digit>& digits);
  void note_fold(ir::FoldOp fold, ScalarType element);
  Parts fold_rows(ir::FoldOp fold, ScalarType element, const Parts& tile, const Layout& layout);
  Parts fold_slots(ir::FoldOp fold, ScalarType element, const Parts& tile, const Layout& layout);  // what a thread has of each row
  void emit_row_fold(const ir::Op& op);
  void emit_row_argmax(const ir::Op& op);
  void emit_cumsum(const ir::Op& op);
  void emit_run_fold(const ir::Op& op);
  void emit_collective(const ir::Op& op);
  void emit_shuffle(const ir::Op& op);

  // --- dot.cpp, mma.cpp ---
  // A matrix in shared memory, row by row, `pitch` elements from one to the next.
  struct Matrix {
    V base = nullptr;
    std::int64_t pitch = 0;
  };
  struct Dot;
  Dot plan_dot(const ir::Op& op);
  void stage_operands(Dot& dot, std::int64_t begin);
  void stage_operand(const Dot& dot, std::size_t which, std::int64_t begin, const Matrix& to, bool turned);
  Parts multiply(const Dot& dot, Parts sums);
  Parts multiply_bytes(const Dot& dot, V k, const std::vector<V>& rows, const std::vector<V>& columns, Parts sums);
  Parts vector_load(V base, ScalarType element, V index, std::int64_t width, ScalarType to);
  bool is_fragment(const ir::Op& dot) const;
  Parts fragment_from_slots(const Dot& dot, std::int64_t block, std::int64_t step);
  struct Operands;  // of one step
  class Reader;
  Parts multiply_step(const Dot& dot, const Operands& now, Parts sums);
  Parts multiply_steps(const Dot& dot, const Reader& reader, std::int64_t count, std::int64_t steps, Operands& words, Parts sums);
  Parts multiply_fragments(const Dot& dot, Parts sums);
  bool emit_preloaded_dot(const ir::Op& op);
  void emit_preload(const ir::Op& op);
  void finish_dot();
  // groups.cpp
  void find_swizzles();
  const passes::Swizzle* swizzle_of(ir::ValueId ring) const;
  V swizzled(const passes::Swizzle& swizzle, std::int64_t rows, ScalarType element, V row, V column);
  Parts multiply_by_groups(const Dot& dot, const Parts& a, V b, const passes::Swizzle& of_a, const passes::Swizzle& of_b, Parts sums);
  void emit_group_dot(const Dot& dot);
  void end_group_dots(Parts& carried);
  std::uint32_t ring_of(ir::ValueId tile) const;
  void note_dot(const Dot& dot);
  void emit_dot(const ir::Op& op);

  // --- bulk.cpp ---
  void declare_maps();
  V shared_byte(std::int64_t at);
  V ring_barrier(std::size_t ring, bool empty, V stage);
  V stage_of(std::size_t ring);
  V operand_at(std::size_t ring, std::size_t which, V stage);
  void wait_for_stage(std::size_t ring, bool empty);
  void emit_roles();
  void walk_blocks(V first, V step, const std::function<void()>& body, const std::function<V()>& again = [] { return V(nullptr); });
  void emit_scalar(ir::ValueId value, std::map<std::uint32_t, bool>& known);
  V turns(const ir::Op& loop);
  V turns_at_least_one(const ir::Op& loop);
  void take_turn();
  void pass_turn();
  Parts turn_after_turn(V count, const Parts& initial, const std::function<Parts(V turn, const Parts& carried)>& body);
  void produce();
  void load_stage(std::size_t ring, V turn, std::map<std::uint32_t, bool> known);
  void load_operand(std::size_t ring, std::size_t which, V stage, V barrier);
  V coordinate(ir::ValueId start);
  void consume();
  llvm::AllocaInst* variable(llvm::Type* type);
  void make_barriers();
  void load_block();
  void do_block();
  V in_team();
  Parts multiply_stage(const Dot& dot, V turn, V count, const Parts& sums, llvm::AllocaInst* last);
  void emit_bulk_loop(const ir::Op& op);
  V group_rows(const Dot& dot, const passes::BulkPlan::Operand& operand, V base);
  void next_stage(std::size_t ring);
  void skip_stages(V count);
  bool stores_boxes(const ir::Op& op) const;
  void fill_box(V box, const Parts& tile, std::int64_t first, std::int64_t below);
  void emit_box_store(const ir::Op& op);
  void note_bulk();

  // --- swap.cpp ---
  V ready_barrier(V stage);
  Parts words_of_second(const Dot& dot, V b, std::int64_t first, std::int64_t count);
  V low_part(V word);
  Parts multiply_swapped(const Dot& dot, Parts sums);
  void emit_swapped_loop(const ir::Op& op, const Dot& dot);
  void make_low_parts();
  void make_low_parts_of_stage(V stage);

  // --- chain.cpp ---
  struct Chain;
  // How a turn is done: without selections, with them, or as it turns out.
  enum class Way { Whole, Selected, Either };
  struct Partial {
    std::size_t at;  // among what a chain's loop carries
    const ir::Op* fold;
  };
  void produce_chain(const std::map<std::uint32_t, bool>& known);
  void begin_group_turns();
  Chain plan_chain(const ir::Op& loop);
  const ir::Op* partial_fold(const ir::Op& loop, std::size_t carried) const;
  Parts spread(const Partial& partial, const Parts& column);
  Parts gathered(const Partial& partial, const Parts& parts);
  bool keeps_queries(const Chain& chain) const;
  Parts query_words(const Chain& chain);
  Parts multiply_scores(const Chain& chain);
  Parts multiply_weights(const Chain& chain, const Parts& words, const Parts& sums);
  void give_back(std::size_t ring);
  Parts emit_between(const Chain& chain, Way way, const std::function<void(Parts*)>& middle, const std::function<Parts()>& rest);
  void emit_behind(const Chain& chain);
  void emit_in_chain(ir::OpId id);
  bool is_fast_exp(const ir::Op& op) const;
  std::pair<ir::ValueId, const ir::Op*> power_of(const ir::Op& exp) const;
  Parts fast_exp(const ir::Op& op, std::size_t from, std::size_t to);
  Parts weight_words(const Chain& chain);
  struct Carried {
    Parts sums, words;
  };
  Parts carried(const Chain& chain);
  Carried taken(const Chain& chain, const Parts& all);
  const std::vector<ir::ValueId>& arguments_of(const Chain& chain) const;
  void stand_in_turn(const Chain& chain, V turn);
  Parts emit_first_turn(Chain& chain);
  bool covers_waits() const;
  Parts emit_next_turn(const Chain& chain, Way way, V turn, V count, const Parts& now);
  Parts emit_turns(const Chain& chain, V count, const Parts& first);
  Parts emit_last_sums(const Chain& chain, const Parts& last);
  void emit_chain(const ir::Op& loop);
  void hold_behind(const Chain& chain, Parts& tile, Parts* powers);
  bool is_group_fragment(const ir::Op& dot) const;
  // whole_turn.cpp
  struct Scaled {
    ir::ValueId tile;
    V factor;  // null: 1
  };
  void emit_inside(ir::ValueId value, std::map<std::uint32_t, bool>& known);
  std::optional<std::pair<V, V>> bounds(ir::ValueId tile);
  V always(ir::ValueId condition);
  std::optional<Scaled> scaled(ir::ValueId tile);
  void note_bound(V subtrahend);
  V verdict();
  V passed_word();
  void tell_verdict();
  V has_passed(const std::function<void()>& tell);
  bool emit_scaled_maximum(const ir::Op& op);
  V whole_turn(const Chain& chain);
  V whole_turn_at(const Chain& chain, V turn, const Parts& now);
  V may_be_whole(const Chain& chain);

  // --- print.cpp ---
  struct Printer;
  V printed(V value, ScalarType type);
  Printer printer(const ir::Op& op, Kind tagged);  // Uniform: of the CTA; else of a warp, or of a lane
  void say(const Printer& printer, const std::string& text, const Parts& values);
  void print_values(const ir::Op& op, const ir::Note& note);
  void print_element(const Printer& printer, const std::string& name, const Parts& indices, V value, ScalarType element);
  void print_tile(const ir::Op& op, ir::ValueId tile, const std::string& name);
  void print_memory(const ir::Op& op, ir::ValueId buffer, const std::string& name, Kind control);
  void emit_print(const ir::Op& op);

  const ir::Kernel& kernel_;
  const Options& options_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  Builder b_;
  const Chip& chip_;
  Target target_;
  Math math_;
  Layouts layouts_;
  Accesses accesses_;
  passes::Facts facts_;
  SharedPlan plan_;

  llvm::Function* function_ = nullptr;
  llvm::BasicBlock* entry_ = nullptr;  // holds what is computed once: places, strides
  IdVector<ir::ValueId, Parts> values_;
  std::map<std::uint32_t, std::vector<llvm::AllocaInst*>> preloaded_;  // by the ring of the first operand: words of the first step
  std::function<void()> unfinished_dot_;
  enum class Lie { Whole, Ragged };  // where that is known: inside its buffer and aligned, or to be masked
  std::map<const ir::Op*, Lie> lies_;  // of slices, in the turns of a loop that are being emitted
  std::vector<Copy> asked_;                   // and not yet begun
  std::deque<std::function<void()>> copies_;  // begun and not yet issued
  std::map<std::uint32_t, passes::Swizzle> swizzles_;  // by ring
  bool group_dots_under_way_ = false;
  std::map<std::uint32_t, Matrix> matrices_;  // tiles that lie in shared memory
  std::vector<V> dimensions_;
  std::map<std::vector<std::array<std::int64_t, 3>>, V> places_;  // by the digits of an axis
  std::map<std::pair<std::uint32_t, std::size_t>, V> strides_;
  V thread_ = nullptr;  // i32
  // Of an entry that does several blocks: the same once more in each, so that what follows from it, as the places of all rows of a tile do, is
  // computed where it is used and not kept in registers from the first block to the last.
  llvm::Instruction* block_thread_ = nullptr;
  V report_ = nullptr;  // the last parameter of a checked kernel
  std::vector<PointCheck> checks_;

  llvm::GlobalVariable* shared_ = nullptr;  // of no length until finish_shared
  std::int64_t shared_bytes_ = 0;  // so far
  std::int64_t least_exchange_ = INT64_MAX;  // where the exchange area begins, at the lowest

  AccessMap pending_;  // since the last barrier
  std::vector<Loop> loops_;
  std::vector<Join*> scopes_;

  std::optional<LineMap> lines_;
  llvm::DISubprogram* subprogram_ = nullptr;
  SourcePlaces* places_of_source_;  // null: columns stay
  const passes::BulkPlan* bulk_;
  std::vector<Compiled::Map> maps_;
  std::vector<V> map_arguments_;
  V all_threads_ = nullptr;  // the number of this one among all roles'
  V group_ = nullptr;        // of 128 threads, the same for a warp
  V team_ = nullptr;
  bool exchanged_ = false;
  V leads_group_ = nullptr;
  struct RingPosition {
    llvm::AllocaInst *stage, *phase;
  };
  std::vector<RingPosition> positions_;  // of this role, in each ring
  llvm::AllocaInst *round_ = nullptr, *box_ = nullptr;
  const Chain* chain_ = nullptr;                // that is being emitted
  bool whole_turn_ = false;                     // no condition of `whole_selections_` fails
  llvm::AllocaInst* bounded_ = nullptr;         // whether powers could be made the fast way so far
  bool notes_bounds_ = false;
  V exact_ = nullptr;                           // whether this is the walk that makes none that way
  std::set<const ir::Op*> whole_selections_;
  V may_be_whole_ = nullptr;                    // what of a turn's being whole is the same in all of a block
  std::vector<Decision> decisions_;
  const ir::Op* current_ = nullptr;
  ir::OpId current_id_;
  ir::OpId largest_exchange_;  // the operation that shared_bytes_ is as large for; none: the buffers alone are
  std::optional<Refusal> refusal_;
};

}  // namespace phobos::nvptx
