#include <phobos/ide/lenses.h>
#include <phobos/server/lsp/answers.h>
#include <phobos/server/workspace/saved_findings.h>

#include "features.h"

namespace phobos::server {

void code_lens(const Asked& asked, const Json&, std::string& out) {
  std::vector<ide::Lens> found = ide::lenses(asked.file());
  // What was found on saving is better than the word.
  for (ide::Lens& each : found) {
    if (each.action != ide::Lens::Action::Report || !asked.saved) continue;
    if (const auto report = asked.saved->reports().find(each.kernel); report != asked.saved->reports().end())
      each.title = asked.saved->stale() ? "Report, before the last changes: " + report->second : "Report: " + report->second;
  }
  lsp::append_lenses(out, found, asked.document.uri, asked.client, asked.border());
}

}  // namespace phobos::server
