//! Times [`VecEnv`] on actions that are given, for `tests/outside/vector_env_speed.py`: what the
//! same steps cost without Python.
//!
//! ```text
//! vec_env_steps SPEC N_ENVS MAX_PLIES FILE
//! ```
//! FILE holds actions as 32-bit numbers, little-endian, `[steps, N_ENVS]`; a `MAX_PLIES` of 0 is no
//! limit. Prints steps of one environment a second.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;
use tablero_env::{ActionId, AnyGame, Autoreset, BoardGame, EnvOptions, VecEnv, with_game};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [spec, n_envs, max_plies, file] = &arguments[..] else {
        return Err("expected SPEC N_ENVS MAX_PLIES FILE".into());
    };
    let bytes = std::fs::read(file)?;
    let (numbers, _) = bytes.as_chunks();
    let actions: Vec<ActionId> = numbers
        .iter()
        .map(|&bytes| ActionId(u32::from_le_bytes(bytes)))
        .collect();
    let options = EnvOptions {
        max_plies: Some(max_plies.parse()?).filter(|&limit| limit > 0),
        ..EnvOptions::default()
    };
    let n_envs = n_envs.parse()?;
    let any = AnyGame::parse(spec)?;
    let rate = with_game!(&any, game => rate(game, n_envs, options, &actions))?;
    println!("{rate:.0}");
    Ok(())
}

fn rate<G: BoardGame>(
    game: &G,
    n_envs: usize,
    options: EnvOptions,
    actions: &[ActionId],
) -> Result<f64, Box<dyn Error>> {
    let mut envs = VecEnv::new(game.clone(), n_envs, options, Autoreset::SameStep);
    envs.reset(1);
    let start = Instant::now();
    for actions in actions.chunks_exact(n_envs) {
        let step = envs.step(actions)?;
        black_box(step.observations.as_ptr());
    }
    Ok(actions.len() as f64 / start.elapsed().as_secs_f64())
}
