//! Named tensors as plain numbers: the form in which weights travel between training, leaf
//! evaluation and files.

use crate::parameters::{Initial, Parameter, parameters};
use crate::{ConfigError, NetworkConfig, NetworkShape};
use half::f16;
use rand::RngExt;
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use std::collections::{BTreeMap, HashMap};
use std::f32::consts::TAU;
use std::fmt;
use tablero_env::random::{Stream, mix, stream};

/// One tensor: its sizes, and its values in row-major order (the last index runs fastest).
#[derive(Clone, PartialEq)]
pub struct WeightTensor {
    /// The size of each axis.
    pub shape: Vec<usize>,
    /// As many values as the product of the sizes.
    pub values: Vec<f32>,
}

// Not derived: nobody reads a million numbers.
impl fmt::Debug for WeightTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} with {} values", self.shape, self.values.len())
    }
}

/// The tensors of a network by name, in the order of their names.
///
/// They include the running statistics of batch norm, so they are all that a network is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights(BTreeMap<String, WeightTensor>);

/// Weights that are damaged or do not fit the network.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The sizes of the network itself are out of bounds.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The bytes are no safetensors file.
    #[error("not a safetensors file: {0}")]
    Format(#[from] SafeTensorError),
    /// The bytes are no ONNX model.
    #[error("not an ONNX model: {0}")]
    Onnx(#[from] prost::DecodeError),
    /// A tensor does not hold floats of 16 or 32 bits.
    #[error("tensor {name}: expected F16 or F32 values, got {got}")]
    Type {
        /// The tensor.
        name: String,
        /// The type of its values.
        got: String,
    },
    /// A value is infinite or not a number.
    #[error(
        "tensor {name}: value number {index} is {got}, expected a finite number; if training \
         diverged, use an earlier checkpoint, or train again with a lower learner.learning_rate"
    )]
    NotFinite {
        /// The tensor.
        name: String,
        /// The position of the first such value.
        index: usize,
        /// The value.
        got: f32,
    },
    /// A running variance is negative.
    #[error("tensor {name}: value number {index} is {got}, expected a variance of at least 0")]
    Variance {
        /// The tensor.
        name: String,
        /// The position of the first such value.
        index: usize,
        /// The value.
        got: f32,
    },
    /// The weights are finite, but what they say of a position is not.
    #[error(
        "the network's output for a position is not finite: training diverged; use an earlier \
         checkpoint, or train again with a lower learner.learning_rate"
    )]
    Diverged,
    /// The network has a tensor that the weights lack.
    #[error("tensor {name} of shape {expected:?} is missing")]
    Missing {
        /// The tensor.
        name: String,
        /// Its shape.
        expected: Vec<usize>,
    },
    /// The weights have a tensor that the network lacks.
    #[error("tensor {name} is not one of the {n_expected} tensors of this network")]
    Unexpected {
        /// The tensor.
        name: String,
        /// How many tensors the network has.
        n_expected: usize,
    },
    /// A tensor has other sizes than in the network.
    #[error("tensor {name}: expected shape {expected:?}, got {got:?} with {n_values} values")]
    Shape {
        /// The tensor.
        name: String,
        /// The shape in the network.
        expected: Vec<usize>,
        /// The shape in the weights.
        got: Vec<usize>,
        /// How many values there are.
        n_values: usize,
    },
}

impl Weights {
    /// The weights of a new network: He-normal hidden layers, and last layers of 0, so that it gives
    /// uniform priors and equal chances. The seed decides them alone.
    ///
    /// # Errors
    /// A size that is out of bounds.
    pub fn init(
        config: &NetworkConfig,
        shape: &NetworkShape,
        seed: u64,
    ) -> Result<Weights, ConfigError> {
        let tensors =
            parameters(config, shape)?
                .into_iter()
                .enumerate()
                .map(|(index, parameter)| {
                    let n_values = parameter.shape.iter().product();
                    let random = |deviation: f32| -> Vec<f32> {
                        let mut rng = stream(seed, "weights", index as u64);
                        let normal = |_| deviation * standard_normal(&mut rng);
                        (0..n_values).map(normal).collect()
                    };
                    let values = match parameter.initial {
                        Initial::Constant(value) => vec![value; n_values],
                        Initial::Normal { deviation } => random(deviation),
                        Initial::He { fan_in } => random((2.0 / fan_in as f32).sqrt()),
                    };
                    let shape = parameter.shape;
                    (parameter.name, WeightTensor { shape, values })
                });
        Ok(Weights(tensors.collect()))
    }

