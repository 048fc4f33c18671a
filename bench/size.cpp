// Texts that are deep, long or many, each in three sizes: the time of a whole analysis must grow with the size of the text and no
// faster, and the stack must not grow at all, so that everything runs on one of a megabyte, as under `ulimit -s 1024`. The last
// column is the time for twice the size over the time for the size: 2 is linear.
//
// Use: bench_size [--json] [--quick]
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include <generated.h>
#include <phobos/session/session.h>

#include "measure.h"

using namespace phobos;
using namespace phobos::bench;

namespace {

std::string repeated(std::string_view words, std::size_t times) {
  std::string text;
  text.reserve(words.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += words;
  return text;
}

std::string in_kernel(const std::string& body) {
  return "kernel k(A: tensor<f32>[N], n: i32) {\n  var x: i32 = 0\n" + body + "  A[ctx.thread] = f32(x)\n}\n";
}

struct Row {
  std::string name;
  std::size_t full;  // the largest size
  std::function<std::string(std::size_t)> text;
};

std::string chained_functions(std::size_t count) {
  std::string text = "fn f0(x: f32) -> f32 {\n  return x + 1.0\n}\n";
  for (std::size_t i = 1; i < count; ++i) text += fmt::format("fn f{}(x: f32) -> f32 {{\n  return f{}(x) + 1.0\n}}\n", i, i - 1);
  return text;
}

std::string statements(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += fmt::format("  x = x * {} + n\n", i % 100);
  return in_kernel(body);
}

std::string declarations(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += fmt::format("  let v{} = x + {}\n  x = v{}\n", i, i, i);
  return in_kernel(body);
}

std::string errors(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += fmt::format("  x = missing{} + )\n", i);
  return in_kernel(body);
}

std::string kernels(std::size_t count) {
  generated::Shape shape;
  shape.kernels = count;
  return generated::file(shape);
}

std::string of_bytes(std::size_t bytes) {
  static std::map<std::size_t, std::string> made;
  std::string& text = made[bytes];
  if (text.empty()) text = kernels(bytes / 850 + 1).substr(0, bytes);
  return text;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"nested parentheses", 100'000, [](std::size_t n) { return in_kernel("  x = " + repeated("(", n) + "1" + repeated(")", n) + "\n"); }},
      {"open parentheses", 100'000, [](std::size_t n) { return in_kernel("  x = " + repeated("(", n) + "\n"); }},
      {"nested blocks", 100'000, [](std::size_t n) { return in_kernel(repeated("if n > 0 {\n", n) + "x = 1\n" + repeated("}\n", n)); }},
      {"nested loops", 100'000, [](std::size_t n) { return in_kernel(repeated("while n > 0 {\n", n) + "x = 1\n" + repeated("}\n", n)); }},
      {"`else if`s", 100'000, [](std::size_t n) { return in_kernel("  if n == 0 {\n" + repeated("  } else if n == 1 {\n    x = 2\n", n) + "  }\n"); }},
      {"unary operators", 100'000, [](std::size_t n) { return in_kernel("  x = " + repeated("-", n) + "n\n"); }},
      {"nested subscripts", 100'000, [](std::size_t n) { return in_kernel("  x = " + repeated("A[", n) + "0" + repeated("]", n) + "\n"); }},
      {"nested calls", 100'000, [](std::size_t n) { return in_kernel("  x = " + repeated("abs(", n) + "n" + repeated(")", n) + "\n"); }},
      {"a chain of terms", 100'000, [](std::size_t n) { return in_kernel("  x = n" + repeated(" + n", n) + "\n"); }},
      {"a chain of `&&`", 100'000, [](std::size_t n) { return in_kernel("  let _b = n > 0" + repeated(" && n > 1", n) + "\n"); }},
      {"arguments of a call", 100'000, [](std::size_t n) { return in_kernel("  x = abs(n" + repeated(", n", n) + ")\n"); }},
      {"statements of a kernel", 100'000, statements},
      {"declarations of a kernel", 100'000, declarations},
      {"wrong statements of a kernel", 100'000, errors},
      {"parameters", 100'000, [](std::size_t n) {
         std::string text = "kernel k(";
         for (std::size_t i = 0; i < n; ++i) text += fmt::format("p{}: i32, ", i);
         return text + ") {\n}\n";
       }},
      {"kernels", 10'000, kernels},
      {"kernels of one name", 10'000, [](std::size_t n) { return repeated("kernel k() {\n}\n", n); }},
      {"functions, each calling the one before", 10'000, chained_functions},
      {"one line of comments", 20'000'000, [](std::size_t n) { return "// " + repeated("c", n); }},
      {"bytes of kernels", 20'000'000, of_bytes},
  };
  return all;
}

double measure(const std::string& text, std::size_t& diagnostics) {
  const double start = worked();
  session::Session session(text);
  const auto snapshot = session.snapshot();
  diagnostics = snapshot->diagnostics().size();
  return worked() - start;
}

}  // namespace

int main(int count, char** arguments) {
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  if (stack.rlim_cur != 1u << 20) {  // a limit holds from the start of a program on
    stack.rlim_cur = 1u << 20;
    if (setrlimit(RLIMIT_STACK, &stack) == 0) execv("/proc/self/exe", arguments);
    fmt::print(stderr, "the stack cannot be limited\n");
    return 1;
  }
  bool json = false;
  std::size_t divisor = 1;
  std::string_view only;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--json") == 0) json = true;
    else if (std::strcmp(arguments[i], "--quick") == 0) divisor = 10;
    else only = arguments[i];
  }
  Table table("whole analyses on a stack of 1 MB", json);
  for (const Row& row : rows()) {
    if (!only.empty() && row.name.find(only) == std::string::npos) continue;
    double times[3];
    std::size_t diagnostics = 0;
    for (int i = 0; i < 3; ++i) times[i] = measure(row.text(row.full / divisor >> (2 - i)), diagnostics);
    const std::size_t bytes = row.text(row.full / divisor).size();
    table.row(fmt::format("{} {}", row.full / divisor, row.name), {{"bytes", static_cast<double>(bytes)},
                                                                   {"1/4 ms", times[0]},
                                                                   {"1/2 ms", times[1]},
                                                                   {"1/1 ms", times[2]},
                                                                   {"told", static_cast<double>(diagnostics)},
                                                                   {"ratio", times[2] / times[1]}});
  }
}
