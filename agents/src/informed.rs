//! An evaluator with an analyser beside it (Baier and Winands, "MCTS-Minimax Hybrids", 2015).

use tablero_env::{ForMover, Game};
use tablero_mcts::{Evaluations, Evaluator, Request, Wdl};
use tablero_minimax::{Analyser, Evidence, Playable, analyser};
use tablero_models::SearchConfig;

/// MiB of the analyser's tables.
const TABLE_MIB: usize = 256;

/// An evaluator whose answers an analyser informs; without an analyser, the evaluator alone.
///
/// The analyser remembers as long as the evaluator lives, so one leaf helps the next, and answers
/// depend on what was asked before: it serves one search at a time.
///
/// - What the analyser proves is exact. The evaluator is asked for priors alone, where all is lost
///   and the analyser names no action: what remains is to make it hard. Else half of the prior goes
///   to the action that the analyser would play, where it names one.
/// - Elsewhere the evidence is added: with log-odds x of the analyser and a share s of them,
///   win : loss becomes `win exp(s x) : loss` (Good, "Probability and the Weighing of Evidence",
///   1950). The probability of a draw, the priors and the points lead are the evaluator's.
#[derive(Debug)]
pub struct Informed<G: Game, E> {
    evaluator: E,
    analyser: Option<Box<dyn Analyser<G>>>,
    nodes: u64,
    share: f64,
    evidence: Vec<Evidence>,
    evaluated: Evaluations,
}

impl<G: Playable, E> Informed<G, E> {
    /// As a search is configured.
    #[must_use]
    pub fn new(game: &G, evaluator: E, config: &SearchConfig) -> Self {
        Informed::within(game, evaluator, config, usize::MAX)
    }

    /// The same with tables of `mib` MiB at most.
    #[must_use]
    pub fn within(game: &G, evaluator: E, config: &SearchConfig, mib: usize) -> Self {
        let new_analyser = || analyser(game, TABLE_MIB.min(mib));
        Informed {
            evaluator,
            analyser: config.is_informed().then(new_analyser),
            nodes: config.analyser_nodes,
            share: config.analyser_share.into(),
            evidence: Vec::new(),
            evaluated: Evaluations::new(),
        }
    }
}

impl<G: Game, E> Informed<G, E> {
    /// The evaluator without the analyser.
    pub fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Informed<G, E> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        let Some(analyser) = self.analyser.as_mut() else {
            return self.evaluator.evaluate(game, requests, out);
        };
        self.evidence.clear();
        for request in requests {
            self.evidence
                .push(analyser.analyse(request.state, self.nodes));
        }
        let with_evidence = || requests.iter().zip(&self.evidence);
        let open: Vec<Request<'_, G>> = with_evidence()
            .filter(|(_, evidence)| is_asked(evidence))
            .map(|(request, _)| *request)
            .collect();
        self.evaluator.evaluate(game, &open, &mut self.evaluated);
        out.clear();
        let mut answers = (0..).map(|index| self.evaluated.get(index));
        for (request, evidence) in with_evidence() {
            let answer = is_asked(evidence).then(|| answers.next().expect("one answer a request"));
            match (evidence.proven, answer) {
                (Some(value), Some(answer)) => out
                    .push_proven(request.legal.len(), value)
                    .copy_from_slice(answer.priors),
                (Some(value), None) => push_proven(out, request, evidence, value),
                (None, answer) => {
                    let answer = answer.expect("what is open is asked");
                    let wdl = weighed(answer.wdl.0, self.share * evidence.log_odds.0);
                    out.push(request.legal.len(), ForMover(wdl), answer.points_lead)
                        .copy_from_slice(answer.priors);
                }
            }
        }
    }
}

/// Whether the evaluator is asked beside the analyser.
fn is_asked(evidence: &Evidence) -> bool {
    match evidence.proven {
        Some(value) => value.0 == -1 && evidence.best.is_none(),
        None => true,
    }
}

/// Half of the prior to the action that the analyser names, the rest in equal parts.
fn push_proven<G: Game>(
    out: &mut Evaluations,
    request: &Request<'_, G>,
    evidence: &Evidence,
    value: ForMover<i8>,
) {
    let n_legal = request.legal.len();
    let priors = out.push_proven(n_legal, value);
    priors.fill(1.0 / n_legal as f32);
    let best = evidence.best;
    if let Some(place) = best.and_then(|action| request.legal.binary_search(&action).ok()) {
        priors.iter_mut().for_each(|prior| *prior /= 2.0);
        priors[place] += 0.5;
    }
}

/// The probabilities after so much evidence more for a win.
fn weighed(wdl: Wdl, log_odds: f64) -> Wdl {
    let half = (log_odds / 2.0).exp() as f32;
    let (win, loss) = (wdl.win * half, wdl.loss / half);
    let decided = wdl.win + wdl.loss;
    let total = win + loss;
    if total > 0.0 {
        Wdl {
            win: decided * win / total,
            draw: wdl.draw,
            loss: decided * loss / total,
        }
    } else {
        wdl
    }
}
