#include "handlers.h"

#include <algorithm>
#include <iterator>

namespace phobos::server {

namespace {

constexpr RequestHandler requests[] = {
    {"initialize", initialize},
    {"shutdown", shutdown},
    {"textDocument/hover", hover},
    {"textDocument/codeAction", code_action, Lane::Slow},
    {"textDocument/codeLens", code_lens, Lane::Whole},
    {"textDocument/documentSymbol", document_symbol, Lane::Whole},
    {"textDocument/diagnostic", document_diagnostic, Lane::Whole},
    {"workspace/diagnostic", workspace_diagnostic, Lane::Slow, Needs::AllDocuments},
    {"phobos/status", status},
};

constexpr NotificationHandler notifications[] = {
    {"initialized", initialized},
    {"exit", exit},
    {"textDocument/didOpen", did_open},
    {"textDocument/didChange", did_change},
    {"textDocument/didSave", did_save},
    {"textDocument/didClose", did_close},
    {"$/setTrace", nothing},
    {"workspace/didChangeConfiguration", did_change_configuration},
    {"workspace/didChangeWatchedFiles", did_change_watched_files},
    {"workspace/didChangeWorkspaceFolders", did_change_folders},
};

template <class Row, std::size_t size>
const Row* find_row(const Row (&table)[size], std::string_view method) {
  const Row* row = std::find_if(std::begin(table), std::end(table), [&](const Row& r) { return r.method == method; });
  return row == std::end(table) ? nullptr : row;
}

}  // namespace

const RequestHandler* request_handler(std::string_view method) {
  return find_row(requests, method);
}

const NotificationHandler* notification_handler(std::string_view method) {
  return find_row(notifications, method);
}

}  // namespace phobos::server
