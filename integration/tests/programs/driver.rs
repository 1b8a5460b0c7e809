//! The C program that calls the programs of a batch, and what it prints.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::batch::{Case, Mode};
use crate::execution::TANGENTS;

/// The doubles that a program leaves behind: its result, and two arrays of four.
pub(crate) const OUTPUTS: usize = 9;

/// The derivatives that are printed for each direction: those of the result or of `%x`, of two arrays of four, and of the
/// number in the record.
pub(crate) const DERIVATIVES: usize = OUTPUTS + 1;

/// The adjoints of what programs leave behind, as [`DERIVATIVES`]: that of a result is 1.
pub(crate) const ADJOINTS: [f64; DERIVATIVES] =
    [1.0, 0.817, -0.549, 0.383, 1.171, -0.653, 0.907, 0.461, -1.087, 0.0];

impl Mode {
    /// What is in the shadow of memory before the derivative runs, as [`DERIVATIVES`].
    fn shadow(self) -> [f64; DERIVATIVES] {
        match self {
            Self::Forward => TANGENTS,
            Self::Reverse => ADJOINTS,
        }
    }
}

/// Whether programs themselves are called, or their derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Primal,
    Derivative,
}

impl What {
    pub(crate) fn argument(self) -> &'static str {
        match self {
            Self::Primal => "primal",
            Self::Derivative => "derivative",
        }
    }
}

/// What the programs left behind, by seed: the values, then the derivatives of each direction.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub(crate) numbers: BTreeMap<u64, Vec<f64>>,
    /// The program that was running when the process ended before its end.
    pub(crate) interrupted: Option<u64>,
    /// What it said when it ended because a function behind a pointer has no derivative.
    pub(crate) refusal: Option<String>,
}

const TYPES: &str = r#"
#include <stdio.h>
#include <string.h>

typedef struct { double x; long count; double *inner; float single; int number; } Record;
typedef void Primal(double, double, double *, double *, Record *, long, double *);
typedef void Derivative(double, double, double *, double *, Record *, long, double *, double *, double *, Record *);
typedef struct {
  unsigned long long seed;
  Primal *primal;
  Derivative *derivative;
  int width;
  double shadow[10], scale[3], number[16];
  long integer;
} Case;
"#;

const MAIN: &str = r#"
static void show(const double *number, int count) {
  for (int i = 0; i < count; i++) {
    unsigned long long bits;
    memcpy(&bits, number + i, sizeof bits);
    printf(" %llx", bits);
  }
}

static void run(const Case *c, int with_derivative) {
  double constants[4], data[4], inner[4], to[4], dx[3], ddata[3][4], dinner[3][4];
  for (int i = 0; i < 4; i++) {
    constants[i] = c->number[11];
    data[i] = c->number[1 + i];
    inner[i] = c->number[5 + i];
  }
  Record record = {c->number[9], 5, inner, (float)c->number[11], 7}, drecord[3];
  if (!with_derivative) {
    c->primal(c->number[11], c->number[0], constants, data, &record, c->integer, to);
  } else {
    for (int w = 0; w < c->width; w++) {
      dx[w] = c->scale[w] * c->shadow[0];
      for (int i = 0; i < 4; i++) {
        ddata[w][i] = c->scale[w] * c->shadow[1 + i];
        dinner[w][i] = c->scale[w] * c->shadow[5 + i];
      }
      drecord[w] = (Record){c->scale[w] * c->shadow[9], 5, dinner[w], 0, 7};
    }
    c->derivative(c->number[11], c->number[0], constants, data, &record, c->integer, to, dx, ddata[0], drecord);
  }
  show(to, 1);
  show(data, 4);
  show(inner, 4);
  for (int w = 0; with_derivative && w < c->width; w++) {
    show(to + 1 + w, 1);
    show(ddata[w], 4);
    show(dinner[w], 4);
    show(&drecord[w].x, 1);
  }
}

int main(int count, char **arguments) {
  int with_derivative = count > 1 && !strcmp(arguments[1], "derivative");
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    printf("%llu", cases[i].seed);
    fflush(stdout);
    run(&cases[i], with_derivative);
    printf(" .\n");
    fflush(stdout);
  }
  return 0;
}
"#;

/// The C source.
pub(crate) fn source(cases: &[Case]) -> String {
    let mut text = TYPES.to_owned();
    for Case { seed, .. } in cases {
        let _ = writeln!(text, "Primal primal_{seed};\nDerivative derivative_{seed};");
    }
    let numbers = |numbers: &[f64]| numbers.iter().map(|number| format!("{number:?}, ")).collect::<String>();
    let _ = writeln!(text, "static const Case cases[] = {{");
    for Case { seed, program, mode, width } in cases {
        let _ = writeln!(
            text,
            "  {{{seed}ull, primal_{seed}, derivative_{seed}, {}, {{{}}}, {{{}}}, {{{}}}, {}}},",
            width.count(),
            numbers(&mode.shadow()),
            numbers(width.scales()),
            numbers(&program.inputs.numbers),
            program.inputs.integer
        );
    }
    text + "};\n" + MAIN
}

/// Reads what the C program printed.
pub(crate) fn read(output: &str) -> Printed {
    let mut printed = Printed::default();
    for line in output.lines() {
        let mut words = line.split(' ');
        let Some(seed) = words.next().and_then(|seed| seed.parse().ok()) else { continue };
        let words: Vec<&str> = words.collect();
        match words.split_last() {
            Some((&".", numbers)) => {
                let number = |word: &&str| f64::from_bits(u64::from_str_radix(word, 16).unwrap_or(u64::MAX));
                printed.numbers.insert(seed, numbers.iter().map(number).collect());
            }
            Some(_) | None => printed.interrupted = Some(seed),
        }
    }
    printed
}
