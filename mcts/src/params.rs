//! What can be tuned in a search.

use serde::{Deserialize, Serialize};

/// The parameters of a [`Search`](crate::Search).
///
/// Fields that are missing in a file take their defaults; unknown ones are an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchParams {
    /// How strongly priors pull against values: c_init of PUCT. At least 0; default 1.25, as in
    /// AlphaZero (Silver et al., 2018, supplement).
    pub c_puct: f32,
    /// The number of visits on whose scale `c_puct` grows by a logarithm: c_base of PUCT. Above
    /// 0; default 19652, as in AlphaZero.
    pub c_puct_base: f32,
    /// How fast it grows: what the logarithm is multiplied with. At least 0; default 1, as in
    /// AlphaZero. KataGo's play has 0.45, with a base of 500 and an init of 1.
    pub c_puct_log: f32,
    /// First-play urgency: an untried move counts as the value of its position minus this times
    /// the square root of the prior mass of the tried moves. At least 0; default 0.2, as in
    /// KataGo (Wu, 2019).
    pub fpu_reduction: f32,
    /// The same at the root. Default 0.1, as in KataGo's play; with noise, in self-play, KataGo
    /// uses 0.
    pub root_fpu_reduction: f32,
    /// Noise on the priors of the root, for self-play by PUCT; with Gumbel, whose noise is its
    /// own, it has no effect. Default none.
    pub noise: Option<RootNoise>,
    /// How the root chooses what to look at. Default [`RootSelection::Puct`].
    pub root: RootSelection,
    /// Forced playouts and policy target pruning (KataGo, Wu, 2019): in a search in
    /// [full](crate::Budget::full) by PUCT, each tried move of the root gets at least
    /// sqrt(this * prior * visits of all moves) visits, and the policy target leaves those out
    /// again that PUCT alone would not have given. At least 0; default 0, which forces nothing;
    /// KataGo has 2.
    pub forced_playouts: f32,
    /// How many leaves of the tree may wait for evaluations at once, at least 1. Default 1. More
    /// fill a batch from few trees, at some loss of strength a simulation: each waiting leaf
    /// counts as a lost visit of every move that led to it (virtual loss, Chaslot et al., 2008).
    pub leaves_per_round: usize,
    /// Whether finished games, and points that [decide](tablero_env::Game::lead_bounds) an
    /// unfinished one, prove bounds on the results of the moves that lead there (Cazenave and
    /// Saffidine, 2010), down to exact values (MCTS-Solver, Winands et al., 2008). Default true;
    /// without it a finished game is a sample like any other.
    ///
    /// Bounds cost no measurable time. On Dots and Boxes 4x4, with 400 simulations of one random
    /// game each, they score 56.5 % (51.8 to 61.2) against exact values from finished games alone,
    /// in 400 games in pairs from 200 openings.
    pub use_proven: bool,
    /// Whether to search depth first, to prove the result: at each position on with the first
    /// move that may still change its bounds, in the order of the priors, until that move is
    /// decided. Values and visits then choose nothing: before the proof is complete, the best
    /// move is none to play, and a full tree learns no more. Default false; no effect without
    /// [`use_proven`](SearchParams::use_proven).
    ///
    /// A proof needs few moves of each position, but these to their ends; selection by values
    /// weighs all of them and finishes none before it has seen nearly all there is. With
    /// [`transpositions`](SearchParams::transpositions), equal priors and no opinion the empty 2x3
    /// board of Dots and Boxes takes 149,229 simulations and 46,329 nodes instead of 605,958 and
    /// 189,730, the empty 3x3 board 11,724,784 and 3,461,131. But where lines are long and many
    /// win soon, as in Paper Soccer, values show the way and depth first gets lost.
    pub depth_first: bool,
    /// Whether a position that several orders of moves lead to has one node, which all of them
    /// share (Monte-Carlo graph search: Czech, Korus and Kersting, 2020; Wu, 2023). Default false:
    /// each node stores its position, too. No effect in games without a bound on their length
    /// (Hive), where positions may recur.
    ///
    /// Proofs come far sooner: of the empty 2x2 board of Dots and Boxes in some 16,000 simulations,
    /// instead of more than 16 million. In play, measured as for `use_proven` against the same
    /// search without them, they score 58.8 % (53.6 to 64.0) on 3x3 and 50.6 % (45.9 to 55.3) on
    /// 4x4.
    pub transpositions: bool,
    /// Implicit minimax backups (Lanctot et al., 2014): by how much selection goes by the minimax value
    /// of a move, that of the best line tried below it, instead of the mean over its visits. 0..=1;
    /// default 0. The policy and the values that a search reports are those of visits and means
    /// in any case. The paper takes minimax values of a heuristic beside the means of playouts; here both
    /// are of the evaluator's judgements. What 0.2 is worth is measured in `docs/experiments.md`.
    pub minimax_share: f32,
    /// The most nodes of the tree. A node of a position with n legal actions takes 37 + 8 n bytes,
    /// and 13 n more once the search goes on below it; with
    /// [`transpositions`](SearchParams::transpositions) the position itself, too, and with a
    /// `minimax_share` 4 + 4 n bytes. When the tree is
    /// full, leaves are still judged, but no longer expanded. The root is always there.
    /// Default 262144.
    pub max_nodes: usize,
}

