//! Typed-pointer spellings in expected text, rewritten to `ptr`.
//!
//! Suites older than LLVM 15 expect `load double, double* %x`; today's LLVM prints `load double, ptr %x`.
//! What is rewritten: a type with stars (`i8**`, `%struct.s*`, `[2 x double]*`, `void (double*)*`, address
//! spaces kept), and the pointee in the names of intrinsics (`llvm.memset.p0i8.i64`). Regular expressions and
//! variables of FileCheck (`{{…}}`, `[[…]]`) stay as they are.

/// Rewrites the lines of a test that FileCheck reads; all others stay.
pub fn rewrite_expectations(text: &str) -> String {
    let mut rewritten = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match expectation_start(line) {
            Some(start) => {
                rewritten.push_str(&line[..start]);
                rewritten.push_str(&rewrite(&line[start..]));
            }
            None => rewritten.push_str(line),
        }
    }
    rewritten
}

/// Where the expected text begins, in a comment such as `; CHECK-NEXT: text`.
fn expectation_start(line: &str) -> Option<usize> {
    let comment = line.trim_start_matches([' ', '\t', ';', '/', '#', '!']);
    let skipped = line.len() - comment.len();
    let colon = comment.find(':')?;
    let prefix = &comment[..colon];
    let is_prefix = prefix.starts_with(|c: char| c.is_ascii_uppercase())
        && prefix.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "-_".contains(c));
    (skipped > 0 && is_prefix && prefix != "RUN").then_some(skipped + colon + 1)
}

/// Rewrites one stretch of IR.
fn rewrite(text: &str) -> String {
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    let mut previous = ' ';
    while let Some(next) = rest.chars().next() {
        if let Some(end) = matcher_end(rest) {
            rewritten.push_str(&rest[..end]);
            rest = &rest[end..];
            previous = '}';
            continue;
        }
        let at_word_start = !is_word(previous) && previous != '@';
        if let Some((opaque, end)) = at_word_start.then(|| Type::parse(rest)).flatten() {
            rewritten.push_str(&opaque);
            previous = rest[..end].chars().next_back().unwrap_or(previous);
            rest = &rest[end..];
            continue;
        }
        rewritten.push(next);
        rest = &rest[next.len_utf8()..];
        previous = next;
    }
    rewrite_intrinsic_names(&rewritten)
}

/// The end of the regular expression or variable of FileCheck that the text starts with.
fn matcher_end(text: &str) -> Option<usize> {
    let close = match text.get(..2)? {
        "{{" => "}}",
        "[[" => "]]",
        _ => return None,
    };
    let end = text.find(close)? + close.len();
    // `[[x:[a-z]]]` ends in three brackets.
    let further = text[end..].chars().take_while(|c| close.starts_with(*c)).count();
    Some(end + further)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-')
}

/// `.p0i8` and `.p1f64` in the name of an intrinsic become `.p0` and `.p1`.
fn rewrite_intrinsic_names(text: &str) -> String {
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("@llvm.") {
        let name_end = rest[at + 1..].find(|c| !is_word(c)).map_or(rest.len(), |end| at + 1 + end);
        rewritten.push_str(&rest[..at]);
        let parts: Vec<&str> = rest[at..name_end].split('.').map(opaque_name_part).collect();
        rewritten.push_str(&parts.join("."));
        rest = &rest[name_end..];
    }
    rewritten.push_str(rest);
    rewritten
}

fn opaque_name_part(part: &str) -> &str {
    let Some(space) = part.strip_prefix('p') else { return part };
    let digits = space.chars().take_while(char::is_ascii_digit).count();
    let pointee = &space[digits..];
    let is_scalar = ["i", "f", "bf"].iter().any(|kind| {
        pointee
            .strip_prefix(kind)
            .is_some_and(|bits| !bits.is_empty() && bits.chars().all(|c| c.is_ascii_digit()))
    });
    if digits > 0 && is_scalar { &part[..=digits] } else { part }
}

