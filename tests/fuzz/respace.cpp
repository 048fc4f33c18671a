#include "respace.h"

#include <algorithm>
#include <array>
#include <random>

namespace phobos::fuzz {

namespace {

constexpr std::array<std::string_view, 20> operators = {"<<=", ">>=", ":+", "->", "==", "!=", "<=", ">=", "&&", "||",
                                                        "<<",  ">>",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_comment(const Piece& piece) { return piece.text.starts_with("//"); }

std::size_t piece_end(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find_first_of("\n\r", at), text.size());
  if (is_word(text[at])) {
    const bool number = is_digit(text[at]);
    std::size_t end = at + 1;
    const auto goes_on = [&] {
      if (end >= text.size()) return false;
      if (is_word(text[end])) return true;
      const char last = text[end - 1];
      const bool hex = text.substr(at, 2) == "0x";
      if (!number || hex || end + 1 >= text.size() || !is_digit(text[end + 1])) return false;
      return text[end] == '.' || ((text[end] == '-' || text[end] == '+') && (last == 'e' || last == 'E'));
    };
    while (goes_on()) ++end;
    return end;
  }
  for (const std::string_view op : operators)
    if (text.substr(at, op.size()) == op) return at + op.size();
  return at + 1;
}

// What is open, and whether a line end counts.
class Nesting {
 public:
  void pass(std::string_view token) {
    if (token == "(" || token == "[" || token == "{") open_ += token[0];
    if ((token == ")" || token == "]" || token == "}") && !open_.empty()) open_.pop_back();
    last_ = token;
  }
  bool in_brackets() const { return !open_.empty() && open_.back() != '{'; }
  bool in_item() const { return !open_.empty(); }
  // Behind the last token, in a block.
  bool ends_statement() const {
    if (!in_item() || in_brackets() || last_.empty()) return false;
    return is_word(last_.back()) || last_ == ")" || last_ == "]" || last_ == "}";
  }
  const std::string& last() const { return last_; }

 private:
  std::string open_, last_;
};

std::size_t line_ends(std::string_view gap) { return static_cast<std::size_t>(std::count(gap.begin(), gap.end(), '\n')); }

bool has_lone_return(std::string_view gap) {
  for (std::size_t at = gap.find('\r'); at != std::string_view::npos; at = gap.find('\r', at + 1))
    if (gap.substr(at + 1, 1) != "\n") return true;
  return false;
}

bool needs_blank(std::string_view before, std::string_view behind) {
  if (before.empty() || behind.empty()) return false;
  const bool words = is_word(before.back()), next_word = is_word(behind.front());
  return (words && next_word) || (!words && !next_word) || is_digit(before.back()) || behind.starts_with("//");
}

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t bound) { return engine_() % bound; }
  std::string blanks(std::uint32_t least) {
    static constexpr std::array<std::string_view, 6> some = {"", " ", " ", "  ", "\t", "   "};
    const std::string_view chosen = some[below(some.size())];
    return chosen.size() < least ? " " : std::string(chosen);
  }
  std::string lines(std::size_t count) {
    std::string text = blanks(0);
    for (std::size_t i = 0; i < count; ++i) text += "\n" + blanks(0);
    return text + blanks(0);
  }

 private:
  std::mt19937 engine_;
};

}  // namespace

std::vector<Piece> pieces(std::string_view text) {
  std::vector<Piece> found;
  std::size_t at = 0;
  std::string gap;
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == ';') {
      gap += c;
      ++at;
      continue;
    }
    const std::size_t end = piece_end(text, at);
    std::string token(text.substr(at, end - at));
    if (token.starts_with("//")) token.erase(token.find_last_not_of(" \t\r\f\v") + 1);
    found.push_back({std::move(token), std::move(gap)});
    gap.clear();
    at = end;
  }
  found.push_back({"", gap});
  return found;
}

std::string joined(const std::vector<Piece>& pieces) {
  std::string text;
  for (const Piece& piece : pieces) text += piece.gap + piece.text;
  return text;
}

std::string without_space(std::string_view text) {
  std::string lines;
  for (const Piece& piece : pieces(text)) lines += piece.text + "\n";
  return lines;
}

