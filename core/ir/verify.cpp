// Walks a kernel as it would run and notes what cannot be.
//
// Control is followed as a kind. Under an `if` it is as varying as the condition, in a loop as its bounds or condition. A
// terminator that leaves under control more varying than its target's makes what follows that varying as well: up to the end of
// the iteration after a `continue`, in the whole loop after a `break` (its next iterations come after it too), and so on out to
// the target for `leave` and to the kernel for `return`.
#include <algorithm>

#include <fmt/format.h>

#include <phobos/ir/text.h>

#include "signatures.h"

namespace phobos::ir {
namespace {

constexpr std::size_t most_faults = 50;
constexpr int deepest = 256;

// A loop or scope around the place being looked at.
struct Frame {
  const Op* op = nullptr;
  Kind entry = Kind::Uniform;    // control around it
  Kind left = Kind::Uniform;     // of the terminators that leave it, or an outer one from inside it
  Kind skipped = Kind::Uniform;  // of the `continue`s of this iteration, so far
  bool is_loop() const { return op->code != Opcode::ScopeOp; }
};

class Verifier {
 public:
  explicit Verifier(const Kernel& kernel)
      : kernel_(kernel), visible_(kernel.values.size()), made_(kernel.values.size()), seen_(kernel.regions.size()) {}

  std::vector<std::string> run() {
    if (!ids_in_range()) return std::move(faults_);
    head();
    const Region& body = kernel_[kernel_.body];
    for (ValueId id : body.arguments) make(id, OpId(), "an argument of the kernel");
    region(kernel_.body, Kind::Uniform, nullptr, 0);
    return std::move(faults_);
  }

 private:
  void fault(const Op* op, std::string words) {
    if (faults_.size() >= most_faults) return;
    if (op) words += fmt::format(": `{}`", print(kernel_, *op));
    faults_.push_back(std::move(words));
  }

  template <class Ids, class Vector>
  bool all_in(const Ids& ids, const Vector& vector) const {
    return std::all_of(ids.begin(), ids.end(), [&](auto id) { return vector.contains(id); });
  }
  bool ids_in_range() {
    bool fine = kernel_.regions.contains(kernel_.body);
    for (const Op& op : kernel_.ops)
      fine = fine && all_in(op.operands, kernel_.values) && all_in(op.results, kernel_.values) &&
             all_in(op.regions, kernel_.regions) && op.code < Opcode::count_;
    for (const Region& region : kernel_.regions)
      fine = fine && all_in(region.arguments, kernel_.values) && all_in(region.ops, kernel_.ops);
    if (!fine) faults_.push_back("an id points outside of the kernel");
    return fine;
  }

  void head() {
    if (kernel_.threads <= 0 || kernel_.threads % 32 != 0 || kernel_.threads > 1024)
      fault(nullptr, fmt::format("{} threads", kernel_.threads));
    const auto& values = kernel_[kernel_.body].arguments;
    const std::size_t parameters = kernel_.parameters.size();
    if (values.size() != parameters + kernel_.dimensions.size())
      return fault(nullptr, "the body's arguments are not one a parameter and one a dimension");
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Type expected = i < parameters ? kernel_.parameters[i].type : Type::scalar(ScalarType::Index);
      if (kernel_.type(values[i]) != expected) fault(nullptr, fmt::format("argument {} of the body has another type", i));
    }
  }

  void type(ValueId id, const Op* op) {
    const Value& value = kernel_[id];
    const Type& type = value.type;
    if (type.is_scalar() != type.shape.empty()) return fault(op, "a type's shape does not go with its form");
    if (type.rank() > 4) fault(op, "a rank above 4");
    const bool global = type.is_buffer() && type.space == Type::Space::Global;
    double elements = 1;
    for (std::int64_t extent : type.shape) {
      if (is_dynamic(extent) ? !global || dimension_of(extent) >= kernel_.dimensions.size() : extent == 0 && !global)
        return fault(op, "an extent that cannot be");
      elements *= static_cast<double>(std::max<std::int64_t>(extent, 1));
    }
    if (elements > 0x1p40) fault(op, "too many elements");
    if (type.is_run() && (type.rank() != 1 || type.shape[0] > 16)) fault(op, "a run has 1 to 16 elements");
    if ((type.is_tile() || type.is_buffer()) && value.kind != Kind::Uniform)
      fault(op, fmt::format("a {} that is {}", type.is_tile() ? "tile" : "buffer", name_of(value.kind)));
  }

  void make(ValueId id, OpId by, std::string_view what) {
    const Op* op = by ? &kernel_[by] : nullptr;
    if (made_[id.value]) return fault(op, fmt::format("{} is made a second time", what));
    made_[id.value] = visible_[id.value] = true;
    scope_.push_back(id);
    if (kernel_[id].op != by) fault(op, fmt::format("{} does not know what makes it", what));
    type(id, op);
  }

