// Which item of a file is where, what each name means, and which items asked for it. A name means its first definition. All that
// an edit costs here is what it costs for the items that came and went.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <phobos/syntax/parser.h>

#include "analyse.h"

namespace phobos::session {

class Index final : public Surroundings {
 public:
  using Askers = std::unordered_set<const syntax::Item*>;

  // `items` are those of the file as it is now, of which `change` tells what is new; `before` are the ones that it removed.
  void update(const std::vector<syntax::ParsedItem>& items, const syntax::ItemsChange& change, const std::vector<ItemPointer>& before);

  ItemPointer meaning(std::string_view name) const override;
  FunctionNames functions() const override;
  std::size_t place_of(const syntax::Item& item) const { return places_.at(&item); }
  bool has(const syntax::Item& item) const { return places_.contains(&item); }

  // Of the names of the items that came and went in the last update: those who asked for one, or for all functions if their names
  // are other ones than before. What they know may be out of date.
  const Askers& concerned() const { return concerned_; }
  // The names with several definitions, each with those in order.
  std::vector<std::vector<ItemPointer>> repeated() const;

  void asks(const syntax::Item& asker, const Memo& memo);
  void asks_no_more(const syntax::Item& asker, const Memo& memo);

 private:
  struct Entry {
    std::vector<ItemPointer> definitions;  // in no order
    Askers askers;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Entries = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

  void place(const std::vector<syntax::ParsedItem>& items, const syntax::ItemsChange& change, const std::vector<ItemPointer>& before);
  void define(const ItemPointer& item);
  void forget(const ItemPointer& item);
  void concern(std::string_view name);
  void drop_if_empty(Entries::iterator entry);
  ItemPointer first_of(const Entry& entry) const;

  std::unordered_map<const syntax::Item*, std::size_t> places_;
  Entries names_;
  std::set<std::string, std::less<>> repeated_;
  Askers functions_askers_, concerned_;
  mutable std::mutex making_functions_;
  mutable FunctionNames functions_;  // null: not made since they changed
};

}  // namespace phobos::session
