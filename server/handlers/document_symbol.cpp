#include <phobos/ide/symbols.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

void document_symbol(const Asked& asked, const Json&, std::string& out) {
  const lsp::Border border = asked.border();
  const auto make = [&](const session::ItemView& item, Position start) { return lsp::outline_text(ide::outline_of(item), border, start); };
  lsp::ItemTexts nothing;
  (asked.symbols ? *asked.symbols : nothing).append_array(out, asked.snapshot, asked.client.encoding, make);
}

}  // namespace phobos::server
