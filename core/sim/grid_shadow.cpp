#include "grid_shadow.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace phobos::sim {

GridShadow::GridShadow(const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& updated, std::int64_t ctas, bool ordered)
    : count_(static_cast<int>(counts.size())), ctas_(ctas), ordered_(ordered) {
  for (const auto* some : {&counts, &updated})
    for (const std::int64_t count : *some) {
      Buffer buffer;
      buffer.count = count;
      buffer.chunks = std::make_unique<Chunk[]>(static_cast<std::size_t>((count + chunk_size - 1) / chunk_size));
      buffers_.push_back(std::move(buffer));
    }
  if (ordered) clocks_.resize(static_cast<std::size_t>(ctas));
}

// f(chunk, begin and end in it, elements before it in the range), its lock held.
template <class F>
void GridShadow::each_chunk(int buffer, std::int64_t begin, std::int64_t count, F&& f) {
  Buffer& watched = buffers_[static_cast<std::size_t>(buffer)];
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t at = begin + done, low = at % chunk_size, n = std::min(count - done, chunk_size - low);
    Chunk& chunk = watched.chunks[static_cast<std::size_t>(at / chunk_size)];
    for (int spins = 0; chunk.lock.test_and_set(std::memory_order_acquire);)
      if (++spins % 64 == 0) std::this_thread::yield();
    f(chunk, static_cast<std::int32_t>(low), static_cast<std::int32_t>(low + n), done);
    chunk.places.store(chunk.map.places(), std::memory_order_relaxed);
    chunk.lock.clear(std::memory_order_release);
    done += n;
  }
}

void GridShadow::read(int buffer, std::int64_t begin, std::int64_t count, const Who& who) {
  if (!who.own) return read_all(buffer, begin, count, who, false);
  who.own->each_unwritten(buffer, begin, count, who.epoch,
                          [&](std::int64_t at, std::int64_t some) { read_all(buffer, at, some, who, false); });
}

void GridShadow::update(int buffer, std::int64_t element, const Who& who) { read_all(buffer, element, 1, who, true); }

// There an atomic stands for a write of what is there already: so it meets reads, and no other atomic.
void GridShadow::change(int buffer, std::int64_t element, const Who& who) {
  each_chunk(count_ + buffer, element, 1, [&](Chunk& chunk, std::int32_t low, std::int32_t high, std::int64_t) {
    chunk.map.visit(low, high, [&](Entry& entry, std::int32_t begin, std::int32_t end) {
      write_piece(entry, {chunk, count_ + buffer, element - low, begin, end}, who, false, nullptr);
    });
  });
}

void GridShadow::read_changing(int buffer, std::int64_t begin, std::int64_t count, const Who& who) {
  read_all(count_ + buffer, begin, count, who, false);
}

void GridShadow::read_all(int buffer, std::int64_t begin, std::int64_t count, const Who& who, bool atomic) {
  Entry first_read;
  first_read.low_reader = key(who) | (atomic ? 0 : mark);
  first_read.high_reader = key(who) | (atomic ? mark : 0);
  first_read.epoch = who.epoch;
  each_chunk(buffer, begin, count, [&](Chunk& chunk, std::int32_t low, std::int32_t high, std::int64_t done) {
    if (count == 1 && !ordered_ && chunk.map.grow(low, first_read)) return;
    const std::int64_t base = begin + done - low;
    chunk.map.visit(low, high, [&](Entry& entry, std::int32_t first, std::int32_t last) {
      read_piece(entry, {chunk, buffer, base, first, last}, who, atomic);
    });
  });
}

void GridShadow::write(int buffer, std::int64_t begin, std::int64_t count, const Who& who, const std::byte* values, std::byte* to,
                       std::size_t size) {
  Entry first_write;
  first_write.low_writer = first_write.high_writer = key(who);
  first_write.epoch = who.epoch;
  if (who.own) who.own->add(buffer, begin, count, who.epoch);
  each_chunk(buffer, begin, count, [&](Chunk& chunk, std::int32_t low, std::int32_t high, std::int64_t done) {
    const std::int64_t base = begin + done - low;
    const std::byte* from = values + static_cast<std::size_t>(done) * size;
    std::byte* target = to + static_cast<std::size_t>(done) * size;
    if (count == 1 && !ordered_ && chunk.map.grow(low, first_write)) {  // as where threads write rows, a column at a time
      std::memcpy(target, from, size);
      return;
    }
    const Values all{from - static_cast<std::size_t>(low) * size, target - static_cast<std::size_t>(low) * size, size};
    const auto touch = [&](std::int32_t first, std::int32_t last, bool differs) {
      chunk.map.visit(first, last, [&](Entry& entry, std::int32_t begin, std::int32_t end) {
        write_piece(entry, {chunk, buffer, base, begin, end}, who, differs, &all);
      });
    };
    const bool written = chunk.map.any(low, high, [&](const Entry& one) {
      return one.epoch == who.epoch && one.high_writer != nobody_high && !one.changed;
    });
    const auto differs_at = [&](std::int32_t i) {
      const auto offset = static_cast<std::size_t>(i - low) * size;
      return std::memcmp(from + offset, target + offset, size) != 0;
    };
    for (std::int32_t first = low; first < high;) {  // in pieces whose elements all change, or all do not
      const bool differs = written && differs_at(first);
      std::int32_t last = written ? first + 1 : high;
      while (last < high && differs_at(last) == differs) ++last;
      touch(first, last, differs);
      first = last;
    }
    std::memcpy(target, from, static_cast<std::size_t>(high - low) * size);
  });
}

