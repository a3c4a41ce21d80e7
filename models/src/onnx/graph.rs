//! An ONNX graph in the making: nodes, each of one output that bears its name.

use super::proto::{
    Attribute, Dimension, FLOAT, Graph, INT, INT64, INTS, Node, Shape, Size, TensorData,
    TensorType, Type, ValueInfo,
};
use crate::Weights;

/// What comes before the names of constants, which no weight has.
pub(super) const CONSTANT: &str = "constant.";

/// One size of an input or output.
pub(super) enum Axis {
    Named(&'static str),
    Fixed(usize),
}

pub(super) struct GraphBuilder<'a> {
    weights: &'a Weights,
    graph: Graph,
}

impl<'a> GraphBuilder<'a> {
    pub fn new(name: String, weights: &'a Weights) -> Self {
        GraphBuilder {
            weights,
            graph: Graph {
                name,
                ..Graph::default()
            },
        }
    }

    pub fn build(self) -> Graph {
        self.graph
    }

    pub fn input(&mut self, name: &str, elem_type: i32, axes: &[Axis], doc: &str) -> String {
        self.graph.input.push(value(name, elem_type, axes, doc));
        name.to_owned()
    }

    /// Declares a node's output as one of the graph.
    pub fn output(&mut self, name: &str, axes: &[Axis], doc: &str) {
        self.graph.output.push(value(name, FLOAT, axes, doc));
    }

    /// A node of an operator, and the name of its output.
    pub fn node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        output: &str,
        attributes: Vec<Attribute>,
    ) -> String {
        self.graph.node.push(Node {
            input: inputs.iter().map(|&name| name.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: output.to_owned(),
            op_type: operator.to_owned(),
            attribute: attributes,
        });
        output.to_owned()
    }

    /// A tensor of the network, under its own name.
    fn weight(&mut self, name: &str) -> String {
        let tensor = self.weights.get(name).expect("the weights were checked");
        let bytes = tensor.values.iter().flat_map(|value| value.to_le_bytes());
        self.initializer(name.to_owned(), &tensor.shape, FLOAT, bytes.collect())
    }

    pub fn integers(&mut self, name: &str, values: &[i64]) -> String {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        let name = format!("{CONSTANT}{name}");
        self.initializer(name, &[values.len()], INT64, bytes.collect())
    }

    pub fn number(&mut self, name: &str, value: f32) -> String {
        let name = format!("{CONSTANT}{name}");
        self.initializer(name, &[1], FLOAT, value.to_le_bytes().to_vec())
    }

    /// Whatever is asked for again is there already.
    fn initializer(
        &mut self,
        name: String,
        shape: &[usize],
        data_type: i32,
        raw_data: Vec<u8>,
    ) -> String {
        let known = &mut self.graph.initializer;
        if known.iter().all(|tensor| tensor.name != name) {
            known.push(TensorData {
                dims: shape.iter().map(|&size| size as i64).collect(),
                data_type,
                name: name.clone(),
                raw_data,
            });
        }
        name
    }

    pub fn relu(&mut self, of: &str) -> String {
        self.node("Relu", &[of], &format!("{of}.relu"), Vec::new())
    }

    /// `[B, in]` to `[B, out]`.
    pub fn dense(&mut self, layer: &str, of: &str, output: &str) -> String {
        let [weight, bias] = ["weight", "bias"].map(|part| self.weight(&format!("{layer}.{part}")));
        self.node("Gemm", &[of, &weight, &bias], output, Vec::new())
    }

    /// A convolution over all cells, without its bias.
    fn bare_convolution(&mut self, layer: &str, of: &str, bias: Option<&str>) -> String {
        let weight = self.weight(&format!("{layer}.weight"));
        let tensor = self.weights.get(&weight).expect("just used");
        let side = tensor.shape[3] as i64;
        let attributes = vec![
            integers("kernel_shape", &[side, side]),
            integers("pads", &[side / 2; 4]),
        ];
        let inputs = [Some(of), Some(&weight), bias];
        let inputs: Vec<&str> = inputs.into_iter().flatten().collect();
        self.node("Conv", &inputs, layer, attributes)
    }

    pub fn convolution(&mut self, layer: &str, of: &str) -> String {
        let bias = self.weight(&format!("{layer}.bias"));
        self.bare_convolution(layer, of, Some(&bias))
    }

    /// A convolution with its batch norm, which stays a node of its own: the file holds the weights
    /// as they are, and runtimes fold the two.
    pub fn normed_convolution(&mut self, layer: &str, of: &str) -> String {
        let cells = self.bare_convolution(&format!("{layer}.convolution"), of, None);
        let [gamma, beta, mean, variance] = ["gamma", "beta", "running_mean", "running_var"]
            .map(|part| self.weight(&format!("{layer}.norm.{part}")));
        let inputs = [cells.as_str(), &gamma, &beta, &mean, &variance];
        // Its epsilon is that of the operator, 1e-5.
        self.node("BatchNormalization", &inputs, layer, Vec::new())
    }

    /// A weight as it is.
    pub fn parameter(&mut self, name: &str) -> String {
        self.weight(name)
    }
}

pub(super) fn integer(name: &str, i: i64) -> Attribute {
    Attribute {
        name: name.to_owned(),
        i,
        ints: Vec::new(),
        kind: INT,
    }
}

fn integers(name: &str, ints: &[i64]) -> Attribute {
    Attribute {
        name: name.to_owned(),
        i: 0,
        ints: ints.to_vec(),
        kind: INTS,
    }
}

fn value(name: &str, elem_type: i32, axes: &[Axis], doc: &str) -> ValueInfo {
    let dim = axes.iter().map(|axis| Dimension {
        size: Some(match axis {
            Axis::Named(name) => Size::Named((*name).to_owned()),
            Axis::Fixed(size) => Size::Fixed(*size as i64),
        }),
    });
    let shape = Shape { dim: dim.collect() };
    ValueInfo {
        name: name.to_owned(),
        kind: Some(Type {
            tensor_type: Some(TensorType {
                elem_type,
                shape: Some(shape),
            }),
        }),
        doc_string: doc.to_owned(),
    }
}
