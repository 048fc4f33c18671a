// Dimensions are equations: each tensor from a file says of each axis what its dimension is. The first to say so is remembered
// with its words ("axis 1 of `A` (a.npy)"), so that a second that disagrees can name both.

#include <phobos/launch/bind.h>

#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <phobos/builtins/builtins.h>
#include <phobos/launch/generator.h>
#include <phobos/launch/npy.h>
#include <phobos/support/number.h>

namespace phobos::launch {
namespace {

const std::string* value_of(const std::vector<Given>& arguments, std::string_view name) {
  for (const Given& given : arguments)
    if (given.name == name) return &given.value;
  return nullptr;
}

Result<Argument> scalar_argument(const ir::Parameter& parameter, const std::string& text) {
  const ScalarType type = parameter.type.element;
  const auto wrong = [&](std::string_view why) {
    return Error{fmt::format("`{}` is a scalar of type {}: {}", parameter.name, name_of(type), why)};
  };
  if (type == ScalarType::Bool) {
    if (text == "true" || text == "1") return Argument(std::int64_t{1});
    if (text == "false" || text == "0") return Argument(std::int64_t{0});
    return wrong(fmt::format("`{}` is neither true nor false", text));
  }
  if (is_float(type)) {
    const std::optional<double> value = parse_real(text);
    if (!value) return wrong(fmt::format("`{}` is not a number", text));
    const double most = type == ScalarType::F16 ? 65519.0 : type == ScalarType::F64 ? HUGE_VAL : 0x1.ffffffp127;
    if (std::isfinite(*value) && std::fabs(*value) > most) return wrong(fmt::format("{} does not fit", text));
    return Argument(*value);
  }
  const std::optional<std::int64_t> value = parse_integer(text);
  if (!value) return wrong(fmt::format("`{}` is not an integer", text));
  HostTensor cell{type, {}, std::vector<std::byte>(static_cast<std::size_t>(size_of(type)))};
  cell.set_integer(0, *value);
  if (cell.integer_at(0) != *value) return wrong(fmt::format("{} does not fit", text));
  return Argument(*value);
}

Result<std::int64_t> dimension_value(const std::string& dimension, const std::string& text) {
  const std::optional<std::int64_t> value = parse_integer(text);
  if (!value && is_decimal(text)) return Error{fmt::format("the dimension `{}` is at most {}, not {}", dimension, INT64_MAX, text)};
  if (!value || *value < 0) return Error{fmt::format("the dimension `{}` is a number that is not negative, not `{}`", dimension, text)};
  return *value;
}

bool is_no_file(const std::string& text, const std::filesystem::path& folder) {
  std::error_code fault;
  return !text.ends_with(".npy") && !std::filesystem::exists(folder / text, fault);
}

Error no_tensor(const ir::Kernel& kernel, const ir::Parameter& parameter, const std::string& text) {
  return Error{fmt::format("`{}` is a tensor, {}: `{}` is neither a .npy file nor a generator (zeros, ones, iota, full:3, randn, uniform, "
                           "randint:0:9)", parameter.name, type_text(kernel, parameter.type), text)};
}

class Binder {
 public:
  Binder(const ir::Kernel& kernel, const std::vector<Given>& arguments, const std::filesystem::path& folder)
      : kernel_(kernel), given_(arguments), folder_(folder), dimensions_(kernel.dimensions.size()) {
    bound_.arguments.resize(kernel.parameters.size());
  }

  Result<Bound> bind(const SizeCheck& fits) {
    fits_ = &fits;
    for (Result<void> (Binder::*step)() : {&Binder::given_dimensions, &Binder::given_values, &Binder::nothing_missing,
                                           &Binder::finish_dimensions, &Binder::promises, &Binder::sizes, &Binder::generators}) {
      const Result<void> done = (this->*step)();
      if (!done) return done.error();
    }
    return std::move(bound_);
  }

 private:
  struct Dimension {
    std::optional<std::int64_t> value;
    std::string source;  // "axis 1 of `A` (a.npy)"
  };

  Result<void> given_dimensions() {
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const std::string* text = value_of(given_, kernel_.dimensions[d]);
      if (text == nullptr) continue;
      const Result<std::int64_t> value = dimension_value(kernel_.dimensions[d], *text);
      if (!value) return value.error();
      dimensions_[d] = {*value, fmt::format("`{}={}`", kernel_.dimensions[d], *text)};
    }
    return {};
  }

