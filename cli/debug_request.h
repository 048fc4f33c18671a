// What a debugger's client sends, read with suspicion: a field that is missing or of another type is as an empty one.
#pragma once

#include <optional>
#include <string>

#include "debug_recording.h"
#include "output.h"

namespace phobos::cli {

std::string text_in(const Json& object, const char* key);
std::int64_t integer_in(const Json& object, const char* key, std::int64_t otherwise);
bool flag_in(const Json& object, const char* key, bool otherwise);
Json object_in(const Json& object, const char* key);
Json list_in(const Json& object, const char* key);

// The arguments of `launch`.
struct DebugRequest {
  std::string program;              // a path or a URI
  std::optional<std::string> text;  // in place of the file's
  std::string folder;
  RecordingRequest recording;
  bool stop_on_entry = true;
  std::optional<int> thread;
};
Result<DebugRequest> debug_request(const Json& arguments);
Result<Source> open(const DebugRequest& request);

// Whether two paths or URIs name the same file.
bool same_file(const std::string& one, const std::string& other);

// `3`, `>= 3`, `% 2`: at which hits of a breakpoint to stop.
struct HitCondition {
  std::string sign;
  std::int64_t number = 0;
};
std::optional<HitCondition> hit_condition(const std::string& text);
bool holds(const HitCondition& condition, std::int64_t hit);

}  // namespace phobos::cli
