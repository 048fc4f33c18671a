#include <doctest/doctest.h>

#include <unistd.h>

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <phobos/launch/tuned.h>

using namespace phobos;
namespace fs = std::filesystem;

TEST_CASE("winners and states are kept apart, whole, and found by their key alone") {
  const fs::path folder = fs::temp_directory_path() / fmt::format("phobos-tuned-{}", getpid());
  fs::remove_all(folder);
  const launch::TuningStore store(folder);
  CHECK(!store.winner("k"));
  store.keep("k", {{{"TM", 128}, {"TN", -3}}, 1.5});
  store.keep_state("k", "half");
  const auto winner = store.winner("k");
  REQUIRE(winner);
  CHECK(winner->milliseconds == 1.5);
  CHECK(winner->constants == std::vector<std::pair<std::string, std::int64_t>>{{"TM", 128}, {"TN", -3}});
  CHECK(store.state("k") == "half");
  CHECK(!store.winner("other"));
  store.forget_state("k");
  CHECK(!store.state("k"));
  CHECK(store.winner("k"));
  // A byte that is another one, and a file that is cut off, are none.
  fs::path file;
  for (const auto& entry : fs::directory_iterator(folder)) file = entry.path();
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
    CHECK(!store.winner("k"));
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes.substr(0, i);
    CHECK(!store.winner("k"));
  }
  fs::remove_all(folder);
  CHECK(!launch::TuningStore().winner("k"));
}

TEST_CASE("a winner is of a kernel, a chip and a class of shapes") {
  const auto key = [](std::string_view text, std::string_view chip, std::vector<std::int64_t> dimensions) { return launch::winner_key(text, chip, {}, dimensions); };
  const std::string base = key("kernel k() { }\n", "sm_90a", {4096, 100});
  CHECK(base == key("//# run N=4\n// says\nkernel k() { }\n", "sm_90a", {4096, 100}));
  CHECK(base == key("kernel k() { }\n", "sm_90a", {5000, 127}));
  CHECK(base != key("kernel k() { }\n", "sm_90a", {8192, 100}));
  CHECK(base != key("kernel k() { }\n", "sm_80", {4096, 100}));
  CHECK(base != key("kernel k() { x }\n", "sm_90a", {4096, 100}));
  CHECK(base != launch::winner_key("kernel k() { }\n", "sm_90a", {{"C", 64}}, {4096, 100}));
}
