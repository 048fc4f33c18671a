#include <doctest/doctest.h>

#include <cmath>

#include <phobos/launch/generator.h>
#include <phobos/launch/summary.h>

using namespace phobos;
using namespace phobos::launch;

namespace {

Result<HostTensor> made(const char* text, ScalarType element, std::vector<std::int64_t> shape) {
  const Result<Generator> generator = parse_generator(text);
  if (!generator) return generator.error();
  return generate(*generator, element, std::move(shape));
}

}  // namespace

TEST_CASE("the plain ones") {
  CHECK(made("zeros", ScalarType::F32, {3})->real_at(2) == 0);
  CHECK(made("ones", ScalarType::BF16, {3})->real_at(2) == 1);
  CHECK(made("iota", ScalarType::I32, {3, 4})->integer_at(11) == 11);
  CHECK(made("iota", ScalarType::I8, {300})->integer_at(200) == -56);
  CHECK(made("iota", ScalarType::Bool, {4})->integer_at(3) == 1);
  CHECK(made("iota", ScalarType::Bool, {4})->integer_at(2) == 0);
  CHECK(made("full:2.5", ScalarType::F16, {2})->real_at(1) == 2.5);
  CHECK(made("full:-7", ScalarType::I64, {2})->integer_at(1) == -7);
  CHECK(std::isnan(made("full:nan", ScalarType::F32, {1})->real_at(0)));
}

TEST_CASE("random numbers are a function of seed and position") {
  const Result<HostTensor> a = made("randn:5", ScalarType::F32, {1000}), b = made("randn:5", ScalarType::F32, {10, 100});
  CHECK(a->data == b->data);
  CHECK(made("randn:6", ScalarType::F32, {1000})->data != a->data);
  CHECK(made("randn", ScalarType::F32, {8})->data == made("randn:0", ScalarType::F32, {8})->data);
  CHECK(random_word(0, 0) == 0u);  // the values are part of what is documented, and do not change
  CHECK(random_word(0, 1) == 0xe220a8397b1dcdafu);
  CHECK(random_word(1, 0) != random_word(2, 0));
}

TEST_CASE("distributions look like what they are called") {
  const Result<HostTensor> normal = made("randn:1", ScalarType::F64, {20000});
  double square = 0;
  for (int i = 0; i < 20000; ++i) square += normal->real_at(i) * normal->real_at(i);
  CHECK(std::fabs(summarise(*normal).mean) < 0.03);
  CHECK(std::fabs(square / 20000 - 1) < 0.05);
  const Summary uniform = summarise(*made("uniform:1", ScalarType::F64, {20000}));
  CHECK(uniform.min >= 0);
  CHECK(uniform.max < 1);
  CHECK(std::fabs(uniform.mean - 0.5) < 0.02);
  const Summary dice = summarise(*made("randint:1:7", ScalarType::I32, {20000}));
  CHECK(dice.min == 1);
  CHECK(dice.max == 6);
  CHECK(std::fabs(dice.mean - 3.5) < 0.05);
  const Summary bytes = summarise(*made("uniform", ScalarType::U8, {20000}));
  CHECK(bytes.min == 0);
  CHECK(bytes.max == 255);
  CHECK(std::fabs(summarise(*made("uniform", ScalarType::Bool, {20000})).mean - 0.5) < 0.02);
  CHECK(summarise(*made("randn", ScalarType::I8, {1000})).max >= 2);
}

TEST_CASE("what cannot be made is said") {
  for (const char* text : {"zeros:1", "full", "full:x", "randn:x", "randn:1:2", "randint:1", "randint:5:5", "randint:1:2:3:4", "nothing"})
    CHECK_FALSE(parse_generator(text).ok());
  CHECK_FALSE(made("full:2.5", ScalarType::I32, {1}).ok());
  CHECK_FALSE(made("full:300", ScalarType::U8, {1}).ok());
  CHECK_FALSE(made("randint:0:300", ScalarType::I8, {1}).ok());
  CHECK_FALSE(made("ones", ScalarType::F32, {1 << 30, 1 << 30, 1 << 30}).ok());
  CHECK(names_generator("randint:0:3"));
  CHECK_FALSE(names_generator("ones.npy"));
}
