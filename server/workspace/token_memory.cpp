#include <phobos/server/workspace/token_memory.h>

#include <algorithm>
#include <utility>

#include <phobos/ide/loose_tokens.h>

namespace phobos::server {

namespace {

std::size_t count_of(std::span<const ItemTokens> items) {
  std::size_t numbers = 0;
  for (const ItemTokens& each : items) numbers += each.run->data.size();
  return numbers;
}

void append(const ItemTokens& item, std::vector<std::uint32_t>& data) {
  data.push_back(item.down);
  data.push_back(item.across);
  data.insert(data.end(), item.run->data.begin() + 2, item.run->data.end());
}

}  // namespace

std::vector<std::uint32_t> data_of(std::span<const ItemTokens> items) {
  std::vector<std::uint32_t> data;
  data.reserve(count_of(items));
  for (const ItemTokens& each : items) append(each, data);
  return data;
}

std::vector<ItemTokens> tokens_of(const ide::File& file, const ide::TokenOptions& options) {
  std::vector<ItemTokens> all;
  all.reserve(file.items.size());
  Position before;
  const auto add = [&](std::shared_ptr<const ide::TokenRun> run, std::uint32_t offset) {
    if (run->data.empty()) return;
    const Position start = file.lines.position(file.text, offset, options.encoding);
    const auto absolute = [&](Position at) { return Position{start.line + at.line, at.line == 0 ? start.column + at.column : at.column}; };
    const Position first = absolute({run->data[0], run->data[1]});
    const std::uint32_t down = first.line - before.line;
    const std::uint32_t across = down == 0 ? first.column - before.column : first.column;
    before = absolute(run->last);
    all.push_back({std::move(run), down, across});
  };
  const auto add_between = [&](std::uint32_t begin, std::uint32_t end) {
    const std::string_view text = std::string_view(file.text).substr(begin, end - begin);
    if (options.lexical && begin < end) add(std::make_shared<const ide::TokenRun>(ide::loose_token_run(text, options.encoding)), begin);
  };
  std::uint32_t end = 0;
  for (const ide::ItemView& item : file.items) {
    add_between(end, item.span.begin);
    add(item.analysis->token_run(options, item.good), item.offset);
    end = item.span.end;
  }
  add_between(end, static_cast<std::uint32_t>(file.text.size()));
  return all;
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
