// What may stand at a place. It is told by the words before the place and by what is declared there, so that it works in text that is
// half typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct CompletionItem {
  // What it is; `key` below says which.
  enum class Sort : std::uint8_t { Value, Parameter, Dimension, Constant, Function, Builtin, Field, Attribute, Type, Keyword, Word };
  std::string label;
  Sort sort = Sort::Value;
  std::string detail;   // its type or its signature
  std::string kind;     // how it may differ between threads, where that is known
  std::string snippet;  // what is put in, with placeholders `${1:name}` and the end `$0`; empty: the label
  std::string rank;     // the smaller the better
};
struct Completions {
  Span replaced;  // of the file: what has been typed of the word
  std::vector<CompletionItem> items;  // the best first; only those that have the letters typed, in their order
  bool incomplete = false;  // there is more, which more letters will show
};
Completions completions(const File& file, std::uint32_t offset);

// What is to be read of an item that was offered at that place, as Markdown.
std::string completion_documentation(const File& file, std::uint32_t offset, CompletionItem::Sort sort, const std::string& label);

// A snippet as plain text.
std::string without_placeholders(std::string_view snippet);

}  // namespace phobos::ide
