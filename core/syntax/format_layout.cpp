// From notes to white space, token by token, with the column kept in mind. Two decisions look further than the next token. A line
// that is too long first opens the blocks on it and then breaks at the outermost comma or operator, as far right as fits; what
// follows is a line of its own and is looked at in its turn. And comments behind code, which are placed once all code is: those
// that the author aligned stay aligned, and one that stands apart keeps its column where the code leaves it room.
#include "format_layout.h"

#include <algorithm>

#include <phobos/source/utf8.h>
#include <phobos/syntax/format.h>

namespace phobos::syntax {

namespace {

constexpr std::uint32_t step = 2;             // of indentation
constexpr std::uint32_t continued = 4;        // a statement's later lines
constexpr std::uint32_t farthest = 48;        // a bracket opened farther right does not align what it holds
constexpr std::uint32_t deepest = 100;        // columns of indentation, so that nesting costs no more than its length
constexpr std::uint32_t longest_look = 2000;  // tokens; of a longer line only so many decide where it is broken

class Layout {
 public:
  Layout(std::string_view text, const Notes& notes)
      : text_(text), tokens_(notes.tokens), notes_(notes.notes), partner_(notes.partner), one_line_(notes.one_line) {
    const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    std::size_t carriage = 0;
    for (std::size_t at = text.find("\r\n"); at != std::string_view::npos; at = text.find("\r\n", at + 2)) ++carriage;
    line_end_ = carriage * 2 > ends ? "\r\n" : "\n";
    forced_.resize(tokens_.size());
    number_lines();
    agree_on_branches(notes.chain);
  }

  std::vector<Gap> run() {
    for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
      next_.clear();
      gap(i);
      if (next_ != old_gap(i)) gaps_.push_back({i, next_});
      if (const std::size_t line = next_.rfind('\n'); line != std::string::npos)
        column_ = static_cast<std::uint32_t>(next_.size() - line - 1);
      else
        column_ += static_cast<std::uint32_t>(next_.size());
      column_ += size(i);
      after(i);
    }
    place_comments();
    return std::move(gaps_);
  }

 private:
  struct Open {
    std::uint32_t column;  // where lines in it begin
    std::uint32_t indent;  // of the line that it stands on
    bool hanging;          // it ends that line
  };

  // Columns: outside of comments a character of several bytes is a token of its own.
  std::uint32_t size(std::uint32_t i) const {
    const bool wide = tokens_[i].kind == TokenKind::Bad && static_cast<unsigned char>(text_[tokens_[i].begin]) >= 0x80;
    return wide ? 1 : tokens_[i].end - tokens_[i].begin;
  }
  std::uint32_t first_byte() const { return text_.starts_with("\xef\xbb\xbf") ? 3 : 0; }
  bool is_comment(std::uint32_t i) const { return tokens_[i].kind == TokenKind::Comment; }
  bool is(std::uint32_t i, char c) const {
    return tokens_[i].kind == TokenKind::Operator && tokens_[i].end - tokens_[i].begin == 1 && text_[tokens_[i].begin] == c;
  }
  bool opens(std::uint32_t i) const { return notes_[i].bracket && (is(i, '(') || is(i, '[')); }
  bool closes(std::uint32_t i) const { return notes_[i].bracket && (is(i, ')') || is(i, ']')); }
  std::string_view old_gap(std::uint32_t i) const {
    const std::uint32_t begin = i == 0 ? first_byte() : tokens_[i - 1].end;
    return text_.substr(begin, tokens_[i].begin - begin);
  }

  void number_lines();
  void agree_on_branches(const std::vector<std::uint32_t>& chain);
  bool hanging(std::uint32_t open) const;
  bool breaks(std::uint32_t i) const;
  bool blank(std::uint32_t i) const;
  std::uint32_t indentation(std::uint32_t i);
  void gap(std::uint32_t i);
  void new_line(std::uint32_t i);
  void keep_lines(std::uint32_t i);
  void beside(std::uint32_t i);
  void place_comments();
  void after(std::uint32_t i);
  void fit(std::uint32_t first, std::uint32_t column);
  std::uint32_t line_behind(std::uint32_t first, std::uint32_t column, std::uint32_t& width) const;
  bool open_blocks(std::uint32_t first, std::uint32_t last);