impl Default for SearchParams {
    fn default() -> Self {
        SearchParams {
            c_puct: 1.25,
            c_puct_base: 19652.0,
            c_puct_log: 1.0,
            fpu_reduction: 0.2,
            root_fpu_reduction: 0.1,
            noise: None,
            root: RootSelection::Puct,
            forced_playouts: 0.0,
            leaves_per_round: 1,
            use_proven: true,
            depth_first: false,
            transpositions: false,
            minimax_share: 0.0,
            max_nodes: 1 << 18,
        }
    }
}

/// How the root chooses what to look at.
///
/// In a file, a table with the field `kind`, which is `puct` or `gumbel`, and the fields of
/// [`GumbelParams`].
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RootSelection {
    /// By the same rule as everywhere, PUCT. Moves are judged by their visits.
    #[default]
    Puct,
    /// By sequential halving of moves drawn without replacement, and everywhere else so that
    /// visits approach the improved policy (Gumbel AlphaZero, Danihelka et al., 2022). Improves
    /// on the priors with any number of simulations; meant for few.
    Gumbel(GumbelParams),
}

/// The parameters of [`RootSelection::Gumbel`] (Danihelka et al., 2022).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GumbelParams {
    /// How many moves of the root are looked at: m. At least 1; default 16, as in the paper.
    pub max_considered: usize,
    /// What the Gumbel draws are multiplied with in a search in
    /// [full](crate::Budget::full). At least 0; default 1, which draws moves in proportion to
    /// their priors; 0 takes those with the highest priors, to play at full strength.
    pub scale: f32,
    /// c_visit of sigma(q) = (c_visit + max visits) * c_scale * q, which weighs values against
    /// logarithms of priors; q is a score, 0 for a loss to 1 for a win. At least 0; default 50, as
    /// in the paper.
    pub c_visit: f32,
    /// c_scale of the same. At least 0; default 1, as in the paper for board games. (mctx has 0.1,
    /// after stretching the values of a position's moves over 0 to 1.)
    pub c_scale: f32,
}

impl Default for GumbelParams {
    fn default() -> Self {
        GumbelParams {
            max_considered: 16,
            scale: 1.0,
            c_visit: 50.0,
            c_scale: 1.0,
        }
    }
}

/// Dirichlet noise mixed into the priors of the root, so that self-play tries moves that the
/// priors dismiss (AlphaGo Zero, Silver et al., 2017).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RootNoise {
    /// The sum of the concentrations: each of n actions with a prior has alpha = `alpha_total / n`.
    /// Above 0; default 10.83, as in KataGo (0.03 on each of the 361 points of 19x19 Go).
    pub alpha_total: f32,
    /// The share of the noise in the mixture, 0..=1; default 0.25, as in AlphaGo Zero.
    pub fraction: f32,
}

impl Default for RootNoise {
    fn default() -> Self {
        RootNoise {
            alpha_total: 10.83,
            fraction: 0.25,
        }
    }
}

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} must be {expected}, got {got}")]
pub struct ParamsError {
    /// The field.
    pub name: &'static str,
    /// Its range.
    pub expected: &'static str,
    /// The value given.
    pub got: f32,
}

