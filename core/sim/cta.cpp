#include "cta.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "rounding.h"

namespace phobos::sim {

AlignedBytes aligned_bytes(std::size_t size) {
  return AlignedBytes(static_cast<std::byte*>(::operator new[](std::max<std::size_t>(size, 64), std::align_val_t{64})));
}

Cta::Cta(Machine& machine) : machine_(machine), threads_(machine.plan.kernel->threads) {
  const Plan& plan = machine.plan;
  frame_ = aligned_bytes(plan.frame_bytes);
  std::memset(frame_.get(), 0, plan.frame_bytes);
  shared_ = aligned_bytes(plan.shared_bytes);
  scratch_size_ = static_cast<std::size_t>(threads_) * static_cast<std::size_t>(plan.longest_run) * 8;
  scratch_ = aligned_bytes(scratch_size_ * 4);
  const auto count = static_cast<std::size_t>(plan.masks) + 1;  // the last one is the whole CTA's
  mask_bytes_ = aligned_bytes(count * static_cast<std::size_t>(threads_));
  for (std::size_t i = 0; i < count; ++i)
    masks_.push_back({reinterpret_cast<std::uint8_t*>(mask_bytes_.get()) + i * static_cast<std::size_t>(threads_), 0});
  const std::vector<std::int64_t> counts = machine.counts(watch_threads);
  if (std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; }))
    thread_shadow_ = std::make_unique<ThreadShadow>(counts, threads_);
  for (const std::int64_t count : machine.counts(watch_unset)) written_.emplace_back(static_cast<std::size_t>(count));
  set_constants();
}

std::byte* Cta::scratch(int number) { return scratch_.get() + static_cast<std::size_t>(number) * scratch_size_; }

std::byte* Cta::pad(int number, std::size_t size) {
  const auto i = static_cast<std::size_t>(number);
  if (pad_sizes_[i] < size) {
    pads_[i] = aligned_bytes(size);
    pad_sizes_[i] = size;
  }
  return pads_[i].get();
}

void Cta::run(std::int64_t index) {
  index_ = index;
  steps_ = 0;
  grid_epoch_ = 0;
  if (thread_shadow_) thread_shadow_->start_cta();
  own_writes_.clear();
  holes_.clear();
  stored_holes_.clear();
  warnings_.clear();
  block_ = machine_.block_of(index);
  set_blocks();
  Mask& all = masks_.back();
  std::memset(all.lanes, 1, static_cast<std::size_t>(threads_));
  all.count = threads_;
  prints_ = {};
  prints_on_ = machine_.options.most_prints > 0 && machine_.hears(index);
  loop_ = nullptr;
  returned_ = nullptr;
  try {
    region(machine_.plan.body, all);
  } catch (const Halt&) {
    machine_.take_prints(index_, std::move(prints_));
    throw;
  }
  machine_.take_prints(index_, std::move(prints_));
  machine_.take_warnings(warnings_);
}

void Cta::print(std::vector<Printed> lines) {
  for (Printed& line : lines) prints_.lines.push_back(std::move(line));
  prints_.ends.push_back(prints_.lines.size());
  prints_on_ = static_cast<std::int64_t>(prints_.lines.size()) < machine_.options.most_prints && machine_.hears(index_);
}

std::uint64_t Cta::hash_of_memory() const {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](const std::byte* bytes, std::size_t size) {
    for (std::size_t i = 0; i + 8 <= size; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + i, 8);
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
  };
  add(frame_.get(), machine_.plan.frame_bytes);
  add(shared_.get(), machine_.plan.shared_bytes);
  add(mask_bytes_.get(), masks_.size() * static_cast<std::size_t>(threads_));
  return hash;
}

std::string Cta::block_text() const { return fmt::format("({}, {}, {})", block_[0], block_[1], block_[2]); }

void Cta::step(const Code& code) {
  steps_ += static_cast<std::int64_t>(code.instrs.size()) + 1;
  machine_.check(index_);
  const std::int64_t budget = machine_.options.step_budget;
  if (budget <= 0 || steps_ <= budget) return;
  const auto placed = std::find_if(code.instrs.begin(), code.instrs.end(), [](const Instr& instr) { return instr.op != nullptr; });
  const Span place = loop_ ? loop_->control->header : placed != code.instrs.end() ? placed->op->span : Span{};
  report(diag::make(diag::Code::StepBudget, {place}, block_text(), budget));
  throw Halt{};
}

// --- values that are there before the code runs ---

template <class T>
static void fill(Cta& cta, const Slot& slot, T value) {
  std::fill_n(cta.at<T>(slot), slot.count(), value);
}

void Cta::preset_integer(const Slot& slot, std::int64_t value) {
  switch (slot.store) {
    case Store::I32: return fill(*this, slot, static_cast<std::int32_t>(value));
    case Store::I64: return fill(*this, slot, value);
    case Store::Bool: return fill(*this, slot, static_cast<std::uint8_t>(value != 0));
    case Store::F32: return fill(*this, slot, static_cast<float>(value));
    default: return fill(*this, slot, static_cast<double>(value));
  }
}

