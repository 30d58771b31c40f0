// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

// The same picture, made in three ways. Only the making of the parts differs; the last line of the third, which
// combines them, is that of the first.

/// Draws one part after the other.
func drawOneAfterTheOther(_ size: Size) -> Picture {
  let sky = Picture.sky(size)
  let sun = Picture.sun(size)
  let mountains = Picture.mountains(size)
  let sea = Picture.sea(size)
  return sky.covered(by: sun).covered(by: mountains).covered(by: sea)
}

/// Draws all parts at the same time, with visible futures.
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

/// Draws all parts at the same time, with implicit futures: using a part waits for it.
///
/// While the last line combines sky and sun, mountains and sea may still be computed.
func drawImplicitly(_ size: Size) -> Picture {
  @Background var sky = Picture.sky(size)
  @Background var sun = Picture.sun(size)
  @Background var mountains = Picture.mountains(size)
  @Background var sea = Picture.sea(size)
  return sky.covered(by: sun).covered(by: mountains).covered(by: sea)
}