  // Scalars and files; generators wait until the dimensions are known.
  Result<void> given_values() {
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      const ir::Parameter& parameter = kernel_.parameters[p];
      const std::string* text = value_of(given_, parameter.name);
      if (text == nullptr) {
        if (!parameter.type.is_buffer() || parameter.read) missing_.push_back(p);
        continue;
      }
      if (!parameter.type.is_buffer()) {
        Result<Argument> scalar = scalar_argument(parameter, *text);
        if (!scalar) return scalar.error();
        bound_.arguments[p] = std::move(*scalar);
      } else if (names_generator(*text)) {
        const Result<Generator> generator = parse_generator(*text);
        if (!generator) return Error{fmt::format("`{}`: {}", parameter.name, generator.message())};
      } else if (Result<void> done = from_file(p, *text); !done) {
        return done;
      }
    }
    return {};
  }

  Result<void> from_file(std::size_t p, const std::string& text) {
    const ir::Parameter& parameter = kernel_.parameters[p];
    std::error_code fault;
    if (is_no_file(text, folder_)) return no_tensor(kernel_, parameter, text);
    const auto bytes = std::filesystem::file_size(folder_ / text, fault);
    if (Result<void> fits = fault ? Result<void>() : take(parameter.name, static_cast<double>(bytes)); !fits) return fits;
    Result<HostTensor> file = read_npy(folder_ / text);
    if (!file) return Error{fmt::format("`{}`: {}", parameter.name, file.message())};
    const std::string subject = fmt::format("`{}` is {}: {}", parameter.name, type_text(kernel_, parameter.type), text);
    if (file->shape.size() != parameter.type.shape.size())
      return Error{fmt::format("{} has the shape {}, of rank {}", subject, shape_text(file->shape), file->shape.size())};
    for (std::size_t axis = 0; axis < file->shape.size(); ++axis)
      if (Result<void> agrees = bind_axis(p, axis, file->shape[axis], text); !agrees) return agrees;
    Result<HostTensor> tensor = as_element(std::move(*file), parameter.type.element, subject);
    if (!tensor) return tensor.error();
    bound_.arguments[p] = std::move(*tensor);
    return {};
  }

  Result<void> bind_axis(std::size_t p, std::size_t axis, std::int64_t extent, const std::string& file) {
    const ir::Parameter& parameter = kernel_.parameters[p];
    const std::int64_t wanted = parameter.type.shape[axis];
    if (!ir::is_dynamic(wanted)) {
      if (wanted == extent) return {};
      return Error{fmt::format("`{}` is {}: axis {} of {} has extent {}, not {}{}", parameter.name,
                               type_text(kernel_, parameter.type), axis, file, extent, wanted, constant_hint(wanted))};
    }
    Dimension& dimension = dimensions_[ir::dimension_of(wanted)];
    const std::string source = fmt::format("axis {} of `{}` ({})", axis, parameter.name, file);
    if (dimension.value && *dimension.value != extent)
      return Error{fmt::format("`{}` is {} by {} and {} by {}", kernel_.dimensions[ir::dimension_of(wanted)], *dimension.value,
                               dimension.source, extent, source)};
    if (!dimension.value) dimension = {extent, source};
    return {};
  }

  // Which constants have that value: one of them is likely the extent's name.
  std::string constant_hint(std::int64_t value) const {
    for (const auto& [name, constant] : kernel_.constants)
      if (constant == value) return fmt::format(" (with {} = {})", name, constant);
    return {};
  }

  Result<void> nothing_missing() {
    if (missing_.empty()) return {};
    std::vector<std::string> wanted;
    for (const std::size_t p : missing_) {
      const ir::Parameter& parameter = kernel_.parameters[p];
      wanted.push_back(parameter.type.is_buffer() ? fmt::format("{0}={0}.npy", parameter.name)
                                                  : fmt::format("{}=VALUE", parameter.name));
    }
    const ir::Parameter& first = kernel_.parameters[missing_[0]];
    return Error{fmt::format("`{}` ({}) is not given{}; add {}", first.name, type_text(kernel_, first.type),
                             missing_.size() > 1 ? fmt::format(", nor {} more", missing_.size() - 1) : std::string(),
                             fmt::join(wanted, " "))};
  }

