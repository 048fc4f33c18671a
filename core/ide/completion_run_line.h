#pragma once

#include <phobos/ide/completion.h>

#include "cursor.h"

namespace phobos::ide {

// In a `//#` comment: the names of its kernel, options, generators, expectations.
Completions run_line_completions(const File& file, const Cursor& cursor, const ListFolder& list);

}  // namespace phobos::ide
