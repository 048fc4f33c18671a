// The text form. A kernel is a head of one fact a line, then its body; an operation is a line
//
//   %r: f32 varying, %s: index = mnemonic<immediate> %a, %b @begin:end
//
// and its regions follow in braces, their arguments in parentheses before. A value is written by the name of its source
// variable where it has one (`%x`, and `%x.1` for the next of that name), else by a number. The kind is left out where it is
// uniform; `warp` is warp-uniform. Reals are the shortest text that reads back as the same number.
#include <cctype>

#include <fmt/format.h>

#include <phobos/ir/text.h>

#include "immediates.h"
#include "names.h"

namespace phobos::ir {
namespace {

class Printer {
 public:
  Printer(const Kernel& kernel, const PrintOptions& options) : kernel_(kernel), options_(options) {
    tokens_.resize(kernel.values.size());
  }

  std::string kernel() {
    head();
    if (kernel_.regions.contains(kernel_.body)) {
      if (!arguments_follow_from_head()) arguments(kernel_[kernel_.body]);
      region(kernel_[kernel_.body], 0);
    }
    out_ += '\n';
    return std::move(out_);
  }

  // Printed as it stands in the whole text, with the same numbers.
  std::string single(const Op& op) {
    kernel();
    out_.clear();
    operation(op, 0, false);
    return std::move(out_);
  }

 private:
  static constexpr int deepest = 512;

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  std::string extent(std::int64_t extent) const {
    if (!is_dynamic(extent)) return std::to_string(extent);
    const std::size_t dimension = dimension_of(extent);
    return dimension < kernel_.dimensions.size() ? quote_unless_word(kernel_.dimensions[dimension])
                                                 : "?" + std::to_string(dimension);
  }

  std::string type(const Type& type) const {
    std::string text;
    switch (type.form) {
      case Type::Form::Scalar: return std::string(name_of(type.element));
      case Type::Form::Tile: text = "tile"; break;
      case Type::Form::Run: text = "run"; break;
      case Type::Form::Buffer: text = type.space == Type::Space::Shared ? "shared" : "buffer"; break;
    }
    text += fmt::format("<{}>[", name_of(type.element));
    for (std::size_t i = 0; i < type.shape.size(); ++i) text += (i ? ", " : "") + extent(type.shape[i]);
    return text + "]";
  }

  void head() {
    put("kernel {}\n", quote_unless_word(kernel_.name));
    put("threads {}\n", kernel_.threads);
    if (kernel_.min_blocks) put("min_blocks {}\n", *kernel_.min_blocks);
    if (kernel_.max_registers) put("max_registers {}\n", *kernel_.max_registers);
    if (kernel_.persistent) put("persistent\n");
    if (kernel_.precise) put("precise\n");
    if (kernel_.rounding != Rounding::None) put("rounding {}\n", kernel_.rounding == Rounding::F16 ? "f16" : "tf32");
    if (kernel_.pipeline) {
      put("pipeline {}", kernel_.pipeline->stages);
      if (options_.spans) put(" @{}:{}", kernel_.pipeline->span.begin, kernel_.pipeline->span.end);
      out_ += '\n';
    }
    if (kernel_.band > 0) put("band {}\n", kernel_.band);
    for (const std::string& name : kernel_.dimensions) put("dimension {}\n", quote_unless_word(name));
    for (const Parameter& one : kernel_.parameters)
      put("parameter {}: {}{}{}\n", quote_unless_word(one.name), type(one.type), one.read ? " read" : "",
          one.written ? " written" : "");
    for (const auto& [name, value] : kernel_.constants) put("constant {} = {}\n", quote_unless_word(name), value);
    for (const Promise& one : kernel_.promises) put("promise {} % {}\n", quote_unless_word(one.dimension), one.multiple);
    for (const Note& note : kernel_.notes) {
      const auto word = [](Kind kind) { return kind == Kind::WarpUniform ? "warp" : name_of(kind); };
      put("note {} {}", name_of(note.form), word(note.control));
      for (const std::string& label : note.labels) put(" {}", quote(label));
      for (const Kind kind : note.kinds) put(" {}", word(kind));
      out_ += '\n';
    }
    grid();
  }

