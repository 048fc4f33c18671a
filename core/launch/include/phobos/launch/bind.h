// Arguments to a kernel's parameters and dimensions, everything checked before the launch (language.md, 14.2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/launch/run_line.h>
#include <phobos/launch/tensor.h>

namespace phobos::launch {

// Autotune constants have to be known before a kernel is checked, since tile shapes depend on them.
struct SplitArguments {
  std::map<std::string, std::int64_t> constants;
  std::vector<Given> rest;
};
Result<SplitArguments> split_constants(const std::vector<Given>& arguments, const std::vector<std::string>& constant_names);

// Whether every name is a parameter, a dimension or a constant of the kernel, and none is given twice. The error suggests the
// nearest name.
Result<void> check_names(const ir::Kernel& kernel, const std::vector<Given>& arguments);
// Whether each value can be one of what it is given for, files unread: a number that fits, a generator, the name of a file.
Result<void> check_values(const ir::Kernel& kernel, const std::vector<Given>& arguments, const std::filesystem::path& folder);

using Argument = std::variant<HostTensor, std::int64_t, double>;  // scalars: integers and bool as int64, floats as double
struct Bound {
  std::vector<Argument> arguments;       // one a parameter
  std::vector<std::int64_t> dimensions;  // one a dimension
};

// Asked whether a launch with these dimensions, whose tensors take so many bytes in sum, is to be.
using SizeCheck = std::function<Result<void>(const std::vector<std::int64_t>& dimensions, double bytes)>;
// `folder` is what file names are relative to. Files bind the dimensions by their shapes; generators follow, once `fits` has been
// asked. Errors name the parameter, the file and the axis.
Result<Bound> bind_arguments(const ir::Kernel& kernel, const std::vector<Given>& arguments, const std::filesystem::path& folder,
                             const SizeCheck& fits = {});

// That the tensors which `grid_barrier` counts in begin at zero: on a GPU the CTAs would wait for more than there are, or for fewer.
Result<void> check_barriers(const ir::Kernel& kernel, const Bound& bound);

// `f32[M, 64]`.
std::string type_text(const ir::Kernel& kernel, const ir::Type& type);

}  // namespace phobos::launch
