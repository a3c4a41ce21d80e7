//! Every game keeps the laws, and a game that breaks one is caught.

use rand::{Rng, RngExt};
use std::cell::Cell;
use tablero_env::conformance::{Law, Violation, check};
use tablero_env::dots_and_boxes::{DotsAndBoxes, Illegal, Played, State};
use tablero_env::{
    ActionId, AnyGame, Encode, GAMES, Game, Notation, NotationError, Outcome, Player, with_game,
};

#[test]
fn every_registered_game_keeps_the_laws_by_default() {
    for entry in GAMES {
        let any = AnyGame::parse(entry.name).unwrap();
        with_game!(&any, game => check(game, 3, 0).unwrap_or_else(|violation| panic!("{violation}")));
    }
}

#[test]
fn dots_and_boxes_keeps_the_laws_on_small_and_large_boards() {
    let sizes = [
        ((1, 1), 20),
        ((1, 2), 20),
        ((2, 1), 20),
        ((2, 2), 20),
        ((3, 3), 10),
        ((2, 5), 10),
        ((4, 3), 5),
        ((5, 5), 3),
        // 63, 64 and 65 boxes or edges, about the width of a machine word.
        ((1, 10), 3),
        ((10, 1), 3),
        ((7, 9), 1),
        ((8, 8), 1),
        ((9, 10), 1),
        ((10, 10), 1),
    ];
    for ((rows, cols), n_games) in sizes {
        let game = DotsAndBoxes::new(rows, cols).unwrap();
        let report = check(&game, n_games, 1).unwrap_or_else(|violation| panic!("{violation}"));
        // The game is played to the last edge, always.
        let n_edges = game.n_edges();
        assert_eq!(report.longest, n_edges);
        assert_eq!(report.states, n_games * (n_edges + 1));
        assert_eq!(report.moves, n_games * n_edges * (n_edges + 1) / 2);
    }
}

#[test]
fn a_check_is_reproducible_and_depends_on_the_seed() {
    let broken = Broken(Flaw::LongerThanDeclared);
    let violation = |seed| check(&broken, 5, seed).unwrap_err();
    assert_eq!(violation(1), violation(1));
    assert_ne!(violation(1).actions, violation(2).actions);
}

/// One way to break the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    NoActions,
    PlaneWithoutDescription,
    SecondPlayerBegins,
    UnsortedActions,
    RepeatedAction,
    BufferNotCleared,
    FewerActionsDeclared,
    ActionsAfterTheEnd,
    MissesALegalAction,
    AcceptsBeyondTheLastId,
    WrongReason,
    MaskMissesAnAction,
    MaskKeepsOldEntries,
    RefusedMoveChangesTheState,
    LastMoveLeavesTheMover,
    RefusesAListedAction,
    SharedBetweenClones,
    SamplesTheFirst,
    SamplesWithTwoDraws,
    PlayoutOfAnotherOutcome,
    PlayoutOfTheOldBuffer,
    OverBeforeTheOutcome,
    PointsOfTheOutcomeDiffer,
    LongerThanDeclared,
    SameTextForTwoActions,
    ActionTextIsAnotherId,
    StateTextForgetsTheMover,
    StateTextOfTwoLines,
    HashCountsPlies,
    /// Which the text tells too.
    HashOfTheHistory,
    StdHashOfTheHistory,
    ObservationOfTheHistory,
    ObservationLeavesAGap,
    ObservationOutOfRange,
    SharedSlot,
    SlotOutOfRange,
    FirstSymmetryMoves,
    SymmetrySwapsPoints,
    SymmetryOfActionsOnly,
    SymmetryOfStatesOnly,
}

/// Dots and Boxes on 2x2 with one flaw.
#[derive(Clone, Debug)]
struct Broken(Flaw);

/// A position, and what a flawed game may wrongly look at.
#[derive(Clone, Debug)]
struct Tainted {
    inner: State,
    plies: u32,
    last: ActionId,
    /// Whether the last action has a higher id than the one before.
    rising: bool,
    std_hash_of_history: bool,
}

impl PartialEq for Tainted {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl Eq for Tainted {}

impl std::hash::Hash for Tainted {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.inner.hash(hasher);
        if self.std_hash_of_history {
            self.rising.hash(hasher);
        }
    }
}

thread_local! {
    /// What the clones of `Flaw::SharedBetweenClones` share.
    static SHARED: Cell<u64> = const { Cell::new(0) };
}

fn rules() -> DotsAndBoxes {
    DotsAndBoxes::new(2, 2).unwrap()
}

impl Broken {
    fn is(&self, flaw: Flaw) -> bool {
        self.0 == flaw
    }

