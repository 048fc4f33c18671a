#include <doctest/doctest.h>

#include <vector>

#include <phobos/device/device.h>

using namespace phobos;
using namespace phobos::device;

namespace {

// y[i] = x[i] + 1 for 32 elements.
constexpr const char* add_one = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry add_one(.param .u64 x, .param .u64 y) {
  .reg .b32 %r<2>; .reg .b64 %d<5>; .reg .f32 %f<3>;
  ld.param.u64 %d1, [x];
  ld.param.u64 %d2, [y];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d3, %r1, 4;
  add.s64 %d1, %d1, %d3;
  add.s64 %d2, %d2, %d3;
  ld.global.f32 %f1, [%d1];
  add.f32 %f2, %f1, 0f3F800000;
  st.global.f32 [%d2], %f2;
  ret;
}
)";

void run_add_one(Device& device) {
  std::vector<float> x(32), y(32, -1.0f);
  for (int i = 0; i < 32; ++i) x[static_cast<std::size_t>(i)] = static_cast<float>(i);
  Result<std::unique_ptr<Module>> module = device.load(add_one);
  REQUIRE_MESSAGE(module.ok(), module.message());
  Result<std::unique_ptr<Buffer>> from = device.allocate(128), to = device.allocate(128);
  REQUIRE(from.ok());
  REQUIRE(to.ok());
  REQUIRE(device.upload(**from, x.data(), 128).ok());
  REQUIRE(device.fill(**to, 0xff).ok());
  std::uint64_t a = (*from)->address(), b = (*to)->address();
  LaunchConfig config;
  config.threads = 32;
  REQUIRE(device.launch(**module, "add_one", config, {&a, &b}).ok());
  REQUIRE(device.synchronise().ok());
  REQUIRE(device.download(y.data(), **to, 128).ok());
  for (int i = 0; i < 32; ++i) CHECK(y[static_cast<std::size_t>(i)] == static_cast<float>(i + 1));
  CHECK(device.time(**module, "add_one", config, {&a, &b}, {3, 10, nullptr})->size() == 3);
  CHECK_FALSE(device.launch(**module, "nothing", config, {&a, &b}).ok());
  CHECK_FALSE(device.upload(**from, x.data(), 129).ok());
}

}  // namespace

TEST_CASE("a GPU runs a kernel, and a machine without one says what is missing") {
  Result<std::unique_ptr<Device>> device = Device::open();
  if (!device) {
    const bool names_a_layer = device.message().find("driver") != std::string::npos || device.message().find("GPU") != std::string::npos;
    CHECK_MESSAGE(names_a_layer, device.message());
    MESSAGE("no GPU here: " << device.message());
    return;
  }
  CHECK((*device)->info().chip.starts_with("sm_"));
  CHECK((*device)->info().multiprocessors > 0);
  run_add_one(**device);
  const Result<std::unique_ptr<Module>> broken = (*device)->load(".version 7.0\nthis is not PTX\n");
  REQUIRE_FALSE(broken.ok());
  CHECK(broken.message().find("does not load") != std::string::npos);
}
