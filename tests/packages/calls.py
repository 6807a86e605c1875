# SPDX-License-Identifier: MIT
# calls.py PROFILE.json CALLEE FACTOR CALLER: each call of CALLER, except a last one that has not ended, calls CALLEE a
# number of times, FACTOR; and CALLEE takes most of the time. The exit status is 2 if CALLER was called fewer than 100
# times.
import json
import sys

path, callee, factor, caller = sys.argv[1:]
with open(path) as file:
    profile = json.load(file)
functions = {function.get("demangled", function["name"]).split("(")[0]: function for function in profile["functions"]}
calls = functions[caller]["calls"]
if calls < 100:
    sys.exit(2)
missing = calls * int(factor) - functions[callee]["calls"]
busiest = max(functions, key=lambda name: functions[name]["self"])
print(f"{calls} calls, {missing} of {callee} missing, {profile['total_samples']} samples, most in {busiest}")
sys.exit(not 0 <= missing <= int(factor) or profile["total_samples"] < 100 or busiest != callee)
