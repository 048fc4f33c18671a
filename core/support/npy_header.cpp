// The header is a Python dictionary in text. Only its three keys are wanted, so a scanner of the few forms that can stand there (strings,
// True and False, tuples of integers) does; whatever else is in it is an error, never a guess.

#include <phobos/support/npy_header.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <phobos/support/number.h>

namespace phobos {
namespace {

class HeaderScanner {
 public:
  explicit HeaderScanner(std::string_view text) : text_(text) {}

  Result<NpyHeader> scan() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    if (!take('{')) return broken("it is not a dictionary");
    while (!take('}')) {
      const std::optional<std::string> key = string();
      if (!key || !take(':')) return broken("it is not a dictionary");
      if (*key == "descr") {
        const std::optional<std::string> value = string();
        if (!value) return Error{"it holds structured elements, which no tensor of the language has"};
        header.descr = *value;
        has_descr = true;
      } else if (*key == "fortran_order") {
        if (word("True")) header.fortran_order = true;
        else if (!word("False")) return broken("`fortran_order` is neither True nor False");
        has_order = true;
      } else if (*key == "shape") {
        if (!tuple(header.shape)) return broken("`shape` is not a tuple of integers");
        has_shape = true;
      } else {
        return broken(fmt::format("it has an unknown key `{}`", key->substr(0, 40)));
      }
      if (!take(',') && peek() != '}') return broken("it is not a dictionary");
    }
    space();
    if (!text_.empty()) return broken("something follows the dictionary");
    if (!has_descr || !has_order || !has_shape) return broken("`descr`, `fortran_order` or `shape` is missing");
    return header;
  }

 private:
  static Error broken(std::string_view why) { return {fmt::format("its header cannot be read: {}", why)}; }

  void space() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t' || text_[0] == '\r')) text_.remove_prefix(1);
  }
  char peek() {
    space();
    return text_.empty() ? '\0' : text_[0];
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool word(std::string_view wanted) {
    space();
    if (text_.substr(0, wanted.size()) != wanted) return false;
    text_.remove_prefix(wanted.size());
    return true;
  }
  std::optional<std::string> string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }
  bool tuple(std::vector<std::int64_t>& values) {
    if (!take('(')) return false;
    while (!take(')')) {
      space();
      std::size_t digits = 0;
      while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') ++digits;
      const std::optional<std::int64_t> value = parse_integer(text_.substr(0, digits));
      if (!value) return false;
      values.push_back(*value);
      text_.remove_prefix(digits);
      if (peek() == 'L') text_.remove_prefix(1);  // long integers of Python 2
      if (!take(',') && peek() != ')') return false;
    }
    return true;
  }

  std::string_view text_;
};

// The header's text and where the data begins.
struct Frame {
  std::string_view header;
  std::size_t data = 0;
};

Result<Frame> frame_of(std::string_view bytes) {
  if (bytes.substr(0, npy_magic.size()) != npy_magic.substr(0, std::min(bytes.size(), npy_magic.size())) || bytes.empty())
    return Error{bytes.empty() ? "it is empty" : "it is not a NumPy file"};
  if (bytes.size() < 10) return Error{fmt::format("its header is cut off: the file has {} bytes", bytes.size())};
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) return Error{fmt::format("it has format version {}, which is not known here", version)};
  const std::size_t width = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + width) return Error{fmt::format("its header is cut off: the file has {} bytes", bytes.size())};
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < width; ++i) length |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[8 + i])) << (8 * i);
  if (length > bytes.size() - 8 - width)
    return Error{fmt::format("its header is cut off: {} bytes are announced, {} are there", length, bytes.size() - 8 - width)};
  return Frame{bytes.substr(8 + width, length), 8 + width + static_cast<std::size_t>(length)};
}

}  // namespace

Result<NpyHeader> npy_header(std::string_view bytes) {
  const Result<Frame> frame = frame_of(bytes);
  if (!frame) return frame.error();
  Result<NpyHeader> header = HeaderScanner(frame->header).scan();
  if (header) header->data = frame->data;
  return header;
}

Result<ScalarType> npy_element(const std::string& descr) {
  const std::string_view code = std::string_view(descr).substr(descr.empty() ? 0 : 1);
  struct Row {
    std::string_view code;
    ScalarType element;
  };
  constexpr Row rows[] = {{"f2", ScalarType::F16}, {"f4", ScalarType::F32}, {"f8", ScalarType::F64},
                          {"i1", ScalarType::I8},  {"u1", ScalarType::U8},  {"i4", ScalarType::I32},
                          {"i8", ScalarType::I64}, {"b1", ScalarType::Bool}, {"V2", ScalarType::BF16}};
  for (const Row& row : rows) {
    if (row.code != code) continue;
    if (descr[0] == '>' && size_of(row.element) > 1)
      return Error{fmt::format("its elements (`{}`) are in big-endian byte order; save it with `.astype('<{}')`", descr, code)};
    if (descr[0] == '<' || descr[0] == '|' || descr[0] == '=' || descr[0] == '>') return row.element;
  }
  return Error{fmt::format("its element type `{}` is none of f2, f4, f8, i1, u1, i4, i8, b1, V2", descr.substr(0, 40))};
}

}  // namespace phobos
