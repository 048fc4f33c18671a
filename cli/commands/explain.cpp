// What a diagnostic means: its page of docs/diagnostics. Without a code, all of them.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include <phobos/builtins/builtins.h>

#include "../output.h"
#include "../page_text.h"
#include "../pages.h"
#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  std::string code;
};

constexpr std::pair<std::string_view, std::string_view> groups[] = {
    {"PH00", "Syntax"},     {"PH01", "Names"},     {"PH02", "Types, shapes and constants"}, {"PH03", "Uniformity"},
    {"PH04", "Attributes"}, {"PH05", "Launching"}, {"PH06", "Found by the simulator"},       {"PH07", "Found by the emulator"}};

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
    if (pair == "{{" || pair == "}}") text += pair[0], ++i;
    else if (pair[0] == '{') text += "…", i = row.format.find('}', i);
    else text += row.format[i];
  }
  return text;
}

// For a table of all: where a diagnostic is worded case by case, what its page is called.
std::string in_short(const diag::CodeInfo& row) {
  std::string message = message_of(row);
  if (message != "…") return message;
  std::string_view title = page_of(row.code);
  title = title.substr(0, title.find('\n'));
  const std::size_t colon = title.find(": ");
  return colon == std::string_view::npos ? message : std::string(title.substr(colon + 2));
}

const diag::CodeInfo& row_at(std::size_t i) { return diag::info(static_cast<diag::Code>(i)); }
constexpr std::size_t row_count = static_cast<std::size_t>(diag::Code::count_);

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// `PH0301`, `ph301` and `301` alike; empty where the text is no code.
std::string code_in(std::string_view text) {
  if (in_lower_case(text.substr(0, 2)) == "ph") text.remove_prefix(2);
  const bool digits = !text.empty() && text.size() <= 4 && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits ? fmt::format("PH{:0>4}", text) : std::string();
}

const diag::CodeInfo* find(std::string_view text) {
  const std::string code = code_in(text), name = in_lower_case(text);
  for (std::size_t i = 0; i < row_count; ++i)
    if (row_at(i).code == code || in_lower_case(row_at(i).name) == name) return &row_at(i);
  return nullptr;
}

// The next code by number, or the name that is spelt almost so.
std::string nearest(std::string_view text) {
  if (const std::string code = code_in(text); !code.empty()) {
    const auto distance = [&](std::string_view other) { return std::abs(std::atoi(code.c_str() + 2) - std::atoi(other.data() + 2)); };
    const diag::CodeInfo* near = &row_at(0);
    for (std::size_t i = 1; i < row_count; ++i)
      if (distance(row_at(i).code) < distance(near->code)) near = &row_at(i);
    return std::string(near->code);
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < row_count; ++i) names.push_back(in_lower_case(row_at(i).name));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = builtins::nearest(in_lower_case(text), views);
  return near ? std::string(find(*near)->name) : std::string();
}

Json row_json(const diag::CodeInfo& row) {
  return {{"code", row.code}, {"name", row.name}, {"severity", severity_name(row.severity)}, {"message", message_of(row)}};
}

int list(const Arguments& arguments) {
  if (arguments.json) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < row_count; ++i) rows.push_back(row_json(row_at(i)));
    put_json({{"codes", rows}});
    return exit_done;
  }
  std::string text;
  for (const auto& [prefix, title] : groups) {
    std::string rows;
    for (std::size_t i = 0; i < row_count; ++i)
      if (row_at(i).code.starts_with(prefix)) rows += fmt::format("  {}  {}\n", row_at(i).code, in_short(row_at(i)));
    if (!rows.empty()) text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", title, rows);
  }
  put(text);
  return exit_done;
}

int explain(const Arguments& arguments) {
  if (arguments.code.empty()) return list(arguments);
  const diag::CodeInfo* row = find(arguments.code);
  const std::string code = row != nullptr ? std::string(row->code) : code_in(arguments.code);
  const std::string_view page = page_of(code);
  if (row == nullptr && page.empty()) {
    const std::string near = nearest(arguments.code);
    say(fmt::format("there is no diagnostic `{}`{}", arguments.code, near.empty() ? "" : fmt::format("; the nearest is `{}`", near)));
    say("`phobos explain` lists all of them");
    return exit_usage;
  }
  if (arguments.json) {
    Json json = row != nullptr ? row_json(*row) : Json{{"code", code}, {"name", nullptr}, {"severity", nullptr}, {"message", nullptr}};
    json["page"] = page;
    put_json(json);
    return exit_done;
  }
  std::string text = page_text(page, {use_color(arguments, STDOUT_FILENO), page_width(STDOUT_FILENO)});
  if (row != nullptr && message_of(*row) != "…") {  // below the title: what is said, as it is said
    const std::size_t below = std::min(text.find('\n'), text.size());
    text.insert(below, fmt::format("\n\n{}: {}", severity_name(row->severity), message_of(*row)));
  }
  put(text);
  return exit_done;
}

}  // namespace

void add_explain(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("explain", "What a diagnostic means and how it is mended; without a code, all of them");
  command->add_option("CODE", arguments->code, "Its code, as in PH0301, or its name");
  add_common(*command, *arguments);
  command->callback([=, &chosen] { chosen = [=] { return explain(*arguments); }; });
}

}  // namespace phobos::cli
