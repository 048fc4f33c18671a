// What holds for every text, whatever is in it. Each function aborts, with the reason, where it does not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/session/session.h>
#include <phobos/syntax/parser.h>

namespace phobos::fuzz {

// Every message says something; every span lies in the text and does not end before it begins; the edits of a fix do not overlap;
// every value of an item has a kind, and one that is not uniform has a reason, whose chain ends.
void expect_well_formed(const session::Snapshot& snapshot);

// A snapshot that came about by edits is the one that its text alone gives: trees, diagnostics, what is known of each item, run lines,
// and the hovers at some places, which `seed` chooses.
void expect_same(const session::Snapshot& incremental, const session::Snapshot& fresh, std::uint32_t seed = 0);

void expect_same_text(const std::string& edited, const std::string& fresh, std::string_view of);

// The trees of items: every span lies in its item's text and does not end before it begins, items do not overlap, and they
// and the statements of a body are in order.
void expect_well_formed(const std::vector<syntax::ParsedItem>& items, std::string_view text);

// Each kernel without errors lowers, or is refused in words; what comes out is valid IR, whose text reads back as itself.
void expect_lowers(const session::Snapshot& snapshot);

}  // namespace phobos::fuzz
