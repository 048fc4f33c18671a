#include "cursor.h"

#include <algorithm>
#include <cctype>

#include <phobos/support/run_line.h>

namespace phobos::ide {

namespace {

using syntax::Tok;

bool is_part(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool opens(Tok kind) { return kind == Tok::LeftParen || kind == Tok::LeftBracket || kind == Tok::LeftBrace; }

const ItemView* last_before(const File& file, std::uint32_t offset) {
  const auto after = std::upper_bound(file.items.begin(), file.items.end(), offset, [](std::uint32_t at, const ItemView& each) { return at < each.span.begin; });
  return after == file.items.begin() ? nullptr : &*std::prev(after);
}

}  // namespace

std::string_view Cursor::text_before(std::size_t back) const {
  return back < tokens.size() ? text_at(tokens.size() - 1 - back) : std::string_view();
}

std::size_t Cursor::opener() const {
  std::size_t closed = 0;
  for (std::size_t i = tokens.size(); i-- > 0;) {
    const Tok kind = tokens[i].kind;
    if (syntax::closes(kind)) ++closed;
    else if (opens(kind) && closed-- == 0) return i;
    else if (closed == 0 && syntax::begins_statement(kind)) {  // no bracket of an expression reaches over one
      while (i-- > 0) {
        if (tokens[i].kind == Tok::RightBrace) ++closed;
        else if (tokens[i].kind == Tok::LeftBrace && closed-- == 0) return i;
      }
      return no_token;
    }
  }
  return no_token;
}

std::size_t Cursor::commas_since(std::size_t opener) const {
  std::size_t commas = 0, inner = 0;
  for (std::size_t i = opener + 1; i < tokens.size(); ++i) {
    if (opens(tokens[i].kind)) ++inner;
    else if (syntax::closes(tokens[i].kind)) inner -= inner > 0;
    else if (tokens[i].kind == Tok::Comma && inner == 0) ++commas;
  }
  return commas;
}

bool Cursor::in_body() const {
  std::size_t open = 0;
  for (const syntax::Lexeme& token : tokens) {
    if (token.kind == Tok::LeftBrace) ++open;
    if (token.kind == Tok::RightBrace) open -= open > 0;
  }
  return open > 0;
}

Cursor cursor_at(const File& file, std::uint32_t offset) {
  Cursor cursor;
  offset = std::min(offset, static_cast<std::uint32_t>(file.text.size()));
  cursor.item = last_before(file, offset);
  cursor.base = cursor.item ? cursor.item->offset : 0;
  cursor.text = std::string_view(file.text).substr(cursor.base, offset - cursor.base);
  std::vector<diag::Diagnostic> told;
  cursor.tokens = syntax::lex(cursor.text, told);
  cursor.tokens.pop_back();  // its end
  std::size_t word = cursor.text.size();
  while (word > 0 && is_part(cursor.text[word - 1])) --word;
  cursor.word = cursor.text.substr(word);
  std::size_t end = offset;
  while (end < file.text.size() && is_part(file.text[end])) ++end;
  cursor.word_end = static_cast<std::uint32_t>(end);
  const std::size_t line = cursor.text.rfind('\n') == std::string_view::npos ? 0 : cursor.text.rfind('\n') + 1;
  cursor.begins_line = cursor.text.find_first_not_of(" \t\r", line) >= word;

  const std::size_t code = cursor.tokens.empty() ? 0 : cursor.tokens.back().end;
  const std::size_t comment = cursor.text.find("//", std::max(code, line));
  const std::size_t block = cursor.text.find("/*", code);
  if (comment != std::string_view::npos) {
    cursor.line = cursor.text.substr(comment);
    cursor.in = cursor.line.starts_with("//#") && cursor.text.find_first_not_of(" \t", line) == comment ? Cursor::In::RunLine : Cursor::In::Comment;
  } else if (block != std::string_view::npos && cursor.text.find("*/", block) == std::string_view::npos &&
             cursor.text.substr(0, block).rfind("//") + 1 <= cursor.text.substr(0, block).rfind('\n') + 1) {
    cursor.in = Cursor::In::Comment;
  }
  if (cursor.in == Cursor::In::Code)
    while (!cursor.tokens.empty() && cursor.tokens.back().end > word) cursor.tokens.pop_back();
  return cursor;
}

}  // namespace phobos::ide
