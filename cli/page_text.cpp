#include "page_text.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace phobos::cli {
namespace {

constexpr std::size_t widest = 100;
constexpr std::string_view code_indent = "    ";
constexpr std::string_view bold = "\x1b[1m", code = "\x1b[36m", mark = "\x1b[31m", note = "\x1b[2m", plain = "\x1b[0m";

// `[the rules](../language/rules.md)` becomes `the rules (docs/language/rules.md)`, `[PH0301](PH0301.md)` becomes `PH0301`.
std::string without_links(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('[');
    const std::size_t middle = open == std::string_view::npos ? open : text.find("](", open);
    const std::size_t close = middle == std::string_view::npos ? middle : text.find(')', middle);
    if (close == std::string_view::npos) break;
    const std::string_view label = text.substr(open + 1, middle - open - 1);
    std::string_view target = text.substr(middle + 2, close - middle - 2);
    if (label.find_first_of("[`") != std::string_view::npos) {  // a subscript, not a link
      out += text.substr(0, open + 1);
      text.remove_prefix(open + 1);
      continue;
    }
    out += text.substr(0, open);
    out += label;
    if (target.starts_with("../")) out += " (docs/" + std::string(target.substr(3)) + ")";
    text.remove_prefix(close + 1);
  }
  return out += text;
}

std::size_t cells(std::string_view word) {
  return static_cast<std::size_t>(std::count_if(word.begin(), word.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// The cells of a row of a table; `\|` is a bar inside of one.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> found;
  std::string cell;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row.substr(i, 2) == "\\|") cell += row[++i];
    else if (row[i] != '|') cell += row[i];
    else {
      const std::size_t begin = std::min(cell.find_first_not_of(' '), cell.size());
      found.push_back(without_links(std::string_view(cell).substr(begin, cell.find_last_not_of(' ') + 1 - begin)));
      cell.clear();
    }
  }
  return found;
}

class Writer {
 public:
  explicit Writer(const PageOptions& options) : options_(options) {}

  std::string write(std::string_view markdown) {
    while (!markdown.empty()) {
      const std::size_t end = markdown.find('\n');
      line(markdown.substr(0, end));
      markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end + 1);
    }
    flush();
    while (out_.ends_with("\n\n")) out_.pop_back();
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    if (text.starts_with("```")) {
      flush();
      fenced_ = !fenced_;
    } else if (fenced_) {
      code_line(text);
    } else if (text.starts_with("|")) {
      if (!text.starts_with("| ---")) table_.push_back(cells_of(text));
    } else if (text.starts_with("#")) {
      flush();
      text.remove_prefix(std::min(text.find_first_not_of("# "), text.size()));
      out_ += options_.color ? std::string(bold) + std::string(text) + std::string(plain) : std::string(text);
      out_ += "\n\n";
    } else if (text.find_first_not_of(' ') == std::string_view::npos) {
      flush();
      if (!out_.ends_with("\n\n") && !out_.empty()) out_ += '\n';
    } else {
      if (text.starts_with("- ")) flush();
      if (!paragraph_.empty()) paragraph_ += ' ';
      paragraph_ += text.substr(text.starts_with("- ") || paragraph_.empty() ? 0 : std::min(text.find_first_not_of(' '), text.size()));
    }
  }

  // The marks of an example say what is told at their place, as the program would begin to say it. Comments stand back a little.
  void code_line(std::string_view text) {
    if (!text.empty()) out_ += code_indent;
    while (!text.empty()) {
      const std::size_t comment = text.find("//");
      out_ += text.substr(0, comment);
      if (comment == std::string_view::npos) break;
      text.remove_prefix(comment);
      const std::size_t end = std::min(text.find("//", 2), text.size());
      comment_text(text.substr(0, end));
      text.remove_prefix(end);
    }
    out_ += '\n';
  }

  void comment_text(std::string_view text) {
    constexpr std::pair<std::string_view, std::string_view> spelt[] = {{"//! ", "// "}, {"//? ", "// "}, {"//~ related: ", "// note: "}, {"//~ ", "// "}};
    if (options_.color) out_ += text.starts_with("//!") ? mark : note;
    for (const auto& [before, after] : spelt)
      if (text.starts_with(before)) {
        out_ += after;
        text.remove_prefix(before.size());
        break;
      }
    out_ += text;
    if (options_.color) out_ += plain;
  }

  void flush_table() {
    std::vector<std::size_t> widths;
    for (const auto& row : table_)
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i == widths.size()) widths.push_back(0);
        widths[i] = std::max(widths[i], cells(row[i]));
      }
    for (const auto& row : std::exchange(table_, {})) {
      std::string blank(code_indent);
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (!row[i].empty()) {
          out_ += blank;
          put_word(row[i]);
          blank.clear();
        }
        blank += std::string(widths[i] - cells(row[i]) + 2, ' ');
      }
      out_ += '\n';
    }
  }

  // Words do not break inside of backticks, so that code stays in one piece.
  void flush() {
    flush_table();
    if (paragraph_.empty()) return;
    const std::string text = without_links(std::exchange(paragraph_, {}));
    const std::string hang = text.starts_with("- ") ? "  " : "";
    std::size_t column = 0, at = 0;
    while (at < text.size()) {
      std::size_t end = at;
      for (bool quoted = false; end < text.size() && (quoted || text[end] != ' '); ++end) quoted ^= text[end] == '`';
      const std::string_view word = std::string_view(text).substr(at, end - at);
      if (column > 0 && column + 1 + cells(word) > options_.width) {
        out_ += '\n' + hang;
        column = hang.size();
      } else if (column > 0) {
        out_ += ' ';
        ++column;
      }
      put_word(word);
      column += cells(word);
      at = end + 1;
    }
    out_ += '\n';
  }

  void put_word(std::string_view word) {
    if (!options_.color) {
      out_ += word;
      return;
    }
    bool quoted = false;
    for (const char c : word) {
      if (c == '`' && !quoted) out_ += code;
      out_ += c;
      if (c == '`' && quoted) out_ += plain;
      quoted ^= c == '`';
    }
    if (quoted) out_ += plain;
  }

  PageOptions options_;
  std::string out_, paragraph_;
  std::vector<std::vector<std::string>> table_;
  bool fenced_ = false;
};

}  // namespace

std::string page_text(std::string_view markdown, const PageOptions& options) { return Writer(options).write(markdown); }

std::size_t page_width(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::clamp<std::size_t>(size.ws_col, 40, widest);
}

}  // namespace phobos::cli
