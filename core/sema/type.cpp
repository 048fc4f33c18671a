#include <phobos/sema/type.h>

#include <fmt/format.h>

namespace phobos::sema {

std::string to_string(const Extent& extent) { return extent.constant ? std::to_string(*extent.constant) : extent.name; }

std::string to_string(const std::vector<Extent>& shape) {
  std::string result = "[";
  for (const Extent& extent : shape) {
    if (result.size() > 1) result += ", ";
    result += to_string(extent);
  }
  return result + "]";
}

std::string to_string(const Type& type) {
  const std::string element(name_of(type.element));
  switch (type.form) {
    case Type::Form::Error: return "an unknown type";
    case Type::Form::Void: return "no value";
    case Type::Form::Scalar: return element;
    case Type::Form::Tile: return "tile<" + element + ">" + to_string(type.shape);
    case Type::Form::Run: return "run<" + element + ">" + to_string(type.shape);
    case Type::Form::Tensor: return "tensor<" + element + ">" + to_string(type.shape);
  }
  return {};
}

std::string with_article(const Type& type) {
  const std::string shown = to_string(type);
  const bool vowel = !shown.empty() && (shown[0] == 'i' || shown[0] == 'f');  // `index`, `i32`; `f32` is read with an e in front
  return fmt::format("{} `{}`", vowel ? "an" : "a", shown);
}

}  // namespace phobos::sema
