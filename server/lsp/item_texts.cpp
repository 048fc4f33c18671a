#include <phobos/server/lsp/item_texts.h>

#include <utility>

namespace phobos::server::lsp {

void ItemTexts::append_array(std::string& out, const session::Snapshot& snapshot, Encoding encoding, const Make& make) {
  const Border border(snapshot.text(), snapshot.lines(), encoding);
  const std::lock_guard lock(mutex_);
  std::unordered_map<const session::Analysis*, Entry> now;
  now.reserve(snapshot.items().size());
  out += '[';
  const std::size_t begin = out.size();
  for (const session::ItemView& item : snapshot.items()) {
    const Position start = border.position(item.offset);
    auto entry = now.find(item.analysis.get());
    if (entry == now.end()) {
      auto known = known_.extract(item.analysis.get());
      if (known && known.mapped().analysis.lock() == item.analysis) entry = now.insert(std::move(known)).position;
      else entry = now.emplace(item.analysis.get(), Entry{item.analysis, make(item, start)}).first;
    }
    if (entry->second.text.text.empty()) continue;
    append_comma(out, begin);
    entry->second.text.append_to(out, start);
  }
  out += ']';
  known_ = std::move(now);
}

}  // namespace phobos::server::lsp