  std::string_view text_;
  const std::vector<Token>& tokens_;
  const std::vector<Note>& notes_;
  const std::vector<std::uint32_t>& partner_;
  std::vector<bool> one_line_;  // of `{`
  std::vector<bool> forced_;    // a line end before this token, to break a long line
  std::vector<std::uint32_t> line_;            // of each token
  std::vector<std::uint32_t> comment_column_;  // of comments behind code, in the text as it was; 0 for what is none, or unclear
  struct Beside {
    std::uint32_t token, code_end;
  };
  std::vector<Beside> beside_;  // comments behind code, in order
  std::string_view line_end_;
  std::vector<Open> open_;
  std::uint32_t column_ = 0, line_indent_ = 0, statement_indent_ = 0;
  bool item_ended_ = false;
  std::string next_;
  std::vector<Gap> gaps_;
};

void Layout::number_lines() {
  line_.resize(tokens_.size());
  comment_column_.resize(tokens_.size());
  std::uint32_t line = 0;
  for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
    line_[i] = line += tokens_[i].lines;
    if (i == 0 || !is_comment(i) || tokens_[i].lines > 0) continue;
    const std::size_t before = text_.rfind('\n', tokens_[i].begin);
    const std::size_t start = before == std::string_view::npos ? first_byte() : before + 1;
    const std::string_view code = text_.substr(start, tokens_[i].begin - start);
    if (code.find_first_of("\t\r") != std::string_view::npos || tokens_[i].semicolons > 0) continue;
    for (std::size_t at = 0; at < code.size(); at += decode(code, at).size) ++comment_column_[i];
  }
}

// The branches of an `if` stay on one line all together or not at all.
void Layout::agree_on_branches(const std::vector<std::uint32_t>& chain) {
  const auto count = static_cast<std::uint32_t>(chain.size());
  for (std::uint32_t i = 0; i < count; ++i)
    if (chain[i] != no_token) one_line_[i] = one_line_[i] && one_line_[chain[i]] && line_[i] == line_[chain[i]];
  for (std::uint32_t i = count; i-- > 0;)
    if (chain[i] != no_token && !one_line_[i]) one_line_[chain[i]] = false;
}

bool Layout::hanging(std::uint32_t open) const {
  const std::uint32_t next = open + 1;
  return is_comment(next) || (tokens_[next].lines > 0 && notes_[next].place == Place::Keep);
}

bool Layout::breaks(std::uint32_t i) const {
  const Note& note = notes_[i];
  if (is_comment(i - 1) || forced_[i]) return true;
  if (is_comment(i)) return tokens_[i].lines > 0;
  if (note.place == Place::Start) return note.block == no_token || !one_line_[note.block];
  if (note.place == Place::Join || tokens_[i].lines == 0) return false;
  return !closes(i) || partner_[i] == no_token || hanging(partner_[i]);
}

// Whether an empty line stands before the line that token begins.
bool Layout::blank(std::uint32_t i) const {
  const Note& note = notes_[i];
  if (item_ended_ && note.place == Place::Start) return true;
  if (tokens_[i].lines < 2 || is(i, '}') || is(i - 1, '{') || opens(i - 1)) return false;
  if (is_comment(i) || is_comment(i - 1)) return true;
  if (note.place == Place::Start) return note.level > 0 || notes_[i - 1].verbatim || note.verbatim;
  return is(i - 1, ',') && !closes(i);
}

std::uint32_t Layout::indentation(std::uint32_t i) {
  const Note& note = notes_[i];
  std::uint32_t column;
  if (note.place == Place::Start) {
    open_.clear();
    column = statement_indent_ = std::min(note.level, deepest / step) * step;
  } else if (!open_.empty()) {
    const Open& innermost = open_.back();
    column = !innermost.hanging ? innermost.column : closes(i) ? innermost.indent : innermost.indent + step;
  } else {
    column = is(i, '{') ? statement_indent_ : statement_indent_ + continued;
  }
  return line_indent_ = std::min(column, deepest);
}

// A return that ends a line is a mistake, whose bytes stay.
bool has_lone_return(std::string_view gap) {
  for (std::size_t at = gap.find('\r'); at != std::string_view::npos; at = gap.find('\r', at + 1))
    if (at + 1 == gap.size() || gap[at + 1] != '\n') return true;
  return false;
}

void Layout::gap(std::uint32_t i) {
  const Token& token = tokens_[i];
  const Note& note = notes_[i];
  const bool stray = token.semicolons > 0 && !note.separated;
  const bool inside = note.verbatim && i > 0 && notes_[i - 1].verbatim;
  if (stray || inside || (token.kind != TokenKind::End && has_lone_return(old_gap(i)))) {
    next_ = old_gap(i);
  } else if (token.kind == TokenKind::End) {
    if (i > 0) next_ = line_end_;
  } else if (note.verbatim || note.kept) {
    keep_lines(i);
  } else if (i == 0) {
    indentation(i);
    fit(0, 0);
  } else if (breaks(i)) {
    new_line(i);
  } else if (is_comment(i)) {
    beside(i);
  } else if (note.space) {
    next_ = ' ';
  }
  if (!is_comment(i) || token.lines > 0) item_ended_ = false;
}

