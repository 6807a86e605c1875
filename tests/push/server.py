# SPDX-License-Identifier: MIT
# Imported by the tests of push: HTTP servers that record what they are sent, and runs of the tool against them.
import atexit
import contextlib
import http.server
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time

BAREPROF = os.path.abspath(sys.argv[1])
FOLDER = os.path.abspath(sys.argv[2])
WORK = tempfile.mkdtemp(prefix="bareprof-push-")
atexit.register(shutil.rmtree, WORK)


class Request:
    def __init__(self, handler):
        self.time = time.monotonic()
        self.path = handler.path
        self.headers = handler.headers
        self.body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.requests.append(Request(self))
        answers = self.server.answers
        answer = answers[min(len(self.server.requests), len(answers)) - 1]
        with contextlib.suppress(OSError):
            answer(self)
        self.close_connection = True

    def do_GET(self):
        self.server.requests.append(Request(self))
        self.send_error(405)

    def log_message(self, *arguments):
        pass


def status(code, body=b"", **headers):
    """An answer with this status."""
    def answer(handler):
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
    return answer


def raw(*parts):
    """An answer of these bytes, or of what these functions do; then the connection ends."""
    def answer(handler):
        for part in parts:
            if callable(part):
                part(handler)
            else:
                handler.wfile.write(part)
                handler.wfile.flush()
    return answer


@contextlib.contextmanager
def serving(*answers, certificate=None):
    """A server that gives these answers in turn, then the last one. Its requests are in .requests."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *arguments: None
    server.answers, server.requests, server.scheme = answers, [], "http"
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate + ".pem", certificate + ".key")
        server.scheme = "https"
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def url(server, path="/ingest", host="127.0.0.1"):
    return f"{server.scheme}://{host}:{server.server_address[1]}{path}"


class Pushed:
    """A run of `bareprof push`."""
    def __init__(self, arguments, environment):
        begin = time.monotonic()
        inherited = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        done = subprocess.run([BAREPROF, "push", *arguments], env={**inherited, **environment}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        self.seconds = time.monotonic() - begin
        self.status = done.returncode
        self.output = done.stdout.decode(errors="replace")
        self.message = done.stderr.decode(errors="replace")


def push(address, *options, name="five", environment=None):
    """Pushes a capture of FOLDER."""
    return Pushed([*options, address, f"{FOLDER}/{name}.elf", f"{FOLDER}/{name}.bprof"], environment or {})


def certify(name, issuer, subject, *extensions):
    """Makes WORK/NAME.pem and .key, signed by another one of WORK, or by itself."""
    path = f"{WORK}/{name}"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
               "-subj", f"/CN={subject}", "-keyout", path + ".key", "-out", path + ".pem"]
    for extension in extensions:
        command += ["-addext", extension]
    if issuer:
        command += ["-CA", f"{WORK}/{issuer}.pem", "-CAkey", f"{WORK}/{issuer}.key"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        print(f"not ok certificate {name}: {done.stdout.decode()}")
    return path
