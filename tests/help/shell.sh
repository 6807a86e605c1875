#!/bin/bash
# SPDX-License-Identifier: MIT
# shell.sh SHELL BAREPROF ROOT: SHELL completes command lines by the script installed below ROOT, which runs BAREPROF, and then
# a tool that lists hostile texts.
set -u
shell=$1
bareprof=$2
root=$3
folder=build/help/$shell
rm -rf "$folder"
mkdir -p "$folder/place/folder"
touch "$folder"/place/{fw.elf,run.bprof,'two words.elf'}
case $shell in
bash) script=$root/share/bash-completion/completions/bareprof ;;
zsh) script=$root/share/zsh/site-functions/_bareprof ;;
fish) script=$root/share/fish/vendor_completions.d/bareprof.fish ;;
esac
# fish completes only commands that exist.
PATH=$(realpath "$(dirname "$bareprof")"):$PATH

complete() { # [MODE]
	tests/help/complete.sh "$shell" "$script" "$folder" "${1-words}"
}

# Compares files of lines, and names each line that differs.
check_lines() { # NAME LINES EXPECTED ACTUAL
	local line expected actual
	[ "$(wc -l <"$2")" = "$(wc -l <"$4")" ] || echo "not ok $1: $(wc -l <"$4") lines instead of $(wc -l <"$2")"
	while IFS= read -r line && IFS= read -r expected <&3 && IFS= read -r actual <&4; do
		if [ "$expected" = "$actual" ]; then
			echo "ok $1: $line"
		else
			echo "not ok $1: $line: offered '$actual' instead of '$expected'"
		fi
	done <"$2" 3<"$3" 4<"$4"
}

lines=$folder/case-lines expected=$folder/expected actual=$folder/actual
sed -n 's/^\(bareprof .*\) |.*/\1/p' tests/help/cases.txt >"$lines"
sed -n 's/^bareprof .* | \?\(.*\)/\1/p' tests/help/cases.txt >"$expected"
complete <"$lines" >"$actual"
check_lines words "$lines" "$expected" "$actual"

# The shell offers all commands, options and words that the help has.
"$bareprof" --help | sed -n '/^Commands:$/,/^$/s/^  \([^ ]*\) .*/\1/p' >"$folder/commands"
list_options() { # COMMAND
	{
		"$bareprof" "$1" --help | grep -oE '^  (-.|  )(, |  )--[a-z-]+' | grep -oE -e '--[a-z-]+'
		echo --help
	} | LC_ALL=C sort -u | paste -sd ' '
}
list_words() { # COMMAND
	"$bareprof" "$1" --help | sed -n '/ is one of$/,/^$/p' |
		perl -ne '/^  (\S[^[:\s]*)(:?)/ and push @words, "$1$2"; END { print join(" ", sort @words), "\n" }'
}
{
	echo "bareprof "
	while IFS= read -r command; do
		echo "bareprof $command --"
	done <"$folder/commands"
	printf 'bareprof %s \n' pull sample export completion
} >"$lines"
{
	sort "$folder/commands" | paste -sd ' '
	while IFS= read -r command; do
		list_options "$command"
	done <"$folder/commands"
	for command in pull sample export completion; do
		list_words "$command"
	done
} >"$expected"
complete <"$lines" >"$actual"
check_lines tables "$lines" "$expected" "$actual"

# The tool accepts each value that is offered.
if [ "$shell" = bash ]; then
	sed -n 's/^\(bareprof .*=\) | \(.*\)/\1|\2/p' tests/help/cases.txt | while IFS='|' read -r line words; do
		for word in $words; do
			[ "$word" != folder ] || continue
			if said=$("$bareprof" ${line#bareprof }"$word" 2>&1) || ! grep -q "$word: expected\|no such" <<<"$said"; then
				echo "ok accepted: $line$word"
			else
				echo "not ok accepted: $line$word: $said"
			fi
		done
	done
fi

# No blank follows an option that needs a value, or a source that needs an address.
if [ "$shell" != fish ]; then
	printf 'bareprof %s\n' 'repo' 'diff --form' 'report --demang' 'report --fla' 'pull ua' 'pull op' \
		'export spee' 'report fw' 'report tw' >"$lines"
	printf 'bareprof %s\n' 'report ' 'diff --format=' 'report --demangle=' 'report --flat' 'pull uart:' \
		'pull openocd ' 'export speedscope ' 'report fw.elf ' 'report two\ words.elf ' >"$expected"
	complete line <"$lines" >"$actual"
	check_lines typed "$lines" "$expected" "$actual"
fi

# Descriptions are the text of the help.
if [ "$shell" != bash ]; then
	echo 'bareprof report --to' | complete descriptions >"$actual"
	"$bareprof" report --help | sed -n 's/^ *\(--top\)=N */\1\t/p' >"$expected"
	check_lines description <(echo 'bareprof report --to') "$expected" "$actual"
fi

# A script that is sourced runs the tool that the line names.
"$bareprof" completion "$shell" >"$folder/sourced"
script=$folder/sourced
ln -s "$(realpath "$bareprof")" "$folder/bareprof"
printf '%s\n' '~/bareprof re' "$(realpath "$folder")/bareprof re" >"$lines"
printf 'report\n%.0s' 1 2 >"$expected"
complete <"$lines" >"$actual"
check_lines path "$lines" "$expected" "$actual"

# With a tool that fails, only files are offered, and the terminal shows no message.
mkdir "$folder/bin"
printf '#!/bin/sh\necho "unknown command" >&2\nexit 2\n' >"$folder/bin/bareprof"
chmod +x "$folder/bin/bareprof"
PATH=$(realpath "$folder/bin"):$PATH
echo 'bareprof pul' >"$lines"
echo >"$expected"
complete <"$lines" >"$actual" 2>&1
check_lines failure "$lines" "$expected" "$actual"
if grep -as "unknown command" "$folder/terminal"; then
	echo "not ok failure: the message above is on the terminal"
fi

# Hostile texts arrive as they are, and nothing in them runs, nor in the line.
printf '#!/bin/sh\n[ "$1" = __complete ] && cat "${0%%/*}/$2"\n' >"$folder/bin/bareprof"
{
	cat tests/help/hostile.txt
	echo ':none 0'
} >"$folder/bin/words"
echo ':files a[$(touch canary)]' >"$folder/bin/end"
printf '%s\n' 'bareprof end ' 'bareprof $(touch canary) `touch canary` r' "bareprof '\$(touch canary)' \"\$(touch canary)\" r" \
	'bareprof "$(touch canary) r' 'bareprof end; touch canary ' | complete >"$actual"
case $shell in
bash)
	cut -f 1 tests/help/hostile.txt | while IFS= read -r word; do printf '%q\n' "$word"; done | LC_ALL=C sort >"$expected"
	complete <<<'bareprof words ' | sed 's/\([^\\]\) /\1\n/g' | LC_ALL=C sort >"$actual"
	;;
*)
	LC_ALL=C sort tests/help/hostile.txt >"$expected"
	complete descriptions <<<'bareprof words ' | LC_ALL=C sort >"$actual"
	;;
esac
cut -f 1 "$expected" >"$lines"
check_lines hostile "$lines" "$expected" "$actual"
if found=$(find "$folder" . -maxdepth 2 -name 'canary*' | grep .); then
	echo "not ok hostile: a text was run and left $found"
else
	echo "ok hostile: no text was run"
fi
