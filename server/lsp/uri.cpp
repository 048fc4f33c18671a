#include <phobos/server/lsp/uri.h>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace phobos::server::lsp {

namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

// Escapes are undone, but for the characters that part a URI: `a%23b` is one file name, `a#b` is a name and a fragment.
std::string unescaped(std::string_view text, std::string_view parting = "#?%") {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 && digit_of(text[i + 2]) >= 0;
    if (!escape) {
      out += text[i] == '%' ? "%25" : std::string(1, text[i]);  // else what follows could make it one
      continue;
    }
    const auto byte = static_cast<char>(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));
    if (parting.find(byte) != std::string_view::npos) out += fmt::format("%{:02X}", static_cast<unsigned>(byte));
    else out += byte;
    i += 2;
  }
  return out;
}

std::string escaped(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) out += c;
    else out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace

std::string scheme_of(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos) return {};
  std::string scheme(uri.substr(0, colon));
  for (char& c : scheme) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return scheme;
}

std::string identity_of(std::string_view uri) {
  const std::string scheme = scheme_of(uri);
  if (scheme.empty()) return unescaped(uri, "#?%:");  // with a colon it would have a scheme
  std::string rest = unescaped(uri.substr(scheme.size()));
  // A drive's letter has no case: `file:///C:/a` is `file:///c%3A/a`.
  if (scheme == "file" && rest.size() > 5 && rest.starts_with(":///") && is_letter(rest[4]) && rest[5] == ':')
    rest[4] = static_cast<char>(std::tolower(static_cast<unsigned char>(rest[4])));
  return scheme + rest;
}

std::optional<std::string> path_of_uri(std::string_view uri) {
  if (scheme_of(uri) != "file") return std::nullopt;
  std::string_view rest = uri.substr(uri.find(':') + 1);
  if (rest.starts_with("//")) rest.remove_prefix(std::min(rest.size(), rest.find('/', 2)));
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const bool escape = rest[i] == '%' && i + 2 < rest.size() && digit_of(rest[i + 1]) >= 0 && digit_of(rest[i + 2]) >= 0;
    if (escape) path += static_cast<char>(digit_of(rest[i + 1]) * 16 + digit_of(rest[i + 2])), i += 2;
    else path += rest[i];
  }
  if (!path.starts_with('/') || path.find('\0') != std::string::npos) return std::nullopt;
  return path;
}

std::string uri_beside(std::string_view uri, std::string_view path) {
  if (path.starts_with('/')) return uri_of_path(path);
  std::string folder(uri.substr(0, uri.rfind('/')));
  for (;;) {
    if (path.starts_with("./")) {
      path.remove_prefix(2);
    } else if (path.starts_with("../") && folder.size() > std::string_view("file://").size()) {
      path.remove_prefix(3);
      folder.resize(folder.rfind('/'));
    } else {
      break;
    }
  }
  return folder + '/' + escaped(path);
}

std::string uri_below(std::string_view folder, std::string_view path) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return std::string(folder) + '/' + escaped(path);
}

std::string uri_of_path(std::string_view path) {
  return "file://" + escaped(path);
}

}  // namespace phobos::server::lsp
