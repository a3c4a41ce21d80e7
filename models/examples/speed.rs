//! tmp
use rand::RngExt;
use std::sync::Arc;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::random::stream;
use tablero_env::{ActionId, Game};
use tablero_mcts::{Evaluations, Evaluator, Request};
use tablero_models::*;
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
fn best(mut f: impl FnMut(), per: usize) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..25 {
        let mut n = 0;
        let t = cpu();
        let mut e;
        loop {
            f();
            n += 1;
            e = cpu() - t;
            if e > 0.02 {
                break;
            }
        }
        best = best.min(e / n as f64);
    }
    per as f64 / best
}
fn main() {
    let only = std::env::args().nth(1);
    for (name, config, side) in [
        (
            "mlp3",
            NetworkConfig::Mlp {
                hidden: vec![128, 128],
            },
            3usize,
        ),
        (
            "res8",
            NetworkConfig::Residual {
                blocks: 4,
                channels: 64,
                value_hidden: 64,
            },
            8,
        ),
        (
            "res3",
            NetworkConfig::Residual {
                blocks: 4,
                channels: 64,
                value_hidden: 64,
            },
            3,
        ),
    ] {
        if only.as_deref().is_some_and(|o| o != name) {
            continue;
        }
        let game = DotsAndBoxes::new(side, side).unwrap();
        let shape = NetworkShape::of(&game);
        let w = Weights::init(&config, &shape, 1).unwrap();
        let positions: Vec<(State, Vec<ActionId>)> = (0..128)
            .map(|i| {
                let mut rng = stream(1, "p", i);
                let (mut s, mut l) = (game.initial(), vec![]);
                for _ in 0..rng.random_range(0..game.max_plies()) {
                    let a = game.sample_action(&s, &mut l, &mut rng);
                    game.play_unchecked(&mut s, a);
                }
                game.legal_actions(&s, &mut l);
                (s, l)
            })
            .collect();
        let obs: Vec<f32> = (0..128 * shape.n_inputs())
            .map(|i| (i % 3 == 0) as u8 as f32)
            .collect();
        for set in InstructionSet::available().into_iter().rev() {
            print!("{name} {set:9}");
            let mut e = LeafEvaluator::new(Arc::new(
                LeafNetwork::with_instructions(&config, &shape, &w, set).unwrap(),
            ));
            for b in [1, 8, 32, 128] {
                let mut x = 0.0;
                let r = best(
                    || e.logits(&obs[..b * shape.n_inputs()], |_, l| x += l.wdl()[0]),
                    b,
                );
                let reqs: Vec<Request<'_, DotsAndBoxes>> = positions[..b]
                    .iter()
                    .map(|(state, legal)| Request {
                        state,
                        legal,
                        nonce: 0,
                    })
                    .collect();
                let mut out = Evaluations::new();
                let r2 = best(|| e.evaluate(&game, &reqs, &mut out), b);
                print!("  b{b}: {:.1}k/{:.1}k", r / 1e3, r2 / 1e3);
            }
            println!();
        }
    }
}
