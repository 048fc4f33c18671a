// The commands: each adds itself to the argument table, and sets `chosen` when it is the one.
#pragma once

#include <string>
#include <vector>

#include "../options.h"

namespace phobos::cli {

void add_check(CLI::App& program, Chosen& chosen);
void add_kinds(CLI::App& program, Chosen& chosen);
void add_run(CLI::App& program, Chosen& chosen);
void add_test(CLI::App& program, Chosen& chosen);
void add_tune(CLI::App& program, Chosen& chosen);
void add_trace(CLI::App& program, Chosen& chosen);
void add_build(CLI::App& program, Chosen& chosen);
void add_fmt(CLI::App& program, Chosen& chosen);
void add_ide(CLI::App& program, Chosen& chosen);
void add_explain(CLI::App& program, Chosen& chosen);
void add_lsp(CLI::App& program, Chosen& chosen);
void add_dap(CLI::App& program, Chosen& chosen);
void add_worker(CLI::App& program, Chosen& chosen);
void add_doctor(CLI::App& program, Chosen& chosen);

// Parses the words behind the program's name and does what they ask for; gives the exit status.
int run_command_line(const std::vector<std::string>& words, Host* host);

}  // namespace phobos::cli
