use super::text::Colours;
use super::*;

const FUNCTION: &str = r#"
define double @f(double %x, ptr %"<p>") !dbg !3 {
entry:
  %y = load double, ptr %"<p>", align 8, !dbg !5
  %z = fmul double %x, %y, !dbg !6
  switch i32 0, label %out [
    i32 1, label %out
  ]
out:
  ret double %z, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "f.c", directory: "/build")
!2 = !DISubroutineType(types: !{})
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !2, spFlags: DISPFlagDefinition, unit: !0)
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !DILocation(line: 2, column: 12, scope: !3)
!6 = !DILocation(line: 2, column: 10, scope: !3)
!7 = !DILocation(line: 3, column: 1, scope: !3)
"#;

/// Values that depend on a parameter are active.
struct Sample<'a>(&'a Function);

fn step(part: Part, text: &str, by: Option<InstId>) -> Step {
    Step { about: Some(part), text: text.to_owned(), by }
}

impl Verdicts for Sample<'_> {
    fn topic(&self) -> &str {
        "activity"
    }

    fn assumptions(&self) -> Vec<String> {
        vec!["%x is active & the result, too".to_owned()]
    }

    fn parameter(&self, value: ValueId) -> Option<Verdict> {
        let is_first = value == self.0.parameters[0];
        let chain = vec![step(Part::Value(value), "the caller says so", None)];
        Some(Verdict {
            summary: if is_first { "active" } else { "inactive" }.to_owned(),
            tone: if is_first { Tone::Active } else { Tone::Inactive },
            claims: vec![Claim { statement: None, chain }],
        })
    }

    fn instruction(&self, inst: InstId) -> Option<Verdict> {
        self.0.insts[inst].result.map(|result| {
            let first = self.0.parameters[0];
            let product = self.0.insts_in_order().nth(1);
            let chain = vec![
                step(Part::Value(result), "it meets what is active", product),
                step(Part::Value(first), "the caller says so", None),
            ];
            let statement = Some("<every> byte".to_owned());
            Verdict {
                summary: "active".to_owned(),
                tone: Tone::Active,
                claims: vec![Claim { statement, chain }],
            }
        })
    }
}

fn sample() -> Explanation {
    let function = Function::parse(FUNCTION).expect("parses");
    Explanation::new(&function, &Sample(&function))
}

fn source(location: &DebugLocation) -> Option<String> {
    (location.line == 2).then(|| "  return x < *p;".to_owned())
}

#[test]
fn text_puts_verdicts_beside_lines_and_chains_under_them() {
    let mut text = String::new();
    text::write(&mut text, &sample(), &source, Colours::No).expect("a string takes all");
    assert_eq!(
        text,
        r#"activity of @f
  define double @f(double %x, ptr %"<p>")
  given: %x is active & the result, too

  %x                                       active
    <- the caller says so
  %"<p>"                                   inactive
    <- the caller says so

entry:
  f.c:2 | return x < *p;
    %y = load double, ptr %"<p>", align 8  active
      <every> byte
        <- it meets what is active
           %z = fmul double %x, %y  (f.c:2:10)
        <- %x: the caller says so
    %z = fmul double %x, %y                active
      <every> byte
        <- it meets what is active
        <- %x: the caller says so
    switch i32 0, label %out [ i32 1, label %out ]

out:
  f.c:3
    ret double %z
"#
    );
}

#[test]
fn colours_are_asked_for() {
    let mut plain = String::new();
    text::write(&mut plain, &sample(), &source, Colours::No).expect("a string takes all");
    assert!(!plain.contains('\x1b'));
    let mut coloured = String::new();
    text::write(&mut coloured, &sample(), &source, Colours::Yes).expect("a string takes all");
    assert!(coloured.contains("\x1b[1;31mactive\x1b[0m"), "{coloured}");
}

#[test]
fn steps_lead_to_the_lines_of_what_they_are_about() {
    let explanation = sample();
    let product = explanation.lines.iter().find(|line| line.text.starts_with("%z")).expect("a product");
    let chain = &product.verdict.as_ref().expect("a verdict").claims[0].chain;
    let lines: Vec<&str> =
        chain.iter().map(|step| explanation.lines[step.line.expect("a line")].text.as_str()).collect();
    assert_eq!(lines, ["%z = fmul double %x, %y", "%x"]);
}

#[test]
fn a_page_escapes_what_it_shows_and_links_what_it_names() {
    let page = html::page("a <b>", &[sample()], &source);
    assert!(page.contains("<title>a &lt;b&gt;</title>"), "{page}");
    assert!(page.contains("ptr %&quot;&lt;p&gt;&quot;"), "{page}");
    assert!(page.contains("return x &lt; *p;"), "{page}");
    assert!(page.contains("<li>%x is active &amp; the result, too</li>"), "{page}");
    assert!(page.contains("<p class=\"claim\">&lt;every&gt; byte</p>"), "{page}");
    assert!(page.contains("<a href=\"#f0-0\"><code>%x</code></a>: the caller says so"), "{page}");
    assert!(page.contains("<span class=\"verdict active\">active</span></summary>"), "{page}");
    let by = "<br /><a class=\"by\" href=\"#f0-4\"><code>%z = fmul double %x, %y</code></a> \
              <span class=\"place\">f.c:2:10</span></li>";
    assert!(page.contains(by), "{page}");
    for address in ["http://", "https://", "src="] {
        let found = page.matches(address).count();
        // The name of the language is no address that anything is loaded from.
        assert_eq!(found, usize::from(address == "http://"), "{address}");
    }
}
