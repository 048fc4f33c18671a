// What holds for every text, whatever is in it. Each function aborts, with the reason, where it does not.
#pragma once

#include <phobos/session/session.h>

namespace phobos::fuzz {

// Every message says something; every span lies in the text and does not end before it begins; the edits of a fix do not overlap;
// every value of an item has a kind, and one that is not uniform has a reason, whose chain ends.
void expect_well_formed(const session::Snapshot& snapshot);

// A snapshot that came about by edits is the one that its text alone gives.
void expect_same(const session::Snapshot& incremental, const session::Snapshot& fresh);

// Each kernel without errors lowers, or is refused in words; what comes out is valid IR, whose text reads back as itself.
void expect_lowers(const session::Snapshot& snapshot);

}  // namespace phobos::fuzz
