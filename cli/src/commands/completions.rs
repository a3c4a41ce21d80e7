//! `tablero completions`.

use crate::failure::Failure;
use clap_complete::{Shell, generate};
use std::io::{Write, stdout};

/// Print a shell's completion script
///
/// Your shell reads it when it starts. The examples show where to put it.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tablero completions bash > ~/.local/share/bash-completion/completions/tablero\n  \
                  tablero completions zsh > ~/.zfunc/_tablero\n  \
                  tablero completions fish > ~/.config/fish/completions/tablero.fish"
)]
pub struct Arguments {
    shell: Shell,
}

pub fn run(arguments: &Arguments, mut program: clap::Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    generate(arguments.shell, &mut program, "tablero", &mut text);
    Ok(stdout().write_all(&text)?)
}
