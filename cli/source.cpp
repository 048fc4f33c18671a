#include "source.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

namespace phobos::cli {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 28;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Result<std::string> read_all(std::FILE* file) {
  std::string text;
  char part[1 << 16];
  for (;;) {
    const std::size_t size = std::fread(part, 1, sizeof part, file);
    text.append(part, size);
    if (text.size() > most_bytes) return Error{fmt::format("it has more than {} MB", most_bytes >> 20)};
    if (size < sizeof part) break;
  }
  if (std::ferror(file) != 0) return Error{std::strerror(errno)};
  return text;
}

Result<std::string> read_path(const std::string& path) {
  std::error_code fault;
  if (std::filesystem::is_directory(path, fault)) return Error{"it is a directory"};
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file) return Error{errno == ENOENT ? "there is no such file" : std::strerror(errno)};
  return read_all(file.get());
}

}  // namespace

Result<std::string> read_source(const std::string& path) {
  const Source source{path, nullptr};
  Result<std::string> text = source.is_stdin() ? read_all(stdin) : read_path(path);
  if (!text) return Error{fmt::format("{}: {}", source.name(), text.message())};
  return text;
}

Result<Source> open_source(const std::string& path) {
  Source source{path, nullptr};
  Result<std::string> text = read_source(path);
  if (!text) return text.error();
  source.snapshot = session::Session(std::move(*text)).snapshot();
  return source;
}

Result<Source> open_edited_source(const std::string& path, const std::string& before) {
  Source source{path, nullptr};
  Result<std::string> old = read_source(before), text = read_source(path);
  if (!old || !text) return old ? text.error() : old.error();
  session::Session session(std::move(*old));
  session.snapshot();
  session.replace(std::move(*text));
  source.snapshot = session.snapshot();
  return source;
}

}  // namespace phobos::cli
