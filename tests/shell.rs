//! What a shell and `man` read of the program.

use tablero_tests::{Finished, run_in};

fn tablero(folder: &std::path::Path, arguments: &str) -> Finished {
    run_in(env!("CARGO_BIN_EXE_tablero-under-test"), folder, arguments)
}

/// The commands that `tablero --help` lists.
fn commands(folder: &std::path::Path) -> Vec<String> {
    let help = tablero(folder, "--help").ok();
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let lines = listed.lines().take_while(|line| !line.is_empty());
    // What a command does may take more lines, further to the right.
    let named = lines.filter_map(|line| line.strip_prefix("  "));
    let named = named.filter(|line| !line.starts_with(' '));
    let names = named.map(|line| line.split(' ').next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_command_is_completed_in_every_shell() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands(folder.path());
    assert!(commands.len() > 20, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = tablero(folder.path(), &format!("completions {shell}")).ok();
        for command in &commands {
            assert!(text.contains(command.as_str()), "{shell}: {command}");
        }
    }
    tablero(folder.path(), "completions tcsh").refused(&["tcsh", "bash"]);
}

#[test]
fn every_command_has_its_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let said = tablero(folder.path(), "man --out pages/man1").ok();
    assert!(said.contains("pages/man1"), "{said}");
    for command in commands(folder.path()) {
        let page = folder
            .path()
            .join(format!("pages/man1/tablero-{command}.1"));
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(
            text.starts_with(".ie") && text.contains(".SH NAME"),
            "{command}: {text}"
        );
    }
    std::fs::write(folder.path().join("file"), "").unwrap();
    tablero(folder.path(), "man --out file/pages").refused(&["file/pages"]);
}
