// A text and edits to it. After each edit the session knows what a new one would know of the same text. Several edits may come
// between two looks at it.
#include <cstdint>
#include <string>
#include <string_view>

#include "invariants.h"
#include "typing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phobos;
  if (size > 6000) return 0;
  fuzz::Tail tail(std::string_view(reinterpret_cast<const char*>(data), size));
  const std::uint32_t edits = 1 + tail.take(1) % 6;
  session::Session session{std::string(tail.rest())};
  std::shared_ptr<const session::Snapshot> held = session.snapshot();
  const std::string text_then = held->text();
  for (std::uint32_t i = 0; i < edits; ++i) {
    const std::uint32_t how = tail.take(1);
    session.apply(fuzz::next_edit(tail, session.text()));
    if (how % 4 == 1) continue;           // the next look sees two edits
    if (how % 4 == 2) held = nullptr;     // from now on the session need not copy
    const auto incremental = session.snapshot();
    fuzz::expect_well_formed(*incremental);
    session::Session again(session.text());
    fuzz::expect_same(*incremental, *again.snapshot(), how);
  }
  if (held) fuzz::expect_same(*held, *session::Session(text_then).snapshot());
  return 0;
}
