//! What games of self-play are made of: quick moves, forks, and games of a teacher.

use tablero_agents::Cancel;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::{ActionId, BoardGame, Game};
use tablero_mcts::Uniform;
use tablero_train::record::{GameRecord, record_hash};
use tablero_train::self_play::{
    Assignment, NetworkActor, SelfPlayBatch, TeacherActor, Workers, play_games,
};
use tablero_train::{QuickMoves, RunConfig, Teacher};

fn config(games: u64) -> RunConfig {
    let text = include_str!("data/small.toml");
    let mut config = RunConfig::from_toml(text, "small.toml").unwrap();
    config.seed = 7;
    config.self_play.games = games;
    config
}

fn workers(threads: usize, group_size: usize) -> Workers {
    Workers {
        threads,
        group_size,
    }
}

/// Games evaluated by the uniform evaluator, which every division of the work must leave the same.
fn played<G: BoardGame>(game: &G, config: &RunConfig) -> SelfPlayBatch {
    let play = |workers: Workers| {
        let actor = || NetworkActor::new(game, config, workers.group_size, Uniform);
        let games = 40..40 + config.self_play.games;
        play_games(workers.threads, games, actor, &|| {}, &Cancel::new())
    };
    let batch = play(workers(1, 1));
    for workers in [workers(2, 3), workers(1, 16)] {
        let other = play(workers);
        assert_eq!(
            record_hash(&other.games),
            record_hash(&batch.games),
            "{workers:?}"
        );
    }
    for record in &batch.games {
        record.verify(game).unwrap();
    }
    batch
}

fn pitch() -> PaperSoccer {
    PaperSoccer::new(4, 4).unwrap()
}

