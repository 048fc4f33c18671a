// A file of the command line, read and analysed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <phobos/session/session.h>
#include <phobos/support/result.h>

namespace phobos::cli {

struct Source {
  std::string path;  // as given; `-` is standard input
  std::shared_ptr<const session::Snapshot> snapshot;

  bool is_stdin() const { return path == "-"; }
  std::string name() const { return is_stdin() ? "<stdin>" : path; }
  // What paths of its run lines are relative to.
  std::filesystem::path folder() const { return is_stdin() ? std::filesystem::path() : std::filesystem::path(path).parent_path(); }
};

// The text alone. Fails as `open_source` does.
Result<std::string> read_source(const std::string& path);

// Fails where the file cannot be read, not for what is in it. The error names the file.
Result<Source> open_source(const std::string& path);
// The same after an edit of what stands in another file.
Result<Source> open_edited_source(const std::string& path, const std::string& before);

}  // namespace phobos::cli
