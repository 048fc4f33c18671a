// Any bytes are a text, and formatting it keeps what it says: its tokens and comments, its diagnostics and its kinds. Formatting
// twice is formatting once. And texts that differ in white space alone come out the same.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <phobos/syntax/format.h>

#include "format_notes.h"
#include "invariants.h"
#include "respace.h"

namespace {

using namespace phobos;

[[noreturn]] void fail(const std::string& reason) {
  std::fputs(("invariant broken: " + reason + "\n").c_str(), stderr);
  std::abort();
}

void expect_equal(const std::string& expected, const std::string& found, std::string_view what) {
  if (expected != found) fail(fmt::format("{}; expected:\n{}\nfound:\n{}", what, expected, found));
}

// The formatted text, once it is known to say the same.
std::string formatted(const std::string& text) {
  const syntax::Formatted once = syntax::format(text);
  if (once.fault) fail("the formatter does not trust itself with\n" + text);
  std::string result = syntax::apply(text, once.edits);
  expect_equal(fuzz::without_space(text), fuzz::without_space(result), "formatting changed the tokens");
  if (const syntax::Formatted twice = syntax::format(result); twice.fault || !twice.edits.empty())
    fail(fmt::format("formatting twice is not formatting once:\n{}\nonce:\n{}\ntwice:\n{}", text, result, syntax::apply(result, twice.edits)));
  return result;
}

// Messages quote the text, and cut what they quote where it is long or a line ends: of quotations only single words count. And
// where several begin at one place, the messages decide on their order. Without `words` the codes alone count.
std::string told(const session::Snapshot& snapshot, bool words) {
  std::vector<std::string> all;
  for (const diag::Diagnostic& diagnostic : snapshot.diagnostics()) {
    std::string& lines = all.emplace_back(diag::info(diagnostic.code).code);
    const std::string& message = diagnostic.message;
    for (std::size_t at = 0; words && at < message.size();) {
      const std::size_t open = std::min(message.find('`', at), message.size());
      const std::size_t close = std::min(message.find('`', open + 1), message.size());
      const std::string quoted = open < message.size() ? message.substr(open + 1, close - open - 1) : "";
      lines += message.substr(at, open - at);
      lines += quoted.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos ? quoted : "`";
      at = close + 1;
    }
  }
  std::sort(all.begin(), all.end());
  return fmt::format("{}", fmt::join(all, "\n"));
}

bool has_syntax_error(const session::Snapshot& snapshot) {
  for (const diag::Diagnostic& diagnostic : snapshot.diagnostics())
    if (diag::info(diagnostic.code).code.starts_with("PH00")) return true;
  return false;
}

bool has_error(const session::Snapshot& snapshot) {
  for (const diag::Diagnostic& diagnostic : snapshot.diagnostics())
    if (diagnostic.severity == diag::Severity::Error) return true;
  return false;
}

// The parser reads some mistakes as what was meant; for the formatter they are mistakes, whose bytes stay. Inside an item there is
// an error then.
bool keeps_bytes(const session::Snapshot& snapshot) {
  bool kept = false;
  const syntax::Notes notes = syntax::read_notes(snapshot.text());
  for (std::size_t i = 0; i < notes.notes.size(); ++i) {
    if (!notes.notes[i].verbatim && !notes.notes[i].kept) continue;
    kept = true;
    if (snapshot.item_at(notes.tokens[i].begin) != nullptr && !has_error(snapshot))
      fail("the formatter sees a mistake where there is none:\n" + snapshot.text());
  }
  return kept;
}

std::string kinds(const session::Snapshot& snapshot) {
  std::string all;
  for (const session::ItemView& view : snapshot.items()) {
    for (const Kind kind : view.analysis->kinds.local_kinds) all += static_cast<char>('0' + static_cast<int>(kind));
    for (const Kind kind : view.analysis->kinds.expr_kinds) all += static_cast<char>('0' + static_cast<int>(kind));
    for (const Kind kind : view.analysis->kinds.control) all += static_cast<char>('0' + static_cast<int>(kind));
    all += '\n';
  }
  return all;
}

void expect_same_meaning(const session::Snapshot& before, const std::string& after, bool words) {
  session::Session session(after);
  const auto snapshot = session.snapshot();
  expect_equal(told(before, words), told(*snapshot, words), "formatting changed the diagnostics of\n" + before.text());
  expect_equal(kinds(before), kinds(*snapshot), "formatting changed the kinds of\n" + before.text());
}

// A part of a text is formatted as the whole is, and nothing behind a cursor's line moves.
void expect_parts(const std::string& text, std::uint32_t seed) {
  const auto size = static_cast<std::uint32_t>(text.size());
  const std::uint32_t begin = seed % (size + 1), end = begin + std::min(seed / 7 % 200, size - begin);
  if (syntax::format_range(text, {begin, end}).fault) fail("a range is not formatted safely");
  expect_equal(syntax::apply(text, syntax::format(text).edits), syntax::apply(text, syntax::format_range(text, {0, size}).edits),
               "the whole range is not the whole text");
  for (const char typed : {'}', '\n'})
    if (syntax::format_typed(text, begin, typed).fault) fail("what is typed is not formatted safely");
}

std::string without_one_token(const std::string& text, std::uint32_t seed) {
  std::vector<fuzz::Piece> all = fuzz::pieces(text);
  all[seed % all.size()].text.clear();
  return fuzz::joined(all);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 20000) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::uint32_t seed = 0;
  for (const char c : text) seed = seed * 16777619u ^ static_cast<unsigned char>(c);
  const std::string once = formatted(text);
  expect_parts(text, seed);
  formatted(without_one_token(text, seed));
  session::Session session(text);
  const auto snapshot = session.snapshot();
  if (has_syntax_error(*snapshot)) return 0;
  expect_same_meaning(*snapshot, once, true);
  if (keeps_bytes(*snapshot)) return 0;
  const std::string loose = fuzz::respaced(once, seed);
  expect_equal(fuzz::with_loose_comments(once), fuzz::with_loose_comments(formatted(loose)), "other white space gives another text");
  const std::string broken = fuzz::rebroken(once, seed);
  expect_same_meaning(*snapshot, broken, false);
  expect_equal(fuzz::unbroken(once), fuzz::unbroken(formatted(broken)), "other line ends give another text, from\n" + broken);
  return 0;
}
