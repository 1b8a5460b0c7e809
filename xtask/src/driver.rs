//! The `main` that `cargo xtask run --fn f` writes for a file that has none.

use std::path::Path;

/// A program that prints `f` and its gradient at a point, for a function of `double`s. The file is included,
/// so that the function's body is in the module that is differentiated.
pub(crate) fn source(file: &Path, function: &str, point: &[f64]) -> String {
    let arguments = comma_separated(point.iter().map(|value| literal(*value)));
    let derivatives: String = (0..point.len())
        .map(|index| {
            let call = derivative_call(function, point, index);
            format!("    printf(\"  d/dx{} = %.15g\\n\", {call});\n", index + 1)
        })
        .collect();
    let shown = comma_separated(point.iter().map(f64::to_string));
    format!(
        r#"#include "{file}"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {{
#endif
extern int enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
#ifdef __cplusplus
}}
#endif

int main(void) {{
    printf("{function}({shown}) = %.15g\n", (double){function}({arguments}));
{derivatives}    return 0;
}}
"#,
        file = file.display(),
    )
}

/// The partial derivative by one argument: that one is active, the others are constant.
fn derivative_call(function: &str, point: &[f64], active: usize) -> String {
    let marked = point.iter().enumerate().map(|(index, value)| {
        let marker = if index == active { "enzyme_out" } else { "enzyme_const" };
        format!("{marker}, {}", literal(*value))
    });
    format!("__enzyme_autodiff((void *){function}, {})", comma_separated(marked))
}

/// A number as C reads it: always with a point or an exponent, so that it is a `double`.
fn literal(value: f64) -> String {
    format!("{value:?}")
}

fn comma_separated(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_argument_is_active_once() {
        let text = source(Path::new("/tmp/f.c"), "f", &[2.0, -0.5]);
        assert!(text.starts_with("#include \"/tmp/f.c\"\n"), "{text}");
        assert!(text.contains("printf(\"f(2, -0.5) = %.15g\\n\", (double)f(2.0, -0.5));"), "{text}");
        let first = "__enzyme_autodiff((void *)f, enzyme_out, 2.0, enzyme_const, -0.5)";
        let second = "__enzyme_autodiff((void *)f, enzyme_const, 2.0, enzyme_out, -0.5)";
        assert!(text.contains(first) && text.contains(second), "{text}");
    }
}
