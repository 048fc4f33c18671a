// What has been read and not yet been handled. One thread reads messages into it, another handles them strictly in order; what
// the reader may do ahead of that order is here and nowhere else:
//
//  * a cancellation marks its request, waiting or running, and stops the work on a running one;
//  * a newer edit of a document stops an analysis that was only for showing diagnostics of it: they would be stale.
//
// A request is answered for exactly the text that the edits sent before it made, so a newer edit does not stop it.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include <phobos/server/lsp/json.h>
#include <phobos/server/workspace/workspace.h>

namespace phobos::server {

class Inbox {
 public:
  struct Item {
    lsp::Message message;
    std::string edited;  // identity of the document that it changes; empty for other messages
    bool cancelled = false;
    std::stop_token stop;  // of a request
  };

  // From the reading thread.
  void push(lsp::Message message);
  void end();  // nothing more will come

  // From the handling thread. Waits until there is an item, the deadline passed (none), or the stream ended (none, and ended()).
  std::optional<Item> pop(std::optional<Clock::time_point> deadline);
  bool ended();
  void request_done();
  bool has_edit_of(const std::string& identity);
  // A token that the next edit of the document stops; stopped already if one waits.
  std::stop_token background(const std::string& identity);
  void background_done();

 private:
  void cancel(const lsp::Json& id);

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Item> items_;
  bool ended_ = false;
  std::map<std::string, int> edits_;  // waiting edits by document
  std::optional<lsp::Json> running_;  // id of the request that is being handled
  std::stop_source request_stop_;
  std::string background_;  // identity of the document that is being analysed for its diagnostics
  std::stop_source background_stop_;
};

}  // namespace phobos::server
