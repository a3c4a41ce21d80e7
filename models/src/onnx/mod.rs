//! Networks as ONNX models, for runtimes that know nothing of Tablero, and back.
//!
//! What goes in and comes out: [`Policy::to_onnx`](crate::Policy::to_onnx).
//!
//! The operators are those of version 17. All weights are in the file under their own names, so that
//! they can be read back.

mod graph;
mod proto;

use crate::{NetworkConfig, NetworkShape, WeightTensor, Weights, WeightsError};
use graph::{Axis, CONSTANT, GraphBuilder, integer};
use prost::Message;
use proto::{Entry, FLOAT, Graph, INT64, Model, OperatorSet};

/// The version of the operators, of 2022: what a runtime has to know at least.
const OPERATORS: i64 = 17;
/// The version of the format that came with it.
const FORMAT: i64 = 8;

const BATCH: Axis = Axis::Named("batch");

/// The bytes of an `.onnx` file.
///
/// `metadata` is kept in the file, in this order.
///
/// # Errors
/// If the weights are not those of such a network, or a size is out of bounds.
pub(crate) fn to_onnx(
    config: &NetworkConfig,
    shape: &NetworkShape,
    weights: &Weights,
    metadata: &[(&str, String)],
) -> Result<Vec<u8>, WeightsError> {
    weights.check_network(config, shape)?;
    let entry = |(key, value): &(&str, String)| Entry {
        key: (*key).to_owned(),
        value: value.clone(),
    };
    let model = Model {
        ir_version: FORMAT,
        producer_name: "tablero".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        doc_string: "A policy of Tablero; its metadata say for which game.".to_owned(),
        graph: Some(graph_of(config, shape, weights)),
        opset_import: vec![OperatorSet {
            domain: String::new(),
            version: OPERATORS,
        }],
        metadata_props: metadata.iter().map(entry).collect(),
    };
    Ok(model.encode_to_vec())
}

fn graph_of(config: &NetworkConfig, shape: &NetworkShape, weights: &Weights) -> Graph {
    let mut graph = GraphBuilder::new("policy".to_owned(), weights);
    match config {
        NetworkConfig::Sparse { hidden, .. } => sparse(&mut graph, hidden.len(), shape),
        NetworkConfig::Mlp { hidden } => mlp(&mut graph, hidden.len(), shape),
        &NetworkConfig::Residual { blocks, .. } => residual(&mut graph, blocks, shape),
    }
    graph.build()
}

fn observation_input(graph: &mut GraphBuilder<'_>, shape: &NetworkShape) -> String {
    let [planes, height, width] = shape.observation;
    let axes = [
        BATCH,
        Axis::Fixed(planes),
        Axis::Fixed(height),
        Axis::Fixed(width),
    ];
    let doc = "the position as its player to move sees it";
    graph.input("observation", FLOAT, &axes, doc)
}

fn mlp(graph: &mut GraphBuilder<'_>, n_hidden: usize, shape: &NetworkShape) {
    let observation = observation_input(graph, shape);
    let flat = vec![integer("axis", 1)];
    let mut features = graph.node("Flatten", &[&observation], "flat", flat);
    for layer in 0..n_hidden {
        let layer = format!("hidden.{layer}");
        let sums = graph.dense(&layer, &features, &layer);
        features = graph.relu(&sums);
    }
    graph.dense("policy", &features, "policy_logits");
    slots_output(graph, shape);
    value_outputs(graph, shape, &features);
}

fn residual(graph: &mut GraphBuilder<'_>, n_blocks: usize, shape: &NetworkShape) {
    let observation = observation_input(graph, shape);
    let stem = graph.normed_convolution("stem", &observation);
    let mut cells = graph.relu(&stem);
    for block in 0..n_blocks {
        cells = residual_block(graph, &format!("blocks.{block}"), &cells);
    }
    let hidden = graph.normed_convolution("policy_hidden", &cells);
    let hidden = graph.relu(&hidden);
    let policy = graph.convolution("policy", &hidden);
    let flat = vec![integer("axis", 1)];
    graph.node("Flatten", &[&policy], "policy_logits", flat);
    slots_output(graph, shape);
    let value = graph.normed_convolution("value_cells", &cells);
    let value = graph.relu(&value);
    let flat = vec![integer("axis", 1)];
    let value = graph.node("Flatten", &[&value], "value_cells.flat", flat);
    let value = graph.dense("value_hidden", &value, "value_hidden");
    let value = graph.relu(&value);
    value_outputs(graph, shape, &value);
}

/// A sum of embeddings: rows of tables are gathered, and those that only fill up a list, numbered
/// -1, count nothing.
fn sparse(graph: &mut GraphBuilder<'_>, n_hidden: usize, shape: &NetworkShape) {
    let (moves, of_position) = (Axis::Named("moves"), Axis::Named("features_of_position"));
    let of_move = Axis::Named("features_of_move");
    let doc = "the features of the position, in any order, filled up with -1";
    let features = graph.input("features", INT64, &[BATCH, of_position], doc);
    let doc = "the features of each move, in any order, filled up with -1";
    let actions = graph.input("action_features", INT64, &[BATCH, moves, of_move], doc);

    let sum = summed_rows(graph, "features.weight", &features, 1);
    let bias = graph.parameter("features.bias");
    let sum = graph.node("Add", &[&sum, &bias], "features.biased", Vec::new());
    let mut values = activated(graph, &sum);
    for layer in 0..n_hidden {
        let layer = format!("hidden.{layer}");
        let sums = graph.dense(&layer, &values, &layer);
        values = activated(graph, &sums);
    }
    let rows = summed_rows(graph, "actions.weight", &actions, 2);
    let axis = graph.integers("axis of columns", &[2]);
    let column = graph.node("Unsqueeze", &[&values, &axis], "hidden.column", Vec::new());
    let products = graph.node("MatMul", &[&rows, &column], "policy.column", Vec::new());
    graph.node("Squeeze", &[&products, &axis], "policy_logits", Vec::new());
    let doc = "the logits of the moves";
    graph.output("policy_logits", &[BATCH, Axis::Named("moves")], doc);
    value_outputs(graph, shape, &values);
}

