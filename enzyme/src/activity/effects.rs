//! What the instructions of a function do with numbers and addresses, as flows between places.

use super::facts::Content;
use super::region::{RegionId, Regions};
use crate::model::{BlockId, InstId, SecondaryMap, ValueId};

/// Where numbers and addresses can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// In a value.
    Value(ValueId),
    /// Inside of a call, between all that goes in and all that comes out.
    Hub(InstId),
    /// In the memory that a value points to.
    Behind(ValueId),
    /// In all memory that can be reached from a value.
    Reach(ValueId),
    /// In the memory of a region.
    Region(RegionId),
}

/// An instruction takes something from one place to another, or makes something of it there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    pub(super) inst: InstId,
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) moves: Content,
}

/// An instruction puts the address of a region somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) inst: Option<InstId>,
    pub(super) region: RegionId,
    pub(super) to: Place,
}

/// An instruction uses what is at a place as an address, or hands it to a function that may.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    pub(super) inst: InstId,
    pub(super) place: Place,
}

/// An instruction writes to memory, with whatever.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overwrite {
    pub(super) inst: InstId,
    pub(super) place: Place,
    pub(super) by: Writer,
}

/// Who writes to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// The instruction itself: what it does to a shadow follows from its operands.
    Itself,
    /// A function that is called: what it does to a shadow, only its derivative can do.
    Callee,
}

/// Why an instruction does nothing with derivatives, whatever its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Idle {
    /// It only decides where the program goes on, orders memory, or returns.
    Control,
    /// A function known to be inactive is called.
    KnownFunction,
    /// It is marked `enzyme_inactive` or the like.
    Marked,
    /// The program does not come back from there.
    NeverReturns,
}

/// What a user's mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Active,
    Inactive,
}

/// All that the instructions of a function do with numbers and addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    pub(super) regions: Regions,
    pub(super) flows: Vec<Flow>,
    pub(super) points: Vec<Point>,
    pub(super) needs: Vec<Need>,
    pub(super) overwrites: Vec<Overwrite>,
    /// The calls that have a hub.
    pub(super) hubs: Vec<InstId>,
    /// What each value can hold.
    pub(super) contents: SecondaryMap<ValueId, Content>,
    pub(super) idle: SecondaryMap<InstId, Option<Idle>>,
    pub(super) marked_values: SecondaryMap<ValueId, Option<Mark>>,
    pub(super) marked_insts: SecondaryMap<InstId, Option<Mark>>,
    pub(super) never_returns: SecondaryMap<BlockId, bool>,
    /// The values that are returned, with their instructions.
    pub(super) returned: Vec<(InstId, ValueId)>,
}
