#include <memory>

#include <fmt/format.h>

#include "../output.h"
#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  std::string code;
};

const char* severity_name(diag::Severity severity) {
  switch (severity) {
    case diag::Severity::Error: return "error";
    case diag::Severity::Warning: return "warning";
    case diag::Severity::Information: return "information";
    default: return "hint";
  }
}

// The table's pattern with `…` where a diagnostic fills something in.
std::string message_of(const diag::CodeInfo& row) {
  std::string text;
  for (std::size_t i = 0; i < row.format.size(); ++i) {
    const std::string_view pair = row.format.substr(i, 2);
    if (pair == "{}") text += "…", ++i;
    else if (pair == "{{" || pair == "}}") text += pair[0], ++i;
    else text += row.format[i];
  }
  return text;
}

int explain(const Arguments& arguments) {
  const std::optional<diag::Code> code = diag::find_code(arguments.code);
  if (!code) {
    say(fmt::format("there is no diagnostic `{}`; codes look like PH0301", arguments.code));
    return exit_usage;
  }
  const diag::CodeInfo& row = diag::info(*code);
  if (arguments.json)
    put_json({{"code", row.code}, {"name", row.name}, {"severity", severity_name(row.severity)}, {"message", message_of(row)}});
  else
    put(fmt::format("{} ({})\n{}: {}\n", row.code, row.name, severity_name(row.severity), message_of(row)));
  return exit_done;
}

}  // namespace

void add_explain(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("explain", "What a diagnostic means");
  command->add_option("CODE", arguments->code, "Its code, as in PH0301")->required();
  add_common(*command, *arguments);
  command->callback([=, &chosen] { chosen = [=] { return explain(*arguments); }; });
}

}  // namespace phobos::cli
