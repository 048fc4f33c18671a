#include <phobos/builtins/builtins.h>

#include <set>
#include <string>

#include <doctest/doctest.h>

using namespace phobos::builtins;

TEST_CASE("each row is found by its name and documents itself") {
  std::set<std::string_view> names;
  for (const Row& r : all()) {
    CHECK(names.insert(r.name).second);
    CHECK(find(r.name) == r.id);
    CHECK(&row(r.id) == &r);
    CHECK(std::string(r.example).find(r.name) != std::string::npos);
    CHECK(std::string(r.signature).starts_with(std::string(r.name)));
    CHECK(r.documentation.ends_with("."));
  }
  CHECK(!find("nothing"));
}

TEST_CASE("the nearest name") {
  constexpr std::string_view names[] = {"rowsum", "rowmax", "dot", "dot_t"};
  CHECK(nearest("rowsun", names) == "rowsum");
  CHECK(nearest("rwomax", names) == "rowmax");
  CHECK(nearest("dott", names) == "dot");
  CHECK(!nearest("barrier", names));
  CHECK(!nearest("x", names));
}
