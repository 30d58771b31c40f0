// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

//! What a cancellation token costs. Prints one line a row: its name and nanoseconds a piece.

use std::time::Instant;
use tokio_util::sync::CancellationToken;

const RUNS: usize = 400;
const PIECES: usize = 2000;
const WIDTH: usize = 1000;

/// Tells how long one piece of the work takes in the best of many short runs.
fn best(row: &str, work: impl Fn(usize)) {
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        work(PIECES);
        least = least.min(start.elapsed().as_nanos() as f64 / PIECES as f64);
    }
    println!("{row} {least:.0}");
}

fn main() {
    best("cancel", |count| {
        for _ in 0..count {
            CancellationToken::new().cancel();
        }
    });
    let parent = CancellationToken::new();
    best("child", |count| {
        for _ in 0..count {
            drop(parent.child_token());
        }
    });
    best("wide", |count| {
        for _ in 0..count / WIDTH {
            let root = CancellationToken::new();
            let children: Vec<_> = (0..WIDTH).map(|_| root.child_token()).collect();
            root.cancel();
            assert!(children.last().unwrap().is_cancelled());
        }
    });
    best("deep", |count| {
        for _ in 0..count / WIDTH {
            let root = CancellationToken::new();
            let mut line = vec![root.clone()];
            for index in 0..WIDTH {
                line.push(line[index].child_token());
            }
            root.cancel();
            assert!(line.last().unwrap().is_cancelled());
        }
    });
}
