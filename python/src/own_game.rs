//! A game whose rules are a Python class.
//!
//! The rules are asked under the interpreter's lock, everything else runs without it. A state of the
//! class is a value that is never changed; its text tells it apart from others, so that comparing and
//! hashing ask nobody.

use crate::bad_input;
use crate::game::PyGame;
use crate::interrupt::{give_up, interruptible, is_cancelled};
use numpy::{PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use tablero_env::{Games, OtherGame, Outcome, Player, Rules, conformance, draw_grid};

/// A value of the class's own, shared by all copies of the state.
#[derive(Clone)]
struct Value(Arc<Told>);

struct Told {
    object: Py<PyAny>,
    /// The text that tells it apart.
    text: String,
    /// What the class said about it: asked once, when it is first needed.
    facts: OnceLock<Facts>,
}

/// What is asked about a state again and again.
struct Facts {
    to_move: Player,
    outcome: Option<Outcome>,
    /// None where the game is over.
    legal: Vec<usize>,
}

impl Value {
    fn object(&self) -> &Py<PyAny> {
        &self.0.object
    }

    fn text(&self) -> &str {
        &self.0.text
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(self.text().as_bytes());
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("the game reads its states"))
    }
}

/// The rules of a class.
#[derive(Clone)]
struct ClassRules {
    object: Arc<Py<PyAny>>,
    name: &'static str,
    summary: &'static str,
    n_actions: usize,
    max_plies: Option<usize>,
    version: u32,
    shape: [usize; 3],
    /// What each symmetry calls an action; the identity alone where the class has no symmetries.
    permutations: Arc<Vec<Vec<usize>>>,
    patterns: Arc<Vec<Vec<usize>>>,
    has_points: bool,
    has_text: bool,
    has_draw: bool,
    has_action_text: bool,
}

impl fmt::Debug for ClassRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClassRules({})", self.name)
    }
}

/// The words of a class's name: `ConnectFour` is `connect-four`.
fn kebab(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('-');
        }
        words.extend(letter.to_lowercase().filter(char::is_ascii_alphanumeric));
    }
    words
}

impl ClassRules {
    fn read(object: &Bound<'_, PyAny>) -> PyResult<ClassRules> {
        let py = object.py();
        let named = |name: &str| object.getattr_opt(name);
        let has = |name: &str| named(name).map(|method| method.is_some());
        let class: String = object.get_type().name()?.extract()?;
        let name = match named("name")? {
            Some(name) => name.extract()?,
            None => kebab(&class),
        };
        let doc: Option<String> = object.get_type().getattr("__doc__")?.extract()?;
        let first_line = doc.and_then(|doc| doc.trim().lines().next().map(str::to_owned));
        if has("text")? != has("parse")? {
            let problem = "text and parse come together: one reads what the other writes";
            return Err(bad_input(problem));
        }
        let mut rules = ClassRules {
            object: Arc::new(object.clone().unbind()),
            // A game that is registered stays for good.
            name: name.leak(),
            summary: first_line
                .unwrap_or_else(|| "A game of your own".to_owned())
                .leak(),
            n_actions: object.getattr("n_actions")?.extract()?,
            max_plies: named("max_plies")?.map_or(Ok(None), |plies| plies.extract())?,
            version: named("version")?.map_or(Ok(1), |version| version.extract())?,
            shape: [0; 3],
            permutations: Arc::default(),
            patterns: match named("patterns")? {
                Some(patterns) => Arc::new(patterns.call0()?.extract()?),
                None => Arc::default(),
            },
            has_points: has("points")?,
            has_text: has("text")?,
            has_draw: has("draw")?,
            has_action_text: has("action_text")?,
        };
        let initial = rules.value(object.call_method0("initial")?)?;
        let seen = object.call_method1("observe", (initial.object(),))?;
        rules.shape = planes(&seen)?.shape().try_into()?;
        if has("symmetries")? {
            let images: Vec<(Py<PyAny>, Vec<usize>)> = object
                .call_method1("symmetries", (initial.object().bind(py),))?
                .extract()?;
            let permutations = images.into_iter().map(|(_, actions)| actions);
            rules.permutations = Arc::new(permutations.collect());
            let n_actions = rules.n_actions;
            let fits = |actions: &Vec<usize>| {
                let mut sorted = actions.clone();
                sorted.sort_unstable();
                sorted.into_iter().eq(0..n_actions)
            };
            if rules.permutations.is_empty() || !rules.permutations.iter().all(fits) {
                return Err(bad_input(format!(
                    "symmetries: expected pairs of a state and a permutation of {n_actions} actions, the identity first"
                )));
            }
        }
        Ok(rules)
    }

