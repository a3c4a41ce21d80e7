//! What may be asked, and its bounds.

use crate::error::Refusal;
use crate::line::Line;
use crate::look::{Events, analyse};
use crate::play::{Input, Played};
use crate::puzzle::{Puzzle, puzzle};
use crate::review::review;
use crate::roster::{Chosen, Task};
use crate::searches::Place;
use crate::{Shared, assets, guard, play};
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Sse, sse};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tablero_agents::Cancel;
use tablero_env::view::Position;
use tablero_env::{games, with_game};

/// Bytes of a request's body, at most.
const LONGEST_BODY: usize = 64 << 10;
/// Interval of empty events in a stream without news: they show whether the client is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

type App = State<Arc<Shared>>;

/// Every path.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(assets::index))
        .route("/{*name}", get(assets::file))
        .route("/api/about", get(about))
        .route("/api/rules/{name}", get(rules))
        .route("/api/agents", post(agents))
        .route("/api/position", post(position))
        .route("/api/play", post(person))
        .route("/api/move", post(agent))
        .route("/api/analyse", post(analysis))
        .route("/api/review", post(reviewed))
        .route("/api/puzzle", post(riddle))
        .route("/api/runs", get(runs))
        .route("/api/runs/{id}", get(run))
        .fallback(async || Refusal::unknown("there is no such page"))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&shared),
            guard::guard,
        ))
        .with_state(shared)
}

/// A body as JSON, of bounded size. Whatever is wrong with it is said as JSON, too.
struct Body<T>(T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let too_long = |_| {
            let what = format!("a request has at most {LONGEST_BODY} bytes");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, what)
        };
        let bytes = axum::body::to_bytes(request.into_body(), LONGEST_BODY)
            .await
            .map_err(too_long)?;
        serde_json::from_slice(&bytes)
            .map(Body)
            .map_err(Refusal::bad)
    }
}

/// Runs what takes the processor away from the threads that answer. A panic is the fault of this one
/// request.
async fn working<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let result = tokio::task::spawn_blocking(work).await;
    result.unwrap_or_else(|_| {
        Err(Refusal::failed(
            "the server failed at this request; others are answered",
        ))
    })
}

/// Runs a search that gives one answer, when there is a place for it.
async fn searching<T: Send + 'static>(
    app: Arc<Shared>,
    search: impl FnOnce(&Cancel) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let (running, place) = app.searches.begin().await?;
    let cancel = running.cancel();
    let answer = working(move || {
        let _place: Place = place;
        search(&cancel)
    });
    let answer = answer.await;
    // Held up to here: a client that goes drops it, and ends the search.
    drop(running);
    answer
}

async fn about(State(app): App) -> impl IntoResponse {
    let games = games().iter().map(|game| {
        json!({
            "name": game.name,
            "summary": game.summary,
            "parameters": game.parameters,
            "default": game.default_parameters,
        })
    });
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "games": Vec::from_iter(games),
        "free_searches": app.searches.n_free(),
    }))
}

async fn rules(Path(name): Path<String>) -> Result<Json<Value>, Refusal> {
    let game = games().iter().find(|game| game.name == name);
    let game = game.ok_or_else(|| Refusal::unknown("there is no such game"))?;
    Ok(Json(json!({ "rules": game.rules })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfGame {
    game: String,
}

async fn agents(State(app): App, Body(asked): Body<OfGame>) -> Result<Json<Value>, Refusal> {
    working(move || {
        let any = tablero_env::AnyGame::parse(&asked.game).map_err(Refusal::bad)?;
        let agents = app.roster.agents(&any, &app.runs);
        Ok(Json(json!({ "game": any.spec(), "agents": agents })))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfLine {
    line: Line,
}

async fn position(Body(asked): Body<OfLine>) -> Result<Json<Position>, Refusal> {
    working(move || {
        let any = asked.line.game()?;
        with_game!(&any, game => asked.line.position(game)).map(Json)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfPerson {
    line: Line,
    input: Input,
}

async fn person(Body(asked): Body<OfPerson>) -> Result<Json<Played>, Refusal> {
    working(move || {
        let any = asked.line.game()?;
        with_game!(&any, game => play::person(game, &asked.line, &asked.input)).map(Json)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfAgent {
    line: Line,
    agent: Chosen,
    #[serde(default)]
    seed: u32,
}

async fn agent(State(app): App, Body(asked): Body<OfAgent>) -> Result<Json<Played>, Refusal> {
    searching(Arc::clone(&app), move |cancel| {
        let OfAgent { line, agent, seed } = asked;
        let any = line.game()?;
        let player = app.roster.load(&any, &agent, Task::Play, &app.runs)?;
        with_game!(&any, game => {
            player.check(game, &line.unfinished(game)?)?;
            play::agent(game, &line, &player, seed.into(), cancel)
        })
        .map(Json)
    })
    .await
}

async fn analysis(
    State(app): App,
    Body(asked): Body<OfAgent>,
) -> Result<impl IntoResponse, Refusal> {
    stream(app, asked, Work::Analysis).await
}

async fn reviewed(
    State(app): App,
    Body(asked): Body<OfAgent>,
) -> Result<impl IntoResponse, Refusal> {
    stream(app, asked, Work::Review).await
}

/// What is streamed.
#[derive(Clone, Copy)]
enum Work {
    Analysis,
    Review,
}

async fn stream(
    app: Arc<Shared>,
    asked: OfAgent,
    work: Work,
) -> Result<
    Sse<impl futures_core::Stream<Item = Result<sse::Event, std::convert::Infallible>>>,
    Refusal,
> {
    let (running, place) = app.searches.begin().await?;
    let OfAgent { line, agent, .. } = asked;
    let table_mib = app.roster.table_mib();
    // What is wrong is said before the stream begins.
    let (any, player, line) = working(move || {
        let any = line.game()?;
        let player = app.roster.load(&any, &agent, Task::Look, &app.runs)?;
        with_game!(&any, game => match work {
            Work::Analysis => player.check(game, &line.unfinished(game)?),
            Work::Review => line.state(game).map(|_| ()),
        })?;
        Ok((any, player, line))
    })
    .await?;
    let (events, sink) = Events::of(running);
    tokio::task::spawn_blocking(move || {
        let _place: Place = place;
        with_game!(&any, game => match work {
            Work::Analysis => sink.finish(analyse(game, &line, &player, &sink)),
            Work::Review => sink.finish(review(game, &line, &player, table_mib, &sink)),
        });
    });
    Ok(Sse::new(events).keep_alive(sse::KeepAlive::new().interval(KEEP_ALIVE)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfPuzzle {
    game: String,
    seed: u32,
}

async fn riddle(State(app): App, Body(asked): Body<OfPuzzle>) -> Result<Json<Puzzle>, Refusal> {
    let table_mib = app.roster.table_mib();
    searching(app, move |cancel| {
        let any = tablero_env::AnyGame::parse(&asked.game).map_err(Refusal::bad)?;
        with_game!(&any, game => puzzle(game, asked.seed.into(), table_mib, cancel)).map(Json)
    })
    .await
}

async fn runs(State(app): App) -> Result<Json<Value>, Refusal> {
    working(move || Ok(Json(app.runs.list()))).await
}

async fn run(State(app): App, Path(id): Path<usize>) -> Result<Json<Value>, Refusal> {
    working(move || app.runs.run(id).map(Json)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_the_fault_of_one_request() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let result: Result<(), Refusal> =
            runtime.block_on(async { working(|| panic!("a test of a panic")).await });
        assert_eq!(
            result.unwrap_err().into_response().status(),
            StatusCode::INTERNAL_SERVER_ERROR
        );
    }
}
