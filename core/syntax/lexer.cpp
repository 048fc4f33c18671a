#include <phobos/syntax/lexer.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <unordered_set>

#include <phobos/source/utf8.h>

#include "outside.h"
#include "split.h"

namespace phobos::syntax {

namespace {

using diag::Code;

struct Spelling {
  std::string_view text;
  Tok kind;
};

constexpr std::array keywords = {
    Spelling{"kernel", Tok::Kernel}, Spelling{"fn", Tok::Fn},         Spelling{"let", Tok::Let},
    Spelling{"var", Tok::Var},       Spelling{"if", Tok::If},         Spelling{"else", Tok::Else},
    Spelling{"for", Tok::For},       Spelling{"in", Tok::In},         Spelling{"while", Tok::While},
    Spelling{"break", Tok::Break},   Spelling{"continue", Tok::Continue}, Spelling{"return", Tok::Return},
    Spelling{"true", Tok::True},     Spelling{"false", Tok::False},   Spelling{"ctx", Tok::Ctx}};

// Longer ones first.
constexpr std::array signs = {
    Spelling{"<<=", Tok::ShlAssign}, Spelling{">>=", Tok::ShrAssign}, Spelling{":+", Tok::ColonPlus}, Spelling{"->", Tok::Arrow},
    Spelling{"==", Tok::EqEq},       Spelling{"!=", Tok::NotEq},      Spelling{"<=", Tok::LessEq},    Spelling{">=", Tok::GreaterEq},
    Spelling{"&&", Tok::AndAnd},     Spelling{"||", Tok::OrOr},       Spelling{"<<", Tok::Shl},       Spelling{">>", Tok::Shr},
    Spelling{"+=", Tok::AddAssign},  Spelling{"-=", Tok::SubAssign},  Spelling{"*=", Tok::MulAssign}, Spelling{"/=", Tok::DivAssign},
    Spelling{"%=", Tok::RemAssign},  Spelling{"&=", Tok::AndAssign},  Spelling{"|=", Tok::OrAssign},  Spelling{"^=", Tok::XorAssign},
    Spelling{"(", Tok::LeftParen},   Spelling{")", Tok::RightParen},  Spelling{"[", Tok::LeftBracket}, Spelling{"]", Tok::RightBracket},
    Spelling{"{", Tok::LeftBrace},   Spelling{"}", Tok::RightBrace},  Spelling{",", Tok::Comma},      Spelling{";", Tok::Semicolon},
    Spelling{":", Tok::Colon},       Spelling{".", Tok::Dot},         Spelling{"@", Tok::At},         Spelling{"=", Tok::Assign},
    Spelling{"<", Tok::Less},        Spelling{">", Tok::Greater},     Spelling{"|", Tok::Or},         Spelling{"^", Tok::Xor},
    Spelling{"&", Tok::And},         Spelling{"+", Tok::Plus},        Spelling{"-", Tok::Minus},      Spelling{"*", Tok::Star},
    Spelling{"/", Tok::Slash},       Spelling{"%", Tok::Percent},     Spelling{"!", Tok::Not},        Spelling{"~", Tok::Tilde},
    Spelling{"?", Tok::Question}};

// Characters that look like a token, or come with text that was copied from elsewhere. Blank ones have no token.
struct LookAlike {
  char32_t code;
  std::string_view meant;
  std::string_view name;
};
constexpr std::array look_alikes = {
    LookAlike{0x00a0, " ", "a no-break space"},     LookAlike{0x200b, "", "a zero-width space"},
    LookAlike{0xfeff, "", "a byte-order mark"},     LookAlike{0x3000, " ", "a wide space"},
    LookAlike{0x202f, " ", "a narrow space"},       LookAlike{0x2009, " ", "a thin space"},
    LookAlike{0x2212, "-", "a minus sign"},         LookAlike{0x2013, "-", "a dash"},
    LookAlike{0x2014, "-", "a long dash"},          LookAlike{0x00d7, "*", "a multiplication sign"},
    LookAlike{0x00f7, "/", "a division sign"},      LookAlike{0x22c5, "*", "a dot operator"},
    LookAlike{0x2264, "<=", "a less-or-equal sign"}, LookAlike{0x2265, ">=", "a greater-or-equal sign"},
    LookAlike{0x2260, "!=", "a not-equal sign"},    LookAlike{0x2192, "->", "an arrow"},
    LookAlike{0xff08, "(", "a wide parenthesis"},   LookAlike{0xff09, ")", "a wide parenthesis"},
    LookAlike{0xff0c, ",", "a wide comma"},         LookAlike{0xff1a, ":", "a wide colon"},
    LookAlike{0xff1b, ";", "a wide semicolon"},     LookAlike{0x037e, ";", "a Greek question mark"},
    LookAlike{0xff1d, "=", "a wide equals sign"},   LookAlike{0xff0b, "+", "a wide plus sign"}};

// Letters with a usual spelling in ASCII.
struct Letter {
  char32_t first, last;
  std::string_view spelling;
};
constexpr std::array letters = {
    Letter{0xb5, 0xb5, "mu"},  Letter{0xc0, 0xc5, "A"}, Letter{0xc7, 0xc7, "C"}, Letter{0xc8, 0xcb, "E"}, Letter{0xcc, 0xcf, "I"}, Letter{0xd1, 0xd1, "N"},
    Letter{0xd2, 0xd6, "O"},   Letter{0xd9, 0xdc, "U"}, Letter{0xdf, 0xdf, "ss"}, Letter{0xe0, 0xe5, "a"}, Letter{0xe6, 0xe6, "ae"}, Letter{0xe7, 0xe7, "c"},
    Letter{0xe8, 0xeb, "e"},   Letter{0xec, 0xef, "i"}, Letter{0xf1, 0xf1, "n"}, Letter{0xf2, 0xf6, "o"}, Letter{0xf8, 0xf8, "o"}, Letter{0xf9, 0xfc, "u"},
    Letter{0xfd, 0xfd, "y"},   Letter{0xff, 0xff, "y"}, Letter{0x394, 0x394, "Delta"}, Letter{0x3a3, 0x3a3, "Sigma"}, Letter{0x3a6, 0x3a6, "Phi"}, Letter{0x3a9, 0x3a9, "Omega"},
    Letter{0x3b1, 0x3b1, "alpha"}, Letter{0x3b2, 0x3b2, "beta"}, Letter{0x3b3, 0x3b3, "gamma"}, Letter{0x3b4, 0x3b4, "delta"}, Letter{0x3b5, 0x3b5, "epsilon"},
    Letter{0x3b6, 0x3b6, "zeta"}, Letter{0x3b7, 0x3b7, "eta"}, Letter{0x3b8, 0x3b8, "theta"}, Letter{0x3ba, 0x3ba, "kappa"}, Letter{0x3bb, 0x3bb, "lam"},
    Letter{0x3bc, 0x3bc, "mu"}, Letter{0x3bd, 0x3bd, "nu"}, Letter{0x3be, 0x3be, "xi"}, Letter{0x3c0, 0x3c0, "pi"}, Letter{0x3c1, 0x3c1, "rho"}, Letter{0x3c3, 0x3c3, "sigma"},
    Letter{0x3c4, 0x3c4, "tau"}, Letter{0x3c6, 0x3c6, "phi"}, Letter{0x3c7, 0x3c7, "chi"}, Letter{0x3c8, 0x3c8, "psi"}, Letter{0x3c9, 0x3c9, "omega"}};

// The name in ASCII; empty where a letter has no such spelling.
std::string in_ascii(std::string_view name) {
  std::string result;
  for (std::size_t at = 0; at < name.size();) {
    const Character c = decode(name, at);
    at += c.size;
    const auto known = std::find_if(letters.begin(), letters.end(), [&](const Letter& each) { return c.code >= each.first && c.code <= each.last; });
    if (c.code < 0x80) result += static_cast<char>(c.code);
    else if (known == letters.end() || !c.valid) return {};
    else result += known->spelling;
  }
  return result;
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool quotes(char32_t code) {
  return code == '"' || code == '\'' || code == '`' || (code >= 0x2018 && code <= 0x201f) || code == 0xab || code == 0xbb;
}

class Lexer {
 public:
  Lexer(std::string_view text, std::vector<diag::Diagnostic>& found) : text_(text), found_(found) {}

  std::vector<Lexeme> run() {
    tokens_.reserve(text_.size() / 4 + 1);
    while (at_ < text_.size()) step();
    add(Tok::End, at_);
    return std::move(tokens_);
  }

 private:
  // Kept, so that a long line is not searched through for each of its strings.
  std::size_t end_of_line() {
    if (line_end_ < at_ || line_end_ == 0) line_end_ = std::min(text_.find('\n', at_), text_.size());
    return line_end_;
  }

  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  diag::Diagnostic* report(Code code, std::size_t begin, std::size_t end, const auto&... args) {
    if (found_.size() >= most_errors) return nullptr;
    found_.push_back(diag::make(code, {{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, 0}, args...));
    return &found_.back();
  }

  static void mend(diag::Diagnostic* found, std::string title, Span where, std::string text) {
    if (found) found->fixes.push_back({std::move(title), {{{where, 0}, std::move(text)}}});
  }

  void add(Tok kind, std::size_t end) {
    tokens_.push_back({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end), indent_, kind, newline_, told_});
    at_ = end;
    newline_ = told_ = line_begins_ = false;
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n' || (c == '\r' && peek(1) != '\n')) {
      if (c == '\r') lone_return();
      newline_ = line_begins_ = true;
      indent_ = 0;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      if (line_begins_) ++indent_;
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      at_ = std::min(text_.find_first_of("\n\r", at_), text_.size());
    } else if (c == '/' && peek(1) == '*') {
      block_comment();
    } else if (c == '#') {
      hash();
    } else if (is_word_start(c)) {
      word();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)) && !follows_operand())) {
      number();
    } else if (quotes(static_cast<unsigned char>(c))) {
      string();
    } else if (static_cast<unsigned char>(c) < 0x80) {
      sign();
    } else {
      foreign_character();
    }
  }

  // As a line's end it is read, so that the rest is analysed; once for all of them.
  void lone_return() {
    if (lone_return_) return;
    lone_return_ = true;
    auto* found = report(Code::SyntaxUnexpected, at_, at_ + 1, "carriage return: a line ends in LF or CRLF");
    if (!found) return;
    diag::Fix fix{"End the lines in LF", {}};
    for (std::size_t i = at_; i < text_.size(); ++i)
      if (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n')) fix.edits.push_back({{{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1)}, 0}, "\n"});
    found->fixes.push_back(std::move(fix));
  }

  bool follows_operand() const {
    if (tokens_.empty() || tokens_.back().end != at_) return false;
    const Tok kind = tokens_.back().kind;
    return kind == Tok::Name || kind == Tok::Ctx || kind == Tok::RightParen || kind == Tok::RightBracket || kind == Tok::Dot || kind == Tok::Integer;
  }

  void word() {
    std::size_t end = at_;
    while (end < text_.size() && is_word_part(text_[end])) ++end;
    if (end < text_.size() && static_cast<unsigned char>(text_[end]) >= 0x80 && is_letter(end)) return foreign_word(at_);
    const std::string_view name = text_.substr(at_, end - at_);
    Tok kind = Tok::Name;
    if (name.size() <= 8)
      for (const Spelling& keyword : keywords)
        if (keyword.text == name) kind = keyword.kind;
    add(kind, end);
  }

  // Past Latin-1's signs and apart from the look-alikes and quotes, what is not ASCII is taken for a letter.
  bool is_letter(std::size_t at) const {
    const Character c = decode(text_, at);
    if (!c.valid || c.code < 0xb5 || quotes(c.code) || (c.code >= 0x2000 && c.code < 0x2c00) || c.code >= 0x1f000) return false;
    return std::none_of(look_alikes.begin(), look_alikes.end(), [&](const LookAlike& each) { return each.code == c.code; });
  }

  void foreign_word(std::size_t begin) {
    std::size_t end = begin;
    while (end < text_.size() && (is_word_part(text_[end]) || (static_cast<unsigned char>(text_[end]) >= 0x80 && is_letter(end))))
      end += decode(text_, end).size;
    const std::string_view name = text_.substr(begin, end - begin);
    if (foreign_words_.insert(name).second) {
      auto* found = report(Code::OtherLanguage, begin, end, fmt::format("`{}` is no name: names are ASCII letters, digits and `_`", shortened(name)));
      rename_everywhere(found, name);
    }
    add(Tok::Name, end);
  }

  // Offers the name in ASCII letters, in all places of the item, where the letters have a usual spelling.
  void rename_everywhere(diag::Diagnostic* found, std::string_view name) {
    constexpr std::size_t most_places = 1000;
    const std::string better = in_ascii(name);
    if (!found || better.empty() || text_.find(better) != std::string_view::npos) return;
    const auto part = [&](std::size_t at) { return at < text_.size() && (is_word_part(text_[at]) || static_cast<unsigned char>(text_[at]) >= 0x80); };
    diag::Fix fix{fmt::format("Rename to `{}`", better), {}};
    for (std::size_t at = text_.find(name); at != std::string_view::npos; at = text_.find(name, at + name.size())) {
      if ((at > 0 && part(at - 1)) || part(at + name.size())) continue;
      fix.edits.push_back({{{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + name.size())}, 0}, better});
      if (fix.edits.size() > most_places) return;
    }
    if (!fix.edits.empty()) found->fixes.push_back(std::move(fix));  // beside bytes that are no text it stands nowhere alone
  }

  void foreign_character() {
    const Character c = decode(text_, at_);
    if (!c.valid) {  // reported once for the file, by whoever decodes it
      told_ = true;
      ++at_;
      return;
    }
    if (quotes(c.code)) return string();
    if (is_letter(at_)) return foreign_word(at_);
    const std::size_t end = at_ + c.size;
    const auto known = std::find_if(look_alikes.begin(), look_alikes.end(), [&](const LookAlike& each) { return each.code == c.code; });
    if (known == look_alikes.end()) {
      report(Code::SyntaxUnexpected, at_, end, fmt::format("`{}`", text_.substr(at_, c.size)));
      told_ = true;
      at_ = end;
      return;
    }
    const bool blank = known->meant.empty() || known->meant == " ";
    mend(report(Code::OtherLanguage, at_, end, blank ? fmt::format("this is {} (U+{:04X})", known->name, static_cast<unsigned>(c.code)) : fmt::format("this is {} (U+{:04X}): write `{}`", known->name, static_cast<unsigned>(c.code), known->meant)),
         blank ? (known->meant.empty() ? "Remove it" : "Make it an ordinary space") : fmt::format("Write `{}`", known->meant),
         {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)}, std::string(known->meant));
    if (blank) {
      at_ = end;
      return;
    }
    for (const Spelling& each : signs)
      if (each.text == known->meant) return add(each.kind, end);
  }

  void sign() {
    const std::string_view rest = text_.substr(at_, 3);
    for (const Spelling& each : signs)
      if (rest.starts_with(each.text)) return add(each.kind, at_ + each.text.size());
    const char c = text_[at_];
    if (c > ' ' && c < 0x7f) {
      add(Tok::Unknown, at_ + 1);
      return;
    }
    if (c != '\0') report(Code::SyntaxUnexpected, at_, at_ + 1, fmt::format("control character U+{:04X}", static_cast<unsigned>(c)));
    told_ = true;
    ++at_;
  }

  void number() {
    const std::size_t begin = at_;
    std::size_t end = at_;
    const auto digits = [&](auto accept) { while (end < text_.size() && accept(text_[end])) ++end; };
    const auto decimal = [](char c) { return is_digit(c); };
    Tok kind = Tok::Integer;
    std::string meant;  // of a malformed literal
    const char base = text_[end] == '0' ? peek(1) : '\0';
    if (base == 'x' || base == 'b') {
      end += 2;
      digits([&](char c) { return c == '_' || (base == 'b' ? c == '0' || c == '1' : is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')); });
      if (base == 'x' && hexadecimal_float(begin, end)) return;
      if (end == begin + 2 || text_[begin + 2] == '_') return malformed(kind, end, "");
    } else {
      digits([](char c) { return is_digit(c) || c == '_'; });
      if (end == begin) meant = "0";
      if (end < text_.size() && text_[end] == '.') {
        const char after = end + 1 < text_.size() ? text_[end + 1] : '\0';
        if (is_digit(after)) {
          kind = Tok::Float;
          ++end;
          digits(decimal);
        } else if (after != '.' && (!is_word_start(after) || suffix_ends(end + 1) || exponent_at(end + 1))) {
          kind = Tok::Float;
          ++end;
          meant = std::string(text_.substr(begin, end - begin)) + "0";
        }
      }
      if (exponent_at(end)) {
        kind = Tok::Float;
        const std::size_t from = end++;
        if (text_[end] == '+' || text_[end] == '-') ++end;
        digits(decimal);
        if (!meant.empty() && meant != "0") meant += text_.substr(from, end - from);
      }
      if (meant == "0") meant += text_.substr(begin, end - begin);
    }
    if (kind == Tok::Float && meant.empty() && text_.substr(begin, end - begin).find('_') != std::string_view::npos) {
      meant = text_.substr(begin, end - begin);
      std::erase(meant, '_');
      return malformed(kind, end, meant);
    }
    if (end < text_.size() && is_word_part(text_[end])) return malformed(kind, end, meant.empty() ? std::string(text_.substr(begin, end - begin)) : meant);
    if (!meant.empty()) return malformed(kind, end, meant);
    add(kind, end);
  }

  // `0x1.8p3`. `end`: behind the digits before the point.
  bool hexadecimal_float(std::size_t begin, std::size_t end) {
    const auto hex = [&](std::size_t at) { return at < text_.size() && (is_digit(text_[at]) || (text_[at] >= 'a' && text_[at] <= 'f') || (text_[at] >= 'A' && text_[at] <= 'F')); };
    if (end < text_.size() && text_[end] == '.' && hex(end + 1))
      for (++end; hex(end);) ++end;
    else if (end >= text_.size() || (text_[end] != 'p' && text_[end] != 'P')) return false;
    if (end < text_.size() && (text_[end] == 'p' || text_[end] == 'P')) {
      std::size_t digits = end + 1;
      if (digits < text_.size() && (text_[digits] == '+' || text_[digits] == '-')) ++digits;
      if (digits >= text_.size() || !is_digit(text_[digits])) return false;
      for (end = digits; end < text_.size() && is_digit(text_[end]);) ++end;
    }
    if (end < text_.size() && is_word_part(text_[end])) return false;
    const std::string written(text_.substr(begin, end - begin));
    const double value = std::strtod(written.c_str(), nullptr);
    std::string meant = fmt::format("{}", value);
    if (meant.find_first_of(".e") == std::string::npos) meant += ".0";
    auto* found = report(Code::BadLiteral, begin, end, fmt::format("`{}`: a float is written in decimal digits", shortened(written)));
    if (value < 1e300 && value > 0) mend(found, fmt::format("Write `{}`", meant), {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, meant);
    add(Tok::Float, end);
    return true;
  }

  bool exponent_at(std::size_t at) const {
    if (at >= text_.size() || (text_[at] != 'e' && text_[at] != 'E')) return false;
    ++at;
    if (at < text_.size() && (text_[at] == '+' || text_[at] == '-')) ++at;
    return at < text_.size() && is_digit(text_[at]);
  }

  // A C suffix, and nothing else, stands there.
  bool suffix_ends(std::size_t at) const {
    if (at >= text_.size() || std::string_view("fFlL").find(text_[at]) == std::string_view::npos) return false;
    return at + 1 >= text_.size() || !is_word_part(text_[at + 1]);
  }

  void malformed(Tok kind, std::size_t end, std::string meant) {
    std::size_t all = end;
    while (all < text_.size() && is_word_part(text_[all])) ++all;
    const std::string_view suffix = text_.substr(end, all - end);
    const std::string_view whole = text_.substr(at_, all - at_);
    if (suffix == "f" || suffix == "F") {  // `1f` is a float
      if (kind == Tok::Integer) meant += ".0";
      kind = Tok::Float;
    }
    const bool typed = suffix == "f32" || suffix == "f16" || suffix == "f64" || suffix == "bf16" || suffix == "i32" || suffix == "i64" || suffix == "u32" || suffix == "u64" || suffix == "i8" || suffix == "u8" || suffix == "usize";
    if (typed && kind == Tok::Integer && (suffix[0] == 'f' || suffix[0] == 'b')) {  // `1f32`
      meant += ".0";
      kind = Tok::Float;
    }
    const bool c_suffix = typed || (!suffix.empty() && suffix.find_first_not_of("fFuUlLhH") == std::string_view::npos);
    const std::string words = suffix.empty() && !meant.empty() ? fmt::format("`{}` is written `{}`", shortened(whole), meant)
                              : c_suffix && !meant.empty()     ? fmt::format("`{}`: a number has no suffix", shortened(whole))
                                                               : fmt::format("`{}` is neither a number nor a name", shortened(whole));
    auto* found = report(Code::BadLiteral, at_, all, words);
    if ((suffix.empty() || c_suffix) && !meant.empty())
      mend(found, fmt::format("Write `{}`", meant), {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(all)}, meant);
    add(kind, all);
  }

  static std::string_view shortened(std::string_view word) {
    std::size_t size = std::min<std::size_t>(word.size(), 40);
    return word.substr(0, character_start(word, static_cast<std::uint32_t>(size)));
  }

  void string() {
    const Character opener = decode(text_, at_);
    const std::string_view quote = text_.substr(at_, opener.size);
    std::size_t end = std::string_view::npos;
    if (text_.substr(at_, 3) == "\"\"\"") {  // Python's; a docstring runs over lines
      if (docstring_closer_ < at_ + 3) docstring_closer_ = text_.find("\"\"\"", at_ + 3);
      if (docstring_closer_ != std::string_view::npos) end = docstring_closer_ + 3;
    }
    const std::size_t line_end = end_of_line();
    if (end == std::string_view::npos) {
      const std::size_t closer = opener.code < 0x80 ? text_.substr(0, line_end).find(quote, at_ + 1) : std::string_view::npos;
      end = closer < line_end ? closer + 1 : line_end;
      while (end > at_ + 1 && (text_[end - 1] == '\r')) --end;
    }
    add(Tok::Text, end);
  }

  void block_comment() {
    if (comment_closer_ < at_ + 2) comment_closer_ = text_.find("*/", at_ + 2);
    const std::size_t closer = comment_closer_, line_end = end_of_line();
    const std::size_t end = closer == std::string_view::npos ? line_end : closer + 2;
    auto* found = report(Code::OtherLanguage, at_, at_ + 2, no_block_comments);
    if (found && closer != std::string_view::npos)
      if (auto fix = as_line_comments(text_, at_, end)) found->fixes.push_back(*std::move(fix));
    if (text_.substr(at_, end - at_).find('\n') != std::string_view::npos) {
      newline_ = line_begins_ = true;
      indent_ = 0;
    }
    at_ = end;
  }

  void hash() {
    const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
    std::string_view word = text_.substr(at_ + 1, line_end - at_ - 1);
    word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
    const auto is = [&](std::string_view name) { return word.starts_with(name) && (word.size() == name.size() || !is_word_part(word[name.size()])); };
    const bool own_line = tokens_.empty() || newline_;
    if (own_line && is("pragma")) {
      auto* found = report(Code::OtherLanguage, at_, line_end, "there are no pragmas: a loop is unrolled with `for<unroll>`");
      unroll_next(found, word, line_end);
    } else if (own_line && (is("include") || is("define") || is("ifdef") || is("ifndef") || is("if") || is("endif") || is("undef"))) {
      std::size_t end = line_end;
      while (end > at_ && text_[end - 1] == '\r') --end;
      report(Code::OtherLanguage, at_, end, outside_of_items(text_.substr(at_, end - at_)));
    } else if (word.starts_with("[")) {  // `#[launch(64)]`
      const std::size_t closer = text_.substr(0, line_end).rfind(']');
      const auto at = static_cast<std::uint32_t>(at_);
      auto* found = report(Code::OtherLanguage, at_, at_ + 1, "an attribute is written `@launch(64)`");
      const auto opener = static_cast<std::uint32_t>(text_.find('[', at_));
      if (found && closer != std::string_view::npos && closer > opener && text_.substr(closer + 1, line_end - closer - 1).find_first_not_of(" \t\r") == std::string_view::npos)
        found->fixes.push_back({"Write `@`", {{{{at, opener + 1}, 0}, "@"}, {{{static_cast<std::uint32_t>(closer), static_cast<std::uint32_t>(closer + 1)}, 0}, ""}}});
    } else {
      const auto at = static_cast<std::uint32_t>(at_);
      mend(report(Code::OtherLanguage, at_, at_ + 1, "`//` begins a comment, not `#`"), "Write `//`", {at, at + 1}, "//");
    }
    at_ = line_end;
  }

  // `#pragma unroll 4` above a loop.
  void unroll_next(diag::Diagnostic* found, std::string_view pragma, std::size_t line_end) {
    const std::size_t loop = text_.find_first_not_of(" \t\r\n", line_end);
    if (!found || loop == std::string_view::npos || text_.substr(loop, 3) != "for" || (loop + 3 < text_.size() && is_word_part(text_[loop + 3]))) return;
    pragma.remove_prefix(6);
    pragma = pragma.substr(0, pragma.find("//"));
    std::string words;
    for (const char c : pragma)
      if (is_word_part(c)) words += c;
    std::string factor = words.starts_with("unroll") ? words.substr(6) : "?";
    if (factor.find_first_not_of("0123456789") != std::string::npos || factor.size() > 3) return;
    const auto at = static_cast<std::uint32_t>(at_), begin = static_cast<std::uint32_t>(loop);
    const std::string better = factor.empty() ? "<unroll>" : fmt::format("<unroll {}>", factor);
    found->fixes.push_back({fmt::format("Write `for{}`", better), {{{{at, begin}, 0}, ""}, {{{begin + 3, begin + 3}, 0}, better}}});
  }

  std::string_view text_;
  std::vector<diag::Diagnostic>& found_;
  std::vector<Lexeme> tokens_;
  std::unordered_set<std::string_view> foreign_words_;
  std::size_t at_ = 0, line_end_ = 0, comment_closer_ = 0, docstring_closer_ = 0;
  std::uint32_t indent_ = 0;
  bool newline_ = false, told_ = false, line_begins_ = false, lone_return_ = false;
};

}  // namespace

std::vector<Lexeme> lex(std::string_view text, std::vector<diag::Diagnostic>& found) { return Lexer(text, found).run(); }

std::vector<std::uint32_t> pair_brackets(const std::vector<Lexeme>& tokens) {
  std::vector<std::uint32_t> partner(tokens.size(), no_partner), open;
  std::size_t braces = 0, parens = 0;  // of `open`; parens: those above the innermost brace
  const auto drop_to_brace = [&] {
    while (!open.empty() && tokens[open.back()].kind != Tok::LeftBrace) open.pop_back();
    parens = 0;
  };
  const auto pair = [&](std::uint32_t closer) {
    partner[open.back()] = closer;
    partner[closer] = open.back();
    open.pop_back();
  };
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    const Tok kind = tokens[i].kind;
    switch (kind) {
      case Tok::LeftParen: ++parens; open.push_back(i); break;
      case Tok::LeftBracket: open.push_back(i); break;
      case Tok::LeftBrace:
        drop_to_brace();
        ++braces;
        open.push_back(i);
        break;
      case Tok::RightParen:
        if (parens == 0) break;
        while (tokens[open.back()].kind != Tok::LeftParen) open.pop_back();
        --parens;
        pair(i);
        break;
      case Tok::RightBracket:
        if (!open.empty() && tokens[open.back()].kind == Tok::LeftBracket) pair(i);
        break;
      case Tok::RightBrace:
        drop_to_brace();
        if (braces == 0) break;
        --braces;
        pair(i);
        break;
      default:
        if (!tokens[i].newline && (kind == Tok::Let || kind == Tok::Var) && i > 0 && (tokens[i - 1].kind == Tok::LeftParen || tokens[i - 1].kind == Tok::Comma)) break;  // `f(var x: …)`
        if (begins_statement(kind) || kind == Tok::Semicolon || kind == Tok::Kernel || kind == Tok::Fn) drop_to_brace();
        break;
    }
  }
  return partner;
}

}  // namespace phobos::syntax
