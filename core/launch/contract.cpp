#include <phobos/launch/contract.h>

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace phobos::launch {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else out += c;
  }
  return out += '"';
}

std::string extent_json(const ir::Kernel& kernel, std::int64_t extent) {
  return ir::is_dynamic(extent) ? quoted(kernel.dimensions[ir::dimension_of(extent)]) : fmt::format("{}", extent);
}

// `[`, the items one a line, `]`.
std::string list(const std::vector<std::string>& items) {
  if (items.empty()) return "[]";
  return fmt::format("[\n    {}\n  ]", fmt::join(items, ",\n    "));
}

std::string parameter_json(const ir::Kernel& kernel, const ir::Parameter& parameter) {
  const std::string head = fmt::format("{{\"name\": {}, \"kind\": \"{}\", \"type\": \"{}\"", quoted(parameter.name),
                                       parameter.type.is_buffer() ? "tensor" : "scalar", name_of(parameter.type.element));
  if (!parameter.type.is_buffer()) return head + "}";
  std::vector<std::string> shape;
  for (const std::int64_t extent : parameter.type.shape) shape.push_back(extent_json(kernel, extent));
  return fmt::format("{}, \"shape\": [{}], \"read\": {}, \"written\": {}}}", head, fmt::join(shape, ", "), parameter.read,
                     parameter.written);
}

std::string ptx_parameters(const ir::Kernel& kernel) {
  std::vector<std::string> items;
  const auto add = [&](std::string_view name, std::string_view kind, std::string_view type) {
    items.push_back(fmt::format("{{\"name\": {}, \"kind\": \"{}\", \"type\": \"{}\"{}}}", quoted(name), kind, type,
                                kind == "pointer" ? fmt::format(", \"alignment\": {}", nvptx::tensor_alignment) : ""));
  };
  for (const ir::Parameter& parameter : kernel.parameters) {
    if (parameter.type.is_buffer()) add(parameter.name, "pointer", "u64");
    else add(parameter.name, "scalar", name_of(parameter.type.element));
  }
  for (const std::string& dimension : kernel.dimensions) add(dimension, "dimension", "i64");
  return list(items);
}

std::string grid_json(const ir::Kernel& kernel) {
  if (!kernel.grid.axes) return "null";
  std::vector<std::string> axes;
  for (const ir::GridAxis& axis : *kernel.grid.axes)
    axes.push_back(fmt::format("{{\"extent\": {}, \"step\": {}}}", extent_json(kernel, axis.extent), axis.step));
  return fmt::format("[{}]", fmt::join(axes, ", "));
}

std::string bulk_json(const ir::Kernel& kernel, const nvptx::Compiled& compiled) {
  if (!compiled.bulk) return "null";
  std::vector<std::string> maps;
  for (const nvptx::Compiled::Map& map : compiled.bulk->maps) {
    const ir::Parameter& parameter = kernel.parameters[map.parameter];
    maps.push_back(fmt::format("{{\"tensor\": {}, \"element_bytes\": {}, \"rounding\": {}, \"box_rows\": {}, \"box_columns\": {}, \"swizzle\": {}}}",
                               quoted(parameter.name), size_of(parameter.type.element), map.rounds ? "\"tf32\"" : "null", map.rows, map.columns, map.swizzle));
  }
  return fmt::format("{{\n    \"entry\": {},\n    \"threads\": {},\n    \"dynamic_shared_bytes\": {},\n    \"row_granule\": {},\n    \"largest_extent\": {},\n"
                     "    \"maps\": [\n      {}\n    ]\n  }}",
                     quoted(compiled.bulk->entry), compiled.bulk->threads, compiled.bulk->dynamic_shared_bytes, nvptx::Compiled::Bulk::row_granule,
                     nvptx::Compiled::Bulk::largest_extent, fmt::join(maps, ",\n      "));
}

bool waits_for_all(const ir::Kernel& kernel) {
  return std::any_of(kernel.ops.begin(), kernel.ops.end(), [](const ir::Op& op) { return op.code == ir::Opcode::GridBarrier; });
}

}  // namespace

std::string contract_json(const ir::Kernel& kernel, const nvptx::Compiled& compiled, const std::string& chip) {
  std::vector<std::string> parameters, dimensions, constants, promises;
  for (const ir::Parameter& parameter : kernel.parameters) parameters.push_back(parameter_json(kernel, parameter));
  for (const std::string& dimension : kernel.dimensions) dimensions.push_back(quoted(dimension));
  for (const auto& [name, value] : kernel.constants) constants.push_back(fmt::format("{}: {}", quoted(name), value));
  for (const ir::Promise& promise : kernel.promises)
    if (std::find(kernel.dimensions.begin(), kernel.dimensions.end(), promise.dimension) != kernel.dimensions.end())  // a constant keeps its own
      promises.push_back(fmt::format("{{\"dimension\": {}, \"multiple\": {}}}", quoted(promise.dimension), promise.multiple));
  const std::vector<std::string> fields = {
      "\"kernel\": " + quoted(kernel.name),
      "\"entry\": " + quoted(compiled.entry),
      "\"chip\": " + quoted(chip),
      fmt::format("\"threads\": {}", kernel.threads),
      "\"parameters\": " + list(parameters),
      fmt::format("\"dimensions\": [{}]", fmt::join(dimensions, ", ")),
      fmt::format("\"constants\": {{{}}}", fmt::join(constants, ", ")),
      "\"ptx_parameters\": " + ptx_parameters(kernel),
      fmt::format("\"shared_bytes\": {}", compiled.shared_bytes),
      fmt::format("\"dynamic_shared_bytes\": {}", compiled.dynamic_shared_bytes),
      fmt::format("\"promises\": [{}]", fmt::join(promises, ", ")),
      fmt::format("\"cooperative\": {}", waits_for_all(kernel)),
      "\"grid\": " + grid_json(kernel),
      "\"grid_reason\": " + quoted(kernel.grid.reason),
      "\"bulk\": " + bulk_json(kernel, compiled),
  };
  return fmt::format("{{\n  {}\n}}\n", fmt::join(fields, ",\n  "));
}

}  // namespace phobos::launch
