//! The schedule as a sequence of actions.

use super::binomial::{default_snapshots, longest_advance};

/// What is to be done next. Steps are counted from 0, slots too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Put the state, which is the one before `step`, into `slot`.
    Store {
        /// The step that comes next.
        step: u64,
        /// Where to.
        slot: u64,
    },
    /// Take the state before `step` out of `slot`, which keeps it.
    Restore {
        /// The step that comes next.
        step: u64,
        /// Where from.
        slot: u64,
    },
    /// Run the steps from `from` up to, but without, `to`.
    Forward {
        /// The first step.
        from: u64,
        /// The one after the last.
        to: u64,
    },
    /// Run the last step so that it can be reversed. With this the forward sweep ends; the reverse sweep begins with the
    /// adjoint of this step.
    FirstUturn {
        /// That step.
        step: u64,
    },
    /// Run a step so that it can be reversed, and reverse it.
    Uturn {
        /// That step.
        step: u64,
    },
    /// Every step has been reversed.
    Done,
}

/// Which states are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// So many at a time that as few steps as possible run again (`revolve`). `None` lets the number of steps decide.
    Binomial {
        /// The most states that are stored at a time.
        snapshots: Option<u64>,
    },
    /// The state where each of so many segments of the loop begins, and while a segment is reversed that before each of its
    /// steps. `None` makes about as many segments as each has steps.
    Periodic {
        /// The number of segments.
        segments: Option<u64>,
    },
    /// The state before each step.
    StoreAll,
}

impl Scheme {
    /// The schedule of this kind for so many steps.
    pub fn schedule(self, steps: u64) -> Schedule {
        let whole = steps.max(1);
        let strategy = match self {
            Scheme::Binomial { snapshots } => {
                let snapshots = snapshots.unwrap_or_else(|| default_snapshots(steps));
                Strategy::Binomial { snapshots: snapshots.clamp(1, whole) }
            }
            Scheme::Periodic { segments } => {
                let segments = segments.unwrap_or_else(|| default_segments(steps));
                Strategy::Periodic { segments: segments.clamp(1, whole), steps }
            }
            Scheme::StoreAll => Strategy::Binomial { snapshots: whole },
        };
        Schedule { strategy, stored: Vec::new(), end: steps, place: Place::Before(0), sweep: Sweep::Forward }
    }
}

/// The actions for one loop, in order. [`Action::Done`] is the last.
#[derive(Clone, Debug)]
pub struct Schedule {
    strategy: Strategy,
    /// The step before which each stored state was, by slot. The steps rise.
    stored: Vec<u64>,
    /// Steps from here on have been reversed.
    end: u64,
    place: Place,
    sweep: Sweep,
}

#[derive(Clone, Copy, Debug)]
enum Strategy {
    Binomial { snapshots: u64 },
    Periodic { segments: u64, steps: u64 },
}

/// Which state is at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The one before that step.
    Before(u64),
    /// One that nothing more is needed of.
    Used,
    /// None is needed any more.
    Finished,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sweep {
    Forward,
    Reverse,
}

impl Strategy {
    /// How far to run from a stored state on the way to `end`, with so many states stored.
    fn advance(self, from: u64, end: u64, stored: u64) -> u64 {
        match self {
            Strategy::Binomial { snapshots } => longest_advance(snapshots - stored, end - from),
            Strategy::Periodic { segments, steps } => {
                let begins = |segment: u64| begin_of_segment(segment, segments, steps);
                // Where segments begin, the next slot is that of the next segment.
                let next = (stored < segments && from == begins(stored - 1)).then(|| begins(stored));
                match next {
                    Some(next) if next < end => next - from,
                    // The segment that is being reversed.
                    Some(_) | None => 1,
                }
            }
        }
    }
}

/// The step that a segment begins with; the first segments are one step longer than the others, if need be.
fn begin_of_segment(segment: u64, segments: u64, steps: u64) -> u64 {
    segment * (steps / segments) + segment.min(steps % segments)
}

/// The smallest number of segments that have no more steps than there are segments.
fn default_segments(steps: u64) -> u64 {
    let root = steps.isqrt().max(1);
    if root < steps / root { root + 1 } else { root }
}

impl Iterator for Schedule {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        let step = match self.place {
            Place::Finished => return None,
            _ if self.end == 0 => {
                self.place = Place::Finished;
                return Some(Action::Done);
            }
            Place::Used => return self.restore(),
            Place::Before(step) => step,
        };
        if step + 1 == self.end {
            return Some(self.turn(step));
        }
        if self.stored.last() != Some(&step) {
            self.stored.push(step);
            return Some(Action::Store { step, slot: self.stored.len() as u64 - 1 });
        }
        let to = step + self.strategy.advance(step, self.end, self.stored.len() as u64);
        self.place = Place::Before(to);
        Some(Action::Forward { from: step, to })
    }
}

impl Schedule {
    fn turn(&mut self, step: u64) -> Action {
        self.end = step;
        self.place = Place::Used;
        // The state before this step has been used for the last time.
        if self.stored.last() == Some(&step) {
            self.stored.pop();
        }
        match std::mem::replace(&mut self.sweep, Sweep::Reverse) {
            Sweep::Forward => Action::FirstUturn { step },
            Sweep::Reverse => Action::Uturn { step },
        }
    }

    fn restore(&mut self) -> Option<Action> {
        let &step = self.stored.last()?;
        self.place = Place::Before(step);
        Some(Action::Restore { step, slot: self.stored.len() as u64 - 1 })
    }
}
