#include "format_tokens.h"

#include <algorithm>
#include <array>

#include <phobos/source/utf8.h>

namespace phobos::syntax {

namespace {

constexpr std::array<std::string_view, 12> keywords = {"kernel", "fn",    "let",   "var",      "if",     "else",
                                                       "for",    "in",    "while", "continue", "return", "break"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || is_digit(c); }

bool is_keyword(std::string_view word) {
  for (const std::string_view each : keywords)
    if (each[0] == word[0] && each == word) return true;
  return false;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() / 3 + 1);
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    while (at_ < text_.size()) step();
    push(TokenKind::End, at_);
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void push(TokenKind kind, std::size_t end) {
    next_.begin = static_cast<std::uint32_t>(at_);
    next_.end = static_cast<std::uint32_t>(end);
    next_.kind = kind;
    tokens_.push_back(next_);
    next_ = {};
    at_ = end;
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n' || c == ';' || (c == '\r' && peek(1) != '\n')) {  // a lone return ends a line, if by mistake, as it does in the lexer
      ++(c == ';' ? next_.semicolons : next_.lines);
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      comment();
    } else if (c == '#') {
      comment();  // of another language: a mistake up to the end of the line
      tokens_.back().kind = TokenKind::Bad;
    } else if (is_word_start(c)) {
      std::size_t end = at_ + 1;
      while (end < text_.size() && is_word_part(text_[end])) ++end;
      const std::string_view word = text_.substr(at_, end - at_);
      push(is_keyword(word) ? TokenKind::Keyword : TokenKind::Word, end);
    } else if (is_digit(c)) {
      number();
    } else {
      symbol();
    }
  }

  void comment() {
    const std::size_t line_end = std::min(text_.find_first_of(text_[at_] == '#' ? "\n" : "\n\r", at_), text_.size());
    std::size_t end = line_end;
    while (end > at_ && std::string_view(" \t\r\f\v").find(text_[end - 1]) != std::string_view::npos) --end;
    push(TokenKind::Comment, end);
    at_ = line_end;
  }

  // The grammar's literals; a word that begins with digits and is none of them is Bad.
  void number() {
    std::size_t end = at_;
    const auto digits = [&](auto accepts) {
      const std::size_t from = end;
      while (end < text_.size() && accepts(text_[end])) ++end;
      return end > from;
    };
    const auto is_hex = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '_'; };
    const auto is_decimal = [](char c) { return is_digit(c) || c == '_'; };
    bool good = true;
    if (text_[at_] == '0' && peek(1) == 'x' && is_hex(peek(2)) && peek(2) != '_') {
      end += 2;
      digits(is_hex);
    } else if (text_[at_] == '0' && peek(1) == 'b' && (peek(2) == '0' || peek(2) == '1')) {
      end += 2;
      digits([](char c) { return c == '0' || c == '1' || c == '_'; });
    } else {
      digits(is_decimal);
      const bool plain = text_.substr(at_, end - at_).find('_') == std::string_view::npos;
      if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) {
        ++end;
        digits(is_digit);
        good = plain;
      }
      if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
        const std::size_t sign = end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-') ? 2 : 1;
        if (end + sign < text_.size() && is_digit(text_[end + sign])) {
          end += sign;
          digits(is_digit);
          good = good && plain;
        }
      }
    }
    if (digits(is_word_part)) good = false;
    push(good ? TokenKind::Number : TokenKind::Bad, end);
  }

  void symbol() {
    const char first = text_[at_], second = peek(1);
    const bool twice = first == second;
    const bool shift = twice && (first == '<' || first == '>');
    const auto one_of = [](char c, std::string_view set) { return set.find(c) != std::string_view::npos; };
    if (shift && peek(2) == '=') return push(TokenKind::Operator, at_ + 3);
    const bool two = shift || (second == '=' && one_of(first, "=!<>+-*/%&|^")) || (twice && (first == '&' || first == '|')) ||
                     (first == ':' && second == '+') || (first == '-' && second == '>');
    if (two) return push(TokenKind::Operator, at_ + 2);
    push(one_of(first, "(){}[]<>=+-*/%&|^!~,.:@") ? TokenKind::Operator : TokenKind::Bad, at_ + decode(text_, at_).size);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token next_;
  std::vector<Token> tokens_;
};

