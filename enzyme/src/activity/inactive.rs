//! Library functions whose results carry no derivative and which move none.

/// Whether a library function is known to be inactive: input and output, strings, clocks, locks, program control.
pub fn is_inactive(name: &str) -> bool {
    let name = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    NAMES.binary_search(&name).is_ok() || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whole names, in order.
const NAMES: [&str; 77] = [
    "__assert_fail",
    "__assert_rtn",
    "__cxa_atexit",
    "__cxa_begin_catch",
    "__cxa_end_catch",
    "__cxa_guard_abort",
    "__cxa_guard_acquire",
    "__cxa_guard_release",
    "__errno_location",
    "__fpclassify",
    "__fpclassifyf",
    "__fpclassifyl",
    "__isinf",
    "__isinff",
    "__isinfl",
    "__isnan",
    "__isnanf",
    "__isnanl",
    "__signbit",
    "__signbitf",
    "__signbitl",
    "__stack_chk_fail",
    "abort",
    "access",
    "atexit",
    "atoi",
    "atol",
    "atoll",
    "clock",
    "clock_gettime",
    "close",
    "exit",
    "fclose",
    "feclearexcept",
    "fegetround",
    "feof",
    "feraiseexcept",
    "ferror",
    "fesetround",
    "fetestexcept",
    "fflush",
    "fgetc",
    "fopen",
    "fprintf",
    "fputc",
    "fputs",
    "fseek",
    "ftell",
    "getc",
    "getchar",
    "getenv",
    "getpid",
    "gettimeofday",
    "open",
    "perror",
    "printf",
    "putc",
    "putchar",
    "puts",
    "rand",
    "remove",
    "snprintf",
    "sprintf",
    "srand",
    "strchr",
    "strcmp",
    "strlen",
    "strncmp",
    "strrchr",
    "strstr",
    "strtol",
    "strtoul",
    "time",
    "usleep",
    "vfprintf",
    "vprintf",
    "vsnprintf",
];

/// Families of names.
const PREFIXES: [&str; 3] = ["_ZNSo", "_ZStls", "_ZNSt8ios_base"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order() {
        assert!(NAMES.is_sorted());
    }

    #[test]
    fn printing_is_inactive_and_mathematics_is_not() {
        assert!(is_inactive("printf"));
        assert!(is_inactive("__isoc99_fprintf"));
        assert!(!is_inactive("sin"));
        assert!(!is_inactive("memcpy"));
    }
}