  Result<void> finish_dimensions() {
    std::vector<std::string> unbound;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (!dimensions_[d].value) unbound.push_back(kernel_.dimensions[d] + "=NUMBER");
      bound_.dimensions.push_back(dimensions_[d].value.value_or(0));
    }
    if (unbound.empty()) return {};
    return Error{fmt::format("no file says how large {} is; add {}", unbound.size() == 1 ? "this dimension" : "these dimensions",
                             fmt::join(unbound, " "))};
  }

  Result<void> promises() {
    for (const ir::Promise& promise : kernel_.promises) {
      for (std::size_t d = 0; d < dimensions_.size(); ++d) {
        if (kernel_.dimensions[d] != promise.dimension || promise.multiple <= 0) continue;
        if (bound_.dimensions[d] % promise.multiple == 0) continue;
        return Error{fmt::format("`@aligned({} = {})` promises a multiple of {}: {} has extent {}", promise.dimension,
                                 promise.multiple, promise.multiple, tensor_with(d), bound_.dimensions[d])};
      }
    }
    return {};
  }

  // "axis 1 of `A` (a.npy)", or without a file the first tensor that has the dimension.
  std::string tensor_with(std::size_t dimension) const {
    if (dimensions_[dimension].source.starts_with("axis")) return dimensions_[dimension].source;
    for (const ir::Parameter& parameter : kernel_.parameters)
      for (std::size_t axis = 0; axis < parameter.type.shape.size(); ++axis)
        if (parameter.type.shape[axis] == ir::dynamic_extent(dimension))
          return fmt::format("axis {} of `{}` ({})", axis, parameter.name, dimensions_[dimension].source);
    return kernel_.dimensions[dimension];
  }

  // All of a launch's tensors have to be there at once.
  Result<void> take(const std::string& name, double bytes) {
    bytes_ += bytes;
    if (bytes_ <= machine_memory()) return {};
    return Error{fmt::format("with `{}` the tensors take {} in sum, and this machine has {} of memory", name, bytes_text(bytes_),
                             bytes_text(machine_memory()))};
  }

  bool is_made(std::size_t p) const {
    const std::string* text = value_of(given_, kernel_.parameters[p].name);
    return kernel_.parameters[p].type.is_buffer() && (text == nullptr || names_generator(*text));
  }

  std::vector<std::int64_t> shape_of(const ir::Parameter& parameter) const {
    std::vector<std::int64_t> shape;
    for (const std::int64_t extent : parameter.type.shape)
      shape.push_back(ir::is_dynamic(extent) ? bound_.dimensions[ir::dimension_of(extent)] : extent);
    return shape;
  }

  Result<void> sizes() {
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      const ir::Parameter& parameter = kernel_.parameters[p];
      if (!is_made(p)) continue;
      const Result<std::size_t> bytes = byte_count(parameter.type.element, shape_of(parameter));
      if (!bytes) return Error{fmt::format("`{}`: {}", parameter.name, bytes.message())};
      if (Result<void> fits = take(parameter.name, static_cast<double>(*bytes)); !fits) return fits;
    }
    return *fits_ ? (*fits_)(bound_.dimensions, bytes_) : Result<void>();
  }

  Result<void> generators() {
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      const ir::Parameter& parameter = kernel_.parameters[p];
      const std::string* text = value_of(given_, parameter.name);
      if (!is_made(p)) continue;
      std::vector<std::int64_t> shape = shape_of(parameter);
      const Result<Generator> generator = text != nullptr ? parse_generator(*text) : Result<Generator>(Generator{});
      if (!generator) return generator.error();
      Result<HostTensor> tensor = generate(*generator, parameter.type.element, std::move(shape));
      if (!tensor) return Error{fmt::format("`{}`: {}", parameter.name, tensor.message())};
      bound_.arguments[p] = std::move(*tensor);
    }
    return {};
  }

  const ir::Kernel& kernel_;
  const std::vector<Given>& given_;
  const std::filesystem::path& folder_;
  std::vector<Dimension> dimensions_;
  std::vector<std::size_t> missing_;
  double bytes_ = 0;  // of the tensors so far
  const SizeCheck* fits_ = nullptr;
  Bound bound_;
};

}  // namespace

