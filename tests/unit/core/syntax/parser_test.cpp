#include <phobos/syntax/parser.h>

#include <algorithm>
#include <random>

#include <doctest/doctest.h>

#include "samples.h"

using namespace phobos;
using namespace phobos::syntax;

namespace {

std::vector<diag::Diagnostic> all_diagnostics(const ParsedFile& file) {
  std::vector<diag::Diagnostic> result = file.diagnostics;
  for (const ParsedItem& each : file.items)
    for (diag::Diagnostic d : each.item->diagnostics) {
      d.location.span = d.location.span.shifted(each.span.begin);
      result.push_back(std::move(d));
    }
  return result;
}

ParsedFile parse(std::string_view text) { return Parser().parse(text); }

// The one syntax error of a kernel body, as "text that it underlines: message".
std::string only_error(const std::string& body) {
  const std::string text = "kernel k(A: tensor<f32>[8]) {\n" + body + "\n}\n";
  const auto found = all_diagnostics(parse(text));
  if (found.size() != 1) {
    std::string list = std::to_string(found.size()) + " errors:";
    for (const auto& d : found) list += " " + d.message + ";";
    return list;
  }
  const Span at = found[0].location.span;
  return text.substr(at.begin, at.size()) + ": " + found[0].message;
}

}  // namespace

TEST_CASE("a file is split into items with their documentation and attributes") {
  const std::string text = "// a stray remark\n\n// What it does.\n//# run N=1\n@launch(64)\n@precise kernel a() { }\n// behind\n\nfn b() { }\n";
  const ParsedFile file = parse(text);
  REQUIRE(file.items.size() == 2);
  CHECK(text.substr(file.items[0].span.begin, file.items[0].span.size()) == "// What it does.\n//# run N=1\n@launch(64)\n@precise kernel a() { }");
  CHECK(text.substr(file.items[1].span.begin, file.items[1].span.size()) == "fn b() { }");
  const Item& a = *file.items[0].item;
  CHECK(a.name.text == "a");
  CHECK(a.documentation == "What it does.");
  REQUIRE(a.run_lines.size() == 1);
  CHECK(a.run_lines[0].text == "N=1");
  REQUIRE(a.attributes.size() == 2);
  CHECK(a.attributes[1].name.text == "precise");
  CHECK(file.items[1].item->form == Item::Form::Function);
  CHECK(all_diagnostics(file).empty());
}

TEST_CASE("a run line belongs to the item below it across blank lines, what else is said above them does not") {
  const std::string text = "// A file.\n//# run N=1\n// of its own\n\n\n//# run N=2\n\n// What it does.\nkernel a() { }\n";
  const ParsedFile file = Parser().parse(text);
  REQUIRE(file.items.size() == 1);
  const Item& a = *file.items[0].item;
  REQUIRE(a.run_lines.size() == 1);  // the line below the first one stands between
  CHECK(a.run_lines[0].text == "N=2");
  CHECK(a.documentation == "What it does.");
}

TEST_CASE("a definition inside of a body belongs to that body's item, unless it stands no further in") {
  const auto names = [](const std::string& text) {
    std::string all;
    for (const ParsedItem& each : Parser().parse(text).items) all += each.item->name.text + " ";
    return all;
  };
  CHECK(names("kernel a() {\n  fn b() { }\n}\nfn c() { }\n") == "a c ");
  CHECK(names("kernel a() {\nfn b() { }\n") == "a b ");
  CHECK(names("  kernel a() {\n  fn b() { }\n") == "a b ");
  CHECK(names("  @launch(64) kernel a() {\n    fn b() { }\n  }\n    fn c() { }\n") == "a c ");
}

TEST_CASE("the samples have no syntax errors") {
  for (const std::string& text : samples()) {
    for (const auto& d : all_diagnostics(parse(text))) FAIL_CHECK(d.message);
  }
}

TEST_CASE("CRLF, a byte-order mark and a missing last newline change nothing") {
  for (const std::string& text : samples()) {
    std::string other = "\xef\xbb\xbf";
    for (char c : text) other += c == '\n' ? std::string("\r\n") : std::string(1, c);
    while (other.ends_with("\r\n")) other.resize(other.size() - 2);
    const ParsedFile a = parse(text), b = parse(other);
    CHECK(all_diagnostics(b).empty());
    REQUIRE(a.items.size() == b.items.size());
    for (std::size_t i = 0; i < a.items.size(); ++i) {
      CHECK(a.items[i].item->exprs.size() == b.items[i].item->exprs.size());
      CHECK(a.items[i].item->documentation == b.items[i].item->documentation);
    }
  }
}

