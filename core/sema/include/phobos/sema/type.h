// Types of checked expressions (language.md, 3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <phobos/support/scalar_type.h>

namespace phobos::sema {

// An axis's length: a number, or a dimension that is bound at launch (or, in a function checked on its own, at the call).
struct Extent {
  std::optional<std::int64_t> constant;
  std::string name;  // of the dimension, when not constant

  static Extent of(std::int64_t value) { return {value, {}}; }
  static Extent named(std::string name) { return {std::nullopt, std::move(name)}; }
  friend bool operator==(const Extent&, const Extent&) = default;
};
std::string to_string(const Extent& extent);

struct Type {
  enum class Form : unsigned char {
    Error,   // of wrong code: agrees with everything, and is silent
    Void,    // of a call that gives nothing
    Scalar,  // one a thread
    Tile,    // one a CTA
    Run,     // a thread's own short vector; rank 1, constant extent
    Tensor,  // a kernel's argument in global memory
  };
  Form form = Form::Error;
  ScalarType element = ScalarType::Index;
  std::vector<Extent> shape;

  static Type error() { return {}; }
  static Type none() { return {Form::Void, ScalarType::Index, {}}; }
  static Type scalar(ScalarType element) { return {Form::Scalar, element, {}}; }
  static Type tile(ScalarType element, std::vector<Extent> shape) { return {Form::Tile, element, std::move(shape)}; }
  static Type run(ScalarType element, std::int64_t length) { return {Form::Run, element, {Extent::of(length)}}; }
  static Type tensor(ScalarType element, std::vector<Extent> shape) { return {Form::Tensor, element, std::move(shape)}; }

  bool is_error() const { return form == Form::Error; }
  bool is_void() const { return form == Form::Void; }
  bool is_scalar() const { return form == Form::Scalar; }
  bool is_tile() const { return form == Form::Tile; }
  bool is_run() const { return form == Form::Run; }
  bool is_tensor() const { return form == Form::Tensor; }
  bool is_buffer() const { return is_tile() || is_tensor(); }
  int rank() const { return static_cast<int>(shape.size()); }
  friend bool operator==(const Type&, const Type&) = default;
};

std::string to_string(const Type& type);                       // `tile<f32>[64, 32]`
std::string with_article(const Type& type);                    // an `index`, a `tile<f32>[64, 32]`
std::string to_string(const std::vector<Extent>& shape);       // `[64, 32]`

}  // namespace phobos::sema
