// What can be run: above each kernel one lens, and one for each of its run lines.
#include <fmt/format.h>

#include "handlers.h"

namespace phobos::server {

namespace {

constexpr std::size_t longest_title = 60;  // bytes of a run line that are shown

std::string shortened(std::string_view text) {
  if (text.size() <= longest_title) return std::string(text);
  std::size_t end = longest_title;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

lsp::Json code_lens(Server& server, const lsp::Json& params, std::stop_token stop) {
  const Server::View view = server.view(lsp::document_params(params).uri, stop);
  std::vector<lsp::Lens> lenses;
  if (!view) return lsp::array_of(lenses);
  for (const session::ItemView& item : view.snapshot->items()) {
    const syntax::Item& kernel = item.item();
    if (kernel.form != syntax::Item::Form::Kernel || kernel.name.missing) continue;
    const lsp::Range range = view.border().range(item.absolute({kernel.name.span, 0}));
    const std::string& uri = view.document->uri;
    lenses.push_back({range, fmt::format("▶ Run {}", kernel.name.text), uri, kernel.name.text, std::nullopt});
    const std::vector<session::RunLine> lines = view.snapshot->run_lines(item);
    for (std::size_t i = 0; i < lines.size(); ++i)
      lenses.push_back({range, "▶ " + shortened(lines[i].text), uri, kernel.name.text, static_cast<int>(i)});
  }
  return lsp::array_of(lenses);
}

}  // namespace phobos::server
