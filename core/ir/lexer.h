// Tokens of IR text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace phobos::ir {

struct Token {
  enum class Kind { End, Word, Number, String, Value, Punctuation, Bad };
  Kind kind = Kind::End;
  std::string_view raw;
  std::string text;        // of a string, unescaped; of a value, its name ("" for a numbered one)
  bool first = false;      // on its line
  int line = 1;

  bool is(std::string_view spelling) const {
    return (kind == Kind::Word || kind == Kind::Punctuation) && raw == spelling;
  }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();
  // The text from here up to and without `close`, on this line; empty where there is none.
  std::string_view until(char close);

 private:
  void skip_space();
  bool quoted(std::string& out);
  std::string_view scan(bool (*keep)(char));

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool first_ = true;
};

}  // namespace phobos::ir
