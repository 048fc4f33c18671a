// One item's analysis, and what it depends on: the item itself, and what each name of the file that it asked for meant. Equal
// items are the same object (the parser sees to that), so that a pointer compared is a text compared.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/session/session.h>

namespace phobos::session {

using ItemPointer = std::shared_ptr<const syntax::Item>;

// All functions' names, sorted, for suggestions. None of a file with more than that: to look through them all would take too long.
inline constexpr std::size_t most_suggested = 2000;
using FunctionNames = std::shared_ptr<const std::vector<std::string>>;
FunctionNames function_names(std::vector<std::string> names);

// What an analysis may ask of the rest of the file; several may do so at once.
class Surroundings {
 public:
  virtual ItemPointer meaning(std::string_view name) const = 0;  // null: there is nothing of that name
  virtual FunctionNames functions() const = 0;

 protected:
  ~Surroundings() = default;
};

struct Memo {
  std::shared_ptr<const Analysis> analysis;
  FunctionNames functions;  // when they were asked for
  std::map<std::string, ItemPointer, std::less<>> asked;
};

std::shared_ptr<const Memo> analyse(ItemPointer item, const Surroundings& file, const sema::Options& options);
bool still_holds(const Memo& memo, const Surroundings& file);
bool same_questions(const Memo& a, const Memo& b);  // both asked for the same names

// `offset_of` an item of the file, for the functions that it inlines.
ItemView view_of(std::shared_ptr<const Analysis> analysis, Span span, const std::function<std::uint32_t(const syntax::Item&)>& offset_of);

}  // namespace phobos::session
