#!/bin/bash
# SPDX-License-Identifier: MIT
# prometheus.sh BAREPROF FOLDER: the metrics, checked by promtool and read by Prometheus's client for Python.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
from prometheus_client.parser import text_string_to_metric_families
from judge import *

# The members of `losses` in JSON that are metrics, all under the same name.
COUNTERS = ["ticks", "ticks_missed", "samples_outside", "samples_table_full", "samples_shared", "arcs_dropped", "saturated", "resets"]
GAUGES = ["skew_ticks", "arcs_in_flight"]


def largest(functions, value):
    values = [value(f) for f in functions if f["kind"] == "function" and has_values(f)]
    return sorted(values, reverse=True)[:20]


for name in CAPTURES:
    text = export("prometheus", name)
    run(f"{name}: promtool finds no fault", ["promtool", "check", "metrics"], input=text)
    families = list(text_string_to_metric_families(text.decode()))
    samples = [s for family in families for s in family.samples]
    single = {s.name: s.value for s in samples if not s.labels}
    series = [(s.name, tuple(sorted(s.labels.items()))) for s in samples]
    check(f"{name}: each series occurs once", len(series) == len(set(series)), "some do not")
    check(f"{name}: each metric has a type and a text", all(f.documentation and f.type != "unknown" for f in families))
    expected = profile(name)
    unit = expected["time_unit"]
    check_equal(f"{name}: samples", single["bareprof_samples_total"], expected["total_samples"])
    check_close(f"{name}: time", single[f"bareprof_time_{unit}"], expected["total"])
    knows_losses = expected["losses"]["told"]
    for loss in COUNTERS + GAUGES:
        metric = "bareprof_" + loss + ("_total" if loss in COUNTERS else "")
        value = expected["losses"][loss] if knows_losses or loss == "ticks" else None
        check_equal(f"{name}: {loss}", single.get(metric), value)
    check_equal(f"{name}: profiles without losses", single["bareprof_blocks_without_losses"] == 0, knows_losses)
    functions = expected["functions"]
    recorder = sum(f["self"] for f in functions if f["kind"] == "bareprof") / expected["total"]
    check_close(f"{name}: the recorder's part", single.get("bareprof_recorder_ratio", 0), recorder)
    asleep = [f["self"] / expected["total"] for f in functions if f["kind"] == "unavailable"]
    check_equal(f"{name}: whether sleep is known", single.get("bareprof_unavailable_ratio"), asleep[0] if asleep else None)
    for metric, value in [("self", lambda f: f["self"]), ("total_time", total)]:
        actual = [s.value for s in samples if s.name == f"bareprof_function_{metric}_{unit}"]
        best = largest(functions, value)
        check(f"{name}: the 20 largest by {metric}", len(actual) == len(best) and all(map(is_close, actual, best)),
              f"{actual} instead of {best}")
    for metric, value in [("self_error", "self_variance"), ("total_time_error", "total_variance")]:
        count = len([s for s in samples if s.name == f"bareprof_function_{metric}_{unit}"])
        bounds = {total(f) for f in functions if f.get("is_lower_bound") and metric == "total_time_error"}
        check_equal(f"{name}: their errors by {metric}", count, len([time for time in best if time not in bounds]))

families = {f.name: f for f in text_string_to_metric_families(export("prometheus", "hostile").decode())}
labels = [s.labels for f in families.values() for s in f.samples if "function" in s.labels]
names = {label["function"] for label in labels}
known = {"void app::swap<int>(int*, int*)" if n.startswith(b"_ZN") else shown(n) for n in hostile_names()} | {"same"}
check("hostile: names are names of functions", names <= known, repr(names - known))
check("hostile: both tables have 20 functions", len(names) >= 20, len(names))
# The name of the file is a label, too.
path = f"{FOLDER}/pro\"m\\e\nthe.us"
os.symlink(f"{FOLDER}/hostile.elf", path + ".part")
os.replace(path + ".part", path)
text = subprocess.run([BAREPROF, "export", "prometheus", path, f"{FOLDER}/hostile.bprof"], check=True, stdout=subprocess.PIPE).stdout
run("promtool accepts a hostile path", ["promtool", "check", "metrics"], input=text)
info = next(f for f in text_string_to_metric_families(text.decode()) if f.name == "bareprof_firmware_info")
check_equal("hostile path", info.samples[0].labels["firmware"], shown(path.encode()))
addresses = {s.labels["address"] for f in text_string_to_metric_families(export("prometheus", "same").decode()) for s in f.samples
             if s.labels.get("function") == "same"}
check_equal("functions of the same name differ by address", len(addresses), 2)
END
