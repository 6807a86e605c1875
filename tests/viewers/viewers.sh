#!/bin/bash
# SPDX-License-Identifier: MIT
# viewers.sh NPM BAREPROF FOLDER: exports of the captures in FOLDER (tests/exports/captures.sh), checked by the schema of speedscope
# and opened by its page in Chromium. NPM has the package speedscope.
npm=$1
if [[ -s $npm/installed ]]; then
	echo "ok the suite was skipped: $(<"$npm/installed")"
	exit
fi
release=$(realpath "$npm/node_modules/speedscope/dist/release")
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "${@:2}" "$release" <<'END'
import base64
import html
import re
import tempfile
from judge import *
from jsonschema import Draft7Validator

RELEASE = sys.argv[3]
with open(f"{RELEASE}/file-format-schema.json") as file:
    SCHEMA = Draft7Validator(json.load(file))


def open_page(name, content):
    """The document of the viewer's page after it opened a file."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/file.js", "w") as file:
            file.write(f"speedscope.loadFileFromBase64({json.dumps(name)}, '{base64.b64encode(content).decode()}')")
        return subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder}/profile",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=10000", "--dump-dom",
             f"file://{RELEASE}/index.html#localProfilePath={folder}/file.js"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300).stdout.decode()


def title_of(page):
    return html.unescape(re.search("<title>([^<]*)", page)[1]) if "<title>" in page else "no page"


for name in CAPTURES:
    problems = [problem.message for problem in SCHEMA.iter_errors(json.loads(export("speedscope", name)))]
    check(f"{name}: the schema of speedscope", not problems, problems[:3])
wrong = json.loads(export("speedscope", "demo"))
wrong["profiles"][0]["unit"] = "ticks"
check("the schema refuses another unit", not SCHEMA.is_valid(wrong))

check_equal("a damaged file is not opened", title_of(open_page("wrong.speedscope.json", b"{}")), "speedscope")
for name in ("demo", "tasks", "hostile", "five"):
    for form in ("speedscope", "pprof", "callgrind", "folded"):
        page = open_page(f"{name}.{form}", export(form, name))
        title = title_of(page)
        wanted = "gprof's propagation implies" if form == "speedscope" else f"{name}.{form}"
        check(f"{name}: speedscope opens {form}", wanted in title, title)
page = open_page("tasks.speedscope", export("speedscope", "tasks"))
check("tasks: the viewer shows the first of 5 contexts", "1/5" in page or "uart" in page, re.sub("<[^>]*>", " ", page)[:500])
END
