double f(double x, double y) { return x * y; }
extern int enzyme_dup;
double __enzyme_fwddiff(void *, ...);
double g(double x) { return __enzyme_fwddiff((void *)f, enzyme_dup, x, 1.0); }
