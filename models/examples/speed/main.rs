//! How fast networks are, for scripts that set them beside other programs.
//!
//! Reads commands from the standard input, a line each, and answers each with a line. Leaf
//! evaluation:
//!
//! - `leaf write DIR` puts the weights of all networks there, as `NAME.safetensors`, and the logits
//!   of some observations as `NAME.observations` and `NAME.logits` (32-bit floats; policy, then win,
//!   draw, loss);
//! - `leaf time NAME BATCH SECONDS` answers with positions a second of processor time;
//! - `leaf workers NAME BATCH SECONDS N` with positions a second of the clock by N threads together;
//! - `leaf peak SECONDS` with the floating-point operations (32 bits, a multiply-add is two) that
//!   one thread does a second of processor time in registers alone.
//!
//! Leaf evaluation of sparse networks, one position at a time:
//!
//! - `sparse write DIR` puts all networks there, as `NAME.onnx`, and `NAME.json`: a list of positions
//!   with `features`, `actions` (the features of each), and the logits `policy` and `wdl`;
//! - `sparse time NAME SECONDS` answers with positions a second of processor time.
//!
//! Training:
//!
//! - `training write DIR` puts the weights of all networks there, and a batch to train on:
//!   `NAME.observations`, `NAME.policy` and `NAME.wdl`;
//! - `training losses NAME N` answers with the losses of N steps on that batch, each before its step;
//! - `training time NAME SECONDS` with steps a second of processor time.
//!
//! Training of sparse networks:
//!
//! - `sparse-training write DIR NAME` puts the weights of a network there, as `NAME.safetensors`, and a batch to
//!   train on, as `NAME.json`: the fields of a `SparseBatch`, `n_legal`, and the targets `policy` and `wdl`;
//! - `sparse-training losses NAME N` answers with the losses of N steps on that batch, each before its step;
//! - `sparse-training time NAME SECONDS THREADS` with positions a second: of processor time with one thread,
//!   else of the clock.

mod leaf;
mod networks;
mod sparse;
mod sparse_training;
mod training;

use std::error::Error;
use std::io::BufRead;
use std::path::Path;

fn answer(line: &str) -> Result<String, Box<dyn Error>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["leaf", "write", directory] => leaf::write(Path::new(directory)),
        ["leaf", "peak", seconds] => Ok(format!("{:.4e}", leaf::peak(seconds.parse()?)?)),
        ["leaf", "time", name, batch, seconds] => {
            let rate = leaf::time(name, batch.parse()?, seconds.parse()?)?;
            Ok(format!("{rate:.1}"))
        }
        ["leaf", "workers", name, batch, seconds, n] => {
            let rate = leaf::time_workers(name, batch.parse()?, seconds.parse()?, n.parse()?)?;
            Ok(format!("{rate:.1}"))
        }
        ["sparse", "write", directory] => sparse::write(Path::new(directory)),
        ["sparse", "time", name, seconds] => {
            Ok(format!("{:.1}", sparse::time(name, seconds.parse()?)?))
        }
        ["training", "write", directory] => training::write(Path::new(directory)),
        ["training", "losses", name, n] => training::losses(name, n.parse()?),
        ["training", "time", name, seconds] => {
            Ok(format!("{:.4}", training::time(name, seconds.parse()?)?))
        }
        ["sparse-training", "write", directory, name] => {
            sparse_training::write(Path::new(directory), name)
        }
        ["sparse-training", "losses", name, n] => sparse_training::losses(name, n.parse()?),
        ["sparse-training", "time", name, seconds, threads] => {
            let rate = sparse_training::time(name, seconds.parse()?, threads.parse()?)?;
            Ok(format!("{rate:.1}"))
        }
        _ => Err(format!(
            "expected a command of leaf, sparse, training or sparse-training, got {line:?}"
        )
        .into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lock().lines() {
        println!("{}", answer(&line?)?);
    }
    Ok(())
}
