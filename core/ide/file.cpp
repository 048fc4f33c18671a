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

void Names::make(std::span<const ItemView> items) const {
  std::call_once(making_, [&] {
    first_.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      const syntax::Item& item = items[i].item();
      if (item.name.missing || !first_.try_emplace(item.name.text, i).second) continue;
      if (!items[i].is_kernel()) functions_.push_back({item.name.text, i});
    }
  });
}

std::size_t Names::first(std::string_view name, std::span<const ItemView> items) const {
  make(items);
  const auto found = first_.find(name);
  return found == first_.end() ? none : found->second;
}

const std::vector<Names::Function>& Names::functions(std::span<const ItemView> items) const {
  make(items);
  return functions_;
}

const ItemView* File::item_at(std::uint32_t offset) const {
  const auto after = std::upper_bound(items.begin(), items.end(), offset, [](std::uint32_t at, const ItemView& item) { return at < item.span.begin; });
  if (after == items.begin()) return nullptr;
  const ItemView& item = *std::prev(after);
  return item.span.touches(offset) ? &item : nullptr;
}

const ItemView* File::named(std::string_view name) const {
  const std::size_t found = names.first(name, items);
  return found == Names::none ? nullptr : &items[found];
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
