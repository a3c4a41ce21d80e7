//! Policies on disk: whole or not at all.

use super::manifest::{FORMAT, FORMAT_VERSION};
use super::{Golden, Policy, PolicyError, PolicyManifest};
use crate::parameters::parameters;
use crate::storage::{self, StorageError};
use crate::{Weights, WeightsError};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use tablero_env::{AnyGame, with_game};

pub(super) const MANIFEST: &str = "policy.json";
pub(super) const WEIGHTS: &str = "weights.safetensors";
const ONNX: &str = "policy.onnx";
pub(super) const GOLDEN: &str = "golden.json";

/// Bytes of a `policy.json`, which has some thousands.
const MOST_MANIFEST: u64 = 1 << 20;

/// The file in which a policy directory keeps the weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightsFormat {
    /// `weights.safetensors`: the tensors alone.
    #[default]
    Safetensors,
    /// `policy.onnx`: the network as a model that ONNX runtimes evaluate: see [`Policy::to_onnx`].
    Onnx,
}

impl WeightsFormat {
    const ALL: [WeightsFormat; 2] = [WeightsFormat::Safetensors, WeightsFormat::Onnx];

    /// The file's name.
    #[must_use]
    pub fn file_name(self) -> &'static str {
        match self {
            WeightsFormat::Safetensors => WEIGHTS,
            WeightsFormat::Onnx => ONNX,
        }
    }

    fn read(self, content: &[u8]) -> Result<Weights, WeightsError> {
        match self {
            WeightsFormat::Safetensors => Weights::from_safetensors(content),
            WeightsFormat::Onnx => Weights::from_onnx(content),
        }
    }
}

/// The part of `policy.json` that says whether the rest can be read.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    format_version: u32,
}

/// The part that says which files are the policy's, in every version of the form.
#[derive(Deserialize)]
struct Listing {
    format: String,
    files: BTreeMap<String, IgnoredAny>,
}

#[derive(Serialize, Deserialize)]
struct Document {
    #[serde(flatten)]
    header: Header,
    #[serde(flatten)]
    manifest: PolicyManifest,
    files: BTreeMap<String, Checksum>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Checksum {
    bytes: usize,
    /// CRC-32 (IEEE), in hexadecimal.
    crc32: String,
}

impl Checksum {
    fn of(content: &[u8]) -> Checksum {
        Checksum {
            bytes: content.len(),
            crc32: format!("{:08x}", crc32fast::hash(content)),
        }
    }

    fn text(&self) -> String {
        format!("{} bytes with CRC-32 {}", self.bytes, self.crc32)
    }
}

impl Policy {
    /// [`save_as`](Policy::save_as) in the default format, safetensors.
    ///
    /// # Errors
    /// As there.
    pub fn save(&self, directory: impl AsRef<Path>) -> Result<(), PolicyError> {
        self.save_as(directory, WeightsFormat::default())
    }

    /// Writes the policy as a directory. The files are written aside, synced, and take their place
    /// together, so `directory` never holds half a policy. An older policy there is replaced;
    /// anything else is left alone: see [`check_vacant`](Policy::check_vacant).
    ///
    /// # Errors
    /// If the directory holds something else, or the system refuses to write; what was there
    /// before is then unchanged.
    ///
    /// # Panics
    /// As [`to_onnx`](Policy::to_onnx), in that format.
    pub fn save_as(
        &self,
        directory: impl AsRef<Path>,
        format: WeightsFormat,
    ) -> Result<(), PolicyError> {
        self.save_beside(directory, format, &[])
    }