/// The sum of a table's rows with these numbers, along an axis of the numbers.
fn summed_rows(graph: &mut GraphBuilder<'_>, table: &str, numbers: &str, axis: i64) -> String {
    let zero = graph.integers("first row", &[0]);
    let is_row = format!("{numbers}.are_rows");
    let is_row = graph.node("GreaterOrEqual", &[numbers, &zero], &is_row, Vec::new());
    let to_float = vec![integer("to", i64::from(FLOAT))];
    let counts = graph.node("Cast", &[&is_row], &format!("{numbers}.count"), to_float);
    let last = graph.integers(&format!("axis after {axis}"), &[axis + 1]);
    let counts_column = format!("{numbers}.counts");
    let counts = graph.node("Unsqueeze", &[&counts, &last], &counts_column, Vec::new());
    let table = graph.parameter(table);
    let existing = format!("{numbers}.existing");
    let existing = graph.node("Max", &[numbers, &zero], &existing, Vec::new());
    let rows = format!("{numbers}.rows");
    let rows = graph.node("Gather", &[&table, &existing], &rows, Vec::new());
    let counted = format!("{numbers}.counted");
    let counted = graph.node("Mul", &[&rows, &counts], &counted, Vec::new());
    let axis = graph.integers(&format!("axis {axis}"), &[axis]);
    let keep = vec![integer("keepdims", 0)];
    graph.node(
        "ReduceSum",
        &[&counted, &axis],
        &format!("{numbers}.sum"),
        keep,
    )
}

/// The square of values limited to 0..=1.
fn activated(graph: &mut GraphBuilder<'_>, values: &str) -> String {
    let [low, high] = [("least", 0.0), ("most", 1.0)].map(|(name, x)| graph.number(name, x));
    let positive = format!("{values}.positive");
    let positive = graph.node("Max", &[values, &low], &positive, Vec::new());
    let limited = format!("{values}.limited");
    let limited = graph.node("Min", &[&positive, &high], &limited, Vec::new());
    let square = format!("{values}.square");
    graph.node("Mul", &[&limited, &limited], &square, Vec::new())
}

fn residual_block(graph: &mut GraphBuilder<'_>, block: &str, cells: &str) -> String {
    let change = graph.normed_convolution(&format!("{block}.first"), cells);
    let change = graph.relu(&change);
    let change = graph.normed_convolution(&format!("{block}.second"), &change);
    let sum = graph.node("Add", &[&change, cells], block, Vec::new());
    graph.relu(&sum)
}

fn slots_output(graph: &mut GraphBuilder<'_>, shape: &NetworkShape) {
    let doc = "a logit for each policy slot; only those of legal actions have a meaning";
    graph.output("policy_logits", &[BATCH, Axis::Fixed(shape.n_slots())], doc);
}

fn value_outputs(graph: &mut GraphBuilder<'_>, shape: &NetworkShape, features: &str) {
    graph.dense("wdl", features, "wdl_logits");
    let doc = "logits of a win, a draw and a loss for the player to move";
    graph.output("wdl_logits", &[BATCH, Axis::Fixed(3)], doc);
    if shape.points {
        let column = graph.dense("points", features, "points_lead.column");
        let axis = graph.integers("axis of outputs", &[1]);
        graph.node("Squeeze", &[&column, &axis], "points_lead", Vec::new());
        let scale = shape.points_scale();
        let doc = format!("the final lead in points of the player to move, over {scale}");
        graph.output("points_lead", &[BATCH], &doc);
    }
}

impl Weights {
    /// Reads the weights of an `.onnx` file that [`Policy::to_onnx`](crate::Policy::to_onnx) wrote, or one
    /// with tensors of the same names.
    ///
    /// # Errors
    /// Bytes of another format, and values that are not finite 32-bit floats.
    pub fn from_onnx(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let model = Model::decode(bytes)?;
        let mut weights = Weights::default();
        let graph = model.graph.unwrap_or_default();
        let tensors = graph.initializer.into_iter();
        for tensor in tensors.filter(|tensor| !tensor.name.starts_with(CONSTANT)) {
            let name = tensor.name;
            let (values, rest) = tensor.raw_data.as_chunks::<4>();
            if tensor.data_type != FLOAT || !rest.is_empty() {
                let got = format!(
                    "ONNX's type {}, {} bytes",
                    tensor.data_type,
                    tensor.raw_data.len()
                );
                return Err(WeightsError::Type { name, got });
            }
            let tensor = WeightTensor {
                shape: tensor.dims.iter().map(|&size| size as usize).collect(),
                values: values
                    .iter()
                    .map(|&value| f32::from_le_bytes(value))
                    .collect(),
            };
            weights.insert(name, tensor);
        }
        weights.check_finite()?;
        Ok(weights)
    }
}
