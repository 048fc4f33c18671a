// Nothing ends the program in a raw exception or a signal: what nobody foresaw becomes one plain line and exit status 70.
#pragma once

#include <functional>

namespace phobos::cli {

void catch_fatal_signals();
// What to do first when a fault of our own ends the program; safe in a signal handler. Null: nothing.
void on_fault(void (*restore)());
// Gives the body's status, or 70 after an exception.
int fenced(const std::function<int()>& body);

}  // namespace phobos::cli
