#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# view: pages show the contents of schedules and scoreboard, in a real Chromium.
#
# A page of each kind of network, of the schedule alone, of the postal model, of reconfiguration, of
# the example of 566 nodes, and of a run that fails (test_page_product has pages of many machines,
# without a browser): tests/browser/check_pages.py opens them from files, plays, steps and scrubs,
# and compares tables, circuits, switches, cells and verdicts with the schedule's file, the image
# and the report of --json. Counter-cases: pages with a changed receipt, setting, count or verdict
# are rejected. Names of files and texts may be anything. The index links to all pages.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
browser=$PWD/tests/browser gallery=$PWD/view/gallery.txt
case $ROUNDCAST in /*) ;; *) ROUNDCAST=$PWD/$ROUNDCAST ;; esac
cd "$TMP" || exit 1

# page NAME ALGORITHM…: makes its schedule, the page of its run on csim, and the report.
page() {
    local name=$1
    shift
    roundcast route "$name.sched" --flits 4 "${@}" -o "$name"
    check "$name: routed" test $status = 0
    roundcast simulate "$name" --engine csim --json --view "$name.html"
    mv out "$name.json"
    echo "$name.html $name/schedule.sched $name.json" >>pages
}
scheduled() {
    local name=$1
    shift
    roundcast schedule "$@" -o "$name.sched"
    check "$name: scheduled" test $status = 0
}

scheduled benes matching -n 22 -m 8
page benes --network benes:32
sed -i 's,$, benes/image.hex,' pages
scheduled omega circulant -n 8 -m 3
page omega --network omega:8
scheduled multicast fabric-broadcast -n 16 -m 4
page multicast --network multicast:16
scheduled exchange total-exchange -n 9 -m 1
page exchange --network clos:5,3,3
scheduled postal postal-pipeline -n 14 -m 3 --lambda 5/2
page postal --network benes:16
scheduled held traffic --pattern moe:8,1 -n 16 --reconfigure 10
page held --network benes:16 --reconfigure 10
scheduled tree tree-all-gather --tree 4,4 --capacity 1,2 --ports multi
page tree --network fat-tree
scheduled cube cube-all-gather --dim 4
page cube --network cube
scheduled gf11 circulant -n 566 -m 64
page gf11 --network gf11
check "the page of 566 nodes and 73 rounds has at most 1 MB" test "$(wc -c <gf11.html)" -le 1000000

scheduled alone fibonacci -n 34 -m 5
roundcast view alone.sched -o alone.html
echo "alone.html alone.sched -" >>pages
"$ROUNDCAST" schedule cube-broadcast --dim 2 --sources 0,3 -o control.sched >/dev/null
accepts 'control.html' "a page of control packets" view control.sched -o control.html
check "… shows no bound" grep -q '"bound":null' control.html
roundcast view benes -o folder.html
echo "folder.html benes/schedule.sched -" >>pages
scheduled combined all-reduce -n 9 -m 3
page combined --network benes:16
scheduled joined fabric-reduce -n 8 -m 3
page joined --network combine:8
scheduled everywhere fabric-all-reduce -n 7 -m 3
page everywhere --network all-reduce:8
scheduled routers tree-all-reduce --tree 2,3 -m 3 --ports multi
page routers --network fat-tree
scheduled nodes cube-all-reduce --dim 3 -m 4
page nodes --network cube
scheduled scanned scan -n 6 -m 2
page scanned --network benes:8
roundcast schedule window-all-reduce -n 11 -m 2 -o window.sched
roundcast view window.sched -o window.html
echo "window.html window.sched -" >>pages
roundcast schedule tree-reduce --tree 2,3 -o up.sched
roundcast view up.sched -o up.html
echo "up.html up.sched -" >>pages

# A run that fails: the schedule of the folder has a receipt that differs from its image.
cp -r benes fails
awk '/^round 12/ { last = 1 } last && /^[0-9]+ 9 / && !done { $2 = 0; done = 1 } { print }' \
    benes/schedule.sched >fails/schedule.sched
roundcast simulate fails --engine csim --json --view fails.html
check "a run that fails has its page, and fails" test "$status" = 1 -a -s fails.html
mv out fails.json
echo "fails.html fails/schedule.sched fails.json" >>pages

# Changes are detected.
sed 's/"crossed" : "straight"/"straight" : "crossed"/' benes.html >switch.html
sed -E '0,/^\[3,([0-9]+),[0-9]+,/s//[3,\1,20,/' benes.html >receipt.html
sed -E "s,^\"[A-Za-z0-9+/]{48}\",\"$(printf 'A%.0s' {1..48})\"," benes.html >setting.html
sed 's/"wrong":0/"wrong":1/' benes.html >count.html
sed 's/^ *String(seen),$/String(seen + 1),/' benes.html >cell.html
sed 's/"error":null/"error":{"code":601,"name":"lost","field":null,"message":"round 3: lost","further":0}/' \
    benes.html >verdict.html
sed 's/^"use strict";$/&console.error("oops");/' benes.html >noisy.html
sed -E "s,^\"[A-Za-z0-9+/]{48}\",\"$(printf 'A%.0s' {1..48})\"," joined.html >apart.html
check "apart.html was changed" bash -c "! cmp -s joined.html apart.html"
echo "apart.html joined/schedule.sched joined.json" >>pages
sed 's/(transfer.received ? got : all)/(all)/' window.html >both.html
check "both.html was changed" bash -c "! cmp -s window.html both.html"
echo "both.html window.sched -" >>pages
for changed in receipt setting switch count cell verdict noisy; do
    check "$changed.html was changed" bash -c "! cmp -s benes.html $changed.html"
    echo "$changed.html benes/schedule.sched benes.json benes/image.hex" >>pages
done

# The index links to pages with any names.
cp exchange.html 'a #%3f?.html'
roundcast view --index benes.html 'a #%3f?.html' -o index.html
check "an index of pages" test "$status" = 0
echo "index.html matching total-exchange" >>pages
echo "index.html matching matching" >>pages

doing="check_pages.py"
/usr/bin/python3 "$browser/check_pages.py" <pages >found 2>errors
check "Chromium opened all of them" test "$(wc -l <found)" = "$(wc -l <pages)"
for name in benes omega multicast exchange postal held tree cube gf11 alone folder fails combined joined \
    routers nodes everywhere scanned window up; do
    check "$name.html holds: $(sed -n "s/^$name.html: holds, //p" found)" grep -q \
        "^$name.html: holds" found
done
refused() { check "$1.html is refused: $2" grep -q "^$1.html: $2" found; }
refused receipt "the spread: shows"
refused setting "the lanes of packet"
refused switch "the switches of row"
refused count "the verdict: shows"
refused cell "what was checked: shows"
refused verdict "the verdict: shows"
refused apart "the lanes of packet"
refused both "the contributors at"
refused noisy "the console: shows"
check "index.html: its links lead to the pages" grep -qx "index.html: holds" found
refused index "the titles of pages: shows"
cat found errors | sed 's/^/# /'

# Names and texts of any kind.
odd=$'a <b> "c" \xff.html'
sed '2s/.*/algorithm <script>alert(1)<\/script> \&amp; "x"/' alone.sched >tags.sched
roundcast view tags.sched -o "$odd"
check "a page of any name and text" test "$status" = 0
check "… with three scripts, as all pages" test "$(grep -o '</script>' "$odd" | wc -l)" = 3