/// A reader of LLVM's types as they were spelled before opaque pointers.
struct Type;

impl Type {
    /// Reads the type that the text starts with, if any of it must be rewritten: its new spelling and the
    /// length of the old one.
    fn parse(text: &str) -> Option<(String, usize)> {
        let (spelling, end) = Self::read(text)?;
        (spelling != text[..end]).then_some((spelling, end))
    }

    fn read(text: &str) -> Option<(String, usize)> {
        let (mut spelling, mut end) = Self::base(text)?;
        loop {
            let rest = &text[end..];
            if let Some((opaque, length)) = Self::pointer_suffix(rest) {
                spelling = opaque;
                end += length;
            } else if let Some((parameters, length)) = Self::parameters(rest) {
                spelling.push_str(&parameters);
                end += length;
            } else {
                return Some((spelling, end));
            }
        }
    }

    /// `*` or ` addrspace(1)*`
    fn pointer_suffix(rest: &str) -> Option<(String, usize)> {
        if rest.starts_with('*') {
            return Some(("ptr".to_owned(), 1));
        }
        let space = rest.strip_prefix(" addrspace(")?;
        let close = space.find(')')?;
        let number = &space[..close];
        let is_pointer = number.chars().all(|c| c.is_ascii_digit()) && space[close + 1..].starts_with('*');
        is_pointer.then(|| (format!("ptr addrspace({number})"), " addrspace(".len() + close + ")*".len()))
    }

    /// ` (i8*, ...)` after a return type
    fn parameters(rest: &str) -> Option<(String, usize)> {
        let inner = rest.strip_prefix(" (")?;
        let (list, length) = Self::list(inner, ")")?;
        Some((format!(" ({list}"), length + " (".len()))
    }

    fn base(text: &str) -> Option<(String, usize)> {
        match text.chars().next()? {
            '%' => Self::named(text),
            '[' => Self::sequence(text, "[", "]"),
            '<' if text.starts_with("<{") => Self::braces(text, "<{", "}>"),
            '<' => Self::sequence(text, "<", ">"),
            '{' if !text.starts_with("{{") => Self::braces(text, "{", "}"),
            _ => Self::primitive(text),
        }
    }

    fn primitive(text: &str) -> Option<(String, usize)> {
        let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
        let word = &text[..end];
        let is_integer = word
            .strip_prefix('i')
            .is_some_and(|bits| !bits.is_empty() && bits.chars().all(|c| c.is_ascii_digit()));
        let known = [
            "void",
            "half",
            "bfloat",
            "float",
            "double",
            "x86_fp80",
            "fp128",
            "ppc_fp128",
            "x86_mmx",
            "metadata",
            "ptr",
        ];
        (is_integer || known.contains(&word)).then(|| (word.to_owned(), end))
    }

    /// `%struct.point` and `%"class.std::complex"`, which look like values: only a star tells.
    fn named(text: &str) -> Option<(String, usize)> {
        let name = &text[1..];
        let length = match name.strip_prefix('"') {
            Some(quoted) => quoted.find('"')? + 2,
            None => name.find(|c| !is_word(c)).unwrap_or(name.len()),
        };
        (length > 0).then(|| (text[..=length].to_owned(), length + 1))
    }

    /// `[2 x double]`, `<4 x float>`
    fn sequence(text: &str, open: &str, close: &str) -> Option<(String, usize)> {
        let inner = text.strip_prefix(open)?;
        let digits = inner.chars().take_while(char::is_ascii_digit).count();
        let element = inner[digits..].strip_prefix(" x ")?;
        let (spelling, end) = Self::read(element)?;
        element[end..].strip_prefix(close)?;
        let count = &inner[..digits];
        let length = open.len() + digits + " x ".len() + end + close.len();
        (digits > 0).then(|| (format!("{open}{count} x {spelling}{close}"), length))
    }

