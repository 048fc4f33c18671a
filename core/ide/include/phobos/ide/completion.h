// What may stand at a place. It is told by the words before the place and by what is declared there, so that it works in text that is
// half typed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct CompletionItem {
  // What it is; `key` below says which.
  enum class Sort : std::uint8_t { Value, Parameter, Dimension, Constant, Function, Builtin, Field, Attribute, Type, Keyword, Word, File };
  std::string label;
  Sort sort = Sort::Value;
  std::string detail;   // its type or its signature
  std::string kind;     // how it may differ between threads, where that is known
  std::string snippet;  // what is put in, with placeholders `${1:name}` and the end `$0`; empty: the label
  std::string rank;     // the smaller the better
};
struct Completions {
  Span replaced;  // of the file: what has been typed of the word
  std::uint32_t word_end = 0;  // where the word ends that the place is in
  std::vector<CompletionItem> items;  // the best first; only those that have the letters typed, in their order
  bool incomplete = false;  // there is more, which more letters will show
};
// What a folder has, by its path as a run line names it; folders end in a `/`.
using ListFolder = std::function<std::vector<std::string>(std::string_view folder)>;
// `list`: may be empty.
Completions completions(const File& file, std::uint32_t offset, const ListFolder& list = {});
// Whether the answer may be files of the disk.
bool completes_files(std::string_view text, std::uint32_t offset);

// What is to be read of an item that was offered at that place, as Markdown.
std::string completion_documentation(const File& file, std::uint32_t offset, CompletionItem::Sort sort, const std::string& label);

// A snippet as plain text.
std::string without_placeholders(std::string_view snippet);

}  // namespace phobos::ide
