#!/bin/bash
# SPDX-License-Identifier: MIT
# screenshot.sh PAGE ADDRESS WIDTH,HEIGHT PICTURE: the page in a window of Chromium of this size; ADDRESS is the part from # on.
set -eu
page=$(realpath "$1") picture=$(realpath "$4")
folder=$(dirname "$page")
. "$(dirname "$0")/browse.sh"
browse "$page$2" --hide-scrollbars --window-size="$3" --screenshot="$picture"
[ -s "$picture" ] || { cat "$folder/messages" >&2 && exit 1; }
