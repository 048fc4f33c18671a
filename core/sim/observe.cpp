#include "observe.h"

#include <algorithm>

#include "findings.h"
#include "polling.h"

namespace phobos::sim {

namespace {

// A hole that is stored to a tile stays what it was. Those of another origin are holes of the tile itself from now on.
void keep_hole(Cta& cta, const Instr& in, const Holes& holes, std::int64_t offset, std::int32_t hole) {
  Holes& kept = cta.stored_holes(in.buffer);
  const bool same = kept.reader == holes.reader && kept.source == holes.source && kept.divided == holes.divided;
  if (kept.at.empty() || !same) {
    kept = {{}, holes.reader, holes.source, holes.divided};
    kept.at.resize(static_cast<std::size_t>(cta.buffer(in.in[0]).count));
  }
  kept.at[static_cast<std::size_t>(offset)] = hole;
}

std::int32_t kept_hole(const Holes* kept, std::int64_t offset) { return kept ? kept->at[static_cast<std::size_t>(offset)] : 0; }

diag::Diagnostic read_of_hole(Cta& cta, const Instr& in, std::int64_t offset, int thread) {
  const Holes* kept = cta.find_stored_holes(in.buffer);
  const std::int32_t hole = kept_hole(kept, offset);
  if (hole == 0) return unset_read(cta, cta.number_of(in), cta.machine().plan.watched[static_cast<std::size_t>(in.buffer)].value.value, offset, thread);
  if (!kept->divided) return unset_read(cta, cta.number_of(in), kept->source, hole - 1, thread);
  diag::Diagnostic finding = divided_by_zero(cta, kept->reader);
  if (finding.location.span != in.op->span) finding.related.push_back({{in.op->span}, "what came of it is read here"});
  return finding;
}

void tell_read(GridShadow& shadow, const Instr& in, std::int64_t begin, std::int64_t count, const GridShadow::Who& who) {
  if (in.watch & watch_grid) shadow.read(in.buffer, begin, count, who);
  if (in.watch & watch_change) shadow.read_changing(in.buffer, begin, count, who);
}

}  // namespace

Observer::Observer(Cta& cta, const Instr& in, const Mask& mask, std::int64_t lanes)
    : cta_(cta), in_(in), mask_(mask), lanes_(lanes), threads_(cta.threads()) {
  if (in.watch & watch_threads) threads_shadow_ = cta.thread_shadow();
  if (in.watch & (watch_grid | watch_change)) grid_shadow_ = cta.grid_shadow();
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
  else tell_read(*grid_shadow_, in_, start_, pending_, who);
  pending_ = 0;
}

void Observer::end() {
  flush();
  if (unset_ >= 0) cta_.report(read_of_hole(cta_, in_, unset_, unset_thread_));
  if (stored_ >= 0) observe_count(cta_, in_, stored_);
  if (!threads_shadow_) return;
  threads_shadow_->end();
  while (const ThreadRace* race = threads_shadow_->next_race()) cta_.report(thread_race(cta_, *race));
}

// The tensor of a grid barrier is no place for the kernel's own writes: other CTAs come to the barrier at any time.
void observe_count(Cta& cta, const Instr& in, std::int64_t offset) {
  if (!(in.watch & watch_count)) return;
  cta.report(barrier_tensor_changed(cta, in, offset));
}

void observe_row_read(Cta& cta, const Instr& in, std::int64_t offset, std::int64_t count) {
  if (GridShadow* shadow = cta.grid_shadow()) tell_read(*shadow, in, offset, count, cta.who(in));
}

void observe_row_write(Cta& cta, const Instr& in, std::int64_t offset, std::int64_t count, const std::byte* values, std::byte* to,
                       std::size_t size) {
  if ((in.watch & watch_threads) && cta.thread_shadow()) cta.thread_shadow()->forget(in.buffer, offset, offset + count);
  if (in.watch & watch_unset) std::fill_n(cta.written(in.buffer) + offset, count, std::uint8_t{1});
  observe_count(cta, in, offset);
  GridShadow* shadow = cta.grid_shadow();
  if ((in.watch & watch_grid) && shadow) shadow->write(in.buffer, offset, count, cta.who(in), values, to, size);
  else std::memcpy(to, values, static_cast<std::size_t>(count) * size);
}

void observe_holes(Cta& cta, const Instr& in, const Holes& holes, std::int64_t at, std::int64_t offset, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t hole = holes.at[static_cast<std::size_t>(at + i)];
    if (hole == 0) continue;
    if (in.watch & watch_unset) {  // the memory has a hole there, too
      cta.written(in.buffer)[offset + i] = 0;
      keep_hole(cta, in, holes, offset + i, hole);
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
  const Holes* kept = cta.find_stored_holes(in.buffer);
  if (holes.at.empty()) {
    const auto first = static_cast<const std::uint8_t*>(std::memchr(written, 0, static_cast<std::size_t>(count))) - written;
    if (kept_hole(kept, offset + first) != 0) holes = {{}, kept->reader, kept->source, kept->divided};
    else holes = {{}, cta.number_of(in), cta.machine().plan.watched[static_cast<std::size_t>(in.buffer)].value.value, false};
    holes.at.resize(static_cast<std::size_t>(in.out.rows));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    if (written[i]) continue;
    const std::int32_t hole = kept_hole(kept, offset + i);
    holes.at[static_cast<std::size_t>(at + i)] = hole != 0 ? hole : static_cast<std::int32_t>(offset + i) + 1;
  }
}

void observe_atomic(Cta& cta, const Instr& in, std::int64_t offset) {
  observe_count(cta, in, offset);
  if ((in.watch & watch_threads) && cta.thread_shadow()) cta.thread_shadow()->forget(in.buffer, offset, offset + 1);
  GridShadow* shadow = cta.grid_shadow();
  if ((in.watch & watch_grid) && shadow) shadow->update(in.buffer, offset, cta.who(in));
  if ((in.watch & watch_change) && shadow && writes(in.op->code)) shadow->change(in.buffer, offset, cta.who(in));
}

}  // namespace phobos::sim
