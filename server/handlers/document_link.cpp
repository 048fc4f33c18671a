#include <phobos/ide/links.h>
#include <phobos/server/lsp/answers.h>
#include <phobos/server/lsp/uri.h>

#include "features.h"

namespace phobos::server {

// A text that is no file has no folder that a path could be relative to.
Json document_link(const Asked& asked, const Json&) {
  if (lsp::scheme_of(asked.document.uri) != "file") return Json::array();
  std::vector<lsp::Link> found;
  for (const ide::Link& each : ide::links(asked.file()))
    found.push_back({asked.border().range(each.span), lsp::uri_beside(asked.document.uri, each.path)});
  return lsp::array_of(found);
}

}  // namespace phobos::server
