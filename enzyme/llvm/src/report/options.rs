//! What the command line says, as the analyses take it.

use enzyme::activity::{Effort, UnknownFunctions, UnmarkedGlobals};
use enzyme::explain::activity::{ArgumentsAre, PointerResults};
use enzyme::plan::Keeping;
use enzyme::types::{Limits, RustTypes, StrictAliasing};

use crate::options::Options;

impl Options {
    /// How the types of programs are analysed.
    pub fn types(&self) -> enzyme::types::Options {
        enzyme::types::Options {
            limits: Limits {
                offset: self.max_type_offset.try_into().unwrap_or(i32::MAX),
                depth: self.max_type_depth as usize,
            },
            greatest_integer: self.max_int_offset.into(),
            strict_aliasing: if self.strict_aliasing { StrictAliasing::Yes } else { StrictAliasing::No },
            rust_types: if self.rust_type { RustTypes::Yes } else { RustTypes::No },
        }
    }

    /// How the activity of programs is analysed.
    pub fn activity(&self) -> enzyme::activity::Options {
        let globals = if self.globals_default_inactive {
            UnmarkedGlobals::AreInactive
        } else {
            UnmarkedGlobals::MayBeActive
        };
        let unknown_functions =
            if self.emptyfn_inactive { UnknownFunctions::AreInactive } else { UnknownFunctions::MayBeActive };
        let effort = if self.disable_activity_analysis { Effort::None } else { Effort::Full };
        enzyme::activity::Options { globals, unknown_functions, effort, ..Default::default() }
    }

    /// Which values the forward sweeps of derivatives keep.
    pub fn keeping(&self) -> Keeping {
        match (self.max_cache, self.min_cache) {
            (true, _) => Keeping::Everything,
            (false, true) => Keeping::Least,
            (false, false) => Keeping::Cheapest,
        }
    }

    /// What is assumed of the arguments of a function whose activity is looked at.
    pub fn arguments_are(&self) -> ArgumentsAre {
        if self.activity_analysis_inactive_args { ArgumentsAre::Inactive } else { ArgumentsAre::ActiveByType }
    }

    /// What is assumed of results that are no floats.
    pub fn pointer_results(&self) -> PointerResults {
        if self.activity_analysis_duplicated_ret {
            PointerResults::Duplicated
        } else {
            PointerResults::Constant
        }
    }
}
