// What tuning found, and how far it got, in the folder of the cache: small files, each whole or not there, of which a damaged one is none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phobos::launch {

struct Winner {
  std::vector<std::pair<std::string, std::int64_t>> constants;  // that were searched
  double milliseconds = 0;
};

class TuningStore {
 public:
  TuningStore() = default;  // holds nothing
  explicit TuningStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // Where the code cache is.
  static TuningStore from_environment();

  std::optional<Winner> winner(const std::string& key) const;
  void keep(const std::string& key, const Winner& winner) const;

  // Of a search that has not ended: whatever it wrote.
  std::optional<std::string> state(const std::string& key) const;
  void keep_state(const std::string& key, std::string_view state) const;
  void forget_state(const std::string& key) const;

 private:
  std::optional<std::string> read(const std::string& key, std::string_view suffix) const;
  void write(const std::string& key, std::string_view suffix, std::string_view content) const;
  std::filesystem::path path_of(const std::string& key, std::string_view suffix) const;

  std::filesystem::path folder_;
};

using Constants = std::vector<std::pair<std::string, std::int64_t>>;
// What a kernel's winner is found by: its text without comments, the chip, the constants that were not searched, and of each dimension
// its size to the power of two.
std::string winner_key(std::string_view kernel_text, std::string_view chip, const Constants& fixed, const std::vector<std::int64_t>& dimensions);
// A text without its lines that are comments.
std::string without_comments(std::string_view text);

}  // namespace phobos::launch
