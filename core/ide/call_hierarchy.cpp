#include <phobos/ide/call_hierarchy.h>

#include <algorithm>

#include <phobos/ide/navigation.h>

#include "signature.h"

namespace phobos::ide {

namespace {

CallItem item_of(const ItemView& view) {
  const syntax::Item& item = view.item();
  return {item.name.text, signature_of(item).label, view.span, view.absolute(item.name.span)};
}

bool is_call(const Index& index, const Occurrence& each) {
  return index[each.symbol].form == Symbol::Form::Item && each.role != Role::Declaration;
}

}  // namespace

std::optional<CallItem> call_item(const File& file, std::uint32_t offset) {
  const auto subject = subject_at(file, offset);
  if (!subject || subject->what().form != Symbol::Form::Item) return std::nullopt;
  const ItemView* view = subject->role == Role::Declaration ? subject->item : file.named(subject->what().name);
  return view == nullptr ? std::nullopt : std::optional(item_of(*view));
}

std::vector<Call> incoming_calls(const File& file, std::string_view name) {
  std::vector<Call> calls;
  for (const ItemView& view : file.items) {
    if (view.item().text.find(name) == std::string::npos || view.item().name.missing) continue;
    const Index& index = view.index();
    Call call{item_of(view), {}};
    for (const Occurrence& each : index.occurrences)
      if (is_call(index, each) && index[each.symbol].name == name) call.places.push_back(view.absolute(each.span));
    if (!call.places.empty()) calls.push_back(std::move(call));
  }
  return calls;
}

std::vector<Call> outgoing_calls(const File& file, std::string_view name) {
  std::vector<Call> calls;
  const ItemView* view = file.named(name);
  if (view == nullptr) return calls;
  const Index& index = view->index();
  for (const Occurrence& each : index.occurrences) {
    if (!is_call(index, each)) continue;
    const ItemView* other = file.named(index[each.symbol].name);
    if (other == nullptr) continue;
    const Span place = view->absolute(each.span);
    const auto known = std::find_if(calls.begin(), calls.end(), [&](const Call& call) { return call.other.name == index[each.symbol].name; });
    if (known != calls.end()) known->places.push_back(place);
    else calls.push_back({item_of(*other), {place}});
  }
  return calls;
}

}  // namespace phobos::ide
