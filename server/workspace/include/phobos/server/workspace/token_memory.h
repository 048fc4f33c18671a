// The tokens that a client was told last of a document, so that it need only be told what changed: by item, since an item whose text is
// the same has the same tokens, wherever it moved to.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <phobos/ide/semantic_tokens.h>

namespace phobos::server {

struct ItemTokens {
  std::shared_ptr<const ide::TokenRun> run;
  std::uint32_t down = 0, across = 0;  // where its first token is, from the token before
  bool operator==(const ItemTokens&) const = default;
};
// Of a document, without items that have no token.
std::vector<ItemTokens> tokens_of(const ide::File& file, const ide::TokenOptions& options);
// As the protocol numbers them, five numbers a token.
std::vector<std::uint32_t> data_of(std::span<const ItemTokens> items);

struct TokenEdit {
  std::size_t begin = 0, removed = 0;  // numbers of the data before
  std::vector<std::uint32_t> data;
};
TokenEdit difference(std::span<const ItemTokens> before, std::span<const ItemTokens> after);

class TokenMemory {
 public:
  // Keeps the tokens under a new name, which it gives.
  std::string keep(std::vector<ItemTokens> tokens);
  // The tokens kept last, if that is their name.
  bool kept(const std::string& name, std::vector<ItemTokens>& tokens) const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::vector<ItemTokens> tokens_;
};

}  // namespace phobos::server
