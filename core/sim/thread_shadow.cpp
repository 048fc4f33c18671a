#include "thread_shadow.h"

#include <algorithm>

namespace phobos::sim {

ThreadShadow::ThreadShadow(const std::vector<std::int64_t>& counts, int threads) : words_each_(static_cast<std::size_t>(threads + 63) / 64) {
  for (const std::int64_t count : counts) buffers_.emplace_back((static_cast<std::size_t>(count) + (1u << page_bits) - 1) >> page_bits);
}

void ThreadShadow::start_cta() {
  for (const auto& [buffer, page] : used_) free_.push_back(std::move(buffers_[static_cast<std::size_t>(buffer)][page]));
  used_.clear();
  races_.clear();
  told_ = 0;
  barrier();
}

void ThreadShadow::renew() {
  epoch_ = 1;
  const auto clear = [](const Page& page) {
    if (page) std::fill_n(page.get(), std::size_t{1} << page_bits, Cell());
  };
  for (const auto& pages : buffers_) std::for_each(pages.begin(), pages.end(), clear);
  std::for_each(free_.begin(), free_.end(), clear);
}

ThreadShadow::Cell& ThreadShadow::cell(int buffer, std::int64_t element) {
  const std::size_t number = static_cast<std::size_t>(element) >> page_bits;
  Page& page = buffers_[static_cast<std::size_t>(buffer)][number];
  if (!page) {
    if (free_.empty()) {
      page = std::make_unique<Cell[]>(std::size_t{1} << page_bits);
    } else {  // its epochs are past
      page = std::move(free_.back());
      free_.pop_back();
    }
    used_.emplace_back(buffer, number);
  }
  return page[static_cast<std::size_t>(element) & ((1u << page_bits) - 1)];
}

void ThreadShadow::forget(int buffer, std::int64_t begin, std::int64_t end) {
  auto& pages = buffers_[static_cast<std::size_t>(buffer)];
  while (begin < end) {
    const std::int64_t page_end = ((begin >> page_bits) + 1) << page_bits, stop = std::min(end, page_end);
    if (const Page& page = pages[static_cast<std::size_t>(begin >> page_bits)]) {
      Cell* first = page.get() + (begin & ((1 << page_bits) - 1));
      if (!words_.empty())
        for (Cell* one = first; one != first + (stop - begin); ++one) drop(one->write), drop(one->read);
      std::fill_n(first, stop - begin, Cell());
    }
    begin = stop;
  }
}

// --- sets that are kept ---

void ThreadShadow::drop(Touch& touch) {
  if (touch.bits >= 0 && touch.epoch == epoch_) free_words_.push_back(touch.bits);
  touch.bits = -1;
}

// Gives the set words of its own, which it may not have yet.
void ThreadShadow::keep_bits(Touch& touch) {
  if (touch.bits >= 0) return;
  std::int32_t place = static_cast<std::int32_t>(words_.size());
  if (free_words_.empty()) {
    words_.resize(words_.size() + words_each_);
  } else {
    place = free_words_.back();
    free_words_.pop_back();
  }
  const ThreadSet set = set_of(touch);
  for (std::size_t i = 0; i < words_each_; ++i) words_[static_cast<std::size_t>(place) + i] = set.word(static_cast<int>(i));
  touch.bits = place;
}

void ThreadShadow::assign(Touch& touch, const ThreadSet& who) {
  drop(touch);
  touch.epoch = epoch_;
  touch.low = static_cast<std::int16_t>(who.low);
  touch.high = static_cast<std::int16_t>(who.high);
  if (!who.bits) return;
  keep_bits(touch);
  std::copy_n(who.bits, words_each_, words_.begin() + touch.bits);
}

void ThreadShadow::unite(Touch& touch, const ThreadSet& who) {
  const ThreadSet known = set_of(touch);
  if (who.within(known)) return;
  if (known.within(who)) return assign(touch, who);
  const bool adjoin = !known.bits && !who.bits && who.low <= known.high + 1 && who.high >= known.low - 1;
  if (!adjoin) {
    keep_bits(touch);
    for (std::size_t i = 0; i < words_each_; ++i) words_[static_cast<std::size_t>(touch.bits) + i] |= who.word(static_cast<int>(i));
  }
  touch.low = static_cast<std::int16_t>(std::min<int>(touch.low, who.low));
  touch.high = static_cast<std::int16_t>(std::max<int>(touch.high, who.high));
}

// --- accesses ---

void ThreadShadow::add(int buffer, std::int64_t element, int thread, bool writes, std::uint32_t earlier_op, int earlier_thread,
                       bool earlier_writes) {
  const bool known = std::any_of(races_.begin(), races_.end(), [&](const ThreadRace& one) {
    return one.op == op_ && one.earlier_op == earlier_op && one.writes == writes && one.earlier_writes == earlier_writes;
  });
  if (!known) races_.push_back({buffer, element, op_, earlier_op, thread, earlier_thread, writes, earlier_writes});
}

void ThreadShadow::read(int buffer, std::int64_t element, const ThreadSet& who) {
  Cell& cell = this->cell(buffer, element);
  const Touch& write = cell.write;
  bool own = false;
  if (write.epoch == epoch_) {
    // The first thread that meets somebody: one that has not stored, or one behind whose store another's may come late.
    const int stranger = who.first_outside(set_of(write));
    own = stranger < 0;
    const bool stale = cell.stale_low <= cell.stale_high;
    int overtaken = stale ? who.low : -1;
    if (stale && cell.stale_low == who.low && cell.stale_high == who.low) overtaken = who.single() ? -1 : who.second();
    if (overtaken >= 0 && (own || overtaken < stranger))
      add(buffer, element, overtaken, false, cell.stale_op, cell.stale_low != overtaken ? cell.stale_low : cell.stale_high, true);
    else if (!own)
      add(buffer, element, stranger, false, write.op, write.last, true);
  }
  Touch& read = cell.read;
  if (read.epoch != epoch_) {
    assign(read, who);
    read.exposed = !own;
    read.last = static_cast<std::int16_t>(who.low);
  } else {
    unite(read, who);
    read.exposed |= !own;
    if (read.op != op_) read.last = static_cast<std::int16_t>(who.low);
  }
  read.op = op_;
}

void ThreadShadow::write(int buffer, std::int64_t element, const ThreadSet& who, bool same) {
  Cell& cell = this->cell(buffer, element);
  Touch& read = cell.read;
  if (read.epoch == epoch_) {
    const bool alone = who.single() && read.low == who.low && read.high == who.low;
    if ((!same || read.exposed) && !alone) {
      const int reader = read.last != who.low ? read.last : read.low != who.low ? read.low : read.high;
      add(buffer, element, reader != who.low ? who.low : who.second(), true, read.op, reader, false);
    }
    read.exposed |= !same;
  }
  Touch& write = cell.write;
  bool first = write.op != op_;  // of the operation
  if (write.epoch != epoch_) {
    assign(write, who);
    cell.stale_low = 1, cell.stale_high = 0;
    first = true;
  } else if (same) {
    unite(write, who);
  } else {
    first = true;
    if (cell.instance == instance_) {  // two threads, one statement, two values
      add(buffer, element, who.low, true, write.op, write.last, true);
    } else {
      cell.stale_low = write.low, cell.stale_high = write.high, cell.stale_op = write.op;
      if (!set_of(write).within(who)) {
        suspects_.push_back({buffer, element, write});
        write.bits = -1;  // they are the suspect's now
      }
    }
    assign(write, who);
  }
  write.op = op_;
  if (first) write.last = static_cast<std::int16_t>(who.low);
  cell.instance = instance_;
}

void ThreadShadow::end() {
  for (Suspect& suspect : suspects_) {
    const ThreadSet now = set_of(cell(suspect.buffer, suspect.element).write), before = set_of(suspect.earlier);
    if (const int other = before.first_outside(now); other >= 0) {
      const int earlier = now.has(suspect.earlier.last) ? other : suspect.earlier.last;
      add(suspect.buffer, suspect.element, now.low, true, suspect.earlier.op, earlier, true);
    }
    drop(suspect.earlier);
  }
  suspects_.clear();
}

}  // namespace phobos::sim
