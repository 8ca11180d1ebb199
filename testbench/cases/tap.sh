# SPDX-License-Identifier: Apache-2.0
# tap: helpers of the cases, which are bash scripts that print TAP. Source it:
#
#     . "$(dirname "$0")/tap.sh"
#     refuses 2 E102 'expected 1 …' "a case without nodes" schedule path -n 0 -m 1
#     finish
#
# Commands run $ROUNDCAST (build/roundcast; the targets of make give build/roundcast-judged, which
# judges what it routes). Files go under $TMP, a folder of its own that vanishes.

set -u
ROUNDCAST=${ROUNDCAST:-build/roundcast}
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
# A time limit says which command was under way.
trap 'echo "under way: after result $tap_count, $doing" >&2; exit 143' TERM
doing="no command yet"
tap_count=0
tap_failed=0

# ok TEXT, not_ok TEXT [DETAIL]: one result.
ok() {
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s\n' "$tap_count" "$1"
}

not_ok() {
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    printf 'not ok %d - %s\n' "$tap_count" "$1"
    [ $# -lt 2 ] || printf '%s\n' "$2" | sed 's/^/  # /'
}

# skip TEXT REASON: a result that could not be had here.
skip() {
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# check TEXT COMMAND…: the command succeeds.
check() {
    local text=$1 output
    shift
    doing=$*
    if output=$("$@" 2>&1); then ok "$text"; else not_ok "$text" "$* failed: $output"; fi
}

# roundcast ARGUMENT…: run it; standard output in $TMP/out, standard error in $TMP/err, exit status
# in $status.
roundcast() {
    status=0
    doing="roundcast $*"
    "$ROUNDCAST" "$@" >"$TMP/out" 2>"$TMP/err" || status=$?
}

# accepts PART TEXT ARGUMENT…: exit 0, nothing on standard error, PART in the output.
accepts() {
    local part=$1 text=$2
    shift 2
    roundcast "$@"
    if [ "$status" -ne 0 ] || [ -s "$TMP/err" ]; then
        not_ok "$text" "roundcast $*: exit $status: $(head -3 "$TMP/err")"
    elif ! grep -qF -e "$part" "$TMP/out"; then
        not_ok "$text" "roundcast $*: no '$part' in: $(head -5 "$TMP/out")"
    else
        ok "$text"
    fi
}

# is_silent CODE ARGUMENT…: the last output is none, or with --json the error.
is_silent() {
    local code=${1#E}
    case " $* " in
    *" --json "*) grep -q '^  "error": {$' "$TMP/out" && grep -q "\"code\": $code," "$TMP/out" ;;
    *) [ ! -s "$TMP/out" ] ;;
    esac
}

# refuses STATUS CODE PART TEXT ARGUMENT…: this exit status, nothing on standard output (with --json
# the error), one line on standard error in our form, with PART and the code.
refuses() {
    local expected=$1 code=$2 part=$3 text=$4
    shift 4
    roundcast "$@"
    if [ "$status" -ne "$expected" ]; then
        not_ok "$text" "roundcast $*: exit $status, expected $expected: $(head -3 "$TMP/err")"
    elif ! is_silent "$code" "$@"; then
        not_ok "$text" "roundcast $*: printed $(head -3 "$TMP/out")"
    elif [ "$(wc -l <"$TMP/err")" -ne 1 ] ||
        ! grep -qE "^roundcast: .* \[$code [a-z-]+\]( \(and [0-9]+ more\))?$" "$TMP/err"; then
        not_ok "$text" "roundcast $*: not a message with $code: $(cat "$TMP/err")"
    elif ! grep -qF -e "$part" "$TMP/err"; then
        not_ok "$text" "roundcast $*: no '$part' in: $(cat "$TMP/err")"
    else
        ok "$text"
    fi
}

# in_any_order: a schedule without the name of its algorithm, the lines of each step sorted.
in_any_order() {
    awk '/^algorithm / { next } /^(round|time|end) / { step++ } { print step + 0, $0 }' |
        LC_ALL=C sort
}

# same_schedule TEXT SCHEDULE FOLDER: what unpack prints of the folder's image is legal, and the
# schedule but for the order within its steps.
same_schedule() {
    roundcast unpack "$3/image.hex"
    cp "$TMP/out" "$TMP/unpacked.sched"
    if ! "$ROUNDCAST" verify "$TMP/unpacked.sched" >"$TMP/err" 2>&1; then
        not_ok "$1" "$(cat "$TMP/err")"
    elif ! diff <(in_any_order <"$2") <(in_any_order <"$TMP/unpacked.sched") >"$TMP/err"; then
        not_ok "$1" "$(head -5 "$TMP/err")"
    else
        ok "$1"
    fi
}

# parses FILE: is it JSON? Strings and numbers become values, then objects and arrays from the
# inside out.
parses() {
    awk '
        { text = text $0 "\n" }
        END {
            gsub(/"([^"\\]|\\.)*"/, "@", text)
            gsub(/-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null/, "#", text)
            gsub(/[ \t\r\n]/, "", text)
            while (gsub(/\[\]|\[[@#](,[@#])*\]|\{\}|\{@:[@#](,@:[@#])*\}/, "#", text)) ;
            exit text != "#"
        }' "$1"
}

# json PART TEXT ARGUMENT…: exit 0 and JSON with this part.
json() {
    local part=$1 text=$2
    accepts "$@"
    check "… which parses ($text)" parses "$TMP/out"
}

# finish: the plan line; exit 1 if anything failed.
finish() {
    printf '1..%d\n' "$tap_count"
    [ "$tap_failed" -eq 0 ]
    exit
}
