struct vector {
  double *data;
  long count;
};
double scaled(const struct vector *v, double a) {
  double mean = v->data[0] / (double)v->count;
  return mean * a;
}
