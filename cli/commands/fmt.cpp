#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include <phobos/session/session.h>
#include <phobos/source/line_map.h>
#include <phobos/syntax/format.h>

#include "../output.h"
#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  std::vector<std::string> files;
  bool check = false;
};

constexpr std::size_t most_hunks = 8;  // of a file, in the diff

Json edits_json(const std::string& text, const std::vector<Edit>& edits) {
  const LineMap lines(text);
  const auto position = [&](std::uint32_t offset) {
    const Position at = lines.position(text, offset, Encoding::Utf16);
    return Json{{"line", at.line}, {"character", at.column}};
  };
  Json list = Json::array();
  for (const Edit& edit : edits)
    list.push_back({{"range", {{"start", position(edit.span.begin)}, {"end", position(edit.span.end)}}}, {"newText", edit.text}});
  return list;
}

std::string marked(std::string_view text, char mark, const char* color) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines += fmt::format("{}{}{}{}\n", color, mark, line, *color != '\0' ? "\x1b[0m" : "");
    at = end + 1;
  }
  return lines;
}

// The lines that change, before and after; those side by side in one piece.
std::string difference(const std::string& text, const std::vector<Edit>& edits, bool color) {
  const LineMap lines(text);
  std::string shown;
  std::size_t hunks = 0;
  for (std::size_t i = 0; i < edits.size();) {
    const std::uint32_t first = lines.line_of(edits[i].span.begin);
    std::uint32_t last = lines.line_of(edits[i].span.end);
    std::size_t behind = i + 1;
    for (; behind < edits.size() && lines.line_of(edits[behind].span.begin) <= last + 1; ++behind)
      last = lines.line_of(edits[behind].span.end);
    if (++hunks <= most_hunks) {
      const std::uint32_t begin = lines.line_span(text, first).begin;
      const std::uint32_t end = last + 1 < lines.line_count() ? lines.line_span(text, last + 1).begin : static_cast<std::uint32_t>(text.size());
      std::vector<Edit> own(edits.begin() + static_cast<std::ptrdiff_t>(i), edits.begin() + static_cast<std::ptrdiff_t>(behind));
      for (Edit& edit : own) edit.span = edit.span.shifted(-static_cast<std::int64_t>(begin));
      const std::string_view old = std::string_view(text).substr(begin, end - begin);
      shown += fmt::format("@@ line {} @@\n", first + 1);
      shown += marked(old, '-', color ? "\x1b[31m" : "") + marked(syntax::apply(old, own), '+', color ? "\x1b[32m" : "");
    }
    i = behind;
  }
  if (hunks > most_hunks) shown += fmt::format("… and {} more places\n", hunks - most_hunks);
  return shown;
}

// The file as it was or as it shall be, whatever happens in between; its mode stays, and a link stays a link.
Result<void> rewrite(const std::string& path, std::string_view text) {
  namespace fs = std::filesystem;
  const Error error{fmt::format("{}: it cannot be written", path)};
  std::error_code fault;
  const fs::path target = fs::canonical(path, fault);
  if (fault || !fs::is_regular_file(target, fault) || access(target.c_str(), W_OK) != 0) return error;
  std::string part = target.string() + ".XXXXXX";
  const int descriptor = mkstemp(part.data());
  if (descriptor < 0) return error;
  struct stat status {};
  bool good = stat(target.c_str(), &status) == 0 && fchmod(descriptor, status.st_mode & 07777) == 0;
  while (good && !text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    good = count > 0;
    if (good) text.remove_prefix(static_cast<std::size_t>(count));
  }
  good = fsync(descriptor) == 0 && good;
  good = close(descriptor) == 0 && good;
  if (good) fs::rename(part, target, fault);
  if (good && !fault) return {};
  fs::remove(part, fault);
  return error;
}

// One file; its exit status, and its part of the document.
int format_file(const Arguments& arguments, const std::string& path, Json& files) {
  const Result<std::string> text = read_source(path);
  if (!text) {
    say(text.message());
    return exit_usage;
  }
  const bool to_output = path == "-" && !arguments.check && !arguments.json;
  const std::string name = path == "-" ? "<stdin>" : path;
  if (const auto faults = session::faults_of_text(*text); !faults.empty()) {
    say(fmt::format("{}: {}", name, faults.front().message));
    return exit_failed;
  }
  const syntax::Formatted formatted = syntax::format(*text);
  const bool changed = !formatted.edits.empty();
  if (formatted.fault) say(fmt::format("{}: formatting it would have changed more than white space, so it is left as it is; this is a fault of our own, please report it with the file", name));
  files.push_back({{"file", path}, {"changed", changed}, {"edits", arguments.json ? edits_json(*text, formatted.edits) : Json::array()}});
  if (to_output) put(syntax::apply(*text, formatted.edits));
  if (formatted.fault) return exit_fault;
  if (!changed || to_output) return exit_done;
  if (arguments.check) {
    if (!arguments.json) put(name + "\n");
    if (!arguments.json && !arguments.quiet) put(difference(*text, formatted.edits, use_color(arguments, STDOUT_FILENO)));
    return exit_failed;
  }
  if (path == "-") return exit_done;
  if (const Result<void> written = rewrite(path, syntax::apply(*text, formatted.edits)); !written) {
    say(written.message());
    return exit_failed;
  }
  if (!arguments.json && !arguments.quiet) put(fmt::format("{}: formatted\n", name));
  return exit_done;
}

int format_files(const Arguments& arguments) {
  Json files = Json::array();
  int status = exit_done;
  for (const std::string& path : arguments.files) status = std::max(status, format_file(arguments, path, files));
  if (arguments.json) put_json({{"files", std::move(files)}});
  return status;
}

}  // namespace

void add_fmt(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("fmt", "Bring files into the one formatting");
  command->add_option("FILE", arguments->files, "Files, rewritten in place; - is standard input, printed to standard output")->required()->check(not_empty());
  command->add_flag("--check", arguments->check, "Write nothing; list the files that would change, and fail if there are any");
  add_common(*command, *arguments);
  command->callback([=, &chosen] { chosen = [=] { return format_files(*arguments); }; });
}

}  // namespace phobos::cli
