// What a client is told of tokens that changed, applied to what it had, is what it would be told of the whole text.
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <phobos/server/workspace/token_memory.h>
#include <phobos/session/session.h>

using namespace phobos;
using namespace phobos::server;

namespace {

const std::string file = R"(// é𝒂 a head
fn scaled(v: f32, by: f32) -> f32 {
  return v * by
}
kernel first(x: tensor<f32>[N], out: tensor<f32>[N]) { let a = ctx.lane; out[a] = scaled(x[a], 2.0) } kernel second(y: tensor<f32>[M]) { y[0] = 1.0 }

@launch(128)
kernel third(x: tensor<f32>[N]) {
  var all = 0.0
  for i in range(0, 4) {
    all += /* 🚀 */ x[i]
  }
  x[ctx.thread] = all
}
)";

}  // namespace

TEST_CASE("each edit's difference leads from one text's tokens to the next one's") {
  const char* const pieces[] = {"x", "\n", " ", "}", "{", "let b = ctx.warp\n", "kernel k() {\n}\n", "// c\n", "scaled", "🚀", "é", ""};
  for (const Encoding encoding : {Encoding::Utf8, Encoding::Utf16, Encoding::Utf32}) {
    std::mt19937 random(7);
    session::Session session(file);
    std::vector<ItemTokens> before = tokens_of(session.snapshot()->file(), {encoding, false});
    int small = 0;
    for (int step = 0; step < 400; ++step) {
      const auto size = static_cast<std::uint32_t>(session.text().size());
      const std::uint32_t at = random() % (size + 1);
      const std::uint32_t end = std::min<std::uint32_t>(size, at + (random() % 4 == 0 ? random() % 12 : 0));
      session.apply({{at, end}, pieces[random() % std::size(pieces)]});
      if (step % 60 == 59) session.replace(file);
      const std::vector<ItemTokens> after = tokens_of(session.snapshot()->file(), {encoding, false});
      const TokenEdit edit = difference(before, after);
      std::vector<std::uint32_t> told = data_of(before);
      REQUIRE(edit.begin + edit.removed <= told.size());
      const auto first = told.begin() + static_cast<std::ptrdiff_t>(edit.begin);
      told.insert(told.erase(first, first + static_cast<std::ptrdiff_t>(edit.removed)), edit.data.begin(), edit.data.end());
      REQUIRE(told == data_of(after));
      small += edit.data.size() <= 25;
      before = after;
    }
    CHECK(small > 200);  // most edits touch few tokens
  }
}

TEST_CASE("a name stands for the tokens kept last, and for no others") {
  TokenMemory memory;
  std::vector<ItemTokens> tokens;
  CHECK_FALSE(memory.kept("0", tokens));
  session::Session session(file);
  const std::string first = memory.keep(tokens_of(session.snapshot()->file(), {}));
  CHECK(memory.kept(first, tokens));
  CHECK(tokens.size() == 4);
  const std::string second = memory.keep({});
  CHECK(second != first);
  CHECK_FALSE(memory.kept(first, tokens));
}
