// All that is known of an item as text, so that two can be compared and a difference can be read.
#pragma once

#include <string>

#include <phobos/session/session.h>

namespace phobos::fuzz {

// The tree that the parser made, errors included; relative to the item.
std::string dump(const syntax::Item& item);

// What checking and inference know: locals, expressions, statements, kinds and their reasons; absolute.
std::string dump(const session::ItemView& view);

}  // namespace phobos::fuzz