  // --- control ---

  Kind control(Kind here) const {
    for (const Frame& frame : frames_) here = join(here, join(frame.left, frame.skipped));
    return join(here, returned_);
  }

  // Control of what leaves the innermost loop (or scope) that `region` stands in, in all of it: known before it is walked.
  Kind leaving(const Op& loop, RegionId region, Kind here, int loops, int scopes, int depth) const {
    Kind kind = Kind::Uniform;
    if (depth > deepest) return kind;
    for (OpId id : kernel_[region].ops) {
      const Op& op = kernel_[id];
      const bool leaves = (op.code == Opcode::Break && loops == 0 && loop.code != Opcode::ScopeOp) ||
                          (op.code == Opcode::Leave && scopes == 0) || op.code == Opcode::Return;
      if (leaves) kind = join(kind, here);
      const bool conditional = op.code == Opcode::If && op.operands.size() == 1;
      const bool is_loop = op.code == Opcode::For || op.code == Opcode::While;
      const Kind inner = conditional ? join(here, kernel_[op.operands[0]].kind) : is_loop ? join(here, loop_kind(op)) : here;
      for (RegionId nested : op.regions)
        kind = join(kind, leaving(loop, nested, inner, loops + is_loop, scopes + (op.code == Opcode::ScopeOp), depth + 1));
    }
    return kind;
  }

  // As varying as the bounds of a `for`, or the condition of a `while`.
  Kind loop_kind(const Op& op) const {
    Kind kind = Kind::Uniform;
    if (op.code == Opcode::For)
      for (std::size_t i = 0; i < std::min<std::size_t>(3, op.operands.size()); ++i)
        kind = join(kind, kernel_[op.operands[i]].kind);
    if (op.code == Opcode::While && !op.regions.empty() && !kernel_[op.regions[0]].ops.empty()) {
      const Op& last = kernel_[kernel_[op.regions[0]].ops.back()];
      if (last.code == Opcode::Condition && !last.operands.empty()) kind = kernel_[last.operands[0]].kind;
    }
    return kind;
  }

  // --- regions ---

  void region(RegionId id, Kind here, const Op* parent, int depth) {
    if (depth > deepest) return fault(parent, "nested too deeply");
    if (seen_[id.value]) return fault(parent, "a region stands in two places");
    seen_[id.value] = true;
    const std::size_t outside = scope_.size();
    const Region& region = kernel_[id];
    if (parent)
      for (ValueId argument : region.arguments) make(argument, OpId(), "a region's argument");
    if (region.ops.empty() || !has(info(kernel_[region.ops.back()].code).traits, Trait::Terminator))
      fault(parent, "a region without a terminator");
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      const Op& op = kernel_[region.ops[i]];
      const bool terminator = has(info(op.code).traits, Trait::Terminator);
      if (terminator && i + 1 != region.ops.size()) fault(&op, "a terminator before the end of its region");
      operation(region.ops[i], here, parent, depth);
    }
    while (scope_.size() > outside) {
      visible_[scope_.back().value] = false;
      scope_.pop_back();
    }
  }

  void operation(OpId id, Kind here, const Op* parent, int depth) {
    const Op& op = kernel_[id];
    for (ValueId operand : op.operands)
      if (!visible_[operand.value]) return fault(&op, "a value is used where it is not yet, or no longer, known");
    const Trait traits = info(op.code).traits;
    if (has(traits, Trait::Terminator)) {
      if (!op.results.empty() || !op.regions.empty()) return fault(&op, "a terminator has neither results nor regions");
      return terminator(op, here, parent);
    }
    if (has(traits, Trait::Regions)) {
      structured(op, here, depth);
    } else if (const std::string words = signature_fault(kernel_, op); !words.empty()) {
      fault(&op, words);
    } else {
      kinds(op, control(here));
    }
    for (ValueId result : op.results) make(result, id, "a result");
  }

