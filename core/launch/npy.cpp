// The header of an .npy file is a Python dictionary in text. Only its three keys are wanted, so a scanner of the few forms that
// can stand there (strings, True and False, tuples of integers) does; whatever else is in it is an error, never a guess.

#include <phobos/launch/npy.h>

#include <cstring>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include <phobos/support/number.h>

namespace phobos::launch {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

class HeaderScanner {
 public:
  explicit HeaderScanner(std::string_view text) : text_(text) {}

  Result<Header> scan() {
    Header header;
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

Result<ScalarType> element_of(const std::string& descr) {
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

std::string descr_of(ScalarType element) {
  switch (element) {
    case ScalarType::F16: return "<f2";
    case ScalarType::BF16:
    case ScalarType::F32: return "<f4";
    case ScalarType::F64: return "<f8";
    case ScalarType::I8: return "|i1";
    case ScalarType::U8: return "|u1";
    case ScalarType::I32: return "<i4";
    case ScalarType::Bool: return "|b1";
    default: return "<i8";
  }
}

// The header's text and where the data begins.
struct Frame {
  std::string_view header;
  std::size_t data = 0;
};

Result<Frame> frame_of(std::string_view bytes) {
  if (bytes.substr(0, magic.size()) != magic.substr(0, std::min(bytes.size(), magic.size())) || bytes.empty())
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

Result<HostTensor> parse(std::string_view bytes) {
  const Result<Frame> frame = frame_of(bytes);
  if (!frame) return frame.error();
  const Result<Header> header = HeaderScanner(frame->header).scan();
  if (!header) return header.error();
  const Result<ScalarType> element = element_of(header->descr);
  if (!element) return element.error();
  if (header->fortran_order && header->shape.size() > 1)
    return Error{"it is in Fortran order; save it with `numpy.ascontiguousarray`"};
  const Result<std::size_t> size = byte_count(*element, header->shape);
  if (!size) return size.error();
  const std::size_t there = bytes.size() - frame->data;
  if (there != *size)
    return Error{fmt::format("its data is {}: {}{} takes {} bytes, {} are there", there < *size ? "cut off" : "too long",
                             name_of(*element), shape_text(header->shape), *size, there)};
  Result<HostTensor> tensor = make_tensor(*element, header->shape);
  if (tensor && *size != 0) std::memcpy(tensor->data.data(), bytes.data() + frame->data, *size);
  return tensor;
}

}  // namespace

Result<HostTensor> parse_npy(std::string_view bytes, const std::string& name) {
  Result<HostTensor> tensor = parse(bytes);
  if (!tensor) return Error{fmt::format("{}: {}", name, tensor.message())};
  return tensor;
}

Result<HostTensor> read_npy(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(path, fault);
  if (status.type() == std::filesystem::file_type::not_found) return Error{fmt::format("{}: there is no such file", name)};
  if (fault) return Error{fmt::format("{}: {}", name, fault.message())};
  if (status.type() == std::filesystem::file_type::directory) return Error{fmt::format("{}: it is a directory", name)};
  if (status.type() != std::filesystem::file_type::regular) return Error{fmt::format("{}: it is not a regular file", name)};
  const std::uintmax_t size = std::filesystem::file_size(path, fault);
  std::ifstream file(path, std::ios::binary);
  if (fault || !file) return Error{fmt::format("{}: it cannot be opened for reading", name)};
  const Result<std::size_t> room = byte_count(ScalarType::U8, {static_cast<std::int64_t>(size)});
  if (!room) return Error{fmt::format("{}: {}", name, room.message())};
  std::string bytes(*room, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::size_t>(file.gcount()) != bytes.size()) return Error{fmt::format("{}: it cannot be read", name)};
  return parse_npy(bytes, name);
}

Result<HostTensor> as_element(HostTensor tensor, ScalarType wanted, const std::string& subject) {
  if (tensor.element == wanted) return tensor;
  if (wanted == ScalarType::BF16 && tensor.element == ScalarType::F32) {
    Result<HostTensor> rounded = make_tensor(wanted, tensor.shape);
    if (!rounded) return rounded;
    for (std::int64_t i = 0, count = tensor.count(); i < count; ++i) rounded->set_real(i, tensor.real_at(i));
    return rounded;
  }
  const std::string advice = wanted == ScalarType::BF16 ? "an f32 file is rounded to bf16"
                                                        : fmt::format("save it with `.astype('{}')`", descr_of(wanted));
  return Error{fmt::format("{} holds {} elements, and {} is wanted; {}", subject, name_of(tensor.element), name_of(wanted), advice)};
}

std::string npy_bytes(const HostTensor& tensor) {
  std::string shape;
  for (const std::int64_t extent : tensor.shape) shape += fmt::format("{}{}", shape.empty() ? "" : ", ", extent);
  if (tensor.shape.size() == 1) shape += ',';
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr_of(tensor.element), shape);
  header.append(63 - (10 + header.size()) % 64, ' ');  // the data starts at a multiple of 64
  header += '\n';
  std::string bytes(magic);
  bytes += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  bytes += header;
  if (tensor.element == ScalarType::BF16) {
    for (std::int64_t i = 0, count = tensor.count(); i < count; ++i) {
      const float value = static_cast<float>(tensor.real_at(i));
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  } else {
    bytes.append(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size());
  }
  return bytes;
}

Result<void> write_npy(const std::filesystem::path& path, const HostTensor& tensor) {
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(path, fault);
  if (status.type() == std::filesystem::file_type::directory) return Error{fmt::format("{}: it is a directory", path.string())};
  const bool in_place = status.type() != std::filesystem::file_type::regular && std::filesystem::exists(status);
  const std::filesystem::path target = in_place ? path : std::filesystem::path(path.string() + ".part");
  std::ofstream file(target, std::ios::binary | std::ios::trunc);
  const std::string bytes = npy_bytes(tensor);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file && !in_place) std::filesystem::rename(target, path, fault);
  if (file && !fault) return {};
  if (!in_place) std::filesystem::remove(target, fault);
  return Error{fmt::format("{}: it cannot be written", path.string())};
}

}  // namespace phobos::launch
