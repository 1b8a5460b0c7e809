//! The libraries of C++ (libstdc++, libc++) and Rust, by the scopes that are in the symbols' names.

use super::mangled;

/// Whether a function of these libraries is inactive.
pub(super) fn is_inactive(symbol: &str) -> bool {
    if symbol.starts_with("_ZNSt16allocator_traitsISaIdEE10deallocate") || is_rust_stream(symbol) {
        return true;
    }
    let Some(path) = mangled::path(symbol) else { return false };
    if path == ["std", "operator<<"] {
        return true;
    }
    let reads_numbers = path.iter().any(|part| READING.contains(part));
    !reads_numbers && SCOPES.iter().any(|scope| is_inside(&path, scope))
}

/// Whether a global variable of these libraries holds nothing that carries a derivative: streams and what describes
/// their types.
pub(super) fn is_inactive_global(symbol: &str) -> bool {
    let Some(path) = mangled::path(symbol) else { return false };
    STREAMS.iter().chain(SCOPES).any(|scope| is_inside(&path, scope)) || path.first() == Some(&"__cxxabiv1")
}

fn is_inside(path: &[&str], scope: &[&str]) -> bool {
    let (last, scopes) = scope.split_last().expect("no scope is empty");
    path.len() >= scope.len()
        && path.starts_with(scopes)
        // A family: all that begins like this.
        && match last.strip_suffix('*') {
            Some(family) => path[scopes.len()].starts_with(family),
            None => path[scopes.len()] == *last,
        }
}

/// Printing, in the newer form of Rust's symbols.
fn is_rust_stream(symbol: &str) -> bool {
    symbol.starts_with("_R") && symbol.contains("_3std2io5stdio")
}

/// Parts of the names of functions that read numbers: they overwrite them.
const READING: [&str; 3] = ["_M_extract", "operator>>", "read"];

/// Streams.
const STREAMS: &[&[&str]] = &[
    &["std", "cerr"],
    &["std", "cin"],
    &["std", "clog"],
    &["std", "cout"],
    &["std", "wcerr"],
    &["std", "wcin"],
    &["std", "wclog"],
    &["std", "wcout"],
];

/// Scopes in which no function carries a derivative.
const SCOPES: &[&[&str]] = &[
    &["absl", "log_internal", "LogMessage"],
    &["alloc", "fmt"],
    &["core", "fmt"],
    &["core", "panicking"],
    &["core", "str"],
    &["std", "_Hash_bytes"],
    &["std", "__basic_file"],
    &["std", "__detail", "_Hash_code_base"],
    &["std", "__detail", "_Prime_rehash_policy"],
    &["std", "__do_string_hash"],
    &["std", "__ioinit"],
    &["std", "__throw_*"],
    &["std", "__unordered_map_hasher"],
    &["std", "allocator"],
    &["std", "basic_filebuf"],
    &["std", "basic_fstream"],
    &["std", "basic_ifstream"],
    &["std", "basic_ios"],
    &["std", "basic_iostream"],
    &["std", "basic_istream"],
    &["std", "basic_istringstream"],
    &["std", "basic_ofstream"],
    &["std", "basic_ostream"],
    &["std", "basic_ostringstream"],
    &["std", "basic_streambuf"],
    &["std", "basic_string"],
    &["std", "basic_stringbuf"],
    &["std", "basic_stringstream"],
    &["std", "chrono", "high_resolution_clock"],
    &["std", "chrono", "steady_clock"],
    &["std", "chrono", "system_clock"],
    &["std", "codecvt"],
    &["std", "ctype"],
    &["std", "discard_block_engine"],
    &["std", "hash"],
    &["std", "independent_bits_engine"],
    &["std", "io"],
    &["std", "ios_base"],
    &["std", "linear_congruential_engine"],
    &["std", "locale"],
    &["std", "mersenne_twister_engine"],
    &["std", "mutex"],
    &["std", "num_put"],
    &["std", "random_device"],
    &["std", "recursive_mutex"],
    &["std", "shuffle_order_engine"],
    &["std", "subtract_with_carry_engine"],
    &["std", "terminate"],
    &["std", "time", "Instant"],
    &["std", "time", "SystemTime"],
    &["std", "to_string"],
    &["std", "uncaught_exception*"],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scopes_are_in_order() {
        assert!(SCOPES.is_sorted());
        assert!(STREAMS.is_sorted());
    }

    #[test]
    fn strings_and_streams_are_inactive() {
        for symbol in [
            "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareEPKc",
            "_ZNSo9_M_insertIdEERSoT_",
            "_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEd",
            "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
            "_ZNSt8ios_base4InitC1Ev",
            "_ZNSt6localeD1Ev",
            "_ZNSt13random_device9_M_getvalEv",
            "_ZNSt23mersenne_twister_engineImLm32ELm624ELm397ELm31ELm2567483615ELm11ELm4294967295ELm7ELm2636928640ELm15ELm4022730752ELm18ELm1812433253EEclEv",
            "_ZSt11_Hash_bytesPKvmm",
            "_ZSt20__throw_length_errorPKc",
            "_ZNSt6chrono3_V212system_clock3nowEv",
            "_ZNSt3__16chrono12steady_clock3nowEv",
            "_ZNSaIcED1Ev",
            "_ZNSt16allocator_traitsISaIdEE10deallocateERS0_Pdm",
            "_ZN3std2io5stdio6_print17h0123456789abcdefE",
            "_RNvNtNtCs1234_3std2io5stdio7_eprint",
            "_ZTv0_n24_NSoD1Ev",
        ] {
            assert!(is_inactive(symbol), "{symbol}");
        }
    }

    #[test]
    fn what_moves_numbers_is_not() {
        for symbol in [
            "_ZNSt6vectorIdSaIdEE9push_backERKd",
            "_ZNSt16allocator_traitsISaIdEE8allocateERS0_m",
            "_ZNSi10_M_extractIdEERSiRT_",
            "_ZNSirsERd",
            "_ZNSi4readEPcl",
            "_ZSt3sinf",
            "_ZNSt3mapIidE4findERKi",
            "_Z4stepd",
        ] {
            assert!(!is_inactive(symbol), "{symbol}");
        }
    }
}
