// Any bytes as a URI, as a path, and as what a file names beside itself: spellings of the same name are the same document, paths come
// back, and what is relative is found where a file system would look.
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <phobos/server/lsp/uri.h>

#include "typing.h"

namespace {

using namespace phobos::server::lsp;

void expect(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

std::string escape(char c, bool upper) {
  char text[4];
  std::snprintf(text, sizeof text, upper ? "%%%02X" : "%%%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return text;
}

// Another spelling: letters, digits and the like may be escaped, in either case of the digits; escapes stay.
std::string respelled(std::string_view text, phobos::fuzz::Tail& tail) {
  std::string out;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '~';
    const std::uint32_t how = plain ? tail.take(1) : 0;
    out += how % 3 == 1 ? escape(c, how % 2 == 0) : std::string(1, c);
  }
  return out;
}

void check_path(const std::string& path, phobos::fuzz::Tail& tail) {
  const std::string uri = uri_of_path(path);
  expect(scheme_of(uri) == "file", "a path has another scheme");
  for (const char c : uri) expect(c > ' ' && c < 0x7f, "a URI of a path has a byte that no URI has");
  const auto back = path_of_uri(uri);
  expect(back && *back == path, "a path does not come back");
  // The rest behind the scheme, spelled in another way, and a scheme in capitals.
  const std::string name = uri.substr(std::string_view("file://").size());
  std::string other;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] != '%') {
      other += respelled(name.substr(at, 1), tail);
      continue;
    }
    std::string digits = name.substr(at + 1, 2);
    if (tail.take(1) % 2 == 1)
      for (char& c : digits) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    other += '%' + digits;
    at += 2;
  }
  expect(identity_of("FILE://" + other) == identity_of(uri), "two spellings of a path are two documents");
  expect(path_of_uri("File://" + other) == path, "another spelling of a path does not come back");
}

void check_beside(const std::string& folder, std::string_view named) {
  const std::string file = folder + "/kernel.ph";
  const auto found = path_of_uri(uri_beside(uri_of_path(file), named));
  if (named.find('\0') != std::string_view::npos) return;
  expect(found.has_value(), "what a file names has no path");
  namespace fs = std::filesystem;
  const fs::path wanted = (named.starts_with('/') ? fs::path(named) : fs::path(folder + '/') / named).lexically_normal();
  expect(fs::path(*found).lexically_normal() == wanted, "what a file names is looked for elsewhere");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4000) return 0;
  phobos::fuzz::Tail tail(std::string_view(reinterpret_cast<const char*>(data), size));
  const std::string bytes(tail.rest());
  const std::string identity = identity_of(bytes);
  expect(identity_of(identity) == identity, "an identity has another one");
  for (const char c : scheme_of(bytes)) expect(std::isupper(static_cast<unsigned char>(c)) == 0, "a scheme has capitals");
  if (const auto path = path_of_uri(bytes)) {
    expect(path->starts_with('/'), "a path is not absolute");
    expect(path_of_uri(uri_of_path(*path)) == path, "a path of a URI does not come back");
  }
  // Escapes and letters of a URI whose scheme is plain, spelled otherwise.
  if (bytes.find('%') == std::string::npos) {
    const std::string other = respelled(bytes, tail);
    expect(identity_of("untitled:" + other) == identity_of("untitled:" + bytes), "two spellings are two documents");
  }
  std::string path = "/" + bytes;
  std::erase(path, '\0');
  check_path(path, tail);
  const std::size_t middle = path.size() / 2;
  const std::string folder = std::filesystem::path(path.substr(0, middle)).lexically_normal().string();
  check_beside(folder.ends_with('/') ? folder.substr(0, folder.size() - 1) : folder, std::string_view(path).substr(middle));
  return 0;
}
