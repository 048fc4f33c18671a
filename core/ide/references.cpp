#include <algorithm>

#include <phobos/ide/navigation.h>

namespace phobos::ide {

namespace {

void add_run_lines(const File& file, const ItemView& kernel, const std::string& name, std::vector<Reference>& found) {
  for (const ItemView& item : file.items_with_run_lines_of(kernel))
    for (const RunName& each : item.index().run_names)
      if (item.item().text.compare(each.span.begin, each.span.size(), name) == 0) found.push_back({item.absolute(each.span), Role::Read, true});
}

// What is no item's own: it means the same wherever its name does. Only items whose text has the name are looked at.
void add_everywhere(const File& file, const Symbol& symbol, std::vector<Reference>& found) {
  for (const ItemView& item : file.items) {
    if (item.item().text.find(symbol.name) == std::string::npos) continue;
    const Index& index = item.index();
    for (const Occurrence& each : index.occurrences)
      if (index[each.symbol].form == symbol.form && index[each.symbol].name == symbol.name) found.push_back({item.absolute(each.span), each.role, false});
  }
}

}  // namespace

std::vector<Reference> references(const File& file, const Subject& subject) {
  std::vector<Reference> found;
  const Symbol& symbol = subject.what();
  const bool of_item = is_local(symbol.form) || symbol.form == Symbol::Form::Unknown;
  if (!of_item) {
    add_everywhere(file, symbol, found);
    return found;
  }
  const bool of_head = symbol.form <= Symbol::Form::Constant;
  if (of_head && subject.item->is_kernel()) add_run_lines(file, *subject.item, symbol.name, found);
  for (const Occurrence& each : subject.item->index().occurrences)
    if (each.symbol == subject.symbol) found.push_back({subject.item->absolute(each.span), each.role, false});
  return found;
}

std::vector<Reference> references(const File& file, std::uint32_t offset) {
  const auto subject = subject_at(file, offset);
  return subject ? references(file, *subject) : std::vector<Reference>{};
}

}  // namespace phobos::ide