void GridShadow::prefetch(int buffer, std::int64_t element) {
  const Chunk& chunk = buffers_[static_cast<std::size_t>(buffer)].chunks[static_cast<std::size_t>(element / chunk_size)];
  if (const Entry* places = chunk.places.load(std::memory_order_relaxed)) __builtin_prefetch(places + element % chunk_size, 1);
}

// --- what an element remembers ---

std::uint64_t GridShadow::Values::at(const std::byte* values, std::int32_t i) const {
  std::uint64_t value = 0;
  std::memcpy(&value, values + static_cast<std::ptrdiff_t>(i) * static_cast<std::ptrdiff_t>(size), size);
  return value;
}

void GridShadow::Contest::add(std::uint64_t key, std::uint64_t value) {
  if (cta_of(key) > cta_of(first_key)) {
    if (value != first) other = std::min(other, key);
  } else if (cta_of(key) == cta_of(first_key)) {
    if (value == first) {
      first_key = std::min(first_key, key);
    } else {
      if (second_key == nobody_low) second = value;
      second_key = std::min(second_key, key);
    }
  } else {  // those that were told of are higher, and that which was the lowest is so of them
    const std::uint64_t beside = std::min(first != value ? first_key : nobody_low, second_key != nobody_low && second != value ? second_key : nobody_low);
    if (beside != nobody_low) other = beside;
    first = value, first_key = key, second_key = nobody_low;
  }
}

// A CTA writes what another one, or itself, has written before. `begins`: all before it have written the same.
void GridShadow::contend(const Entry& entry, const Piece& piece, std::uint64_t me, bool begins, const Values& values) {
  auto& contests = piece.chunk.contests;
  if (!contests) contests = std::make_unique<std::unordered_map<std::int32_t, Contest>>();
  for (std::int32_t i = piece.begin; i < piece.end; ++i) {
    Contest& contest = (*contests)[i];
    if (begins) {
      contest = {};
      contest.first = values.at(values.before, i);
      contest.first_key = entry.low_writer;
    }
    contest.add(me, values.at(values.now, i));
  }
}

void GridShadow::refresh(Entry& entry, const Piece& piece, std::uint32_t epoch) {
  if (entry.epoch == epoch) return;
  if (!ordered_) judge(entry, piece);
  entry = Entry();
  entry.epoch = epoch;
}

void GridShadow::read_piece(Entry& entry, const Piece& piece, const Who& who, bool atomic) {
  refresh(entry, piece, who.epoch);
  const std::uint64_t me = key(who);
  if (!ordered_) {
    entry.low_reader = std::min(entry.low_reader, me | (atomic ? 0 : mark));
    entry.high_reader = std::max(entry.high_reader, me | (atomic ? mark : 0));
    return;
  }
  if (entry.high_writer != nobody_high && !seen(who.cta, entry.high_writer, entry.write_clock)) add(piece.buffer, piece.first(), entry.high_writer, me);
  // The last two CTAs that read it.
  if (entry.high_reader != nobody_high && cta_of(entry.high_reader) != who.cta) {
    entry.low_reader = entry.high_reader;
    entry.low_clock = entry.high_clock;
  }
  entry.high_reader = me | (atomic ? mark : 0);
  entry.high_clock = clocks(who.cta)[who.cta];
}

