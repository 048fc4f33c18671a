// The kernels of the workspace's folders as they are on disk, for what is asked of the workspace as a whole. A file is read and analysed
// when it is first asked about, and again when it has another time or size than then; what is told of it is kept, and nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include <phobos/server/lsp/settings.h>
#include <phobos/server/lsp/types.h>

namespace phobos::server {

struct FileOnDisk {
  std::string uri, identity, path;
};
// What is told of a file.
struct FileFacts {
  lsp::Json diagnostics = lsp::Json::array(), symbols = lsp::Json::array();
};

class WorkspaceFiles {
 public:
  static constexpr std::size_t most_files = 5000, most_looked_at = 100000;  // what lies behind them is not told of
  static constexpr std::size_t most_bytes = 16u << 20;                      // of a file; the same

  // Regular files that end in `.ph`, each once, by path; of folders whose names begin with a dot nothing. `folders` are URIs, and so are
  // the answers, with the folder's own spelling before the rest.
  static std::vector<FileOnDisk> find(const std::vector<std::string>& folders, std::stop_token stop);

  // Null where it cannot be read. From any thread.
  std::shared_ptr<const FileFacts> facts(const FileOnDisk& file, const std::shared_ptr<const lsp::Settings>& settings, Encoding encoding);

 private:
  struct Known {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    std::shared_ptr<const lsp::Settings> settings;
    std::shared_ptr<const FileFacts> facts;
  };
  std::mutex mutex_;
  std::map<std::string, Known> known_;  // by path
};

}  // namespace phobos::server
