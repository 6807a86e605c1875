#!/bin/bash
# SPDX-License-Identifier: MIT
# golden.sh run|accept NAME SCRATCH TOOL: the command-line test tests/golden/NAME. bash runs its script `command` in a copy
# of the folder below SCRATCH, with the tool as $BAREPROF and the programs of build/tests/ in the PATH. Its output (both
# streams) must equal the file `expected`, its exit status the number in `status` (default 0). Folders without a `command`
# hold inputs that tests share, as ../FOLDER/. accept writes `expected` and `status`, for review with git diff.
set -u
mode=$1
name=$2
golden=$PWD/tests/golden
case=$golden/$name
scratch=$PWD/$3/$name
BAREPROF=$PWD/$4
ROOT=$PWD
PATH=$ROOT/build/tests:$PATH
export BAREPROF ROOT PATH LC_ALL=C NO_COLOR=1 TZ=UTC

rm -rf "$scratch"
mkdir -p "$scratch"
cp -r "$case" "$scratch/"
rm -f "$scratch/$name/expected" "$scratch/$name/status"
shared=()
for folder in "$golden"/*/; do
	[ -f "$folder/command" ] || shared+=("${folder%/}")
done
ln -s "${shared[@]}" "$scratch/"

actual=$scratch/actual
(cd "$scratch/$name" && exec bash command) >"$actual" 2>&1 </dev/null
status=$?

if [ "$mode" = accept ]; then
	cp "$actual" "$case/expected"
	rm -f "$case/status"
	[ $status = 0 ] || echo $status >"$case/status"
	exit 0
fi

wanted=0
[ ! -f "$case/status" ] || read -r wanted <"$case/status"
if [ "$status" != "$wanted" ]; then
	echo "not ok $name: exit status $status instead of $wanted"
	cat "$actual"
elif ! diff -u --label expected --label actual "$case/expected" "$actual"; then
	echo "not ok $name: the output differs from the expected one; make golden-accept records it"
else
	echo "ok $name"
fi
