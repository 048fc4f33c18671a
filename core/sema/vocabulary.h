// What people who come from CUDA, Triton or NumPy call things that have another name here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace phobos::sema {

// `float` -> `f32`.
std::optional<std::string_view> type_meant(std::string_view theirs);
// Of such a type, as the end of a sentence: how it is spelt or, where there is none like it, what the nearest one is.
std::string said_of_type(std::string_view theirs);

// A value that is a field of `ctx` here: `warpSize` -> lanes.
struct FieldMeant {
  std::string_view field;  // of ctx
  std::string_view what;   // "this thread"
};
std::optional<FieldMeant> field_meant(std::string_view theirs);

// A number that has a name elsewhere: `INFINITY`, `M_PI`.
struct ValueMeant {
  std::string_view ours;  // empty: there is none
  std::string_view said;  // the end of a sentence
};
std::optional<ValueMeant> value_meant(std::string_view theirs);

// A function. A pattern with `$1` … stands for the whole call with that many arguments; one without, for the name alone.
std::optional<std::string_view> function_meant(std::string_view theirs);

// What there is instead of a function that has no counterpart, as the end of a sentence.
std::optional<std::string_view> instead_of(std::string_view theirs);

// `tl` in `tl.dot(a, b)`.
bool is_foreign_module(std::string_view name);

}  // namespace phobos::sema
