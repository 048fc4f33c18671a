// One item's analysis, and what it depends on: the item itself, and what each name of the file that it asked for meant. Equal
// items are the same object (the parser sees to that), so that a pointer compared is a text compared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <phobos/session/session.h>

namespace phobos::session {

using ItemPointer = std::shared_ptr<const syntax::Item>;

struct Named {
  ItemPointer item;
  std::uint32_t offset = 0;
};
using Names = std::unordered_map<std::string_view, Named>;  // the keys are the items' own

struct Memo {
  std::shared_ptr<const Analysis> analysis;
  std::vector<std::pair<std::string, ItemPointer>> asked;  // null: there was nothing of that name
};

std::shared_ptr<const Memo> analyse(ItemPointer item, const Names& names, const sema::Options& options);
bool still_holds(const Memo& memo, const Names& names);

ItemView view_of(std::shared_ptr<const Analysis> analysis, Span span, const Names& names);

}  // namespace phobos::session
