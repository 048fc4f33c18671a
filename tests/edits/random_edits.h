// Edits of the kinds that people make, at random: typing and taking back, lines and whole items moved about, brackets lost and
// found, comments, numbers, names. Not each leaves a valid text; most are one of a run that begins and ends with a valid one.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/source/span.h>

namespace phobos::edits {

class RandomEdits {
 public:
  explicit RandomEdits(std::uint32_t seed) : random_(seed) {}

  // An edit of `text`, which is what the edits before have made.
  Edit next(const std::string& text);

 private:
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % std::max<std::size_t>(bound, 1)); }
  Edit typed(const std::string& text);
  Edit of_line(const std::string& text);
  Edit of_item(const std::string& text);
  Edit of_token(const std::string& text);
  Edit of_character(const std::string& text);
  Span line_at(const std::string& text, std::uint32_t offset) const;
  Span item_at(const std::string& text, std::uint32_t offset) const;

  std::mt19937 random_;
  std::uint32_t caret_ = 0;
  std::string to_type_;     // what is being typed, the rest of it
  std::vector<Edit> back_;  // what takes the last edits back, the last one last
};

}  // namespace phobos::edits
