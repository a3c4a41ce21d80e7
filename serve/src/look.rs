//! Analyses that stream while they run.

use crate::error::Refusal;
use crate::line::Line;
use crate::roster::Loaded;
use crate::searches::Running;
use axum::response::sse::Event;
use futures_core::Stream;
use serde::Serialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tablero_agents::Cancel;
use tablero_agents::analysis::Analysis;
use tablero_minimax::Playable;
use tokio::sync::mpsc;

/// Events that wait for a slow client before the search waits for it, too.
const QUEUE: usize = 4;

/// Fixes the randomness of tree searches.
pub(crate) const SEED: u64 = 1;

/// The events of a search. The search ends when this is dropped.
pub(crate) struct Events {
    events: mpsc::Receiver<Event>,
    _running: Running,
}

/// Where a search puts its events.
pub(crate) struct Sink {
    events: mpsc::Sender<Event>,
    cancel: Cancel,
}

impl Events {
    pub(crate) fn of(running: Running) -> (Events, Sink) {
        let (sender, events) = mpsc::channel(QUEUE);
        let cancel = running.cancel();
        let sink = Sink {
            events: sender,
            cancel,
        };
        let events = Events {
            events,
            _running: running,
        };
        (events, sink)
    }
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(context).map(|event| event.map(Ok))
    }
}

impl Sink {
    /// Sends an event, and waits for a slow client. If the client has gone, the search is cancelled.
    pub(crate) fn send(&self, name: &str, value: &impl Serialize) {
        let event = Event::default().event(name).json_data(value);
        let sent = event.map(|event| self.events.blocking_send(event).is_ok());
        if !sent.unwrap_or(false) {
            self.cancel.cancel();
        }
    }

    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The last event: `done`, or `failed` with the reason.
    pub(crate) fn finish<T: Serialize>(&self, result: Result<T, Refusal>) {
        match result {
            Ok(value) => self.send("done", &value),
            Err(refusal) => self.send("failed", &refusal.message()),
        }
    }
}

/// Analyses a position, with an event `analysis` whenever more is known.
pub(crate) fn analyse<G: Playable>(
    game: &G,
    line: &Line,
    player: &Loaded,
    sink: &Sink,
) -> Result<Analysis, Refusal> {
    let state = line.unfinished(game)?;
    let mut analyst = player.player.analyst(game).map_err(Refusal::illegal)?;
    let mut tell = |analysis: Analysis| sink.send("analysis", &analysis);
    analyst
        .follow(&state, SEED, sink.cancel(), &mut tell)
        .map_err(Refusal::illegal)
}
