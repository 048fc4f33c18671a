// What goes over the pipe: a letter, a length, bytes.
#pragma once

#include <string>
#include <string_view>

namespace phobos::worker {

enum class Frame : char { Job = 'J', Taken = 'T', Output = 'O', Errors = 'E', Progress = 'P', End = 'X' };

std::string frame_bytes(Frame frame, std::string_view bytes);
// False where the other side is gone.
bool write_frame(int descriptor, Frame frame, std::string_view bytes);
// Waits for all of it.
bool read_frame(int descriptor, Frame& frame, std::string& bytes);

}  // namespace phobos::worker
