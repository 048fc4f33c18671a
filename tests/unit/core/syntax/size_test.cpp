// Deep and large texts: a stack of one megabyte is enough, an error stands where a limit is passed, and twice the text takes
// about twice the time.
#include <phobos/syntax/parser.h>

#include <pthread.h>

#include <ctime>
#include <functional>

#include <doctest/doctest.h>

using namespace phobos;

namespace {

std::string repeated(std::string_view words, std::size_t times) {
  std::string result;
  result.reserve(words.size() * times);
  while (times-- > 0) result += words;
  return result;
}

std::string kernel(const std::string& body) { return "kernel k(A: tensor<f32>[64]) {\n" + body + "\n}\n"; }

void on_a_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1u << 20);
  pthread_t thread;
  REQUIRE(pthread_create(&thread, &attributes, [](void* all) -> void* { (*static_cast<std::function<void()>*>(all))(); return nullptr; }, &work) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

struct Shape {
  const char* name;
  std::function<std::string(std::size_t)> text;
  std::size_t size;  // of the smallest of three
  int errors;        // -1: some
  bool too_deep;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"parentheses", [](std::size_t n) { return kernel("  A[0] = " + repeated("(", n) + "1" + repeated(")", n)); }, 25000, 1, true},
      {"open parentheses", [](std::size_t n) { return kernel("  A[0] = " + repeated("(", n)); }, 25000, 1, true},
      {"blocks", [](std::size_t n) { return kernel(repeated("if true {", n) + repeated("}", n)); }, 25000, 1, true},
      {"open blocks", [](std::size_t n) { return kernel(repeated("if true {\n", n)); }, 25000, 1, true},
      {"else if", [](std::size_t n) { return kernel("if true {\n}" + repeated(" else if true {\n}", n)); }, 25000, 1, true},
      {"bare if", [](std::size_t n) { return kernel(repeated("if a ", n)); }, 25000, -1, false},
      {"minus", [](std::size_t n) { return kernel("  A[0] = " + repeated("-", n) + "1"); }, 25000, 1, true},
      {"subscripts", [](std::size_t n) { return kernel("  A[0] = " + repeated("A[", n) + "1" + repeated("]", n)); }, 25000, 1, true},
      {"subscripts in a row", [](std::size_t n) { return kernel("  A[0] = A" + repeated("[0]", n)); }, 25000, 1, true},
      {"calls", [](std::size_t n) { return kernel("  A[0] = " + repeated("f(", n) + "1" + repeated(")", n)); }, 25000, 1, true},
      {"folds", [](std::size_t n) { return kernel("  A[0] = " + repeated("f<up ", n)); }, 25000, 1, true},
      {"a chain of sums", [](std::size_t n) { return kernel("  A[0] = 1" + repeated(" + 1", n)); }, 25000, 1, true},
      {"attributes", [](std::size_t n) { return "@tuned(" + repeated("A in [1, 2], ", n) + "B in [1])\n" + kernel("  A[0] = 1.0"); }, 25000, 0, false},
      {"statements", [](std::size_t n) { return kernel(repeated("  A[0] = A[1] * 2.0 + A[2]\n", n)); }, 25000, 0, false},
      {"broken statements", [](std::size_t n) { return kernel(repeated("  A[0 = A[1] * \n", n)); }, 25000, -1, false},
      {"a broken line", [](std::size_t n) { return kernel(repeated("  A[0 = 1.0; ", n)); }, 25000, -1, false},
      {"kernels", [](std::size_t n) { return repeated("kernel k(A: tensor<f32>[64]) {\n  A[0] = 1.0\n}\n", n); }, 10000, 0, false},
      {"quotes", [](std::size_t n) { return kernel(repeated("\"", n)); }, 100001, -1, false},
      {"comments", [](std::size_t n) { return kernel(repeated("/*", n)); }, 100000, -1, false},
      {"braces", [](std::size_t n) { return kernel(repeated("{", n)); }, 100000, -1, false},
      {"signs", [](std::size_t n) { return kernel(repeated("@", n)); }, 100000, -1, false},
  };
  return all;
}

// That this thread had a core: where others compute too, the clock says nothing.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

TEST_CASE("deep and large texts take a bounded stack and linear time") {
  for (const Shape& shape : shapes()) {
    double seconds[3] = {};
    for (int round = 0; round < 3; ++round) {
      const std::string text = shape.text(shape.size << round);
      syntax::ParsedFile file;
      on_a_small_stack([&] {
        const double start = thread_seconds();
        file = syntax::Parser().parse(text);
        seconds[round] = thread_seconds() - start;
      });
      REQUIRE_MESSAGE(!file.items.empty(), shape.name);
      const auto& found = file.items[0].item->diagnostics;
      if (shape.errors >= 0) CHECK_MESSAGE(found.size() == static_cast<std::size_t>(shape.errors), shape.name);
      else CHECK_MESSAGE(!found.empty(), shape.name);
      if (shape.too_deep && !found.empty()) {
        CHECK_MESSAGE(found[0].code == diag::Code::NestingTooDeep, shape.name);
        CHECK_MESSAGE(found[0].location.span.begin > 200, shape.name);  // at the token, not at the item's start
      }
    }
    MESSAGE(shape.name, ": ", seconds[0] * 1000, " ms, twice ", seconds[1] * 1000, " ms, four times ", seconds[2] * 1000, " ms");
    CHECK_MESSAGE(seconds[2] < 12 * seconds[0] + 0.25, shape.name);  // a quadratic one takes sixteen times as long
  }
}
