// Stands in for libFuzzer in every test run: feeds a fuzz target the files given, or those of the folders given. What a fuzzer made
// is fed as it is; a kernel whole, cut off at many places, and with each of many small pieces left out. With PHOBOS_KEEP=FILE each input is written to FILE before it is
// fed, so that one that crashes is left there.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_variants = 50;  // of a file, of each kind

std::size_t inputs = 0;

void feed(const std::string& text) {
  if (const char* keep = std::getenv("PHOBOS_KEEP")) std::ofstream(keep, std::ios::binary) << text;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  ++inputs;
}

// A kernel, or what a fuzzer made, which has no suffix.
bool is_input(const fs::path& path) {
  return path.extension() == ".ph" || path.extension().empty();
}

void replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::fprintf(stderr, "%s\n", path.c_str());  // the last one named is the one that broke
  feed(text);
  if (path.extension() != ".ph") return;
  const std::size_t step = std::max<std::size_t>(1, text.size() / most_variants);
  for (std::size_t at = 0; at < text.size(); at += step) {
    feed(text.substr(0, at));
    feed(text.substr(0, at) + text.substr(std::min(text.size(), at + 1 + at % 7)));
  }
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    std::vector<fs::path> paths;
    if (fs::is_directory(arguments[i])) {
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(arguments[i]))
        if (entry.is_regular_file() && is_input(entry.path())) paths.push_back(entry.path());
    } else {
      paths.emplace_back(arguments[i]);
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) replay(path);
  }
  std::printf("%zu inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
