//! Players as text: `kind:KEY=VALUE,KEY=VALUE`. The text is laid over the options of the kind.

use super::PlayerError;
use super::own::{OwnKind, own_kind, own_names};
use super::spec::{
    Draw, EngineOptions, KINDS, MinimaxOptions, PlayerSpec, PolicySource, SearchOptions,
};
use crate::budget::Limit;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use tablero_env::did_you_mean;
use tablero_models::{Overlay, SearchConfig};

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let wrong = |reason: String| PlayerError::Syntax {
            got: text.to_owned(),
            reason,
        };
        let split = text.split_once(':');
        let (kind, rest) = split.map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        let (named, options) = split_name(kind, rest.unwrap_or_default());
        let options = Overlay::parse(options).map_err(|error| wrong(error.to_string()))?;
        let laid_over = |error: tablero_models::OverlayError| wrong(error.to_string());
        let name = || {
            named
                .clone()
                .ok_or_else(|| wrong(format!("expected a value after {kind}:")))
        };
        let search = |options, base| SearchOptions::read(options, base).map_err(wrong);
        let spec = match kind {
            "random" | "greedy" | "solver" if rest.is_some() => {
                return Err(wrong("it takes no options".to_owned()));
            }
            "random" => PlayerSpec::Random,
            "greedy" => PlayerSpec::Greedy,
            "solver" => PlayerSpec::Solver,
            "minimax" => {
                let read = options.over(&MinimaxOptions::default());
                let options: MinimaxOptions = read.map_err(laid_over)?;
                options.check().map_err(wrong)?;
                PlayerSpec::Minimax(options)
            }
            "mcts" => {
                let options = search(options, SearchOptions::rollouts())?;
                if options.over(&SearchOptions::rollouts())?.sims == 0 {
                    return Err(wrong("sims is at least 1, got 0".to_owned()));
                }
                PlayerSpec::Mcts(options)
            }
            "zoo" => PlayerSpec::Policy {
                source: PolicySource::Zoo,
                options: search(options, SearchConfig::default())?,
            },
            "policy" => PlayerSpec::Policy {
                source: PolicySource::Directory(name()?.into()),
                options: search(options, SearchConfig::default())?,
            },
            "uhp" => {
                let read = options.over(&EngineOptions::default());
                let options: EngineOptions = read.map_err(laid_over)?;
                options.check().map_err(wrong)?;
                PlayerSpec::Uhp {
                    command: name()?,
                    options,
                }
            }
            name => match own_kind(name) {
                Some(OwnKind::Agent) if rest.is_some() => {
                    return Err(wrong("it takes no options".to_owned()));
                }
                Some(_) => PlayerSpec::Own {
                    name: name.to_owned(),
                    options: search(options, SearchConfig::default())?,
                },
                None => {
                    let meant = probably_meant(name, text);
                    return Err(wrong(format!("no such kind of player{meant}")));
                }
            },
        };
        Ok(spec)
    }
}

/// What may have been meant by a player of no known kind.
fn probably_meant(kind: &str, text: &str) -> String {
    if Path::new(text).is_dir() {
        return format!("; did you mean policy:{text}?");
    }
    let own = own_names();
    did_you_mean(
        kind,
        KINDS.into_iter().chain(own.iter().map(String::as_str)),
    )
}

/// The directory of a policy or the command of an engine, and the options behind it.
fn split_name<'a>(kind: &str, text: &'a str) -> (Option<String>, &'a str) {
    let (name, options) = match kind {
        // A directory's name may hold commas: only KEY=VALUE, and nothing else behind it, is an
        // option.
        "policy" => {
            let mut name = text;
            while let Some((head, tail)) = name.rsplit_once(',')
                && tail.split_once('=').is_some_and(|(key, _)| is_key(key))
            {
                name = head;
            }
            (name, &text[name.len()..])
        }
        // In double quotes, which may hold others and commas; or plain, without options.
        "uhp" => match text.strip_prefix('"').and_then(|t| t.rsplit_once('"')) {
            Some(quoted) => quoted,
            None => (text, ""),
        },
        _ => ("", text),
    };
    let name = name.trim();
    ((!name.is_empty()).then(|| name.to_owned()), options)
}

fn is_key(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_part)
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => write!(f, "random"),
            PlayerSpec::Greedy => write!(f, "greedy"),
            PlayerSpec::Solver => write!(f, "solver"),
            PlayerSpec::Minimax(options) => {
                let default = MinimaxOptions::default();
                write_options(f, "minimax", &Overlay::between(&default, options))
            }
            PlayerSpec::Mcts(options) => write_options(f, "mcts", &options.as_overlay()),
            PlayerSpec::Own { name, options } => write_options(f, name, &options.as_overlay()),
            PlayerSpec::Policy { source, options } => match source {
                PolicySource::Zoo => write_options(f, "zoo", &options.as_overlay()),
                PolicySource::Directory(directory) => {
                    write!(f, "policy:{}", directory.display())?;
                    write_rest(f, &options.as_overlay())
                }
            },
            PlayerSpec::Uhp { command, options } => {
                write!(f, "uhp:\"{command}\"")?;
                write_rest(f, &Overlay::between(&EngineOptions::default(), options))
            }
        }
    }
}