  void kinds(const Op& op, Kind control) {
    if (op.code == Opcode::Print || op.code == Opcode::Mark) return;  // they tell what is there
    Kind operands = Kind::Uniform;
    for (ValueId operand : op.operands) operands = join(operands, kernel_[operand].kind);
    bool cta_wide = has(info(op.code).traits, Trait::CtaWide);
    if (op.code == Opcode::Splat) cta_wide = kernel_.type(op.results[0]).is_tile();
    for (ValueId id : op.operands) cta_wide |= kernel_.type(id).is_tile();
    if (op.code == Opcode::Extent) cta_wide = false;
    if (cta_wide && control != Kind::Uniform) fault(&op, fmt::format("it runs once per CTA, and control is {}", name_of(control)));
    if (cta_wide && operands != Kind::Uniform) fault(&op, fmt::format("it runs once per CTA, and an operand is {}", name_of(operands)));
    Kind least = operands;
    if (op.code == Opcode::Ctx) {
      const auto value = static_cast<CtxValue>(op.immediate);
      if (value == CtxValue::Warp) least = Kind::WarpUniform;
      if (value == CtxValue::Thread || value == CtxValue::Lane) least = Kind::Varying;
    }
    if (op.code == Opcode::Shuffle && control == Kind::Varying) fault(&op, "it needs every lane of the warp");
    if (op.code == Opcode::Collective) {
      const bool lanes = collective_scope(op.immediate) == Scope::Lane;
      least = lanes ? std::min(operands, Kind::WarpUniform) : Kind::Uniform;
      if (lanes && control == Kind::Varying) fault(&op, "it needs every lane of the warp");
      if (!lanes && control != Kind::Uniform) fault(&op, "it needs every thread of the CTA");
    }
    for (ValueId result : op.results)
      if (kernel_[result].kind < least)
        fault(&op, fmt::format("a result is {} where {} is the least", name_of(kernel_[result].kind), name_of(least)));
  }

  // --- operations with regions ---

