// The formatting of a part of a file reads the items around it, and comes to what reading the whole would.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <phobos/ide/formatting.h>
#include <phobos/session/session.h>

using namespace phobos;

namespace {

// The kernels of the tree, one behind the other; lines of them lost, doubled, moved and joined.
std::string mixed_text(std::mt19937& random) {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> found;
    for (const char* folder : {"examples", "tests/run", "tests/fmt"})
      for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(PHOBOS_SOURCE_DIR) / folder))
        if (entry.path().extension() == ".ph" && entry.file_size() < 6000) {
          std::ifstream in(entry.path(), std::ios::binary);
          found.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        }
    return found;
  }();
  std::vector<std::string> lines{""};
  for (int i = 0; i < 4; ++i)
    for (const char c : all[random() % all.size()]) {
      if (c == '\r') continue;  // the more frequent line end of the window is taken
      lines.back() += c;
      if (c == '\n') lines.emplace_back();
    }
  for (std::uint32_t left = random() % 12; left > 0; --left) {
    const std::size_t at = random() % lines.size(), other = random() % lines.size();
    switch (random() % 6) {
      case 0: lines[at].clear(); break;
      case 1: lines[at] = "    " + lines[at]; break;
      case 2: lines[at] += lines[other]; break;
      case 3: std::swap(lines[at], lines[other]); break;
      case 4: lines[at] = "\n"; break;
      default:
        if (!lines[at].empty()) lines[at].pop_back();
    }
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace

TEST_CASE("a range, and what is typed, is formatted as in the whole text") {
  std::mt19937 random(7);
  int changed = 0;
  for (int round = 0; round < 400; ++round) {
    session::Session session(mixed_text(random));
    const auto snapshot = session.snapshot();
    const std::string& text = snapshot->text();
    const auto place = [&] { return static_cast<std::uint32_t>(random() % (text.size() + 1)); };
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t begin = place(), end = std::min(begin + static_cast<std::uint32_t>(random() % 300), static_cast<std::uint32_t>(text.size()));
      const auto whole = syntax::format_range(text, {begin, end});
      const auto part = ide::format_range(snapshot->file(), {begin, end});
      CAPTURE(text);
      CAPTURE(begin);
      CAPTURE(end);
      REQUIRE(syntax::apply(text, part.edits) == syntax::apply(text, whole.edits));
      changed += !part.edits.empty();
      for (const char typed : {'}', '\n'}) {
        const std::size_t found = text.find(typed, begin);
        if (found == std::string::npos) continue;
        const auto at = static_cast<std::uint32_t>(found) + 1;
        CAPTURE(at);
        REQUIRE(syntax::apply(text, ide::format_typed(snapshot->file(), at, typed).edits) == syntax::apply(text, syntax::format_typed(text, at, typed).edits));
      }
    }
  }
  CHECK(changed > 400);
}
