// What goes to standard output, standard error and files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <phobos/diag/diagnostic.h>
#include <phobos/support/result.h>

#include "options.h"
#include "source.h"

namespace phobos::cli {

using Json = nlohmann::ordered_json;

void put(std::string_view text);    // to standard output
void say(std::string_view text);    // a line to standard error, after "phobos: "
void put_json(const Json& json);    // one line
// A number as JSON has it; "nan", "inf" and "-inf" where JSON has none.
Json number_json(double value);

Json range_json(const Source& source, Span span);
// As `phobos check --json` and the language server give it, with `file`.
Json diagnostic_json(const Source& source, const diag::Diagnostic& diagnostic);
// Of several, with the fixes that hold.
Json diagnostics_json(const Source& source, std::vector<diag::Diagnostic> diagnostics);
// For a person, to standard error (or to standard output where diagnostics are what was asked for).
std::string diagnostics_text(const Source& source, std::vector<diag::Diagnostic> diagnostics, bool color);

bool has_errors(const std::vector<diag::Diagnostic>& diagnostics);

// The file is there whole or not at all; `-` is standard output.
Result<void> write_output(const std::string& path, std::string_view bytes);

}  // namespace phobos::cli
