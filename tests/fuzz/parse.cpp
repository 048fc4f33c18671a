// Any bytes are a text, and its trees are well-formed; after each of a few edits, read from the end of the input, the trees that the
// parser has are those that a new parser makes.
#include <cstdint>
#include <string>

#include "dump.h"
#include "invariants.h"
#include "typing.h"

namespace {

std::string shown(const phobos::syntax::ParsedFile& file) {
  std::string text;
  for (const auto& parsed : file.items) text += std::to_string(parsed.span.begin) + " " + phobos::fuzz::dump(*parsed.item);
  for (const auto& diagnostic : file.diagnostics) text += std::to_string(diagnostic.location.span.begin) + " " + diagnostic.message + "\n";
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phobos;
  if (size > 20000) return 0;
  fuzz::Tail tail(std::string_view(reinterpret_cast<const char*>(data), size));
  std::string text(tail.rest());
  syntax::Parser parser;
  fuzz::expect_well_formed(parser.parse(text).items, text);
  for (std::uint32_t edits = tail.take(1) % 4; edits > 0; --edits) {
    const Edit edit = fuzz::next_edit(tail, text);
    const syntax::Unchanged same{edit.span.begin, text.size() - edit.span.end};
    text.replace(edit.span.begin, edit.span.size(), edit.text);
    syntax::ParsedFile edited;
    edited.diagnostics = parser.update(text, same).diagnostics;
    edited.items = parser.items();
    fuzz::expect_well_formed(edited.items, text);
    fuzz::expect_same_text(shown(edited), shown(syntax::Parser().parse(text)), text);
  }
  return 0;
}