std::string type_text(const ir::Kernel& kernel, const ir::Type& type) {
  std::string text(name_of(type.element));
  if (!type.is_buffer()) return text;
  std::vector<std::string> extents;
  for (const std::int64_t extent : type.shape)
    extents.push_back(ir::is_dynamic(extent) ? kernel.dimensions[ir::dimension_of(extent)] : fmt::format("{}", extent));
  return fmt::format("{}[{}]", text, fmt::join(extents, ", "));
}

Result<SplitArguments> split_constants(const std::vector<Given>& arguments, const std::vector<std::string>& constant_names) {
  SplitArguments split;
  for (const Given& given : arguments) {
    bool is_constant = false;
    for (const std::string& name : constant_names) is_constant = is_constant || name == given.name;
    if (!is_constant) {
      split.rest.push_back(given);
      continue;
    }
    const std::optional<std::int64_t> value = parse_integer(given.value);
    if (!value || *value < 1)
      return Error{fmt::format("`{}` is a compile-time constant: a positive integer, not `{}`", given.name, given.value)};
    if (!split.constants.emplace(given.name, *value).second) return Error{fmt::format("`{}` is given twice", given.name)};
  }
  return split;
}

Result<void> check_values(const ir::Kernel& kernel, const std::vector<Given>& arguments, const std::filesystem::path& folder) {
  for (const std::string& dimension : kernel.dimensions)
    if (const std::string* text = value_of(arguments, dimension))
      if (const Result<std::int64_t> value = dimension_value(dimension, *text); !value) return value.error();
  for (const ir::Parameter& parameter : kernel.parameters) {
    const std::string* text = value_of(arguments, parameter.name);
    if (text == nullptr) continue;
    if (!parameter.type.is_buffer()) {
      if (const Result<Argument> scalar = scalar_argument(parameter, *text); !scalar) return scalar.error();
    } else if (names_generator(*text)) {
      if (const Result<Generator> generator = parse_generator(*text); !generator) return Error{fmt::format("`{}`: {}", parameter.name, generator.message())};
    } else if (is_no_file(*text, folder)) {
      return no_tensor(kernel, parameter, *text);
    }
  }
  return {};
}

Result<void> check_names(const ir::Kernel& kernel, const std::vector<Given>& arguments) {
  std::vector<std::string_view> known;
  for (const ir::Parameter& parameter : kernel.parameters) known.push_back(parameter.name);
  for (const std::string& dimension : kernel.dimensions) known.push_back(dimension);
  for (const auto& [name, value] : kernel.constants) known.push_back(name);
  std::set<std::string_view> seen;
  for (const Given& given : arguments) {
    bool found = false;
    for (const std::string_view name : known) found = found || name == given.name;
    if (!found) {
      const std::optional<std::string_view> near = builtins::nearest(given.name, known);
      const std::string advice = near ? fmt::format("did you mean `{}`?", *near)
                                      : fmt::format("it has {}", fmt::join(known, ", "));
      return Error{fmt::format("`{}` is no parameter, dimension or constant of kernel `{}`; {}", given.name, kernel.name, advice)};
    }
    if (!seen.insert(given.name).second) return Error{fmt::format("`{}` is given twice", given.name)};
  }
  return {};
}

Result<Bound> bind_arguments(const ir::Kernel& kernel, const std::vector<Given>& arguments, const std::filesystem::path& folder,
                             const SizeCheck& fits) {
  return Binder(kernel, arguments, folder).bind(fits);
}

Result<void> check_barriers(const ir::Kernel& kernel, const Bound& bound) {
  for (std::size_t i = 0; i < kernel.ops.size(); ++i) {
    const ir::Op& op = kernel[ir::OpId(i)];
    if (op.code != ir::Opcode::GridBarrier) continue;
    const std::size_t parameter = kernel[op.operands[0]].index;
    const HostTensor* bar = std::get_if<HostTensor>(&bound.arguments[parameter]);
    if (bar == nullptr) continue;
    for (std::int64_t at = 0; at < std::min<std::int64_t>(bar->count(), 2); ++at)
      if (const std::int64_t value = bar->integer_at(at); value != 0)
        return Error{fmt::format("`{0}` begins with {1}{2}: `grid_barrier` counts the CTAs in it, from 0 on; give {0}=zeros",
                                 kernel.parameters[parameter].name, value, at == 0 ? "" : " at 1")};
  }
  return {};
}

}  // namespace phobos::launch
