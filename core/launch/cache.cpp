#include <phobos/launch/cache.h>

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <phobos/launch/execute.h>
#include <phobos/support/bytes.h>

namespace phobos::launch {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "phobos code 3\n";
constexpr std::string_view suffix = ".code";

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string pack(const std::string& key, const nvptx::Compiled& compiled) {
  ByteWriter writer;
  writer.text(key);
  writer.text(compiled.entry);
  writer.text(compiled.text);
  writer.number(compiled.shared_bytes);
  writer.number(compiled.dynamic_shared_bytes);
  writer.number(compiled.checks.size());
  for (const nvptx::PointCheck& check : compiled.checks) {
    writer.number(check.span.begin);
    writer.number(check.span.end);
    writer.text(check.buffer);
    writer.number(static_cast<std::uint64_t>(check.axis));
  }
  writer.number(compiled.bulk.has_value());
  if (const auto& bulk = compiled.bulk) {
    writer.text(bulk->entry);
    writer.number(static_cast<std::uint64_t>(bulk->threads));
    writer.number(bulk->dynamic_shared_bytes);
    writer.number(bulk->maps.size());
    for (const nvptx::Compiled::Map& map : bulk->maps) {
      writer.number(map.parameter);
      for (const std::int64_t extent : {map.rows, map.columns, map.swizzle}) writer.number(static_cast<std::uint64_t>(extent));
      writer.number(map.rounds);
    }
  }
  ByteWriter sum;
  sum.number(hash_of(writer.bytes()));
  return std::string(magic) + sum.bytes() + writer.bytes();
}

std::optional<nvptx::Compiled> unpack(std::string_view bytes, const std::string& key) {
  if (!bytes.starts_with(magic)) return std::nullopt;
  bytes.remove_prefix(magic.size());
  ByteReader head(bytes);
  const std::uint64_t sum = head.number();
  if (!head.good()) return std::nullopt;
  bytes.remove_prefix(sizeof sum);
  if (hash_of(bytes) != sum) return std::nullopt;
  ByteReader reader(bytes);
  if (reader.text() != key) return std::nullopt;
  nvptx::Compiled compiled;
  compiled.entry = reader.text();
  compiled.text = reader.text();
  compiled.shared_bytes = static_cast<std::uint32_t>(reader.number());
  compiled.dynamic_shared_bytes = static_cast<std::uint32_t>(reader.number());
  for (std::uint64_t left = reader.number(); left > 0 && reader.good(); --left) {
    nvptx::PointCheck check;
    check.span.begin = static_cast<std::uint32_t>(reader.number());
    check.span.end = static_cast<std::uint32_t>(reader.number());
    check.buffer = reader.text();
    check.axis = static_cast<int>(reader.number());
    compiled.checks.push_back(std::move(check));
  }
  if (reader.number() != 0) {
    compiled.bulk = nvptx::Compiled::Bulk();  // clang cannot `emplace` what is nested and has initialisers
    nvptx::Compiled::Bulk& bulk = *compiled.bulk;
    bulk.entry = reader.text();
    bulk.threads = static_cast<int>(reader.number());
    bulk.dynamic_shared_bytes = static_cast<std::uint32_t>(reader.number());
    for (std::uint64_t left = reader.number(); left > 0 && reader.good(); --left) {
      nvptx::Compiled::Map map;
      map.parameter = reader.number();
      for (std::int64_t* extent : {&map.rows, &map.columns, &map.swizzle}) *extent = static_cast<std::int64_t>(reader.number());
      map.rounds = reader.number() != 0;
      bulk.maps.push_back(map);
    }
  }
  if (!reader.ended()) return std::nullopt;
  return compiled;
}

// Only a regular file is an entry: a pipe of that name would be waited for, and a folder has no size.
std::optional<std::string> read_file(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  struct stat about = {};
  std::optional<std::string> bytes;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
    bytes.emplace(static_cast<std::size_t>(about.st_size), '\0');
    std::size_t have = 0;
    for (ssize_t part; have < bytes->size() && (part = read(file, bytes->data() + have, bytes->size() - have)) > 0;) have += static_cast<std::size_t>(part);
    bytes->resize(have);
  }
  close(file);
  return bytes;
}

// The linker's own identity of the program, where it was asked for one.
std::string linked_identity() {
  std::string identity;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type != PT_NOTE) continue;
          const char* at = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
          const char* end = at + header.p_memsz;
          while (at + sizeof(ElfW(Nhdr)) <= end) {
            ElfW(Nhdr) note;
            std::memcpy(&note, at, sizeof note);
            const char* name = at + sizeof note;
            const char* value = name + (note.n_namesz + 3) / 4 * 4;
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
              for (unsigned b = 0; b < note.n_descsz; ++b)
                *static_cast<std::string*>(to) += fmt::format("{:02x}", static_cast<unsigned char>(value[b]));
            at = value + (note.n_descsz + 3) / 4 * 4;
          }
        }
        return 1;  // the program itself is the first
      },
      &identity);
  return identity;
}

}  // namespace

