// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What a cancellable context costs. Prints one line a row: its name and nanoseconds a piece.
package main

import (
	"context"
	"fmt"
	"math"
	"time"
)

const runs, pieces, width = 400, 2000, 1000

// best tells how long one piece of the work takes in the best of many short runs.
func best(row string, work func(int)) {
	least := math.Inf(1)
	for run := 0; run < runs; run++ {
		start := time.Now()
		work(pieces)
		least = math.Min(least, float64(time.Since(start).Nanoseconds())/pieces)
	}
	fmt.Printf("%s %.0f\n", row, least)
}

func main() {
	background := context.Background()
	best("cancel", func(count int) {
		for i := 0; i < count; i++ {
			_, cancel := context.WithCancel(background)
			cancel()
		}
	})
	parent, end := context.WithCancel(background)
	defer end()
	best("child", func(count int) {
		for i := 0; i < count; i++ {
			_, cancel := context.WithCancel(parent)
			cancel()
		}
	})
	best("wide", func(count int) {
		for i := 0; i < count/width; i++ {
			root, cancel := context.WithCancel(background)
			for child := 0; child < width; child++ {
				_, end := context.WithCancel(root)
				_ = end
			}
			cancel()
		}
	})
	best("deep", func(count int) {
		for i := 0; i < count/width; i++ {
			last, cancel := context.WithCancel(background)
			for child := 0; child < width; child++ {
				next, end := context.WithCancel(last)
				_ = end
				last = next
			}
			cancel()
		}
	})
}
