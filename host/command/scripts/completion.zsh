#compdef bareprof
# SPDX-License-Identifier: MIT
# Completion of bareprof in zsh. The tool lists the candidates.
_bareprof() {
	local tool=${${(Q)words[1]}/#\~\//$HOME/} line end
	local -a lines closed open valued
	whence -p -- $tool >/dev/null || tool=bareprof
	lines=("${(@f)$($tool __complete "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
	end=$lines[-1]
	[[ $end == :(none|files|folders)\ <-> ]] || return
	compset -p ${end#* }
	for line in "${(@)lines[1,-2]}"; do
		line=${line:${end#* }}
		# _describe expects WORD:DESCRIPTION, with a backslash before each other colon.
		line=${${${line//\\/\\\\}//:/\\:}/$'\t'/:}
		case $line in
		*=:*) valued+=("${line/=:/:}") ;;
		*::*) open+=("$line") ;;
		*) closed+=("$line") ;;
		esac
	done
	case $end in
	:files*) _files || { compset -P '*[:,]' && _files } ;; # also OLD.elf:RUN,RUN
	:folders*) _files -/ ;;
	*) _describe -t words word closed -- open -S '' -- valued -qS = ;;
	esac
}

# Sourced, the script registers itself; in a folder of fpath, it is the body of the function.
if [[ $funcstack[1] == _bareprof ]]; then
	_bareprof "$@"
else
	compdef _bareprof bareprof
fi
