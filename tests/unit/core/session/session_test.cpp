#include <phobos/session/session.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace phobos;
using namespace phobos::session;

namespace {

std::vector<std::string> samples() {
  std::vector<std::string> texts;
  for (const char* folder : {"examples", "tests/run"}) {
    const std::filesystem::path path = std::filesystem::path(PHOBOS_SOURCE_DIR) / folder;
    if (!std::filesystem::exists(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() != ".ph") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::string shown(const diag::Diagnostic& diagnostic) {
  const auto place = [](Location at) { return fmt::format("{}-{}", at.span.begin, at.span.end); };
  std::string text = fmt::format("{} {} {}", diag::info(diagnostic.code).code, place(diagnostic.location), diagnostic.message);
  for (const auto& related : diagnostic.related) text += fmt::format("\n  {} {}", place(related.location), related.message);
  for (const auto& fix : diagnostic.fixes) {
    text += "\n  fix " + fix.title;
    for (const auto& edit : fix.edits) text += fmt::format(" {}:{}", place(edit.location), edit.text);
  }
  return text + "\n";
}

// All that a reader can see of a snapshot.
std::string shown(const Snapshot& snapshot) {
  std::string text;
  for (const auto& diagnostic : snapshot.diagnostics()) text += shown(diagnostic);
  for (const ItemView& view : snapshot.items()) {
    const auto& checked = view.analysis->checked;
    const auto& kinds = view.analysis->kinds;
    text += fmt::format("{} {}-{}\n", view.item().name.text, view.span.begin, view.span.end);
    for (std::size_t i = 0; i < checked.locals.size(); ++i) {
      const auto& local = checked[sema::LocalId(i)];
      const Kind kind = kinds.local_kinds.contains(sema::LocalId(i)) ? kinds.local_kinds[sema::LocalId(i)] : Kind::Uniform;
      const Span declared = view.absolute(local.declared);
      text += fmt::format("  {}: {} {} {}-{}\n", local.name, to_string(local.type), name_of(kind), declared.begin, declared.end);
      if (kinds.local_causes.contains(sema::LocalId(i)) && kinds.local_causes[sema::LocalId(i)].valid())
        for (const auto& step : kinds.chain(kinds.local_causes[sema::LocalId(i)])) text += fmt::format("    {}\n", step.message);
    }
    for (const Kind kind : kinds.expr_kinds) text += std::to_string(static_cast<int>(kind));
    for (const auto& expr : checked.exprs) text += fmt::format(" {}-{}", view.absolute(expr.location).begin, view.absolute(expr.location).end);
    text += "\n";
  }
  return text;
}

int count(const Snapshot& snapshot, diag::Code code) {
  int n = 0;
  for (const auto& diagnostic : snapshot.diagnostics()) n += diagnostic.code == code;
  return n;
}

Edit replace_in(const std::string& text, std::string_view before, std::string after) {
  const auto at = static_cast<std::uint32_t>(text.find(before));
  REQUIRE(at < text.size());
  return {{at, at + static_cast<std::uint32_t>(before.size())}, std::move(after)};
}

const std::string three_items =
    "fn twice(x: f32) -> f32 {\n  return x * 2.0\n}\n\n"
    "kernel a(X: tensor<f32>[N]) {\n  X[ctx.thread] = twice(1.0)\n}\n\n"
    "kernel b(X: tensor<f32>[N]) {\n  X[ctx.thread] = 3.0\n}\n";

}  // namespace

TEST_CASE("an edit costs what it touches") {
  Session session(three_items);
  CHECK(session.snapshot()->analysed() == 3);
  CHECK(session.snapshot()->items().size() == 3);
  CHECK(session.snapshot()->diagnostics().empty());
  const auto after = [&](std::string_view before, std::string text) {
    session.apply(replace_in(session.text(), before, std::move(text)));
    return session.snapshot()->analysed();
  };
  CHECK(after("3.0", "4.0") == 1);
  CHECK(after("\n\nkernel b", "\n\n\n\nkernel b") == 0);
  CHECK(after("kernel a", "\n\nkernel a") == 0);
  CHECK(after("2.0", "5.0") == 2);  // the function and its caller
  CHECK(after("twice(1.0)", "thrice(1.0)") == 1);
  CHECK(count(*session.snapshot(), diag::Code::UnknownFunction) == 1);
  CHECK(after("fn twice", "fn thrice") == 2);  // a name that was asked for in vain has a meaning now
  CHECK(session.snapshot()->diagnostics().empty());
  session.replace(three_items);
  CHECK(session.snapshot()->analysed() == 3);
  CHECK(session.snapshot()->items()[2].offset == three_items.find("kernel b"));
}

TEST_CASE("a snapshot is of its text for ever") {
  Session session(three_items);
  const auto before = session.snapshot();
  CHECK(session.snapshot() == before);
  session.apply({{0, 3}, ""});
  CHECK(before->text() == three_items);
  CHECK(before->lines().line_count() == LineMap(three_items).line_count());
  const auto after = session.snapshot();
  CHECK(after->revision() > before->revision());
  CHECK(after->text() == three_items.substr(3));
  CHECK_FALSE(after->diagnostics().empty());
}

TEST_CASE("out-of-range edits are clamped") {
  Session session("ab");
  session.apply({{5, 9}, "c"});
  CHECK(session.text() == "abc");
  session.apply({{2, 1}, "-"});
  CHECK(session.text() == "ab-c");
  session.apply({{0, 0xffffffffu}, ""});
  CHECK(session.text().empty());
  CHECK(session.snapshot()->items().empty());
  CHECK(session.snapshot()->diagnostics().empty());
}

TEST_CASE("items by place and by name") {
  Session session(three_items);
  const auto snapshot = session.snapshot();
  CHECK(snapshot->kernel_named("a")->item().name.text == "a");
  CHECK(snapshot->kernel_named("twice") == nullptr);
  CHECK(snapshot->item_at(0)->item().name.text == "twice");
  CHECK(snapshot->item_at(static_cast<std::uint32_t>(three_items.find("3.0")))->item().name.text == "b");
  CHECK(snapshot->item_at(0xffffffffu) == nullptr);
}

TEST_CASE("a name that is defined twice") {
  const std::string text = "kernel a() {\n}\nkernel a() {\n}\n";
  Session session(text);
  const auto diagnostics = session.snapshot()->diagnostics();
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == diag::Code::DuplicateItem);
  CHECK(diagnostics[0].location.span == Span{22, 23});
  REQUIRE(diagnostics[0].related.size() == 1);
  CHECK(diagnostics[0].related[0].location.span == Span{7, 8});
}

TEST_CASE("a fault in a function is told once, however many kernels inline it") {
  const std::string text =
      "fn f(x: f32) -> f32 {\n  return x + missing\n}\n"
      "kernel a(X: tensor<f32>[N]) {\n  X[ctx.thread] = f(1.0)\n}\n"
      "kernel b(X: tensor<f32>[N]) {\n  X[ctx.thread] = f(2.0) + f(3.0)\n}\n";
  Session session(text);
  CHECK(count(*session.snapshot(), diag::Code::UnknownName) == 1);
}

TEST_CASE("a rule that is broken by way of a call points into the function") {
  const std::string text =
      "fn wait(x: f32) {\n  if x == 0.0 {\n    barrier()\n  }\n}\n"
      "kernel a() {\n  wait(f32(ctx.lane))\n}\n";
  Session session(text);
  const auto diagnostics = session.snapshot()->diagnostics();
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == diag::Code::NeedsUniformControl);
  CHECK(diagnostics[0].location.span.begin == text.find("barrier()"));
}

TEST_CASE("texts that cannot be analysed say so and nothing else") {
  const auto only = [](std::string text) {
    Session session(std::move(text));
    const auto snapshot = session.snapshot();
    CHECK(snapshot->items().empty());
    REQUIRE(snapshot->diagnostics().size() == 1);
    return snapshot->diagnostics()[0];
  };
  CHECK(only(std::string(largest_text + 1, 'a')).code == diag::Code::FileTooLarge);
  CHECK(only(std::string("\xff\xfek\0e\0", 6)).message == "the file is UTF-16 text; save it as UTF-8");
  CHECK(only(std::string("k\0e\0r\0n\0e\0l\0", 12)).message == "the file is UTF-16 text; save it as UTF-8");
  CHECK(only(std::string("kernel a() {\n}\n\0", 16)).code == diag::Code::NotUtf8Text);
  CHECK(only(std::string("kernel a() {\n}\n\0", 16)).location.span == Span{15, 16});
}

TEST_CASE("a byte that is no UTF-8 is an error there, and the rest is analysed") {
  Session session("// caf\xe9\nkernel a() {\n  let x = missing\n}\n");
  const auto snapshot = session.snapshot();
  CHECK(snapshot->items().size() == 1);
  CHECK(count(*snapshot, diag::Code::InvalidUtf8) == 1);
  CHECK(count(*snapshot, diag::Code::UnknownName) == 1);
  CHECK(snapshot->diagnostics()[0].location.span == Span{6, 7});
  Session runs("kernel a() {\n  \xff\xfe\xff\n  let _x = 1 \xe2\x82\n}\n");
  CHECK(count(*runs.snapshot(), diag::Code::InvalidUtf8) == 2);
}

TEST_CASE("a line of megabytes full of errors takes no longer than its size") {
  std::string text = "kernel k() { ";
  for (int i = 0; i < 100'000; ++i) text += "let = 1; ";
  Session session(text + "}\n");
  const auto diagnostics = session.snapshot()->diagnostics();
  CHECK(diagnostics.size() == most_diagnostics);
}

TEST_CASE("a byte-order mark and CRLF change nothing but positions") {
  std::string crlf;
  for (const char c : three_items) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& text : {crlf, "\xef\xbb\xbf" + three_items, "\xef\xbb\xbf" + crlf}) {
    Session session(text);
    CHECK(session.snapshot()->items().size() == 3);
    CHECK(session.snapshot()->diagnostics().empty());
  }
}

TEST_CASE("a kernel with chosen constants") {
  const std::string text = "@autotune(B in [32, 128])\nkernel a(X: tensor<f32>[N]) {\n  X[0 :+ B] = X[0 :+ B]\n}\n";
  Session session(text);
  const auto snapshot = session.snapshot();
  CHECK(snapshot->kernel_named("a")->analysis->checked.attributes.autotune.at(0).value == 32);
  const auto chosen = analyse_kernel(*snapshot, "a", {{"B", 128}});
  REQUIRE(chosen.has_value());
  CHECK(chosen->analysis->checked.attributes.autotune.at(0).value == 128);
  CHECK(chosen->offset == snapshot->kernel_named("a")->offset);
  CHECK_FALSE(analyse_kernel(*snapshot, "b", {}).has_value());
}

TEST_CASE("a stop gives null and loses nothing") {
  Session session(three_items);
  std::stop_source stop;
  stop.request_stop();
  CHECK(session.snapshot(stop.get_token()) == nullptr);
  REQUIRE(session.snapshot() != nullptr);
  CHECK(session.snapshot()->items().size() == 3);
  CHECK(session.snapshot(stop.get_token()) != nullptr);  // nothing is left to do
}

TEST_CASE("incremental equals fresh after random edits") {
  const std::vector<std::string> texts = samples();
  REQUIRE_FALSE(texts.empty());
  std::mt19937 random(6);
  const std::string pieces[] = {"\n", " ", "}", "{", "(", ")", "x", "ctx.lane", "if ctx.lane == 0 {\n", "barrier()\n", "kernel k() {\n}\n",
                                "fn f() {\n}\n", "let z = 1\n", "\"", "é", "😀", "\xff", "// c\n", "@launch(128)\n", "0", "[", "]", "return\n", "\r\n"};
  for (std::size_t t = 0; t < texts.size(); ++t) {
    Session session(texts[t]);
    session.snapshot();
    for (int step = 0; step < 25; ++step) {
      const std::string& text = session.text();
      const auto begin = static_cast<std::uint32_t>(random() % (text.size() + 1));
      Edit edit{{begin, begin}, {}};
      if (random() % 3 != 0) edit.text = pieces[random() % std::size(pieces)];
      if (random() % 2 != 0) edit.span.end = std::min<std::uint32_t>(static_cast<std::uint32_t>(text.size()), begin + random() % 12);
      if (random() % 10 == 0) {  // move a stretch from elsewhere
        const std::size_t from = random() % (text.size() + 1);
        edit.text = text.substr(from, random() % 200);
      }
      session.apply(edit);
      if (random() % 4 == 0) continue;  // several edits in one revision
      const auto incremental = session.snapshot();
      Session fresh(session.text());
      INFO("sample " << t << ", step " << step << "\n" << session.text());
      REQUIRE(shown(*incremental) == shown(*fresh.snapshot()));
      CHECK(incremental->analysed() <= fresh.snapshot()->analysed());
    }
  }
}
