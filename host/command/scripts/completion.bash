# SPDX-License-Identifier: MIT
# Completion of bareprof in bash, from version 3.2 on. The tool lists the candidates.
_bareprof() {
	local rest=${COMP_LINE:0:COMP_POINT} tool=$1 words=() last=-1 i part word line
	# COMP_WORDBREAKS normally splits words at = and : too. This joins parts that no blank separates.
	for ((i = 0; i <= COMP_CWORD; i++)); do
		part=${rest#"${rest%%[![:space:]]*}"}
		[[ $i != 0 && $part == "$rest" ]] || words[++last]=
		rest=$part
		[[ $i == "$COMP_CWORD" ]] || part=${COMP_WORDS[i]}
		words[last]+=$part
		rest=${rest#"$part"}
	done
	word=${words[last]}
	[[ $tool != '~/'* ]] || tool=$HOME/${tool:2}
	type -P "$tool" >/dev/null || tool=bareprof
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		*$'\t'*)
			[[ $line == "$word"* ]] || continue
			line=${line%%$'\t'*}
			# readline replaces $2, the last part of the word.
			printf -v line %q "${line#"${word%"$2"}"}"
			COMPREPLY+=("$line")
			;;
		:folders*) compopt +o default -o dirnames ;;
		:none*) compopt +o default ;;
		esac 2>/dev/null # compopt is missing before version 4
	done < <("$tool" __complete "${words[@]:1}" 2>/dev/null)
	[[ ${#COMPREPLY[@]} != 1 || $COMPREPLY != *[=:] ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _bareprof bareprof
