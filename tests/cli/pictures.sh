#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pictures: the pictures of docs equal the present output of their programs, are small, suit light
# and dark pages, and are each shown by a page.
. "$(dirname "$0")/tap.sh"
pictures=$(cd "$(dirname "$0")/../../docs/pictures" && pwd)

# drawn FOLDER: returns whether the committed pictures are exactly those in the folder.
drawn() {
    diff <(cd "$pictures" && cksum ./*.svg) <(cd "$1" && cksum ./*.svg)
}

# nested FILE: returns whether elements are closed in the reverse order of opening.
nested() {
    awk '
        { text = text $0 "\n" }
        END {
            gsub(/<[a-z]+[^<>]*\/>/, "", text)
            do closed = 0; while (closed += gsub(/<title>[^<>]*<\/title>|<style>[^<>]*<\/style>/, "", text) + \
                gsub(/<text [^<>]*>[^<>]*<\/text>/, "", text))
            gsub(/[ \n]/, "", text)
            exit text !~ /^<svg[^<>]*><\/svg>$/
        }' "$1"
}

mkdir "$TMP/new"
check "all are drawn" env ROUNDCAST="$ROUNDCAST" "$pictures/draw.sh" "$TMP/new"
check "they are those that are committed" drawn "$TMP/new"
cp -r "$TMP/new" "$TMP/old"
sed -i 's/stage 1/stage 7/' "$TMP/old/clos.svg"
check "(one that is not is seen)" bash -c "! diff '$pictures/clos.svg' '$TMP/old/clos.svg' >/dev/null"

for picture in "$pictures"/*.svg; do
    name=$(basename "$picture")
    check "$name is whole" nested "$picture"
    check "… of less than 30 kB" test "$(wc -c <"$picture")" -lt 30000
    check "… for a dark page, too" grep -q 'prefers-color-scheme:dark' "$picture"
done
sed 's/<\/text>//' "$pictures/cube.svg" >"$TMP/open.svg"
check "(one that is not whole is seen)" bash -c "! $(declare -f nested); ! nested '$TMP/open.svg'"

# The picture of the sources has all folders.
missing=$(awk '/^#/ || NF == 0 { if (seen) exit; next } { seen = 1; for (k = 1; k <= NF; k++) print $k }' \
    "$pictures/../../layers.txt" | while read -r folder; do
    grep -qF ">$folder<" "$pictures/house.svg" || echo "$folder"
done)
check "house.svg has all folders of layers.txt" test -z "$missing"

# The picture of the network follows each circuit of its row to its output: the last line of its
# colour is on that lane, and the packet is drawn there.
# ends FILE: prints `packet lane` of each circuit, by ascending source.
ends() {
    awk -F '"' '
        /<line class="c/ { last[substr($2, 2)] = $10 }
        /text-anchor="end">p/ { split($9, part, /[><]/); packet[++circuits] = substr(part[2], 2); at[circuits] = $6 }
        END {
            for (c = 1; c <= circuits; c++)
                print packet[c], (last[c - 1] - 50) / 34 (at[c] + 5 == last[c - 1] ? "" : " elsewhere")
        }' "$1"
}
"$ROUNDCAST" schedule matching -n 8 -m 3 -o "$TMP/b.sched" >/dev/null
expected=$(awk '/^round/ { round = $2 } /^[0-9]/ && round == 3' "$TMP/b.sched" | sort -n |
    awk '{ print $3, $2 }')
check "benes.svg shows the circuits of round 3" test "$expected" = "$(ends "$pictures/benes.svg")"
check "(another setting leads elsewhere)" test "$expected" != \
    "$(sed 's/class="c1"/class="c0"/' "$pictures/benes.svg" | ends -)"

finish
