// The settings of a user: the section `phobos` of what the client has, as it came.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <phobos/diag/diagnostic.h>
#include <phobos/server/lsp/json.h>

namespace phobos::server::lsp {

class Settings {
 public:
  Settings() = default;
  // What is given as `settings`, `initializationOptions` or for the section: with `phobos` around it or without.
  explicit Settings(const Json& given);

  // By the names on the way to it, as in `inlayHints.kinds`, nested or as one key. What is of another type counts as not set.
  bool flag(std::string_view path, bool otherwise) const;
  double number(std::string_view path, double otherwise) const;
  std::string text(std::string_view path, std::string_view otherwise) const;

  // `diagnostics.PH0203`: `off`, `hint`, `information`, `warning` or `error`. False where it is not to be told.
  bool admits(diag::Diagnostic& diagnostic) const;

  friend bool operator==(const Settings&, const Settings&) = default;

 private:
  const Json* at(std::string_view path) const;
  Json all_ = Json::object();
};

// Of a user who has set nothing.
std::shared_ptr<const Settings> usual_settings() noexcept;

}  // namespace phobos::server::lsp
