//! Any agent behind the Universal Hive Protocol.

use crate::players::{Agent, LoadedPlayer, PlayerSpec, TABLE_MIB};
use crate::uhp::{EngineOption, Thinker};
use tablero_env::hive::{Hive, State};
use tablero_env::random::{Stream, stream};
use tablero_env::{ActionId, Game};
use tablero_minimax::Limits;
use tablero_models::ZooEntry;

const PLAYER: &str = "Player";
const SIMULATIONS: &str = "Simulations";
const THREADS: &str = "Threads";
const TABLE: &str = "TableSizeMiB";

/// The player of games for which no policy comes with Tablero, where none is named.
const OTHERWISE: &str = "minimax:level=4";

/// Plays Hive by a player, whose agent keeps its tree over a game.
pub struct UhpPlayer {
    /// What is played where nothing is set; `None` stands for the zoo's policy or minimax.
    default: Option<PlayerSpec>,
    player: Option<PlayerSpec>,
    /// Simulations of a move that the protocol does not limit in time; 0 leaves them to the player.
    sims: u64,
    threads: u64,
    table_mib: u64,
    current: Option<Current>,
}

/// The agent of the game under way.
struct Current {
    game: Hive,
    /// What it has seen of the game.
    moves: Vec<ActionId>,
    agent: Box<dyn Agent<Hive>>,
    random: Stream,
}

impl UhpPlayer {
    /// By this player; by the policy that comes with Tablero for the type of game, else by minimax,
    /// if there is none.
    #[must_use]
    pub fn new(player: Option<PlayerSpec>) -> UhpPlayer {
        UhpPlayer {
            default: player.clone(),
            player,
            sims: 0,
            threads: 1,
            table_mib: TABLE_MIB as u64,
            current: None,
        }
    }

    /// The player for a type of game, with what is set about it.
    fn spec(&self, game: &Hive) -> Result<PlayerSpec, String> {
        let spec = self.player.clone().unwrap_or_else(|| {
            let text = ZooEntry::of_game(&game.spec()).map_or(OTHERWISE, |_| "zoo");
            text.parse().expect("a player's text")
        });
        if self.sims == 0 {
            return Ok(spec);
        }
        let text = spec.to_string();
        let separator = match &spec {
            PlayerSpec::Policy { source, .. } if !source.is_zoo() => ',',
            PlayerSpec::Mcts(_) | PlayerSpec::Policy { .. } if !text.contains(':') => ':',
            PlayerSpec::Mcts(_) | PlayerSpec::Policy { .. } => ',',
            _ => return Ok(spec),
        };
        let text = format!("{text}{separator}sims={}", self.sims);
        text.parse().map_err(|error| format!("{error}"))
    }

    /// The agent at this position: the one of the game under way, which follows its moves, or a new
    /// one.
    fn agent(&mut self, game: &Hive, state: &State) -> Result<&mut Current, String> {
        let moves: Vec<ActionId> = state.moves().collect();
        let kept = self.current.take();
        let kept = kept.filter(|it| it.game == *game && moves.starts_with(&it.moves));
        let current = match kept {
            Some(mut current) => {
                for &action in &moves[current.moves.len()..] {
                    current.agent.played(action);
                }
                current.moves = moves;
                current
            }
            None => {
                let player = self.load(game)?;
                Current {
                    game: *game,
                    moves,
                    agent: player.agent(game),
                    random: stream(1, "uhp", 0),
                }
            }
        };
        Ok(self.current.insert(current))
    }

    fn load(&self, game: &Hive) -> Result<LoadedPlayer, String> {
        let loaded = self.spec(game)?.load(game);
        let loaded = loaded.map_err(|error| error.to_string())?;
        Ok(loaded.with_table_mib(self.table_mib as usize))
    }
}

