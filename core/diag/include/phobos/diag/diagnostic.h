// What the program says of a user's text. diagnostics.def is the one table of codes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <phobos/source/span.h>

namespace phobos::diag {

enum class Severity { Error = 1, Warning = 2, Information = 3, Hint = 4 };

enum class Code {
#define PHOBOS_DIAG(code, name, severity, message) name,
#include <phobos/diag/diagnostics.def>
#undef PHOBOS_DIAG
  count_
};

struct CodeInfo {
  std::string_view code;  // "PH0102", stable for ever
  std::string_view name;
  Severity severity;
  std::string_view format;  // fmt pattern of the message
};
const CodeInfo& info(Code code);
// The row of "PH0102", case ignored.
std::optional<Code> find_code(std::string_view text);

struct Related {
  Location location;
  std::string message;
  bool is_call = false;  // in which the diagnostic is found; such places stand last, innermost first
};

struct TextEdit {
  Location location;
  std::string text;
};

// A repair that a person would make. Applied as a whole.
struct Fix {
  std::string title;
  std::vector<TextEdit> edits;
};

// Spans are relative to the item it was found in, or absolute in the file for a diagnostic of the file (syntax between items,
// a finding of the simulator); who holds the diagnostic knows which.
struct Diagnostic {
  Code code;
  Severity severity;
  Location location;
  std::string message;  // never empty
  std::vector<Related> related;
  std::vector<Fix> fixes;
};

// How many related places are calls.
std::size_t calls_of(const Diagnostic& diagnostic);
// Adds a related place before the calls.
void relate(Diagnostic& diagnostic, Location location, std::string message);

// A diagnostic of that code at that place, its message filled in from the table.
template <class... Args>
Diagnostic make(Code code, Location location, const Args&... args) {
  const CodeInfo& row = info(code);
  return {code, row.severity, location, fmt::vformat(row.format, fmt::make_format_args(args...)), {}, {}};
}

}  // namespace phobos::diag
