// Checks one item: names, types, shapes and constants.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <phobos/sema/checked.h>

namespace phobos::sema {

// What an item sees of the rest of its file: the functions and kernels by name. Which names were asked for is recorded by the
// caller, since an item's result depends on nothing else.
struct Environment {
  std::function<std::shared_ptr<const syntax::Item>(std::string_view name)> find;
  // The names of all functions, for suggestions; may be none. Whoever asks depends on all of them.
  std::function<const std::vector<std::string>&()> functions = {};
};

struct Options {
  std::map<std::string, std::int64_t> constants;  // chosen values of autotune names; the rest take their default
  std::stop_token stop;
};

// Never fails: the result carries its diagnostics.
CheckedItem check(std::shared_ptr<const syntax::Item> item, const Environment& environment, const Options& options = {});

}  // namespace phobos::sema