    /// The same with more files beside the policy's own, which [`read_file`](Policy::read_file)
    /// reads back.
    ///
    /// # Errors
    /// As [`save_as`](Policy::save_as).
    ///
    /// # Panics
    /// As there.
    pub fn save_beside(
        &self,
        directory: impl AsRef<Path>,
        format: WeightsFormat,
        others: &[(&str, Vec<u8>)],
    ) -> Result<(), PolicyError> {
        let directory = directory.as_ref();
        Policy::check_vacant(directory)?;
        let weights = match format {
            WeightsFormat::Safetensors => self.weights.to_safetensors(),
            WeightsFormat::Onnx => self.to_onnx(),
        };
        let golden = serde_json::to_vec(&self.golden).expect("plain data with text keys");
        let mut files: Vec<(&str, &[u8])> = vec![(format.file_name(), &weights), (GOLDEN, &golden)];
        files.extend(others.iter().map(|(name, content)| (*name, &content[..])));
        let checksums = files.iter();
        let document = Document {
            header: Header {
                format: FORMAT.to_owned(),
                format_version: FORMAT_VERSION,
            },
            manifest: self.manifest.clone(),
            files: checksums
                .map(|(name, content)| ((*name).to_owned(), Checksum::of(content)))
                .collect(),
        };
        let manifest = to_json(&document);
        files.push((MANIFEST, &manifest));
        Ok(storage::write_folder_atomic(directory, &files)?)
    }

    /// Reads a file of a policy directory and checks that it is the one that was written.
    ///
    /// # Errors
    /// If it is missing or damaged, or the directory is no policy's.
    pub fn read_file(directory: &Path, name: &str) -> Result<Vec<u8>, PolicyError> {
        let file = directory.join(MANIFEST);
        let content = storage::read_at_most(&file, MOST_MANIFEST)?;
        let document = parse_manifest(&file, &content)?;
        let read = |most| Ok(storage::read_at_most(&directory.join(name), most)?);
        document.content(directory, name, read)
    }

    /// Whether a directory looks like a policy's: it has a `policy.json`.
    #[must_use]
    pub fn is_policy(directory: &Path) -> bool {
        directory.join(MANIFEST).is_file()
    }

    /// Checks that nothing is lost if a policy takes the place of a directory: that there is none, an
    /// empty one, or a policy with nothing beside the files that it names, of whatever version.
    ///
    /// # Errors
    /// [`PolicyError::Occupied`] with the name of what is foreign, or if the directory cannot be read.
    pub fn check_vacant(directory: &Path) -> Result<(), PolicyError> {
        let occupied = |found: String| PolicyError::Occupied {
            directory: directory.to_owned(),
            found,
        };
        match fs::read_dir(directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(_) if directory.exists() => return Err(occupied("is no directory".to_owned())),
            Err(source) => return Err(StorageError::of("write", directory)(source).into()),
            Ok(mut entries) => {
                if entries.next().is_none() {
                    return Ok(());
                }
            }
        }
        let listing = storage::read_at_most(&directory.join(MANIFEST), MOST_MANIFEST)
            .ok()
            .and_then(|content| serde_json::from_slice::<Listing>(&content).ok())
            .filter(|listing| listing.format == FORMAT)
            .ok_or_else(|| occupied("exists and is no policy directory".to_owned()))?;
        let is_ours = |name: &str| name == MANIFEST || listing.files.contains_key(name);
        match storage::foreign_entry(directory, is_ours)? {
            None => Ok(()),
            Some(name) => Err(occupied(format!("holds {name}, no file of its policy"))),
        }
    }

    /// Reads a policy and checks all of it.
    ///
    /// # Errors
    /// If a file is missing, damaged or of another kind; if the policy is for a game, rules or an
    /// encoding that this program does not have; if the weights are not those of the network; or
    /// if the golden positions come out differently.
    pub fn load(directory: impl AsRef<Path>) -> Result<Policy, PolicyError> {
        let directory = directory.as_ref();
        Policy::from_files(directory, |name, most| {
            Ok(storage::read_at_most(&directory.join(name), most)?)
        })
    }