    /// `{ double, i8* }`
    fn braces(text: &str, open: &str, close: &str) -> Option<(String, usize)> {
        let inner = text.strip_prefix(open)?;
        let (list, length) = Self::list(inner, close)?;
        Some((format!("{open}{list}"), open.len() + length))
    }

    /// Types with commas between them, up to and with the closing bracket.
    fn list(text: &str, close: &str) -> Option<(String, usize)> {
        let mut spelling = String::new();
        let mut rest = text;
        loop {
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            spelling.push_str(&rest[..blanks]);
            rest = &rest[blanks..];
            if let Some(after) = rest.strip_prefix(close) {
                spelling.push_str(close);
                return Some((spelling, text.len() - after.len()));
            }
            if let Some(after) = rest.strip_prefix("...") {
                spelling.push_str("...");
                rest = after;
            } else {
                let (element, end) = Self::read(rest)?;
                spelling.push_str(&element);
                rest = &rest[end..];
            }
            if let Some(after) = rest.strip_prefix(',') {
                spelling.push(',');
                rest = after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, opaque: &str) {
        assert_eq!(rewrite(typed), opaque);
    }

    #[test]
    fn pointers_of_every_kind_become_opaque() {
        check("load double, double* %x, align 8", "load double, ptr %x, align 8");
        check("i8** %\"x'ipc\"", "ptr %\"x'ipc\"");
        check("%struct.point* %p, %\"class.std::x\"* %q", "ptr %p, ptr %q");
        check("[2 x double]* %a, <4 x float*> %b", "ptr %a, <4 x ptr> %b");
        check("{ double, i8* } undef", "{ double, ptr } undef");
        check("{ i8*, { double* } }* %t", "ptr %t");
        check("void (double*, i32)* @f", "ptr @f");
        check("call i32 (i8*, ...) @printf(i8* %s)", "call i32 (ptr, ...) @printf(ptr %s)");
        check("double addrspace(1)* %g", "ptr addrspace(1) %g");
        check("define double @f(double* nocapture %x)", "define double @f(ptr nocapture %x)");
        check("double (double)** %fs", "ptr %fs");
    }

    #[test]
    fn what_is_no_pointer_stays() {
        for text in [
            "fmul double %x, %y",
            "%x = add i64 %struct, 3",
            "ret { double, double } %r",
            "call double @f(double %x)",
            "!0 = !{i64 1}",
            "call fast double @sin(double %a) #1",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn matchers_of_filecheck_stay() {
        check("%[[a:.+]] = load double, double* %[[b]]", "%[[a:.+]] = load double, ptr %[[b]]");
        check("{{(double\\*|ptr)}} %x", "{{(double\\*|ptr)}} %x");
        check("[[x:[a-z]]] i8* %y", "[[x:[a-z]]] ptr %y");
    }

    #[test]
    fn intrinsics_lose_the_pointee_in_their_names() {
        check("@llvm.memset.p0i8.i64(i8* %x)", "@llvm.memset.p0.i64(ptr %x)");
        check("@llvm.memcpy.p0i8.p1f64.i64(", "@llvm.memcpy.p0.p1.i64(");
        check("@llvm.pow.f64(double %x)", "@llvm.pow.f64(double %x)");
    }

    #[test]
    fn only_expected_lines_are_touched() {
        let text = "define void @f(double* %x) {\n; CHECK: define void @f(double* %x)\n; RUN: opt double*\n\
                    //CHECK-NEXT:  i8* %y\n; a note: double* here\n; CHECK1-SAME: i8*\n";
        let expected = "define void @f(double* %x) {\n; CHECK: define void @f(ptr %x)\n; RUN: opt double*\n\
                        //CHECK-NEXT:  ptr %y\n; a note: double* here\n; CHECK1-SAME: ptr\n";
        assert_eq!(rewrite_expectations(text), expected);
    }
}
