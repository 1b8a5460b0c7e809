//! Reads the names that C++ (Itanium ABI) and Rust give to symbols, as far as the scope of what is named.

/// The scopes of a symbol and its own name, outermost first, without arguments of templates: `std`, `basic_string`,
/// `compare` for `_ZNKSt12basic_stringIcE7compareEPKc`. `None` for a name of another kind.
///
/// Inline namespaces of the libraries (`__1`, `__cxx11` …) are left out. What follows arguments of a template is not
/// read, unless they are skipped easily.
pub(super) fn path(symbol: &str) -> Option<Vec<&str>> {
    let mut reader = Reader { rest: encoding(symbol)?, path: Vec::new() };
    if reader.eat("N") {
        while ["r", "V", "K", "R", "O"].iter().any(|qualifier| reader.eat(qualifier)) {}
        while reader.part() {}
    } else {
        // A name without scopes but, possibly, that of the library.
        let in_library = reader.eat("St");
        if in_library {
            reader.path.push("std");
        }
        reader.part();
    }
    (!reader.path.is_empty()).then_some(reader.path)
}

/// What a symbol says after the prefix of its kind: a function, a virtual or other table, a thunk, a guard.
fn encoding(symbol: &str) -> Option<&str> {
    let rest = symbol.strip_prefix("__Z").or_else(|| symbol.strip_prefix("_Z"))?;
    let Some(special) = rest.strip_prefix('T') else {
        return Some(rest.strip_prefix("GV").unwrap_or(rest));
    };
    if let Some(thunk) = special.strip_prefix(['h', 'v']) {
        // An offset, or two, each with an underscore after it.
        let offsets = if special.starts_with('v') { 2 } else { 1 };
        return thunk.splitn(offsets + 1, '_').nth(offsets);
    }
    special.strip_prefix(['V', 'T', 'I', 'S'])
}

struct Reader<'a> {
    rest: &'a str,
    path: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// One part of a name; whether there may be another.
    fn part(&mut self) -> bool {
        for (token, scopes) in ABBREVIATIONS {
            if self.eat(token) {
                self.path.extend(*scopes);
                return true;
            }
        }
        for (token, operator) in OPERATORS {
            if self.eat(token) {
                self.path.push(operator);
                return false;
            }
        }
        if self.rest.starts_with('I') {
            return self.skip_template_arguments();
        }
        let Some(name) = self.source_name() else { return false };
        if !INLINE_SCOPES.contains(&name) {
            self.path.push(name);
        }
        // Tags such as `[abi:cxx11]`.
        while self.rest.starts_with('B') {
            self.rest = &self.rest[1..];
            if self.source_name().is_none() {
                return false;
            }
        }
        true
    }

    fn source_name(&mut self) -> Option<&'a str> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let length: usize = self.rest[..digits].parse().ok()?;
        let name = self.rest.get(digits..digits + length)?;
        self.rest = &self.rest[digits + length..];
        Some(name)
    }

    /// Skips `I…E`. Names inside are skipped by their lengths, so that their letters do not count; whatever opens
    /// another `…E` is counted.
    fn skip_template_arguments(&mut self) -> bool {
        let mut depth = 0usize;
        while let Some(letter) = self.rest.chars().next() {
            match letter {
                '0'..='9' => {
                    if self.source_name().is_none() {
                        return false;
                    }
                    continue;
                }
                'I' | 'N' | 'J' | 'X' | 'F' => depth += 1,
                'L' => {
                    // A constant: a type, a number and `E`.
                    let Some(end) = self.rest.find('E') else { return false };
                    self.rest = &self.rest[end + 1..];
                    continue;
                }
                // A substitution, a standard abbreviation or a template's parameter.
                'S' | 'T' => {
                    let mut letters = self.rest.chars().skip(1);
                    let long = letters.next().is_some_and(|next| {
                        next == '_' || next.is_ascii_digit() || next.is_ascii_uppercase()
                    });
                    let end = if long { self.rest.find('_') } else { Some(1) };
                    let Some(end) = end.filter(|&end| end < self.rest.len()) else { return false };
                    self.rest = &self.rest[end + 1..];
                    continue;
                }
                'E' => depth -= 1,
                _ => {}
            }
            self.rest = &self.rest[letter.len_utf8()..];
            if depth == 0 {
                return true;
            }
        }
        false
    }
}

/// Names of the C++ library that have a short form.
const ABBREVIATIONS: &[(&str, &[&str])] = &[
    ("St", &["std"]),
    ("Sa", &["std", "allocator"]),
    ("Sb", &["std", "basic_string"]),
    ("Ss", &["std", "basic_string"]),
    ("Si", &["std", "basic_istream"]),
    ("So", &["std", "basic_ostream"]),
    ("Sd", &["std", "basic_iostream"]),
];

/// The operators that are told from others.
const OPERATORS: &[(&str, &str)] = &[("ls", "operator<<"), ("rs", "operator>>")];

/// Namespaces that are not written in programs.
const INLINE_SCOPES: [&str; 6] = ["__1", "__2", "__cxx11", "__ndk1", "__u", "_V2"];

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(symbol: &str) -> Option<String> {
        path(symbol).map(|parts| parts.join("::"))
    }

    #[test]
    fn scopes_are_read() {
        for (symbol, expected) in [
            (
                "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareEPKc",
                "std::basic_string::compare",
            ),
            (
                "_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKc",
                "std::basic_string::append",
            ),
            ("_ZNSo9_M_insertIdEERSoT_", "std::basic_ostream::_M_insert"),
            ("_ZNSirsERd", "std::basic_istream::operator>>"),
            ("_ZNSolsEd", "std::basic_ostream::operator<<"),
            ("_ZNSt6chrono3_V212steady_clock3nowEv", "std::chrono::steady_clock::now"),
            ("_ZNSaIcEC1Ev", "std::allocator"),
            ("_ZN3std2io5stdio7_eprint17h0123456789abcdefE", "std::io::stdio::_eprint::h0123456789abcdef"),
            ("_ZTv0_n24_NSoD1Ev", "std::basic_ostream"),
            ("_ZTVSt9basic_iosIcSt11char_traitsIcEE", "std::basic_ios"),
            ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "std::operator<<"),
            ("_ZSt4cout", "std::cout"),
            ("_Z3foov", "foo"),
            ("_ZN3app5modelILi3EE3runEv", "app::model::run"),
        ] {
            assert_eq!(joined(symbol).as_deref(), Some(expected), "{symbol}");
        }
    }

    #[test]
    fn other_names_are_left_alone() {
        for symbol in ["printf", "_Z", "_ZN", "_ZN9", "_ZTh", "?f@@YAXXZ", "_ZN99999999999999999999xE"] {
            assert_eq!(joined(symbol), None, "{symbol}");
        }
    }
}