void GridShadow::write_piece(Entry& entry, const Piece& piece, const Who& who, bool differs, const Values* values) {
  refresh(entry, piece, who.epoch);
  const std::uint64_t me = key(who);
  if (!ordered_) {
    const bool begins = differs && entry.high_writer != nobody_high && !entry.changed;
    entry.changed |= begins;
    if (entry.changed && values) contend(entry, piece, me, begins, *values);
    entry.low_writer = std::min(entry.low_writer, me);
    entry.high_writer = std::max(entry.high_writer, me);
    return;
  }
  const auto meets = [&](std::uint64_t other) { add(piece.buffer, piece.first(), other, me); };
  const bool beside = entry.high_writer != nobody_high && !seen(who.cta, entry.high_writer, entry.write_clock);
  const bool updated = entry.high_reader != nobody_high && (entry.high_reader & mark) != 0;  // which is why it differs
  if (differs && beside && !updated) meets(entry.high_writer);
  if (entry.high_reader != nobody_high && !seen(who.cta, entry.high_reader, entry.high_clock)) meets(entry.high_reader);
  if (entry.low_reader != nobody_low && !seen(who.cta, entry.low_reader, entry.low_clock)) meets(entry.low_reader);
  // Who read it before an equal write beside this one has not been seen by that; and what several threads write is one write.
  const bool again = entry.high_writer == me && entry.write_clock == clocks(who.cta)[who.cta];
  if (!beside && !again) {
    const std::uint32_t epoch = entry.epoch;
    entry = Entry();
    entry.epoch = epoch;
  }
  entry.low_writer = entry.high_writer = me;
  entry.write_clock = clocks(who.cta)[who.cta];
}

void GridShadow::judge(const Entry& entry, const Piece& piece) {
  if (entry.high_writer == nobody_high) return;
  const auto meet = [&](std::uint64_t reader, std::uint64_t writer) {
    if (cta_of(reader) == cta_of(writer)) return false;
    add(piece.buffer, piece.first(), writer, reader);
    return true;
  };
  if (entry.high_reader != nobody_high) {
    for (const std::uint64_t writer : {entry.low_writer, entry.high_writer})
      if (meet(entry.low_reader, writer) || meet(entry.high_reader, writer)) return;
  }
  if (!entry.changed || cta_of(entry.low_writer) == cta_of(entry.high_writer)) return;
  for (std::int32_t i = piece.begin; i < piece.end; ++i) {
    const Contest& contest = piece.chunk.contests->at(i);
    if (contest.second_key == nobody_low && contest.other != nobody_low) add(piece.buffer, piece.base + i, contest.first_key, contest.other);
    else add(piece.buffer, piece.base + i, entry.low_writer, entry.high_writer, cta_of(entry.low_writer) + 1 != cta_of(entry.high_writer));
  }
}

void GridShadow::add(int buffer, std::int64_t element, std::uint64_t one, std::uint64_t other, bool apart) {
  const std::lock_guard lock(mutex_);
  buffer %= count_;
  // The CTA of the higher number counts as the later one.
  if (!ordered_ && cta_of(one) > cta_of(other)) std::swap(one, other);
  const auto op_of = [](std::uint64_t key) { return static_cast<std::uint32_t>(key & (mark - 1)); };
  GridRace& race = races_[std::minmax(op_of(other), op_of(one))];
  const bool first = race.cta == 0 && race.other_cta == 0;
  if (!first && std::pair(race.buffer, race.element) <= std::pair(buffer, element)) return;
  race = {buffer, element, op_of(other), op_of(one), cta_of(other), cta_of(one), apart};
}

std::vector<GridRace> GridShadow::races() {
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    if (ordered_) break;
    const std::int64_t chunks = (buffers_[b].count + chunk_size - 1) / chunk_size;
    for (std::int64_t c = 0; c < chunks; ++c) {
      Chunk& chunk = buffers_[b].chunks[static_cast<std::size_t>(c)];
      chunk.map.for_each([&](const Entry& entry, std::int32_t begin, std::int32_t end) {
        judge(entry, {chunk, static_cast<int>(b), c * chunk_size, begin, end});
      });
    }
  }
  std::vector<GridRace> found;
  for (const auto& [ops, race] : races_) found.push_back(race);
  return found;
}

// --- release and acquire ---

GridShadow::Clocks& GridShadow::clocks(std::uint32_t cta) {
  Clocks& own = clocks_[cta];
  if (own.empty()) {
    own.resize(static_cast<std::size_t>(ctas_));
    own[cta] = 1;
  }
  return own;
}

bool GridShadow::seen(std::uint32_t cta, std::uint64_t other, std::uint32_t clock) const {
  const std::uint32_t whose = cta_of(other);
  if (whose == cta) return true;
  const Clocks& own = clocks_[cta];
  return !own.empty() && own[whose] >= clock;
}

void GridShadow::release(std::uint32_t tensor, std::int64_t element, std::uint32_t cta) {
  if (!ordered_) return;
  const std::lock_guard lock(mutex_);
  released_[{tensor, element}] = clocks(cta);
  ++clocks_[cta][cta];
}

void GridShadow::acquire(std::uint32_t tensor, std::int64_t element, std::uint32_t cta) {
  if (!ordered_) return;
  const std::lock_guard lock(mutex_);
  const auto found = released_.find({tensor, element});
  if (found == released_.end()) return;
  Clocks& own = clocks(cta);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = std::max(own[i], found->second[i]);
}

}  // namespace phobos::sim
