// What was found in a saved text that only compiling or running it finds. It stays with the text as that is edited: places move with
// what they stand in, a finding whose own place is edited is dropped, and from the first edit on all of it is stale.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <phobos/source/span.h>

namespace phobos::server {

struct SavedFinding {
  Span span;
  int severity = 2;  // as in the protocol
  std::string code, message;
};

class SavedFindings {
 public:
  // `reports`: by kernel, what its code takes, in a few words.
  void replace(std::vector<SavedFinding> found, std::map<std::string, std::string> reports) {
    found_ = std::move(found);
    reports_ = std::move(reports);
    stale_ = false;
  }
  void edit(const Edit& edit) {
    stale_ = true;
    const auto moved = static_cast<std::int64_t>(edit.text.size()) - static_cast<std::int64_t>(edit.span.size());
    std::erase_if(found_, [&](const SavedFinding& each) { return each.span.begin < edit.span.end && edit.span.begin < each.span.end; });
    for (SavedFinding& each : found_)
      if (each.span.begin >= edit.span.end) each.span = each.span.shifted(moved);
  }
  void clear() {
    found_.clear();
    reports_.clear();
  }
  bool stale() const { return stale_; }
  const std::vector<SavedFinding>& found() const { return found_; }
  const std::map<std::string, std::string>& reports() const { return reports_; }

 private:
  std::vector<SavedFinding> found_;
  std::map<std::string, std::string> reports_;
  bool stale_ = false;
};

}  // namespace phobos::server
