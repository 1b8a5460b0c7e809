//! A macro for enums whose variants each have one spelling in the text form.

/// Declares a field-less enum together with the spelling of each variant.
///
/// The enum gets `ALL`, `mnemonic()` and `from_mnemonic()`, so that printer and parser share one table.
macro_rules! mnemonic_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident = $spelling:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $( $(#[$variant_meta])* #[doc = concat!("\n\nWritten `", $spelling, "`.")] $variant, )+
        }

        impl $name {
            /// Every variant, in order of declaration.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The spelling in the text form.
            pub const fn mnemonic(self) -> &'static str {
                match self { $( Self::$variant => $spelling, )+ }
            }

            /// The variant that is spelled like this, if there is one.
            pub fn from_mnemonic(text: &str) -> Option<Self> {
                match text { $( $spelling => Some(Self::$variant), )+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.mnemonic())
            }
        }
    };
}

pub(crate) use mnemonic_enum;