impl SearchOptions {
    fn as_overlay(&self) -> Overlay {
        self.search
            .and(&Overlay::between(&Limit::default(), &self.limit))
            .and(&Overlay::between(&Draw::default(), &self.draw))
    }
}

fn write_options(f: &mut fmt::Formatter<'_>, kind: &str, options: &Overlay) -> fmt::Result {
    if options.is_empty() {
        return write!(f, "{kind}");
    }
    write!(f, "{kind}:{options}")
}

fn write_rest(f: &mut fmt::Formatter<'_>, options: &Overlay) -> fmt::Result {
    if options.is_empty() {
        return Ok(());
    }
    write!(f, ",{options}")
}

impl From<PlayerSpec> for String {
    fn from(spec: PlayerSpec) -> String {
        spec.to_string()
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = PlayerError;

    fn try_from(text: String) -> Result<Self, PlayerError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PlayerSpec, PlayerError> {
        text.parse()
    }

    #[test]
    fn every_form_is_written_as_it_is_read() {
        for text in [
            "random",
            "greedy",
            "solver",
            "minimax",
            "minimax:depth=6",
            "minimax:level=novice",
            "minimax:nodes=1000",
            "minimax:ms=500,threads=2",
            "minimax:clock=60+1",
            "mcts",
            "mcts:sims=2000",
            "mcts:ms=100",
            "zoo",
            "zoo:root=gumbel,sims=400",
            "zoo:clock=60+1",
            "policy:runs/mine",
            "policy:a,b/c=d,sims=7",
            "policy:runs/x,analyser_nodes=0,transpositions=false",
            "zoo:sims=16,temperature=0.5",
            "uhp:\"nokamute --threads 1\"",
            "uhp:\"a, \"b\" c\",depth=3",
            "uhp:\"x\",clock=300+2",
            "uhp:\"x\",ms=100,wait=3",
        ] {
            let spec = parse(text).unwrap();
            assert_eq!(parse(&spec.to_string()).unwrap(), spec, "{text}");
            assert_eq!(spec.to_string(), text);
        }
        assert_eq!(
            parse("minimax:level=2").unwrap(),
            parse("minimax:level=novice").unwrap()
        );
    }

    #[test]
    fn a_directory_may_hold_commas_and_equal_signs() {
        let PlayerSpec::Policy { source, options } = parse("policy:a,b/c=d,sims=7").unwrap() else {
            panic!("a policy");
        };
        assert_eq!(source, PolicySource::Directory("a,b/c=d".into()));
        assert_eq!(options.search, Overlay::parse("sims=7").unwrap());
    }

    #[test]
    fn a_time_alone_lifts_the_limit_of_simulations() {
        let sims = |text: &str| {
            let PlayerSpec::Policy { options, .. } = parse(text).unwrap() else {
                panic!("a policy");
            };
            options.over(&SearchConfig::default()).unwrap().sims
        };
        assert_eq!(sims("zoo"), 200);
        assert_eq!(sims("zoo:ms=50"), u32::MAX);
        assert_eq!(sims("zoo:clock=5+1"), u32::MAX);
        assert_eq!(sims("zoo:ms=50,sims=7"), 7);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("", "no such kind"),
            ("maximin", "no such kind"),
            ("random:sims=3", "no options"),
            ("minimax:depht=3", "\"depht\""),
            ("minimax:depth=0", "depth is at least 1"),
            ("minimax:depth=x", "depth"),
            ("minimax:nodes=0", "nodes are at least 1"),
            ("minimax:ms=0", "ms is at least 1"),
            ("minimax:level=7", "1 (beginner)"),
            ("minimax:level=2,depth=3", "no other limits"),
            ("minimax:threads=2", "limit in time"),
            ("minimax:ms=5,threads=0", "1 to 1024"),
            ("minimax:clock=60", "BASE+INCREMENT"),
            ("minimax:clock=1e19+1e19", "at most 10,000,000"),
            ("minimax:clock=-1+2", "BASE+INCREMENT"),
            ("zoo:max_nodes=1000000000", "67,108,864"),
            ("zoo:c_puct=1e30", "0 to 1,000,000"),
            ("zoo:noise_alpha=1e-30", "noise_alpha"),
            ("mcts:sims=0", "at least 1"),
            ("mcts:sims=99999999999", "sims"),
            ("zoo:leaf_nodes=3", "\"leaf_nodes\""),
            ("zoo:c_puct=-1", "c_puct"),
            ("zoo:ms=5,threads=2", "one thread"),
            ("zoo:temperature=-1", "0 to 100"),
            ("mcts:temperature=NaN", "temperature"),
            ("policy:", "expected a value after policy:"),
            ("policy:,sims=3", "expected a value after policy:"),
            ("uhp:", "expected a value after uhp:"),
            ("uhp:\"x\",sims=3", "\"sims\""),
            ("uhp:\"x\",wait=0", "1 to 86400"),
            ("uhp:\"x\",wait=99999999999", "wait"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
