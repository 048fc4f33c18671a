#include <doctest/doctest.h>

#include <phobos/launch/printed.h>

#include <unistd.h>

#include <cstdio>

using namespace phobos;
using namespace phobos::launch;

namespace {

std::vector<int> range(int begin, int end) {
  std::vector<int> made;
  for (int i = begin; i < end; ++i) made.push_back(i);
  return made;
}

// A kernel of 64 threads that prints on line 3 of `source`.
const std::string source = "kernel k() {\n\n  print(x)\n}\n";
ir::Kernel printing() {
  ir::Kernel kernel;
  kernel.threads = 64;
  ir::Op op;
  op.code = ir::Opcode::Print;
  op.span = {15, 23};
  kernel.ops.add(op);
  kernel.notes.push_back({ir::Note::Form::Print, Kind::Varying, {"x"}, {}});
  return kernel;
}

std::vector<std::string> read(const std::vector<std::string_view>& lines, std::size_t most = 100) {
  const Printout made = read_printed(lines, printing(), "k.ph", source, most);
  std::vector<std::string> told;
  for (const sim::Printed& line : made.lines) told.push_back(line_text(line, 64));
  if (made.left_out != 0) told.push_back("left out: " + std::to_string(made.left_out));
  return told;
}

}  // namespace

TEST_CASE("lanes are told by warp, and ranges of warps alike at once") {
  CHECK_EQ(lanes_text({}, 64), "");
  CHECK_EQ(lanes_text(range(0, 64), 64), "");
  CHECK_EQ(lanes_text({5}, 32), "lane 5");
  CHECK_EQ(lanes_text({0, 1, 2, 3, 7}, 32), "lanes 0-3, 7");
  CHECK_EQ(lanes_text({37}, 64), "warp 1 lane 5");
  CHECK_EQ(lanes_text(range(32, 64), 64), "warp 1");
  CHECK_EQ(lanes_text(range(0, 64), 96), "warps 0-1");
  CHECK_EQ(lanes_text({0, 32, 64}, 96), "warps 0-2 lane 0");
  CHECK_EQ(lanes_text({0, 1, 32, 64}, 96), "warp 0 lanes 0-1; warps 1-2 lane 0");
}

TEST_CASE("lines of a device's printf are folded and put in the order of the blocks") {
  CHECK_EQ(read({"k.ph:3: block (1, 0, 0) warp 0 lane 1: x = 2", "k.ph:3: block (0, 0, 0) warp 0 lane 3: x = 7",
                 "k.ph:3: block (0, 0, 0) warp 1 lane 3: x = 7", "k.ph:3: block (0, 0, 0) warp 0 lane 4: x = 8"}),
           std::vector<std::string>{"block (0, 0, 0) warps 0-1 lane 3: x = 7", "block (0, 0, 0) warp 0 lane 4: x = 8", "block (1, 0, 0) warp 0 lane 1: x = 2"});
  // The first and the second time are told apart.
  CHECK_EQ(read({"k.ph:3: block (0, 0, 0) warp 0 lane 0: x = 1", "k.ph:3: block (0, 0, 0) warp 0 lane 0: x = 1", "k.ph:3: block (0, 0, 0) warp 0 lane 1: x = 1"}),
           std::vector<std::string>{"block (0, 0, 0) warp 0 lanes 0-1: x = 1", "block (0, 0, 0) warp 0 lane 0: x = 1"});
  CHECK_EQ(read({"k.ph:3: block (0, 0, 0): x = 1", "k.ph:3: block (0, 0, 0) warp 1: x = 1"}),
           std::vector<std::string>{"block (0, 0, 0): x = 1", "block (0, 0, 0) warp 1: x = 1"});
}

TEST_CASE("numbers of printf are told at their shortest") {
  CHECK_EQ(read({"k.ph:3: block (0, 0, 0): x = 0.100000001, y = [1, -2.5, 1.00000001e-10], z = 0.10000000000000001"}),
           std::vector<std::string>{"block (0, 0, 0): x = 0.1, y = [1, -2.5, 1e-10], z = 0.1"});
  CHECK_EQ(read({"k.ph:3: block (0, 0, 0): x = inf, n = 16777217, a[0, 3] = -0.333333343, t = 0.0123456791"}),
           std::vector<std::string>{"block (0, 0, 0): x = inf, n = 16777217, a[0, 3] = -0.33333334, t = 0.012345679"});
}

TEST_CASE("what is no line of a print is passed by, and the rest is bounded") {
  CHECK(read({"", "hello", "k.ph:", "k.ph:3", "k.ph:3: block (0, 0", "other.ph:3: block (0, 0, 0): x = 1", "k.ph:3: block (0, 0, 0) x = 1"}).empty());
  CHECK_EQ(read({"k.ph:3: block (0, 0, 0): x = 1", "k.ph:3: block (1, 0, 0): x = 1", "k.ph:3: block (2, 0, 0): x = 1"}, 2),
           std::vector<std::string>{"block (0, 0, 0): x = 1", "block (1, 0, 0): x = 1", "left out: 1"});
  const Printout made = read_printed({"k.ph:3: block (0, 0, 0): x = 1"}, printing(), "k.ph", source, 10);
  CHECK(made.lines[0].place == Span{15, 23});
}

TEST_CASE("what goes to standard output is caught, and then no longer") {
  std::string text;
  {
    Capture capture;
    std::fputs("one\n", stdout);
    std::fflush(stdout);
    CHECK_EQ(write(STDOUT_FILENO, "two\n", 4), 4);
    std::fputs("three\n", stdout);
    text = capture.take();
  }
  CHECK_EQ(text, "one\ntwo\nthree\n");
  { const Capture unused; }
  std::fflush(stdout);
  CHECK_EQ(write(STDOUT_FILENO, "", 0), 0);
}
