#!/bin/bash
# SPDX-License-Identifier: MIT
# sends.sh BAREPROF FOLDER: a server receives the profile, read by go tool pprof, its labels, times and credentials.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports:tests/push PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import base64
import math
import re
import urllib.parse
import uuid
from judge import *
from server import *

INGEST, PUSHER = "/ingest", "/push.v1.PusherService/Push"
os.environ["PPROF_TMPDIR"] = os.environ["HOME"] = WORK


def sent(name, path, *options, environment=None):
    """The one request of a push that the server accepts."""
    with serving(status(200)) as server:
        done = push(url(server, path), *options, name=name, environment=environment)
        check(f"{name}{path}: accepted in silence", (done.status, done.output, done.message) == (0, "", ""), done.message)
        check_equal(f"{name}{path}: one request", len(server.requests), 1)
        return server.requests[0]


def query(request):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.path).query, strict_parsing=True))


def labels_of_query(request):
    """The application and the labels, as api/model/labelset of Pyroscope reads them."""
    application, braces, rest = query(request)["name"].partition("{")
    pairs = [pair.partition("=") for pair in rest.removesuffix("}").split(",")]
    return application, {name: value for name, _, value in pairs}


def series(request):
    document = json.loads(request.body)
    check("JSON: one profile", len(document["series"]) == 1 and len(document["series"][0]["samples"]) == 1, document)
    return document["series"][0]


def labels_of_json(request):
    return {label["name"]: label["value"] for label in series(request)["labels"]}


def profile_of(request, path):
    return request.body if path == INGEST else base64.b64decode(series(request)["samples"][0]["rawProfile"], validate=True)


def pprof(name, content, *options):
    with open(f"{WORK}/profile", "wb") as file:
        file.write(content)
    return run(f"{name}: go tool pprof {options[0]}", ["go", "tool", "pprof", "-symbolize=none", *options, f"{WORK}/profile"])


def total_of(name, content, index):
    """The sum of a column, from the head of -top: Showing nodes accounting for 1ns, 100% of 1ns total."""
    unit = "count" if index == "samples" else "ns"
    text = pprof(name, content, "-top", f"-sample_index={index}", f"-unit={unit}", "-nodefraction=0", "-nodecount=100000")
    return float(re.search(r"of (-?[\d.]+)(?:ns)? total$", text, re.M)[1])


for name, path in (("five", INGEST), ("five", PUSHER), ("tasks", INGEST), ("demo", PUSHER), ("periods", INGEST)):
    request, whole = sent(name, path), profile(name)
    content = profile_of(request, path)
    check_equal(f"{name}{path}: the same bytes as export pprof", content, subprocess.run(
        [BAREPROF, "export", "pprof", f"{FOLDER}/{name}.elf", f"{FOLDER}/{name}.bprof"], stdout=subprocess.PIPE).stdout)
    check_equal(f"{name}{path}: samples", total_of(name, content, "samples"), round(whole["total_samples"]))
    if whole["time_unit"] == "seconds":
        found = total_of(name, content, "cpu") / 1e9
        check(f"{name}{path}: time", abs(found - whole["total"]) <= 1e-8 * (len(whole["functions"]) + 1000), found)
    tags = pprof(name, content, "-tags")
    check(f"{name}{path}: the core is a label of samples", re.search(r"^ core:", tags, re.M), tags)
    check(f"{name}{path}: contexts are labels of samples", name != "tasks" or ": uart" in tags, tags)

# The query.
request = sent("demo", INGEST, "--label=serial=4711", "--label=site=Zürich & Co + {x=1 #%2C\"'", "--name=shop/pump-1.cpu")
application, labels = labels_of_query(request)
version = subprocess.run([BAREPROF, "--version"], stdout=subprocess.PIPE).stdout.decode().splitlines()[0].split()[1]
notes = subprocess.run(["readelf", "-n", f"{FOLDER}/demo.elf"], stdout=subprocess.PIPE).stdout.decode()
expected = {"firmware": "demo", "build_id": re.search(r"Build ID: (\w+)", notes)[1], "board": "mps2-an385",
            "bareprof_version": version, "serial": "4711", "site": "Zürich & Co + {x=1 #%2C\"'"}
