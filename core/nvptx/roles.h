// Numbers that the roles of an entry for bulk copies share.
#pragma once

#include <cstdint>

namespace phobos::nvptx::roles {

constexpr std::int64_t group = 128;  // threads that multiply together
// Barriers by number: of each group, each team, and each team's or group's turn to multiply. 0 is that of all.
constexpr std::int64_t first_group_barrier = 1, first_team_barrier = 8, first_turn_barrier = 10;

}  // namespace phobos::nvptx::roles
