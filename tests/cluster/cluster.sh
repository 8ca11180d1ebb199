# SPDX-License-Identifier: Apache-2.0
# cluster: what the tests of sweeps on several machines share. Source it; it sources tap.sh.
#
# Daemons are started with folders, keys and ports of their own, and ended by their numbers.

. "$(dirname "$0")/../cli/tap.sh"
[ -x "$ROUNDCAST" ] || { echo "no $ROUNDCAST" >&2; exit 2; }
ROUNDCAST=$(realpath "$ROUNDCAST")
cd "$TMP" || exit

# same TEXT SEEN EXPECTED
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }
# rows DATABASE COLUMNS [CLAUSES]
rows() { sqlite3 -cmd '.timeout 9000' "$1" "select $2 from points ${3-}"; }
# reports DATABASE: command and report of each row, without what differs from run to run.
reports() {
    rows "$1" "command, json_remove(json, '\$.build_seconds', '\$.run_seconds', '\$.megabytes')" \
        'order by command'
}
# whole TEXT DATABASE: it has the rows of once.sqlite, each once.
whole() {
    local lost
    lost=$(diff <(reports once.sqlite) <(reports "$2"))
    if [ -z "$lost" ]; then ok "$1"; else not_ok "$1" "$(head -5 <<<"$lost")"; fi
}
# until_true SECONDS COMMAND…: wait for it.
until_true() {
    local until=$((SECONDS + $1))
    shift
    doing="wait for $*"
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $until ] || return 1
        sleep 0.1
    done
}
# tree PROCESS: it and all below it.
tree() {
    local child
    echo "$1"
    for child in $(pgrep -P "$1"); do tree "$child"; done
}
# end PROCESS…: end them, and all below them, at once.
end() {
    local process
    for process in "$@"; do
        # shellcheck disable=SC2046
        kill -KILL $(tree "$process") 2>/dev/null
    done
}
# needs PROGRAM…: or all is skipped.
needs() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || { skip "all" "no program $program"; finish; }
    done
}
PATH=$PATH:/usr/sbin:/sbin

# The points that are run each time, and what they tell.
printf '%s\n' 'roundcast-study 1' 'seed 1..8' 'algorithm circulant matching' 'n 22 64' \
    'm 1..8*2 2000' 'engine csim' 'skip m=2000 algorithm=matching' 'skip m=2000 n=22' >a.study
"$ROUNDCAST" sweep a.study -o once.sqlite >once.out || not_ok "a sweep here" "$(cat once.out)"
