// What completion offers, list by list.
#pragma once

#include <string>
#include <string_view>

#include <phobos/builtins/builtins.h>
#include <phobos/ide/completion.h>

#include "expected_type.h"

namespace phobos::ide {

class Offers {
 public:
  // `called`: a bracket stands behind the place, so that none is put in.
  Offers(const File& file, std::string_view typed, bool called) : file_(file), typed_(typed), called_(called) {}

  // `rank`: a letter, before which the list's own order comes.
  void add(char rank, CompletionItem item);
  void word(char rank, std::string_view label, std::string_view detail = {}, std::string_view snippet = {}, CompletionItem::Sort sort = CompletionItem::Sort::Word);
  // From here on, what a value is wanted to be: names and calls that are so come first.
  void expect(const Expected& wanted) { wanted_ = wanted; }
  void names_at(const ItemView& item, std::uint32_t offset, char rank);  // of the item
  void constants_at(const ItemView& item, std::uint32_t offset, char rank);  // those that an extent can be
  void functions(char rank);
  void builtins(char rank);
  void ctx_fields();
  void attributes(char rank, bool with_at);
  void scalar_types(char rank);
  void shaped_type(char rank, std::string_view name, std::string_view extents);

  std::vector<CompletionItem> take();
  bool incomplete() const { return incomplete_; }

 private:
  void name(const ItemView& item, const Symbol& symbol, char rank, int order);
  bool fits(std::string_view label) const;
  char ranked(char rank, bool wanted) const;

  const File& file_;
  std::string_view typed_;
  bool called_, incomplete_ = false;
  Expected wanted_;
  std::vector<CompletionItem> items_;
};

// `exp(${1:x})`: a call of a built-in, or of a function by its signature.
std::string call_snippet(const builtins::Row& row);
std::string call_snippet(const syntax::Item& function);

}  // namespace phobos::ide
