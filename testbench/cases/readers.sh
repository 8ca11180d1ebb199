#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# readers: docs/formats.md, machine.md and networks.md say enough to read schedules and images.
#
# testbench/readers has two readers that were written from these pages alone. They agree with the
# program on what is right, and on the line and the code of the first mistake in what is wrong:
# schedules and images with a line left out, doubled or exchanged with the next, a number changed, a
# byte put in, the file cut anywhere. The mistakes are made here, so that neither side chooses them.
#
# tags: source
. "$(dirname "$0")/tap.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
readers=$here/readers
export LC_ALL=C

# schedule_case FILE, image_case FILE ROW: note what both say, in $TMP/ours and $TMP/theirs.
schedule_case() {
    doing="reading $1"
    awk -f "$readers/schedule.awk" "$1" >>"$TMP/ours" 2>&1
    echo "status $?" >>"$TMP/ours"
    "$ROUNDCAST" verify "$1" >>"$TMP/theirs" 2>&1
    echo "status $?" >>"$TMP/theirs"
}
image_case() {
    doing="reading $1"
    awk -v row="$2" -f "$readers/image.awk" "$1" >>"$TMP/ours" 2>&1
    echo "status $?" >>"$TMP/ours"
    "$ROUNDCAST" unpack "$1" --round $(($2 + 1)) >>"$TMP/theirs" 2>&1
    echo "status $?" >>"$TMP/theirs"
}

# flat FILE: a case a line, `STATUS|WHAT`, where what is rounds, circuits, or line and code.
flat() {
    sed -E '/^# /d; /^round [0-9]+$/d; /: holds: /d; /^  transfers/d
        s/^  (rounds) +([0-9]+).*/\1 \2/
        s/^roundcast: [^:]*:([0-9]+): .* \[(E[0-9]+) [a-z-]+\].*/\1 \2/' "$1" |
        awk '/^status / { print $2 text; text = ""; next } { text = text "|" $0 }'
}

# agree TEXT LEAST: the two agree in all cases since the last call, of which so many have different
# outcomes at least. $TMP/outcomes has them.
agree() {
    flat "$TMP/theirs" >"$TMP/outcomes"
    if ! flat "$TMP/ours" | diff - "$TMP/outcomes" >"$TMP/differ"; then
        not_ok "$1" "reader <, roundcast >: $(head -8 "$TMP/differ")"
    elif [ "$(sort -u "$TMP/outcomes" | wc -l)" -lt "$2" ]; then
        not_ok "$1" "$(sort -u "$TMP/outcomes" | wc -l) different outcomes, expected $2 or more"
    else
        ok "$1 ($(wc -l <"$TMP/outcomes") cases)"
    fi
    rm -f "$TMP/ours" "$TMP/theirs"
}

# changes FILE: files with one change each in $TMP/changed: a line left out, doubled, exchanged with
# the next; a number raised, lowered, or 0; a word of letters changed; a byte put in.
changes() {
    rm -rf "$TMP/changed"
    mkdir "$TMP/changed"
    awk -v folder="$TMP/changed" '
        function put(from, to, text,    k, file) {
            file = folder "/" ++made
            for (k = 1; k < from; k++) print line[k] >file
            if (text != "") print text >file
            for (k = to + 1; k <= NR; k++) print line[k] >file
            close(file)
        }
        function change(k, at, length_, by) {
            put(k, k, substr(line[k], 1, at - 1) by substr(line[k], at + length_))
        }
        function numbers(k,    at, found) {
            for (at = 1; match(substr(line[k], at), /[0-9]+/); at += RSTART + RLENGTH - 1) {
                found = substr(line[k], at + RSTART - 1, RLENGTH)
                if (length(found) > 7) continue
                change(k, at + RSTART - 1, RLENGTH, found + 1)
                change(k, at + RSTART - 1, RLENGTH, found > 0 ? found - 1 : "00")
                change(k, at + RSTART - 1, RLENGTH, "99999999999999999999")
            }
        }
        { line[NR] = $0 }
        END {
            for (k = 1; k <= NR; k++) {
                put(k, k, "")
                put(k, k, line[k] "\n" line[k])
                if (k < NR) put(k, k + 1, line[k + 1] "\n" line[k])
                put(k, k, line[k] " 1")
                put(k, k, line[k] " # a comment")
                put(k, k, "?" line[k])
                put(k, k, "\n \t" line[k])
                change(k, 3, 1, "x")
                numbers(k)
            }
        }' "$1"
}

# cuts FILE EVERY: the file cut behind every EVERY-th byte.
cuts() {
    rm -rf "$TMP/changed"
    mkdir "$TMP/changed"
    local bytes
    bytes=$(wc -c <"$1")
    for ((size = 0; size < bytes; size += $2)); do
        head -c "$size" "$1" >"$TMP/changed/$size"
    done
}

# --- schedules ----------------------------------------------------------------------------------

for n in 1 2 3 5 8 13 22; do
    for m in 1 2 7; do
        for algorithm in binomial path binary-tree dary-trees fibonacci matching circulant \
            hypercube-trees; do
            "$ROUNDCAST" schedule $algorithm -n $n -m $m -s $((n / 2)) -o "$TMP/a.sched" \
                >"$TMP/out" 2>&1 && schedule_case "$TMP/a.sched"
        done
    done
done
agree "broadcasts are read, and end where verify says" 20

