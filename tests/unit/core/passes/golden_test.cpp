// core/passes/tests/*.tir: the pass's name (and a chip's, where it is not sm_90a), the kernel before, and after. PHOBOS_UPDATE=1 rewrites what comes after.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <phobos/ir/text.h>
#include <phobos/passes/passes.h>

using namespace phobos;

namespace {

constexpr std::string_view separator = "// after\n";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const passes::Pass* pass_named(std::string_view name) {
  for (const passes::Pass& pass : passes::pipeline())
    if (pass.name == name) return &pass;
  return nullptr;
}

void check_file(const std::filesystem::path& path) {
  INFO(path.filename().string());
  const std::string text = read_file(path);
  REQUIRE(text.find("// ") == 0);
  std::istringstream head(text.substr(3, text.find('\n') - 3));
  std::string name, chip = "sm_90a";
  head >> name >> chip;
  const passes::Pass* pass = pass_named(name);
  REQUIRE_MESSAGE(pass, name);
  const std::size_t end = text.find(separator);
  const std::string before = text.substr(0, end);
  auto kernel = ir::parse(before);
  REQUIRE_MESSAGE(kernel.ok(), kernel.message());
  for (const std::string& fault : ir::verify(*kernel)) FAIL_CHECK(fault);
  REQUIRE_MESSAGE(passes::find_chip(chip), chip);
  pass->run(*kernel, passes::chip_named(chip));
  for (const std::string& fault : ir::verify(*kernel)) FAIL_CHECK(fault);
  const std::string after = ir::print(*kernel);
  if (const char* update = std::getenv("PHOBOS_UPDATE"); update && *update == '1') {
    std::ofstream(path, std::ios::binary) << before << separator << after;
    return;
  }
  REQUIRE(end != std::string::npos);
  CHECK_EQ(text.substr(end + separator.size()), after);
}

}  // namespace

TEST_CASE("passes do what their files say") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(PHOBOS_SOURCE_DIR "/core/passes/tests"))
    if (entry.path().extension() == ".tir") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  CHECK_FALSE(files.empty());
  for (const auto& file : files) check_file(file);
}

TEST_CASE("the pipeline stops after the pass that was named") {
  for (const passes::Pass& pass : passes::pipeline()) {
    auto kernel = ir::parse("kernel k\nthreads 32\n{\n%a: i32 = const 1\nreturn\n}\n");
    REQUIRE(kernel.ok());
    CHECK(passes::run_pipeline(*kernel, passes::chip_named("sm_90a"), pass.name));
  }
  auto kernel = ir::parse("kernel k\nthreads 32\n{\n%a: i32 = const 1\n%b: i32 = add %a, %a\nreturn\n}\n");
  REQUIRE(kernel.ok());
  CHECK_FALSE(passes::run_pipeline(*kernel, passes::chip_named("sm_90a"), "no_such_pass"));
  CHECK_EQ((*kernel)[kernel->body].ops.size(), 3);
  CHECK(passes::run_pipeline(*kernel, passes::chip_named("sm_90a")));
  CHECK_EQ((*kernel)[kernel->body].ops.size(), 1);
}
