#include <doctest/doctest.h>

#include <phobos/server/workspace/workspace.h>

using namespace phobos;
using namespace phobos::server;
using namespace std::chrono_literals;

TEST_CASE("diagnostics wait for as long as it took to rebuild as much, and an edit is not taken for a whole file") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "kernel k" + std::to_string(i) + "(x: tensor<f32>[N]) {\n  x[ctx.thread] = 1.0\n}\n";
  Document document("k", "file:///k.ph", 1, text);
  const Clock::time_point now = Clock::now();
  document.schedule(now, text.size());
  CHECK(document.due == now);
  CHECK(!document.is_quick());
  // The pool has it now.
  document.session.snapshot();
  document.bulk = false;
  document.last_rebuild = 90ms;
  document.rebuilt_much = true;
  document.session.apply({{45, 45}, " "});
  document.schedule(now, 1);
  CHECK(document.due == now);
  // As much once more.
  document.schedule(now, text.size());
  CHECK(document.due == now + 90ms);
  document.bulk = false;
  document.last_rebuild = 700ms;
  document.session.replace("");
  document.session.snapshot();
  document.session.replace(text);
  document.schedule(now, 1);
  CHECK(document.due == now + 150ms);
  // A text of which an edit is slow, too.
  document.session.snapshot();
  document.last_rebuild = 20ms;
  document.rebuilt_much = false;
  document.session.apply({{45, 45}, " "});
  document.schedule(now, 1);
  CHECK(document.due == now + 20ms);
}
