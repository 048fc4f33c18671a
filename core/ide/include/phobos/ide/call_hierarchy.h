// Who calls a function, and what it calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct CallItem {  // a kernel or a function of the file
  std::string name, detail;
  Span whole, place;  // of the file; `place`: its name
};
struct Call {
  CallItem other;
  std::vector<Span> places;  // where it is called: in `other` for incoming calls, in the item asked about for outgoing ones
};
std::optional<CallItem> call_item(const File& file, std::uint32_t offset);
std::vector<Call> incoming_calls(const File& file, std::string_view name);
std::vector<Call> outgoing_calls(const File& file, std::string_view name);

}  // namespace phobos::ide