void Layout::new_line(std::uint32_t i) {
  next_ = line_end_;
  if (blank(i)) next_ += line_end_;
  const std::uint32_t column = indentation(i);
  next_.append(column, ' ');
  fit(i, column);
}

// Of a token whose line structure is not to be touched.
void Layout::keep_lines(std::uint32_t i) {
  const std::string_view old = old_gap(i);
  const Token& token = tokens_[i];
  const Note& note = notes_[i];
  if (token.lines == 0) {
    if (note.verbatim || note.place == Place::Start || token.semicolons > 0) next_ = old;
    else if (is_comment(i)) beside(i);
    else if (note.space) next_ = ' ';
    return;
  }
  if (token.semicolons > 0) {
    next_ = old;
    return;
  }
  if (i > 0)
    for (std::uint32_t n = note.kept && !note.verbatim ? token.lines : blank(i) ? 2 : 1; n > 0; --n) next_ += line_end_;
  next_ += old.substr(old.rfind('\n') + 1);
  if (note.place == Place::Start) open_.clear();
}

// A comment behind code: for now where it was.
void Layout::beside(std::uint32_t i) {
  next_ = old_gap(i);
  beside_.push_back({i, column_});
}

void Layout::place_comments() {
  std::vector<Gap> moved;
  for (std::size_t i = 0; i < beside_.size();) {
    const std::uint32_t column = comment_column_[beside_[i].token];
    std::size_t behind = i;
    std::uint32_t widest = 0;
    do widest = std::max(widest, beside_[behind].code_end + 2);
    while (++behind < beside_.size() && column != 0 && comment_column_[beside_[behind].token] == column &&
           line_[beside_[behind].token] == line_[beside_[behind - 1].token] + 1);
    const bool apart = column != 0 && old_gap(beside_[i].token).size() > 2;
    const std::uint32_t wanted = behind - i > 1 || apart ? std::max(column, widest) : widest;
    for (; i < behind; ++i) {
      std::string spaces(wanted - beside_[i].code_end, ' ');
      if (spaces != old_gap(beside_[i].token)) moved.push_back({beside_[i].token, std::move(spaces)});
    }
  }
  const auto middle = static_cast<std::ptrdiff_t>(gaps_.size());
  gaps_.insert(gaps_.end(), std::make_move_iterator(moved.begin()), std::make_move_iterator(moved.end()));
  std::inplace_merge(gaps_.begin(), gaps_.begin() + middle, gaps_.end(), [](const Gap& a, const Gap& b) { return a.token < b.token; });
}

void Layout::after(std::uint32_t i) {
  if (notes_[i].last) item_ended_ = true;
  if (notes_[i].verbatim) return;
  if (opens(i)) open_.push_back({column_ <= farthest ? column_ : line_indent_ + continued, line_indent_, hanging(i)});
  if (closes(i) && !open_.empty()) open_.pop_back();
}

// --- long lines ----------------------------------------------------------------------------------------------------------

// The token behind the line that begins with `first` at `column`, and the column where that line ends.
std::uint32_t Layout::line_behind(std::uint32_t first, std::uint32_t column, std::uint32_t& width) const {
  std::uint32_t i = first + 1;
  width = column + size(first);
  while (i + 1 < tokens_.size() && i - first < longest_look && !is_comment(i) && !breaks(i)) {
    width += size(i) + (notes_[i].space ? 1 : 0);
    ++i;
  }
  return i;
}

// With any of an `if`, all its branches, however far the line goes.
bool Layout::open_blocks(std::uint32_t first, std::uint32_t last) {
  bool any = false;
  for (std::uint32_t i = first; i < last || (any && line_[i] == line_[last - 1]); ++i) {
    any = any || one_line_[i];
    one_line_[i] = false;
  }
  return any;
}

void Layout::fit(std::uint32_t first, std::uint32_t column) {
  if (is_comment(first) || notes_[first].verbatim) return;
  std::uint32_t width = 0;
  std::uint32_t last = line_behind(first, column, width);
  if (width > format_columns && open_blocks(first, last)) last = line_behind(first, column, width);
  while (width > format_columns) {
    std::uint32_t best = no_token, best_end = 0, end = column + size(first);
    for (std::uint32_t i = first + 1; i < last; ++i) {
      const std::uint16_t key = notes_[i].key;
      const bool better = key != 0 && (best == no_token || key < notes_[best].key || (key == notes_[best].key && end <= format_columns));
      if (better) {
        best = i;
        best_end = end;
      }
      end += size(i) + (notes_[i].space ? 1 : 0);
    }
    if (best == no_token) return;
    forced_[best] = true;
    last = best;
    width = best_end;
  }
}

}  // namespace

std::vector<Gap> lay_out(std::string_view text, const Notes& notes) { return Layout(text, notes).run(); }

}  // namespace phobos::syntax