    fn tainted(&self, inner: State) -> Tainted {
        Tainted {
            inner,
            plies: 0,
            last: ActionId(0),
            rising: false,
            std_hash_of_history: self.is(Flaw::StdHashOfTheHistory),
        }
    }

    fn record(state: &mut Tainted, action: ActionId) {
        state.plies += 1;
        state.rising = action > state.last;
        state.last = action;
        SHARED.set(SHARED.get() + 1);
    }
}

impl Game for Broken {
    type State = Tainted;
    type Played = Played;
    type Illegal = Illegal;
    const RULES_VERSION: u32 = 1;

    fn spec(&self) -> String {
        format!("broken:{:?}", self.0)
    }

    fn n_actions(&self) -> usize {
        if self.is(Flaw::NoActions) { 0 } else { 12 }
    }

    fn max_plies(&self) -> Option<usize> {
        Some(if self.is(Flaw::LongerThanDeclared) {
            11
        } else {
            12
        })
    }

    fn max_legal_actions(&self) -> usize {
        if self.is(Flaw::FewerActionsDeclared) {
            11
        } else {
            12
        }
    }

    fn initial(&self) -> Tainted {
        let inner = if self.is(Flaw::SecondPlayerBegins) {
            rules().parse_state("00/00/00:000/000:../..:1").unwrap()
        } else {
            rules().initial()
        };
        self.tainted(inner)
    }

    fn player_to_move(&self, state: &Tainted) -> Player {
        rules().player_to_move(&state.inner)
    }

    fn outcome(&self, state: &Tainted) -> Option<Outcome> {
        let mut outcome = rules().outcome(&state.inner)?;
        if self.is(Flaw::PointsOfTheOutcomeDiffer) {
            outcome.points = Some([4, 4]);
        }
        Some(outcome)
    }

    fn is_over(&self, state: &Tainted) -> bool {
        rules().is_over(&state.inner)
            || self.is(Flaw::OverBeforeTheOutcome) && state.inner.edges().len() == 11
    }

    fn points(&self, state: &Tainted) -> Option<[i32; 2]> {
        rules().points(&state.inner)
    }

    fn legal_actions(&self, state: &Tainted, out: &mut Vec<ActionId>) {
        let old = out.clone();
        rules().legal_actions(&state.inner, out);
        match self.0 {
            Flaw::UnsortedActions => out.reverse(),
            Flaw::RepeatedAction => out.extend(out.last().copied()),
            Flaw::BufferNotCleared => *out = [old, out.clone()].concat(),
            Flaw::ActionsAfterTheEnd if out.is_empty() => out.push(ActionId(3)),
            _ => {}
        }
    }

    fn write_mask(&self, state: &Tainted, buffer: &mut Vec<ActionId>, mask: &mut [i8]) {
        if !self.is(Flaw::MaskKeepsOldEntries) {
            mask.fill(0);
        }
        self.legal_actions(state, buffer);
        let skip = usize::from(self.is(Flaw::MaskMissesAnAction));
        for action in buffer.iter().skip(skip) {
            mask[action.index()] = 1;
        }
    }

    fn legality(&self, state: &Tainted, action: ActionId) -> Result<(), Illegal> {
        if self.is(Flaw::AcceptsBeyondTheLastId) && action.0 == 12 {
            return Ok(());
        }
        if self.is(Flaw::MissesALegalAction) && action.0 == 7 {
            return Err(Illegal::AlreadyDrawn(7));
        }
        rules().legality(&state.inner, action)
    }

    fn play(&self, state: &mut Tainted, action: ActionId) -> Result<Played, Illegal> {
        if self.is(Flaw::RefusesAListedAction) && action.0 == 7 {
            return Err(Illegal::GameOver);
        }
        if self.is(Flaw::AcceptsBeyondTheLastId) && action.0 == 12 {
            return Err(Illegal::GameOver);
        }
        let result = rules().play(&mut state.inner, action);
        match (&result, self.0) {
            (Ok(_), _) => Broken::record(state, action),
            (Err(_), Flaw::WrongReason) => return Err(Illegal::AlreadyDrawn(99)),
            (Err(_), Flaw::RefusedMoveChangesTheState) => {
                let text = rules().state_text(&state.inner);
                let (board, mover) = text.rsplit_once(':').unwrap();
                let other = if mover == "0" { 1 } else { 0 };
                state.inner = rules().parse_state(&format!("{board}:{other}")).unwrap();
            }
            (Err(_), _) => {}
        }
        result
    }

    fn play_unchecked(&self, state: &mut Tainted, action: ActionId) {
        let mover = rules().player_to_move(&state.inner);
        rules().play_unchecked(&mut state.inner, action);
        Broken::record(state, action);
        if self.is(Flaw::LastMoveLeavesTheMover) && action.0 == 11 {
            let text = rules().state_text(&state.inner);
            let (board, _) = text.rsplit_once(':').unwrap();
            state.inner = rules().parse_state(&format!("{board}:{mover}")).unwrap();
        }
    }

