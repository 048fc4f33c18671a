// What can be done with each kernel, to be shown above it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct Lens {
  enum class Action { Run, Simulate, Compare, Step, Tune, Report };
  Action action = Action::Run;
  std::string title;
  std::string kernel;
  Span place;  // of the file: its name
  std::optional<std::size_t> run_line;  // one of those that it has, by number; none: its first, if it has one
};
// In the order of the kernels; the same for a text whose bodies alone are other ones.
std::vector<Lens> lenses(const File& file);

}  // namespace phobos::ide
