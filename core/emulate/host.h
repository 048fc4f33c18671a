// The functions that a compiled kernel calls, with the names by which the module knows them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace phobos::emulate {

// `phobos_emulate_…`, and what the host's code generator may want for arithmetic that this machine's instructions lack.
const std::vector<std::pair<std::string, void*>>& host_functions();

}  // namespace phobos::emulate
