define double @f(double %x) {
  ret double %x
}
