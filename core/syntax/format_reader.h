#pragma once

#include <string_view>
#include <vector>

#include "format_notes.h"

namespace phobos::syntax {

// Reads items by the language's grammar. Nothing recurses: blocks and brackets are stacks, so that nesting costs memory alone.
// A function that returns false has met a token that it did not expect, the next one; `fail` then gives up on its statement.
class Reader {
 public:
  Reader(std::string_view text, Notes& notes) : text_(text), notes_(notes) {}

  // One item, of the tokens from `begin` up to `end`.
  void item(std::uint32_t begin, std::uint32_t end);

 private:
  struct Block {
    std::uint32_t open = no_token;
    std::uint32_t lines = 0;         // line ends seen when it was opened
    std::uint32_t statements = 0;
    std::uint32_t first = no_token;  // of its statements, the first token
    bool compound = false;           // has a block in it
    bool of_if = false;
  };
  enum class Bracket : std::uint8_t { Group, Call, Subscript, Fold };
  struct Open {
    Bracket kind;
    bool colon = false;  // this element has its `:` or `:+`
  };

  // format_reader.cpp
  void attributes_and_head();
  bool attribute();
  bool head();
  bool parameters();
  bool type(bool space);
  void body();
  bool statement();
  bool declaration();
  bool loop();
  bool condition_and_block(bool of_if);
  bool assignment_or_call();
  bool open_block(bool of_if);
  bool close_block();
  void continue_if(std::uint32_t block);
  bool end_statement();
  void fail(std::uint32_t start);
  std::uint32_t with_indented(std::uint32_t first, std::uint32_t start, std::uint32_t last) const;

  // format_expressions.cpp
  bool expression(bool space, Place place);  // how its first token stands
  bool operand(bool& space, Place& place, std::uint16_t& key);
  bool after_operand(bool& wants_operand, bool& space, Place& place, std::uint16_t& key);
  bool separator(bool& wants_operand, bool& space, std::uint16_t& key);
  bool colon(bool& wants_operand, bool& space);
  bool close(std::string_view token);
  bool fold();
  bool is_fold() const;
  std::uint16_t key(int precedence) const;

  const Token& at(std::uint32_t i) const { return notes_.tokens[i]; }
  std::uint32_t ahead(int count = 0) const;  // the next token that is no comment, or the one `count` behind it
  std::string_view word(std::uint32_t i) const { return i < end_ ? at(i).text(text_) : std::string_view(); }
  bool is(std::string_view token) const { return word(ahead()) == token; }
  bool is_name() const { return ahead() < end_ && at(ahead()).kind == TokenKind::Word; }
  bool line_end() const;  // between the last token and the next
  std::uint32_t semicolons() const;  // likewise
  bool may_continue(Place place) const;
  bool take(Place place, bool space, std::uint16_t key = 0);
  bool take(std::string_view token, Place place, bool space) { return is(token) && take(place, space); }

  std::string_view text_;
  Notes& notes_;
  std::uint32_t pos_ = 0, end_ = 0;
  std::uint32_t lines_ = 0;  // line ends in the text before `pos_`, from the item's start
  std::uint32_t level_ = 0;
  bool balanced_ = true;
  bool separated_ = false;  // a statement has ended, so that a `;` may come
  std::uint32_t chained_ = no_token;  // the block before an `else`
  std::vector<Block> blocks_;
  std::vector<Open> open_;
};

}  // namespace phobos::syntax
