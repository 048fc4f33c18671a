// What can be done at a place: the repairs that the diagnostics there know of, and changes that keep the meaning. All were tried.
#include <set>

#include <fmt/format.h>

#include <phobos/server/lsp/answers.h>
#include <phobos/session/fixes.h>

#include "features.h"

namespace phobos::server {

namespace {

constexpr std::string_view fix_all_kind = "source.fixAll.phobos";

std::vector<diag::Diagnostic> wanted_diagnostics(const Asked& asked) {
  std::vector<diag::Diagnostic> found = asked.snapshot.diagnostics();
  std::erase_if(found, [&](diag::Diagnostic& each) { return !asked.settings->admits(each); });
  return found;
}

std::vector<lsp::Action> quick_fixes(const Asked& asked, Span span) {
  const std::vector<diag::Diagnostic> all = wanted_diagnostics(asked);
  std::vector<diag::Diagnostic> found = all;
  std::erase_if(found, [&](const diag::Diagnostic& each) {
    const Span at = each.location.span;
    return at.end < span.begin || span.end < at.begin;
  });
  session::drop_fixes_that_fail(asked.snapshot, found);
  std::vector<lsp::Action> actions;
  std::set<diag::Code> codes;
  for (const diag::Diagnostic& diagnostic : found) {
    for (const diag::Fix& fix : diagnostic.fixes) {
      lsp::Action action{fix.title, "quickfix", diagnostic, diagnostic.fixes.size() == 1, {}};
      for (const diag::TextEdit& edit : fix.edits) action.edits.push_back({edit.location.span, edit.text});
      actions.push_back(std::move(action));
    }
    if (diagnostic.fixes.size() == 1) codes.insert(diagnostic.code);
  }
  for (const diag::Code code : codes) {
    std::vector<diag::Diagnostic> same = all;
    std::erase_if(same, [&](const diag::Diagnostic& each) { return each.code != code || each.fixes.size() != 1; });
    if (same.size() < 2) continue;
    std::vector<Edit> edits = session::fixes_together(asked.snapshot, std::move(same));
    if (!edits.empty()) actions.push_back({fmt::format("Fix all {} of this file", diag::info(code).code), "quickfix", std::nullopt, false, std::move(edits)});
  }
  return actions;
}

void add_fix_all(const Asked& asked, std::vector<lsp::Action>& actions) {
  std::vector<Edit> edits = session::fixes_together(asked.snapshot, wanted_diagnostics(asked));
  if (!edits.empty()) actions.push_back({"Fix all that can be fixed", std::string(fix_all_kind), std::nullopt, false, std::move(edits)});
}

std::string_view kind_of(ide::Refactoring::Sort sort) {
  switch (sort) {
    case ide::Refactoring::Sort::Extract: return "refactor.extract";
    case ide::Refactoring::Sort::Inline: return "refactor.inline";
    default: return "refactor.rewrite";
  }
}

std::vector<lsp::Action> actions_at(const Asked& asked, Span span, const lsp::CodeActionParams& wanted) {
  std::vector<lsp::Action> actions;
  if (wanted.wants("quickfix")) actions = quick_fixes(asked, span);
  if (!wanted.only.empty() && wanted.wants(fix_all_kind)) add_fix_all(asked, actions);  // it is about the whole file: only who asks for it
  if (!wanted.wants("refactor.extract") && !wanted.wants("refactor.inline") && !wanted.wants("refactor.rewrite")) return actions;
  std::vector<ide::Refactoring> found = ide::refactorings(asked.file(), span);
  std::erase_if(found, [&](const ide::Refactoring& each) { return !wanted.wants(kind_of(each.sort)); });
  session::drop_refactorings_that_change(asked.snapshot, found);
  for (ide::Refactoring& each : found) actions.push_back({std::move(each.title), std::string(kind_of(each.sort)), std::nullopt, false, std::move(each.edits)});
  return actions;
}

}  // namespace

Json code_action(const Asked& asked, const Json& params) {
  const lsp::CodeActionParams wanted = lsp::code_action_params(params);
  const Span span = asked.border().span(wanted.range);
  Json result = Json::array();
  for (const lsp::Action& action : actions_at(asked, span, wanted)) {
    Json& each = result.emplace_back(lsp::to_json(action, asked.document, asked.border()));
    if (asked.client.resolves_edits) each["data"] = lsp::resolve_data(asked.document, wanted.range);
    else each["edit"] = lsp::workspace_edit(action.edits, asked.document, asked.client.versioned_edits, asked.border());
  }
  return result;
}

// The action is looked for again in the text as it is now; where it is no more, there is no edit.
Json code_action_resolve(const Asked& asked, const Json& action) {
  const auto wanted = lsp::code_action_of(action);
  if (!wanted) return action;
  Json result = action;
  const lsp::Border border = asked.border();
  for (const lsp::Action& each : actions_at(asked, border.span(wanted->params.range), wanted->params)) {
    if (each.title != wanted->title || (each.diagnostic && wanted->place && border.range(each.diagnostic->location.span) != *wanted->place)) continue;
    result["edit"] = lsp::workspace_edit(each.edits, asked.document, asked.client.versioned_edits, border);
    break;
  }
  return result;
}

}  // namespace phobos::server