check_equal("query: application", application, "shop/pump-1.cpu")
check_equal("query: labels", labels, expected)
check_equal("query: format", (query(request)["format"], query(request)["spyName"]), ("pprof", "bareprof"))
check_equal("query: nothing else", sorted(query(request)), ["format", "from", "name", "spyName", "until"])
begin, end = int(query(request)["from"]), int(query(request)["until"])
pulled = os.path.getmtime(f"{FOLDER}/demo.bprof")
check("query: the end is when the capture was pulled", abs(end - pulled) <= 60, f"{end} {pulled}")
check_equal("query: the beginning is earlier by its time", end - begin, math.ceil(profile("demo")["total"]))
end = int(query(sent("five", INGEST))["until"])
check("query: a capture of unknown time was recorded now", abs(end - time.time()) <= 60, end)
check_equal("body: type", request.headers["Content-Type"], "application/octet-stream")
check_equal("body: the tool's name", request.headers["User-Agent"], f"bareprof/{version}")
check_equal("no credentials unless given", request.headers["Authorization"], None)

# JSON.
request = sent("demo", PUSHER, "--label=serial=4711", "--label=site=\"a\\b\"")
expected.update(__name__="process_cpu", service_name="demo", site="\"a\\b\"")
check_equal("JSON: labels", labels_of_json(request), expected)
check_equal("JSON: type", request.headers["Content-Type"], "application/json")
ids = [uuid.UUID(series(sent("demo", PUSHER, *options))["samples"][0]["ID"]) for options in ((), (), ("--label=a=b",))]
check("JSON: an ID is a UUID", all(each.version == 8 and each.variant == uuid.RFC_4122 for each in ids), ids)
check("JSON: the ID depends on the profile and its labels", ids[0] == ids[1] != ids[2], ids)

# Names from files.
firmware = f"{WORK}/ two, {{x}}\x1b[31m}}.elf"
shutil.copy(f"{FOLDER}/five.elf", firmware)
with serving(status(200)) as server:
    done = Pushed([url(server), firmware, f"{FOLDER}/five.bprof"], {})
    check_equal("a hostile name: accepted", (done.status, done.message), (0, ""))
    application, labels = labels_of_query(server.requests[0])
    check_equal("a hostile name: application", application, "_two___x___31m_")
    check_equal("a hostile name: label", labels["firmware"], "_two_ {x__[31m_")
    check_equal("a firmware without build-id has no such label", sorted(labels), ["bareprof_version", "board", "firmware"])

# Credentials.
with open(f"{WORK}/token", "w") as file:
    file.write("s3cret-file\n")
with open(f"{WORK}/user", "w") as file:
    file.write("gauge:pass:word\n")
basic = "Basic " + base64.b64encode(b"gauge:pass:word").decode()
for options, environment, header in (
        ((), {"BAREPROF_PUSH_TOKEN": "s3cret"}, "Bearer s3cret"),
        ((f"--token-file={WORK}/token",), {}, "Bearer s3cret-file"),
        ((f"--token-file={WORK}/token",), {"BAREPROF_PUSH_TOKEN": "other", "BAREPROF_PUSH_USER": "a:b"}, "Bearer s3cret-file"),
        ((), {"BAREPROF_PUSH_USER": "gauge:pass:word"}, basic), ((f"--user-file={WORK}/user",), {}, basic)):
    check_equal(f"credentials {options} {environment}",
                sent("five", INGEST, *options, environment=environment).headers["Authorization"], header)

# A store that verifies certificates.
certify("authority", None, "authority", "basicConstraints=critical,CA:TRUE")
certificate = certify("server", "authority", "server", "subjectAltName=DNS:localhost,IP:127.0.0.1")
with serving(status(200), certificate=certificate) as server:
    done = push(url(server, host="localhost"), f"--ca-file={WORK}/authority.pem", environment={"BAREPROF_PUSH_TOKEN": "s3cret"})
    check_equal("TLS: accepted", (done.status, done.message), (0, ""))
    check_equal("TLS: credentials", server.requests[0].headers["Authorization"], "Bearer s3cret")
END
