// Where PTX comes from, line by line. LLVM's back end writes of a place no more than line and column, and of an inlined call
// nothing, though PTX can name both. So a place goes through LLVM as a number in the column, and the text that comes out gets the
// real column back, and, behind an inlined call, the function and the place of the call:
//
//   .loc 1 58 24                                                       the call
//   .loc 1 3 6, function_name $L__phobos_name0, inlined_at 1 58 24     what it led to
//
// Instructions that LLVM has lost the place of have the line 0; they are given the place of what stands next to them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace phobos::nvptx {

// With `?` for each character that is no ASCII, and for those that have no picture: ptxas reads nothing else, in comments either.
std::string in_ascii(std::string_view text);


class SourcePlaces {
 public:
  struct Place {
    std::uint32_t line = 0, column = 0;  // from 1
    std::uint32_t call = 0;              // calls()[call - 1]; 0: of the kernel itself
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Call {
    std::string function;
    Place site;
  };

  std::uint32_t add_call(Call call);
  // The number that stands for the column; 0 when there are no more.
  std::uint32_t number_of(Place place);
  // The text with real columns, calls, and a line for everything.
  std::string rewrite(std::string_view ptx) const;

 private:
  std::vector<Call> calls_;
  std::vector<Place> places_;  // by number, from 1
  std::map<Place, std::uint32_t> numbers_;
};

}  // namespace phobos::nvptx
