// What can be said of a place in an item. `hover` finds the facts, `wording` puts them into Markdown; neither knows of a file,
// so positions stay relative to the item, and whoever asks says which line a location is on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <phobos/ide/file.h>
#include <phobos/sema/facts.h>
#include <phobos/uniformity/uniformity.h>

namespace phobos::ide {

// A name, or an expression that has no name.
struct ValueFacts {
  std::string declaration;  // `let x: f32`, `A: tensor<f32>[M, K]`, `a * b: f32`
  std::string note;         // what sort of thing it is, where that is not plain from the declaration; may be empty
  std::string documentation;
  std::optional<sema::Constant> constant;
  sema::Facts known;         // of an integer that is no constant
  std::optional<Kind> kind;  // none: a tensor, or code that is wrong
  bool unknown = false;      // its type is not known: the code is wrong
  bool is_tile = false;
  std::vector<uniformity::Step> reason;  // why it is not uniform, from effect to source
};
struct BuiltinFacts {
  const builtins::Row* row = nullptr;
};
struct CtxFacts {
  const builtins::CtxRow* row = nullptr;
  std::optional<sema::Constant> constant;
};
struct WordFacts {  // an attribute or a type
  std::string_view form;  // `@launch(threads[, minBlocks[, maxRegs]])`
  std::string_view documentation;
  std::string_view choices;  // what an attribute takes, and what holds without it
};
struct ItemFacts {  // a kernel or a function
  std::string signature;
  std::string documentation;
};

struct HoverFacts {
  Span range;  // of the item
  std::variant<ValueFacts, BuiltinFacts, CtxFacts, WordFacts, ItemFacts> about;
  bool stale = false;  // it was known before the item was broken
};

// The facts for the smallest thing at an offset of the item, any offset; none where there is nothing to say.
std::optional<HoverFacts> hover(const sema::CheckedItem& item, const uniformity::Result& kinds, std::uint32_t offset);

// The same of a place of a file, a run line or a broken item too. `range` is of the file; locations are of `owner`.
struct Hovered {
  HoverFacts facts;
  const ItemView* owner = nullptr;
};
std::optional<Hovered> hover(const File& file, std::uint32_t offset);

// Where a location is, to a reader.
struct ReaderPlace {
  std::uint32_t line = 1;  // from one
  std::string link;        // an address; empty: none
};
// Markdown.
std::string wording(const HoverFacts& facts, const std::function<ReaderPlace(Location)>& place_of);

}  // namespace phobos::ide
