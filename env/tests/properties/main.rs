//! Properties of every input: text never panics, and random games keep what the rules promise.

mod dots_and_boxes;
mod queens;
mod xadrersi;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tablero_env::{AnyGame, games};

/// The same inputs in every run; `PROPTEST_CASES` asks for more of them.
fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Text that comes close to a spec.
fn spec() -> impl Strategy<Value = String> {
    let names: Vec<&str> = games().iter().map(|entry| entry.name).collect();
    prop_oneof![
        any::<String>(),
        (prop::sample::select(names), any::<String>())
            .prop_map(|(name, rest)| name.to_owned() + &rest),
        "dots-and-boxes:[0-9x+ -]{0,8}",
        "dots-and-boxes:[0-9]{1,3}x[0-9]{1,25}",
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_spec_is_refused_or_canonical(text in spec()) {
        if let Ok(game) = AnyGame::parse(&text) {
            let spec = game.spec();
            let again = AnyGame::parse(&spec).expect("a printed spec is read back");
            prop_assert_eq!(again.spec(), spec);
        }
    }
}