  void grid() {
    const GridRule& rule = kernel_.grid;
    const bool spanned = options_.spans && !(rule.span == Span{});
    if (!rule.axes && rule.reason.empty() && !spanned) return;
    out_ += "grid";
    if (!rule.axes) out_ += " given";
    if (rule.axes)
      for (std::size_t i = 0; i < rule.axes->size(); ++i)
        put("{}{} / {}", i ? ", " : " ", extent((*rule.axes)[i].extent), (*rule.axes)[i].step);
    if (!rule.reason.empty()) put(" reason {}", quote(rule.reason));
    if (spanned) put(" @{}:{}", rule.span.begin, rule.span.end);
    out_ += '\n';
  }

  bool arguments_follow_from_head() {
    const auto& values = kernel_[kernel_.body].arguments;
    const std::size_t parameters = kernel_.parameters.size();
    if (values.size() != parameters + kernel_.dimensions.size()) return false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!kernel_.values.contains(values[i])) return false;
      const Value& value = kernel_[values[i]];
      const bool same = i < parameters ? value.name == kernel_.parameters[i].name && value.type == kernel_.parameters[i].type
                                       : value.name == kernel_.dimensions[i - parameters] &&
                                             value.type == Type::scalar(ScalarType::Index);
      if (!same || value.kind != Kind::Uniform || value.name.empty()) return false;
    }
    for (ValueId id : values) token(id);
    return true;
  }

  const std::string& token(ValueId id) {
    static const std::string unknown = "%?";
    if (!kernel_.values.contains(id)) return unknown;
    std::string& text = tokens_[id.value];
    if (text.empty()) text = namer_.next(kernel_[id].name);
    return text;
  }

  void definition(ValueId id) {
    out_ += token(id);
    if (!kernel_.values.contains(id)) return;
    const Value& value = kernel_[id];
    out_ += ": " + type(value.type);
    if (value.kind == Kind::WarpUniform) out_ += " warp";
    if (value.kind == Kind::Varying) out_ += " varying";
  }

  void arguments(const Region& region) {
    out_ += '(';
    for (std::size_t i = 0; i < region.arguments.size(); ++i) {
      if (i) out_ += ", ";
      definition(region.arguments[i]);
    }
    out_ += ") ";
  }

  void region(const Region& region, int depth) {
    if (depth > deepest) return;  // a region inside itself; the verifier says so
    out_ += "{\n";
    for (OpId id : region.ops) {
      out_.append(static_cast<std::size_t>(depth + 1) * 2, ' ');
      if (kernel_.ops.contains(id)) operation(kernel_[id], depth + 1, true);
      out_ += '\n';
    }
    out_.append(static_cast<std::size_t>(depth) * 2, ' ');
    out_ += '}';
  }

  void constant(const Op& op) {
    const ScalarType element =
        op.results.empty() || !kernel_.values.contains(op.results[0]) ? ScalarType::I64 : kernel_.type(op.results[0]).element;
    if (is_float(element)) return put(" {}", op.real);
    if (element == ScalarType::Bool && (op.immediate == 0 || op.immediate == 1))
      return put(" {}", op.immediate == 1 ? "true" : "false");
    put(" {}", op.immediate);
  }

  void operation(const Op& op, int depth, bool with_regions) {
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      if (i) out_ += ", ";
      definition(op.results[i]);
    }
    if (!op.results.empty()) out_ += " = ";
    out_ += info(op.code).mnemonic;
    if (const std::string immediate = immediate_text(op); !immediate.empty()) put("<{}>", immediate);
    if (op.code == Opcode::Constant) constant(op);
    for (std::size_t i = 0; i < op.operands.size(); ++i) put("{}{}", i ? ", " : " ", token(op.operands[i]));
    if (options_.spans) put(" @{}:{}", op.span.begin, op.span.end);
    if (!with_regions) return;
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
      out_ += ' ';
      if (i > 0) out_ += op.code == Opcode::While ? "do " : "else ";
      if (!kernel_.regions.contains(op.regions[i])) continue;
      const Region& inner = kernel_[op.regions[i]];
      if (!inner.arguments.empty()) arguments(inner);
      region(inner, depth);
    }
  }

  const Kernel& kernel_;
  const PrintOptions& options_;
  std::string out_;
  std::vector<std::string> tokens_;
  Namer namer_;
};

}  // namespace

std::string print(const Kernel& kernel, const PrintOptions& options) { return Printer(kernel, options).kernel(); }

std::string print(const Kernel& kernel, const Op& op) {
  const PrintOptions options;
  return Printer(kernel, options).single(op);
}

}  // namespace phobos::ir
