// The pages of docs/diagnostics, which are part of the program. Their source is made when it is built (cmake/embed_pages.cmake).
#pragma once

#include <string_view>

namespace phobos::cli {

// The Markdown of the page of "PH0301"; empty where there is none. A retired code has a page.
std::string_view page_of(std::string_view code);

}  // namespace phobos::cli
