# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT
"""Looks at a site in a headless Chromium: site.py SITE CHROMIUM [BASE].

The guides, the tutorials and a symbol of each kind are opened. Each must show its title, itself in its sidebar, links
that lead somewhere, and all of its code, at the width of a desktop and of a telephone, without an error. DocC itself
has resolved the links of guides and comments; a link checker would see nothing, because a page's text is made by its
program.
"""

import json
import pathlib
import sys
import urllib.parse

from playwright.sync_api import TimeoutError, sync_playwright

ORIGIN = "http://site.test"
PATIENCE = 30_000
# The page shows its title, in which it may break anywhere, and marks itself in the sidebar if it has one.
SHOWN = """([title, sidebar]) => {
  const plain = text => (text ?? "").replace(/[\\s\\u200b]/g, "")
  return plain(document.querySelector("h1")?.textContent) === plain(title)
    && (!sidebar || document.querySelector(sidebar))
}"""
# The beginnings of code that is cut off where no scrolling shows the rest, and whether the page is too wide.
CUT = """() => {
  const isCut = element => {
    if (!element || element === document.body) return false
    const overflow = getComputedStyle(element).overflowX
    return overflow === "visible" ? isCut(element.parentElement)
      : overflow === "hidden" && element.scrollWidth > element.clientWidth
  }
  const text = [...document.querySelectorAll("pre")].filter(isCut).map(code => `cut off: ${code.innerText.slice(0, 40)}`)
  const page = document.documentElement
  return page.scrollWidth > page.clientWidth ? [...text, `wider than a window of ${page.clientWidth}`] : text
}"""


class Site:
    def __init__(self, folder, browser, base):
        self.folder, self.prefix, self.faults, self.errors = folder, f"/{base}" if base else "", [], []
        self.replaced, self.followed = {}, {}
        self.pages = {
            "/" + str(file.relative_to(folder / "data").with_suffix("")).lower(): json.loads(file.read_text("utf-8"))
            for file in sorted((folder / "data").rglob("*.json"))
        }
        self.tab = browser.new_page()
        self.tab.route("**", self.answer)
        self.tab.on("pageerror", lambda error: self.errors.append(error.message))
        self.tab.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)

    def answer(self, route):
        path = urllib.parse.unquote(urllib.parse.urlparse(route.request.url).path)
        if not path.startswith(self.prefix):
            return route.fulfill(status=404)
        path = path.removeprefix(self.prefix)
        file = self.folder / path.strip("/")
        file = file / "index.html" if file.is_dir() else file
        if path in self.replaced:
            route.fulfill(body=self.replaced[path])
        elif file.is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(status=404)

    def leads_somewhere(self, path, link):
        url = urllib.parse.urlparse(urllib.parse.urljoin(f"{ORIGIN}{self.prefix}{path}/", link))
        target = urllib.parse.unquote(url.path)
        if f"{url.scheme}://{url.netloc}" != ORIGIN:
            return True
        inside = target.removeprefix(self.prefix)
        return target.startswith(self.prefix) and (inside.rstrip("/") in self.pages or (self.folder / inside[1:]).is_file())

    def look(self, path, patience=PATIENCE):
        """Notes the faults of a page."""
        self.errors.clear()
        self.tab.set_viewport_size({"width": 1280, "height": 800})
        self.tab.goto(f"{ORIGIN}{self.prefix}{path}/")
        faults = []
        try:
            title = self.pages[path]["metadata"]["title"]
            # A module isn't in its own sidebar, and what isn't in a module has none.
            sidebar = ".navigator-card-item" + (".active" if path.count("/") > 2 else "")
            hasSidebar = path.startswith("/documentation/racefreefuture")
            self.tab.wait_for_function(SHOWN, arg=[title, hasSidebar and sidebar], timeout=patience)
        except TimeoutError:
            faults.append("its title, or its own place in the sidebar, isn't shown")
        links = self.tab.evaluate("[...document.querySelectorAll('a[href]')].map(link => link.getAttribute('href'))")
        faults += [f"dead link: {link}" for link in dict.fromkeys(links) if not self.leads_somewhere(path, link)]
        faults += self.tab.evaluate(CUT)
        self.tab.set_viewport_size({"width": 400, "height": 800})
        faults += self.tab.evaluate(CUT) + list(dict.fromkeys(self.errors))
        self.faults += [f"{path}: {fault}" for fault in faults]

    def chosen(self):
        """The pages to be opened: all but symbols, of which one stands for those of its module and kind."""
        chosen = {}
        for path, page in self.pages.items():
            kind = (*path.split("/")[1:3], page["metadata"].get("symbolKind"))
            chosen.setdefault(kind if page["metadata"]["role"] == "symbol" else path, path)
        return list(chosen.values())

    def missed(self):
        """Sees that faults are found, by a page that has them; returns those that weren't."""
        path = "/documentation/racefreefuture/gettingstarted"
        data = json.dumps(self.pages[path]).replace('"/documentation/racefreefuture/future"', '"/documentation/nowhere"')
        hidden = "<style>.container-general { overflow: hidden !important }</style><script>throw Error('seeded')</script>"
        self.replaced = {
            f"/data{path}.json": data,
            f"{path}/": (self.folder / path[1:] / "index.html").read_text("utf-8") + hidden,
            "/index/index.json": '{"interfaceLanguages": {"swift": []}}',
        }
        self.look(path, patience=5000)
        found, self.faults, self.replaced = "\n".join(self.faults), [], {}
        wanted = ["dead link: /documentation/nowhere", "isn't shown", "cut off", "seeded"]
        return [fault for fault in wanted if fault not in found]


def main():
    folder, chromium, base = pathlib.Path(sys.argv[1]), sys.argv[2], "".join(sys.argv[3:4])
    with sync_playwright() as playwright:
        # As root Chromium has no sandbox, and needs none for pages of ours.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"])
        site = Site(folder, browser, base)
        if missed := site.missed():
            sys.exit(f"Scripts/shared/site.py doesn't see what is wrong with a page: {', '.join(missed)}")
        chosen = site.chosen()
        for path in chosen:
            site.look(path)
        browser.close()
    if site.faults:
        sys.exit("\n".join(site.faults))
    print(f"{len(chosen)} of {len(site.pages)} pages were looked at in Chromium")


main()
