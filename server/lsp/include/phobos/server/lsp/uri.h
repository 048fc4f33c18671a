// The URI of a document, and what makes two spellings the same document. Replies name a document by the client's own spelling,
// byte for byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace phobos::server::lsp {

// The same for `file:///a%20b`, `file:///a b` and `FILE:///%61 b`.
std::string identity_of(std::string_view uri);
// In lower case; empty where there is none.
std::string scheme_of(std::string_view uri);
// The path of a `file:` URI; none of another.
std::optional<std::string> path_of_uri(std::string_view uri);
// `file:///…` of an absolute path.
std::string uri_of_path(std::string_view path);
// Of a relative path of plain names, in a folder that has that URI.
std::string uri_below(std::string_view folder, std::string_view path);
// Of a path that a file names: relative to the folder of the file with that URI, or absolute.
std::string uri_beside(std::string_view uri, std::string_view path);

}  // namespace phobos::server::lsp