    /// Reads a policy from the files of a directory, wherever they are kept, and checks all of it.
    /// `read` returns the content of a file, of at most as many bytes as it is given.
    ///
    /// # Errors
    /// As [`load`](Policy::load).
    pub(super) fn from_files(
        directory: &Path,
        read: impl Fn(&str, u64) -> Result<Vec<u8>, PolicyError>,
    ) -> Result<Policy, PolicyError> {
        let content = read(MANIFEST, MOST_MANIFEST)?;
        let document = parse_manifest(&directory.join(MANIFEST), &content)?;
        let manifest = document.manifest.clone();
        let game = AnyGame::parse(&manifest.game)?;
        with_game!(&game, game => manifest.check_game(game))?;

        let read = |name: &str| document.content(directory, name, |most| read(name, most));
        let is_listed = |format: &WeightsFormat| document.files.contains_key(format.file_name());
        let format = WeightsFormat::ALL.into_iter().find(is_listed);
        let format = format.unwrap_or_default();
        let weights_file = directory.join(format.file_name());
        let golden_file = directory.join(GOLDEN);
        let weights = format.read(&read(format.file_name())?);
        let weights = weights.map_err(|source| PolicyError::Weights {
            file: weights_file.clone(),
            source,
        })?;
        let golden: Golden = from_json(&golden_file, &read(GOLDEN)?)?;
        let policy = Policy {
            manifest,
            weights,
            golden,
        };
        let network = policy
            .leaf_network()
            .map_err(|source| PolicyError::Weights {
                file: weights_file,
                source,
            })?;
        with_game!(&game, game => policy.golden.check(game, network))?;
        Ok(policy)
    }
}

impl Document {
    /// The content of a file that `read` reads, if it is the one that was written: as long as it is
    /// stated to be, which is no longer than the network needs.
    fn content(
        &self,
        directory: &Path,
        name: &str,
        read: impl Fn(u64) -> Result<Vec<u8>, PolicyError>,
    ) -> Result<Vec<u8>, PolicyError> {
        let file = directory.join(name);
        let most = self.most_bytes(&file)?;
        let stated = self.files.get(name);
        let content = read(stated.map_or(most, |stated| most.min(stated.bytes as u64)))?;
        check_content(&file, &content, stated)?;
        Ok(content)
    }

    /// Bytes of the longest file of the policy: a learner's optimizer has several numbers for each
    /// weight, and golden positions take some room in any case.
    fn most_bytes(&self, file: &Path) -> Result<u64, PolicyError> {
        const EACH: u64 = 32;
        const IN_ANY_CASE: u64 = 64 << 20;
        let PolicyManifest { network, shape, .. } = &self.manifest;
        let parameters = parameters(network, shape).map_err(|error| PolicyError::Weights {
            file: file.to_owned(),
            source: error.into(),
        })?;
        let n_values = parameters
            .iter()
            .map(|it| it.shape.iter().product::<usize>());
        Ok(n_values.sum::<usize>() as u64 * EACH + IN_ANY_CASE)
    }
}

fn parse_manifest(file: &Path, content: &[u8]) -> Result<Document, PolicyError> {
    let header: Header = from_json(file, content)?;
    for (what, expected, got) in [
        ("format", FORMAT.to_owned(), header.format),
        (
            "format version",
            FORMAT_VERSION.to_string(),
            header.format_version.to_string(),
        ),
    ] {
        if expected != got {
            return Err(PolicyError::Foreign {
                what,
                expected,
                got,
            });
        }
    }
    from_json(file, content)
}

fn check_content(
    file: &Path,
    content: &[u8],
    expected: Option<&Checksum>,
) -> Result<(), PolicyError> {
    let got = Checksum::of(content);
    if expected == Some(&got) {
        return Ok(());
    }
    Err(PolicyError::Damaged {
        file: file.to_owned(),
        expected: expected.map_or("no such file".to_owned(), Checksum::text),
        got: got.text(),
    })
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("plain data with text keys");
    text.push(b'\n');
    text
}

fn from_json<T: DeserializeOwned>(file: &Path, content: &[u8]) -> Result<T, PolicyError> {
    serde_json::from_slice(content).map_err(|source| PolicyError::Json {
        file: file.to_owned(),
        source,
    })
}
