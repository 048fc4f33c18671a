// Colours: all of a text, what changed since the last time, or those of a range.
#include <phobos/ide/loose_tokens.h>
#include <phobos/server/workspace/token_memory.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

namespace {

ide::TokenOptions options_of(const Asked& asked) { return {asked.client.encoding, asked.client.lexical_tokens}; }

std::string keep(const Asked& asked, std::vector<ItemTokens> tokens) {
  return asked.tokens ? asked.tokens->keep(std::move(tokens)) : std::string();
}

}  // namespace

void semantic_tokens(const Asked& asked, const Json&, std::string& out) {
  std::vector<ItemTokens> tokens = tokens_of(asked.file(), options_of(asked));
  const std::vector<std::uint32_t> data = data_of(tokens);
  lsp::append_tokens(out, data, keep(asked, std::move(tokens)));
}

void semantic_tokens_delta(const Asked& asked, const Json& params, std::string& out) {
  std::vector<ItemTokens> before;
  const std::optional<std::string> name = lsp::previous_result_id(params);
  if (!asked.tokens || !name || !asked.tokens->kept(*name, before)) return semantic_tokens(asked, params, out);
  std::vector<ItemTokens> tokens = tokens_of(asked.file(), options_of(asked));
  const TokenEdit edit = difference(before, tokens);
  lsp::append_token_edit(out, edit.begin, edit.removed, edit.data, keep(asked, std::move(tokens)));
}

void semantic_tokens_range(const Asked& asked, const Json& params, std::string& out) {
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
  lsp::append_tokens(out, data, {});
}

}  // namespace phobos::server