refuses 2 E204 'no report; expected a page' "an index of something else" view --index \
    alone.sched -o other.html
check "… which writes nothing" test ! -e other.html
refuses 2 E201 'nowhere.html' "an index of nothing" view --index nowhere.html -o other.html
refuses 2 E101 'one file too many' "two schedules" view alone.sched alone.sched
refuses 2 E101 'no file' "no file" view
refuses 2 E101 'expected -o FILE' "a report and a page on one output" view alone.sched --json
refuses 2 E202 'nowhere/x.html' "a folder that is not there" view alone.sched -o nowhere/x.html
# The gallery is complete.
# missing FILE: prints algorithms and networks of `roundcast list` without a page in that gallery.
# The gallery has no page of each reduction, and no machine runs the schedules of a torus or mesh.
missing() {
    COLUMNS=1000 "$ROUNDCAST" list | awk '/^$/ { part++; getline } part % 2 == 0 && part < 3 &&
        !/^(algorithm|network) / { sub(/[:[].*/, "", $1); print $1 }' |
        grep -vE '(^|-)(reduce|scan)(-|$)|^(torus|mesh)-' | while read -r name; do
        grep -qE "( |network )$name( |:|\$)" "$1" || echo "$name"
    done
}
check "each algorithm and network has a page in the gallery" test -z "$(missing "$gallery")"
grep -v waksman "$gallery" >fewer
check "(one that has none is named)" test "$(missing fewer | paste -sd ' ')" = "binary-tree waksman"

roundcast view alone.sched
check "without -o to standard output" cmp -s out alone.html
roundcast run path -n 4 -m 2 --engine csim --view nowhere/x.html
check "run --view: a folder that is not there" test "$status" = 2
roundcast view alone.sched --json -o again.html
check "--json reports the size" grep -q "\"bytes\": $(wc -c <again.html)" out
finish
