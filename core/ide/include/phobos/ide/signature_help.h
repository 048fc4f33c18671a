// The call that a place is in: how it is made, and which of its parameters the place is at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct SignatureFacts {
  std::string label;
  std::vector<Span> parameters;  // of the label
  std::string documentation;     // Markdown
  std::vector<std::string> of_parameters;  // their documentation; as many as parameters, or none
};
struct SignatureHelp {
  std::vector<SignatureFacts> signatures;
  std::size_t signature = 0;  // that the call is most likely made by
  std::size_t parameter = 0;  // of that one; past the last one where the call has too many
};
// Of a function, a built-in or an attribute, in text that is half typed as well.
std::optional<SignatureHelp> signature_help(const File& file, std::uint32_t offset);

}  // namespace phobos::ide
