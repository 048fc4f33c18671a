// What was last told of each item of a document, so that an edit costs the text of the edited item.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <phobos/server/lsp/writer.h>
#include <phobos/session/session.h>

namespace phobos::server::lsp {

// Of one document and one client. Any thread may ask.
class ItemTexts {
 public:
  using Make = std::function<ItemText(const session::ItemView& item, Position start)>;
  // The items' texts as elements of an array; `make` is asked of those that are not known. What items had that are no more is forgotten.
  void append_array(std::string& out, const session::Snapshot& snapshot, Encoding encoding, const Make& make);

 private:
  struct Entry {
    std::weak_ptr<const session::Analysis> analysis;  // whose text it is: another one may have got its address. Nothing is kept alive
    ItemText text;
  };
  std::mutex mutex_;
  std::unordered_map<const session::Analysis*, Entry> known_;
};

}  // namespace phobos::server::lsp
