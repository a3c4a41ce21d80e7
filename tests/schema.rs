//! JSON Schema, as far as the schemas in `docs` use it.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The schemas of a folder, which may refer to each other.
#[derive(Clone, Debug)]
pub struct Schemas {
    folder: PathBuf,
}

impl Schemas {
    /// Those of `docs` or a folder in it.
    #[must_use]
    pub fn of_docs(folder: &str) -> Schemas {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        Schemas {
            folder: docs.join(folder),
        }
    }

    /// Reads a schema.
    ///
    /// # Panics
    /// If there is no such file, or it is not JSON.
    #[must_use]
    pub fn read(&self, file: &str) -> Value {
        let path = self.folder.join(file);
        let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
    }

    /// What of the schema `root` the value breaks.
    ///
    /// # Panics
    /// If the schema has a keyword that is not known here.
    #[must_use]
    pub fn breach(&self, root: &Value, value: &Value) -> Option<String> {
        self.breach_at(root, root, value, "")
    }

    fn breach_at(&self, root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
        check_keywords(schema);
        let says = |what: &str| Some(format!("{path}: {what}: {value}"));
        if let Some(reference) = schema["$ref"].as_str() {
            return self.breach_of_reference(root, reference, value, path);
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let breaches = choices
                .iter()
                .map(|choice| self.breach_at(root, choice, value, path));
            let breaches: Option<Vec<String>> = breaches.collect();
            return breaches.map(|all| all.join("\n  or "));
        }
        if let Some(choices) = schema["enum"].as_array()
            && !choices.contains(value)
        {
            return says("not one of the choices");
        }
        let fits = match schema["type"].as_str() {
            None => true,
            Some("string") => value.is_string(),
            Some("integer") => is_integer(value, schema["minimum"].as_i64()),
            Some("number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            Some("null") => value.is_null(),
            Some("array") => return self.array_breach(root, schema, value, path),
            Some("object") => return self.object_breach(root, schema, value, path),
            Some(other) => panic!("unknown type {other}"),
        };
        if fits { None } else { says("another type") }
    }

    /// `#/$defs/NAME`, `FILE` or `FILE#/$defs/NAME`.
    fn breach_of_reference(
        &self,
        root: &Value,
        reference: &str,
        value: &Value,
        path: &str,
    ) -> Option<String> {
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let other = (!file.is_empty()).then(|| self.read(file));
        let root = other.as_ref().unwrap_or(root);
        let schema = root.pointer(pointer);
        let schema = schema.unwrap_or_else(|| panic!("there is no {reference}"));
        self.breach_at(root, schema, value, path)
    }

    fn array_breach(
        &self,
        root: &Value,
        schema: &Value,
        value: &Value,
        path: &str,
    ) -> Option<String> {
        let Some(items) = value.as_array() else {
            return Some(format!("{path}: no array: {value}"));
        };
        let n_items = items.len() as u64;
        let least = schema["minItems"].as_u64().unwrap_or(0);
        let most = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
        if !(least..=most).contains(&n_items) {
            return Some(format!("{path}: {n_items} items"));
        }
        let mut items = items.iter().enumerate();
        items.find_map(|(at, item)| {
            self.breach_at(root, &schema["items"], item, &format!("{path}/{at}"))
        })
    }

    fn object_breach(
        &self,
        root: &Value,
        schema: &Value,
        value: &Value,
        path: &str,
    ) -> Option<String> {
        let Some(fields) = value.as_object() else {
            return Some(format!("{path}: no object: {value}"));
        };
        let mut required = schema["required"].as_array().into_iter().flatten();
        if let Some(missing) = required.find(|name| !fields.contains_key(name.as_str().unwrap())) {
            return Some(format!("{path}: {missing} is missing"));
        }
        let is_closed = schema["additionalProperties"] == false;
        fields
            .iter()
            .find_map(|(name, field)| match schema["properties"].get(name) {
                Some(schema) => self.breach_at(root, schema, field, &format!("{path}/{name}")),
                None if is_closed => Some(format!("{path}: {name} is not described")),
                None => None,
            })
    }
}

fn is_integer(value: &Value, minimum: Option<i64>) -> bool {
    let is_large = value.is_u64() && !value.is_i64();
    is_large
        || value
            .as_i64()
            .is_some_and(|number| number >= minimum.unwrap_or(i64::MIN))
}

/// Panics at a keyword that is not supported here: ignoring it would skip a check.
fn check_keywords(schema: &Value) {
    const KNOWN: [&str; 14] = [
        "$schema",
        "$defs",
        "$ref",
        "title",
        "description",
        "anyOf",
        "enum",
        "type",
        "minimum",
        "items",
        "minItems",
        "maxItems",
        "properties",
        "required",
    ];
    for keyword in schema.as_object().into_iter().flat_map(|it| it.keys()) {
        let is_known = KNOWN.contains(&keyword.as_str()) || keyword == "additionalProperties";
        assert!(is_known, "unknown keyword {keyword}");
    }
}
