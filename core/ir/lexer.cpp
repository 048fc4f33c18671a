#include "lexer.h"

namespace phobos::ir {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name(char c) { return is_letter(c) || is_digit(c); }
bool is_dotted(char c) { return is_name(c) || c == '.'; }
bool is_number(char c) { return is_dotted(c) || c == '+' || c == '-'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

void Lexer::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      first_ = true;
    } else if (text_.substr(at_, 2) == "//") {
      while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
    ++at_;
  }
}

std::string_view Lexer::scan(bool (*keep)(char)) {
  const std::size_t begin = at_;
  while (at_ < text_.size() && keep(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

bool Lexer::quoted(std::string& out) {
  for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c != '\\') {
      out += c;
      continue;
    }
    if (++at_ >= text_.size()) return false;
    if (text_[at_] != 'x') {
      out += text_[at_];
      continue;
    }
    if (at_ + 2 >= text_.size()) return false;
    const int high = hex_digit(text_[at_ + 1]), low = hex_digit(text_[at_ + 2]);
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
    at_ += 2;
  }
  return false;
}

Token Lexer::next() {
  skip_space();
  Token token;
  token.first = first_;
  token.line = line_;
  first_ = false;
  if (at_ >= text_.size()) return token;
  const std::size_t begin = at_;
  const char c = text_[at_];
  const char ahead = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (c == '"') {
    token.kind = quoted(token.text) ? Token::Kind::String : Token::Kind::Bad;
  } else if (c == '%' && (is_name(ahead) || ahead == '"')) {
    token.kind = Token::Kind::Value;
    ++at_;
    if (ahead == '"') {
      if (!quoted(token.text)) token.kind = Token::Kind::Bad;
      scan(is_dotted);
    } else {
      const std::string_view name = scan(is_dotted);
      if (!is_digit(name[0])) token.text = name.substr(0, name.find('.'));
    }
  } else if (is_letter(c)) {
    token.kind = Token::Kind::Word;
    scan(is_dotted);
  } else if (is_digit(c) || ((c == '-' || c == '+') && is_dotted(ahead))) {
    token.kind = Token::Kind::Number;
    ++at_;
    scan(is_number);
  } else {
    token.kind = Token::Kind::Punctuation;
    ++at_;
  }
  token.raw = text_.substr(begin, at_ - begin);
  return token;
}

std::string_view Lexer::until(char close) {
  const std::size_t end = text_.find_first_of(std::string{close, '\n'}, at_);
  if (end == std::string_view::npos || text_[end] != close) return {};
  const std::string_view found = text_.substr(at_, end - at_);
  at_ = end;
  return found;
}

}  // namespace phobos::ir
