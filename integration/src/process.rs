//! Running a command under a time limit.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// This signal killed it.
    Killed(i32),
    /// It was still running at its limit, and was killed with everything it had started.
    TimedOut,
}

/// Runs a command in a process group of its own, with no input, and kills the group at the limit.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Ending> {
    let mut child = command.stdin(Stdio::null()).process_group(0).spawn()?;
    match wait_until(&mut child, Instant::now() + limit)? {
        Some(status) => Ok(ending_of(status)),
        None => {
            kill_group(&child);
            child.wait()?;
            Ok(Ending::TimedOut)
        }
    }
}

fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let now = Instant::now();
        if now >= deadline {
            return Ok(None);
        }
        thread::sleep(pause.min(deadline - now));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn ending_of(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(signal)) => Ending::Killed(signal),
        (None, None) => Ending::Exited(-1),
    }
}

fn kill_group(child: &Child) {
    let Ok(group) = libc::pid_t::try_from(child.id()) else { return };
    // SAFETY: `killpg` touches no memory of ours. The group is the child's own, made by `process_group(0)`,
    // and its number cannot have been given to another: the child has not been waited for.
    unsafe {
        libc::killpg(group, libc::SIGKILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ending {
        run(Command::new("sh").args(["-c", script]), limit).expect("sh starts")
    }

    #[test]
    fn the_ending_tells_exits_signals_and_timeouts_apart() {
        let long = Duration::from_secs(30);
        assert_eq!(shell("exit 3", long), Ending::Exited(3));
        assert_eq!(shell("kill -9 $$", long), Ending::Killed(9));
        assert_eq!(shell("sleep 30", Duration::from_millis(50)), Ending::TimedOut);
    }

    #[test]
    fn a_timeout_kills_the_whole_group() {
        let marker = std::env::temp_dir().join(format!("enzymers-group-{}", std::process::id()));
        let script = format!("(sleep 1; touch {}) & wait", marker.display());
        assert_eq!(shell(&script, Duration::from_millis(100)), Ending::TimedOut);
        thread::sleep(Duration::from_millis(1300));
        assert!(!marker.exists(), "a grandchild outlived its group");
    }
}
