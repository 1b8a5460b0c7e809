// What `precompiled.c` precompiles.
double __enzyme_fwddiff(void *, ...);
__attribute__((enzyme_inactive)) double weight_elsewhere(double x);
__attribute__((enzyme_function_like("log1p"))) double logarithm_elsewhere(double x);
