# SPDX-License-Identifier: Apache-2.0
# tap: helpers of the cases, which are bash scripts that print TAP. Source it:
#
#     . "$(dirname "$0")/tap.sh"
#     refuses 2 E102 'expected 1 …' "a case without nodes" schedule path -n 0 -m 1
#     finish
#
# Commands run $ROUNDCAST (default: build/roundcast; the targets of make use
# build/roundcast-judged, which judges the images that it routes). Files are written to $TMP, a
# temporary folder that is removed at the end.
#
# With TEST_CASE, a shell pattern, only the results with a matching text are counted and printed;
# the commands between them still run. If no result matches, that is a failure.
#
# Starting a process takes longer than most checks: the helpers start only the program under test,
# and compare its output in bash itself. Cases should do the same.

set -u
ROUNDCAST=${ROUNDCAST:-build/roundcast}
TMP=$(mktemp -d)
# The output of a checked command, outside $TMP, because cases may count the files there.
tap_log=$TMP.log
tap_case=${TEST_CASE-}
unset TEST_CASE
tap_clean() { rm -rf "$TMP" "$tap_log"; }
trap tap_clean EXIT
# At a time limit, reports the command that was running.
trap 'echo "under way: after result $tap_count, $doing" >&2; exit 143' TERM
doing="no command yet"
tap_count=0
tap_failed=0

# is_wanted TEXT: returns whether a result with this text is counted.
is_wanted() {
    # shellcheck disable=SC2053  # a pattern
    [[ $1 == *$tap_case* ]]
}

# ok TEXT, not_ok TEXT [DETAIL]: report one result.
ok() {
    is_wanted "$1" || return 0
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s\n' "$tap_count" "$1"
}

not_ok() {
    is_wanted "$1" || return 0
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    printf 'not ok %d - %s\n' "$tap_count" "$1"
    [ $# -lt 2 ] || printf '%s\n' "$2" | sed 's/^/  # /'
}

# skip TEXT REASON: reports that a result cannot be obtained here.
skip() {
    is_wanted "$1" || return 0
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# contents NAME FILE: sets the variable to the contents of the file, without starting a process.
contents() { IFS= read -r -d '' "$1" <"$2" || :; }

# contains FILE PART: returns whether the file contains the part.
contains() {
    local text
    contents text "$1"
    [[ $text == *"$2"* ]]
}

# check TEXT COMMAND…: checks that the command succeeds. Functions run in this shell.
check() {
    local text=$1
    shift
    doing=$*
    if "$@" >"$tap_log" 2>&1; then
        ok "$text"
    else
        not_ok "$text" "$* failed: $(<"$tap_log")"
    fi
}

# roundcast ARGUMENT…: runs the program; standard output in $TMP/out, standard error in $TMP/err,
# exit status in $status.
roundcast() {
    status=0
    doing="roundcast $*"
    "$ROUNDCAST" "$@" >"$TMP/out" 2>"$TMP/err" || status=$?
}

# accepts PART TEXT ARGUMENT…: checks for exit 0, nothing on standard error, PART in the output.
accepts() {
    local part=$1 text=$2
    shift 2
    roundcast "$@"
    if [ "$status" -ne 0 ] || [ -s "$TMP/err" ]; then
        not_ok "$text" "roundcast $*: exit $status: $(head -3 "$TMP/err")"
    elif ! contains "$TMP/out" "$part"; then
        not_ok "$text" "roundcast $*: no '$part' in: $(head -5 "$TMP/out")"
    else
        ok "$text"
    fi
}

# exported: prints the formats that `export` writes, as its message about another one lists them;
# exchange.sh compares the message with the table of formats.
exported() {
    local message
    message=$("$ROUNDCAST" export - --to none 2>&1 </dev/null)
    message=${message##*expected }
    tr '|' ' ' <<<"${message%% *}"
}

# has PATTERN TEXT: checks that a line of the last output matches the extended regular expression.
has() {
    local line
    while IFS= read -r line; do
        [[ $line =~ $1 ]] && ok "$2" && return
    done <"$TMP/out"
    not_ok "$2" "no line matches $1 in: $(head -5 "$TMP/out")"
}

# is_silent CODE ARGUMENT…: returns whether the last output is empty, or with --json the error.
is_silent() {
    local code=${1#E}
    case " $* " in
    *" --json "*) contains "$TMP/out" $'\n  "error": {\n' && contains "$TMP/out" "\"code\": $code," ;;
    *) [ ! -s "$TMP/out" ] ;;
    esac
}

# is_message TEXT CODE: returns whether the text is one line in the form of errors, with this code.
is_message() {
    local line=${1%$'\n'}
    local form="^roundcast: .* \[$2 [a-z-]+\]( \(and [0-9]+ more\))?$"
    [[ $1 == *$'\n' && $line != *$'\n'* && $line =~ $form ]]
}

# refuses STATUS CODE PART TEXT ARGUMENT…: checks for this exit status, nothing on standard output
# (with --json the error), and one line on standard error in the form of the project's errors, with
# PART and the code.
refuses() {
    local expected=$1 code=$2 part=$3 text=$4 message
    shift 4
    roundcast "$@"
    contents message "$TMP/err"
    if [ "$status" -ne "$expected" ]; then
        not_ok "$text" "roundcast $*: exit $status, expected $expected: $(head -3 "$TMP/err")"
    elif ! is_silent "$code" "$@"; then
        not_ok "$text" "roundcast $*: printed $(head -3 "$TMP/out")"
    elif ! is_message "$message" "$code"; then
        not_ok "$text" "roundcast $*: not a message with $code: $message"
    elif [[ $message != *"$part"* ]]; then
        not_ok "$text" "roundcast $*: no '$part' in: $message"
    else
        ok "$text"
    fi
}

# shows PATTERN TEXT ARGUMENT…: runs a long command on a terminal until it shows the pattern, and
# ends it.
shows() {
    local pattern=$1 text=$2 command job looks
    shift 2
    doing="roundcast $*, on a terminal"
    printf -v command '%q ' "$ROUNDCAST" "$@"
    script -qefc "exec $command" "$TMP/shown" </dev/null >/dev/null 2>&1 &
    job=$!
    for ((looks = 0; looks < 1200; looks++)); do
        ! grep -qE "$pattern" "$TMP/shown" 2>/dev/null && kill -0 $job 2>/dev/null || break
        sleep 0.05
    done
    pkill -TERM -P $job
    wait $job
    check "$text" grep -qE "$pattern" "$TMP/shown"
}

# in_any_order: prints a schedule without its algorithm, with the lines of each step sorted.
in_any_order() {
    awk '/^algorithm / { next } /^(round|time|end) / { step++ } { print step + 0, $0 }' |
        LC_ALL=C sort
}

# same_schedule TEXT SCHEDULE FOLDER: checks that the schedule that unpack prints from the folder's
# image is legal, and equals SCHEDULE except for the order within its steps.
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

# parses FILE: returns whether it is JSON. Strings and numbers are replaced by values, then objects
# and arrays from the inside out.
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

# json PART TEXT ARGUMENT…: checks for exit 0 and JSON with this part.
json() {
    local part=$1 text=$2
    accepts "$@"
    check "… which parses ($text)" parses "$TMP/out"
}

# finish: prints the plan line; exits 1 if a check failed, or no result was wanted.
finish() {
    if [ "$tap_count" -eq 0 ] && [ -n "$tap_case" ]; then
        local none="no result has '$tap_case' in its text"
        tap_case=
        not_ok "$none"
    fi
    printf '1..%d\n' "$tap_count"
    [ "$tap_failed" -eq 0 ]
    exit
}
