#!/bin/bash
# SPDX-License-Identifier: MIT
# failures.sh BAREPROF FOLDER: wrong servers, networks and command lines: which requests are tried again, reported, or never
# sent.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports:tests/push PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import re
import socket
import struct
import urllib.parse
from judge import *
from server import *

SECRET = {"BAREPROF_PUSH_TOKEN": "s3cret"}
ACCEPTED = status(200)
# Seconds that nothing here may take on a busy machine. Endless peers last twice as long.
SOON = 45


def check_failed(name, done, expected, code=1):
    """One line of printable text that matches a regular expression."""
    check(f"{name}: exit status", done.status == code, f"{done.status} {done.message}")
    check(f"{name}: one line", re.fullmatch(r"bareprof: [^\n\x00-\x1f\x7f]{1,700}\n", done.message), repr(done.message[:900]))
    check(f"{name}: message", re.search(expected, done.message), repr(done.message[:900]))
    check(f"{name}: nothing on standard output, no secret", done.output == "" and "s3cret" not in done.message, done.message)


def check_accepted(name, done):
    check(f"{name}: accepted", (done.status, done.output, done.message) == (0, "", ""), f"{done.status} {done.message}")


def check_requests(name, server, count):
    check_equal(f"{name}: requests", len(server.requests), count)


def gaps(server):
    times = [request.time for request in server.requests]
    return [after - before for before, after in zip(times, times[1:])]


