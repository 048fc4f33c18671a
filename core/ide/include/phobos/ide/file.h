// A file as the features read it: its text and its items, each with what is known of it. A File is a view of a snapshot.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <phobos/ide/index.h>
#include <phobos/sema/checked.h>
#include <phobos/source/line_map.h>
#include <phobos/uniformity/uniformity.h>

namespace phobos::ide {

struct TokenRun;
struct TokenOptions {
  Encoding encoding = Encoding::Utf16;
  bool lexical = false;  // what the words alone say as well: comments, numbers, operators, keywords
  friend bool operator==(const TokenOptions&, const TokenOptions&) = default;
};
class LastGood;

// All that is known of one item. Spans in it are relative to the item.
struct Analysis {
  sema::CheckedItem checked;
  uniformity::Result kinds;

  // Made when it is first asked for, and kept as long as the rest. Any thread may ask.
  const Index& index() const;
  // `good`: of a broken item.
  std::shared_ptr<const TokenRun> token_run(const TokenOptions& options, const std::shared_ptr<const LastGood>& good) const;

 private:
  mutable std::once_flag making_index_;
  mutable std::unique_ptr<const Index> index_;
  mutable std::mutex making_tokens_;
  mutable std::shared_ptr<const TokenRun> tokens_;  // of what was asked for last
  mutable TokenOptions options_;
  mutable std::shared_ptr<const LastGood> good_;
};

// What was known of an item before its text, or that of a function it inlines, was broken; and what of that text is still there: it
// began and ended with the same bytes.
class LastGood {
 public:
  // `text`: of the item as it is now.
  LastGood(std::shared_ptr<const Analysis> analysis, std::string_view text);

  const Analysis& analysis() const { return *analysis_; }
  // Where a place of the item stood then, and where one of then stands now; none of what changed.
  std::optional<Span> then(Span now) const;
  std::optional<Span> now(Span then) const;
  // Whether nothing changed on the line of a place of then.
  bool keeps_line_of(std::uint32_t then) const;

 private:
  std::shared_ptr<const Analysis> analysis_;
  std::uint32_t front_ = 0, back_ = 0, size_ = 0, good_size_ = 0;
};

struct ItemView {
  std::uint32_t offset = 0;  // of the item's first byte in the file
  Span span;                 // absolute
  bool clean = false;        // there are no diagnostics of it
  std::shared_ptr<const Analysis> analysis;
  std::vector<std::uint32_t> origins;  // absolute offset of each Location::origin
  std::shared_ptr<const LastGood> good;  // of an item that is broken, and was not

  const syntax::Item& item() const { return *analysis->checked.item; }
  const sema::CheckedItem& checked() const { return analysis->checked; }
  const Index& index() const { return analysis->index(); }
  bool is_kernel() const { return item().form == syntax::Item::Form::Kernel; }
  Span absolute(Location location) const { return location.span.shifted(origins[location.origin]); }
  Span absolute(Span span) const { return span.shifted(offset); }
};

// Which item of a file has which name, made when it is first asked for. It is the same for all texts whose items have the same names in
// the same order, so that typing in a body leaves it as it is. Any thread may ask.
class Names {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // The place of the first item of that name.
  std::size_t first(std::string_view name, std::span<const ItemView> items) const;
  // The functions that have a name, the first of each, in source order. The names are here as well, side by side: who looks through all
  // of them does not go to each item.
  struct Function {
    std::string name;
    std::size_t place;
  };
  const std::vector<Function>& functions(std::span<const ItemView> items) const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  void make(std::span<const ItemView> items) const;

  mutable std::once_flag making_;
  mutable std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> first_;
  mutable std::vector<Function> functions_;
};

struct File {
  const std::string& text;
  const LineMap& lines;
  std::span<const ItemView> items;  // in source order
  const Names& names;

  // The item that an offset lies in or touches.
  const ItemView* item_at(std::uint32_t offset) const;
  // What the name of an item means: its first definition.
  const ItemView* named(std::string_view name) const;
  // The kernel that the run lines of an item belong to: the item itself, or the next kernel behind it.
  const ItemView* kernel_of_run_lines(const ItemView& item) const;
  // The items whose run lines are those of the kernel, in order.
  std::span<const ItemView> items_with_run_lines_of(const ItemView& kernel) const;
};

}  // namespace phobos::ide
