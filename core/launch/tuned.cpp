#include <phobos/launch/tuned.h>

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <phobos/launch/cache.h>
#include <phobos/support/bytes.h>

namespace phobos::launch {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "phobos tuned 1\n", of_winners = ".tuned", of_states = ".tuning";

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

TuningStore TuningStore::from_environment() { return TuningStore(CodeCache::from_environment().folder()); }

fs::path TuningStore::path_of(const std::string& key, std::string_view suffix) const { return folder_ / fmt::format("{:016x}{}", hash_of(key), suffix); }

std::optional<std::string> TuningStore::read(const std::string& key, std::string_view suffix) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(path_of(key, suffix), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!std::string_view(bytes).starts_with(magic)) return std::nullopt;
  ByteReader reader(std::string_view(bytes).substr(magic.size()));
  const std::uint64_t sum = reader.number();
  const std::string_view found_key = reader.text(), content = reader.text();
  if (!reader.ended() || found_key != key || hash_of(content) != sum) return std::nullopt;
  return std::string(content);
}

void TuningStore::write(const std::string& key, std::string_view suffix, std::string_view content) const {
  if (folder_.empty()) return;
  ByteWriter writer;
  writer.number(hash_of(content));
  writer.text(key);
  writer.text(content);
  std::error_code fault;
  fs::create_directories(folder_, fault);
  const fs::path path = path_of(key, suffix), part = path.string() + fmt::format(".{}.part", getpid());
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file << magic << writer.bytes();
    file.close();
    if (file) fs::rename(part, path, fault);
    else fault = std::make_error_code(std::errc::io_error);
  }
  if (fault) fs::remove(part, fault);
}

std::optional<Winner> TuningStore::winner(const std::string& key) const {
  const std::optional<std::string> content = read(key, of_winners);
  if (!content) return std::nullopt;
  ByteReader reader(*content);
  Winner winner;
  winner.milliseconds = std::bit_cast<double>(reader.number());
  for (std::uint64_t left = reader.number(); left > 0 && reader.good(); --left) {
    std::string name(reader.text());
    winner.constants.emplace_back(std::move(name), static_cast<std::int64_t>(reader.number()));
  }
  return reader.ended() ? std::optional(std::move(winner)) : std::nullopt;
}

void TuningStore::keep(const std::string& key, const Winner& winner) const {
  ByteWriter writer;
  writer.number(std::bit_cast<std::uint64_t>(winner.milliseconds));
  writer.number(winner.constants.size());
  for (const auto& [name, value] : winner.constants) {
    writer.text(name);
    writer.number(static_cast<std::uint64_t>(value));
  }
  write(key, of_winners, writer.bytes());
}

std::optional<std::string> TuningStore::state(const std::string& key) const { return read(key, of_states); }
void TuningStore::keep_state(const std::string& key, std::string_view state) const { write(key, of_states, state); }

void TuningStore::forget_state(const std::string& key) const {
  std::error_code fault;
  if (!folder_.empty()) fs::remove(path_of(key, of_states), fault);
}

std::string winner_key(std::string_view kernel_text, std::string_view chip, const Constants& fixed, const std::vector<std::int64_t>& dimensions) {
  ByteWriter writer;
  writer.text(without_comments(kernel_text));
  writer.text(chip);
  writer.number(fixed.size());
  for (const auto& [name, value] : fixed) {
    writer.text(name);
    writer.number(static_cast<std::uint64_t>(value));
  }
  for (const std::int64_t each : dimensions) writer.number(static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(each, 0)))));
  return writer.take();
}

std::string without_comments(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != line.npos && line.substr(first, 2) != "//") result.append(line).push_back('\n');
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace phobos::launch
