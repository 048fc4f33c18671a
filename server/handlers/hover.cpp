#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <phobos/ide/hover.h>
#include <phobos/ide/links.h>
#include <phobos/server/lsp/uri.h>
#include <phobos/support/npy_header.h>

#include "features.h"

namespace phobos::server {

namespace {

constexpr std::size_t most_header = 64u << 10;  // bytes

// What the header of a tensor's file says, or why there is nothing to be read. No more of the file is looked at, and a pipe of that
// name keeps nobody.
std::string words_of_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return errno == ENOENT || errno == ENOTDIR ? "There is no such file." : fmt::format("It cannot be read: {}.", std::strerror(errno));
  struct stat about {};
  std::string bytes(most_header, '\0');
  const bool regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  const ssize_t have = regular ? pread(file, bytes.data(), bytes.size(), 0) : -1;
  close(file);
  if (!regular) return "It is no file.";
  if (have < 0) return "It cannot be read.";
  const Result<NpyHeader> header = npy_header(std::string_view(bytes).substr(0, static_cast<std::size_t>(have)));
  if (!header) return fmt::format("As a tensor it is of no use: {}.", header.message());
  const Result<ScalarType> element = npy_element(header->descr);
  const std::string shape = fmt::format("[{}]", fmt::join(header->shape, ", "));
  if (!element) return fmt::format("A tensor of shape {}: {}.", shape, element.message());
  return fmt::format("`{}{}`: {} bytes{}", name_of(*element), shape, about.st_size - static_cast<off_t>(header->data),
                     header->fortran_order && header->shape.size() > 1 ? ", in Fortran order, which no run takes" : "");
}

std::optional<lsp::Hover> hover_file(const Asked& asked, std::uint32_t offset) {
  const auto link = ide::link_at(asked.snapshot.text(), offset);
  const auto path = lsp::path_of_uri(asked.document.uri);
  if (!link || !path) return std::nullopt;
  const std::string file = (std::filesystem::path(*path).parent_path() / link->path).string();
  return lsp::Hover{words_of_file(file), asked.client.markdown_hover, asked.border().range(link->span)};
}

}  // namespace

bool hover_reads_disk(std::string_view text, const lsp::Border& border, const Json& params) {
  try {
    return ide::link_at(text, border.offset(lsp::position_params(params).position)).has_value();
  } catch (const lsp::InvalidParams&) {  // told where it is answered
    return false;
  }
}

std::optional<lsp::Hover> hover_text(const Asked& asked, std::uint32_t offset) {
  const lsp::Border border = asked.border();
  const auto found = ide::hover(asked.file(), offset);
  if (!found) return hover_file(asked, offset);
  const bool links = asked.client.markdown_hover && lsp::scheme_of(asked.document.uri) == "file";
  const auto place_of = [&](Location location) {
    const Position at = border.position(found->owner->absolute(location).begin);
    return ide::ReaderPlace{at.line + 1, links ? fmt::format("{}#L{},{}", asked.document.uri, at.line + 1, at.column + 1) : std::string()};
  };
  return lsp::Hover{ide::wording(found->facts, place_of), asked.client.markdown_hover, border.range(found->facts.range)};
}

Json hover(const Asked& asked, const Json& params) {
  const auto text = hover_text(asked, asked.border().offset(lsp::position_params(params).position));
  return text ? lsp::to_json(*text) : Json(nullptr);
}

}  // namespace phobos::server
