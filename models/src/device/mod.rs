//! Where networks are computed with burn: on the processor, or on a graphics card.

mod evaluator;

pub use evaluator::DeviceEvaluator;

use burn::tensor::Device;
use serde::{Deserialize, Serialize};

/// What networks are trained on, and what evaluates the leaves of self-play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hardware {
    /// The processor, with leaf evaluation of our own: the same bits on each run.
    #[default]
    Cpu,
    /// The first graphics card, with burn's own forward pass. It adds in an order of its own, so
    /// another card or driver gives other games.
    Gpu,
}

/// Why nothing can be computed on a graphics card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGpu {
    /// The code for it was left out.
    #[error(
        "device: expected one that this build supports, got \"gpu\": build with --features gpu, \
         or set device = \"cpu\""
    )]
    NotBuilt,
    /// The system shows none.
    #[error(
        "device: expected a graphics card, found none: install its driver for Vulkan, or set \
         device = \"cpu\""
    )]
    NotFound,
}

impl Hardware {
    /// The device of burn, without gradients.
    ///
    /// # Errors
    /// If it is a graphics card and there is none, or not in this build.
    pub fn device(self) -> Result<Device, NoGpu> {
        match self {
            Hardware::Cpu => Ok(Device::flex()),
            Hardware::Gpu => graphics_card().map(|(_, device)| device),
        }
    }
}

/// What the graphics card that [`Hardware::Gpu`] stands for calls itself.
///
/// # Errors
/// If there is none, or not in this build.
pub fn graphics_card_name() -> Result<String, NoGpu> {
    graphics_card().map(|(name, _)| name)
}

/// Only cards: a renderer in software, which Vulkan lists too, is slower than the processor's path.
#[cfg(any(feature = "gpu", feature = "cuda"))]
fn graphics_card() -> Result<(String, Device), NoGpu> {
    let card = Device::enumerate_physical().into_iter().next();
    let card = card.ok_or(NoGpu::NotFound)?;
    let device = card.devices.into_iter().next().ok_or(NoGpu::NotFound)?;
    Ok((card.name, device))
}

#[cfg(not(any(feature = "gpu", feature = "cuda")))]
fn graphics_card() -> Result<(String, Device), NoGpu> {
    Err(NoGpu::NotBuilt)
}
