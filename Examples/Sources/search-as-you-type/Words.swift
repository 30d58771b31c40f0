// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A list of words.
struct Words: Sendable {
  private let sorted: [String]

  /// Makes a list of the words of a text.
  init(_ text: String) {
    sorted = Set(text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }).sorted()
  }

  /// Returns the first ten words that begin with a text.
  func beginning(with text: String) -> [String] {
    let text = text.lowercased()
    return Array(sorted.lazy.filter { $0.hasPrefix(text) }.prefix(10))
  }

  /// A few hundred words.
  static let ofItsOwn = Words(
    """
    acorn actor alder alley almond anchor apple apricot arch arrow aspen atlas autumn badge baker ball bamboo banana
    band bank barley barn basin basket beach beacon bean bear bee beech bell bench berry birch bird blanket blossom
    board boat book boot border bottle boulder bowl branch brass bread breeze brick bridge brook broom bucket butter
    button cabin cable camel candle canoe canvas canyon cape carpet carrot castle cave cedar cellar chair chalk cherry
    chest chestnut circle clay cliff clock cloud clover coast coat cobalt coin comet compass copper coral cork corn
    cotton cradle crane crater creek cricket crow crown crystal cup curtain cypress daisy dale dawn deer delta desert
    dew diamond dolphin door dove drum dune dusk eagle earth echo elm ember engine evening falcon farm feather fence
    fern ferry fiddle field finch fir fire fish flag flame flint flour flower flute fog forest forge fountain fox frost
    garden garlic gate ginger glacier glass glove gold goose granite grape grass gravel grove gull hammer harbour hare
    harp harvest hawk hay hazel heath hedge heron hill hive honey hook horizon horse house ice ink iris iron island
    ivory ivy jacket jar jasmine jewel juniper kettle key kite ladder lagoon lake lamp lantern larch lark laurel lava
    leaf lemon lens lichen light lily lime linden linen lion lizard loom lotus lynx magnet maple marble marsh meadow
    melon mill mint mirror mist moon moss moth mountain mouse needle nest night north nut oak oar oat ocean olive onion
    orange orchard orchid otter oven owl oyster paddle palm panther paper path peach pear pearl pebble pepper pier
    pine plain planet plough plum pond poplar port prairie quail quarry quartz quill rabbit rain raven reed reef ridge
    ring river road robin rock roof root rope rose ruby saddle sage sail salmon salt sand sapphire scale school sea
    seal seed shadow shell shepherd ship shore silk silver sky slate sleet smoke snail snow song south spark sparrow
    spice spider spire spring spruce squirrel stable star steel stone stork storm straw stream sugar summer sun swallow
    swamp swan swarm sway sweater sweep sweet sweetness swell swerve swift swiftly swim swimmer swine swing swinger
    swirl switch sword sycamore table tail tea temple tent thistle thorn thread thrush thunder tide tiger timber
    torch tower trail train tree trout tulip tunnel turtle twig valley velvet vessel village vine violet violin wagon
    walnut water wave wax weather well west whale wheat wheel willow wind window wing winter wolf wood wool wren yarn
    yew zebra zenith zinc
    """
  )
}
