#include "analyse.h"

#include <algorithm>

#include "run_line_check.h"

namespace phobos::session {

FunctionNames function_names(std::vector<std::string> names) {
  if (names.size() > most_suggested) names.clear();
  std::sort(names.begin(), names.end());
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

std::shared_ptr<const Memo> analyse(ItemPointer item, const Surroundings& file, const sema::Options& options) {
  auto memo = std::make_shared<Memo>();
  sema::Environment environment;
  environment.functions = [&]() -> const std::vector<std::string>& {
    if (!memo->functions) memo->functions = file.functions();
    return *memo->functions;
  };
  environment.find = [&](std::string_view name) -> ItemPointer {
    const auto known = memo->asked.find(name);
    return known != memo->asked.end() ? known->second : memo->asked.emplace(name, file.meaning(name)).first->second;
  };
  auto analysis = std::make_shared<Analysis>();
  analysis->checked = sema::check(std::move(item), environment, options);
  for (diag::Diagnostic& found : check_run_lines(*analysis->checked.item)) analysis->checked.diagnostics.push_back(std::move(found));
  if (!options.stop.stop_requested()) analysis->kinds = uniformity::analyse(analysis->checked, options.stop);
  memo->analysis = std::move(analysis);
  return memo;
}

bool still_holds(const Memo& memo, const Surroundings& file) {
  const auto holds = [&](const auto& entry) { return file.meaning(entry.first) == entry.second; };
  if (!std::all_of(memo.asked.begin(), memo.asked.end(), holds)) return false;
  if (!memo.functions) return true;
  const FunctionNames functions = file.functions();
  return memo.functions == functions || *memo.functions == *functions;
}

bool same_questions(const Memo& a, const Memo& b) {
  return (a.functions == nullptr) == (b.functions == nullptr) &&
         std::equal(a.asked.begin(), a.asked.end(), b.asked.begin(), b.asked.end(), [](const auto& x, const auto& y) { return x.first == y.first; });
}

ItemView view_of(std::shared_ptr<const Analysis> analysis, Span span, const std::function<std::uint32_t(const syntax::Item&)>& offset_of) {
  ItemView view;
  view.offset = span.begin;
  view.span = span;
  view.clean = analysis->checked.item->diagnostics.empty() && analysis->checked.diagnostics.empty() && analysis->kinds.diagnostics.empty();
  view.origins.push_back(span.begin);
  for (const ItemPointer& function : analysis->checked.functions) view.origins.push_back(offset_of(*function));
  view.analysis = std::move(analysis);
  return view;
}

}  // namespace phobos::session
