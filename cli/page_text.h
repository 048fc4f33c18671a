// A page of Markdown as it is read in a terminal: paragraphs wrapped, code indented, no marks of the markup.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace phobos::cli {

struct PageOptions {
  bool color = false;
  std::size_t width = 80;  // cells, for paragraphs; code is not wrapped
};

// What the pages of docs/diagnostics are written in: headings, paragraphs, lists, tables, fenced code, links and code in backticks. A
// link to another diagnostic becomes its code; one to a file keeps its path, from the root of the tree.
std::string page_text(std::string_view markdown, const PageOptions& options = {});

// The columns of the terminal behind the descriptor, 80 where there is none; not more than is pleasant to read.
std::size_t page_width(int descriptor);

}  // namespace phobos::cli
