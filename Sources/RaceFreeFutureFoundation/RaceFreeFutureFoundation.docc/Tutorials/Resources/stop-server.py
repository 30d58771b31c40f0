import http.server
import time


class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "10000000")
        self.end_headers()
        for _ in range(100):
            try:
                self.wfile.write(bytes(100000))
            except OSError:
                return print("the client is gone")
            time.sleep(0.05)


http.server.ThreadingHTTPServer(("127.0.0.1", 8000), Slow).serve_forever()
