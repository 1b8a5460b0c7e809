//! Library functions that write numbers from elsewhere into memory: `fread`, `scanf`.
//!
//! Whatever derivative was there is gone. How much they have written is known once they return; preparation says it right
//! after them ([`Role::Overwrite`](super::Role::Overwrite)), so that the calls themselves mean nothing for derivatives.

/// What such a function writes; the numbers are those of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WritesFromOutside {
    /// So many bytes as it returns, if that is no error.
    Bytes {
        /// Where.
        pointer: usize,
    },
    /// So many pieces as it returns.
    Pieces {
        /// Where.
        pointer: usize,
        /// How large a piece is.
        size: usize,
    },
    /// What the format of a `scanf` says, to the pointers that follow it.
    Formatted {
        /// The format.
        format: usize,
    },
}

impl WritesFromOutside {
    /// What the library function of that name writes, if it is such a function.
    pub fn by(name: &str) -> Option<WritesFromOutside> {
        let standard = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_"));
        Some(match standard.unwrap_or(name) {
            "read" | "pread" | "pread64" | "recv" | "__read_chk" | "__pread_chk" | "__pread64_chk"
            | "__recv_chk" => WritesFromOutside::Bytes { pointer: 1 },
            "fread" | "fread_unlocked" => WritesFromOutside::Pieces { pointer: 0, size: 1 },
            "__fread_chk" | "__fread_unlocked_chk" => WritesFromOutside::Pieces { pointer: 0, size: 2 },
            "scanf" => WritesFromOutside::Formatted { format: 0 },
            "fscanf" | "sscanf" => WritesFromOutside::Formatted { format: 1 },
            _ => return None,
        })
    }

    /// How many arguments it takes at least.
    pub fn arguments(self) -> usize {
        match self {
            WritesFromOutside::Bytes { pointer } => pointer + 2,
            WritesFromOutside::Pieces { size, .. } => size + 3,
            WritesFromOutside::Formatted { format } => format + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_as_they_are_spelled() {
        assert_eq!(
            WritesFromOutside::by("__isoc23_sscanf"),
            Some(WritesFromOutside::Formatted { format: 1 })
        );
        assert_eq!(WritesFromOutside::by("fread"), Some(WritesFromOutside::Pieces { pointer: 0, size: 1 }));
        assert_eq!(WritesFromOutside::by("fgets"), None, "text is no number");
        assert_eq!(WritesFromOutside::by("fwrite"), None);
        assert_eq!(WritesFromOutside::by("__fread_chk").map(WritesFromOutside::arguments), Some(5));
        assert_eq!(WritesFromOutside::by("read").map(WritesFromOutside::arguments), Some(3));
    }
}
