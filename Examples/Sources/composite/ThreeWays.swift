// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

// The same picture, made in three ways. What differs is how the parts come about; the last line of the third, which
// puts them together, is that of the first.

/// One part after the other.
func drawOneAfterTheOther(_ size: Size) -> Picture {
  let sky = Picture.sky(size)
  let sun = Picture.sun(size)
  let mountains = Picture.mountains(size)
  let sea = Picture.sea(size)
  return sky.covered(by: sun).covered(by: mountains).covered(by: sea)
}

/// All parts at the same time, with futures that are seen.
func drawWithFutures(_ size: Size) throws -> Picture {
  let sky = ValueFuture.background { _ in Picture.sky(size) }
  let sun = ValueFuture.background { _ in Picture.sun(size) }
  let mountains = ValueFuture.background { _ in Picture.mountains(size) }
  let sea = ValueFuture.background { _ in Picture.sea(size) }
  let picture = ValueFuture.zip(sky, sun, mountains, sea).map { sky, sun, mountains, sea in
    sky.covered(by: sun).covered(by: mountains).covered(by: sea)
  }
  return try picture.wait()
}

/// All parts at the same time, with futures that aren't: using a part waits for it.
///
/// While the last line puts sky and sun together, mountains and sea may still be on their way.
func drawImplicitly(_ size: Size) -> Picture {
  @Background var sky = Picture.sky(size)
  @Background var sun = Picture.sun(size)
  @Background var mountains = Picture.mountains(size)
  @Background var sea = Picture.sea(size)
  return sky.covered(by: sun).covered(by: mountains).covered(by: sea)
}