  // `from` flows into `to`: as many, of the same types, and no more varying than `to` can be under `control`.
  void flow(const Op& op, std::vector<ValueId> from, const std::vector<ValueId>& to, Kind control, std::string_view what) {
    if (from.size() != to.size()) return fault(&op, fmt::format("{} values for {} {}", from.size(), to.size(), what));
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Value &source = kernel_[from[i]], &target = kernel_[to[i]];
      if (source.type != target.type) fault(&op, fmt::format("value {} is not of the type of the {}", i, what));
      const bool per_thread = target.type.is_scalar() || target.type.is_run();
      const Kind least = join(source.kind, per_thread || control == Kind::Uniform ? control : Kind::Varying);
      if (target.kind < least)
        fault(&op, fmt::format("value {} is {} where the {} are {}", i, name_of(least), what, name_of(target.kind)));
    }
  }

  static std::vector<ValueId> tail(const std::vector<ValueId>& ids, std::size_t from) {
    return {ids.begin() + static_cast<std::ptrdiff_t>(std::min(from, ids.size())), ids.end()};
  }

  void structured(const Op& op, Kind here, int depth) {
    const std::size_t regions = op.code == Opcode::If || op.code == Opcode::While ? 2 : 1;
    if (op.regions.size() != regions) return fault(&op, fmt::format("{} regions, not {}", op.regions.size(), regions));
    switch (op.code) {
      case Opcode::If: return branch(op, here, depth);
      case Opcode::For: return for_loop(op, here, depth);
      case Opcode::While: return while_loop(op, here, depth);
      default:
        if (!op.operands.empty() || !kernel_[op.regions[0]].arguments.empty()) fault(&op, "a scope takes nothing");
        frames_.push_back({&op, control(here)});
        region(op.regions[0], here, &op, depth + 1);
        frames_.pop_back();
    }
  }

  void branch(const Op& op, Kind here, int depth) {
    if (op.operands.size() != 1 || kernel_.type(op.operands[0]) != Type::scalar(ScalarType::Bool))
      return fault(&op, "it takes a bool");
    const Kind inner = join(here, kernel_[op.operands[0]].kind);
    // Each branch starts from the control before: who left in the first is not in the second.
    const auto frames_before = frames_;
    const Kind returned_before = returned_;
    if (!kernel_[op.regions[0]].arguments.empty() || !kernel_[op.regions[1]].arguments.empty())
      fault(&op, "its regions take nothing");
    region(op.regions[0], inner, &op, depth + 1);
    const auto frames_then = frames_;
    const Kind returned_then = returned_;
    frames_ = frames_before;
    returned_ = returned_before;
    region(op.regions[1], inner, &op, depth + 1);
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      frames_[i].left = join(frames_[i].left, frames_then[i].left);
      frames_[i].skipped = join(frames_[i].skipped, frames_then[i].skipped);
    }
    returned_ = join(returned_, returned_then);
  }

  void loop_body(const Op& op, Kind here, int depth, std::size_t which) {
    frames_.back().skipped = Kind::Uniform;
    region(op.regions[which], here, &op, depth + 1);
  }

  Kind enter_loop(const Op& op, Kind here) {
    Frame frame{&op, control(here)};
    const Kind inner = join(here, loop_kind(op));
    Kind left = Kind::Uniform;
    for (RegionId id : op.regions) left = join(left, leaving(op, id, inner, 0, 0, 0));
    frame.left = left;
    frames_.push_back(frame);
    return inner;
  }

  void for_loop(const Op& op, Kind here, int depth) {
    const auto& arguments = kernel_[op.regions[0]].arguments;
    if (op.operands.size() < 3 || arguments.empty()) return fault(&op, "it takes a begin, an end, a step, and has a variable");
    Kind bounds = Kind::Uniform;
    for (std::size_t i = 0; i < 3; ++i) {
      bounds = join(bounds, kernel_[op.operands[i]].kind);
      if (kernel_.type(op.operands[i]) != kernel_.type(arguments[0])) return fault(&op, "the bounds are not of the variable's type");
    }
    const Type& variable = kernel_.type(arguments[0]);
    if (!variable.is_scalar() || !is_integer(variable.element)) fault(&op, "the variable is not an integer");
    if (kernel_[arguments[0]].kind < bounds) fault(&op, "the variable is less varying than the bounds");
    flow(op, tail(op.operands, 3), tail(arguments, 1), Kind::Uniform, "loop's carried values");
    flow(op, tail(arguments, 1), op.results, loop_kind(op), "loop's results");
    const Kind inner = enter_loop(op, here);
    loop_body(op, inner, depth, 0);
    frames_.pop_back();
  }

  void while_loop(const Op& op, Kind here, int depth) {
    const auto& carried = kernel_[op.regions[0]].arguments;
    flow(op, op.operands, carried, Kind::Uniform, "loop's carried values");
    flow(op, carried, op.results, loop_kind(op), "loop's results");
    const Kind inner = enter_loop(op, here);
    loop_body(op, inner, depth, 0);
    loop_body(op, inner, depth, 1);
    frames_.pop_back();
  }

  // --- terminators ---

  Frame* innermost(bool loop) {
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
      if (frame->is_loop() == loop) return &*frame;
    return nullptr;
  }

  // Every frame up to `target` is left under this control, and so is the target itself.
  void leave(const Frame* target, Kind control) {
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      frame->left = join(frame->left, control);
      if (&*frame == target) return;
    }
    returned_ = join(returned_, control);
  }

  std::vector<ValueId> carried(const Op& loop) const {
    const auto& arguments = kernel_[loop.regions[0]].arguments;
    return tail(arguments, loop.code == Opcode::For ? 1 : 0);
  }

  void terminator(const Op& op, Kind here, const Op* parent) {
    const bool loop_parent = parent && (parent->code == Opcode::For || parent->code == Opcode::While);
    const Kind now = control(here);
    switch (op.code) {
      case Opcode::Yield:
        if (!parent) return op.operands.empty() ? void() : fault(&op, "the kernel gives nothing");
        if (loop_parent) return flow(op, op.operands, carried(*parent), Kind::Uniform, "loop's carried values");
        return flow(op, op.operands, parent->results, parent->code == Opcode::If ? kernel_[parent->operands[0]].kind : Kind::Uniform,
                    parent->code == Opcode::If ? "if's results" : "scope's results");
      case Opcode::Condition: return condition(op, parent);
      case Opcode::Return:
        if (!op.operands.empty()) fault(&op, "it takes nothing");
        return leave(nullptr, now);
      case Opcode::Leave: {
        Frame* scope = innermost(false);
        if (!scope) return fault(&op, "it stands in no scope");
        flow(op, op.operands, scope->op->results, beyond(now, scope->entry), "scope's results");
        return leave(scope, now);
      }
      default: {
        Frame* loop = innermost(true);
        if (!loop || (innermost(false) && innermost(false) > loop)) return fault(&op, "it stands in no loop");
        if (op.code == Opcode::Break) {
          flow(op, op.operands, loop->op->results, beyond(now, loop->entry), "loop's results");
          return leave(loop, now);
        }
        flow(op, op.operands, carried(*loop->op), Kind::Uniform, "loop's carried values");
        loop->skipped = join(loop->skipped, now);
      }
    }
  }

  // How varying it is to leave here, seen from the target: not at all where the target's own control is as varying.
  static Kind beyond(Kind now, Kind entry) { return now > entry ? now : Kind::Uniform; }

  void condition(const Op& op, const Op* parent) {
    if (!parent || parent->code != Opcode::While) return fault(&op, "it stands in no while's condition");
    if (op.operands.empty() || kernel_.type(op.operands[0]) != Type::scalar(ScalarType::Bool)) return fault(&op, "it takes a bool");
    flow(op, tail(op.operands, 1), kernel_[parent->regions[1]].arguments, Kind::Uniform, "body's arguments");
  }

  const Kernel& kernel_;
  std::vector<std::string> faults_;
  std::vector<bool> visible_, made_, seen_;
  std::vector<ValueId> scope_;
  std::vector<Frame> frames_;
  Kind returned_ = Kind::Uniform;
};

}  // namespace

std::vector<std::string> verify(const Kernel& kernel) { return Verifier(kernel).run(); }

}  // namespace phobos::ir
