#!/bin/bash
# SPDX-License-Identifier: MIT
# dot.sh BAREPROF FOLDER: the call graph, read and drawn by Graphviz.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import re
import xml.etree.ElementTree
from judge import *


def part(label, what):
    found = re.search(rf"{what} ?(?:≥ )?([0-9.]+)(?: ± [0-9.]+)? %", label)
    return float(found.group(1)) if found else None


def calls(label):
    found = re.search(r"([0-9,]+) calls?\b", label)
    return int(found.group(1).replace(",", "")) if found else 0


def draw(name, *options):
    text = export("dot", name, *options)
    return json.loads(run(f"{name}: Graphviz draws it", ["dot", "-Tjson"], input=text))


def judge(name, *options):
    graph = draw(name, *options)
    expected = profile(name, *options)
    functions = expected["functions"]
    whole = expected["total"]
    # Graphviz lists clusters first, and calls nodes by their numbers in JSON.
    nodes = {int(o["name"][1:]): o["label"] for o in graph["objects"] if o["name"].startswith("n")}
    clusters = [o for o in graph["objects"] if o["name"].startswith("cluster")]
    large = {f["id"] for f in functions if has_values(f) and total(f) >= 0.005 * whole}
    check_equal(f"{name}: functions of 0.5 % or more are nodes", set(nodes), large)
    for index, label in nodes.items():
        check(f"{name}: {label.split(chr(92))[0][:40]}",
              is_close(part(label, "total"), 100 * total(functions[index]) / whole, 0.0051)
              and is_close(part(label, "self"), 100 * functions[index]["self"] / whole, 0.0051)
              and calls(label) == all_calls(functions[index]), label)
    hidden = [f for f in functions if has_values(f) and f["id"] not in nodes]
    hidden_part = re.search(r"not shown: ([0-9,]+) functions? below 0.5 % \(([0-9.]+) % of the time\), ([0-9,]+) arcs? below 0.1 %", graph["label"])
    count, time, arc_count = (int(hidden_part[1].replace(",", "")), float(hidden_part[2]), int(hidden_part[3].replace(",", ""))) if hidden_part else (0, 0, 0)
    check_equal(f"{name}: the number of functions that are not shown", count, len(hidden))
    check_close(f"{name}: their time", time, 100 * sum(f["self"] for f in hidden) / whole, 0.0051)
    shares = [part(label, "self") for label in nodes.values()]
    check_close(f"{name}: self times add up to all time", sum(shares) + time, 100, 0.0001 * (1 + len(shares)))

    arcs = {(a["caller"], a["callee"]): a for a in expected["arcs"]}
    numbers = {o["_gvid"]: int(o["name"][1:]) for o in graph["objects"] if o["name"].startswith("n")}
    edges = {(numbers[e["tail"]], numbers[e["head"]]): e for e in graph.get("edges", [])}
    check_equal(f"{name}: arcs that are shown, and those that are not", len(edges) + arc_count, len(arcs))
    for (caller, callee), arc in arcs.items():
        edge = edges.get((caller, callee))
        share = 100 * (arc["self"] + arc["children"]) / whole
        in_cycle = functions[caller]["cycle"] is not None and functions[caller]["cycle"] == functions[callee]["cycle"]
        is_timed = caller != callee and not in_cycle and not arc["removed"] and arc["count"] != 0
        is_large = caller in nodes and callee in nodes and (share >= 0.1 or not is_timed)
        what = f"{name}: arc {caller} -> {callee}"
        if edge is None or not is_large:
            check(what, (edge is not None) == is_large, f"{share} % of the time")
            continue
        label = edge.get("label", "")
        check(what, calls(label) == (arc["count"] or 0) and (part(label, "") is not None) == is_timed
              and (not is_timed or is_close(part(label, ""), share, 0.0051))
              and edge.get("style") == ("dotted" if arc["count"] == 0 else "dashed" if arc["removed"] else None)
              and is_close(float(edge["penwidth"]), 1 + 5 * share / 100, 0.006), f"{edge} instead of {arc}")
    members = [sorted(int(graph["objects"][n]["name"][1:]) for n in c["nodes"]) for c in clusters]
    check_equal(f"{name}: cycles are clusters", sorted(members),
                sorted(m for m in (sorted(set(c["members"]) & large) for c in expected["cycles"]) if m))
    for cluster in clusters:
        cycle = expected["cycles"][int(cluster["name"].split("_")[-1]) - 1]
        check_close(f"{name}: {cluster['name']}", part(cluster["label"], "total"),
                    100 * (cycle["self"] + cycle["children"]) / whole, 0.0051)


for name in CAPTURES:
    judge(name)
judge("five", "--break-cycles=1")
judge("static", "--static")
judge("demo", "--static")

# Drawn, a label is lines of text. Graphviz makes blanks of any width no-break spaces.
picture = run("hostile: Graphviz draws the names", ["dot", "-Tsvg"], input=export("dot", "hostile"))
texts = {element.text.replace("\xa0", " ") for element in xml.etree.ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")}
for name in hostile_names()[:-2]:
    text = "void app::swap<int>(int*, int*)" if name.startswith(b"_ZN") else shown(name)
    check(f"hostile: {text[:40]}", text in texts, "no such text")
END
