// What may stand at a place, and how the call there is made.
#include <algorithm>
#include <filesystem>

#include <phobos/ide/completion.h>
#include <phobos/ide/signature_help.h>
#include <phobos/server/lsp/answers.h>
#include <phobos/server/lsp/uri.h>

#include "features.h"

namespace phobos::server {

namespace {

constexpr std::size_t most_entries = 1000;  // of a folder; more nobody reads

// The folder beside the document, or in it or above it, or from the root.
ide::ListFolder lister_of(const std::string& uri) {
  const std::optional<std::string> path = lsp::path_of_uri(uri);
  if (!path) return {};
  return [own = std::filesystem::path(*path).parent_path()](std::string_view folder) {
    std::vector<std::string> names;
    std::error_code fault;
    for (std::filesystem::directory_iterator at(own / folder, fault), end; !fault && at != end && names.size() < most_entries; at.increment(fault)) {
      std::string name = at->path().filename().string();
      std::error_code unknown;
      if (name.starts_with('.')) continue;
      if (at->is_directory(unknown)) name += '/';
      names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
  };
}

}  // namespace

bool completion_reads_disk(std::string_view text, const lsp::Border& border, const Json& params) {
  try {
    return ide::completes_files(text, border.offset(lsp::position_params(params).position));
  } catch (const lsp::InvalidParams&) {  // told where it is answered
    return false;
  }
}

void completion(const Asked& asked, const Json& params, std::string& out) {
  const std::uint32_t offset = asked.border().offset(lsp::position_params(params).position);
  // A slash divides, and begins a comment, but in paths.
  if (lsp::trigger_of(params) == "/" && !ide::completes_files(asked.snapshot.text(), offset)) {
    out += "null";
    return;
  }
  lsp::append_completions(out, ide::completions(asked.file(), offset, lister_of(asked.document.uri)), asked.document.uri, asked.client, asked.border());
}

Json completion_resolve(const Asked& asked, const Json& item) {
  const auto offered = lsp::offered_item(item);
  if (!offered) return item;
  return lsp::documented(item, ide::completion_documentation(asked.file(), offered->at, offered->sort, offered->label));
}

Json signature_help(const Asked& asked, const Json& params) {
  const auto help = ide::signature_help(asked.file(), asked.border().offset(lsp::position_params(params).position));
  return help ? lsp::signature_result(*help) : Json(nullptr);
}

}  // namespace phobos::server
