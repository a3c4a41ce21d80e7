//! A game between two seats, from its beginning to its record.

use super::Seat;
use super::person::{Person, Wish};
use super::screen::Screen;
use crate::failure::Failure;
use tablero_agents::Agent;
use tablero_env::random::{Stream, stream};
use tablero_env::record::{Ending, Record, Replayed};
use tablero_env::{ActionId, Player};
use tablero_minimax::Playable;

pub(super) struct Session<'a, G: Playable> {
    pub(super) game: &'a G,
    start: G::State,
    pub(super) actions: Vec<ActionId>,
    pub(super) state: G::State,
    /// Before each turn of a person: how many actions had been played.
    turns: Vec<usize>,
    resigned: Option<Player>,
    names: [String; 2],
    /// `None` for a person.
    agents: [Option<Box<dyn Agent<G>>>; 2],
    streams: [Stream; 2],
    pub(super) seed: u64,
    pub(super) screen: Screen,
}

impl<'a, G: Playable> Session<'a, G> {
    pub(super) fn new(
        game: &'a G,
        history: Replayed<G::State>,
        seats: [Seat; 2],
        seed: u64,
    ) -> Result<Self, Failure> {
        let names = seats.clone().map(|seat| match seat {
            Seat::Human => "human".to_owned(),
            Seat::Player(spec) => spec.to_string(),
        });
        let mut agents: [Option<Box<dyn Agent<G>>>; 2] = [None, None];
        for (agent, seat) in agents.iter_mut().zip(seats) {
            if let Seat::Player(spec) = seat {
                *agent = Some(spec.load(game)?.agent(game));
            }
        }
        Ok(Session {
            game,
            start: history.start,
            actions: history.actions,
            state: history.end,
            turns: Vec::new(),
            resigned: None,
            names,
            agents,
            streams: [0, 1].map(|side| stream(seed, "play", side)),
            seed,
            screen: Screen::new(),
        })
    }

    /// Plays to the end, or until a person leaves.
    pub(super) fn play(mut self) -> Result<(), Failure> {
        let mut person = Person::new()?;
        self.say_who_plays();
        let has_person = self.agents.iter().any(Option::is_none);
        if has_person {
            self.screen
                .say("Type a move, or: help, hint, takeback, resign, quit.");
        }
        let mut result = Ok(true);
        while matches!(result, Ok(true)) {
            result = self.play_on(&mut person, has_person);
        }
        // Whatever ended it, the game is not lost.
        self.show();
        self.tell_end();
        result.map(|_| ())
    }

    /// Plays until somebody else has to, and tells whether there is more to play.
    fn play_on(&mut self, person: &mut Person, has_person: bool) -> Result<bool, Failure> {
        self.show();
        let mover = self.game.player_to_move(&self.state);
        if self.agents[mover.index()].is_some() {
            self.let_agent_play(mover, has_person)?;
        } else {
            match person.ask(self, mover)? {
                Wish::Play(actions) => self.play_turn(mover, &actions),
                Wish::TakeBack => self.take_back(),
                Wish::Resign => self.resigned = Some(mover),
                Wish::Quit => return Ok(false),
            }
        }
        Ok(!self.game.is_over(&self.state) && self.resigned.is_none())
    }

    fn say_who_plays(&mut self) {
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

    fn show(&mut self) {
        let points = self.game.points(&self.state);
        let points = points.map(|[first, second]| format!("Points: {first} to {second}"));
        self.screen.draw(&self.game.draw(&self.state), points);
    }

    fn let_agent_play(&mut self, mover: Player, has_person: bool) -> Result<(), Failure> {
        let name = self.game.side(mover);
        let Some(agent) = &mut self.agents[mover.index()] else {
            return Ok(());
        };
        if has_person {
            self.screen.wait(&format!("{name} is thinking …"));
        }
        let chosen = agent.choose(&self.state, &mut self.streams[mover.index()]);
        self.screen.end_wait();
        let action = chosen?.action;
        let text = self.game.action_text(&self.state, action);
        match self.game.play(&mut self.state, action) {
            Ok(played) => self.screen.say(&format!("{name} plays {text}: {played}")),
            Err(illegal) => {
                return Err(anyhow::anyhow!("{name} chose {text}: {illegal}").into());
            }
        }
        self.follow(action);
        Ok(())
    }

    /// Plays a person's turn, which was checked.
    fn play_turn(&mut self, mover: Player, actions: &[ActionId]) {
        self.turns.push(self.actions.len());
        let name = self.game.side(mover);
        for &action in actions {
            let text = self.game.action_text(&self.state, action);
            if let Ok(played) = self.game.play(&mut self.state, action) {
                self.screen.say(&format!("{name} plays {text}: {played}"));
            }
            self.follow(action);
        }
    }

    /// Keeps an action that was played, and lets the agents follow the game.
    fn follow(&mut self, action: ActionId) {
        self.actions.push(action);
        for agent in self.agents.iter_mut().flatten() {
            agent.played(action);
        }
    }

    /// Goes back to before the last turn of a person.
    fn take_back(&mut self) {
        let Some(length) = self.turns.pop() else {
            return self.screen.say("There is no move of yours to take back.");
        };
        self.actions.truncate(length);
        self.state = self.start.clone();
        for &action in &self.actions {
            self.game.play_unchecked(&mut self.state, action);
        }
        self.screen.say("Taken back.");
    }

    /// The game so far.
    pub(super) fn record(&self) -> Record {
        let mut record = Record::new(self.game, &self.start, &self.actions, self.resigned);
        for (name, value) in ["First", "Second"].iter().zip(&self.names) {
            record = record.with(name, value);
        }
        record.with("Seed", &self.seed.to_string())
    }

    fn tell_end(&mut self) {
        let record = self.record();
        let text = match record.ending() {
            Ending::Draw => "The game is a draw.".to_owned(),
            Ending::Won(winner) => {
                let how = match self.resigned {
                    Some(player) => format!(", {} has resigned", self.game.side(player)),
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
