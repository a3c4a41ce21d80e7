//! Two seats at a table, from the first move to the last.

use super::Seat;
use super::person::{Person, Wish};
use super::table::Table;
use crate::failure::Failure;
use tablero_agents::Agent;
use tablero_env::random::{Stream, stream};
use tablero_env::record::Replayed;
use tablero_env::{ActionId, Player};
use tablero_minimax::Playable;

pub(super) struct Session<'a, G: Playable> {
    table: Table<'a, G>,
    /// `None` for a person.
    agents: [Option<Box<dyn Agent<G>>>; 2],
    streams: [Stream; 2],
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
            table: Table::new(game, history, names, seed),
            agents,
            streams: [0, 1].map(|side| stream(seed, "play", side)),
        })
    }

    /// Plays to the end, or until a person leaves.
    pub(super) fn play(mut self) -> Result<(), Failure> {
        let mut person = Person::new()?;
        self.table.say_who_plays();
        let has_person = self.agents.iter().any(Option::is_none);
        if has_person {
            self.table
                .screen
                .say("Type a move, or: help, hint, takeback, resign, quit.");
        }
        let mut result = Ok(true);
        while matches!(result, Ok(true)) {
            result = self.play_on(&mut person, has_person);
        }
        // Whatever ended it, the game is not lost.
        self.table.show();
        self.table.tell_end();
        result.map(|_| ())
    }

    /// Plays until the other player is to move, and returns whether the game continues.
    fn play_on(&mut self, person: &mut Person, has_person: bool) -> Result<bool, Failure> {
        self.table.show();
        let mover = self.table.game.player_to_move(&self.table.state);
        if self.agents[mover.index()].is_some() {
            self.let_agent_play(mover, has_person)?;
        } else {
            match person.ask(&mut self.table, mover)? {
                Wish::Play(actions) => {
                    self.table.begin_turn();
                    for action in actions {
                        self.play_action(mover, action)?;
                    }
                }
                Wish::TakeBack => self.table.take_back(),
                Wish::Resign => self.table.resign(mover),
                Wish::Quit => return Ok(false),
            }
        }
        Ok(!self.table.is_over())
    }

    fn let_agent_play(&mut self, mover: Player, has_person: bool) -> Result<(), Failure> {
        let Some(agent) = &mut self.agents[mover.index()] else {
            return Ok(());
        };
        if has_person {
            let name = self.table.game.side(mover);
            self.table.screen.wait(&format!("{name} is thinking …"));
        }
        let chosen = agent.choose(&self.table.state, &mut self.streams[mover.index()]);
        self.table.screen.end_wait();
        self.play_action(mover, chosen?.action)
    }

    /// Plays an action, and lets the agents follow the game.
    fn play_action(&mut self, mover: Player, action: ActionId) -> Result<(), Failure> {
        self.table.play(mover, action)?;
        for agent in self.agents.iter_mut().flatten() {
            agent.played(action);
        }
        Ok(())
    }
}
