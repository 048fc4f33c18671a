#include <phobos/server/lsp/settings.h>

namespace phobos::server::lsp {

namespace {

const Json* walk(const Json& from, std::string_view path) {
  if (!from.is_object()) return nullptr;
  if (const auto whole = from.find(std::string(path)); whole != from.end()) return &*whole;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1))
    if (const auto part = from.find(std::string(path.substr(0, dot))); part != from.end())
      if (const Json* found = walk(*part, path.substr(dot + 1))) return found;
  return nullptr;
}

}  // namespace

Settings::Settings(const Json& given) {
  const Json* inner = find(given, "phobos");
  if (inner != nullptr && inner->is_object()) all_ = *inner;
  else if (given.is_object()) all_ = given;
}

const Json* Settings::at(std::string_view path) const { return walk(all_, path); }

bool Settings::flag(std::string_view path, bool otherwise) const {
  const Json* value = at(path);
  return value != nullptr && value->is_boolean() ? value->get<bool>() : otherwise;
}

double Settings::number(std::string_view path, double otherwise) const {
  const Json* value = at(path);
  return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
}

std::string Settings::text(std::string_view path, std::string_view otherwise) const {
  const Json* value = at(path);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string(otherwise);
}

std::shared_ptr<const Settings> usual_settings() noexcept {
  static const auto usual = std::make_shared<const Settings>();
  return usual;
}

bool Settings::admits(diag::Diagnostic& diagnostic) const {
  const std::string level = text("diagnostics." + std::string(diag::info(diagnostic.code).code), "");
  if (level == "off") return false;
  if (level == "hint") diagnostic.severity = diag::Severity::Hint;
  if (level == "information") diagnostic.severity = diag::Severity::Information;
  if (level == "warning") diagnostic.severity = diag::Severity::Warning;
  if (level == "error") diagnostic.severity = diag::Severity::Error;
  return true;
}

}  // namespace phobos::server::lsp
