//! Whole trees from the deterministic fake evaluator, compared with stored ones. With
//! `TABLERO_RECORD=1` in the environment they are written instead.

use crate::positions::{as_a_tree, begin_move, grow, random_position, search};
use std::path::Path;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::queens::Queens;
use tablero_env::{Game, Notation};
use tablero_mcts::{Fake, Gumbel, Search, SearchParams, Selection};

fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("TABLERO_RECORD").is_some_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        text, golden,
        "{name} differs; if that is meant, record it anew with TABLERO_RECORD=1"
    );
}

fn grown<G: Game>(mut search: Search<G>, n_sims: u32) -> Search<G> {
    grow(&mut search, n_sims, &mut Fake);
    search
}

/// The tree of 80 simulations after `n_plies` random plies, by each rule, and by PUCT with
/// shared positions. The move explores by Gumbel alone, which draws.
fn every_rule<G: Notation>(name: &str, game: &G, n_plies: usize) {
    let state = random_position(game, n_plies, 2);
    let gumbel = Selection::Gumbel(Gumbel {
        max_considered: 8,
        ..Gumbel::default()
    });
    let puct = Selection::default();
    let rules = [("puct", puct), ("gumbel", gumbel), ("transpositions", puct)];
    for (rule, selection) in rules {
        let params = SearchParams {
            selection,
            transpositions: rule == "transpositions",
            ..SearchParams::default()
        };
        let mut search = search(game, &state, params, 5);
        begin_move(&mut search, rule == "gumbel");
        let search = grown(search, 80);
        let mut text = search.tree_text();
        for (edge, share) in search.root_edges().iter().zip(search.policy_target()) {
            let action = game.action_text(&state, edge.action);
            text += &format!("target {action} {share:.4}\n");
        }
        text += &format!("best {}\n", game.action_text(&state, search.best()));
        compare(&format!("{name}_{rule}.txt"), &text);
    }
}

#[test]
fn trees_of_a_game_in_which_players_alternate() {
    every_rule("queens6", &Queens::parse_parameters("6").unwrap(), 1);
}

#[test]
fn trees_of_games_in_which_a_player_may_move_again() {
    every_rule("dots3x3", &DotsAndBoxes::new(3, 3).unwrap(), 14);
    every_rule("paper_soccer4x4", &PaperSoccer::new(4, 4).unwrap(), 9);
}

#[test]
fn tree_of_the_empty_two_by_two_board() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let params = as_a_tree(SearchParams::default());
    let search = search(&game, &game.initial(), params, 0);
    compare("2x2_empty.txt", &grown(search, 100).tree_text());
}

#[test]
fn tree_of_an_endgame_with_proven_values_and_moves_in_a_row() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let state = random_position(&game, 7, 1);
    let params = as_a_tree(SearchParams::default());
    let search = search(&game, &state, params, 1);
    compare("2x2_endgame.txt", &grown(search, 60).tree_text());
}

#[test]
fn tree_with_noise_after_two_moves() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let params = as_a_tree(SearchParams::default());
    let mut search = search(&game, &game.initial(), params, 2);
    begin_move(&mut search, true);
    search = grown(search, 150);
    for _ in 0..2 {
        let action = search.choose(1.0);
        search.advance(action).unwrap();
        begin_move(&mut search, true);
        search = grown(search, 50);
    }
    compare("3x3_noise_reused.txt", &search.tree_text());
}
