//! How the fuzz targets read their input.
//!
//! An input is a first line that names a game and a rest that the target reads, so that the fuzzer
//! can change both. A first line that names no game still picks one: every registered game is
//! reached without a seed of its own.

use tablero_env::{ActionId, AnyGame, BoardGame, games};

/// Reads the first line as a spec, and gives the game and the rest of the input. A line that is
/// no spec stands for a registered game with its default parameters, picked by the line's bytes.
#[must_use]
pub fn split_game(input: &[u8]) -> (AnyGame, &[u8]) {
    let end = input.iter().position(|&byte| byte == b'\n');
    let (line, rest) = match end {
        Some(end) => (&input[..end], &input[end + 1..]),
        None => (input, &[][..]),
    };
    let named = std::str::from_utf8(line).ok().map(AnyGame::parse);
    if let Some(Ok(game)) = named {
        return (game, rest);
    }
    let sum: usize = line.iter().map(|&byte| usize::from(byte)).sum();
    let entry = &games()[sum % games().len()];
    (
        AnyGame::parse(entry.name).expect("the default parameters are valid"),
        rest,
    )
}

/// What a step of an input asks for.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// The legal action with this number, counted round and round.
    Legal(usize),
    /// This id, whatever it may be.
    Id(ActionId),
}

/// Reads the bytes as choices: two bytes each, and four more for an id. Half of the ids are below
/// `n_actions`, the others anything.
pub fn choices(bytes: &[u8], n_actions: usize) -> impl Iterator<Item = Choice> {
    let mut bytes = bytes.iter().copied();
    std::iter::from_fn(move || {
        let word = u16::from_le_bytes([bytes.next()?, bytes.next()?]);
        if word % 4 != 3 {
            return Some(Choice::Legal(usize::from(word / 4)));
        }
        let id = u32::from_le_bytes([bytes.next()?, bytes.next()?, bytes.next()?, bytes.next()?]);
        let n_actions = u32::try_from(n_actions).expect("ids are 32 bits");
        Some(Choice::Id(ActionId(if id % 2 == 0 {
            id / 2 % n_actions
        } else {
            id
        })))
    })
}

/// The legal actions of a state, after trying that the list, the predicates and the mask say the
/// same.
///
/// # Panics
/// If they do not.
pub fn checked_legal_actions<G: BoardGame>(game: &G, state: &G::State) -> Vec<ActionId> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    assert!(legal.is_sorted_by(|a, b| a < b), "not ascending: {legal:?}");
    assert!(legal.len() <= game.max_legal_actions());
    assert_eq!(legal.is_empty(), game.is_over(state));
    assert_eq!(game.is_over(state), game.outcome(state).is_some());
    for &action in &legal {
        assert!(action.index() < game.n_actions());
        assert_eq!(game.legality(state, action), Ok(()));
    }
    let mut buffer = Vec::new();
    assert_eq!(game.n_legal_actions(state, &mut buffer), legal.len());
    let mut mask = vec![-1; game.n_actions()];
    game.write_mask(state, &mut buffer, &mut mask);
    let marked = (0u32..).zip(&mask).filter(|&(_, &entry)| entry == 1);
    assert!(marked.map(|(id, _)| ActionId(id)).eq(legal.iter().copied()));
    assert!(mask.iter().all(|&entry| entry == 0 || entry == 1));
    legal
}

/// The state is read back from its text, hash and all.
///
/// # Panics
/// If it is not.
pub fn check_state_text<G: BoardGame>(game: &G, state: &G::State) {
    let text = game.state_text(state);
    assert!(!text.contains('\n'));
    let read = game
        .parse_state(&text)
        .unwrap_or_else(|error| panic!("{text:?} is not read back: {error}"));
    assert!(
        read == *state,
        "{text:?} is read as {read:?}, not {state:?}"
    );
    assert_eq!(game.state_text(&read), text);
    assert_eq!(game.hash(&read), game.hash(state), "hash of {text:?}");
    assert_eq!(game.outcome(&read), game.outcome(state));
    assert_eq!(game.points(&read), game.points(state));
}
