//! Enums whose variants have names.

/// Defines an enum with a name for each variant, and with a text where that is wanted: of each, the method that gives it is named.
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $type:ident($name_of:ident) {
            $($(#[$of:meta])* $variant:ident = $name:literal;)+
        }
    ) => {
        $(#[$meta])*
        $vis enum $type { $($(#[$of])* $variant,)+ }

        impl $type {
            /// All of them, in their order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns the name.
            pub fn $name_of(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis enum $type:ident($name_of:ident, $text_of:ident) {
            $($(#[$of:meta])* $variant:ident = $name:literal, $text:literal;)+
        }
    ) => {
        $crate::named! {
            $(#[$meta])*
            $vis enum $type($name_of) { $($(#[$of])* $variant = $name;)+ }
        }

        impl $type {
            /// Says what it means.
            pub fn $text_of(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }
    };
}