    fn hash(&self, state: &Tainted) -> u64 {
        let hash = rules().hash(&state.inner);
        match self.0 {
            Flaw::HashCountsPlies => hash ^ u64::from(state.plies),
            Flaw::HashOfTheHistory => hash ^ u64::from(state.rising),
            Flaw::SharedBetweenClones => hash ^ SHARED.get(),
            _ => hash,
        }
    }

    fn sample_action<R: Rng + ?Sized>(
        &self,
        state: &Tainted,
        buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> ActionId {
        self.legal_actions(state, buffer);
        let k = rng.random_range(0..buffer.len());
        match self.0 {
            Flaw::SamplesTheFirst => buffer[0],
            Flaw::SamplesWithTwoDraws => {
                rng.next_u64();
                buffer[k]
            }
            _ => buffer[k],
        }
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut Tainted,
        buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> Outcome {
        if self.is(Flaw::PlayoutOfTheOldBuffer) && !buffer.is_empty() {
            rng.next_u64();
        }
        let outcome = rules().playout(&mut state.inner, buffer, rng);
        if self.is(Flaw::PlayoutOfAnotherOutcome) {
            return Outcome::from_points([4, 0]);
        }
        outcome
    }
}

impl Encode for Broken {
    const ENCODING_VERSION: u32 = 1;

    fn observation_shape(&self) -> [usize; 3] {
        rules().observation_shape()
    }

    fn plane_descriptions(&self) -> Vec<String> {
        let mut descriptions = rules().plane_descriptions();
        if self.is(Flaw::PlaneWithoutDescription) {
            descriptions.pop();
        }
        descriptions
    }

    fn write_observation(&self, state: &Tainted, out: &mut [f32]) {
        let last = out[out.len() - 1];
        rules().write_observation(&state.inner, out);
        match self.0 {
            Flaw::ObservationOfTheHistory => out[0] = f32::from(u8::from(state.rising)),
            Flaw::ObservationLeavesAGap => *out.last_mut().unwrap() = last,
            Flaw::ObservationOutOfRange => out[0] *= 2.0,
            _ => {}
        }
    }

    fn policy_planes(&self) -> usize {
        rules().policy_planes()
    }

    fn policy_slot(&self, state: &Tainted, action: ActionId) -> usize {
        match (self.0, action.0) {
            (Flaw::SharedSlot, 5) => self.policy_slot(state, ActionId(6)),
            (Flaw::SlotOutOfRange, 5) => self.n_policy_slots(),
            _ => rules().policy_slot(&state.inner, action),
        }
    }

    fn n_symmetries(&self) -> usize {
        rules().n_symmetries()
    }

    fn transform(&self, symmetry: usize, state: &Tainted) -> Tainted {
        let symmetry = match self.0 {
            Flaw::FirstSymmetryMoves => (symmetry + 1) % self.n_symmetries(),
            Flaw::SymmetryOfActionsOnly => 0,
            _ => symmetry,
        };
        let mut inner = rules().transform(symmetry, &state.inner);
        if self.is(Flaw::SymmetrySwapsPoints) && symmetry == 3 {
            let text = rules().state_text(&inner);
            let parts: Vec<&str> = text.split(':').collect();
            let owners: String = parts[2]
                .chars()
                .map(|owner| match owner {
                    '0' => '1',
                    '1' => '0',
                    other => other,
                })
                .collect();
            let swapped = [parts[0], parts[1], &owners, parts[3]].join(":");
            inner = rules().parse_state(&swapped).unwrap();
        }
        Tainted {
            inner,
            ..state.clone()
        }
    }

    fn transform_action(&self, symmetry: usize, state: &Tainted, action: ActionId) -> ActionId {
        let symmetry = match self.0 {
            Flaw::FirstSymmetryMoves => (symmetry + 1) % self.n_symmetries(),
            Flaw::SymmetryOfStatesOnly => 0,
            _ => symmetry,
        };
        rules().transform_action(symmetry, &state.inner, action)
    }
}

impl Notation for Broken {
    fn action_text(&self, state: &Tainted, action: ActionId) -> String {
        match self.0 {
            Flaw::SameTextForTwoActions if action.0 == 5 => {
                rules().action_text(&state.inner, ActionId(6))
            }
            Flaw::ActionTextIsAnotherId => (11 - action.0).to_string(),
            _ => rules().action_text(&state.inner, action),
        }
    }

    fn parse_action(&self, state: &Tainted, text: &str) -> Result<ActionId, NotationError> {
        if self.is(Flaw::ActionTextIsAnotherId) {
            return Ok(ActionId(11 - text.parse::<u32>().unwrap()));
        }
        rules().parse_action(&state.inner, text)
    }

    fn state_text(&self, state: &Tainted) -> String {
        let text = rules().state_text(&state.inner);
        match self.0 {
            Flaw::StateTextForgetsTheMover => {
                format!("{}:0", text.rsplit_once(':').unwrap().0)
            }
            Flaw::StateTextOfTwoLines => text.replace(':', "\n"),
            Flaw::HashOfTheHistory if state.rising => format!("rising:{text}"),
            _ => text,
        }
    }

    fn parse_state(&self, text: &str) -> Result<Tainted, NotationError> {
        let (rising, text) = match text.strip_prefix("rising:") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let inner = rules().parse_state(&text.replace(' ', ":"))?;
        Ok(Tainted {
            rising,
            ..self.tainted(inner)
        })
    }

    fn draw(&self, state: &Tainted) -> String {
        rules().draw(&state.inner)
    }
}

#[test]
fn the_wrapper_without_a_flaw_keeps_the_laws() {
    check(&Broken(Flaw::None), 20, 0).unwrap_or_else(|violation| panic!("{violation}"));
}

#[test]
fn each_flaw_is_caught_as_a_breach_of_its_law() {
    for (flaw, law) in [
        (Flaw::NoActions, Law::Declared),
        (Flaw::PlaneWithoutDescription, Law::Declared),
        (Flaw::SecondPlayerBegins, Law::Initial),
        (Flaw::UnsortedActions, Law::Legal),
        (Flaw::RepeatedAction, Law::Legal),
        (Flaw::BufferNotCleared, Law::Legal),
        (Flaw::FewerActionsDeclared, Law::Legal),
        (Flaw::ActionsAfterTheEnd, Law::Legal),
        (Flaw::MissesALegalAction, Law::Legality),
        (Flaw::AcceptsBeyondTheLastId, Law::Legality),
        (Flaw::WrongReason, Law::Refusal),
        (Flaw::RefusedMoveChangesTheState, Law::Refusal),
        (Flaw::MaskMissesAnAction, Law::Mask),
        (Flaw::MaskKeepsOldEntries, Law::Mask),
        (Flaw::LastMoveLeavesTheMover, Law::Play),
        (Flaw::RefusesAListedAction, Law::Play),
        (Flaw::SharedBetweenClones, Law::Clones),
        (Flaw::SamplesTheFirst, Law::Sample),
        (Flaw::SamplesWithTwoDraws, Law::Sample),
        (Flaw::PlayoutOfAnotherOutcome, Law::Playout),
        (Flaw::PlayoutOfTheOldBuffer, Law::Playout),
        (Flaw::OverBeforeTheOutcome, Law::Ending),
        (Flaw::PointsOfTheOutcomeDiffer, Law::Ending),
        (Flaw::LongerThanDeclared, Law::Length),
        (Flaw::SameTextForTwoActions, Law::ActionText),
        (Flaw::ActionTextIsAnotherId, Law::ActionText),
        (Flaw::StateTextForgetsTheMover, Law::StateText),
        (Flaw::StateTextOfTwoLines, Law::StateText),
        (Flaw::HashCountsPlies, Law::Hash),
        // Read back from the text, so that only two orders of moves show it.
        (Flaw::HashOfTheHistory, Law::Equality),
        (Flaw::StdHashOfTheHistory, Law::Equality),
        (Flaw::ObservationOfTheHistory, Law::Observation),
        (Flaw::ObservationLeavesAGap, Law::Observation),
        (Flaw::ObservationOutOfRange, Law::Observation),
        (Flaw::SharedSlot, Law::Slots),
        (Flaw::SlotOutOfRange, Law::Slots),
        (Flaw::FirstSymmetryMoves, Law::Symmetry),
        (Flaw::SymmetrySwapsPoints, Law::Symmetry),
        (Flaw::SymmetryOfActionsOnly, Law::Symmetry),
        (Flaw::SymmetryOfStatesOnly, Law::Symmetry),
    ] {
        let violation = check(&Broken(flaw), 20, 0).expect_err(&format!("{flaw:?}"));
        assert_eq!(violation.law, law, "{flaw:?}: {violation}");
    }
}

#[test]
fn a_violation_tells_where_it_is() {
    let Violation {
        game,
        law,
        state,
        actions,
        ..
    } = check(&Broken(Flaw::LongerThanDeclared), 1, 0).unwrap_err();
    assert_eq!(
        (game.as_str(), law),
        ("broken:LongerThanDeclared", Law::Length)
    );
    assert_eq!(actions.len(), 11);
    let mut replayed = rules().initial();
    for &action in &actions {
        rules().play(&mut replayed, action).unwrap();
    }
    assert_eq!(rules().state_text(&replayed), state);
}
