#include <phobos/server/workspace/workspace.h>

#include <algorithm>

namespace phobos::server {

namespace {

using namespace std::chrono_literals;

constexpr Clock::duration quick = 5ms;
constexpr Clock::duration longest_wait = 150ms;
constexpr std::size_t quick_items = 24u << 10;  // bytes that are analysed in some 5 ms

}  // namespace

void Document::schedule(Clock::time_point now, std::size_t new_bytes) {
  bulk = bulk || new_bytes > quick_text;
  failed = false;
  const bool at_once = last_rebuild < quick || (rebuilt_much && is_quick());
  due = at_once ? now : now + std::min(last_rebuild, longest_wait);
  ++changes;
}

bool Document::is_quick() { return failed || (!bulk && session.due() <= quick_items); }

Document* Workspace::find(const std::string& identity) {
  const auto found = documents_.find(identity);
  return found == documents_.end() ? nullptr : found->second.get();
}

Document& Workspace::open(std::string identity, std::string uri, std::optional<std::int64_t> version, std::string text) {
  auto& document = documents_[identity];
  document = std::make_shared<Document>(identity, std::move(uri), version, std::move(text));
  return *document;
}

std::shared_ptr<Document> Workspace::close(const std::string& identity) {
  const auto closed = documents_.extract(identity);
  return closed ? std::move(closed.mapped()) : nullptr;
}

std::optional<Clock::time_point> Workspace::next_due() const {
  std::optional<Clock::time_point> next;
  for (const auto& [identity, document] : documents_)
    if (document->due && !document->away && (!next || *document->due < *next)) next = document->due;
  return next;
}

std::vector<std::shared_ptr<Document>> Workspace::due_at(Clock::time_point now) {
  std::vector<std::shared_ptr<Document>> due;
  for (const auto& [identity, document] : documents_)
    if (document->due && !document->away && *document->due <= now) due.push_back(document);
  return due;
}

}  // namespace phobos::server
