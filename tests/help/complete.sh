#!/bin/bash
# SPDX-License-Identifier: MIT
# complete.sh SHELL SCRIPT FOLDER [MODE]: completes each line of standard input in an interactive SHELL, in FOLDER/place.
# SCRIPT is sourced or, if it has the name that `make install` gives it, found by the shell itself. Prints for each line
#   words         the offered words, sorted, on one line (default)
#   descriptions  each offered word, a tab and its description, on a line each
#   line          the line after the tab key; not for fish
set -eu
shell=$1
script=$(realpath "$2")
folder=$(realpath "$3")
mode=${4-words}
export script folder mode HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_DATA_HOME="$folder" LC_ALL=C.UTF-8 TERM=dumb
cat >"$folder/lines"
rm -f "$folder"/{ready,offered}

# Runs a command on a terminal of its own, and types each line, then KEYS. Before its line editor runs, the terminal would
# interpret keys such as Ctrl-U, so this waits until the editor answers Ctrl-X r by making the file "ready".
type_lines() { # KEYS COMMAND
	{
		for ((i = 0; i < 1200; i++)); do
			printf '\x18r'
			sleep 0.05
			[ ! -e "$folder/ready" ] || break
		done
		while IFS= read -r line; do
			printf '%s%b' "$line" "$1"
		done <"$folder/lines"
		printf '\x15exit\r'
	} | (cd "$folder/place" && timeout 300 script -qec "stty columns 2000; $2" "$folder/terminal" >/dev/null)
}

# Escape * inserts all offered words into the line, which Ctrl-G writes.
complete_bash() {
	cat >"$folder/rc" <<-'END'
		PS1=
		case $script in
		*/completions/bareprof)
			XDG_DATA_DIRS=${script%/bash-completion/*}
			source /usr/share/bash-completion/bash_completion
			;;
		*)
			source "$script"
			;;
		esac
		write_line() {
			printf '%s\n' "$READLINE_LINE" >>"$folder/offered"
			READLINE_LINE=
		}
		answer() { : >"$folder/ready"; }
		bind -x '"\C-g": write_line'
		bind -x '"\C-xr": answer'
		bind 'set bell-style none'
	END
	local keys='\e*\a'
	[ "$mode" != line ] || keys='\t\a'
	type_lines "$keys" 'bash --noprofile --rcfile "$folder/rc" -i'
	if [ "$mode" = line ]; then
		cat "$folder/offered"
		return
	fi
	paste "$folder/lines" "$folder/offered" | perl -ne '
		chomp;
		my ($line, $inserted) = split /\t/, $_, 2;
		my ($before, $part) = $line =~ /^(.*[ =:])(.*)$/;
		my $words = substr $inserted, length $before;
		$words =~ s/ +$//;
		$words = "" if $words eq $part;
		print join(" ", sort map { s/=$//r } split /(?<!\\) /, $words), "\n"'
}

# All completions of zsh end in compadd, which is replaced by one that notes the words.
complete_zsh() {
	cat >"$folder/.zshrc" <<-'END'
		PS1= PS2=
		[[ $script != */_bareprof ]] || fpath=( ${script%/*} $fpath )
		autoload -Uz compinit && compinit -u -D
		zstyle ':completion:*' list-separator '-->'
		[[ $script == */_bareprof ]] || source "$script"
		note_words() {
			if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
				builtin compadd "$@"
				return
			fi
			local -a hits descriptions
			integer i=${@[(i)-d]}
			(( i >= $# )) || descriptions=( "${(@P)@[i+1]}" )
			builtin compadd -A hits -D descriptions "$@"
			for (( i = 1; i <= $#hits; i++ )); do
				[[ $mode != descriptions ]] || hits[i]=${(Q)hits[i]}
				offered+=( "${hits[i]}"$'\t'"${descriptions[i]-}" )
			done
			builtin compadd "$@" 2>/dev/null
		}
		write_offered() {
			typeset -ga offered=()
			functions[compadd]=$functions[note_words]
			_main_complete
			unfunction compadd
			if [[ $mode == descriptions ]]; then
				print -rl -- "${(@ou)offered}" >>"$folder/offered"
			else
				print -r -- "${(j: :)${(@ou)offered%%$'\t'*}}" >>"$folder/offered"
			fi
			compstate[insert]= compstate[list]=
		}
		zle -C write_offered list-choices write_offered
		write_line() { print -r -- "$BUFFER" >>"$folder/offered" }
		zle -N write_line
		bindkey -e
		bindkey '^G' write_offered
		[[ $mode != line ]] || bindkey '^G' write_line
		answer() { : >"$folder/ready" }
		zle -N answer
		bindkey '^Xr' answer
	END
	local keys='\a\x15'
	[ "$mode" != line ] || keys='\t\a\x15'
	ZDOTDIR=$folder type_lines "$keys" 'zsh -o no_global_rcs -i'
	if [ "$mode" = descriptions ]; then
		sed 's/\t.*--> /\t/' "$folder/offered"
	else
		cat "$folder/offered"
	fi
}

complete_fish() {
	cd "$folder/place"
	fish --no-config -c '
		if string match -q "*.d/bareprof.fish" $script
			set -g fish_complete_path (dirname $script) $fish_complete_path
		else
			source $script
		end
		while read -l line
			set -l offered (complete -C "$line")
			if test $mode = descriptions
				string join \n -- $offered
			else
				echo (string replace -r "\t.*" "" -- $offered | string replace -ra " " "\\\\ " |
					string replace -r "/\$" "" | string replace -r "^.*[=:](.)" "\$1" | string replace -r "^(--.*)=\$" "\$1" | sort -u)
			end
		end' <"$folder/lines"
}

"complete_$shell"
