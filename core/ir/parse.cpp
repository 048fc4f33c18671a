// Reads what print.cpp writes. Never fails but with a line number and what was expected there; whether the kernel makes sense is
// the verifier's matter.
#include <charconv>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include <phobos/ir/builder.h>
#include <phobos/ir/text.h>

#include "immediates.h"
#include "lexer.h"
#include "names.h"

namespace phobos::ir {
namespace {

struct Fault {
  std::string message;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text), builder_(kernel_) { advance(); }

  Kernel kernel() {
    expect("kernel");
    kernel_.name = name("the kernel's name");
    while (!at("{") && !at("(")) fact();
    kernel_.body = builder_.new_region();
    if (at("(")) arguments(kernel_.body);
    else arguments_from_head();
    region(kernel_.body, 0);
    if (token_.kind != Token::Kind::End) fail("the end of the text");
    return std::move(kernel_);
  }

 private:
  static constexpr int deepest = 256;

  [[noreturn]] void fail(std::string_view expected) const {
    throw Fault{fmt::format("line {}: expected {}, found `{}`", token_.line, expected,
                            token_.kind == Token::Kind::End ? "the end" : token_.raw.substr(0, 40))};
  }
  void advance() { token_ = lexer_.next(); }
  bool at(std::string_view spelling) const { return token_.is(spelling); }
  bool accept(std::string_view spelling) {
    if (!at(spelling)) return false;
    advance();
    return true;
  }
  void expect(std::string_view spelling) {
    if (!accept(spelling)) fail(fmt::format("`{}`", spelling));
  }

  std::string name(std::string_view what) {
    const bool word = token_.kind == Token::Kind::Word && is_word(token_.raw);
    if (!word && token_.kind != Token::Kind::String) fail(what);
    std::string text = word ? std::string(token_.raw) : token_.text;
    advance();
    return text;
  }

  template <class T>
  T number(std::string_view what) {
    T value{};
    const std::string_view raw = token_.raw;
    const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
    if (token_.kind != Token::Kind::Number || error != std::errc() || end != raw.data() + raw.size()) fail(what);
    advance();
    return value;
  }

  double real() {
    double value = 0;
    const std::string_view raw = token_.raw;
    const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
    if (error != std::errc() || end != raw.data() + raw.size()) fail("a real number");
    advance();
    return value;
  }

  void fact() {
    if (token_.kind != Token::Kind::Word) fail("a fact of the kernel's head");
    const std::string_view word = token_.raw;
    advance();
    if (word == "threads") kernel_.threads = number<int>("a number of threads");
    else if (word == "min_blocks") kernel_.min_blocks = number<int>("a number of blocks");
    else if (word == "max_registers") kernel_.max_registers = number<int>("a number of registers");
    else if (word == "persistent") kernel_.persistent = true;
    else if (word == "precise") kernel_.precise = true;
    else if (word == "rounding") rounding();
    else if (word == "pipeline") {
      kernel_.pipeline = PipelineDemand{number<std::int64_t>("a number of stages"), {}, false};
      kernel_.pipeline->span = span();
    } else if (word == "band") kernel_.band = number<std::int64_t>("a number of CTAs");
    else if (word == "dimension") kernel_.dimensions.push_back(name("a dimension"));
    else if (word == "parameter") parameter();
    else if (word == "constant") {
      std::string constant = name("a constant");
      expect("=");
      kernel_.constants.emplace_back(std::move(constant), number<std::int64_t>("its value"));
    } else if (word == "promise") {
      Promise promise{name("a dimension"), 1};
      expect("%");
      promise.multiple = number<std::int64_t>("a multiple");
      kernel_.promises.push_back(std::move(promise));
    } else if (word == "note") {
      note();
    } else if (word == "grid") {
      grid();
    } else {
      throw Fault{fmt::format("line {}: no kernel has a `{}`", token_.line, word)};
    }
  }

  void rounding() {
    if (accept("f16")) kernel_.rounding = Rounding::F16;
    else if (accept("tf32")) kernel_.rounding = Rounding::Tf32;
    else fail("`f16` or `tf32`");
  }

  void parameter() {
    Parameter one;
    one.name = name("a parameter");
    expect(":");
    one.type = type();
    one.read = accept("read");
    one.written = accept("written");
    kernel_.parameters.push_back(std::move(one));
  }

  Kind kind_word() {
    if (accept("uniform")) return Kind::Uniform;
    if (accept("warp")) return Kind::WarpUniform;
    expect("varying");
    return Kind::Varying;
  }

  void note() {
    Note one;
    const auto form = note_named(token_.raw);
    if (!form) fail("what the note is of");
    one.form = *form;
    advance();
    one.control = kind_word();
    for (; token_.kind == Token::Kind::String && !token_.first; advance()) one.labels.push_back(token_.text);
    while (token_.kind == Token::Kind::Word && !token_.first) one.kinds.push_back(kind_word());
    kernel_.notes.push_back(std::move(one));
  }

  void grid() {
    if (!accept("given") && (token_.kind == Token::Kind::Number || (token_.kind == Token::Kind::Word && !at("reason")) ||
                             token_.kind == Token::Kind::String)) {
      kernel_.grid.axes.emplace();
      do {
        GridAxis axis;
        axis.extent = extent();
        expect("/");
        axis.step = number<std::int64_t>("a step");
        kernel_.grid.axes->push_back(axis);
      } while (accept(","));
    }
    if (accept("reason")) {
      if (token_.kind != Token::Kind::String) fail("the reason");
      kernel_.grid.reason = token_.text;
      advance();
    }
    kernel_.grid.span = span();
  }

