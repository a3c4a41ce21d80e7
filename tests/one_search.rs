//! A run's search configuration reaches everything that searches for it.

use tablero_agents::{LoadedPlayer, PlayerSpec};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_mcts::{Gumbel, Puct, Selection};
use tablero_models::{Policy, SearchConfig};
use tablero_tests::run_in;
use tablero_train::{Run, RunConfig, self_play::Workers};

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn train(sections: &str, search: &str) -> (tempfile::TempDir, RunConfig) {
    let small = include_str!("data/small.toml");
    let text = small.replace("sims = 24", &format!("sims = 24\n{search}"));
    let config = RunConfig::from_toml(&format!("{text}\n{sections}"), "test").unwrap();
    let config = RunConfig {
        rounds: 2,
        ..config
    };
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::create(&folder.path().join("run"), config.clone()).unwrap();
    let workers = Workers {
        threads: 2,
        group_size: 8,
    };
    run.train(workers, &()).unwrap();
    (folder, config)
}

/// The search of a policy that was exported by the command line, and of a player made from the run.
fn searches_of(folder: &tempfile::TempDir) -> [SearchConfig; 2] {
    let _ = run_in(BINARY, folder.path(), "export run --out policy").ok();
    let exported = Policy::load(folder.path().join("policy")).unwrap();
    let player = format!("policy:{}", folder.path().join("run").display());
    let player: PlayerSpec = player.parse().unwrap();
    let loaded: LoadedPlayer = player.load(&DotsAndBoxes::new(2, 2).unwrap()).unwrap();
    [exported.manifest.search, loaded.search().unwrap()]
}

const SECTIONS: &str = "
[play]
sims = 9
analyser_nodes = 11
[evaluation]
every = 1
games = 2
search = { max_nodes = 77 }
opponents = [\"random\"]
";

#[test]
fn unusual_tree_parameters_reach_matches_export_and_players() {
    let puct = Selection::Puct(Puct {
        c_puct: 2.0,
        fpu_reduction: 0.45,
        ..Puct::default()
    });
    let gumbel = Selection::Gumbel(Gumbel {
        max_considered: 3,
        c_visit: 7.0,
        ..Gumbel::default()
    });
    for (text, selection) in [
        ("c_puct = 2.0\nfpu_reduction = 0.45", puct),
        ("root = \"gumbel\"\nmax_considered = 3\nc_visit = 7", gumbel),
    ] {
        let text = format!("{text}\ntranspositions = false");
        let (folder, config) = train(SECTIONS, &text);
        let run = folder.path().join("run");
        let mut expected = config.search.clone();
        assert_eq!(expected.tree.selection, selection);
        assert!(!expected.tree.transpositions && !expected.is_informed());

        expected.sims = 9;
        expected.analyser_nodes = 11;
        for search in searches_of(&folder) {
            assert_eq!(search, expected);
        }

        expected.tree.max_nodes = 77;
        let evaluations = Run::read_evaluations(&run).unwrap();
        assert_eq!(evaluations.len(), 3);
        for evaluation in evaluations {
            let search = evaluation["report"]["a_search"].clone();
            let search: SearchConfig = serde_json::from_value(search).unwrap();
            assert_eq!(search, expected);
        }
    }
}

#[test]
fn a_field_that_cannot_be_read_is_named_in_a_run_a_policy_and_a_player() {
    let small = include_str!("data/small.toml");
    for (search, name) in [("c_puckt = 1", "c_puckt"), ("c_puct = \"high\"", "c_puct")] {
        let text = small.replace("sims = 24", &format!("sims = 24\n{search}"));
        let error = RunConfig::from_toml(&text, "test").unwrap_err();
        assert!(format!("{error:?}").contains(name), "{error:?}");
    }
    let (folder, _) = train("", "");
    let _ = run_in(BINARY, folder.path(), "export run --out policy").ok();
    let manifest = folder.path().join("policy/policy.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("\"c_puct\"", "\"c_puckt\"")).unwrap();
    let error = Policy::load(folder.path().join("policy")).unwrap_err();
    assert!(error.to_string().contains("c_puckt"), "{error}");
    let eval = "eval --game dots-and-boxes:2x2 --b random --games 2 --a";
    let player = "policy:run,c_puckt=3";
    run_in(BINARY, folder.path(), &format!("{eval} {player}")).refused(&["c_puckt"]);
}

#[test]
fn runs_and_policies_of_other_versions_are_refused_with_advice() {
    let (folder, _) = train("", "");
    let _ = run_in(BINARY, folder.path(), "export run --out policy").ok();
    let change = |file: &str, from: &str, to: &str| {
        let path = folder.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(path, text.replacen(from, to, 1)).unwrap();
    };
    change("run/manifest.json", "\"version\": 4", "\"version\": 3");
    change(
        "policy/policy.json",
        "\"format_version\": 2",
        "\"format_version\": 1",
    );
    let tablero = |arguments: &str| run_in(BINARY, folder.path(), arguments);
    tablero("train --out run").refused(&["another version", "tablero train"]);
    tablero("status run").refused(&["another version"]);
    tablero("eval --a policy:policy --b random --games 2").refused(&["format version", "zoo"]);
}