std::string respaced(std::string_view text, std::uint32_t seed) {
  Random random(seed);
  std::vector<Piece> all = pieces(text);
  Nesting nesting;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Piece& piece = all[i];
    const std::size_t lines = line_ends(piece.gap);
    const Piece* before = i > 0 ? &all[i - 1] : nullptr;
    const bool beside_comment = is_comment(piece) || (before && is_comment(*before));
    if (has_lone_return(piece.gap)) {
      // A mistake, which stays.
    } else if (!before) {
      piece.gap = is_comment(piece) || random.below(2) ? random.lines(random.below(2)) : "";
    } else if (lines == 0) {
      piece.gap = random.blanks(needs_blank(before->text, piece.text) ? 1 : 0);
    } else if (piece.text.empty()) {
      piece.gap = random.lines(random.below(3) + (is_comment(*before) ? 1 : 0));
    } else if (lines > 1) {
      piece.gap = random.lines(2 + random.below(2));
    } else if (nesting.ends_statement() && !beside_comment && piece.text != "}" && random.below(4) == 0) {
      piece.gap = random.blanks(0) + ";" + random.blanks(0);
    } else {
      const bool loose = !beside_comment && (nesting.last() == "{" || piece.text == "}");
      piece.gap = random.lines(1 + (loose ? random.below(2) : 0));
    }
    if (!is_comment(piece)) nesting.pass(piece.text);
  }
  return joined(all);
}

// Between brackets a line may end anywhere (but beside a `.`, where a name may yet be typed), else behind an operator with two
// operands.
bool goes_on(const Nesting& nesting, const Piece& next) {
  const std::string& last = nesting.last();
  if (nesting.in_brackets()) return last != "." && next.text != ".";
  return nesting.in_item() && !nesting.ends_statement() && !next.gap.empty() && !is_word(last.back()) && last != ":" &&
         last != "{" && next.text != "{";
}

std::string rebroken(std::string_view text, std::uint32_t seed) {
  Random random(seed);
  std::vector<Piece> all = pieces(text);
  Nesting nesting;
  bool one_line = false;  // the line has a whole block on it
  for (std::size_t i = 0; i < all.size(); ++i) {
    Piece& piece = all[i];
    if (i == 0 || line_ends(piece.gap) > 0) {
      one_line = false;
      for (std::size_t k = i; k < all.size() && (k == i || line_ends(all[k].gap) == 0) && !one_line; ++k)
        one_line = all[k].text == "{" && k + 1 < all.size() && line_ends(all[k + 1].gap) == 0 && !is_comment(all[k + 1]);
    } else if (!one_line && !is_comment(piece) && goes_on(nesting, piece) && random.below(5) == 0) {
      piece.gap = random.lines(1);
    }
    if (!is_comment(piece)) nesting.pass(piece.text);
  }
  return joined(all);
}

std::string unbroken(std::string_view text) {
  std::vector<Piece> all = pieces(text);
  Nesting nesting;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Piece& piece = all[i];
    const bool beside_comment = is_comment(piece) || (i > 0 && is_comment(all[i - 1]));
    const bool goes_on = nesting.in_item() && !nesting.ends_statement() && nesting.last() != "{";
    if (beside_comment && nesting.in_item() && line_ends(piece.gap) > 0) {
      piece.gap = "\n";
    } else if (goes_on && line_ends(piece.gap) > 0 && !beside_comment) {
      const bool tight = nesting.last() == "(" || nesting.last() == "[" || piece.text == ")" || piece.text == "]";
      piece.gap = tight ? "" : " ";
    }
    if (!is_comment(piece)) nesting.pass(piece.text);
  }
  return with_loose_comments(joined(all));
}

std::string with_loose_comments(std::string_view text) {
  std::vector<Piece> all = pieces(text);
  for (std::size_t i = 1; i < all.size(); ++i)
    if (is_comment(all[i]) && line_ends(all[i].gap) == 0) all[i].gap = "  ";
  return joined(all);
}

}  // namespace phobos::fuzz
