//! What a benchmark's driver prints, and the table that is made of it.

use std::fmt::Write;

/// The ways of evaluating a program, as the driver names them.
const PRIMAL: &str = "primal";

/// The ratios of forward mode.
pub(super) const FORWARD: [Column; 3] = [
    Column { title: "width 1", of: "width-1", beside: PRIMAL },
    Column { title: "width 4", of: "width-4", beside: PRIMAL },
    Column { title: "28 runs : Jacobian", of: "jacobian-by-columns", beside: "jacobian-at-once" },
];

/// The ratios of reverse mode: gradients, those that a person wrote where there is one, and gradients with curvature.
pub(super) const REVERSE: [Column; 3] = [
    Column { title: "gradient", of: "gradient", beside: PRIMAL },
    Column { title: "by hand", of: "by-hand", beside: PRIMAL },
    Column { title: "with curvature", of: "curvature", beside: PRIMAL },
];

/// A ratio of two ways of evaluating a program.
pub(super) struct Column {
    title: &'static str,
    of: &'static str,
    beside: &'static str,
}

/// All that one run of the driver found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Measurements {
    /// In the order in which they first appear.
    series: Vec<Series>,
    /// What the driver said of derivatives that are wrong.
    pub(super) wrong: Vec<String>,
}

/// The samples of one way of evaluating one program, in nanoseconds, one a round.
#[derive(Clone, Debug, PartialEq)]
struct Series {
    program: String,
    engine: String,
    way: String,
    samples: Vec<f64>,
}

impl Measurements {
    /// Reads the driver's lines.
    pub(super) fn read(text: &str) -> Self {
        let mut all = Self::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["sample", program, engine, way, time] => {
                    if let Ok(time) = time.parse() {
                        all.add(program, engine, way, time);
                    }
                }
                ["wrong", ..] => all.wrong.push(line.to_owned()),
                _ => {}
            }
        }
        all
    }

    fn add(&mut self, program: &str, engine: &str, way: &str, time: f64) {
        match self.series.iter_mut().find(|series| series.is(program, engine, way)) {
            Some(series) => series.samples.push(time),
            None => self.series.push(Series {
                program: program.to_owned(),
                engine: engine.to_owned(),
                way: way.to_owned(),
                samples: vec![time],
            }),
        }
    }

    fn samples(&self, program: &str, engine: &str, way: &str) -> &[f64] {
        self.series
            .iter()
            .find(|series| series.is(program, engine, way))
            .map_or(&[], |series| series.samples.as_slice())
    }

    /// The ratio of two ways in each round: what slows a round slows both.
    fn ratios(&self, program: &str, engine: &str, column: &Column) -> Spread {
        let of = self.samples(program, engine, column.of);
        let beside = self.samples(program, engine, column.beside);
        Spread::of(of.iter().zip(beside).map(|(of, beside)| of / beside).collect())
    }

    /// The values of one part of the series' names, each once, in order.
    fn distinct(&self, part: impl Fn(&Series) -> &str) -> Vec<&str> {
        let mut values: Vec<&str> = self.series.iter().map(part).collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}

impl Series {
    fn is(&self, program: &str, engine: &str, way: &str) -> bool {
        self.program == program && self.engine == engine && self.way == way
    }
}

/// A median, and how far half of the samples lie around it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    median: f64,
    /// The distance of the quartiles, as a part of the median.
    relative: f64,
}

