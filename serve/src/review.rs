//! A game judged decision by decision.

use crate::error::Refusal;
use crate::line::Line;
use crate::look::{SEED, Sink};
use crate::roster::Loaded;
use serde::Serialize;
use tablero_agents::PlayerSpec;
use tablero_agents::analysis::{Analysis, Analyst, MoveAnalysis};
use tablero_env::{ActionId, ForFirst, Player};
use tablero_minimax::Playable;

/// A position of the game, judged. Values are those of the first player.
#[derive(Debug, Serialize)]
struct Judged {
    /// The actions played before.
    ply: usize,
    player: Player,
    /// Whether the values are exact; else they are estimated.
    exact: bool,
    value: Option<ForFirst<f32>>,
    lead: Option<ForFirst<f32>>,
    /// The probabilities of a win of the first player, a draw and a loss, by tree search.
    wdl: Option<[f32; 3]>,
    best: Judgement,
    /// What was played; none in the last position of an unfinished game.
    played: Option<Judgement>,
    /// The actions that keep the exact result, if it is known.
    n_keeping: Option<usize>,
    n_legal: usize,
}

/// An action and what it leads to.
#[derive(Debug, Serialize)]
struct Judgement {
    action: ActionId,
    text: String,
    value: Option<ForFirst<f32>>,
    proven: Option<ForFirst<i8>>,
    lead: Option<ForFirst<f32>>,
    line: Vec<String>,
}

/// Judges every position of a game, with an event `judged` for each: exactly where the solver is quick,
/// else by the player given. The solver has a table of `table_mib` MiB at most.
pub(crate) fn review<G: Playable>(
    game: &G,
    line: &Line,
    player: &Loaded,
    table_mib: usize,
    sink: &Sink,
) -> Result<usize, Refusal> {
    let states = line.states(game)?;
    let mut estimator = player.player.analyst(game).map_err(Refusal::illegal)?;
    let mut solver = solver(game, table_mib);
    let mut n_judged = 0;
    for (ply, state) in states.iter().enumerate() {
        if game.is_over(state) || sink.cancel().is_cancelled() {
            break;
        }
        let exact = solver
            .as_mut()
            .filter(|_| game.is_quickly_solved(state))
            .and_then(|solver| solver.follow(state, SEED, sink.cancel(), &mut |_| ()).ok());
        let is_exact = exact.is_some();
        let analysis = match exact {
            Some(analysis) => analysis,
            None => estimator
                .follow(state, SEED, sink.cancel(), &mut |_| ())
                .map_err(Refusal::illegal)?,
        };
        let mover = game.player_to_move(state);
        let played = line.actions().get(ply).copied();
        sink.send("judged", &judged(ply, mover, is_exact, &analysis, played));
        n_judged += 1;
    }
    Ok(n_judged)
}

fn solver<G: Playable>(game: &G, table_mib: usize) -> Option<Analyst<G>> {
    let solver = PlayerSpec::Solver.load(game).ok()?;
    solver.with_tables_within(table_mib).analyst(game).ok()
}

fn judged(
    ply: usize,
    mover: Player,
    exact: bool,
    analysis: &Analysis,
    played: Option<ActionId>,
) -> Judged {
    let find = |action: ActionId| {
        let mut moves = analysis.moves.iter();
        let found = moves.find(|mv| mv.action == action)?;
        Some(judgement(mover, found))
    };
    let keeping = analysis.moves.iter();
    let keeping = keeping.filter(|mv| mv.proven.is_some() && mv.proven == analysis.proven);
    Judged {
        ply,
        player: mover,
        exact,
        value: analysis.value.map(|value| value.for_first(mover)),
        lead: analysis.lead.map(|lead| lead.for_first(mover)),
        wdl: analysis.wdl.map(|wdl| match (mover, wdl.0) {
            (Player::First, wdl) => wdl,
            (Player::Second, [win, draw, loss]) => [loss, draw, win],
        }),
        best: find(analysis.action).unwrap_or_else(|| Judgement {
            action: analysis.action,
            text: analysis.text.clone(),
            value: None,
            proven: None,
            lead: None,
            line: analysis.line.clone(),
        }),
        played: played.and_then(find),
        n_keeping: exact.then(|| keeping.count()),
        n_legal: analysis.moves.len(),
    }
}

fn judgement(mover: Player, mv: &MoveAnalysis) -> Judgement {
    Judgement {
        action: mv.action,
        text: mv.text.clone(),
        value: mv.value.map(|value| value.for_first(mover)),
        proven: mv.proven.map(|value| value.for_first(mover)),
        lead: mv.lead.map(|lead| lead.for_first(mover)),
        line: mv.line.clone(),
    }
}
