#include "output.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <phobos/diag/render.h>
#include <phobos/session/fixes.h>
#include <phobos/server/lsp/types.h>
#include <phobos/server/lsp/uri.h>

namespace phobos::cli {

void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void say(std::string_view text) { std::fprintf(stderr, "phobos: %.*s\n", static_cast<int>(text.size()), text.data()); }

void put_json(const Json& json) {
  put(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  put("\n");
}

Json number_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json range_json(const Source& source, Span span) {
  const auto position = [&](std::uint32_t offset) {
    const Position at = source.snapshot->lines().position(source.snapshot->text(), offset, Encoding::Utf16);
    return Json{{"line", at.line}, {"character", at.column}};
  };
  return {{"start", position(span.begin)}, {"end", position(span.end)}};
}

Json diagnostic_json(const Source& source, const diag::Diagnostic& diagnostic) {
  std::error_code fault;
  const std::filesystem::path absolute = std::filesystem::absolute(source.path, fault);
  const std::string uri = source.is_stdin() || fault ? "stdin:" : server::lsp::uri_of_path(absolute.string());
  const server::lsp::Border border(source.snapshot->text(), source.snapshot->lines(), Encoding::Utf16);
  Json json = {{"file", source.path}};
  json.update(Json(server::lsp::to_json(diagnostic, uri, border)));
  return json;
}

Json diagnostics_json(const Source& source, std::vector<diag::Diagnostic> diagnostics) {
  session::drop_fixes_that_fail(*source.snapshot, diagnostics);
  Json list = Json::array();
  for (const diag::Diagnostic& diagnostic : diagnostics) list.push_back(diagnostic_json(source, diagnostic));
  return list;
}

std::string diagnostics_text(const Source& source, std::vector<diag::Diagnostic> diagnostics, bool color) {
  session::drop_fixes_that_fail(*source.snapshot, diagnostics);
  diag::RenderOptions options;
  options.color = color;
  std::string text;
  for (const diag::Diagnostic& diagnostic : diagnostics) {
    text += diag::render(diagnostic, source.name(), source.snapshot->text(), options);
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  return text;
}

bool has_errors(const std::vector<diag::Diagnostic>& diagnostics) {
  for (const diag::Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == diag::Severity::Error) return true;
  return false;
}

Result<void> write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    put(bytes);
    return {};
  }
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(path, fault);
  if (status.type() == std::filesystem::file_type::directory) return Error{fmt::format("{}: it is a directory", path)};
  const bool in_place = std::filesystem::exists(status) && status.type() != std::filesystem::file_type::regular;
  const std::string target = in_place ? path : path + ".part";
  std::ofstream file(target, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  fault.clear();
  if (file && !in_place) std::filesystem::rename(target, path, fault);
  if (file && !fault) return {};
  if (!in_place) std::filesystem::remove(target, fault);
  return Error{fmt::format("{}: it cannot be written", path)};
}

}  // namespace phobos::cli