const std::string& build_identity() {
  static const std::string identity = [] {
    std::string linked = linked_identity();
    if (!linked.empty()) return linked;
    struct stat file = {};
    if (stat("/proc/self/exe", &file) != 0) return std::string();
    return fmt::format("{}-{}.{}-{}", file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec, file.st_ino);
  }();
  return identity;
}

std::string code_key(const ir::Kernel& kernel, const nvptx::Options& options) {
  ByteWriter writer;
  writer.text(build_identity());
  writer.text(options.chip);
  writer.text(options.file);
  writer.text(options.source);
  writer.number(options.debug_locations);
  writer.number(options.checked);
  writer.text(kernel.name);
  for (const auto& [name, value] : kernel.constants) {
    writer.text(name);
    writer.number(static_cast<std::uint64_t>(value));
  }
  return writer.take();
}

CodeCache CodeCache::from_environment() {
  std::uintmax_t bound = default_bound;
  if (const char* bytes = std::getenv("PHOBOS_CACHE_BYTES")) std::from_chars(bytes, bytes + std::strlen(bytes), bound);
  const auto given = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::optional<fs::path>(value) : std::nullopt;
  };
  if (const auto folder = given("PHOBOS_CACHE_DIR")) return CodeCache(*folder, bound);
  if (const auto cache = given("XDG_CACHE_HOME"); cache && cache->is_absolute()) return CodeCache(*cache / "phobos", bound);
  if (const auto home = given("HOME")) return CodeCache(*home / ".cache" / "phobos", bound);
  return {};
}

fs::path CodeCache::path_of(const std::string& key) const { return folder_ / fmt::format("{:016x}{}", hash_of(key), suffix); }

std::optional<nvptx::Compiled> CodeCache::find(const std::string& key) const {
  if (folder_.empty() || build_identity().empty()) return std::nullopt;
  const fs::path path = path_of(key);
  const std::optional<std::string> bytes = read_file(path);
  if (!bytes) return std::nullopt;
  std::optional<nvptx::Compiled> compiled = unpack(*bytes, key);
  std::error_code fault;
  if (compiled) fs::last_write_time(path, fs::file_time_type::clock::now(), fault);
  else fs::remove(path, fault);
  return compiled;
}

void CodeCache::store(const std::string& key, const nvptx::Compiled& compiled) const {
  if (folder_.empty() || build_identity().empty()) return;
  const std::string bytes = pack(key, compiled);
  if (bytes.size() > bound_) return;
  std::error_code fault;
  fs::create_directories(folder_, fault);
  make_room(bytes.size());
  const fs::path path = path_of(key), part = path.string() + fmt::format(".{}.part", getpid());
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (file) fs::rename(part, path, fault);
    else fault = std::make_error_code(std::errc::io_error);
  }
  if (fault) fs::remove(part, fault);
}

void CodeCache::make_room(std::uintmax_t bytes) const {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    std::uintmax_t size;
  };
  std::vector<Entry> entries;
  std::uintmax_t sum = bytes;
  std::error_code fault;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder_, fault), end; !fault && at != end; at.increment(fault)) {
    std::error_code gone;
    Entry entry{at->path(), at->last_write_time(gone), at->file_size(gone)};
    if (gone) continue;
    const std::string name = entry.path.filename().string();
    if (name.ends_with(".part") && name.find(suffix) != std::string::npos && now - entry.used > std::chrono::hours(1)) {
      fs::remove(entry.path, gone);  // of somebody who was killed
    } else if (name.ends_with(suffix)) {
      sum += entry.size;
      entries.push_back(std::move(entry));
    }
  }
  if (sum <= bound_) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (sum <= bound_ - bound_ / 4) return;  // more than is needed, so that not every store has to
    std::error_code gone;
    if (fs::remove(entry.path, gone)) sum -= entry.size;
  }
}

nvptx::Outcome compile(const ir::Kernel& kernel, const nvptx::Options& options, const CodeCache& cache) {
  const std::string key = code_key(kernel, options);
  if (std::optional<nvptx::Compiled> found = cache.find(key)) return std::move(*found);
  nvptx::Outcome compiled = compile(kernel, options);
  if (compiled) cache.store(key, *compiled);
  return compiled;
}

}  // namespace phobos::launch