    /// A state of the class.
    fn value(&self, object: Bound<'_, PyAny>) -> PyResult<Value> {
        let text: String = if self.has_text {
            let writer = self.object.bind(object.py());
            writer.call_method1("text", (&object,))?.extract()?
        } else {
            object.repr()?.extract()?
        };
        if text.contains('\n') {
            return Err(bad_input("the text of a state has one line"));
        }
        Ok(Value(Arc::new(Told {
            object: object.unbind(),
            text,
            facts: OnceLock::new(),
        })))
    }

    /// What the class says about a state, all of it while the lock is held.
    fn facts<'a>(&self, state: &'a Value) -> &'a Facts {
        if let Some(facts) = state.0.facts.get() {
            return facts;
        }
        let facts = Python::attach(|_| {
            let outcome = self.ask_outcome(state);
            Facts {
                to_move: self.ask_to_move(state),
                legal: match outcome {
                    None => self.ask_legal(state),
                    Some(_) => Vec::new(),
                },
                outcome,
            }
        });
        // Not `get_or_init`: whoever waits for another thread there may hold the lock that it needs.
        // Two threads say the same.
        let _ = state.0.facts.set(facts);
        state.0.facts.get().expect("just told")
    }

    fn ask_to_move(&self, state: &Value) -> Player {
        self.of("to_move", state, |player| match player.extract()? {
            0 => Ok(Player::First),
            1 => Ok(Player::Second),
            other => Err(bad_input(format!("expected 0 or 1, got {other}"))),
        })
    }

    fn ask_legal(&self, state: &Value) -> Vec<usize> {
        self.of("legal", state, |actions| {
            actions
                .try_iter()?
                .map(|action| action?.extract())
                .collect()
        })
    }

    fn ask_outcome(&self, state: &Value) -> Option<Outcome> {
        let value: Option<i64> = self.of("outcome", state, |outcome| {
            let value: Option<i64> = outcome.extract()?;
            match value {
                None | Some(-1..=1) => Ok(value),
                Some(other) => Err(bad_input(format!(
                    "expected None, or 1, 0 or -1 of player 0, got {other}"
                ))),
            }
        });
        let winner = match value? {
            1 => Some(Player::First),
            0 => None,
            _ => Some(Player::Second),
        };
        Some(match self.points(state) {
            Some(points) => Outcome::from_points(points),
            None => Outcome::won_by(winner),
        })
    }

    /// What a method of the class answers.
    fn ask<T>(
        &self,
        method: &str,
        arguments: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyTuple>>,
        read: impl FnOnce(Bound<'_, PyAny>) -> PyResult<T>,
    ) -> T {
        if is_cancelled() {
            // Nobody hears of it.
            std::panic::resume_unwind(Box::new("cancelled".to_owned()));
        }
        Python::attach(|py| {
            let answer = arguments(py)
                .and_then(|arguments| self.object.bind(py).call_method1(method, arguments))
                .and_then(read);
            answer.unwrap_or_else(|error| give_up(self.name, method, &error))
        })
    }

    /// What it answers of a state.
    fn of<T>(
        &self,
        method: &str,
        state: &Value,
        read: impl FnOnce(Bound<'_, PyAny>) -> PyResult<T>,
    ) -> T {
        self.ask(method, |py| (state.object(),).into_pyobject(py), read)
    }

    /// What it answers of a state and an action.
    fn after<T>(
        &self,
        method: &str,
        state: &Value,
        action: usize,
        read: impl FnOnce(Bound<'_, PyAny>) -> PyResult<T>,
    ) -> T {
        self.ask(
            method,
            |py| (state.object(), action).into_pyobject(py),
            read,
        )
    }
}

/// An array of planes.
fn planes<'py>(seen: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray3<'py, f32>> {
    let numpy = seen.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (seen, "float32"))?;
    array.extract().map_err(|_| {
        let shape = array.getattr("shape").map(|shape| shape.to_string());
        bad_input(format!(
            "observe: expected an array of three dimensions, planes, rows and columns, got the shape {}",
            shape.unwrap_or_default()
        ))
    })
}

impl Rules for ClassRules {
    type State = Value;

    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn n_actions(&self) -> usize {
        self.n_actions
    }

    fn max_plies(&self) -> Option<usize> {
        self.max_plies
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn initial(&self) -> Value {
        self.ask(
            "initial",
            |py| Ok(PyTuple::empty(py)),
            |state| self.value(state),
        )
    }

    fn to_move(&self, state: &Value) -> Player {
        self.facts(state).to_move
    }

    fn legal(&self, state: &Value) -> impl Iterator<Item = usize> {
        self.facts(state).legal.iter().copied()
    }

    fn play(&self, state: &mut Value, action: usize) {
        *state = self.after("play", state, action, |next| self.value(next));
    }

    fn outcome(&self, state: &Value) -> Option<Outcome> {
        self.facts(state).outcome
    }

    fn points(&self, state: &Value) -> Option<[i32; 2]> {
        self.has_points
            .then(|| self.of("points", state, |points| points.extract()))
    }

    fn observation_shape(&self) -> [usize; 3] {
        self.shape
    }

    fn observe(&self, state: &Value, out: &mut [f32]) {
        self.of("observe", state, |seen| {
            let seen = planes(&seen)?;
            if seen.shape() != self.shape {
                let (expected, got) = (self.shape, seen.shape());
                return Err(bad_input(format!(
                    "expected the shape {expected:?}, got {got:?}"
                )));
            }
            out.copy_from_slice(seen.as_slice()?);
            Ok(())
        });
    }

    fn patterns(&self) -> Vec<Vec<usize>> {
        self.patterns.to_vec()
    }

    fn n_symmetries(&self) -> usize {
        self.permutations.len().max(1)
    }

    fn transform(&self, symmetry: usize, state: &Value) -> Value {
        if symmetry == 0 {
            return state.clone();
        }
        self.of("symmetries", state, |images| {
            self.value(images.get_item(symmetry)?.get_item(0)?)
        })
    }

    fn transform_action(&self, symmetry: usize, action: usize) -> usize {
        match self.permutations.get(symmetry) {
            Some(actions) => actions[action],
            None => action,
        }
    }

    fn action_text(&self, state: &Value, action: usize) -> String {
        if !self.has_action_text {
            return action.to_string();
        }
        self.after("action_text", state, action, |text| text.extract())
    }

    fn state_text(&self, state: &Value) -> String {
        state.text().to_owned()
    }

    fn parse_state(&self, text: &str) -> Result<Value, String> {
        let read = |py: Python<'_>| {
            let object = if self.has_text {
                self.object.bind(py).call_method1("parse", (text,))?
            } else {
                py.import("ast")?.call_method1("literal_eval", (text,))?
            };
            self.value(object)
        };
        Python::attach(|py| read(py).map_err(|error| error.to_string()))
    }

    fn draw(&self, state: &Value) -> String {
        if self.has_draw {
            return self.of("draw", state, |text| text.extract::<String>()) + "\n";
        }
        draw_grid(self, state)
    }
}

/// Makes a game of Python one that this process knows by its name, and returns it.
#[pyfunction]
pub fn register(game: &Bound<'_, PyAny>) -> PyResult<PyGame> {
    let rules = ClassRules::read(game)?;
    let name = rules.name;
    Games::installed()
        .replacing(rules)
        .map_err(PyValueError::new_err)?
        .install();
    Ok(PyGame {
        game: tablero_env::AnyGame::parse(name).map_err(bad_input)?,
    })
}

/// Plays random games of a game of Python and checks the laws of a game in each position.
#[pyfunction]
#[pyo3(signature = (game, *, games=10, seed=0))]
pub fn check(py: Python<'_>, game: &Bound<'_, PyAny>, games: usize, seed: u64) -> PyResult<usize> {
    let game = OtherGame::try_new(ClassRules::read(game)?).map_err(bad_input)?;
    let checked = interruptible(py, move |_| conformance::check(&game, games, seed))?;
    Ok(checked.map_err(bad_input)?.states)
}
