// The outline: kernels and functions with their parameters.
#include "handlers.h"

namespace phobos::server {

namespace {

using lsp::Symbol;

Symbol symbol_of(const session::ItemView& view, const lsp::Border& border) {
  const syntax::Item& item = view.item();
  const bool is_kernel = item.form == syntax::Item::Form::Kernel;
  const auto range = [&](Span span) { return border.range(view.absolute({span, 0})); };
  Symbol symbol;
  symbol.name = item.name.text.empty() ? (is_kernel ? "kernel" : "fn") : item.name.text;
  symbol.detail = is_kernel ? "kernel" : "fn";
  symbol.range = border.range(view.span);
  symbol.selection = range(item.name.span);
  for (const syntax::Parameter& parameter : item.parameters) {
    if (parameter.name.text.empty()) continue;
    symbol.children.push_back({parameter.name.text, {}, Symbol::Kind::Variable, range(parameter.span), range(parameter.name.span), {}});
  }
  return symbol;
}

}  // namespace

lsp::Json document_symbol(Server& server, const lsp::Json& params, std::stop_token stop) {
  const Server::View view = server.view(lsp::document_params(params).uri, stop);
  std::vector<Symbol> symbols;
  if (!view) return lsp::array_of(symbols);
  for (const session::ItemView& item : view.snapshot->items()) symbols.push_back(symbol_of(item, view.border()));
  return lsp::array_of(symbols);
}

}  // namespace phobos::server