  Span span() {
    Span span;
    if (!accept("@")) return span;
    span.begin = number<std::uint32_t>("an offset");
    expect(":");
    span.end = number<std::uint32_t>("an offset");
    return span;
  }

  std::int64_t extent() {
    if (token_.kind == Token::Kind::Number) return number<std::int64_t>("an extent");
    const Token at = token_;
    const std::string dimension = name("an extent");
    for (std::size_t i = 0; i < kernel_.dimensions.size(); ++i)
      if (kernel_.dimensions[i] == dimension) return dynamic_extent(i);
    throw Fault{fmt::format("line {}: the kernel has no dimension `{}`", at.line, dimension)};
  }

  ScalarType element() {
    if (token_.kind == Token::Kind::Word) {
      const auto found = token_.raw == "index" ? std::optional(ScalarType::Index) : scalar_named(token_.raw);
      if (found) {
        advance();
        return *found;
      }
    }
    fail("a type");
  }

  Type type() {
    Type type;
    if (at("tile")) type.form = Type::Form::Tile;
    else if (at("run")) type.form = Type::Form::Run;
    else if (at("buffer") || at("shared")) type.form = Type::Form::Buffer;
    else return Type::scalar(element());
    if (at("shared")) type.space = Type::Space::Shared;
    advance();
    expect("<");
    type.element = element();
    expect(">");
    expect("[");
    if (!at("]")) {
      do type.shape.push_back(extent());
      while (accept(","));
    }
    expect("]");
    return type;
  }

  // `%x: type kind`, for a value that comes into being here.
  struct Definition {
    std::string token, name;
    Type type;
    Kind kind = Kind::Uniform;
  };
  Definition definition() {
    if (token_.kind != Token::Kind::Value) fail("a value");
    Definition one{std::string(token_.raw), token_.text, {}, Kind::Uniform};
    advance();
    expect(":");
    one.type = type();
    if (accept("warp")) one.kind = Kind::WarpUniform;
    else if (accept("varying")) one.kind = Kind::Varying;
    return one;
  }
  void define(const std::string& token, ValueId id) { define(token, id, token_.line); }
  void define(const std::string& token, ValueId id, int line) {
    if (!values_.emplace(token, id).second) throw Fault{fmt::format("line {}: {} is made twice", line, token)};
  }

  void arguments(RegionId region) {
    expect("(");
    if (!at(")")) {
      do {
        Definition one = definition();
        define(one.token, builder_.add_argument(region, std::move(one.type), one.kind, std::move(one.name)));
      } while (accept(","));
    }
    expect(")");
  }

  void arguments_from_head() {
    Namer namer;
    for (const Parameter& one : kernel_.parameters)
      define(namer.next(one.name), builder_.add_argument(kernel_.body, one.type, Kind::Uniform, one.name));
    for (const std::string& one : kernel_.dimensions)
      define(namer.next(one), builder_.add_argument(kernel_.body, Type::scalar(ScalarType::Index), Kind::Uniform, one));
  }

  void region(RegionId id, int depth) {
    if (depth > deepest) throw Fault{fmt::format("line {}: nested too deeply", token_.line)};
    expect("{");
    while (!at("}")) {
      builder_.set_region(id);
      operation(depth);
    }
    advance();
  }

  void operation(int depth) {
    std::vector<Definition> results;
    const int line = token_.line;
    if (token_.kind == Token::Kind::Value) {
      do results.push_back(definition());
      while (accept(","));
      expect("=");
    }
    const auto code = token_.kind == Token::Kind::Word ? opcode_named(token_.raw) : std::nullopt;
    if (!code) fail("an operation");
    const std::int64_t immediate = after_mnemonic(*code);
    const OpId op = builder_.op(*code, {}, immediate);
    if (*code == Opcode::Constant) constant(op, results);
    else operands(op);
    kernel_[op].span = span();
    for (bool more = !token_.first && (at("{") || at("(")); more; more = accept("else") || accept("do")) {
      const RegionId inner = builder_.new_region();
      kernel_[op].regions.push_back(inner);
      if (at("(")) arguments(inner);
      region(inner, depth + 1);
    }
    for (Definition& one : results) define(one.token, builder_.add_result(op, std::move(one.type), one.kind, std::move(one.name)), line);
  }

  std::int64_t after_mnemonic(Opcode code) {
    advance();
    if (token_.first || !at("<")) return 0;
    const std::string_view text = lexer_.until('>');
    const auto immediate = immediate_named(code, text);
    if (!immediate) throw Fault{fmt::format("line {}: `{}` has no `<{}>`", token_.line, info(code).mnemonic, text)};
    advance();
    advance();
    return *immediate;
  }

  void constant(OpId op, const std::vector<Definition>& results) {
    if (token_.first) fail("a value on the same line");
    if (!results.empty() && is_float(results[0].type.element)) kernel_[op].real = real();
    else if (accept("true")) kernel_[op].immediate = 1;
    else if (accept("false")) kernel_[op].immediate = 0;
    else kernel_[op].immediate = number<std::int64_t>("an integer");
  }

  void operands(OpId op) {
    if (token_.first || token_.kind != Token::Kind::Value) return;
    do {
      const auto found = token_.kind == Token::Kind::Value ? values_.find(std::string(token_.raw)) : values_.end();
      if (found == values_.end()) fail("a value made before");
      kernel_[op].operands.push_back(found->second);
      advance();
    } while (accept(","));
  }

  Lexer lexer_;
  Token token_;
  Kernel kernel_;
  Builder builder_;
  std::unordered_map<std::string, ValueId> values_;
};

}  // namespace

Result<Kernel> parse(std::string_view text) {
  try {
    return Parser(text).kernel();
  } catch (const Fault& fault) {
    return Error{fault.message};
  }
}

}  // namespace phobos::ir
