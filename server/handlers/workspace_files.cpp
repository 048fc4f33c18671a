#include "workspace_files.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <phobos/ide/symbols.h>
#include <phobos/server/lsp/answers.h>
#include <phobos/server/lsp/uri.h>
#include <phobos/session/session.h>

namespace phobos::server {

namespace {

namespace fs = std::filesystem;

// One that another program turns into a pipe between the look and the open does not block.
std::optional<std::string> text_of(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  struct stat about {};
  std::optional<std::string> text;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && static_cast<std::uintmax_t>(about.st_size) <= WorkspaceFiles::most_bytes) {
    text.emplace(static_cast<std::size_t>(about.st_size), '\0');
    std::size_t have = 0;
    for (ssize_t part; have < text->size() && (part = read(file, text->data() + have, text->size() - have)) > 0;) have += static_cast<std::size_t>(part);
    text->resize(have);
  }
  close(file);
  return text;
}

FileFacts facts_of(std::string text, const std::string& uri, const lsp::Settings& settings, Encoding encoding) {
  session::Session session(std::move(text));
  const std::shared_ptr<const session::Snapshot> snapshot = session.snapshot();
  const lsp::Border border(snapshot->text(), snapshot->lines(), encoding);
  std::vector<diag::Diagnostic> found = snapshot->diagnostics();
  std::erase_if(found, [&](diag::Diagnostic& each) { return !settings.admits(each); });
  FileFacts facts;
  facts.diagnostics = lsp::live_diagnostics(uri, found, border);
  lsp::add_workspace_symbols(ide::outline(snapshot->file()), uri, border, facts.symbols);
  return facts;
}

}  // namespace

std::vector<FileOnDisk> WorkspaceFiles::find(const std::vector<std::string>& folders, std::stop_token stop) {
  std::vector<FileOnDisk> found;
  std::set<std::string> seen;
  std::size_t looked_at = 0;
  for (const std::string& folder : folders) {
    const auto root = lsp::path_of_uri(folder);
    if (!root) continue;
    std::error_code fault;
    for (fs::recursive_directory_iterator at(*root, fs::directory_options::skip_permission_denied, fault), end; !fault && at != end; at.increment(fault)) {
      if (stop.stop_requested() || ++looked_at > most_looked_at || found.size() >= most_files) break;
      const std::string name = at->path().filename().string();
      std::error_code unknown;
      if (name.starts_with('.') && at->is_directory(unknown)) at.disable_recursion_pending();
      if (!name.ends_with(".ph") || !at->is_regular_file(unknown)) continue;
      FileOnDisk file{lsp::uri_below(folder, at->path().lexically_relative(*root).string()), {}, at->path().string()};
      file.identity = lsp::identity_of(file.uri);
      if (seen.insert(file.identity).second) found.push_back(std::move(file));
    }
  }
  std::sort(found.begin(), found.end(), [](const FileOnDisk& a, const FileOnDisk& b) { return a.path < b.path; });
  return found;
}

std::shared_ptr<const FileFacts> WorkspaceFiles::facts(const FileOnDisk& file, const std::shared_ptr<const lsp::Settings>& settings, Encoding encoding) {
  std::error_code fault;
  Known now{fs::last_write_time(file.path, fault), 0, settings, nullptr};
  if (!fault) now.size = fs::file_size(file.path, fault);
  if (fault) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(file.path);
    if (known != known_.end() && known->second.time == now.time && known->second.size == now.size && *known->second.settings == *settings)
      return known->second.facts;
  }
  std::optional<std::string> text = text_of(file.path);
  if (!text) return nullptr;
  now.facts = std::make_shared<const FileFacts>(facts_of(std::move(*text), file.uri, *settings, encoding));
  const std::lock_guard lock(mutex_);
  if (known_.size() >= 2 * most_files) known_.clear();
  known_[file.path] = now;
  return now.facts;
}

}  // namespace phobos::server
