// enzyme::tuple and the traits, which need no plugin.

// REQUIRES: clang
// RUN: %clang++ -std=c++17 -I%include -Wall -Wextra -Wpedantic -Werror -fsyntax-only %s
// RUN: %clang++ -std=c++20 -I%include -Wall -Wextra -Wpedantic -Werror -fsyntax-only %s
// RUN: %clang++ -std=c++17 -O0 -I%include %s -o %t && %t

#include "../Inputs/check.h"
#include <enzyme/tuple>
#include <enzyme/type_traits>
#include <memory>
#include <string>
#include <type_traits>

using enzyme::get;
using enzyme::tuple;

static_assert(std::is_same_v<enzyme::remove_cvref_t<const volatile int &>, int>);
static_assert(std::is_same_v<enzyme::remove_cvref<int &&>::type, int>);

constexpr tuple<int, double, char> three(1, 2.5, 'c');
static_assert(get<0>(three) == 1 && get<1>(three) == 2.5 && get<2>(three) == 'c');
static_assert(enzyme::tuple_size_v<decltype(three)> == 3 && enzyme::tuple_size<tuple<>>::value == 0);
static_assert(std::is_trivially_copyable_v<tuple<int, double>>);
static_assert(sizeof(tuple<double, double>) == 2 * sizeof(double));

constexpr auto joined = enzyme::tuple_cat(three, tuple<>{}, tuple<long>(7), tuple<float, int>(0.5f, 9));
static_assert(std::is_same_v<decltype(joined), const tuple<int, double, char, long, float, int>>);
static_assert(get<0>(joined) == 1 && get<2>(joined) == 'c' && get<3>(joined) == 7 && get<4>(joined) == 0.5f);
static_assert(get<5>(joined) == 9);
static_assert(std::is_same_v<decltype(enzyme::tuple_cat()), tuple<>>);

int main() {
  auto deduced = tuple{1, 2.0};
  static_assert(std::is_same_v<decltype(deduced), tuple<int, double>>);
  get<1>(deduced) = 4;
  expect(get<1>(deduced), 4);
  auto [first, second] = deduced;
  expect(first, 1);
  expect(second, 4);

  // References keep what they refer to; what is about to end is moved from.
  std::string text = "text";
  auto references = enzyme::forward_as_tuple(first, std::move(text));
  static_assert(std::is_same_v<decltype(references), tuple<int &, std::string &&>>);
  get<0>(references) = 8;
  expect(first, 8);
  auto owned = enzyme::tuple_cat(tuple<std::unique_ptr<int>>(std::make_unique<int>(3)), tuple<int>(1));
  std::unique_ptr<int> taken = get<0>(std::move(owned));
  expect(*taken, 3);
  expect(get<0>(owned) == nullptr, 1);
  return result_of_test();
}
