#include <doctest/doctest.h>

#include <phobos/support/number.h>
#include <phobos/launch/run_line.h>

using namespace phobos;
using namespace phobos::launch;

TEST_CASE("a run line with expectations") {
  const Result<Request> request =
      parse_run_line(" Q=q.npy scale=0.125 --grid 3,1,2 --device=sim expect O=o.npy L=l.npy rtol=1e-4 atol=1e-5");
  REQUIRE(request.ok());
  REQUIRE(request->arguments.size() == 2);
  CHECK(request->arguments[1].name == "scale");
  CHECK(request->arguments[1].value == "0.125");
  CHECK(*request->grid == Grid{3, 1, 2});
  CHECK(*request->device == "sim");
  REQUIRE(request->expects.size() == 2);
  CHECK(request->expects[1].value == "l.npy");
  CHECK(*request->rtol == 1e-4);
  CHECK(*request->atol == 1e-5);
  CHECK(request->expects_something());
}

TEST_CASE("an expected error, and words in double quotes") {
  const Result<Request> request = parse_run_line(R"(x="a b.npy" N=3 expect-error "past the \"end\"")");
  REQUIRE(request.ok());
  CHECK(request->arguments[0].value == "a b.npy");
  CHECK(*request->expect_error == "past the \"end\"");
  CHECK_FALSE(parse_run_line("N=3")->expects_something());
  CHECK_FALSE(parse_run_line("")->expects_something());
}

TEST_CASE("what is wrong with a run line is said") {
  for (const char* text : {"N", "=3", "3=N", "N=", "x=\"a", "--grid", "--grid 0", "--grid 1,2,3,4", "--grid a", "--nothing 3",
                           "expect", "expect O", "expect O=o.npy rtol=x", "expect O=o.npy rtol=-1", "expect-error"})
    CHECK_MESSAGE(!parse_run_line(text).ok(), text);
}

TEST_CASE("grids") {
  CHECK(*parse_grid("7") == Grid{7, 1, 1});
  CHECK(*parse_grid("7,8") == Grid{7, 8, 1});
  CHECK_FALSE(parse_grid("").ok());
  CHECK_FALSE(parse_grid("7,").ok());
  CHECK_FALSE(parse_grid("-1").ok());
}

TEST_CASE("numbers") {
  CHECK(*parse_integer("-9223372036854775808") == INT64_MIN);
  CHECK(*parse_integer("0x10") == 16);
  CHECK_FALSE(parse_integer("9223372036854775808"));
  CHECK_FALSE(parse_integer("1.5"));
  CHECK_FALSE(parse_integer("--1"));
  CHECK_FALSE(parse_integer(""));
  CHECK(*parse_real("+1e-5") == 1e-5);
  CHECK_FALSE(parse_real("1e-5x"));
  CHECK_FALSE(parse_real("1e999"));
}

TEST_CASE("a run line that expects a warning, and one with a limit of steps") {
  const Result<Request> request = parse_run_line("n=7 --max-steps 1000 expect-warning \"does not fit\"");
  REQUIRE(request.ok());
  CHECK(*request->expect_warning == "does not fit");
  CHECK(*request->max_steps == 1000);
  CHECK(request->expects_something());
  CHECK_FALSE(parse_run_line("n=7 expect-warning").ok());
  CHECK_FALSE(parse_run_line("n=7 --max-steps few").ok());
  CHECK_FALSE(parse_run_line("n=7 --max-steps -1").ok());
}