impl SearchParams {
    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter that is out of its range. A search with such parameters is of little
    /// use, but it does not panic and plays legal moves.
    pub fn check(&self) -> Result<(), ParamsError> {
        const AT_LEAST_0: &str = "a finite number of at least 0";
        const ABOVE_0: &str = "a finite number above 0";
        const AT_LEAST_1: &str = "at least 1";
        const IN_0_TO_1: &str = "in 0..=1";
        let noise = self.noise.unwrap_or_default();
        let gumbel = match self.root {
            RootSelection::Puct => GumbelParams::default(),
            RootSelection::Gumbel(gumbel) => gumbel,
        };
        let fields = [
            ("c_puct", self.c_puct, AT_LEAST_0),
            ("c_puct_base", self.c_puct_base, ABOVE_0),
            ("c_puct_log", self.c_puct_log, AT_LEAST_0),
            ("fpu_reduction", self.fpu_reduction, AT_LEAST_0),
            ("root_fpu_reduction", self.root_fpu_reduction, AT_LEAST_0),
            ("forced_playouts", self.forced_playouts, AT_LEAST_0),
            ("minimax_share", self.minimax_share, IN_0_TO_1),
            ("leaves_per_round", self.leaves_per_round as f32, AT_LEAST_1),
            (
                "root.max_considered",
                gumbel.max_considered as f32,
                AT_LEAST_1,
            ),
            ("root.scale", gumbel.scale, AT_LEAST_0),
            ("root.c_visit", gumbel.c_visit, AT_LEAST_0),
            ("root.c_scale", gumbel.c_scale, AT_LEAST_0),
            ("noise.alpha_total", noise.alpha_total, ABOVE_0),
            ("noise.fraction", noise.fraction, IN_0_TO_1),
        ];
        for (name, got, expected) in fields {
            let fits = match expected {
                AT_LEAST_0 => got.is_finite() && got >= 0.0,
                ABOVE_0 => got.is_finite() && got > 0.0,
                AT_LEAST_1 => got >= 1.0,
                _ => (0.0..=1.0).contains(&got),
            };
            if !fits {
                return Err(ParamsError {
                    name,
                    expected,
                    got,
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_toml(text: &str) -> Result<SearchParams, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn parameters_come_back_from_their_text() {
        let gumbel = GumbelParams {
            max_considered: 5,
            c_scale: 0.25,
            ..GumbelParams::default()
        };
        for root in [RootSelection::Puct, RootSelection::Gumbel(gumbel)] {
            let params = SearchParams {
                root,
                noise: Some(RootNoise::default()),
                leaves_per_round: 4,
                ..SearchParams::default()
            };
            let text = toml::to_string(&params).unwrap();
            assert_eq!(from_toml(&text).unwrap(), params, "{text}");
        }
    }

    #[test]
    fn missing_fields_take_their_defaults_and_unknown_ones_are_refused() {
        assert_eq!(from_toml("").unwrap(), SearchParams::default());
        let short = from_toml("root = { kind = \"gumbel\", c_visit = 30 }").unwrap();
        let gumbel = GumbelParams {
            c_visit: 30.0,
            ..GumbelParams::default()
        };
        assert_eq!(short.root, RootSelection::Gumbel(gumbel));
        for bad in [
            "c_pukt = 1.0",
            "root = { kind = \"ucb\" }",
            "root = { kind = \"gumbel\", c_visits = 30 }",
        ] {
            assert!(from_toml(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_parameter_out_of_its_range_is_named() {
        let gumbel = |change: fn(&mut GumbelParams)| {
            let mut gumbel = GumbelParams::default();
            change(&mut gumbel);
            SearchParams {
                root: RootSelection::Gumbel(gumbel),
                ..SearchParams::default()
            }
        };
        let plain = SearchParams::default;
        let cases = [
            (
                "root.max_considered",
                gumbel(|gumbel| gumbel.max_considered = 0),
            ),
            ("root.scale", gumbel(|gumbel| gumbel.scale = -1.0)),
            ("root.c_visit", gumbel(|gumbel| gumbel.c_visit = f32::NAN)),
            (
                "root.c_scale",
                gumbel(|gumbel| gumbel.c_scale = f32::INFINITY),
            ),
            (
                "forced_playouts",
                SearchParams {
                    forced_playouts: -2.0,
                    ..plain()
                },
            ),
            (
                "leaves_per_round",
                SearchParams {
                    leaves_per_round: 0,
                    ..plain()
                },
            ),
            (
                "minimax_share",
                SearchParams {
                    minimax_share: 1.5,
                    ..plain()
                },
            ),
            (
                "c_puct_log",
                SearchParams {
                    c_puct_log: f32::NAN,
                    ..plain()
                },
            ),
        ];
        assert_eq!(plain().check(), Ok(()));
        for (name, params) in cases {
            assert_eq!(params.check().unwrap_err().name, name);
        }
    }
}
