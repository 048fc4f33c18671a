#include "thread_shadow.h"

#include <algorithm>

namespace phobos::sim {

ThreadShadow::ThreadShadow(const std::vector<std::int64_t>& counts) {
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
    if (const Page& page = pages[static_cast<std::size_t>(begin >> page_bits)])
      std::fill_n(page.get() + (begin & ((1 << page_bits) - 1)), stop - begin, Cell());
    begin = stop;
  }
}

void ThreadShadow::add(int buffer, std::int64_t element, int thread, bool writes, const Touch& earlier, int earlier_thread,
                       bool earlier_writes) {
  const bool known = std::any_of(races_.begin(), races_.end(), [&](const ThreadRace& one) {
    return one.op == op_ && one.earlier_op == earlier.op && one.writes == writes && one.earlier_writes == earlier_writes;
  });
  if (!known) races_.push_back({buffer, element, op_, earlier.op, thread, earlier_thread, writes, earlier_writes});
}

void ThreadShadow::read(int buffer, std::int64_t element, int low, int high) {
  Cell& cell = this->cell(buffer, element);
  const Touch& write = cell.write;
  const bool own = write.epoch == epoch_ && low >= write.low && high <= write.high;
  if (write.epoch == epoch_ && !own)
    add(buffer, element, low < write.low ? low : high, false, write, write.low, true);
  Touch& read = cell.read;
  std::uint32_t op = own ? op_ : op_ | exposed;
  if (read.epoch == epoch_) {
    low = std::min<int>(low, read.low);
    high = std::max<int>(high, read.high);
    op |= read.op & exposed;
  }
  read = {epoch_, op, static_cast<std::int16_t>(low), static_cast<std::int16_t>(high)};
}

void ThreadShadow::write(int buffer, std::int64_t element, int low, int high, bool same) {
  Cell& cell = this->cell(buffer, element);
  Touch& read = cell.read;
  if (read.epoch == epoch_) {
    const bool counts = !same || (read.op & exposed) != 0;
    if (counts && (read.low != low || read.high != low || high != low)) {
      const int reader = read.low != low ? read.low : read.high;
      Touch earlier = read;
      earlier.op &= ~exposed;
      add(buffer, element, reader != low ? low : high, true, earlier, reader, false);
    }
    if (!same) read.op |= exposed;
  }
  Touch& write = cell.write;
  if (write.epoch == epoch_) {
    const bool covered = low <= write.low && high >= write.high;
    if (cell.instance == instance_ && !same) {  // two threads, one statement, two values
      add(buffer, element, low, true, write, write.low, true);
    } else if (!same && !covered) {
      suspects_.push_back({buffer, element, write});
    } else if (same) {
      low = std::min<int>(low, write.low);
      high = std::max<int>(high, write.high);
    }
  }
  write = {epoch_, op_, static_cast<std::int16_t>(low), static_cast<std::int16_t>(high)};
  cell.instance = instance_;
}

void ThreadShadow::end() {
  for (const Suspect& suspect : suspects_) {
    const Touch& now = cell(suspect.buffer, suspect.element).write;
    if (now.low <= suspect.earlier.low && now.high >= suspect.earlier.high) continue;
    const int earlier = now.low != suspect.earlier.low ? suspect.earlier.low : suspect.earlier.high;
    add(suspect.buffer, suspect.element, now.low, true, suspect.earlier, earlier, true);
  }
  suspects_.clear();
}

}  // namespace phobos::sim
