//! What the steps of checkpointed loops do to memory: two numbers and two pointers, then a region, then `u`.

use enzyme::memory::Access;
use enzyme::model::Module;
use enzyme::plan::{StateVariable, StepEffects, StepProblem, WrittenArgument, step_effects};
use enzyme::program::Program;

/// The effects of the first function of a text, whose sixth argument is that of the step.
fn effects(text: &str) -> Result<StepEffects, StepProblem> {
    let module: Module = text.parse().expect("the text is valid IR");
    let program = Program::new(module.functions);
    let root = program.find("loop").expect("the loop");
    step_effects(&program, root, 1, |_| None)
}

fn of_body(body: &str) -> Result<StepEffects, StepProblem> {
    effects(&format!(
        "@state = internal global [4 x double] zeroinitializer
         @table = internal global double 1.0
         @fixed = internal constant double 2.0
         @elsewhere = external global double
         declare i32 @rand()
         declare i32 @puts(ptr)
         declare void @free(ptr)
         declare void @unknown()
         declare void @log_it() \"enzyme_inactive\"
         define void @loop(i64 %start, i64 %n, ptr %scheme, ptr %data, ptr %region, i64 %bytes, ptr %u, ptr %v) {{
           {body}
           ret void
         }}
         define internal void @count() \"enzyme_inactive\" {{
           store double 0.0, ptr @table
           ret void
         }}"
    ))
}

#[test]
fn what_is_written_behind_arguments_is_compared_with_regions_later() {
    let effects = of_body(
        "%x = load double, ptr %v
         %p = getelementptr i8, ptr %u, i64 8
         store double %x, ptr %p
         %q = getelementptr double, ptr %v, i64 %n
         store double %x, ptr %q",
    )
    .expect("steps that can run again");
    assert_eq!(effects.variables, []);
    assert_eq!(
        effects.writes,
        [WrittenArgument { argument: 6, bytes: Some((8, 8)) }, WrittenArgument { argument: 7, bytes: None }]
    );
}

#[test]
fn variables_belong_to_the_state() {
    let effects = of_body(
        "%x = load double, ptr @table
         %y = load double, ptr @fixed
         %z = fadd double %x, %y
         store double %z, ptr @state",
    )
    .expect("steps that can run again");
    let variable = |name: &str, bytes, access| StateVariable { name: name.to_owned(), bytes, access };
    assert_eq!(effects.variables, [variable("state", 32, Access::Write), variable("table", 8, Access::Read)]);
}

#[test]
fn memory_of_a_step_of_its_own_is_no_state() {
    let effects = of_body(
        "%a = alloca double
         store double 1.0, ptr %a
         %slot = alloca ptr
         store ptr %u, ptr %slot
         %p = load ptr, ptr %slot
         %x = load double, ptr %a
         store double %x, ptr %p",
    );
    let effects = effects.expect("steps that can run again");
    assert_eq!(effects.writes, [WrittenArgument { argument: 6, bytes: Some((0, 8)) }]);
}

#[test]
fn what_could_not_run_again_is_a_problem() {
    let through = "%p = load ptr, ptr %u
                   store double 0.0, ptr %p";
    assert_eq!(of_body(through), Err(StepProblem::WritesThroughMemory));
    assert_eq!(of_body("store ptr %v, ptr %u"), Err(StepProblem::StoresPointer));
    assert_eq!(of_body("call void @free(ptr %u)"), Err(StepProblem::Frees));
    assert_eq!(of_body("call void @unknown()"), Err(StepProblem::WritesAnything));
    let random = "%r = call i32 @rand()
                  store i32 %r, ptr %u";
    assert_eq!(of_body(random), Err(StepProblem::Hidden("rand".to_owned())));
    let elsewhere = "store double 0.0, ptr @elsewhere";
    assert_eq!(of_body(elsewhere), Err(StepProblem::VariableElsewhere("elsewhere".to_owned())));
    let copy = "call void @llvm.memcpy.p0.p0.i64(ptr %u, ptr %v, i64 16, i1 false)";
    assert_eq!(of_body(copy), Err(StepProblem::CopiesUnknown));
}

#[test]
fn inactive_functions_that_return_nothing_are_left_out_of_account() {
    assert_eq!(of_body("call void @log_it()"), Ok(StepEffects::default()));
    assert_eq!(of_body("call void @count()"), Ok(StepEffects::default()));
    // What is printed is printed again.
    assert_eq!(of_body("%r = call i32 @puts(ptr @fixed)"), Ok(StepEffects::default()));
    let uses_it = "call void @count()
                   %x = load double, ptr @table
                   store double %x, ptr %u";
    assert_eq!(of_body(uses_it), Err(StepProblem::WrittenBySilentCall("table".to_owned())));
}

#[test]
fn what_runs_only_before_an_exception_leaves_is_left_out_of_account() {
    let throws = "%big = icmp sgt i64 %n, 100
                  br i1 %big, label %throw, label %goes_on
                throw:
                  invoke void @unknown() to label %thrown unwind label %caught
                thrown:
                  call void @free(ptr %u)
                  unreachable
                caught:
                  %pad = landingpad { ptr, i32 } cleanup
                  resume { ptr, i32 } %pad
                goes_on:
                  store double 0.0, ptr %u";
    let effects = of_body(throws).expect("steps that can run again");
    assert_eq!(effects.writes, [WrittenArgument { argument: 6, bytes: Some((0, 8)) }]);
}
