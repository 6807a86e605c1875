#!/bin/sh
# SPDX-License-Identifier: MIT
# install_help.sh TOOL SHARE: generates the man pages and completion scripts of TOOL, and installs them in the folder SHARE.
set -eu
tool=$1
share=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$(dirname "$0")/../docs/man.sh" "$tool" "$work/man"
for page in "$work"/man/*.1; do
	install -D -m 644 "$page" "$share/man/man1/${page##*/}"
done

install_completion() { # SHELL PATH
	"$tool" completion "$1" >"$work/completion"
	install -D -m 644 "$work/completion" "$share/$2"
}
install_completion bash bash-completion/completions/bareprof
install_completion zsh zsh/site-functions/_bareprof
install_completion fish fish/vendor_completions.d/bareprof.fish
