// Items, heads, blocks and statements, and how to go on behind an error: the statement's lines, as far as it could be read, stay
// as they are, and reading goes on at the next line, in as many blocks as the braces on those lines leave open.
#include "format_reader.h"

#include <algorithm>
#include <array>

#include "split.h"

namespace phobos::syntax {

// --- the cursor ----------------------------------------------------------------------------------------------------------

std::uint32_t Reader::ahead(int count) const {
  std::uint32_t i = pos_;
  for (;; ++i) {
    while (i < end_ && at(i).kind == TokenKind::Comment) ++i;
    if (i >= end_ || count-- == 0) return i;
  }
}

bool Reader::line_end() const { return pos_ < end_ && (at(pos_).lines > 0 || at(pos_).kind == TokenKind::Comment); }

std::uint32_t Reader::semicolons() const {
  std::uint32_t count = 0;
  for (std::uint32_t i = pos_; i < end_; ++i) {
    count += at(i).semicolons;
    if (at(i).kind != TokenKind::Comment) break;
  }
  return count;
}

// A line end may stand before the next token, or be taken away, only where it ends no statement.
bool Reader::may_continue(Place place) const {
  if (!separated_ && semicolons() > 0) return false;
  return place == Place::Start || blocks_.empty() || !open_.empty() || !line_end() || !can_end_statement(at(pos_ - 1), text_);
}

bool Reader::take(Place place, bool space, std::uint16_t key) {
  const std::uint32_t next = ahead();
  if (next >= end_ || !may_continue(place)) return false;
  for (; pos_ <= next; ++pos_) {
    Note& note = notes_.notes[pos_];
    const bool comment = pos_ < next;
    note.place = comment && place == Place::Join ? Place::Keep : place;
    note.level = comment && place == Place::Start && is("}") ? level_ + 1 : level_;
    note.space = space;
    note.key = comment ? 0 : key;
    note.kept = !balanced_;
    note.separated = separated_;
    lines_ += at(pos_).lines;
  }
  separated_ = false;
  return true;
}

// The lines from the one that `start` stands on up to the token that was not expected, which is left out if it begins a line.
void Reader::fail(std::uint32_t start) {
  for (; pos_ < start; ++pos_) {
    notes_.notes[pos_].place = Place::Start;
    notes_.notes[pos_].level = static_cast<std::uint32_t>(blocks_.size());
    lines_ += at(pos_).lines;
  }
  const std::uint32_t next = ahead();
  std::uint32_t last = next;
  if (next >= end_) {
    last = end_ - 1;
  } else if (next > start && line_end()) {
    --last;
    while (last > start && at(last).kind == TokenKind::Comment && at(last).lines > 0) --last;
  } else {
    while (last + 1 < end_ && at(last + 1).lines == 0) ++last;
  }
  std::uint32_t first = start;
  while (first > 0 && at(first).lines == 0) --first;
  last = with_indented(first, start, last);
  for (std::uint32_t i = first; i <= last; ++i) notes_.notes[i].verbatim = true;
  if (!blocks_.empty()) blocks_.back().compound = true;
  for (std::uint32_t i = std::max(start, pos_); i <= last; ++i) lines_ += at(i).lines;
  for (std::uint32_t i = start; i <= last; ++i) {
    if (word(i) == "{") {
      blocks_.push_back({i, lines_});
      blocks_.back().compound = true;
    } else if (word(i) == "}" && !blocks_.empty()) {
      blocks_.pop_back();
    }
  }
  pos_ = last + 1;
  separated_ = false;
  open_.clear();
}

// The last token of the lines up to `last` and of those behind them that are indented further than the first, where no brace says
// otherwise: they go on with it, or are its body, as other languages have it. What they mean is in how they are indented.
std::uint32_t Reader::with_indented(std::uint32_t first, std::uint32_t start, std::uint32_t last) const {
  const auto column = [&](std::uint32_t i) { return at(i).begin - (text_.rfind('\n', at(i).begin) + 1); };
  int depth = 0;
  const auto count = [&](std::uint32_t i) { depth += word(i) == "{" ? 1 : word(i) == "}" ? -1 : 0; };
  for (std::uint32_t i = start; i <= last; ++i) count(i);
  const std::size_t indent = column(first);
  if (depth != 0 || blocks_.empty() || indent <= 2 * (blocks_.size() - 1)) return last;  // not further in than the block's own head
  const auto goes_on = [&](std::uint32_t i) { return depth > 0 || (depth == 0 && word(i) != "}" && column(i) > indent); };
  while (last + 1 < end_ && at(last + 1).lines > 0 && goes_on(last + 1)) {
    do count(++last);
    while (last + 1 < end_ && at(last + 1).lines == 0);
  }
  return last;
}

// --- items ---------------------------------------------------------------------------------------------------------------

void Reader::item(std::uint32_t begin, std::uint32_t end) {
  pos_ = begin;
  end_ = end;
  lines_ = level_ = 0;
  blocks_.clear();
  open_.clear();
  separated_ = false;
  int depth = 0;
  balanced_ = true;
  for (std::uint32_t i = begin; i < end; ++i) {
    if (word(i) == "{") ++depth;
    if (word(i) == "}" && --depth < 0) balanced_ = false;
  }
  balanced_ = balanced_ && depth == 0;
  attributes_and_head();
  body();
  notes_.notes[end - 1].last = true;
}

void Reader::attributes_and_head() {
  for (bool headed = false; pos_ < end_ && !headed && blocks_.empty();) {
    level_ = 0;
    const std::uint32_t start = ahead();
    headed = starts_item(at(start), text_);
    const bool good = headed ? head() : is("@") && attribute();
    if (good) continue;
    const std::uint32_t before = pos_;
    fail(start);
    for (std::uint32_t i = before; i < pos_; ++i) headed = headed || starts_item(at(i), text_);
  }
}

bool Reader::attribute() {
  take(Place::Start, false);
  if (!is_name() || !take(Place::Join, false)) return false;
  if (!is("(")) return true;
  notes_.notes[ahead()].bracket = true;
  take(Place::Join, false);
  int lists = 0;  // of choices: `X in [1, 2]`
  int groups = 0;  // of arithmetic
  bool glued = true, operand = false;
  std::uint16_t key = 0;
  for (;;) {
    const std::uint32_t next = ahead();
    const std::string_view token = word(next);
    if (token == ")" && lists == 0 && groups == 0) break;
    const TokenKind kind = next < end_ ? at(next).kind : TokenKind::End;
    const bool value = kind == TokenKind::Word || kind == TokenKind::Number;
    if (token == "[") ++lists;
    if (token == "]") --lists;
    if ((token == "[" && lists > 1) || (token == "]" && lists < 0)) return false;
    const bool sign = operand && (token == "+" || token == "-" || token == "*" || token == "/" || token == "%");
    const bool group = (token == "(" && !operand && lists == 0) || (token == ")" && operand && groups > 0);
    if (group) groups += token == "(" ? 1 : -1;
    const bool minus = !operand && token == "-" && ahead(1) < end_ && at(ahead(1)).kind == TokenKind::Number;
    if (!value && !minus && !sign && !group && token != "in" && token != "=" && token != "," && token != "[" && token != "]") return false;
    const bool before = !glued && token != "," && token != "]" && token != ")";
    notes_.notes[next].bracket = token == "[" || token == "]" || group;
    if (!take(glued || key != 0 || token == "]" ? Place::Keep : Place::Join, before, key)) return false;
    if (minus && !take(Place::Join, false)) return false;
    glued = token == "[" || token == "(";
    operand = value ? token != "in" : minus || token == ")";
    key = token != "," ? 0 : lists > 0 ? 33 : 17;
  }
  notes_.notes[ahead()].bracket = true;
  return take(Place::Keep, false);
}

bool Reader::head() {
  take(Place::Start, false);
  if (!is_name() || !take(Place::Join, true)) return false;
  if (!is("(") || !parameters()) return false;
  if (is("->") && (!take(Place::Join, true) || !type(true))) return false;
  return open_block(false);
}

bool Reader::parameters() {
  notes_.notes[ahead()].bracket = true;
  take(Place::Join, false);
  std::uint16_t key = 0;
  while (!is(")")) {
    if (!is_name() || !take(Place::Keep, key != 0, key)) return false;
    if (!take(":", Place::Join, false) || !type(true)) return false;
    if (!is(",")) break;
    take(Place::Join, false);
    key = 17;
  }
  if (!is(")")) return false;
  notes_.notes[ahead()].bracket = true;
  return take(word(pos_ - 1) == "(" ? Place::Join : Place::Keep, false);
}

bool Reader::type(bool space) {
  if (!is_name() || !take(Place::Join, space)) return false;
  if (!is("<") || (!blocks_.empty() && line_end())) return true;
  take(Place::Join, false);
  if (!is_name() || !take(Place::Join, false) || !take(">", Place::Join, false) || !is("[")) return false;
  notes_.notes[ahead()].bracket = true;
  take(Place::Join, false);
  open_.push_back({Bracket::Subscript});
  for (bool first = true;; first = false) {
    const std::uint32_t next = ahead();
    if (next >= end_ || (at(next).kind != TokenKind::Word && at(next).kind != TokenKind::Number)) return false;
    if (!take(Place::Keep, !first)) return false;
    if (!is(",")) break;
    if (!take(Place::Join, false)) return false;
  }
  if (!is("]")) return false;
  notes_.notes[ahead()].bracket = true;
  if (!take(Place::Keep, false)) return false;
  open_.pop_back();
  return true;
}

// --- blocks and statements -----------------------------------------------------------------------------------------------

void Reader::body() {
  while (pos_ < end_) {
    const std::uint32_t start = ahead();
    if (blocks_.empty()) {
      fail(start);
      continue;
    }
    if (is("}") ? close_block() : statement()) continue;
    fail(start);
  }
}

bool Reader::open_block(bool of_if) {
  if (!is("{") || (!blocks_.empty() && line_end()) || !take(Place::Join, true)) return false;
  if (!blocks_.empty()) blocks_.back().compound = true;
  blocks_.push_back({pos_ - 1, lines_});
  blocks_.back().of_if = of_if;
  notes_.chain[pos_ - 1] = chained_;
  chained_ = no_token;
  return true;
}

bool Reader::close_block() {
  const Block block = blocks_.back();
  level_ = static_cast<std::uint32_t>(blocks_.size()) - 1;
  if (!take(Place::Start, pos_ - 1 != block.open)) return false;
  const std::uint32_t close = pos_ - 1;
  if (lines_ == block.lines && block.statements <= 1 && !block.compound) {
    notes_.one_line[block.open] = true;
    notes_.notes[close].block = block.open;
    if (block.first != no_token) notes_.notes[block.first].block = block.open;
  }
  blocks_.pop_back();
  if (blocks_.empty()) return true;
  if (block.of_if && is("else") && !line_end() && semicolons() == 0) continue_if(block.open);
  else if (!end_statement()) fail(ahead());
  return true;
}

void Reader::continue_if(std::uint32_t block) {
  const std::uint32_t start = ahead();
  chained_ = block;
  take(Place::Join, true);
  const bool good = is("if") ? take(Place::Join, true) && condition_and_block(true) : open_block(false);
  chained_ = no_token;
  if (!good) fail(start);
}

bool Reader::end_statement() {
  if (ahead() >= end_) return true;
  const std::uint32_t count = semicolons();
  if (count > 1 || (count == 0 && !line_end() && !is("}"))) return false;
  if (count == 1 && !can_end_statement(at(pos_ - 1), text_)) return false;  // a line end there would end nothing
  separated_ = true;
  return true;
}

bool Reader::statement() {
  Block& block = blocks_.back();
  if (++block.statements == 1) block.first = ahead();
  level_ = static_cast<std::uint32_t>(blocks_.size());
  open_.clear();
  const std::string_view first = word(ahead());
  if (first == "for") return loop();
  if (first == "if" || first == "while") return take(Place::Start, true) && condition_and_block(first == "if");
  bool good = false;
  if (first == "let" || first == "var") {
    good = declaration();
  } else if (first == "break" || first == "continue") {
    good = take(Place::Start, true);
  } else if (first == "return") {
    good = take(Place::Start, true);
    const bool alone = ahead() >= end_ || line_end() || semicolons() > 0 || is("}");
    if (good && !alone) good = expression(true, Place::Join);
  } else {
    good = assignment_or_call();
  }
  return good && end_statement();
}

bool Reader::declaration() {
  const bool is_var = is("var");
  if (!take(Place::Start, true) || !is_name() || !take(Place::Join, true)) return false;
  bool typed = false;
  if (is(":") && !line_end()) {
    take(Place::Join, false);
    if (!type(true)) return false;
    typed = true;
  }
  if (!is("=") || line_end()) return is_var && typed;
  return take(Place::Join, true) && expression(true, Place::Keep);
}

bool Reader::loop() {
  if (!take(Place::Start, true)) return false;
  if (is("<")) {
    take(Place::Join, false);
    if (!take("unroll", Place::Join, false)) return false;
    if (ahead() < end_ && at(ahead()).kind == TokenKind::Number && !take(Place::Join, true)) return false;
    if (!take(">", Place::Join, false)) return false;
  }
  if (!is_name() || !take(Place::Join, true) || !take("in", Place::Join, true)) return false;
  if (!is("range") || word(ahead(1)) != "(" || !expression(true, Place::Join) || word(pos_ - 1) != ")") return false;
  return open_block(false);
}

bool Reader::condition_and_block(bool of_if) { return expression(true, Place::Join) && open_block(of_if); }

bool Reader::assignment_or_call() {
  static constexpr std::array<std::string_view, 11> assignments = {"=",  "+=", "-=", "*=",  "/=", "%=",
                                                                   "&=", "|=", "^=", "<<=", ">>="};
  const std::uint32_t start = pos_;
  if (!expression(true, Place::Start)) return false;
  if (line_end() || std::find(assignments.begin(), assignments.end(), word(ahead())) == assignments.end()) return true;
  for (std::uint32_t i = start; i < pos_; ++i) notes_.notes[i].key = 0;  // a long line is broken behind its `=`
  return take(Place::Join, true) && expression(true, Place::Keep);
}

// --- the whole text --------------------------------------------------------------------------------------------------------

Notes read_notes(std::string_view text) {
  Notes notes;
  notes.tokens = tokenise(text);
  const auto count = static_cast<std::uint32_t>(notes.tokens.size());
  notes.notes.resize(count);
  notes.partner = partners(notes.tokens, text);
  notes.one_line.resize(count);
  notes.chain.resize(count, no_token);
  Reader reader(text, notes);
  std::uint32_t next = 0;
  const auto outside = [&](std::uint32_t until) {
    for (; next < count && notes.tokens[next].begin < until; ++next) {
      notes.notes[next].place = Place::Start;
      notes.notes[next].verbatim = notes.tokens[next].kind != TokenKind::Comment;
    }
  };
  for (const Span item : split(text).items) {
    outside(item.begin);
    const std::uint32_t begin = next;
    while (next < count && notes.tokens[next].begin < item.end) ++next;
    if (begin < next) reader.item(begin, next);
  }
  outside(static_cast<std::uint32_t>(text.size()));
  notes.notes.back().place = Place::Start;
  return notes;
}

}  // namespace phobos::syntax
