// Any bytes are a text: it is parsed and checked, its kinds are inferred, and its kernels are lowered.
#include <cstdint>
#include <string>

#include "invariants.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phobos;
  session::Session session(std::string(reinterpret_cast<const char*>(data), size));
  const auto snapshot = session.snapshot();
  fuzz::expect_well_formed(*snapshot);
  fuzz::expect_lowers(*snapshot);
  return 0;
}
