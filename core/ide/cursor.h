// What stands before a place, by its words alone, so that it can be told in a text that is no program yet.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <phobos/ide/file.h>
#include <phobos/syntax/lexer.h>

namespace phobos::ide {

struct Cursor {
  enum class In { Code, Comment, RunLine };
  In in = In::Code;
  const ItemView* item = nullptr;  // the one that the place is in or, behind the last line of its text, that it may belong to
  std::string_view text;           // from the item's first byte (or the file's) to the place
  std::uint32_t base = 0;          // where that is in the file
  std::vector<syntax::Lexeme> tokens;  // those before the word
  std::string_view word;           // the letters before the place
  std::uint32_t word_end = 0;      // of the file: where the letters behind the place end
  bool begins_line = false;        // nothing but blanks stands before the word on its line
  std::string_view line;           // of a comment or a run line: from its `//` to the place

  std::uint32_t place() const { return base + static_cast<std::uint32_t>(text.size()); }
  std::uint32_t word_begin() const { return place() - static_cast<std::uint32_t>(word.size()); }
  // Kinds of the tokens before the word, the last one first.
  syntax::Tok before(std::size_t back = 0) const { return back < tokens.size() ? tokens[tokens.size() - 1 - back].kind : syntax::Tok::End; }
  std::string_view text_before(std::size_t back = 0) const;
  std::string_view text_at(std::size_t token) const { return text.substr(tokens[token].begin, tokens[token].end - tokens[token].begin); }

  // The innermost bracket that is open at the place, as an index of `tokens`; none: `no_token`.
  static constexpr std::size_t no_token = static_cast<std::size_t>(-1);
  std::size_t opener() const;
  // How many commas stand between that bracket and the place, those of inner brackets aside.
  std::size_t commas_since(std::size_t opener) const;
  // Whether the place is inside of braces.
  bool in_body() const;
};
Cursor cursor_at(const File& file, std::uint32_t offset);

}  // namespace phobos::ide
