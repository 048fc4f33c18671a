#include <phobos/server/workspace/token_memory.h>

#include <algorithm>

namespace phobos::server {

namespace {

std::size_t count_of(std::span<const ItemTokens> items) {
  std::size_t numbers = 0;
  for (const ItemTokens& each : items) numbers += each.run->data.size();
  return numbers;
}

std::vector<std::uint32_t> data_of(std::span<const ItemTokens> items) {
  std::vector<std::uint32_t> data;
  data.reserve(count_of(items));
  for (const ItemTokens& each : items) append(each, data);
  return data;
}

}  // namespace

std::vector<ItemTokens> tokens_of(const ide::File& file, Encoding encoding) {
  std::vector<ItemTokens> all;
  all.reserve(file.items.size());
  Position before;
  for (const ide::ItemView& item : file.items) {
    std::shared_ptr<const ide::TokenRun> run = item.analysis->token_run(encoding);
    if (run->data.empty()) continue;
    const Position start = file.lines.position(file.text, item.offset, encoding);
    const auto absolute = [&](Position at) { return Position{start.line + at.line, at.line == 0 ? start.column + at.column : at.column}; };
    const Position first = absolute({run->data[0], run->data[1]});
    const std::uint32_t down = first.line - before.line;
    all.push_back({run, down, down == 0 ? first.column - before.column : first.column});
    before = absolute(run->last);
  }
  return all;
}

void append(const ItemTokens& item, std::vector<std::uint32_t>& data) {
  data.push_back(item.down);
  data.push_back(item.across);
  data.insert(data.end(), item.run->data.begin() + 2, item.run->data.end());
}

TokenEdit difference(std::span<const ItemTokens> before, std::span<const ItemTokens> after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t front = 0, back = 0;
  while (front < shorter && before[front] == after[front]) ++front;
  while (back < shorter - front && before[before.size() - 1 - back] == after[after.size() - 1 - back]) ++back;
  const std::vector<std::uint32_t> gone = data_of(before.subspan(front, before.size() - front - back));
  std::vector<std::uint32_t> come = data_of(after.subspan(front, after.size() - front - back));
  // Inside of what differs, by tokens.
  constexpr std::size_t token = 5;
  const auto same = [&](std::size_t a, std::size_t b) { return std::equal(gone.begin() + static_cast<std::ptrdiff_t>(a), gone.begin() + static_cast<std::ptrdiff_t>(a + token), come.begin() + static_cast<std::ptrdiff_t>(b)); };
  const std::size_t most = std::min(gone.size(), come.size());
  std::size_t first = 0, last = 0;
  while (first + token <= most && same(first, first)) first += token;
  while (first + last + token <= most && same(gone.size() - last - token, come.size() - last - token)) last += token;
  come.erase(come.end() - static_cast<std::ptrdiff_t>(last), come.end());
  come.erase(come.begin(), come.begin() + static_cast<std::ptrdiff_t>(first));
  return {count_of(before.subspan(0, front)) + first, gone.size() - first - last, std::move(come)};
}

std::string TokenMemory::keep(std::vector<ItemTokens> tokens) {
  const std::lock_guard lock(mutex_);
  tokens_ = std::move(tokens);
  return std::to_string(++count_);
}

bool TokenMemory::kept(const std::string& name, std::vector<ItemTokens>& tokens) const {
  const std::lock_guard lock(mutex_);
  if (count_ == 0 || name != std::to_string(count_)) return false;
  tokens = tokens_;
  return true;
}

}  // namespace phobos::server