def reset(handler):
    """Ends the connection by a reset."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def sleep(seconds):
    return lambda handler: time.sleep(seconds)


def endless(piece):
    def answer(handler):
        end = time.monotonic() + 2 * SOON
        while time.monotonic() < end:
            handler.wfile.write(piece)
    return answer


# --- Tried again.

with serving(ACCEPTED) as server:
    closed = url(server)
done = push(closed, "--timeout=1.5")
check_failed("refused", done, rf"^bareprof: {closed}: .*connect.* \([2-9] attempts\)$")
check("refused: within the time", done.seconds < SOON, done.seconds)

with serving(sleep(2 * SOON)) as server:
    done = push(url(server), "--timeout=1.5")
    check_failed("silent", done, r"/ingest: .*timed out.* \([2-9] attempts\)$")
    check("silent: within the time", 0.5 <= done.seconds < SOON, done.seconds)

with serving(status(503, b"busy"), status(503, b"busy"), ACCEPTED) as server:
    check_accepted("503 twice", push(url(server), environment=SECRET))
    check_requests("503 twice", server, 3)
    first, second = gaps(server)
    check("503 twice: pauses double", 0.2 <= first and 0.45 <= second, gaps(server))
    check("503 twice: the same request", len({(each.path, each.body) for each in server.requests}) == 1)

with serving(status(500, b"full disk\nmore")) as server:
    done = push(url(server), "--timeout=1.5")
    check_failed("500 always", done, r"HTTP 500: full disk \([2-9] attempts\)$")
    check("500 always: within the time", done.seconds < SOON, done.seconds)

with serving(status(429, Retry_After="2"), ACCEPTED) as server:
    check_accepted("429", push(url(server)))
    check("429: Retry-After is respected", gaps(server)[0] >= 1.95, gaps(server))

with serving(status(429, b"slow down", Retry_After="3600")) as server:
    done = push(url(server), "--timeout=90")
    check_failed("429 for an hour", done, "HTTP 429: slow down$")
    check_requests("429 for an hour", server, 1)
    check("429 for an hour: gives up at once", done.seconds < SOON, done.seconds)

for name, answer in (("closed", raw()), ("reset", raw(reset)), ("cut in the status", raw(b"HTTP/1.1 2")),
                     ("cut in the status, then reset", raw(b"HTTP/1.", reset))):
    with serving(answer, ACCEPTED) as server:
        done = push(url(server, "/push.v1.PusherService/Push"))
        check_accepted(name, done)
        check_requests(name, server, 2)
        check(f"{name}: the same ID", server.requests[0].body == server.requests[1].body)

# --- Decided by the status.

head = b"HTTP/1.1 %d X\r\nContent-Length: 1000\r\n\r\n"
for name, answer in (("cut in the answer", raw(head % 200, b"o", reset)), ("endless answer", raw(head[:-2].replace(b"1000", b"9" * 15) % 200 + b"\r\n", endless(b"x" * 65536)))):
    with serving(answer) as server:
        done = push(url(server), "--timeout=90")
        check_accepted(name, done)
        check_requests(name, server, 1)
        check(f"{name}: at once", done.seconds < SOON, done.seconds)

with serving(raw(b"HTTP/1.1 400 X\r\n\r\n", endless(b"no\n" * 1000))) as server:
    done = push(url(server), "--timeout=90")
    check_failed("endless refusal", done, "HTTP 400: no$")
    check("endless refusal: at once", done.seconds < SOON, done.seconds)

with serving(raw(b"HTTP/1.1 400 X\r\n", endless(b"X-Header: " + b"x" * 1000 + b"\r\n"))) as server:
    done = push(url(server), "--timeout=90")
    check_failed("endless headers", done, "HTTP 400: no reason given$")
    check("endless headers: at once", done.seconds < SOON, done.seconds)

with serving(status(400, b"\x1b]0;owned\x07\x1b[31mred\xff\x00\xe2\x80\xae" + b"m" * 5000000)) as server:
    done = push(url(server), environment=SECRET)
    check_failed("hostile refusal", done, r"HTTP 400: \\x1b\]0;owned\\x07\\x1b\[31mred\\xff")
    check_requests("hostile refusal", server, 1)

with serving(status(400, b"\r\nline two")) as server:
    check_failed("an empty first line", push(url(server)), "HTTP 400: no reason given$")

for code in (401, 403, 404, 408, 413, 422):
    with serving(status(code, b'{"code":"refused"}')) as server:
        check_failed(f"{code}", push(url(server), environment=SECRET), rf'HTTP {code}: {{"code":"refused"}}$')
        check_requests(f"{code}", server, 1)

with serving(raw(b"SSH-2.0-OpenSSH_9.2\r\n")) as server:
    check_failed("not HTTP", push(url(server), "--timeout=90"), "HTTP")
    check_requests("not HTTP", server, 1)

# --- Redirections.

with serving(ACCEPTED) as thief:
    for code in (301, 302, 303, 307, 308):
        with serving(status(code, Location=url(thief, host="localhost") + "\x1b[31m")) as server:
            done = push(url(server), environment=SECRET)
            check_failed(f"{code}", done, rf"HTTP {code}: redirections are not followed.*http://localhost:")
            check_requests(f"{code}", server, 1)
    check_requests("other host", thief, 0)

# --- Certificates.

certify("authority", None, "authority", "basicConstraints=critical,CA:TRUE")
good = certify("server", "authority", "server", "subjectAltName=DNS:localhost")
other = certify("other", "authority", "other", "subjectAltName=DNS:elsewhere.example")
trusted = f"--ca-file={WORK}/authority.pem"
for name, certificate, options in (("unknown authority", good, ()), ("another host", other, (trusted,)),
                                   ("no such file", good, (f"--ca-file={WORK}/none.pem",))):
    with serving(ACCEPTED, certificate=certificate) as server:
        done = push(url(server, host="localhost"), *options, environment=SECRET)
        check_failed(name, done, r"^bareprof: https://localhost:\d+/ingest: .*certificate")
        check_requests(name, server, 0)
        check(f"{name}: at once", done.seconds < SOON, done.seconds)

# --- Command lines.

with serving(ACCEPTED) as server:
    there = url(server)
    host = there.split("//")[1]
    for address, expected in (
            ("file:///etc/passwd/ingest", "must begin with http"), ("file://127.0.0.1/ingest", "must begin with http"),
            (f"gopher://{host}", "must begin with http"), (f"ftp://{host}", "must begin with http"),
            (f"dict://{host}", "must begin with http"), (host, "begins with http"), ("/ingest", "begins with http"),
            ("", "begins with http"), ("http://", "begins with http"), ("http:///ingest", "begins with http|ends in /ingest"),
            (f"http://bob:s3cret@{host}", "user or a password"), (f"http://s3cret@{host}", "user or a password"),
            (f"{there}?token=s3cret", "query or a fragment"), (f"{there}#s3cret", "query or a fragment"),
            (there[:-7], "ends in /ingest"), (f"{there}/", "ends in /ingest"), ("http://a b/ingest", "begins with http"),
            ("http://a\nb/ingest", "begins with http"), ("http://pyroscope.example/ingest", "not sent unencrypted")):
        check_failed(f"URL {address!r}", push(address, environment=SECRET), expected, code=2)
    for label in ("", "=", "a", "=b", "a=", "1a=b", "a-b=c", "a b=c", "ä=b", "__name__=x", "__a=b", "board=x", "core=1", "context=x",
                  "build_id=1", "firmware=x", "service_name=x", "a=b,c=d", "a=b}", "a= b", "a=b ", "a=b\nc", "a=\x1b[31m",
                  "a=\udcff", "a=\u202eb", "a=" + "x" * 3000, "a" * 3000 + "=x", "a.b=c"):
        check_failed(f"label {label[:20]!r}", push(there, f"--label={label}"), "--label=.*: expected", code=2)
    check_failed("a label twice", push(there, "--label=a=b", "--label=a=c"), "each NAME once", code=2)
    for name in ("", "a b", "a{b=c}", "a&format=jfr", "ä", "a\n"):
        check_failed(f"name {name!r}", push(there, f"--name={name}"), "--name=.*: expected", code=2)
    for token, expected in (("", "empty"), ("s3cret\r\nX-Evil: 1", "control character"), ("s3cret\x7f", "control character")):
        check_failed(f"token {token!r}", push(there, environment={"BAREPROF_PUSH_TOKEN": token}), f"BAREPROF_PUSH_TOKEN: .*{expected}")
    for content, option, expected in (
            (b"", "token", "empty"), (b"s3cret\0more", "token", "zero byte"), (b"s3cret\nmore\n", "token", "control character"),
            (b"s3cret", "user", "no colon"), (b"x" * 70000, "token", "65536")):
        with open(f"{WORK}/file", "wb") as file:
            file.write(content)
        check_failed(f"{option} file {content[:9]}", push(there, f"--{option}-file={WORK}/file"), f"/file: .*{expected}")
    check_failed("no token file", push(there, f"--token-file={WORK}/none"), "/none: ")
    both = {"BAREPROF_PUSH_TOKEN": "s3cret", "BAREPROF_PUSH_USER": "a:s3cret"}
    check_failed("two credentials", push(there, environment=both), "both a token and a user", code=2)
    check_failed("no such core", push(there, "--core=3"), "--core=3: no block of this core")
    check_failed("no capture", Pushed([there, f"{FOLDER}/five.elf", f"{WORK}/none"], {}), "none: ")
    check_requests("command lines", server, 0)
END
