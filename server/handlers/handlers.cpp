#include "handlers.h"

#include <algorithm>
#include <iterator>

namespace phobos::server {

namespace {

constexpr RequestHandler requests[] = {
    {"initialize", initialize},
    {"shutdown", shutdown},
    {"textDocument/hover", hover},
    {"textDocument/codeAction", code_action},
    {"textDocument/codeLens", code_lens},
    {"textDocument/documentSymbol", document_symbol},
};

constexpr NotificationHandler notifications[] = {
    {"initialized", nothing},
    {"exit", exit},
    {"textDocument/didOpen", did_open},
    {"textDocument/didChange", did_change},
    {"textDocument/didSave", did_save},
    {"textDocument/didClose", did_close},
    {"$/setTrace", nothing},
    {"workspace/didChangeConfiguration", nothing},
    {"workspace/didChangeWatchedFiles", nothing},
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
