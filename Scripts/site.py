# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT
"""Looks at a site in a headless Chromium: site.py SITE CHROMIUM [BASE].

Every link of every page must lead somewhere. The guides, the tutorials and a symbol of each kind are opened: each must
show its title, a sidebar and all of its code, at the width of a desktop and of a telephone, without an error.
"""

import json
import pathlib
import sys
import tempfile
import urllib.parse

from browser import Browser, Server

# Opens a page without loading the program again, and returns what it shows.
OPEN = """(async (path, title, hasSidebar, patience) => {
  const plain = text => (text ?? "").replace(/[\\s\\u200b]/g, "")
  if (location.pathname !== path) {
    history.pushState({}, "", path)
    dispatchEvent(new PopStateEvent("popstate", {state: {}}))
  }
  const isShown = () => plain(document.querySelector("h1")?.textContent) === plain(title)
  const sidebar = () => document.querySelector(".navigator")
  const items = names => !hasSidebar || sidebar()?.querySelector(names)
  const end = Date.now() + patience
  const isReady = () => isShown() && items(".navigator-card-item, .no-items-wrapper")
  while (Date.now() < end && !isReady()) await new Promise(done => setTimeout(done, 10))
  await new Promise(done => setTimeout(done))
  return {
    isShown: isShown(),
    isEmpty: !items(".navigator-card-item") || (sidebar()?.innerText.includes("No data available") ?? false),
    links: [...document.querySelectorAll("a[href]")].map(link => link.getAttribute("href")),
    marks: [...document.querySelectorAll("[id]")].map(element => element.id),
  }
})"""

# Returns the beginnings of code that is cut off where no scrolling shows the rest, and whether the page is too wide.
MEASURE = """(() => {
  const isCut = element => {
    if (!element || element === document.body) return false
    const overflow = getComputedStyle(element).overflowX
    return overflow === "visible" ? isCut(element.parentElement)
      : overflow === "hidden" && element.scrollWidth > element.clientWidth
  }
  const cut = [...document.querySelectorAll("pre")].filter(isCut)
  const text = cut.map(code => `code is cut off: ${code.innerText.slice(0, 40)}`)
  const width = document.documentElement
  if (width.scrollWidth > width.clientWidth) text.push(`wider than the window of ${width.clientWidth}`)
  return text
})()"""


class Check:
    def __init__(self, site, browser, server):
        self.site, self.browser, self.server = site, browser, server
        self.faults = []
        # The pages by their paths, in lower case: DocC's links differ from its files in that.
        self.pages = {}
        for file in sorted((site / "data").rglob("*.json")):
            path = "/" + str(file.relative_to(site / "data").with_suffix("")).lower()
            self.pages[path] = json.loads(file.read_text())
        self.marks = {}

    def fault(self, path, words):
        self.faults.append(f"{path}: {words}")

    def url(self, path):
        return self.server.prefix + path

    def load(self, path, width=1280):
        """Loads the program with a page of it, in a window of a width that doesn't change meanwhile."""
        self.width = width
        self.browser.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=300, deviceScaleFactor=1, mobile=width < 600)
        self.browser.call("Page.navigate", url=self.server.origin + self.url(path) + "/")
        self.browser.wait_for("Page.loadEventFired")

    def open(self, path, patience=30_000):
        """Opens a page, notes its faults, and returns its links; patience is in milliseconds."""
        title = self.pages[path]["metadata"]["title"]
        has_sidebar = path.startswith("/documentation") and self.width > 1000
        arguments = [self.url(path), title, has_sidebar, patience]
        shown = self.browser.run(f"{OPEN}({', '.join(map(json.dumps, arguments))})")
        if not shown["isShown"]:
            self.fault(path, "doesn't show its title")
        if shown["isEmpty"]:
            self.fault(path, "the sidebar is empty")
        for words in self.browser.run(MEASURE):
            self.fault(path, words)
        for error in dict.fromkeys(self.browser.errors):
            self.fault(path, error)
        self.browser.errors.clear()
        self.marks.setdefault(path, set()).update(shown["marks"])
        return shown["links"]

    def follow(self, path, link):
        """Notes a fault if a link leads to nothing."""
        url = urllib.parse.urlparse(urllib.parse.urljoin(self.server.origin + self.url(path), link))
        if url.netloc != self.server.origin.removeprefix("http://") or link == "#":
            return
        target = urllib.parse.unquote(url.path)
        if not target.startswith(self.server.prefix + "/"):
            return self.fault(path, f"dead link: {link}")
        target = target.removeprefix(self.server.prefix)
        page = target.rstrip("/").lower()
        if page not in self.pages:
            if not (self.site / target[1:]).is_file():
                self.fault(path, f"dead link: {link}")
        elif url.fragment:
            # A page that wasn't opened has the marks of its data.
            marks = self.marks.get(page) or set(strings(self.pages[page], "anchor"))
            if urllib.parse.unquote(url.fragment) not in marks:
                self.fault(path, f"dead link: {link}")

    def links_of_data(self, path):
        """The links of a page of the reference or a guide, as its data have them."""
        if not path.startswith("/documentation"):
            return []
        references = self.pages[path].get("references", {}).values()
        return [self.url(one["url"]) for one in references if one.get("type") == "topic" and "url" in one]

    def chosen(self):
        """The pages to be opened: all but symbols, of which one stands for those of its module and kind."""
        kinds, chosen = set(), []
        for path, page in self.pages.items():
            kind = (path.split("/")[2:3], page["metadata"].get("symbolKind"))
            if page["metadata"]["role"] != "symbol" or str(kind) not in kinds:
                chosen.append(path)
            kinds.add(str(kind))
        return chosen

    def look(self, path, title):
        """Notes a fault unless the page finds another one by its search, and is dark where the system is."""
        colours = []
        for scheme in ["light", "dark"]:
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            self.browser.call("Emulation.setEmulatedMedia", features=features)
            colours.append(self.browser.run("getComputedStyle(document.body).backgroundColor"))
        if colours[0] == colours[1]:
            self.fault(path, f"is {colours[0]} in a light system and in a dark one")
        found = self.browser.run(f"""(async title => {{
          const items = () => [...document.querySelectorAll(".navigator-card-item")]
          const found = () => items().some(item => item.innerText.includes(title))
          const end = Date.now() + 30000
          while (Date.now() < end && !found()) {{
            // Typed again, in case that the field was put back while the page was being made.
            const field = document.querySelector(".navigator input")
            if (field) {{ field.value = title; field.dispatchEvent(new Event("input")) }}
            await new Promise(done => setTimeout(done, 500))
          }}
          return found()
        }})({json.dumps(title)})""")
        if not found:
            self.fault(path, f"its search doesn't find {title}")


