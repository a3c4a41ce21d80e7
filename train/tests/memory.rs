//! A process of its own, since it measures the memory of all of it.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::thread;
use tablero_train::memory::{release, resident};

/// 77 MB in small blocks, of which one in a thousand stays: what lies between them is free, and kept.
#[test]
fn what_a_thread_has_left_goes_back_to_the_system() {
    let fill = || -> Vec<Box<[u8; 256]>> {
        let blocks = (0..300_000).map(|n| Box::new([n as u8; 256]));
        let blocks: Vec<_> = blocks.collect();
        blocks.into_iter().step_by(1000).collect()
    };
    let kept = thread::spawn(fill).join().unwrap();
    let before = resident().unwrap();
    release();
    let after = resident().unwrap();
    assert!(after + 50_000_000 < before, "{before} bytes, then {after}");
    assert_eq!(kept.len(), 300);
}
