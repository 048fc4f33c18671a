#include "analyse.h"

#include <algorithm>

namespace phobos::session {

std::shared_ptr<const Memo> analyse(ItemPointer item, const Names& names, const sema::Options& options) {
  auto memo = std::make_shared<Memo>();
  sema::Environment environment;
  environment.find = [&](std::string_view name) -> ItemPointer {
    const auto found = names.find(name);
    ItemPointer meaning = found == names.end() ? nullptr : found->second.item;
    const auto same = [&](const auto& entry) { return entry.first == name; };
    if (std::none_of(memo->asked.begin(), memo->asked.end(), same)) memo->asked.emplace_back(std::string(name), meaning);
    return meaning;
  };
  auto analysis = std::make_shared<Analysis>();
  analysis->checked = sema::check(std::move(item), environment, options);
  if (!options.stop.stop_requested()) analysis->kinds = uniformity::analyse(analysis->checked, options.stop);
  memo->analysis = std::move(analysis);
  return memo;
}

bool still_holds(const Memo& memo, const Names& names) {
  return std::all_of(memo.asked.begin(), memo.asked.end(), [&](const auto& entry) {
    const auto found = names.find(entry.first);
    return (found == names.end() ? nullptr : found->second.item) == entry.second;
  });
}

ItemView view_of(std::shared_ptr<const Analysis> analysis, Span span, const Names& names) {
  ItemView view{span.begin, span, std::move(analysis), {span.begin}};
  for (const ItemPointer& function : view.analysis->checked.functions) {
    const auto found = names.find(function->name.text);
    view.origins.push_back(found == names.end() ? span.begin : found->second.offset);
  }
  return view;
}

}  // namespace phobos::session
