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
  bool all = false;
};

constexpr std::pair<std::string_view, std::string_view> groups[] = {
    {"PH00", "Syntax"},     {"PH01", "Names"},     {"PH02", "Types, shapes and constants"}, {"PH03", "Uniformity"},
    {"PH04", "Attributes"}, {"PH05", "Launching"}, {"PH06", "Found by the simulator"},       {"PH07", "Found by the emulator"},
    {"PH08", "Too large for the GPU, or not as asked for"}};

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

// `[PH0301]`, `error[PH0301]:` and the like: the code in the middle of a message, else the text as it is.
std::string_view bare(std::string_view text) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_part(text[begin])) continue;
    std::size_t end = begin;
    while (end < text.size() && is_part(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    if (word.size() > 2 && in_lower_case(word.substr(0, 2)) == "ph" && std::isdigit(static_cast<unsigned char>(word[2])) != 0) return word;
    begin = end;
  }
  const std::size_t first = text.find_first_not_of("[](){}`'\"<> "), last = text.find_last_not_of("[](){}`'\"<>:., ");
  return first == std::string_view::npos || last < first ? text : text.substr(first, last + 1 - first);
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

// Of `PH03`, too short for a code: those that begin so.
std::vector<const diag::CodeInfo*> beginning_with(std::string_view text) {
  std::vector<const diag::CodeInfo*> rows;
  const std::string prefix = in_lower_case(text);
  if (prefix.size() < 2 || prefix.size() > 5 || !std::string_view("ph").starts_with(prefix.substr(0, 2))) return rows;
  for (std::size_t i = 0; i < row_count; ++i)
    if (in_lower_case(row_at(i).code).starts_with(prefix)) rows.push_back(&row_at(i));
  return rows;
}

// The next code by number, or the name that is spelt almost so.
std::string nearest(std::string_view text) {
  if (text.size() > 6 && in_lower_case(text.substr(0, 2)) == "ph") text = text.substr(0, 6);
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
  return {{"code", row.code}, {"name", row.name}, {"severity", severity_name(row.severity)}, {"message", in_short(row)}};
}

int list(const Arguments& arguments, const std::vector<const diag::CodeInfo*>& listed) {
  if (arguments.json) {
    Json rows = Json::array();
    for (const diag::CodeInfo* row : listed) rows.push_back(row_json(*row));
    put_json({{"codes", rows}});
    return exit_done;
  }
  std::string text;
  for (const auto& [prefix, title] : groups) {
    std::string rows;
    for (const diag::CodeInfo* row : listed)
      if (row->code.starts_with(prefix)) rows += fmt::format("  {}  {}\n", row->code, in_short(*row));
    if (!rows.empty()) text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", title, rows);
  }
  put(text);
  return exit_done;
}

int explain(const Arguments& arguments) {
  if (arguments.all) return list(arguments, beginning_with("ph"));
  const std::string asked(bare(arguments.code));
  if (const auto rows = beginning_with(asked); !rows.empty()) return list(arguments, rows);
  const diag::CodeInfo* row = find(asked);
  const std::string code = row != nullptr ? std::string(row->code) : code_in(asked);
  const std::string_view page = page_of(code);
  if (row == nullptr && page.empty()) {
    const std::string near = nearest(asked);
    if (arguments.json) put_json({{"codes", Json::array()}});
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
  command->callback([=, &chosen] {
    arguments->all = command->count("CODE") == 0;
    chosen = [=] { return explain(*arguments); };
  });
}

}  // namespace phobos::cli
