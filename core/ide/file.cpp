#include <phobos/ide/file.h>

#include <algorithm>

#include <phobos/ide/semantic_tokens.h>

namespace phobos::ide {

const Index& Analysis::index() const {
  std::call_once(making_index_, [this] { index_ = std::make_unique<const Index>(make_index(checked)); });
  return *index_;
}

std::shared_ptr<const TokenRun> Analysis::token_run(const TokenOptions& options, const std::shared_ptr<const LastGood>& good) const {
  const std::lock_guard lock(making_tokens_);
  if (!tokens_ || options_ != options || good_ != good) {
    tokens_ = std::make_shared<const TokenRun>(make_token_run(*this, options, good.get()));
    options_ = options;
    good_ = good;
  }
  return tokens_;
}

const ItemView* File::item_at(std::uint32_t offset) const {
  const auto after = std::upper_bound(items.begin(), items.end(), offset, [](std::uint32_t at, const ItemView& item) { return at < item.span.begin; });
  if (after == items.begin()) return nullptr;
  const ItemView& item = *std::prev(after);
  return item.span.touches(offset) ? &item : nullptr;
}

const ItemView* File::named(std::string_view name) const {
  const auto found = std::find_if(items.begin(), items.end(), [&](const ItemView& each) { return each.item().name.text == name && !each.item().name.missing; });
  return found == items.end() ? nullptr : &*found;
}

const ItemView* File::kernel_of_run_lines(const ItemView& item) const {
  const ItemView* const end = items.data() + items.size();
  const ItemView* const kernel = std::find_if(&item, end, [](const ItemView& each) { return each.is_kernel(); });
  return kernel == end ? nullptr : kernel;
}

std::span<const ItemView> File::items_with_run_lines_of(const ItemView& kernel) const {
  const ItemView* first = &kernel;
  while (first != items.data() && !std::prev(first)->is_kernel()) --first;
  return {first, &kernel + 1};
}

}  // namespace phobos::ide
