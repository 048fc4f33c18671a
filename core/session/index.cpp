#include "index.h"

#include <algorithm>

namespace phobos::session {

namespace {

bool is_named(const syntax::Item& item) { return !item.name.missing && !item.name.text.empty(); }
bool is_function(const ItemPointer& item) { return item && item->form == syntax::Item::Form::Function; }

}  // namespace

void Index::update(const std::vector<syntax::ParsedItem>& items, const syntax::ItemsChange& change, const std::vector<ItemPointer>& before) {
  std::vector<std::string_view> names;  // the items' own
  const auto note = [&](const ItemPointer& item) {
    if (is_named(*item)) names.push_back(item->name.text);
  };
  for (const ItemPointer& item : before) note(item);
  for (const syntax::ParsedItem& parsed : change.items) note(parsed.item);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());

  std::vector<bool> were_functions;
  for (const std::string_view name : names) were_functions.push_back(is_function(meaning(name)));
  for (const ItemPointer& item : before) forget(item);
  place(items, change, before);
  for (const syntax::ParsedItem& parsed : change.items) define(parsed.item);

  concerned_.clear();
  bool other_functions = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    concern(names[i]);
    if (is_function(meaning(names[i])) != were_functions[i]) other_functions = true;
  }
  if (!other_functions) return;
  functions_.reset();
  concerned_.insert(functions_askers_.begin(), functions_askers_.end());
}

void Index::place(const std::vector<syntax::ParsedItem>& items, const syntax::ItemsChange& change, const std::vector<ItemPointer>& before) {
  for (const ItemPointer& item : before) places_.erase(item.get());
  const std::size_t end = change.removed == change.items.size() ? change.first + change.removed : items.size();
  for (std::size_t i = change.first; i < end; ++i) places_[items[i].item.get()] = i;
}

void Index::define(const ItemPointer& item) {
  if (!is_named(*item)) return;
  std::vector<ItemPointer>& definitions = names_[item->name.text].definitions;
  definitions.push_back(item);
  if (definitions.size() == 2) repeated_.insert(item->name.text);
}

void Index::forget(const ItemPointer& item) {
  if (!is_named(*item)) return;
  const auto entry = names_.find(item->name.text);
  std::vector<ItemPointer>& definitions = entry->second.definitions;
  *std::find(definitions.begin(), definitions.end(), item) = definitions.back();
  definitions.pop_back();
  if (definitions.size() == 1) repeated_.erase(entry->first);
  drop_if_empty(entry);
}

void Index::concern(std::string_view name) {
  const auto entry = names_.find(name);
  if (entry != names_.end()) concerned_.insert(entry->second.askers.begin(), entry->second.askers.end());
}

void Index::drop_if_empty(Entries::iterator entry) {
  if (entry->second.definitions.empty() && entry->second.askers.empty()) names_.erase(entry);
}

ItemPointer Index::first_of(const Entry& entry) const {
  if (entry.definitions.empty()) return nullptr;
  if (entry.definitions.size() == 1) return entry.definitions.front();
  return *std::min_element(entry.definitions.begin(), entry.definitions.end(),
                           [&](const ItemPointer& a, const ItemPointer& b) { return place_of(*a) < place_of(*b); });
}

ItemPointer Index::meaning(std::string_view name) const {
  const auto entry = names_.find(name);
  return entry == names_.end() ? nullptr : first_of(entry->second);
}

FunctionNames Index::functions() const {
  const std::lock_guard lock(making_functions_);
  if (functions_) return functions_;
  std::vector<std::string> names;
  for (const auto& [name, entry] : names_)
    if (is_function(first_of(entry))) names.push_back(name);
  return functions_ = function_names(std::move(names));
}

std::vector<std::vector<ItemPointer>> Index::repeated() const {
  std::vector<std::vector<ItemPointer>> result;
  for (const std::string& name : repeated_) {
    std::vector<ItemPointer>& definitions = result.emplace_back(names_.find(name)->second.definitions);
    std::sort(definitions.begin(), definitions.end(), [&](const ItemPointer& a, const ItemPointer& b) { return place_of(*a) < place_of(*b); });
  }
  return result;
}

void Index::asks(const syntax::Item& asker, const Memo& memo) {
  for (const auto& [name, meaning] : memo.asked) names_[name].askers.insert(&asker);
  if (memo.functions) functions_askers_.insert(&asker);
}

void Index::asks_no_more(const syntax::Item& asker, const Memo& memo) {
  functions_askers_.erase(&asker);
  for (const auto& [name, meaning] : memo.asked) {
    const auto entry = names_.find(name);
    entry->second.askers.erase(&asker);
    drop_if_empty(entry);
  }
}

}  // namespace phobos::session