impl Spread {
    fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let place = part * (samples.len().max(1) - 1) as f64;
            let (below, above) = (place.floor() as usize, place.ceil() as usize);
            match (samples.get(below), samples.get(above)) {
                (Some(low), Some(high)) => low + (high - low) * place.fract(),
                _ => f64::NAN,
            }
        };
        let median = at(0.5);
        Self { median, relative: (at(0.75) - at(0.25)) / median }
    }
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// One row a program and engine: the program's own time, and each ratio with its spread; then the geometric means.
pub(super) fn table(measurements: &Measurements, columns: &[Column]) -> String {
    let mut text = format!("{:<21}{:<10}{:>14}", "program", "engine", "primal");
    for column in columns {
        let _ = write!(text, "{:>22}", column.title);
    }
    text.push('\n');
    let engines = measurements.distinct(|series| &series.engine);
    let programs = measurements.distinct(|series| &series.program);
    let mut means: Vec<Vec<Vec<f64>>> = vec![vec![Vec::new(); columns.len()]; engines.len()];
    for program in &programs {
        for (engine, means) in engines.iter().zip(&mut means) {
            let primal = Spread::of(measurements.samples(program, engine, PRIMAL).to_vec());
            if primal.median.is_nan() {
                continue;
            }
            let _ = write!(text, "{program:<21}{engine:<10}{:>11.0} ns", primal.median);
            for (column, means) in columns.iter().zip(means) {
                let ratio = measurements.ratios(program, engine, column);
                if ratio.median.is_nan() {
                    // Not every program has all.
                    let _ = write!(text, "{:>22}", "");
                    continue;
                }
                let shown = format!("{:.2} ± {:.0}%", ratio.median, 50.0 * ratio.relative);
                let _ = write!(text, "{shown:>22}");
                means.push(ratio.median);
            }
            text.push('\n');
        }
    }
    for (engine, means) in engines.iter().zip(&means) {
        let _ = write!(text, "{:<21}{engine:<10}{:>14}", "geom. mean", "");
        for mean in means {
            let _ = write!(text, "{:>22.2}", geometric_mean(mean));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
sample p ours primal 100.0
sample p ours width-1 150.0
sample p ours primal 200.0
sample p ours width-1 600.0
sample p ours primal 100.0
sample p ours width-1 200.0
wrong q ours width-1: number 0 is 1 instead of 2
";

    #[test]
    fn ratios_are_taken_round_by_round() {
        let measurements = Measurements::read(OUTPUT);
        let ratio = measurements.ratios("p", "ours", &FORWARD[0]);
        // 1.5, 3 and 2.
        assert_eq!(ratio, Spread { median: 2.0, relative: 0.375 });
    }

    #[test]
    fn wrong_derivatives_are_kept_apart() {
        let measurements = Measurements::read(OUTPUT);
        assert_eq!(measurements.wrong, ["wrong q ours width-1: number 0 is 1 instead of 2"]);
        assert_eq!(measurements.distinct(|series| &series.program), ["p"]);
    }

    #[test]
    fn a_median_lies_between_two_samples_when_they_are_even() {
        let spread = Spread::of(vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!(spread, Spread { median: 2.5, relative: 0.6 });
        assert!(Spread::of(Vec::new()).median.is_nan());
    }

    #[test]
    fn a_geometric_mean_does_not_care_which_way_a_ratio_stands() {
        assert!((geometric_mean(&[2.0, 0.5, 8.0, 0.125]) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn the_table_has_a_row_for_each_program_and_the_means() {
        let table = table(&Measurements::read(OUTPUT), &FORWARD);
        let rows: Vec<&str> = table.lines().collect();
        assert!(rows[0].starts_with("program              engine"), "{table}");
        assert!(rows[1].starts_with("p                    ours"), "{table}");
        assert!(rows[1].contains("2.00 ± 19%"), "{table}");
        assert!(rows[2].starts_with("geom. mean           ours"), "{table}");
        assert_eq!(rows.len(), 3);
    }

    #[test]
    fn what_only_some_programs_have_is_left_out_of_the_others() {
        let output = "sample p ours primal 100\nsample p ours gradient 200\nsample q ours primal 100\n\
                      sample q ours gradient 800\nsample q ours by-hand 300\n";
        let table = table(&Measurements::read(output), &REVERSE);
        let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(rows[1], ["p", "ours", "100", "ns", "2.00", "±", "0%"]);
        assert_eq!(rows[2], ["q", "ours", "100", "ns", "8.00", "±", "0%", "3.00", "±", "0%"]);
        assert_eq!(rows[3][3..5], ["4.00", "3.00"]);
    }
}