def strings(value, key):
    """The texts under a key, at any depth."""
    if isinstance(value, dict):
        if isinstance(value.get(key), str):
            yield value[key]
        value = value.values()
    elif not isinstance(value, list):
        return
    for part in value:
        yield from strings(part, key)


def seeded(check):
    """Sees that faults are found, by a page that has them; returns those that weren't."""
    path = "/documentation/racefreefuture/gettingstarted"
    text = json.dumps(check.pages[path])
    page = json.loads(text.replace('"/documentation/racefreefuture/future"', '"/documentation/nowhere"'))
    page["primaryContentSections"][0]["content"].append(
        {"type": "paragraph", "inlineContent": [{"type": "reference", "isActive": True, "identifier": "x#y"}]})
    page["references"]["x#y"] = {
        "type": "topic", "kind": "article", "title": "y", "identifier": "x#y", "abstract": [], "url": f"{path}#y"}
    server = check.server
    server.replaced[f"/data{path}.json"] = json.dumps(page).encode()
    server.replaced["/index/index.json"] = b'{"interfaceLanguages": {"swift": []}}'
    hidden = b" .container-general { overflow: hidden !important }"
    for file in (check.site / "css").glob("*.css"):
        server.replaced[f"/css/{file.name}"] = file.read_bytes() + hidden
    check.load(path, 400)
    check.open(path)
    check.load(path)
    check.browser.run("setTimeout(() => { throw new Error('seeded') })")
    for link in check.open(path):
        check.follow(path, link)
    check.pages[path]["metadata"]["title"], title = "Another", check.pages[path]["metadata"]["title"]
    check.open(path, patience=100)
    check.pages[path]["metadata"]["title"] = title
    server.replaced.clear()
    found, check.faults = "\n".join(check.faults), []
    check.marks.clear()
    wanted = ["documentation/nowhere", "gettingstarted#y", "sidebar is empty", "code is cut", "Error: seeded",
              "doesn't show its title"]
    return [words for words in wanted if words not in found]


def look_at_all(check):
    """Notes the faults of all pages; returns the number of those that were opened."""
    chosen, links = check.chosen(), {}
    for width in [400, 1280]:
        check.load(chosen[0], width)
        for path in chosen:
            # DocC itself fails where one tutorial takes the place of another.
            if path.startswith("/tutorials"):
                check.load(path, width)
            links[path] = check.open(path)
    for module in [path for path in chosen if path.count("/") == 2 and path.startswith("/documentation/")]:
        check.load(module)
        check.open(module)
        titles = [page["metadata"]["title"] for path, page in check.pages.items()
                  if path.startswith(module + "/") and page["metadata"].get("symbolKind") in ["class", "struct"]]
        check.look(module, titles[-1] if titles else "Getting started")
    for path in check.pages:
        for link in dict.fromkeys(links.get(path, []) + check.links_of_data(path)):
            check.follow(path, link)
    return len(chosen)


def main():
    site, chromium, base = pathlib.Path(sys.argv[1]), sys.argv[2], "".join(sys.argv[3:4])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(chromium, folder)
        try:
            check = Check(site, browser, Server(site, base))
            missed = seeded(check)
            if missed:
                sys.exit(f"Scripts/site.py doesn't see what is wrong with a page: {', '.join(missed)}")
            count = look_at_all(check)
        finally:
            browser.close()
    if check.faults:
        sys.exit("\n".join(check.faults))
    print(f"{count} of {len(check.pages)} pages were looked at in Chromium, and every link of all leads somewhere")


main()
