#include <random>

#include <doctest/doctest.h>

#include <phobos/server/workspace/change_order.h>

using namespace phobos;
using namespace phobos::server;

namespace {

const auto unseen = [](const Edit&) {};

TextChange put(std::uint32_t begin, std::uint32_t end, std::string text) {
  return {[=](const session::Session&) { return Span{begin, end}; }, std::move(text)};
}

// An editor that types: each change is of the text that the ones before it left.
struct Typed {
  std::string text;
  std::vector<std::vector<TextChange>> changes;

  void type(std::mt19937& chance) {
    std::vector<TextChange> message;
    for (unsigned count = chance() % 3; count > 0; --count) {
      const std::uint32_t begin = chance() % (text.size() + 1);
      const std::uint32_t end = std::min<std::uint32_t>(text.size(), begin + chance() % 4);
      std::string piece(chance() % 4, static_cast<char>('a' + chance() % 26));
      text.replace(begin, end - begin, piece);
      message.push_back(put(begin, end, piece));
    }
    changes.push_back(std::move(message));
  }
};

}  // namespace

TEST_CASE("changes that come in another order are made in that of their versions") {
  std::mt19937 chance(5);
  for (int round = 0; round < 300; ++round) {
    Typed typed{"kernel k() {\n}\n", {}};
    session::Session session(typed.text);
    for (int count = 0; count < 12; ++count) typed.type(chance);
    // A few neighbours, or near ones, change places. The first stays: what it stands behind is not known.
    std::vector<std::size_t> arrivals(typed.changes.size());
    for (std::size_t at = 0; at < arrivals.size(); ++at) arrivals[at] = at;
    for (std::size_t at = 0; at + 3 < arrivals.size(); at += 3) std::swap(arrivals[at], arrivals[at + 1 + chance() % 2]);
    ChangeOrder order;
    std::optional<std::int64_t> version = 10;
    std::size_t late = 0, behind = 0;
    for (const std::size_t arrived : arrivals) {
      const std::int64_t its = 11 + static_cast<std::int64_t>(arrived);
      const bool put_back = order.make(session, typed.changes[arrived], version, its, unseen);
      CHECK(put_back == (its < *version));
      behind += its < *version;
      late += put_back;
      version = std::max(*version, its);
    }
    CHECK(session.text() == typed.text);
    CHECK(late == behind);
  }
}

TEST_CASE("a whole text has what came before it, however late that comes") {
  session::Session session("a");
  ChangeOrder order;
  order.make(session, {put(1, 1, "b")}, 1, 2, unseen);
  order.make(session, {{{}, "whole"}}, 2, 4, unseen);
  CHECK(order.make(session, {put(0, 1, "x")}, 4, 3, unseen));
  CHECK(session.text() == "whole");
  order.make(session, {put(5, 5, "!")}, 4, 5, unseen);
  CHECK(session.text() == "whole!");
}

TEST_CASE("versions that go back, or are none, are no order") {
  session::Session session("");
  ChangeOrder order;
  std::optional<std::int64_t> version = 7;
  for (const auto& [next, text] : std::vector<std::pair<std::optional<std::int64_t>, std::string>>{{8, "a"}, {1, "b"}, {2, "c"}, {2, "d"}, {std::nullopt, "e"}, {3, "f"}}) {
    CHECK(!order.make(session, {put(session.text().size(), session.text().size(), text)}, version, next, unseen));
    version = next;
  }
  CHECK(session.text() == "abcdef");
}

TEST_CASE("only so much is kept to be put in order") {
  session::Session session("");
  ChangeOrder order;
  for (std::int64_t version = 1; version <= 60; ++version)
    order.make(session, {put(session.text().size(), session.text().size(), "x")}, version == 1 ? 0 : version == 3 ? 1 : version - 1, version, unseen);
  CHECK(!order.make(session, {put(0, 0, "y")}, 60, 2, unseen));  // too long ago: made in the text as it is
  CHECK(session.text() == "y" + std::string(60, 'x'));
  order.make(session, {put(0, 0, std::string(2u << 20, 'z'))}, 60, 62, unseen);
  CHECK(!order.make(session, {put(0, 0, "w")}, 62, 61, unseen));
}
