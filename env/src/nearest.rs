//! What somebody probably meant to type.

/// How alike two names are, 0 to 1, from which on one is taken for the other misspelt.
const ALIKE: f64 = 0.8;

/// `; did you mean NAME?` for the name that is most like `got`, or nothing where none is: to stand
/// after an error that quotes it.
#[must_use]
pub fn did_you_mean<'a>(got: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let got = got.trim().to_lowercase();
    let rated = names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&got, name), name))
        .filter(|(likeness, _)| *likeness >= ALIKE);
    let best = rated.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.map_or_else(String::new, |(_, name)| format!("; did you mean {name}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_understood_and_another_word_is_not() {
        let names = ["dots-and-boxes", "queens", "hive"];
        for (got, meant) in [
            ("dots-and-boxs", "dots-and-boxes"),
            ("Queen", "queens"),
            ("hvie", "hive"),
        ] {
            assert_eq!(did_you_mean(got, names), format!("; did you mean {meant}?"));
        }
        assert_eq!(did_you_mean("chess", names), "");
        assert_eq!(did_you_mean("", names), "");
    }
}