    /// The tensor of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&WeightTensor> {
        self.0.get(name)
    }

    /// The tensor of this name, to be changed.
    #[must_use]
    pub fn get_mut(&mut self, name: &str) -> Option<&mut WeightTensor> {
        self.0.get_mut(name)
    }

    /// Adds a tensor, or replaces the one of this name.
    pub fn insert(&mut self, name: String, tensor: WeightTensor) {
        self.0.insert(name, tensor);
    }

    /// The tensors in the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &WeightTensor)> {
        self.0.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// The tensors in the order of their names, to be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&str, &mut WeightTensor)> {
        self.0
            .iter_mut()
            .map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// The number of values in all tensors.
    #[must_use]
    pub fn n_values(&self) -> usize {
        self.0.values().map(|tensor| tensor.values.len()).sum()
    }

    /// A 64-bit hash of names, shapes and bits of values, the same in every process and on every
    /// machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let add = |hash: u64, word: u64| mix(hash ^ word);
        self.0.iter().fold(0, |hash, (name, tensor)| {
            let hash = add(hash, name.len() as u64);
            let hash = name.bytes().fold(hash, |hash, byte| add(hash, byte.into()));
            let hash = add(hash, tensor.shape.len() as u64);
            let sizes = tensor.shape.iter();
            let hash = sizes.fold(hash, |hash, &size| add(hash, size as u64));
            let values = tensor.values.iter();
            values.fold(hash, |hash, value| add(hash, value.to_bits().into()))
        })
    }

    /// Checks that these are finite weights of just this network.
    ///
    /// # Errors
    /// The first difference: a tensor missing, unexpected, of another shape, or not finite; or a
    /// network size that is out of bounds.
    pub fn check_network(
        &self,
        config: &NetworkConfig,
        shape: &NetworkShape,
    ) -> Result<(), WeightsError> {
        let expected = parameters(config, shape)?;
        self.check_parameters(&expected)
    }

    pub(crate) fn check_parameters(&self, expected: &[Parameter]) -> Result<(), WeightsError> {
        self.check(expected.iter().map(|one| (&one.name, &one.shape)))?;
        for Parameter { name, .. } in expected.iter().filter(|one| one.is_variance()) {
            let values = &self.0[name].values;
            if let Some(index) = values.iter().position(|&value| value < 0.0) {
                return Err(WeightsError::Variance {
                    name: name.clone(),
                    index,
                    got: values[index],
                });
            }
        }
        Ok(())
    }

    fn check<'a>(
        &self,
        expected: impl ExactSizeIterator<Item = (&'a String, &'a Vec<usize>)> + Clone,
    ) -> Result<(), WeightsError> {
        for (name, shape) in expected.clone() {
            let Some(tensor) = self.0.get(name) else {
                return Err(WeightsError::Missing {
                    name: name.clone(),
                    expected: shape.clone(),
                });
            };
            let n_values = shape.iter().product::<usize>();
            if tensor.shape != *shape || tensor.values.len() != n_values {
                return Err(WeightsError::Shape {
                    name: name.clone(),
                    expected: shape.clone(),
                    got: tensor.shape.clone(),
                    n_values: tensor.values.len(),
                });
            }
        }
        if self.0.len() > expected.len() {
            let n_expected = expected.len();
            let mut names = self.0.keys();
            let unexpected = names.find(|&name| expected.clone().all(|(known, _)| known != name));
            let name = unexpected.expect("one name is too many").clone();
            return Err(WeightsError::Unexpected { name, n_expected });
        }
        self.check_finite()
    }

    pub(crate) fn check_finite(&self) -> Result<(), WeightsError> {
        for (name, tensor) in &self.0 {
            if let Some(index) = tensor.values.iter().position(|value| !value.is_finite()) {
                return Err(WeightsError::NotFinite {
                    name: name.clone(),
                    index,
                    got: tensor.values[index],
                });
            }
        }
        Ok(())
    }

    /// The same with each value rounded to the nearest 16-bit float (IEEE 754 binary16): about three
    /// decimal places, and half the file.
    #[must_use]
    pub fn rounded(&self) -> Weights {
        let mut rounded = self.clone();
        for (_, tensor) in rounded.iter_mut() {
            for value in &mut tensor.values {
                *value = f16::from_f32(*value).to_f32();
            }
        }
        rounded
    }

    /// The bytes of a `.safetensors` file: equal weights give equal bytes. A tensor is written in
    /// 16-bit floats if none of its values changes by that, else in 32-bit floats.
    #[must_use]
    pub fn to_safetensors(&self) -> Vec<u8> {
        self.serialize(None)
    }

    /// As [`to_safetensors`](Weights::to_safetensors), with one line of metadata. (The format
    /// writes several lines in the order of a hash map.)
    pub(crate) fn serialize(&self, metadata: Option<(&str, String)>) -> Vec<u8> {
        let encoded = self.0.values().map(|tensor| encode(&tensor.values));
        let encoded: Vec<(Dtype, Vec<u8>)> = encoded.collect();
        let tensors = self.0.iter().zip(&encoded);
        let views = tensors.map(|((name, tensor), (dtype, bytes))| {
            let view = TensorView::new(*dtype, tensor.shape.clone(), bytes);
            (name, view.expect("as many values as the shape says"))
        });
        let metadata = metadata.map(|(key, line)| HashMap::from([(key.to_owned(), line)]));
        safetensors::serialize(views, metadata).expect("the header is far below its limit")
    }

    /// The line of metadata under `key`, if there is one.
    pub(crate) fn metadata(bytes: &[u8], key: &str) -> Result<Option<String>, WeightsError> {
        let (_, header) = SafeTensors::read_metadata(bytes)?;
        Ok(header
            .metadata()
            .as_ref()
            .and_then(|lines| lines.get(key).cloned()))
    }

    /// Reads a `.safetensors` file.
    ///
    /// # Errors
    /// Bytes of another format, and values that are not finite floats of 16 or 32 bits.
    pub fn from_safetensors(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let mut weights = Weights::default();
        for (name, view) in SafeTensors::deserialize(bytes)?.tensors() {
            let shape = view.shape().to_vec();
            let data = view.data();
            let values = match view.dtype() {
                Dtype::F32 => data
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&value| f32::from_le_bytes(value))
                    .collect(),
                Dtype::F16 => data
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&value| f16::from_le_bytes(value).to_f32())
                    .collect(),
                other => {
                    let got = other.to_string();
                    return Err(WeightsError::Type { name, got });
                }
            };
            weights.0.insert(name, WeightTensor { shape, values });
        }
        weights.check_finite()?;
        Ok(weights)
    }
}

/// Little-endian values, in 16 bits where that is exact.
fn encode(values: &[f32]) -> (Dtype, Vec<u8>) {
    let exact = |&value: &f32| {
        let half = f16::from_f32(value);
        (half.to_f32().to_bits() == value.to_bits()).then(|| half.to_le_bytes())
    };
    match values.iter().map(exact).collect::<Option<Vec<_>>>() {
        Some(halves) => (Dtype::F16, halves.into_flattened()),
        None => (
            Dtype::F32,
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect(),
        ),
    }
}

/// Normal with mean 0 and variance 1 (Box and Muller, 1958).
fn standard_normal(rng: &mut Stream) -> f32 {
    // In 0 < u <= 1, where the logarithm is finite.
    let u = 1.0 - rng.random::<f32>();
    let angle = TAU * rng.random::<f32>();
    (-2.0 * u.ln()).sqrt() * angle.cos()
}
