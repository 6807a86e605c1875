#!/bin/bash
# SPDX-License-Identifier: MIT
# fleet.sh BAREPROF FOLDER: the scripts and the figures of docs/FLEET.md.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports:tests/push PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import base64
import re
import urllib.parse
from judge import *
from server import *

BOARDS = 230
with open("docs/FLEET.md") as file:
    PAGE = file.read()
os.mkdir(f"{WORK}/bin")
os.symlink(BAREPROF, f"{WORK}/bin/bareprof")
os.environ["PATH"] = f"{WORK}/bin:{os.environ['PATH']}"
for name in os.environ:
    if "proxy" in name.lower():
        del os.environ[name]


def script(name, **variables):
    """Runs a listing of the page in WORK."""
    listing = re.search(rf"<!-- file: {name} -->\n\n((?:    .*\n|\n)+)", PAGE)[1]
    with open(f"{WORK}/{name}", "w") as file:
        file.write(re.sub("^    ", "", listing, flags=re.M))
    done = subprocess.run(["sh", name], cwd=WORK, env={**os.environ, **variables}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def as_json(*runs):
    document = json.loads(subprocess.run([BAREPROF, "export", "json", f"{WORK}/fw.elf", *runs], check=True,
                                         stdout=subprocess.PIPE).stdout)
    return document["total_samples"], {each["name"]: (each["self_samples"], all_calls(each)) for each in document["functions"]}


def labels(request):
    name = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.path).query))["name"]
    return name


shutil.copy(f"{FOLDER}/five.elf", f"{WORK}/fw.elf")
with open(f"{WORK}/boards.txt", "w") as file:
    file.writelines(f"{4711 + i} file:{FOLDER}/five.bprof\n" for i in range(3))
check_equal("collect.sh pulls every board", script("collect.sh")[0], 0)
check_equal("collect.sh names captures by serial number", sorted(os.listdir(f"{WORK}/runs")), [f"{n}.bprof" for n in (4711, 4712, 4713)])
with open(f"{WORK}/boards.txt", "w") as file:
    file.write(f"1 file:{FOLDER}/none\n2 file:{FOLDER}/five.bprof\n")
code, text = script("collect.sh")
check("collect.sh reports a board that fails, and goes on", code != 0 and "none" in text and os.path.exists(f"{WORK}/runs/2.bprof"), text)

with serving(status(200)) as server:
    code, text = script("push.sh", STORE=url(server))
    check_equal("push.sh", (code, text), (0, ""))
    check_equal("push.sh sends each board under its serial number",
                sorted(re.search("serial=([0-9]+)", labels(each))[1] for each in server.requests), ["2", "4711", "4712", "4713"])
with serving(status(400, b"no"), status(200)) as server:
    code, text = script("push.sh", STORE=url(server))
    check("push.sh reports a failure, and goes on", code == 1 and "HTTP 400: no" in text and len(server.requests) == 4, text)

for i in range(BOARDS):
    shutil.copy(f"{WORK}/runs/2.bprof", f"{WORK}/runs/b{i}.bprof")
with serving(status(200)) as server:
    code, text = script("merge.sh", STORE=url(server))
    check_equal("merge.sh", (code, text), (0, ""))
    check("merge.sh sends one profile", len(server.requests) == 1 and labels(server.requests[0]).startswith("gauge-fleet{"))
check_equal("merge.sh adds up parts", len(os.listdir(f"{WORK}/parts")), 3)
runs = sorted(f"{WORK}/runs/{name}" for name in os.listdir(f"{WORK}/runs"))
check_equal("merge.sh: the sum of sums is the sum of all", as_json(f"{WORK}/sum.bprof"), as_json(*runs))

shutil.copy(f"{FOLDER}/five.bprof", f"{WORK}/run.bprof")
with serving(status(200)) as server:
    check_equal("ci.sh", script("ci.sh", STORE=url(server), BRANCH="topic/x"), (0, ""))
    check("ci.sh labels the branch", "branch=topic/x}" in labels(server.requests[0]), labels(server.requests[0]))

content = subprocess.run([BAREPROF, "export", "pprof", f"{FOLDER}/demo.elf", f"{FOLDER}/demo.bprof"], stdout=subprocess.PIPE).stdout
for what, size in (("the capture", os.path.getsize(f"{FOLDER}/demo.bprof")), ("sent to `/ingest`", len(content)),
                   ("sent to `/push.v1.PusherService/Push`", len(base64.b64encode(content)) + 500)):
    stated = int(re.search(rf"^\| {re.escape(what)} \| (\d+) \|$", PAGE, re.M)[1])
    check(f"figures: {what}", 0.8 <= size / stated <= 1.25, f"{size} instead of {stated}")
END
