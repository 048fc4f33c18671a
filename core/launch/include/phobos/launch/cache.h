// Compiled code on disk. An entry is found by all that it was made of: the source, the kernel and its constants, the chip and the
// options, and the build of this program; it holds these beside the code, so that one found by a chance of its name's hash is none.
// It is written under another name and renamed: whole, or not there. One that is damaged, whatever way, is a miss. What was not used
// for longest goes when there is more than the bound. Nothing of this can fail a compilation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <phobos/ir/ir.h>
#include <phobos/nvptx/nvptx.h>

namespace phobos::launch {

class CodeCache {
 public:
  static constexpr std::uintmax_t default_bound = 256u << 20;

  CodeCache() = default;  // holds nothing
  explicit CodeCache(std::filesystem::path folder, std::uintmax_t bound = default_bound) : folder_(std::move(folder)), bound_(bound) {}
  // In PHOBOS_CACHE_DIR, else in the folder `phobos` of XDG_CACHE_HOME, else of ~/.cache; PHOBOS_CACHE_BYTES is its bound.
  static CodeCache from_environment();

  const std::filesystem::path& folder() const { return folder_; }  // empty: there is no cache
  std::uintmax_t bound() const { return bound_; }

  std::optional<nvptx::Compiled> find(const std::string& key) const;
  void store(const std::string& key, const nvptx::Compiled& compiled) const;

 private:
  std::filesystem::path path_of(const std::string& key) const;
  void make_room(std::uintmax_t bytes) const;

  std::filesystem::path folder_;
  std::uintmax_t bound_ = default_bound;
};

// All that the PTX of a kernel depends on. `options.source` is the text that the kernel was made of.
std::string code_key(const ir::Kernel& kernel, const nvptx::Options& options);
// What tells this build of the program from any other.
const std::string& build_identity();

// As launch::compile, by way of the cache. What is found there has no decisions.
nvptx::Outcome compile(const ir::Kernel& kernel, const nvptx::Options& options, const CodeCache& cache);

}  // namespace phobos::launch
