//! The licences of everything that the default build is made of: a pinned list, so that a new one is
//! noticed. Advisories need a database from the network, which tests do not have.

use std::collections::BTreeSet;
use std::process::Command;

/// Licences that allow use in a program under MIT or Apache-2.0 without a condition on its source.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates with a condition on their own files alone (MPL-2.0).
const EXCEPTIONS: &[&str] = &["colored", "option-ext"];

/// Whether one of the alternatives allows it. Parentheses stand around alternatives only, in every
/// expression that occurs.
fn allows(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], "");
    expression
        .split(" AND ")
        .all(|part| part.split(" OR ").any(|one| ALLOWED.contains(&one.trim())))
}

#[test]
fn every_crate_of_the_default_build_has_a_licence_of_the_list() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--workspace", "--locked", "--offline"])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}|{l}"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    let crates: BTreeSet<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.split_once('|'))
        .collect();
    assert!(crates.len() > 100, "{text}");
    let is_exception = |name: &str| {
        EXCEPTIONS
            .iter()
            .any(|it| name.starts_with(&format!("{it} ")))
    };
    let wrong: Vec<_> = crates
        .iter()
        .filter(|(name, licence)| !allows(licence.trim_end_matches(" (*)")) && !is_exception(name))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_licence_with_conditions_is_not_allowed() {
    for allowed in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR X) AND ISC",
    ] {
        assert!(allows(allowed), "{allowed}");
    }
    for not in ["GPL-3.0-only", "MIT AND AGPL-3.0", ""] {
        assert!(!allows(not), "{not}");
    }
}
