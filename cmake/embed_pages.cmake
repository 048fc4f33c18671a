# cmake -DFOLDER=docs/diagnostics -DOUT=pages.cpp -P embed_pages.cmake: the pages of the diagnostics as a C++ source, behind the
# header cli/pages.h.
file(GLOB pages ${FOLDER}/PH*.md)
list(SORT pages)
set(rows "")
foreach(page IN LISTS pages)
  get_filename_component(code ${page} NAME_WE)
  file(READ ${page} text)
  string(FIND "${text}" ")phobos-page\"" inside)
  if(NOT inside EQUAL -1)
    message(FATAL_ERROR "${page} holds what ends its literal")
  endif()
  string(APPEND rows "    {\"${code}\", R\"phobos-page(${text})phobos-page\"},\n")
endforeach()
file(WRITE ${OUT} "#include \"pages.h\"

namespace phobos::cli {

namespace {
struct Page {
  std::string_view code, text;
};
constexpr Page pages[] = {
    {\"\", \"\"},
${rows}};
}  // namespace

std::string_view page_of(std::string_view code) {
  for (const Page& page : pages)
    if (page.code == code) return page.text;
  return {};
}

}  // namespace phobos::cli
")
