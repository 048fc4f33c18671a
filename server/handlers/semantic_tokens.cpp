// Colours: all of a text, what changed since the last time, or those of a range.
#include <phobos/ide/loose_tokens.h>
#include <phobos/server/workspace/token_memory.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

namespace {

ide::TokenOptions options_of(const Asked& asked) { return {asked.client.encoding, asked.client.lexical_tokens}; }

std::vector<std::uint32_t> data_of(const std::vector<ItemTokens>& tokens) {
  std::vector<std::uint32_t> data;
  for (const ItemTokens& each : tokens) append(each, data);
  return data;
}

std::string keep(const Asked& asked, std::vector<ItemTokens> tokens) {
  return asked.tokens ? asked.tokens->keep(std::move(tokens)) : std::string();
}

}  // namespace

Json semantic_tokens(const Asked& asked, const Json&) {
  std::vector<ItemTokens> tokens = tokens_of(asked.file(), options_of(asked));
  std::vector<std::uint32_t> data = data_of(tokens);
  return lsp::tokens_result(std::move(data), keep(asked, std::move(tokens)));
}

Json semantic_tokens_delta(const Asked& asked, const Json& params) {
  std::vector<ItemTokens> before;
  const std::optional<std::string> name = lsp::previous_result_id(params);
  if (!asked.tokens || !name || !asked.tokens->kept(*name, before)) return semantic_tokens(asked, params);
  std::vector<ItemTokens> tokens = tokens_of(asked.file(), options_of(asked));
  const TokenEdit edit = difference(before, tokens);
  return lsp::token_edit_result(edit.begin, edit.removed, edit.data, keep(asked, std::move(tokens)));
}

Json semantic_tokens_range(const Asked& asked, const Json& params) {
  const lsp::Border border = asked.border();
  const Span range = border.span(lsp::range_params(params));
  std::vector<std::uint32_t> data;
  Position before;
  const auto tell = [&](const std::vector<ide::Token>& tokens, std::uint32_t offset) {
    for (const ide::Token& token : tokens) {
      const Span span = token.span.shifted(offset);
      if (span.end <= range.begin || range.end <= span.begin) continue;
      const lsp::Range at = border.range(span);
      const std::uint32_t down = at.start.line - before.line;
      data.insert(data.end(), {down, down == 0 ? at.start.column - before.column : at.start.column, at.end.column - at.start.column, static_cast<std::uint32_t>(token.sort), token.modifiers});
      before = at.start;
    }
  };
  const auto tell_between = [&](std::uint32_t begin, std::uint32_t end) {
    if (!asked.client.lexical_tokens || end <= begin || end < range.begin || range.end < begin) return;
    tell(ide::loose_tokens(std::string_view(asked.snapshot.text()).substr(begin, end - begin)), begin);
  };
  std::uint32_t end = 0;
  for (const session::ItemView& item : asked.snapshot.items()) {
    tell_between(end, item.span.begin);
    end = item.span.end;
    if (item.span.end < range.begin || range.end < item.span.begin) continue;
    tell(ide::semantic_tokens(*item.analysis, item.good.get(), asked.client.lexical_tokens), item.offset);
  }
  tell_between(end, static_cast<std::uint32_t>(asked.snapshot.text().size()));
  return lsp::tokens_result(std::move(data), {});
}

}  // namespace phobos::server
