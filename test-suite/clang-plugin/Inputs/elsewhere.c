// What `declared.c` and `declared.cpp` only declare.
double state_elsewhere;
double weight_elsewhere(double x) { return x * x; }
double logarithm_elsewhere(double x) { return 2 * x; }
double weight_by_another_name(double x) { return 7 * x; }