#[test]
fn only_moves_searched_in_full_are_learnt_from() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let share = |quick_share| {
        let mut config = config(30);
        config.self_play.quick = Some(QuickMoves {
            share: quick_share,
            sims: 4,
        });
        let games = played(&game, &config).games;
        let decisions = || games.iter().flat_map(|game| &game.decisions);
        let taught = decisions().filter(|decision| !decision.policy.is_empty());
        for decision in taught.clone() {
            assert!((decision.policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        }
        taught.count() as f64 / decisions().count() as f64
    };
    assert_eq!((share(0.0), share(1.0)), (1.0, 0.0));
    // Some 500 decisions.
    assert!((0.15..0.35).contains(&share(0.75)), "{}", share(0.75));
}

#[test]
fn a_fork_leaves_its_game_by_another_move() {
    let game = pitch();
    let mut config = config(30);
    config.self_play.fork_share = 0.6;
    let games = played(&game, &config).games;
    let (forks, originals): (Vec<&GameRecord>, Vec<&GameRecord>) =
        games.iter().partition(|game| game.forked);
    assert_eq!(originals.len(), 30);
    assert!((10..=26).contains(&forks.len()), "{}", forks.len());
    for fork in forks {
        let parent = originals.iter().find(|game| game.id == fork.id).unwrap();
        let (last, prefix) = fork.opening.split_last().unwrap();
        let parent: Vec<_> = parent.actions().collect();
        assert_eq!(prefix, &parent[..prefix.len()]);
        assert_ne!(*last, parent[prefix.len()]);
    }
}

#[test]
fn parts_of_a_round_played_apart_are_the_whole() {
    let game = pitch();
    let mut run = RunConfig::from_toml(include_str!("data/small.toml"), "small.toml").unwrap();
    "paper-soccer:4x4".clone_into(&mut run.game);
    run.self_play.max_plies = Some(20);
    let play = |round, games| {
        let assignment = Assignment { round, games };
        let cancel = Cancel::new();
        assignment.play(&game, &run, workers(1, 4), &|| Uniform, &|| {}, &cancel)
    };
    // The first round is the teacher's.
    for round in [0, 1] {
        let whole = play(round, 40..64);
        assert!(whole.n_unfinished > 0 || round == 0, "a limit that counts");
        let parts = [57..64, 40..41, 41..57].map(|games| {
            let bytes = play(round, games).to_bytes();
            for damage in [0, bytes.len() / 2, bytes.len() - 1] {
                let mut damaged = bytes.clone();
                damaged[damage] ^= 4;
                SelfPlayBatch::from_bytes(&damaged).expect_err("damaged");
            }
            SelfPlayBatch::from_bytes(&bytes[1..]).expect_err("cut");
            SelfPlayBatch::from_bytes(&bytes).unwrap()
        });
        let joined = SelfPlayBatch::join(parts);
        assert_eq!(joined.games, whole.games);
        assert_eq!(joined.n_unfinished, whole.n_unfinished);
        assert_eq!(joined.n_evaluations, whole.n_evaluations);
    }
}

fn taught<G>(game: &G, config: &RunConfig, nodes: u64, threads: usize) -> Vec<GameRecord>
where
    G: tablero_minimax::Playable,
{
    let teacher = Teacher { rounds: 1, nodes };
    let actor = || TeacherActor::new(game, config, &teacher);
    play_games(
        threads,
        0..config.self_play.games,
        actor,
        &|| {},
        &Cancel::new(),
    )
    .games
}

/// What the teacher proves is kept to the end: Dots and Boxes has a solver of endgames, Paper
/// Soccer has minimax alone.
#[test]
fn a_teacher_keeps_what_it_proves() {
    fn check<G>(game: &G) -> u32
    where
        G: tablero_minimax::Playable,
    {
        let mut n_proven = 0;
        for record in taught(game, &config(20), 20, 2) {
            record.verify(game).unwrap();
            let mut state = game.initial();
            for &action in &record.opening {
                game.play(&mut state, action).unwrap();
            }
            for decision in &record.decisions {
                if let Some(value) = decision.proven {
                    let mover = game.player_to_move(&state);
                    assert_eq!(value, record.outcome.value().for_mover(mover));
                    n_proven += 1;
                }
                game.play(&mut state, decision.action).unwrap();
            }
        }
        n_proven
    }
    assert!(check(&DotsAndBoxes::new(3, 3).unwrap()) > 100);
    assert!(check(&pitch()) > 20);
}

/// Its games do not depend on threads, its choice has most of the policy, and its evidence is right
/// more often than not.
#[test]
fn a_teacher_shows_its_choice_and_its_evidence() {
    let game = pitch();
    let mut config = config(20);
    config.self_play.fork_share = 0.5;
    let games = taught(&game, &config, 200, 1);
    assert_eq!(
        record_hash(&taught(&game, &config, 200, 3)),
        record_hash(&games)
    );
    let forks: Vec<&GameRecord> = games.iter().filter(|record| record.forked).collect();
    assert!((3..18).contains(&forks.len()), "{} forks", forks.len());
    for fork in forks {
        let left = games.iter().find(|record| record.id == fork.id).unwrap();
        let at = fork.opening.len() - 1;
        let actions: Vec<ActionId> = left.actions().take(at + 1).collect();
        assert_eq!(fork.opening[..at], actions[..at]);
        assert_ne!(fork.opening[at], actions[at]);
    }
    let (mut n_right, mut n_wrong) = (0, 0);
    for record in &games {
        let mut state = game.initial();
        for &action in &record.opening {
            game.play(&mut state, action).unwrap();
        }
        let mut legal = Vec::new();
        for decision in &record.decisions {
            game.legal_actions(&state, &mut legal);
            let result = record.outcome.return_for(game.player_to_move(&state));
            let [win, draw, loss] = decision.root_wdl.0;
            assert!((win + draw + loss - 1.0).abs() < 1e-5, "shares");
            if decision.proven.is_none() {
                n_right += i32::from((win > loss) == (result == 1));
                n_wrong += i32::from((win > loss) != (result == 1));
            }
            let chosen = legal.iter().position(|&action| action == decision.action);
            let top = decision.policy[chosen.unwrap()];
            assert!(decision.policy.iter().all(|&share| share <= top));
            assert!((decision.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            game.play(&mut state, decision.action).unwrap();
        }
    }
    assert!(n_right > n_wrong, "{n_right} right, {n_wrong} wrong");
}