TEST_CASE("syntax errors stand where a reader looks") {
  CHECK(only_error("  let x = A[0\n  A[1] = 2.0") == "0: expected `]` to close the subscript opened here");
  CHECK(only_error("  let y = (A[0] + 1.0\n  A[1] = 2.0") == "0: expected `)` to close the parenthesis opened here");
  CHECK(only_error("  let z = A[1 :]") == "1 :: a range needs an end: write `1 :+ n` for `n` elements from `1`");
  CHECK(only_error("  if A[0] > 0.0 {\n  }\n  else {\n  }") == "else: `else` stands on the line of the `}` that it follows");
  CHECK(only_error("  let q = 1 +") == "+: expected a value behind `+`");
  CHECK(only_error("  A[0] = A[0] @ A[1]") == "@: unexpected `@`: the matrix product of two tiles is `dot(a, b)`");
  CHECK(only_error("  let a = 1 let b = 2") == " : expected a new line or `;` between two statements");
  CHECK(only_error("  let a") == "a: expected `=` and a value");
  CHECK(only_error("  1 = 2") == "1: expected a name or an element of one to assign to");
  CHECK(only_error("  let b = 1 < 2 < 3") == "<: comparisons do not chain; join two of them with `&&`");
  CHECK(only_error("  let n = 99999999999999999999") == "99999999999999999999: `99999999999999999999` is too large: the largest integer is 9223372036854775807");
}

TEST_CASE("text that is no item is reported once") {
  const auto found = all_diagnostics(parse("hello world\nand more\nkernel k() { }\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].location.span == Span{0, 11});
}

TEST_CASE("what stands on an attribute's line belongs to the kernel below it") {
  for (const std::string attribute : {"@launch(64", "@launch 64", "@launch[64]", "@launch(64);", "@launch: 64", "@@launch(64)"}) {
    const ParsedFile file = parse(attribute + "\nkernel good() { }\n");
    REQUIRE_MESSAGE(file.items.size() == 1, attribute);
    const Item& item = *file.items[0].item;
    CHECK_MESSAGE(item.name.text == "good", attribute);
    REQUIRE_MESSAGE(item.attributes.size() == 1, attribute);
    REQUIRE_MESSAGE(item.attributes[0].arguments.size() == 1, attribute);
    CHECK_MESSAGE(std::get<std::int64_t>(item.attributes[0].arguments[0].value) == 64, attribute);
    CHECK_MESSAGE(all_diagnostics(file).size() == 1, attribute);
  }
}

TEST_CASE("arithmetic of an attribute has each operand before its operator") {
  const ParsedFile file = parse("@launch(TM * 2 + (TN - 32) / 4)\nkernel k() { }\n");
  CHECK(all_diagnostics(file).empty());
  const auto& steps = std::get<ConstantExpr>(file.items[0].item->attributes[0].arguments[0].value).steps;
  std::string text;
  for (const ConstantExpr::Step& step : steps) {
    if (const auto* name = std::get_if<std::string>(&step.what)) text += *name + " ";
    else if (const auto* number = std::get_if<std::int64_t>(&step.what)) text += std::to_string(*number) + " ";
    else text += std::string(spelling(std::get<BinaryOp>(step.what))) + " ";
  }
  CHECK(text == "TM 2 * TN 32 - 4 / + ");
}

TEST_CASE("a definition as other languages begin one is an item") {
  for (const std::string head : {"def f", "func f", "function f", "float f", "__device__ float f", "pub fn f", "static inline float f"}) {
    const ParsedFile file = parse("kernel k() { }\n" + head + "(a: f32) {\n  return a\n}\nkernel l() { }\n");
    REQUIRE_MESSAGE(file.items.size() == 3, head);
    CHECK_MESSAGE(file.items[1].item->name.text == "f", head);
    CHECK_MESSAGE(file.items[1].item->form == Item::Form::Function, head);
    CHECK_MESSAGE(file.items[1].item->body.size() == 1, head);
    CHECK_MESSAGE(all_diagnostics(file).size() == 1, head);
  }
  for (const std::string head : {"kernal k", "Kernel k", "__global__ void k", "void k", "extern \"C\" __global__ void k"}) {
    const ParsedFile file = parse(head + "(a: tensor<f32>[8]) {\n  a[0] = 1.0\n}\n");
    REQUIRE_MESSAGE(file.items.size() == 1, head);
    CHECK_MESSAGE(file.items[0].item->form == Item::Form::Kernel, head);
    CHECK_MESSAGE(all_diagnostics(file).size() == 1, head);
  }
}

TEST_CASE("a carriage return alone ends a line, with one error") {
  const ParsedFile file = parse("kernel k() {\r  // note\r  let a = 1\r  let b = 2\r}\r");
  REQUIRE(file.items.size() == 1);
  CHECK(file.items[0].item->body.size() == 2);
  const auto found = all_diagnostics(file);
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].fixes.size() == 1);
  CHECK(found[0].fixes[0].edits.size() == 4);
}

