// Expressions, token by token: a value is wanted, or one has just ended. Open brackets are a stack, so a statement of any depth
// is read in one loop. Precedence only tells where a long line is broken first.
#include "format_reader.h"

namespace phobos::syntax {

namespace {

constexpr int deepest_break = 32;  // brackets; further in, long lines stay long

// Of a binary operator, loosest 1; 0 for any other token.
int precedence(std::string_view op) {
  const char first = op.empty() ? '\0' : op[0];
  if (op.size() == 1) {
    switch (first) {
      case '<': case '>': return 4;
      case '|': return 5;
      case '^': return 6;
      case '&': return 7;
      case '+': case '-': return 9;
      case '*': case '/': case '%': return 10;
      default: return 0;
    }
  }
  if (op.size() != 2) return 0;
  switch (first) {
    case '|': return op[1] == '|' ? 1 : 0;
    case '&': return op[1] == '&' ? 2 : 0;
    case '=': case '!': return op[1] == '=' ? 3 : 0;
    case '<': case '>': return op[1] == '=' ? 4 : op[1] == first ? 8 : 0;
    default: return 0;
  }
}

constexpr int tight = 9;  // what may stand before the `>` of `shfl<up …>`

bool is_shuffle(std::string_view word) { return word == "xor" || word == "up" || word == "down" || word == "from"; }

}  // namespace

std::uint16_t Reader::key(int precedence) const {
  const auto depth = static_cast<int>(open_.size());
  return depth > deepest_break ? 0 : static_cast<std::uint16_t>(depth * 16 + precedence + 1);
}

bool Reader::expression(bool space, Place place) {
  open_.clear();
  bool wants_operand = true;
  std::uint16_t key = 0;
  for (;;) {
    if (ahead() == end_ && !open_.empty()) return false;
    if (wants_operand) {
      if (open_.empty() && ahead() == end_) return false;
      const std::uint32_t before = pos_;
      if (!operand(space, place, key)) return false;
      if (pos_ == before) {  // an empty list, or `:` alone
        wants_operand = false;
        continue;
      }
      const std::string_view token = word(pos_ - 1);
      wants_operand = token == "(" || token == "-" || token == "!" || token == "~" || token == ":";
      if (token == ":" && (is(",") || is("]"))) wants_operand = false;
      continue;
    }
    if (open_.empty() && (line_end() || semicolons() > 0)) return true;
    const std::uint32_t before = pos_;
    if (!after_operand(wants_operand, space, place, key)) return false;
    if (pos_ == before) return true;
  }
}

// One token where a value is wanted; leaves in `space` and `place` what goes before the next.
bool Reader::operand(bool& space, Place& place, std::uint16_t& break_key) {
  const std::uint32_t next = ahead();
  const std::string_view token = word(next);
  const TokenKind kind = at(next).kind;
  const auto taken = [&](bool next_space, Place next_place) {
    const bool good = take(place, space, break_key);
    space = next_space;
    place = next_place;
    break_key = 0;
    return good;
  };
  if (kind == TokenKind::Word || kind == TokenKind::Number) return taken(false, Place::Join);
  if (token == "-" || token == "!" || token == "~") return taken(false, Place::Join);
  if (token == "(") {
    notes_.notes[next].bracket = true;
    if (!taken(false, Place::Keep)) return false;
    open_.push_back({Bracket::Group});
    return true;
  }
  if (open_.empty()) return false;
  Open& innermost = open_.back();
  if (token == ")" && innermost.kind == Bracket::Call) return true;  // no arguments, or a comma behind the last
  if (token == ":" && innermost.kind == Bracket::Subscript && !innermost.colon) {
    innermost.colon = true;
    return taken(true, Place::Keep);
  }
  return false;
}

// One token behind a value. Takes nothing where the expression ends.
bool Reader::after_operand(bool& wants_operand, bool& space, Place& place, std::uint16_t& break_key) {
  const std::uint32_t next = ahead();
  const std::string_view token = word(next);
  wants_operand = false;
  space = false;
  place = Place::Keep;
  if (token == "(" || token == "[") {
    notes_.notes[next].bracket = true;
    if (!take(Place::Join, false)) return false;
    open_.push_back({token == "(" ? Bracket::Call : Bracket::Subscript});
    wants_operand = true;
    return true;
  }
  if (token == ".") {
    if (!take(Place::Join, false)) return false;
    return is_name() && take(Place::Join, false);
  }
  if (token == "<" && is_fold()) {
    wants_operand = word(ahead(1)) != "over";
    space = true;
    return fold();
  }
  if (!open_.empty() && open_.back().kind == Bracket::Fold && token == ">") {
    if (!take(Place::Join, false)) return false;
    open_.pop_back();
    return is("(") && !(open_.empty() && line_end());
  }
  if (const int level = precedence(token); level > 0) {
    if (!open_.empty() && open_.back().kind == Bracket::Fold && level < tight) return false;
    if (!take(Place::Keep, true)) return false;
    wants_operand = space = true;
    break_key = key(level);
    return true;
  }
  if (open_.empty()) return true;
  return separator(wants_operand, space, break_key);
}

// `,`, `:`, `:+`, or what closes a bracket.
bool Reader::separator(bool& wants_operand, bool& space, std::uint16_t& break_key) {
  const std::string_view token = word(ahead());
  Open& innermost = open_.back();
  if (token == ",") {
    if (innermost.kind != Bracket::Call && innermost.kind != Bracket::Subscript) return false;
    innermost.colon = false;
    if (!take(Place::Join, false)) return false;
    wants_operand = space = true;
    break_key = is(")") ? 0 : key(0);
    return true;
  }
  if (token == ":" || token == ":+") return colon(wants_operand, space);
  return close(token);
}

bool Reader::colon(bool& wants_operand, bool& space) {
  Open& innermost = open_.back();
  const bool span = is(":+");
  if (innermost.colon || (innermost.kind != Bracket::Subscript && !(span && innermost.kind == Bracket::Call))) return false;
  innermost.colon = true;
  if (!take(Place::Join, true)) return false;
  wants_operand = span || !(is(",") || is("]"));
  space = true;
  return true;
}

bool Reader::close(std::string_view token) {
  const Bracket kind = open_.back().kind;
  if (token != (kind == Bracket::Subscript ? "]" : ")") || kind == Bracket::Fold) return false;
  const std::uint32_t next = ahead();
  notes_.notes[next].bracket = true;
  const bool empty = notes_.partner[next] != no_token && notes_.partner[next] + 1 == next;
  if (!take(empty ? Place::Join : Place::Keep, false)) return false;
  open_.pop_back();
  return true;
}

// Whether the `<` ahead opens `<over ctx.lane>(` or `<up …>(` and is no comparison.
bool Reader::is_fold() const {
  const std::string_view first = word(ahead(1));
  if (first == "over") return word(ahead(2)) == "ctx" && word(ahead(3)) == "." && word(ahead(5)) == ">" && word(ahead(6)) == "(";
  std::uint32_t i = ahead(2);
  const bool two_values = i < end_ && (at(i).kind == TokenKind::Word || at(i).kind == TokenKind::Number);
  if (!is_shuffle(first) && !(at(ahead(1)).kind == TokenKind::Word && two_values)) return false;  // or one misspelt
  const auto step = [&] {
    do ++i;
    while (i < end_ && at(i).kind == TokenKind::Comment);
  };
  for (bool some = false; i < end_; step(), some = true) {
    const std::string_view token = word(i);
    const TokenKind kind = at(i).kind;
    if (token == ">") {
      step();
      return some && word(i) == "(";
    }
    if (token == "(" || token == "[") {
      if (notes_.partner[i] == no_token) return false;
      i = notes_.partner[i];
      continue;
    }
    const bool sum = kind == TokenKind::Word || kind == TokenKind::Number || token == "." || token == "!" || token == "~" ||
                     precedence(token) >= tight;
    if (!sum) return false;
  }
  return false;
}

bool Reader::fold() {
  const bool over = word(ahead(1)) == "over";
  if (!take(Place::Join, false) || !take(Place::Join, false)) return false;  // `<` and the word
  if (!over) {
    open_.push_back({Bracket::Fold});
    return true;
  }
  return take(Place::Join, true) && take(".", Place::Join, false) && is_name() && take(Place::Join, false) &&
         take(">", Place::Join, false);
}

}  // namespace phobos::syntax
