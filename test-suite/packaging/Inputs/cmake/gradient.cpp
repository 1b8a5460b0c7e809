#include <cmath>
#include <cstdio>

#include <enzyme/enzyme>

static double f(double x) {
  return x * std::sin(x);
}

int main() {
  auto [gradient] = enzyme::autodiff<enzyme::Reverse>(f, enzyme::Active{2.0});
  std::printf("%.6f\n", enzyme::get<0>(gradient));
  return 0;
}
