# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT
"""Looks at pages of failures in a headless Chromium: pages.py FOLDER CHROMIUM.

Each must fit at the width of a desktop and of a telephone, in light and dark, fetch nothing and report no error; its
texts must stand out from what is behind them, and stay inside of their boxes. A picture of each is written beside it.
"""

import pathlib
import sys

from playwright.sync_api import sync_playwright

# The faults of what is shown, each as a text.
FAULTS = """() => {
  const faults = []
  const page = document.documentElement
  if (page.scrollWidth > page.clientWidth) faults.push(`wider than a window of ${page.clientWidth}`)
  const brightness = color => {
    const [red, green, blue] = color.match(/[0-9.]+/g).slice(0, 3).map(value => {
      const part = value / 255
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const back = brightness(getComputedStyle(document.body).backgroundColor)
  for (const text of document.querySelectorAll("h1, p, li, figcaption, svg text")) {
    const style = getComputedStyle(text)
    const front = brightness(text instanceof SVGElement ? style.fill : style.color)
    const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
    if (contrast < 4.5) faults.push(`hard to read (${contrast.toFixed(1)}): ${text.textContent.slice(0, 30)}`)
  }
  for (const group of document.querySelectorAll("g.step")) {
    const box = group.querySelector(".box")?.getBoundingClientRect()
    for (const text of box ? group.querySelectorAll("text:not(.number)") : []) {
      const place = text.getBoundingClientRect()
      if (place.right > box.right + 1 || place.bottom > box.bottom + 1) {
        faults.push(`outside of its box: ${text.textContent}`)
      }
    }
  }
  for (const svg of document.querySelectorAll("svg")) {
    const place = svg.getBoundingClientRect()
    if ([...svg.querySelectorAll("text, rect")].some(part => part.getBoundingClientRect().right > place.right + 1)) {
      faults.push("a drawing is cut off")
    }
  }
  return faults
}"""


def look(browser, page, content=None):
    """Returns the faults of a page, or of another content in its place."""
    faults = []
    for scheme in ["light", "dark"]:
        for name, width in [("wide", 1280), ("narrow", 390)]:
            context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
            tab = context.new_page()
            tab.on("request", lambda request: request.url.startswith("file:") or faults.append(f"fetches {request.url}"))
            tab.on("pageerror", lambda error: faults.append(error.message))
            tab.on("console", lambda line: faults.append(line.text))
            tab.goto(page.as_uri())
            if content:
                tab.set_content(content)
            else:
                tab.screenshot(path=page.with_suffix(f".{name}-{scheme}.png"), full_page=True)
            faults += tab.evaluate(FAULTS)
            context.close()
    return list(dict.fromkeys(faults))


def main():
    folder, chromium = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    pages = sorted(folder.glob("*.html"))
    with sync_playwright() as playwright:
        # As root Chromium has no sandbox, and needs none for pages of ours.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"])
        # Faults are found, by a page that has them.
        seeded = pages[0].read_text("utf-8").replace("--text: #1d1d1f", "--text: #ddd")
        seeded = seeded.replace("</body>", "<script>throw Error('seeded')</script><div style='width: 2000px'>-</div></body>")
        found = "\n".join(look(browser, pages[0], seeded.replace("</h1>", "</h1><img src='https://site.test/a.png'>")))
        if missed := [word for word in ["wider than", "hard to read", "seeded", "fetches"] if word not in found]:
            sys.exit(f"Scripts/shared/pages.py doesn't see what is wrong with a page: {', '.join(missed)}")
        faults = [f"{page.name}: {fault}" for page in pages for fault in look(browser, page)]
        browser.close()
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(pages)} pages of failures were looked at in Chromium; their pictures are in {folder}")


main()