TEST_CASE("an error in one item leaves the others alone") {
  const std::string good = "kernel good() {\n  let _x = 1\n}\n";
  for (const std::string broken : {"kernel bad( {\n", "kernel bad() {\n  let x = ((1\n", "kernel bad() {\n  if {\n", "fn", "kernel bad() }}}\n"}) {
    const ParsedFile file = parse(broken + "\n" + good);
    CHECK_MESSAGE(!all_diagnostics(file).empty(), broken);
    REQUIRE_MESSAGE(!file.items.empty(), broken);
    const Item& last = *file.items.back().item;
    CHECK_MESSAGE(last.name.text == "good", broken);
    CHECK_MESSAGE(last.body.size() == 1, broken);
    CHECK_MESSAGE(last.diagnostics.empty(), broken);
  }
}

TEST_CASE("every prefix and every missing token is an error, and none is a crash") {
  for (const std::string& text : samples()) {
    for (std::size_t n = 0; n <= text.size(); ++n) parse(std::string_view(text).substr(0, n));
    const std::size_t brace = text.rfind('}');
    for (std::size_t n = text.find("kernel"); n < brace; n += 3) {
      const auto found = all_diagnostics(parse(std::string_view(text).substr(0, n)));
      CHECK_MESSAGE(!found.empty(), text.substr(0, n));
    }
    for (std::size_t n = 0; n < text.size(); ++n)
      if (std::string_view("()[]{}").find(text[n]) != std::string_view::npos && text.rfind("//", n) > n) {
        const std::string without = text.substr(0, n) + text.substr(n + 1);
        CHECK_MESSAGE(!all_diagnostics(parse(without)).empty(), without);
      }
  }
}

TEST_CASE("nesting has a limit, long chains have another") {
  const std::string deep(100000, '(');
  const auto found = all_diagnostics(parse("kernel k() {\n  let x = " + deep + "\n}\n"));
  REQUIRE(!found.empty());
  CHECK(found[0].code == diag::Code::NestingTooDeep);
  std::string chain = "1";
  for (int i = 0; i < 200; ++i) chain += " + 1";
  CHECK(all_diagnostics(parse("kernel k() {\n  let x = " + chain + "\n}\n")).empty());
  for (int i = 0; i < 20000; ++i) chain += " + 1";
  CHECK(all_diagnostics(parse("kernel k() {\n  let x = " + chain + "\n}\n")).size() == 1);
}

TEST_CASE("bytes of any kind are survived, and spans stay inside the text") {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text = samples()[round % samples().size()];
    for (int k = 0; k < 1 + round % 6; ++k) {
      const std::size_t at = random() % (text.size() + 1);
      switch (random() % 3) {
        case 0: text.insert(at, 1, static_cast<char>(random())); break;
        case 1: text.erase(at, random() % 9); break;
        default: text.insert(at, samples()[random() % samples().size()].substr(random() % 200, random() % 20)); break;
      }
    }
    for (const auto& d : all_diagnostics(parse(text))) {
      CHECK(d.location.span.begin <= d.location.span.end);
      CHECK(d.location.span.end <= text.size());
      CHECK(!d.message.empty());
    }
  }
}

TEST_CASE("reparsing gives what a fresh parse gives and keeps untouched items") {
  std::mt19937 random(11);
  std::string text;
  for (int i = 0; i < 3; ++i)
    for (const std::string& s : samples()) text += s;
  Parser parser;
  parser.parse(text);
  const auto describe = [](const ParsedFile& file) {
    std::string result;
    for (const ParsedItem& each : file.items)
      result += fmt::format("{}-{} {} {} {}\n", each.span.begin, each.span.end, each.item->name.text, each.item->exprs.size(), each.item->stmts.size());
    for (const auto& d : all_diagnostics(file)) result += fmt::format("{}-{} {}\n", d.location.span.begin, d.location.span.end, d.message);
    return result;
  };
  for (int round = 0; round < 400; ++round) {
    const std::size_t at = random() % text.size();
    if (random() % 2) text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), "()[]{}=+,:;\n xk1"[random() % 16]);
    else text.erase(at, 1 + random() % 3);
    const ParsedFile again = parser.parse(text);
    CHECK(describe(again) == describe(parse(text)));
    CHECK(again.parsed <= 3);
  }
}
