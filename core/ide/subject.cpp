#include <algorithm>

#include <phobos/ide/navigation.h>

namespace phobos::ide {

namespace {

// A name in one of the item's run lines, which speak of the kernel below.
std::optional<Subject> in_run_line(const File& file, const ItemView& item, std::uint32_t offset) {
  const std::vector<RunName>& names = item.index().run_names;
  const auto name = std::find_if(names.begin(), names.end(), [&](const RunName& each) { return each.span.touches(offset - item.offset); });
  if (name == names.end()) return std::nullopt;
  const ItemView* kernel = file.kernel_of_run_lines(item);
  if (kernel == nullptr) return std::nullopt;
  const SymbolId symbol = kernel->index().declared_by_head(std::string_view(item.item().text).substr(name->span.begin, name->span.size()));
  if (!symbol) return std::nullopt;
  return Subject{kernel, symbol, item.absolute(name->span), Role::Read, true};
}

}  // namespace

std::optional<Subject> subject_at(const File& file, std::uint32_t offset) {
  const ItemView* item = file.item_at(offset);
  if (item == nullptr) return std::nullopt;
  if (const Occurrence* there = item->index().at(offset - item->offset))
    return Subject{item, there->symbol, item->absolute(there->span), there->role, false};
  return in_run_line(file, *item, offset);
}

}  // namespace phobos::ide
