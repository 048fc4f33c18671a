// Numbers as they are written on a command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace phobos {

// Decimal or 0x…, with an optional sign; nothing else around it, and it fits in 64 bits.
std::optional<std::int64_t> parse_integer(std::string_view text);
// Whether it consists of digits: then it is an integer that is not negative, however large.
bool is_decimal(std::string_view text);
// Also `1e-5`, `inf`, `nan`.
std::optional<double> parse_real(std::string_view text);

}  // namespace phobos
