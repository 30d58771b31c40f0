#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Builds the reference, guides and tutorials of all modules as one site; every public symbol has to be documented.
#
# The site is in .build-docs/site. It is for the root of a host: BASE=RaceFreeFuture makes one for a path there, as
# GitHub Pages needs it. Fails on every warning, such as a link to nothing, on a public symbol without an abstract, on one
# that is in no topic group, and on what site.sh sees.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/strict.sh

modules=(RaceFreeFuture RaceFreeFutureFoundation RaceFreeFutureTesting)
scratch=.build-docs
base=${BASE:-}
docc=$(xcrun --find docc 2> /dev/null || command -v docc || true)
if [[ -z $docc ]]; then
  echo "docc, which comes with Swift, is not in the PATH" >&2
  exit 1
fi

find_modules
triple=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)".*/\1/p')
if [[ $(uname) == Darwin ]]; then search+=(-sdk "$(xcrun --show-sdk-path)"); fi
rm -rf "$scratch"
mkdir -p "$scratch/symbols" "$scratch/archives"

# convert <catalog> <bundle> <option>...
#
# Links from one module to another are checked, too. The line of links above each page leads from one to the other.
convert() {
  sed "s,href=\"/,href=\"/${base:+$base/}," Documentation/Site.docc/header.html > "$1/header.html"
  "$docc" convert "$1" --output-path "$scratch/archives/$2.doccarchive" \
    --fallback-display-name "$2" --fallback-bundle-identifier "org.racefreefuture.$2" \
    --fallback-default-module-kind Module --hosting-base-path "$base" --enable-experimental-external-link-support \
    --experimental-enable-custom-templates --experimental-documentation-coverage --warnings-as-errors "${@:3}"
}

# lacking <coverage>: prints the symbols that DocC found to be without an abstract or in no topic group, but for types of other
# modules that are extended, what the compiler makes, and default implementations of a protocol for clients.
lacking() {
  python3 - "$1" << 'PROGRAM'
import json, sys
for one in json.load(open(sys.argv[1])):
    kind = one["kind"]
    isOurs = kind["isSymbol"] and kind["name"] != "Module" and not kind["name"].startswith("Extended")
    isOurs = isOurs and one["title"] != "init(rawValue:)" and "/SequentialModel/" not in one["referencePath"]
    if isOurs and not (one["hasAbstract"] and one["isCurated"]):
        print("undocumented" if one["isCurated"] else "in no topic group", one["referencePath"])
PROGRAM
}

# Adds a line for each parameter that is the place of a call, where others have one: DocC misses it, and nobody passes it.
with_places() {
  python3 - "$@" << 'PROGRAM'
import json, sys
for file in sys.argv[1:]:
    graph = json.load(open(file))
    for symbol in graph["symbols"]:
        lines = symbol.get("docComment", {}).get("lines", [])
        if any(line["text"].lstrip().startswith("- Parameter") for line in lines):
            for one in symbol.get("functionSignature", {}).get("parameters", []):
                if one["name"] in {"function", "fileID", "filePath", "line", "column"}:
                    lines.append(lines[-1] | {"text": f"- Parameter {one['name']}: The place of the call; keep the default."})
    json.dump(graph, open(file, "w"))
PROGRAM
}

dependencies=()
archives=()
for module in "${modules[@]}"; do
  symbols=$scratch/symbols/$module
  mkdir "$symbols"
  # What a protocol's extensions declare is documented there, once, and not again with each type that conforms. The testing
  # module has the symbols of the two that it exports again; DocC takes a comment of another module at a member that a
  # protocol requires for the protocol's own, and omits it.
  swift symbolgraph-extract -module-name "$module" -target "$triple" "${search[@]}" -output-dir "$symbols" \
    -experimental-allowed-reexported-modules=RaceFreeFutureTestingTools,RaceFreeFutureExploring \
    -minimum-access-level public -emit-extension-block-symbols -skip-synthesized-members
  sed -i.old -E 's/"module":"RaceFreeFuture(TestingTools|Exploring)"/"module":"RaceFreeFutureTesting"/g' "$symbols"/*.json
  rm "$symbols"/*.old
  with_places "$symbols"/*.json
  # Apple's Foundation is one module; elsewhere it is three, and the guides name them. So do the pages of the types that
  # are extended, which are there for their place: DocC leaves out a type whose members are all on the module's page.
  catalog=$scratch/$module.docc
  cp -R "Sources/$module/$module.docc" "$catalog"
  if [[ $(uname) == Darwin ]]; then
    rm -rf "$catalog/Types/Extensions"
    find "$catalog" -name '*.md' -exec sed -i '' -E 's/``Foundation(Essentials|Networking)/``Foundation/' {} +
  fi
  convert "$catalog" "$module" --additional-symbol-graph-dir "$symbols" ${dependencies[@]+"${dependencies[@]}"}
  archive=$scratch/archives/$module.doccarchive
  archives+=("$archive")
  dependencies+=(--dependency "$archive")
done

# The page on which the site begins, with the picture of the README.
cp -R Documentation/Site.docc "$scratch/Site.docc"
cp Documentation/Images/race-light.svg "$scratch/Site.docc/race.svg"
cp Documentation/Images/race-dark.svg "$scratch/Site.docc/race~dark.svg"
convert "$scratch/Site.docc" Site "${dependencies[@]}"
# The first page comes last: it mentions the modules, and the site takes the first node of a module for its sidebar.
"$docc" merge "${archives[@]}" "$scratch/archives/Site.doccarchive" --output-path "$scratch/site" \
  --synthesized-landing-page-name RaceFreeFuture
# DocC has no page at the root of a site, and a bare list of modules at that of the documentation.
begin() {
  cat > "$scratch/site/$1index.html" << PAGE
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=$2">
<title>RaceFreeFuture</title>
<a href="$2">RaceFreeFuture: reference, guides and tutorials</a>
</html>
PAGE
}
begin '' documentation/start/
begin documentation/ start/
# In a window of 1280 points there is room for 88 columns of code beside the sidebar, instead of 76.
for style in "$scratch"/site/css/index.*.css; do
  echo '.doc-content .code-listing pre code { font-size: 13px !important; line-height: 1.5 !important }' >> "$style"
done
# Each page asks for it.
echo '{}' > "$scratch/site/theme-settings.json"

# Where Combine is, the module for Foundation has more than the pages name.
if [[ $(uname) != Darwin ]]; then
  missing=$(for archive in "${archives[@]}"; do lacking "$archive/documentation-coverage.json"; done)
  if [[ -n $missing ]]; then
    echo "$missing" >&2
    exit 1
  fi
fi
Scripts/shared/site.sh "$base"
echo "the site is in $scratch/site, to be served at /$base"
