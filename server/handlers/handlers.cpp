#include "handlers.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace phobos::server {

namespace {

constexpr RequestHandler requests[] = {
    {"initialize", initialize},
    {"shutdown", shutdown},
    {"textDocument/diagnostic", document_diagnostic, Lane::Whole},
    {"workspace/diagnostic", workspace_diagnostic, Lane::Slow, Needs::AllDocuments},
    {"workspace/symbol", workspace_symbol, Lane::Slow, Needs::AllDocuments},
    {"phobos/status", status},
    {"phobos/explain", explain, Lane::Slow},
};

constexpr RunHandler runs[] = {
    {"phobos/run", start_run},   {"phobos/trace", start_run}, {"phobos/build", start_run}, {"phobos/report", start_run},
    {"phobos/tune", start_run}, {"workspace/executeCommand", execute_command},
};

constexpr NotificationHandler notifications[] = {
    {"initialized", initialized},
    {"exit", exit},
    {"textDocument/didOpen", did_open},
    {"textDocument/didChange", did_change},
    {"textDocument/didSave", did_save},
    {"textDocument/didClose", did_close},
    {"$/setTrace", nothing},
    {"window/workDoneProgress/cancel", progress_cancelled},
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
  if (const RequestHandler* row = find_row(requests, method)) return row;
  static const std::vector<RequestHandler> of_features = [] {
    std::vector<RequestHandler> rows;
    for (const Feature& feature : features()) rows.push_back({feature.method, nullptr, feature.lane, Needs::ItsDocument, &feature});
    return rows;
  }();
  const auto row = std::find_if(of_features.begin(), of_features.end(), [&](const RequestHandler& each) { return each.method == method; });
  return row == of_features.end() ? nullptr : &*row;
}

const RunHandler* run_handler(std::string_view method) {
  return find_row(runs, method);
}

const NotificationHandler* notification_handler(std::string_view method) {
  return find_row(notifications, method);
}

}  // namespace phobos::server
