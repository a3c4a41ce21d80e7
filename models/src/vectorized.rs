//! Plain code, compiled for each set of instructions.

use crate::leaf::PANEL;

/// A vector: the channels of a cell come in whole panels.
pub(crate) type Panel = [f32; PANEL];

/// The panels of some values.
#[inline(always)]
pub(crate) fn panels(values: &[f32]) -> &[Panel] {
    values.as_chunks().0
}

/// The same, to be changed.
#[inline(always)]
pub(crate) fn panels_mut(values: &mut [f32]) -> &mut [Panel] {
    values.as_chunks_mut().0
}

/// Defines a function that takes a set of instructions and runs plain code compiled for it. No
/// set rounds otherwise than another.
macro_rules! vectorized {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block
    ) => {
        $(#[$attribute])*
        $visibility fn $name(instructions: InstructionSet, $($argument: $type),*) {
            #[inline(always)]
            fn body($($argument: $type),*) $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            fn avx512($($argument: $type),*) {
                body($($argument),*);
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($($argument: $type),*) {
                body($($argument),*);
            }

            assert!(instructions.is_available());
            match instructions {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the machine has the instructions.
                InstructionSet::Avx512 => unsafe {
                    avx512($($argument),*)
                },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the machine has the instructions.
                InstructionSet::Avx2 => unsafe { avx2($($argument),*) },
                _ => body($($argument),*),
            }
        }
    };
}

pub(crate) use vectorized;
