#include "observe.h"

#include <algorithm>

#include "findings.h"

namespace phobos::sim {

Observer::Observer(Cta& cta, const Instr& in, const Mask& mask, std::int64_t lanes)
    : cta_(cta), in_(in), mask_(mask), lanes_(lanes), threads_(cta.threads()) {
  if (in.watch & watch_threads) threads_shadow_ = cta.thread_shadow();
  if (in.watch & watch_grid) grid_shadow_ = cta.grid_shadow();
  if (in.watch & watch_unset) written_ = cta.written(in.buffer);
  if (threads_shadow_) threads_shadow_->begin(cta.number_of(in));
  if (grid_shadow_) values_ = cta.pad(3, static_cast<std::size_t>(most_pending) * 8);
}

bool Observer::find_threads(std::int64_t lane) {
  lane_ = lane;
  const int begin = lanes_ == 1 ? 0 : static_cast<int>(lane) * warp_size, end = lanes_ == 1 ? threads_ : begin + warp_size;
  int low = begin, high = end - 1, count = 0;
  while (low < end && !mask_.lanes[low]) ++low;
  runs_ = low < end;
  if (!runs_) return false;
  while (!mask_.lanes[high]) --high;
  for (int i = low; i <= high; ++i) count += mask_.lanes[i];
  who_ = {low, high, nullptr};
  if (count == high - low + 1) return true;
  bits_.fill(0);
  for (int i = low; i <= high; ++i) bits_[static_cast<std::size_t>(i / 64)] |= std::uint64_t{mask_.lanes[i]} << (i % 64);
  who_.bits = bits_.data();
  return true;
}

void Observer::read(std::int64_t offset) {
  if (written_ && !written_[offset] && unset_ < 0) {
    unset_ = offset;
    unset_thread_ = who_.low;
  }
  if (threads_shadow_) threads_shadow_->read(in_.buffer, offset, who_);
  if (!grid_shadow_) return;
  if (pending_ != 0 && offset != start_ + pending_) flush();
  if (pending_ == 0) start_ = offset;
  ++pending_;
}

void Observer::flush() {
  if (pending_ == 0) return;
  const GridShadow::Who who = cta_.who(in_);
  if (target_) grid_shadow_->write(in_.buffer, start_, pending_, who, values_, target_, size_);
  else grid_shadow_->read(in_.buffer, start_, pending_, who);
  pending_ = 0;
}

void Observer::end() {
  flush();
  if (unset_ >= 0) {
    const auto source = cta_.machine().plan.watched[static_cast<std::size_t>(in_.buffer)].value.value;
    cta_.report(unset_read(cta_, cta_.number_of(in_), source, unset_, unset_thread_));
  }
  if (!threads_shadow_) return;
  threads_shadow_->end();
  while (const ThreadRace* race = threads_shadow_->next_race()) cta_.report(thread_race(cta_, *race));
}

void observe_row_read(Cta& cta, const Instr& in, std::int64_t offset, std::int64_t count) {
  GridShadow* shadow = cta.grid_shadow();
  if ((in.watch & watch_grid) && shadow) shadow->read(in.buffer, offset, count, cta.who(in));
}

void observe_row_write(Cta& cta, const Instr& in, std::int64_t offset, std::int64_t count, const std::byte* values, std::byte* to,
                       std::size_t size) {
  if ((in.watch & watch_threads) && cta.thread_shadow()) cta.thread_shadow()->forget(in.buffer, offset, offset + count);
  if (in.watch & watch_unset) std::fill_n(cta.written(in.buffer) + offset, count, std::uint8_t{1});
  GridShadow* shadow = cta.grid_shadow();
  if ((in.watch & watch_grid) && shadow) shadow->write(in.buffer, offset, count, cta.who(in), values, to, size);
  else std::memcpy(to, values, static_cast<std::size_t>(count) * size);
}

void observe_holes(Cta& cta, const Instr& in, const Holes& holes, std::int64_t at, std::int64_t offset, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t hole = holes.at[static_cast<std::size_t>(at + i)];
    if (hole == 0) continue;
    if ((in.watch & watch_unset) && !holes.divided) {  // the memory has a hole there, too
      cta.written(in.buffer)[offset + i] = 0;
      continue;
    }
    const bool unread = !holes.divided && holes.reader == cta.kernel()[ir::ValueId(std::size_t{holes.source})].op.value;
    diag::Diagnostic finding = holes.divided ? divided_by_zero(cta, holes.reader)
                                             : unset_read(cta, unread ? cta.number_of(in) : holes.reader, holes.source, hole - 1, -1);
    if (finding.location.span != in.op->span) finding.related.push_back({{in.op->span}, holes.divided ? "what came of it is stored here" : "what was read is stored here"});
    return cta.report(std::move(finding));
  }
}

void add_holes(Cta& cta, const Instr& in, std::int64_t at, std::int64_t offset, std::int64_t count, Holes& holes) {
  const std::uint8_t* written = cta.written(in.buffer) + offset;
  if (!std::memchr(written, 0, static_cast<std::size_t>(count))) return;
  if (holes.at.empty()) {
    holes.at.resize(static_cast<std::size_t>(in.out.rows));
    holes.reader = cta.number_of(in);
    holes.source = cta.machine().plan.watched[static_cast<std::size_t>(in.buffer)].value.value;
  }
  for (std::int64_t i = 0; i < count; ++i)
    if (!written[i]) holes.at[static_cast<std::size_t>(at + i)] = static_cast<std::int32_t>(offset + i) + 1;
}

void observe_atomic(Cta& cta, const Instr& in, std::int64_t offset) {
  if ((in.watch & watch_threads) && cta.thread_shadow()) cta.thread_shadow()->forget(in.buffer, offset, offset + 1);
  GridShadow* shadow = cta.grid_shadow();
  if ((in.watch & watch_grid) && shadow) shadow->update(in.buffer, offset, cta.who(in));
}

}  // namespace phobos::sim
