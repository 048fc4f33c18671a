// Incremental equals fresh. Random edits of the kinds that people make, to the kernels of the tree and to generated files; after
// each step all that a session knows is what a new session knows of the same text (trees, diagnostics, types, kinds, reasons,
// hovers, run lines), and it has analysed those items anew whose text changed or who depend on what changed, and no others.
//
// Use: edits SEED STEPS FILE_OR_FOLDER ...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stop_token>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <generated.h>
#include <invariants.h>
#include <phobos/session/session.h>

#include "expected.h"
#include "random_edits.h"

namespace {

namespace fs = std::filesystem;
using namespace phobos;

std::size_t steps_done = 0, counted = 0;

[[noreturn]] void fail(const std::string& reason) {
  fmt::print(stderr, "{}\n", reason);
  std::exit(1);
}

// What a server does between two looks: one edit mostly; at times several, or the whole text at once; at times it is stopped.
void change(session::Session& session, edits::RandomEdits& random, std::mt19937& how) {
  for (std::uint32_t count = how() % 6 == 0 ? 2 + how() % 3 : 1; count > 0; --count) {
    const Edit edit = random.next(session.text());
    if (how() % 10 != 0) {
      session.apply(edit);
      continue;
    }
    std::string text = session.text();
    text.replace(edit.span.begin, edit.span.size(), edit.text);
    session.replace(std::move(text));
  }
  if (how() % 8 != 0) return;
  std::stop_source stop;
  stop.request_stop();
  session.snapshot(stop.get_token());
}

void type_in(const std::string& name, const std::string& text, std::uint32_t seed, std::size_t steps) {
  fmt::print(stderr, "{} (seed {})\n", name, seed);  // the last one named is the one that broke
  session::Session session(text);
  edits::RandomEdits random(seed);
  std::mt19937 how(seed);
  std::shared_ptr<const session::Snapshot> held = session.snapshot();
  edits::Dependencies before(session.text());
  for (std::size_t step = 0; step < steps; ++step) {
    change(session, random, how);
    const auto incremental = session.snapshot();
    fuzz::expect_same(*incremental, *session::Session(session.text()).snapshot(), how());
    edits::Dependencies after(session.text());
    if (!before.has_repeated_names() && !after.has_repeated_names()) {
      const std::size_t expected = after.changed_since(before);
      if (static_cast<std::size_t>(incremental->analysed()) != expected)
        fail(fmt::format("step {} analysed {} items anew, where {} changed, of the text:\n{}", step, incremental->analysed(), expected, session.text()));
      ++counted;
    }
    before = std::move(after);
    if (how() % 4 == 0) held = incremental;  // a reader that keeps what it has
    if (how() % 8 == 0) held.reset();
    ++steps_done;
  }
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One letter in a file of 2,000 kernels costs one kernel; in a function, the function and its callers.
void type_in_a_large_file() {
  session::Session session(generated::file(generated::shape_of_lines(10'000)));
  for (const diag::Diagnostic& diagnostic : session.snapshot()->diagnostics())
    if (diagnostic.severity != diag::Severity::Hint) fail(fmt::format("the generated text is wrong: {}", diagnostic.message));
  const auto analysed = [&](std::string_view before, std::string text, std::size_t from = 0) {
    const auto at = static_cast<std::uint32_t>(session.text().find(before, from) + before.size());
    session.apply({{at, at}, std::move(text)});
    return session.snapshot()->analysed();
  };
  const auto expect = [](int is, int should_be, std::string_view what) {
    if (is != should_be) fail(fmt::format("{}: analysed {} items, not {}", what, is, should_be));
  };
  expect(analysed("kernel k200(", " "), 1, "a letter in a kernel");
  expect(analysed("// Kernels of one library", " "), 0, "a letter in a comment that is nobody's");
  expect(analysed("fn own5(n: i32) -> i32 {", "\n"), 2, "a line in a function with one caller");
  expect(analysed("fn group7(x: f32, center: f32) -> f32 {", "\n"), 11, "a line in a function with ten callers");
  fuzz::expect_same(*session.snapshot(), *session::Session(session.text()).snapshot());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) fail("usage: edits SEED STEPS FILE_OR_FOLDER ...");
  const auto seed = static_cast<std::uint32_t>(std::strtoul(arguments[1], nullptr, 10));
  const std::size_t steps = std::strtoul(arguments[2], nullptr, 10);
  std::vector<fs::path> paths;
  for (int i = 3; i < count; ++i) {
    if (!fs::is_directory(arguments[i])) paths.emplace_back(arguments[i]);
    else
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(arguments[i]))
        if (entry.path().extension() == ".ph") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (std::size_t i = 0; i < paths.size(); ++i) type_in(paths[i].string(), read(paths[i]), seed + static_cast<std::uint32_t>(i), steps);
  type_in("generated", generated::file({15, 10, true}), seed, steps * 4);
  type_in("generated, CRLF", [] {
    std::string text;
    for (const char c : generated::file({5, 5, true})) text += c == '\n' ? "\r\n" : std::string(1, c);
    return text;
  }(), seed, steps * 4);
  type_in_a_large_file();
  fmt::print("{} steps, the items counted in {}\n", steps_done, counted);
  return counted * 2 > steps_done ? 0 : 1;
}