static void preset_real(Cta& cta, const Slot& slot, double value) {
  if (slot.store == Store::F64) fill(cta, slot, value);
  else fill(cta, slot, round_to(slot.element, value));
}

void Cta::set_constants() {
  const Plan& plan = machine_.plan;
  for (const Preset& preset : plan.constants) {
    const Slot& slot = preset.slot;
    if (preset.op->code == ir::Opcode::Constant) {
      if (is_float(slot.element)) preset_real(*this, slot, preset.op->real);
      else preset_integer(slot, preset.op->immediate);
      continue;
    }
    const auto field = static_cast<ir::CtxValue>(preset.op->immediate);
    if (field >= ir::CtxValue::BlocksX && field <= ir::CtxValue::BlocksZ) {
      preset_integer(slot, machine_.launch.grid[static_cast<std::size_t>(field) - static_cast<std::size_t>(ir::CtxValue::BlocksX)]);
      continue;
    }
    for (std::int64_t lane = 0; lane < slot.lanes; ++lane) {
      const std::int64_t thread = slot.lanes == threads_ ? lane : lane * warp_size;
      at<std::int64_t>(slot)[lane] = field == ir::CtxValue::Warp     ? thread / warp_size
                                     : field == ir::CtxValue::Thread ? thread
                                                                     : thread % warp_size;
    }
  }
  const Launch& launch = machine_.launch;
  const std::size_t parameters = plan.kernel->parameters.size();
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    const Slot& slot = plan.arguments[i];
    if (i >= parameters) {
      preset_integer(slot, launch.dimensions[i - parameters]);
    } else if (const auto* tensor = std::get_if<Tensor>(&launch.arguments[i])) {
      BufferRef buffer{tensor->data, {1, 1, 1, 1}, 1};
      for (std::size_t axis = 0; axis < tensor->shape.size() && axis < 4; ++axis) {
        buffer.extents[axis] = tensor->shape[axis];
        buffer.count *= tensor->shape[axis];
      }
      *at<BufferRef>(slot) = buffer;
    } else if (const auto* integer = std::get_if<std::int64_t>(&launch.arguments[i])) {
      if (is_float(slot.element)) preset_real(*this, slot, static_cast<double>(*integer));
      else preset_integer(slot, *integer);
    } else {
      preset_real(*this, slot, std::get<double>(launch.arguments[i]));
    }
  }
}

void Cta::set_blocks() {
  for (const Preset& preset : machine_.plan.blocks)
    preset_integer(preset.slot, block_[static_cast<std::size_t>(preset.op->immediate)]);
}

// --- masks and lanes ---

void copy_mask(Mask& to, const Mask& from, int threads) {
  std::memcpy(to.lanes, from.lanes, static_cast<std::size_t>(threads));
  to.count = from.count;
}

void clear_mask(Mask& mask, int threads) {
  std::memset(mask.lanes, 0, static_cast<std::size_t>(threads));
  mask.count = 0;
}

void add_mask(Mask& to, const Mask& from, int threads) {
  if (from.count == 0) return;
  for (int i = 0; i < threads; ++i) to.lanes[i] = static_cast<std::uint8_t>(to.lanes[i] | from.lanes[i]);
  to.count += from.count;
}

std::int64_t Cta::first(const Mask& mask) const {
  return static_cast<const std::uint8_t*>(std::memchr(mask.lanes, 1, static_cast<std::size_t>(threads_))) - mask.lanes;
}

std::int64_t Cta::runner(const Mask& mask, std::int64_t lanes, std::int64_t lane) const {
  if (lanes == threads_) return mask.lanes[lane] ? lane : -1;
  if (lanes == 1) return first(mask);
  const std::uint8_t* warp = mask.lanes + lane * warp_size;
  const void* found = std::memchr(warp, 1, warp_size);
  return found ? static_cast<const std::uint8_t*>(found) - mask.lanes : -1;
}

std::int64_t Cta::runners(const Mask& mask, std::int64_t lanes, std::int64_t lane) const {
  if (lanes == 1) return mask.count;
  const std::uint8_t* first = mask.lanes + lane * (threads_ / lanes);
  return std::count(first, first + threads_ / lanes, 1);
}

std::int64_t Cta::any_lane(const Slot& slot, const Mask& mask) const {
  if (slot.lanes == 1) return 0;
  return slot.lanes == threads_ ? first(mask) : first(mask) / warp_size;
}

std::int64_t Cta::integer(const Slot& slot, std::int64_t lane) {
  switch (slot.store) {
    case Store::I32: return at<std::int32_t>(slot)[lane];
    case Store::Bool: return at<std::uint8_t>(slot)[lane];
    default: return at<std::int64_t>(slot)[lane];
  }
}

}  // namespace phobos::sim
