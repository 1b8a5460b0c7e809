#include <cmath>
#include <cstdio>

template <typename... Arguments>
double __enzyme_autodiff(void *, Arguments...);

static double f(double x) {
  return x * std::sin(x);
}

int main() {
  std::printf("%.6f\n", __enzyme_autodiff((void *)f, 2.0));
  return 0;
}
