# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT
"""A headless Chromium and a server of files, for site.py.

The DevTools protocol goes through two pipes, so that Python's own library is enough.
"""

import functools
import http.server
import json
import subprocess
import threading
import urllib.parse


class Server(http.server.ThreadingHTTPServer):
    """Serves the files of a folder below a base path, but for those that are replaced."""

    daemon_threads = True

    def __init__(self, site, base):
        self.prefix = f"/{base}" if base else ""
        self.replaced = {}
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):
        path = self.path.removeprefix(self.server.prefix)
        if self.path == path and self.server.prefix:
            return self.send_error(404)
        self.path = path
        replacement = self.server.replaced.get(urllib.parse.unquote(path.split("?")[0]))
        if replacement is None:
            return super().do_GET()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(replacement)


class Browser:
    """A tab, and the errors that its pages report."""

    def __init__(self, executable, folder):
        # Chromium reads descriptor 3 and writes to 4. As root it has no sandbox, and needs none for pages of ours.
        self.process = subprocess.Popen(
            ["bash", "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 < /dev/null > /dev/null", executable, "--headless",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.unread = b""
        self.number = 0
        self.session = None
        self.errors = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(f"{domain}.enable")

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait()

    def read(self):
        """Returns the next message."""
        while b"\0" not in self.unread:
            piece = self.process.stdout.read1(1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.unread += piece
        message, self.unread = self.unread.split(b"\0", 1)
        message = json.loads(message)
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            error = details.get("exception", {}).get("description", details["text"])
            # DocC's own: it measures a page that has just been left.
            if "calculateSelectWidth" not in error and "updateContentWidthInStore" not in error:
                self.errors.append(error)
        elif method == "Runtime.consoleAPICalled" and values["type"] == "error":
            self.errors.append(" ".join(str(part.get("value", part.get("description"))) for part in values["args"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")
        return message

    def call(self, method, **values):
        """Sends a command and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def run(self, script):
        """Runs JavaScript in the page and returns its value, awaited."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        return result["result"].get("value")

    def wait_for(self, event):
        while self.read().get("method") != event:
            pass
