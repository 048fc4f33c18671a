#include <doctest/doctest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include <phobos/launch/generator.h>
#include <phobos/launch/npy.h>

using namespace phobos;
using namespace phobos::launch;

namespace {

std::string npy(int version, std::string dictionary, std::string data) {
  std::string bytes("\x93NUMPY", 6);
  bytes += static_cast<char>(version);
  bytes += '\0';
  const std::size_t size = dictionary.size();
  const int width = version == 1 ? 2 : 4;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>((size >> (8 * i)) & 0xff);
  return bytes + dictionary + data;
}

std::string header(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

std::string fault(const std::string& bytes) {
  const Result<HostTensor> tensor = parse_npy(bytes, "a.npy");
  REQUIRE_FALSE(tensor.ok());
  CHECK(tensor.message().starts_with("a.npy: "));
  return tensor.message();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every element type is written and read back") {
  for (int i = 0; i <= static_cast<int>(ScalarType::Bool); ++i) {
    const ScalarType element = static_cast<ScalarType>(i);
    Result<HostTensor> made = make_tensor(element, {2, 3});
    REQUIRE(made.ok());
    for (std::int64_t at = 0; at < 6; ++at) made->set_integer(at, element == ScalarType::Bool ? at % 2 : at - (is_signed(element) ? 3 : 0));
    const Result<HostTensor> back = parse_npy(npy_bytes(*made), "a.npy");
    REQUIRE(back.ok());
    CHECK(back->element == (element == ScalarType::BF16 ? ScalarType::F32 : element));
    CHECK(back->shape == made->shape);
    for (std::int64_t at = 0; at < 6; ++at) CHECK(back->real_at(at) == made->real_at(at));
  }
}

TEST_CASE("versions 1, 2 and 3, and the forms of a shape") {
  const std::string four("\0\0\x80\x3f", 4);
  for (int version = 1; version <= 3; ++version) {
    const Result<HostTensor> tensor = parse_npy(npy(version, header("<f4", "(1,)"), four), "a.npy");
    REQUIRE(tensor.ok());
    CHECK(tensor->real_at(0) == 1.0);
  }
  CHECK(parse_npy(npy(1, header("<f4", "()"), four), "a.npy")->shape.empty());
  CHECK(parse_npy(npy(1, header("<f4", "(0, 7)"), ""), "a.npy")->count() == 0);
  CHECK(parse_npy(npy(1, header("<f4", "(1L, 1)"), four), "a.npy").ok());
  CHECK(parse_npy(npy(1, header("|V2", "(2,)"), four), "a.npy")->element == ScalarType::BF16);
}

TEST_CASE("what is wrong with a file is said") {
  const std::string good = npy(1, header("<f4", "(2, 2)"), std::string(16, '\0'));
  REQUIRE(parse_npy(good, "a.npy").ok());
  CHECK(contains(fault(""), "empty"));
  CHECK(contains(fault("PK\x03\x04"), "not a NumPy file"));
  CHECK(contains(fault(npy(9, header("<f4", "(1,)"), "")), "version 9"));
  CHECK(contains(fault(npy(1, header(">f4", "(1,)"), std::string(4, '\0'))), "big-endian"));
  CHECK(contains(fault(npy(1, header("<c8", "(1,)"), std::string(8, '\0'))), "`<c8`"));
  CHECK(contains(fault(npy(1, header("", "(1,)"), "")), "element type"));
  CHECK(contains(fault(npy(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "")), "structured"));
  CHECK(contains(fault(npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", std::string(16, '\0'))), "Fortran"));
  CHECK(contains(fault(npy(1, "{'descr': '<f4', 'shape': (1,), }", "")), "missing"));
  CHECK(contains(fault(npy(1, "[1, 2]", "")), "dictionary"));
  CHECK(contains(fault(npy(1, header("<f4", "(-1,)"), "")), "shape"));
  CHECK(contains(fault(npy(1, header("<f4", "(2, 2)"), std::string(15, '\0'))), "cut off"));
  CHECK(contains(fault(npy(1, header("<f4", "(2, 2)"), std::string(17, '\0'))), "too long"));
}

TEST_CASE("absurd shapes are refused before anything is allocated") {
  CHECK(contains(fault(npy(1, header("<f8", "(4294967296, 4294967296, 4294967296, 4294967296)"), "")), "memory"));
  CHECK(contains(fault(npy(1, header("<f4", "(9223372036854775807, 2)"), "")), "memory"));
  CHECK(contains(fault(npy(1, header("<f4", "(99999999999999999999,)"), "")), "shape"));
}

TEST_CASE("every prefix of a file is an error and no fault") {
  const std::string good = npy(2, header("<i4", "(3,)"), std::string(12, '\1'));
  for (std::size_t size = 0; size < good.size(); ++size) CHECK_FALSE(parse_npy(good.substr(0, size), "a.npy").ok());
}

TEST_CASE("a file with bytes changed at random is read or refused, and what is read has the size that its shape says") {
  const std::string good = npy(1, header("<i4", "(3, 2)"), std::string(24, '\1'));
  std::uint64_t counter = 0;
  const auto random = [&](std::size_t below) { return static_cast<std::size_t>(random_word(7, counter++) % below); };
  int read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (std::size_t changes = 1 + random(3); changes > 0; --changes) bytes[random(bytes.size())] = static_cast<char>(random(256));
    const Result<HostTensor> tensor = parse_npy(bytes, "a.npy");
    if (!tensor) continue;
    ++read;
    REQUIRE(tensor->data.size() == static_cast<std::size_t>(tensor->count() * size_of(tensor->element)));
  }
  CHECK(read > 1000);
}

TEST_CASE("bf16 takes an f32 file rounded; other types do not convert") {
  Result<HostTensor> wide = make_tensor(ScalarType::F32, {1});
  wide->set_real(0, 1.00390625 + 0.001);
  const Result<HostTensor> narrow = as_element(*wide, ScalarType::BF16, "`x`");
  REQUIRE(narrow.ok());
  CHECK(narrow->real_at(0) == 1.0078125);
  const Result<HostTensor> wrong = as_element(*wide, ScalarType::F16, "`x`: x.npy");
  REQUIRE_FALSE(wrong.ok());
  CHECK(contains(wrong.message(), "`x`: x.npy holds f32 elements, and f16 is wanted"));
}

TEST_CASE("files on disk: missing, a directory, written whole") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("phobos-npy-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  CHECK(contains(read_npy(folder / "none.npy").message(), "no such file"));
  CHECK(contains(read_npy(folder).message(), "directory"));
  CHECK(contains(read_npy("/dev/null").message(), "regular"));
  Result<HostTensor> tensor = make_tensor(ScalarType::F16, {4});
  for (int i = 0; i < 4; ++i) tensor->set_real(i, i / 3.0);
  REQUIRE(write_npy(folder / "x.npy", *tensor).ok());
  CHECK(read_npy(folder / "x.npy")->data == tensor->data);
  CHECK_FALSE(write_npy(folder / "nowhere" / "x.npy", *tensor).ok());
  CHECK_FALSE(write_npy(folder, *tensor).ok());
  CHECK(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()) == 1);
  std::filesystem::remove_all(folder);
}