impl Thinker for UhpPlayer {
    fn best_action(
        &mut self,
        game: &Hive,
        state: &State,
        limits: &Limits,
    ) -> Result<ActionId, String> {
        let threads = self.threads;
        let Current { agent, random, .. } = self.agent(game, state)?;
        agent.limit(limits, threads as u32);
        let choice = agent.choose(state, random);
        choice
            .map(|choice| choice.action)
            .map_err(|error| error.to_string())
    }

    fn options(&self) -> Vec<EngineOption> {
        let text = |player: &Option<PlayerSpec>| match player {
            Some(player) => player.to_string(),
            None => "auto".to_owned(),
        };
        let (player, default) = (text(&self.player), text(&self.default));
        let values = [
            "auto",
            "zoo",
            "zoo:sims=1000",
            "minimax:level=3",
            "mcts:sims=1000",
            "random",
        ];
        vec![
            EngineOption::text(PLAYER, player, default, &values),
            EngineOption::int(SIMULATIONS, self.sims, 0, 0..=u32::MAX.into()),
            EngineOption::int(THREADS, self.threads, 1, 1..=1024),
            EngineOption::int(TABLE, self.table_mib, TABLE_MIB as u64, 0..=1024),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || value.parse().map_err(|_| format!("{name} is a number"));
        match name {
            PLAYER if value.eq_ignore_ascii_case("auto") => self.player = None,
            PLAYER => {
                let player: PlayerSpec = value.parse().map_err(|error| format!("{error}"))?;
                if matches!(player, PlayerSpec::Uhp { .. }) {
                    return Err("an engine cannot be its own player: got uhp".to_owned());
                }
                self.player = Some(player);
            }
            SIMULATIONS => self.sims = number()?,
            THREADS => self.threads = number()?,
            _ => self.table_mib = number()?,
        }
        // The next move makes a new agent.
        self.current = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uhp::Engine;

    fn lines(engine: &mut Engine<UhpPlayer>, command: &str) -> Vec<String> {
        engine.handle(command).lines().map(str::to_owned).collect()
    }

    #[test]
    fn any_player_finds_legal_moves_and_follows_the_game() {
        for player in ["zoo:sims=8", "minimax:depth=1", "mcts:sims=20", "random"] {
            let mut engine = Engine::new(UhpPlayer::new(Some(player.parse().unwrap())));
            let _ = engine.handle("newgame Base+MLP");
            for _ in 0..8 {
                let best = lines(&mut engine, "bestmove depth 1");
                let played = lines(&mut engine, &format!("play {}", best[0]));
                assert!(played[0].starts_with("Base+MLP"), "{player}: {played:?}");
            }
            let _ = engine.handle("undo 3");
            let best = lines(&mut engine, "bestmove depth 1");
            assert_eq!(best.last().unwrap(), "ok");
            assert!(!best[0].starts_with("err"), "{best:?}");
        }
    }

    #[test]
    fn options_are_listed_and_set() {
        let mut engine = Engine::new(UhpPlayer::new(None));
        let listed = lines(&mut engine, "options");
        for name in [PLAYER, SIMULATIONS, THREADS, TABLE] {
            let is_it = |line: &String| line.starts_with(&format!("{name};"));
            assert!(listed.iter().any(is_it), "{listed:?}");
        }
        let set = lines(&mut engine, "options set player minimax:depth=1");
        assert!(
            set[0].starts_with("Player;enum;minimax:depth=1;auto;"),
            "{set:?}"
        );
        let set = lines(&mut engine, "options set simulations 12");
        assert!(set[0].starts_with("Simulations;int;12;0;"), "{set:?}");
        for wrong in [
            "options set player maximin",
            "options set player uhp:x",
            "options set threads 0",
            "options set simulations many",
            "options set nothing 3",
        ] {
            assert!(lines(&mut engine, wrong)[0].starts_with("err"), "{wrong}");
        }
        // No policy comes with Tablero for this type.
        let _ = engine.handle("options set player zoo");
        let _ = engine.handle("newgame Base+M");
        assert!(lines(&mut engine, "bestmove depth 1")[0].starts_with("err"));
    }
}