// One token after another, with what stands between them.
class Meaning {
 public:
  explicit Meaning(std::string_view text) : text_(text), tokens_(tokenise(text)), partner_(partners(tokens_, text)) {}

  struct Step {
    std::string_view text;
    bool ends_statement = false;  // before this token
    bool below_comment = false;   // the token stands directly under a line that is a comment
    bool own_line = false;        // of a comment: nothing stands before it
    std::uint32_t stray = 0;      // `;` that end nothing, outside of brackets
    bool operator==(const Step&) const = default;
  };

  bool done() const { return at_ == tokens_.size(); }

  Step next() {
    const Token& token = tokens_[at_];
    const bool comment = token.kind == TokenKind::Comment;
    lines_ += token.lines;
    semicolons_ += token.semicolons;
    Step step{token.text(text_)};
    const bool in_brackets = !open_.empty() && open_.back() != '{';
    step.own_line = comment && (token.lines > 0 || at_ == 0);
    step.below_comment = after_comment_line_ && token.lines == 1 && token.kind != TokenKind::End && step.text != "}";
    after_comment_line_ = step.own_line;
    if (!comment) {
      if (starts_item(token, text_)) open_.clear();
      const bool may_end = !in_brackets && !open_.empty() && last_ends_;
      const bool may_follow = token.kind != TokenKind::End && step.text != "}" && step.text != "@";
      step.ends_statement = may_end && may_follow && lines_ + semicolons_ > 0;
      step.stray = in_brackets ? 0 : may_end ? semicolons_ - std::min(semicolons_, 1u) : semicolons_;
      lines_ = semicolons_ = 0;
      last_ends_ = can_end_statement(token, text_);
      if (token.kind == TokenKind::Operator) bracket(step.text);
    }
    ++at_;
    return step;
  }

 private:
  // A bracket that has no partner holds nothing.
  void bracket(std::string_view token) {
    const char c = token.size() == 1 ? token[0] : '\0';
    const bool paired = partner_[at_] != no_token;
    if (c == '{' || (paired && (c == '(' || c == '['))) open_.push_back(c);
    if (c == '}')
      while (!open_.empty() && open_.back() != '{') open_.pop_back();
    if ((c == '}' || (paired && (c == ')' || c == ']'))) && !open_.empty()) open_.pop_back();
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<std::uint32_t> partner_;
  std::size_t at_ = 0;
  std::vector<char> open_;
  std::uint32_t lines_ = 0, semicolons_ = 0;
  bool last_ends_ = false, after_comment_line_ = false;
};

}  // namespace

std::vector<Token> tokenise(std::string_view text) { return Lexer(text).run(); }

bool starts_item(const Token& token, std::string_view whole) {
  return token.kind == TokenKind::Keyword && (token.text(whole) == "kernel" || token.text(whole) == "fn");
}

bool can_end_statement(const Token& token, std::string_view whole) {
  switch (token.kind) {
    case TokenKind::Word:
    case TokenKind::Number:
      return true;
    case TokenKind::Keyword: {
      const std::string_view word = token.text(whole);
      return word == "break" || word == "continue" || word == "return";
    }
    case TokenKind::Operator: {
      const char c = whole[token.begin];
      return c == ')' || c == ']' || c == '}';
    }
    default:
      return false;
  }
}

std::vector<std::uint32_t> partners(const std::vector<Token>& tokens, std::string_view text) {
  std::vector<std::uint32_t> partner(tokens.size(), no_token), open;
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    if (starts_item(tokens[i], text)) open.clear();
    if (tokens[i].kind != TokenKind::Operator || tokens[i].end - tokens[i].begin != 1) continue;
    const char c = text[tokens[i].begin];
    if (c == '(' || c == '[' || c == '{') open.push_back(i);
    if (c == '}')
      while (!open.empty() && text[tokens[open.back()].begin] != '{') open.pop_back();
    if (open.empty() || (c != ')' && c != ']' && c != '}')) continue;
    if (text[tokens[open.back()].begin] != (c == ')' ? '(' : c == ']' ? '[' : '{')) continue;
    partner[i] = open.back();
    partner[open.back()] = i;
    open.pop_back();
  }
  return partner;
}

bool same_meaning(std::string_view before, std::string_view after) {
  Meaning a(before), b(after);
  while (!a.done() && !b.done())
    if (a.next() != b.next()) return false;
  return a.done() && b.done();
}

}  // namespace phobos::syntax
