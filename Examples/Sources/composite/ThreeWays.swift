// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

// The same picture, made in three ways. Only the making of the parts differs; the last line of the third, which
// combines them, is that of the first.

/// Draws one part after the other.
func drawOneAfterTheOther(_ height: Int) -> Picture {
  let sky = Picture.sky(height)
  let sun = Picture.sun(height)
  let mountains = Picture.mountains(height)
  let sea = Picture.sea(height)
  return sky.covered(by: sun).covered(by: mountains).covered(by: sea)
}

/// Draws all parts at the same time, with visible futures.
func drawWithFutures(_ height: Int) throws -> Picture {
  let sky = ValueFuture.background { _ in Picture.sky(height) }
  let sun = ValueFuture.background { _ in Picture.sun(height) }
  let mountains = ValueFuture.background { _ in Picture.mountains(height) }
  let sea = ValueFuture.background { _ in Picture.sea(height) }
  let picture = ValueFuture.zip(sky, sun, mountains, sea).map { sky, sun, mountains, sea in
    sky.covered(by: sun).covered(by: mountains).covered(by: sea)
  }
  return try picture.wait()
}

/// Draws all parts at the same time, with implicit futures: using a part waits for it.
///
/// While the last line combines sky and sun, mountains and sea may still be computed.
func drawImplicitly(_ height: Int) -> Picture {
  @Background var sky = Picture.sky(height)
  @Background var sun = Picture.sun(height)
  @Background var mountains = Picture.mountains(height)
  @Background var sea = Picture.sea(height)
  return sky.covered(by: sun).covered(by: mountains).covered(by: sea)
}
