#include "expected.h"

#include <algorithm>
#include <memory>

#include <phobos/sema/check.h>
#include <phobos/syntax/parser.h>

namespace phobos::edits {

Dependencies::Dependencies(std::string_view text) {
  const syntax::ParsedFile file = syntax::Parser().parse(text);
  std::map<std::string_view, std::shared_ptr<const syntax::Item>> names;
  for (const syntax::ParsedItem& parsed : file.items) {
    const syntax::Name& name = parsed.item->name;
    if (!name.missing && !name.text.empty() && !names.try_emplace(name.text, parsed.item).second) repeated_ = true;
  }
  std::vector<std::string> functions;
  for (const auto& [name, item] : names)
    if (item->form == syntax::Item::Form::Function) functions.emplace_back(name);
  std::sort(functions.begin(), functions.end());
  for (const syntax::ParsedItem& parsed : file.items) {
    Item item;
    sema::Environment environment;
    environment.find = [&](std::string_view name) -> std::shared_ptr<const syntax::Item> {
      const auto found = names.find(name);
      if (found == names.end()) item.asked[std::string(name)] = std::nullopt;
      else item.asked[std::string(name)] = found->second->text;
      return found == names.end() ? nullptr : found->second;
    };
    environment.functions = [&]() -> const std::vector<std::string>& {
      item.functions = functions;
      return functions;
    };
    sema::check(parsed.item, environment);
    items_.emplace(parsed.item->text, std::move(item));
  }
}

std::size_t Dependencies::changed_since(const Dependencies& before) const {
  std::multimap<std::string, Item> left = before.items_;
  std::size_t changed = 0;
  for (const auto& [text, item] : items_) {
    const auto same = left.find(text);
    if (same == left.end() || same->second != item) ++changed;
    if (same != left.end()) left.erase(same);
  }
  return changed;
}

}  // namespace phobos::edits
