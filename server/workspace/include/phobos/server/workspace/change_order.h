// Changes of a text in the order of their versions. An editor that sends two changes in the wrong order (Helix 25.01 does, where they
// are typed fast) means the first one's places in the text before the second; so what came too early is taken back for a moment.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <phobos/session/session.h>
#include <phobos/source/span.h>

namespace phobos::server {

struct TextChange {
  std::function<Span(const session::Session&)> where;  // in the text as it is then; null: the whole text
  std::string text;
};

class ChangeOrder {
 public:
  using Edited = std::function<void(const Edit&)>;

  // Makes the changes of one message; `edited` is told of each edit, before it is made. `before` is the text's version so far. True
  // where the message was late: later ones had come already, and there was room for it between their versions.
  bool make(session::Session& session, std::vector<TextChange> changes, std::optional<std::int64_t> before,
            std::optional<std::int64_t> version, const Edited& edited);

 private:
  struct Step {
    std::int64_t before, version;
    std::vector<TextChange> changes;
    std::vector<Edit> back;  // what takes them back, in the order of the changes
    bool whole() const;
    std::size_t bytes() const;
  };
  static void redo(session::Session& session, Step& step, const Edited& edited);
  static void undo(session::Session& session, Step& step, const Edited& edited);
  void forget_old();

  std::deque<Step> steps_;  // the last ones
};

}  // namespace phobos::server
