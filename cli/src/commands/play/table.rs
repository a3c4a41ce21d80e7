//! The game in progress: its position, its moves, and the texts about it.

use super::screen::Screen;
use tablero_env::record::{Ending, Record, Replayed};
use tablero_env::{ActionId, Player};
use tablero_minimax::Playable;

pub(super) struct Table<'a, G: Playable> {
    pub game: &'a G,
    start: G::State,
    actions: Vec<ActionId>,
    pub state: G::State,
    /// Before each turn of a person: how many actions had been played.
    turns: Vec<usize>,
    resigned: Option<Player>,
    names: [String; 2],
    pub seed: u64,
    pub screen: Screen,
}

impl<'a, G: Playable> Table<'a, G> {
    pub fn new(game: &'a G, history: Replayed<G::State>, names: [String; 2], seed: u64) -> Self {
        Table {
            game,
            start: history.start,
            actions: history.actions,
            state: history.end,
            turns: Vec::new(),
            resigned: None,
            names,
            seed,
            screen: Screen::new(),
        }
    }

    pub fn is_over(&self) -> bool {
        self.game.is_over(&self.state) || self.resigned.is_some()
    }

    pub fn say_who_plays(&mut self) {
        let title = format!("{}, seed {}", self.game.spec(), self.seed);
        let players = Player::BOTH.map(|player| {
            let name = match self.names[player.index()].as_str() {
                "human" => "you",
                name => name,
            };
            format!("{}: {name}", self.game.side(player))
        });
        self.screen.begin(title, players);
    }

    pub fn show(&mut self) {
        let points = self.game.points(&self.state);
        let points = points.map(|[first, second]| format!("Points: {first} to {second}"));
        self.screen.draw(&self.game.draw(&self.state), points);
    }

    /// Begins a turn of a person, which can be taken back.
    pub fn begin_turn(&mut self) {
        self.turns.push(self.actions.len());
    }

    /// Plays an action, and says so.
    ///
    /// # Errors
    /// If it is illegal.
    pub fn play(&mut self, mover: Player, action: ActionId) -> Result<(), anyhow::Error> {
        let name = self.game.side(mover);
        let text = self.game.action_text(&self.state, action);
        match self.game.play(&mut self.state, action) {
            Ok(played) => self.screen.say(&format!("{name} plays {text}: {played}")),
            Err(illegal) => return Err(anyhow::anyhow!("{name} chose {text}: {illegal}")),
        }
        self.actions.push(action);
        Ok(())
    }

    /// Goes back to before the last turn of a person.
    pub fn take_back(&mut self) {
        let Some(length) = self.turns.pop() else {
            return self.screen.say("You have no move to take back.");
        };
        self.actions.truncate(length);
        self.state = self.start.clone();
        for &action in &self.actions {
            self.game.play_unchecked(&mut self.state, action);
        }
        self.screen.say("Taken back.");
    }

    pub fn resign(&mut self, player: Player) {
        self.resigned = Some(player);
    }

    /// The game so far.
    pub fn record(&self) -> Record {
        let mut record = Record::new(self.game, &self.start, &self.actions, self.resigned);
        for (name, value) in ["First", "Second"].iter().zip(&self.names) {
            record = record.with(name, value);
        }
        record.with("Seed", &self.seed.to_string())
    }

    pub fn tell_end(&mut self) {
        let record = self.record();
        let text = match record.ending() {
            Ending::Draw => "The game is a draw.".to_owned(),
            Ending::Won(winner) => {
                let how = match self.resigned {
                    Some(player) => format!(", {} resigned", self.game.side(player)),
                    None => String::new(),
                };
                format!("{} wins{how}.", self.game.side(winner))
            }
            Ending::Open => "The game is not finished.".to_owned(),
        };
        self.screen.say(&text);
        self.screen.say(&format!("\n{record}"));
        self.screen.flush();
    }
}
