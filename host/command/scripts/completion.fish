# SPDX-License-Identifier: MIT
# Completion of bareprof in fish. The tool lists the candidates.
function __bareprof_list --description 'List candidates, or fail for names of files'
	set -l words (commandline -opc)
	set -l word (commandline -ct)
	set -l tool (string replace -r '^~/' "$HOME/" -- $words[1])
	set -l lines ($tool __complete $words[2..-1] "$word" 2>/dev/null)
	switch "$lines[-1]"
	case ':none *'
		# fish would also find the letters of the word in a description.
		set -g __bareprof_candidates (string match -i -- "*"(string replace -ra . '$0*' -- "$word")\t"*" $lines)
	case ':folders *'
		set -g __bareprof_candidates (__fish_complete_directories)
	case '*'
		return 1
	end
	return 0
end

complete -c bareprof -e
complete -c bareprof -n __bareprof_list -f -a '$__bareprof_candidates'
