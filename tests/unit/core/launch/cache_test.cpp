#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include <fmt/format.h>

#include <phobos/ir/text.h>
#include <phobos/launch/cache.h>

using namespace phobos;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("phobos-cache-{}", getpid());
  Folder() { fs::remove_all(path); }
  ~Folder() { fs::remove_all(path); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (fs::exists(path))
      for (const auto& entry : fs::directory_iterator(path)) found.push_back(entry.path());
    return found;
  }
};

nvptx::Compiled code(std::string text) {
  nvptx::Compiled made;
  made.text = std::move(text);
  made.entry = "k";
  made.shared_bytes = 7;
  made.dynamic_shared_bytes = 9;
  made.bulk = {"k_bulk", 384, 11, {{0, 128, 64, 128}, {2, 64, 32, 64, true}}};
  return made;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes; }

}  // namespace

TEST_CASE("what was stored is found, whole") {
  const Folder folder;
  const launch::CodeCache cache(folder.path);
  CHECK_FALSE(cache.find("key"));
  cache.store("key", code("text"));
  const auto found = cache.find("key");
  REQUIRE(found);
  CHECK(found->text == "text");
  CHECK(found->entry == "k");
  CHECK(found->shared_bytes == 7);
  CHECK(found->dynamic_shared_bytes == 9);
  CHECK(found->bulk == code("").bulk);
  CHECK_FALSE(cache.find("key2"));
  CHECK(folder.files().size() == 1);
}

TEST_CASE("an entry that is damaged anywhere is a miss, and goes") {
  const Folder folder;
  const launch::CodeCache cache(folder.path);
  cache.store("key", code("some text"));
  const fs::path file = folder.files().at(0);
  const std::string whole = read(file);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    write(file, damaged);
    CHECK_FALSE(cache.find("key"));
    CHECK_FALSE(fs::exists(file));
    write(file, whole.substr(0, at));
    CHECK_FALSE(cache.find("key"));
  }
  write(file, whole + "x");
  CHECK_FALSE(cache.find("key"));
  write(file, whole);
  CHECK(cache.find("key"));
}

TEST_CASE("an entry under another key's name is a miss") {
  const Folder folder;
  const launch::CodeCache cache(folder.path);
  cache.store("one", code("1"));
  const fs::path file = folder.files().at(0);
  const std::string bytes = read(file);
  fs::remove(file);
  cache.store("two", code("2"));
  write(folder.files().at(0), bytes);
  CHECK_FALSE(cache.find("two"));
}

TEST_CASE("what was not used for longest goes") {
  const Folder folder;
  const launch::CodeCache cache(folder.path, 20'000);
  for (int i = 0; i < 10; ++i) {
    cache.store(std::to_string(i), code(std::string(3000, 'x')));
    usleep(2000);
    CHECK(cache.find("0"));
  }
  std::uintmax_t sum = 0;
  for (const fs::path& file : folder.files()) sum += fs::file_size(file);
  CHECK(sum <= 20'000);
  CHECK(cache.find("0"));
  CHECK(cache.find("9"));
  CHECK_FALSE(cache.find("1"));
  cache.store("large", code(std::string(30'000, 'x')));
  CHECK_FALSE(cache.find("large"));
  CHECK(cache.find("9"));
}

TEST_CASE("a folder that cannot be is no error") {
  const launch::CodeCache nowhere(fs::path("/proc/no/such/place"));
  nowhere.store("key", code("text"));
  CHECK_FALSE(nowhere.find("key"));
  const launch::CodeCache none;
  none.store("key", code("text"));
  CHECK_FALSE(none.find("key"));
}

TEST_CASE("a key is all that the code depends on") {
  ir::Kernel kernel;
  kernel.name = "k";
  kernel.constants = {{"B", 1}};
  nvptx::Options options;
  options.source = "kernel k() {}";
  options.file = "k.ph";
  const std::string key = launch::code_key(kernel, options);
  CHECK(key == launch::code_key(kernel, options));
  CHECK(key.find(launch::build_identity()) != std::string::npos);
  const auto differs = [&](auto change) {
    ir::Kernel other = kernel;
    nvptx::Options changed = options;
    change(other, changed);
    CHECK(launch::code_key(other, changed) != key);
  };
  differs([](ir::Kernel& k, nvptx::Options&) { k.name = "l"; });
  differs([](ir::Kernel& k, nvptx::Options&) { k.constants[0].second = 2; });
  differs([](ir::Kernel&, nvptx::Options& o) { o.source += ' '; });
  differs([](ir::Kernel&, nvptx::Options& o) { o.chip = "sm_80"; });
  differs([](ir::Kernel&, nvptx::Options& o) { o.file = "l.ph"; });
  differs([](ir::Kernel&, nvptx::Options& o) { o.debug_locations = false; });
}