# What an independent program counted, of other sizes.
while IFS=, read -r name _ n m d _ rounds; do
    case $name in
    binary) name=binary-tree ;;
    bnks) name=matching ;;
    ho) name=hypercube-trees ;;
    gft) name="fibonacci -d $d" ;;
    esac
    # shellcheck disable=SC2086 # an option with its value
    "$ROUNDCAST" schedule $name -n "$n" -m "$m" -o "$TMP/a.sched" >/dev/null
    awk -f "$readers/schedule.awk" "$TMP/a.sched" >>"$TMP/ours"
    printf 'status %d\n' $? >>"$TMP/ours"
    printf 'rounds %d\nstatus 0\n' "$rounds" >>"$TMP/theirs"
done < <(awk -F, '$2 == "sr" && $1 ~ /^(binomial|path|binary|bnks|circulant|ho|gft)$/ &&
    $3 <= 64 && $4 <= 16 && NR % 7 == 0' "$here/golden/complete-graph.csv")
agree "the golden file's broadcasts end where it says" 10

"$ROUNDCAST" schedule matching -n 6 -m 2 -s 1 -o "$TMP/a.sched" >/dev/null
changes "$TMP/a.sched"
for file in "$TMP"/changed/*; do schedule_case "$file"; done
agree "a schedule with one change: the same line, code and exit status" 40
for code in E203 E204 E205 E206 E209 E210 E301 E302 E303; do
    check "… $code among them" grep -qw $code "$TMP/outcomes"
done
cuts "$TMP/a.sched" 1
for file in "$TMP"/changed/*; do schedule_case "$file"; done
agree "a schedule that is cut anywhere" 15

printf '%s\n' 'roundcast-schedule 1 # c' '' 'algorithm x  # y' ' topology	complete 4' '#' \
    'model send-receive' 'demand 1-2 3 *' 'demand 3 0 1,2' 'round 2' '3 0 1' '0 1 3' \
    'round 7' '3 1 2' '0 2 1' 'end 7' '# behind' >"$TMP/odd.sched"
schedule_case "$TMP/odd.sched"
sed -i 's/^demand 3 0 1,2/demand 3 0 1/; s/^demand 1-2 3 \*/demand 1-2 3 1,2/' "$TMP/odd.sched"
schedule_case "$TMP/odd.sched"
sed -i 's/^0 2 1/3 2 1\n0 3 1/' "$TMP/odd.sched"
schedule_case "$TMP/odd.sched"
sed -i 's/1,2/2,2/' "$TMP/odd.sched"
schedule_case "$TMP/odd.sched"
agree "comments, blanks, several demands, rounds left out" 2

for kind in "matching -n 4 -m 2 --model telephone" "postal-bcast -n 4 -m 1 --lambda 2" \
    "tree-broadcast --tree 2,2" "cube-single --dim 2 -m 1"; do
    # shellcheck disable=SC2086 # several arguments
    "$ROUNDCAST" schedule $kind -o "$TMP/a.sched" >/dev/null
    schedule_case "$TMP/a.sched"
done
check "schedules of other models are left to others" test \
    "$(flat "$TMP/ours" | sed 's/[0-9]* other/other/' | sort | uniq -c | xargs)" = '4 3|other'
rm -f "$TMP/ours" "$TMP/theirs"

# --- images -------------------------------------------------------------------------------------

# image ARGUMENTS FOR route --network NETWORK: $TMP/i/image.hex, and its rows in $rows.
image() {
    local network=$1
    shift
    "$ROUNDCAST" schedule "$@" -o "$TMP/a.sched" >/dev/null
    "$ROUNDCAST" route "$TMP/a.sched" --network "$network" --flits 2 -o "$TMP/i" >/dev/null
    rows=$(sed -n '3s/.* rows=\([0-9]*\).*/\1/p' "$TMP/i/image.hex")
}

while read -r network arguments; do
    # shellcheck disable=SC2086 # several arguments
    image "$network" $arguments
    for ((row = 0; row < rows; row++)); do image_case "$TMP/i/image.hex" $row; done
done <<'LIST'
benes:2 matching -n 2 -m 3
benes:3 circulant -n 3 -m 3
benes:5 circulant -n 5 -m 4
benes:8 matching -n 8 -m 5
benes:8 hypercube-trees -n 8 -m 3
benes:13 matching -n 13 -m 4
benes:32 fibonacci -n 22 -m 4
benes:71 matching -n 70 -m 2
benes:128 circulant -n 128 -m 2
LIST
agree "the circuits of all rows are those of unpack" 50

image benes:5 matching -n 4 -m 2
cp "$TMP/i/image.hex" "$TMP/good.hex"
for digit in $(seq 3); do
    # Flip a bit of each word of the tables; both follow it to where it leads.
    while read -r line; do
        awk -v at="$line" -v digit="$digit" 'NR == at { $digit = $digit == "00000000" ? "00000001" : "00000000" } { print }' \
            "$TMP/good.hex" >"$TMP/flipped.hex"
        for ((row = 0; row < rows; row++)); do image_case "$TMP/flipped.hex" $row; done
    done < <(awk '/^@/ { table = /^@1/ } table && !/^[@\/]/ { print NR }' "$TMP/good.hex")
done
agree "a word of the tables changed: the same circuits" 6
check "… some of them wrong" grep -q 'expects nothing\|takes it for' "$TMP/outcomes"

changes "$TMP/good.hex"
for file in "$TMP"/changed/*; do image_case "$file" 1; done
agree "an image with one change: the same circuits, or line, code and exit status" 20
for code in E203 E204 E205 E207 E401 E406; do
    check "… $code among them" grep -qw $code "$TMP/outcomes"
done
cuts "$TMP/good.hex" 7
for file in "$TMP"/changed/*; do image_case "$file" 1; done
agree "an image that is cut anywhere" 3

finish
