// What the client does to its texts. Positions are clamped rather than refused, and a change that makes no sense is left out and
// logged: the text that comes with the next save (or a change of the whole text) brings both sides together again.
#include <fmt/format.h>

#include "handlers.h"

namespace phobos::server {

namespace {

TextChange text_change(lsp::Change change, Encoding encoding) {
  if (!change.range) return {{}, std::move(change.text)};
  const auto where = [range = *change.range, encoding](const session::Session& session) {
    return lsp::Border(session.text(), session.lines(), encoding).span(range);
  };
  return {where, std::move(change.text)};
}

}  // namespace

void did_open(Server& server, const lsp::Json& params) {
  lsp::OpenParams open = lsp::open_params(params);
  std::string identity = lsp::identity_of(open.uri);
  server.let_go_of(server.workspace.close(identity));
  server.opened(server.workspace.open(std::move(identity), std::move(open.uri), open.version, std::move(open.text)));
}

void did_change(Server& server, const lsp::Json& params) {
  lsp::ChangeParams change = lsp::change_params(params);
  Document* document = server.workspace.find(lsp::identity_of(change.uri));
  if (document == nullptr) return server.log(fmt::format("a change of {}, which is not open", change.uri));
  std::size_t new_bytes = 0;
  std::vector<TextChange> changes;
  for (lsp::Change& one : change.changes) {
    new_bytes += one.text.size();
    changes.push_back(text_change(std::move(one), server.client.encoding));
  }
  const std::optional<std::int64_t> before = document->version;
  const auto edited = [&](const Edit& edit) {
    if (edit.span == Span{0, static_cast<std::uint32_t>(document->session.text().size())}) document->saved.clear();
    else document->saved.edit(edit);
  };
  const bool late = document->order.make(document->session, std::move(changes), before, change.version, edited);
  if (late) server.log(fmt::format("version {} of {} came behind {}, and was put in its place", *change.version, change.uri, *before));
  else if (change.version && before && *change.version <= *before) server.log(fmt::format("{} went from version {} to {}", change.uri, *before, *change.version));
  if (change.version && !late) document->version = change.version;
  server.changed(*document, new_bytes);
}

void did_save(Server& server, const lsp::Json& params) {
  lsp::SaveParams save = lsp::save_params(params);
  Document* document = server.workspace.find(lsp::identity_of(save.uri));
  if (document == nullptr) return;
  if (!save.text || *save.text == document->session.text()) return analyse_saved(server, server.workspace.documents().at(document->identity));
  server.log(fmt::format("the text of {} had come apart from the client's; taking the saved one", save.uri));
  const std::size_t bytes = save.text->size();
  document->session.replace(std::move(*save.text));
  server.changed(*document, bytes);
}

void did_close(Server& server, const lsp::Json& params) {
  const lsp::DocumentParams close = lsp::document_params(params);
  const std::string identity = lsp::identity_of(close.uri);
  std::shared_ptr<Document> document = server.workspace.close(identity);
  if (!document) return server.log(fmt::format("{} was closed, but is not open", close.uri));
  server.closed(identity, document->uri);
  server.let_go_of(std::move(document));
}

}  // namespace phobos::server
