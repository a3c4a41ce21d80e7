//! Move counts of Hive that other engines have published.

use tablero_env::Game;
use tablero_env::hive::Hive;
use tablero_env::perft::perft;

/// Leaf counts from the empty board, depths 1 to 6. Source: the perft tables published with the
/// engine Mzinga. Neither side may place its queen on its first turn, the first piece lies on the
/// origin, the reply counts on all six sides, and a throw that equals a walk counts once.
const PERFT: [(&str, [u64; 6]); 8] = [
    ("Base", [4, 96, 1440, 21_600, 516_240, 12_219_480]),
    ("Base+M", [5, 150, 2610, 45_414, 1_252_800, 34_233_432]),
    ("Base+L", [5, 150, 2610, 45_414, 1_252_800, 34_233_672]),
    ("Base+P", [5, 150, 2610, 45_414, 1_255_932, 34_395_984]),
    ("Base+ML", [6, 216, 4320, 86_400, 2_725_920, 85_201_200]),
    ("Base+MP", [6, 216, 4320, 86_400, 2_730_888, 85_492_248]),
    ("Base+LP", [6, 216, 4320, 86_400, 2_730_240, 85_457_136]),
    ("Base+MLP", [7, 294, 6678, 151_686, 5_427_108, 192_353_904]),
];

#[test]
fn perft_is_the_published_one() {
    for (game_type, expected) in PERFT {
        let game = Hive::parse(game_type).unwrap();
        let depth = 5;
        assert_eq!(
            perft(&game, &game.initial(), depth),
            expected[..depth],
            "{game_type}"
        );
    }
}
