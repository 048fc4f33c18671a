// Which items of a text an edit is allowed to have analysed anew, found without the session: by checking each item of each text by
// itself and writing down what it asks of the rest of its file.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phobos::edits {

class Dependencies {
 public:
  explicit Dependencies(std::string_view text);

  // A name that is defined twice means its first definition, whose text may be that of another one before: whether that is a
  // change is nobody's business.
  bool has_repeated_names() const { return repeated_; }

  // How many items of this text are not what they were before: their own text is new, or the text of something that they ask
  // for is, or they asked for the names of all functions and those are other ones.
  std::size_t changed_since(const Dependencies& before) const;

 private:
  struct Item {
    std::map<std::string, std::optional<std::string>> asked;  // names, with the text of what they mean
    std::optional<std::vector<std::string>> functions;
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::multimap<std::string, Item> items_;  // by their text
  bool repeated_ = false;
};

}  // namespace phobos::edits
