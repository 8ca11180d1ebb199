#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# draw: pictures of schedules, and of the papers' trees.
#
# An awk program reads the drawing back from the text for Graphviz and compares it with the
# schedule's own lines (drawn branches are the first receipts of the packet, no more, no fewer),
# with the papers' figures as strings of labels, and with the papers' statements about their trees.
# The committed pictures must show the same words as freshly made text. Then the errors for bad
# input, and a Graphviz that is missing or fails.
. "$(dirname "$0")/tap.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
figures=$root/docs/figures

# --- reading drawings ---------------------------------------------------------------------------

# branches FILE: prints a line `parent node time` (and `sent` if shown) for each branch, by the
# numbers in the nodes.
branches() {
    awk -F '"' '
        /^    n[0-9]+ \[label=/ { split($1, word, " "); split($2, part, "\\\\n"); number[word[1]] = part[1]; time[word[1]] = part[2] }
        /^  n[0-9]+ -> n[0-9]+/ {
            split($1, word, /[ ;]+/)
            print number[word[2]], number[word[4]], time[word[4]] (NF > 1 ? " " $2 : "")
        }' "$1"
}

# labels FILE: prints the tree as label(children), with children in order from the left.
labels() {
    awk -F '"' '
        function shown(node,    text, k) {
            text = time[node]
            for (k = 1; k <= children[node]; k++)
                text = text (k == 1 ? "(" : text ~ /\)$/ ? "" : " ") shown(child[node, k])
            return text (children[node] > 0 ? ")" : "")
        }
        /^    n[0-9]+ \[label=/ {
            split($1, word, " ")
            parts = split($2, part, "\\\\n")
            time[word[1]] = part[parts]
        }
        /^  n[0-9]+ -> n[0-9]+/ { split($1, word, /[ ;]+/); child[word[2], ++children[word[2]]] = word[4] }
        END { print shown("n0") }' "$1"
}

# off_row FILE: prints the nodes (except the source) whose time is not that of their row.
off_row() {
    awk -F '"' '
        /rank=same/ { row = $2 }
        /^    n[0-9]+ \[label=/ && !/peripheries/ { parts = split($2, part, "\\\\n"); if (part[parts] != row) print }' "$1"
}

# misshapen FILE: prints the routers that are not squares, and the leaves that are.
misshapen() {
    awk -F '"' '/^    n[0-9]+ \[label=/ { split($2, part, "\\\\n"); if ((part[1] ~ /:/) != /shape=box/) print part[1] }' "$1"
}

# numbers FILE: prints the numbers in the nodes, ascending, on one line.
numbers() {
    sed -n 's/^    n[0-9]* \[label="\([^"\\]*\).*/\1/p' "$1" | sort -n | paste -sd ' '
}

# words_of_text FILE, words_of_picture FILE: print all texts in the drawing, sorted.
words_of_text() {
    sed -n '/^  label="/{s/^  label="\(.*\)";$/\1/p;d}; s/.*label="\([^"]*\)".*/\1/p' "$1" |
        sed 's/\\n/\n/g' | sort
}

words_of_picture() {
    sed -n 's/^<text [^>]*>\(.*\)<\/text>$/\1/p' "$1" |
        sed 's/&#45;/-/g; s/&#39;/'"'"'/g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#160;/ /g; s/&amp;/\&/g' | sort
}

# misplaced: prints the children in the output of `dot -Tplain` that are left of an older sibling,
# not below their parent, or in the margin.
misplaced() {
    awk '
        $1 == "node" { x[$2] = $3; y[$2] = $4; if ($2 ~ /^t/ && $3 > margin) margin = $3 }
        $1 == "edge" && $2 ~ /^n/ {
            if (x[$3] <= margin || y[$3] >= y[$2] || x[$3] < x[last[$2]]) print $3
            last[$2] = $3
        }'
}

# is TEXT EXPECTED SEEN: checks that SEEN equals EXPECTED.
is() {
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected $2"$'\n'"got      $3"; fi
}

# receipts FILE PACKET LAST: prints `source destination round` of each first receipt, using only the
# schedule's lines.
receipts() {
    awk -v packet="$2" -v last="$3" '
        $1 == "demand" { ends = split($2, range, "-"); if (packet >= range[1] && packet <= range[ends]) seen[$3] = 1 }
        $1 == "round"  { round = $2 }
        /^[0-9]/ && $3 == packet && round <= last && !($2 in seen) { seen[$2] = 1; print $1, $2, round }' "$1"
}

# --- schedules ----------------------------------------------------------------------------------

for algorithm in binomial path binary-tree dary-trees fibonacci matching circulant telegraph; do
    schedule=$TMP/$algorithm.sched
    "$ROUNDCAST" schedule $algorithm -n 22 -m 8 --source 5 -o "$schedule" >/dev/null
    for packet in 1 5 8; do
        "$ROUNDCAST" draw "$schedule" --packet $packet >"$TMP/$algorithm.tree.dot"
        is "$algorithm, packet $packet: the branches are the first receipts" \
            "$(receipts "$schedule" $packet 99 | sort)" \
                "$(branches "$TMP/$algorithm.tree.dot" | sort)"
        is "… 21 of them, on the rows of their rounds" "21," \
            "$(grep -c '^  n[0-9]* -> n' "$TMP/$algorithm.tree.dot"),$(off_row "$TMP/$algorithm.tree.dot")"
    done
    "$ROUNDCAST" draw "$schedule" --rounds 3 >"$TMP/tree.dot"
    is "$algorithm: the first three rounds alone" "$(receipts "$schedule" 1 3 | sort)" \
        "$(branches "$TMP/tree.dot" | sort)"
done
sed 's/^    n3 \[label="\([0-9]*\)\\n[0-9]*"/    n3 [label="\1\\n99"/' \
    "$TMP/tree.dot" >"$TMP/wrong.dot"
is "(a node that is off its row is seen)" 1 "$(off_row "$TMP/wrong.dot" | wc -l)"

# Schedules of trees. Routers that receive a packet again keep the first receipt.
while read -r name packet nodes arguments; do
    schedule=$TMP/$name.sched
    # shellcheck disable=SC2086 # several arguments
    "$ROUNDCAST" schedule $arguments -o "$schedule" >/dev/null
    "$ROUNDCAST" draw "$schedule" --packet "$packet" >"$TMP/$name.tree.dot"
    is "$arguments, packet $packet: the branches are the first receipts, by routers too" \
        "$(receipts "$schedule" "$packet" 999 | sort)" "$(branches "$TMP/$name.tree.dot" | sort)"
    is "… $nodes nodes, on the rows of their rounds" "$nodes," \
        "$(grep -c '^    n' "$TMP/$name.tree.dot"),$(off_row "$TMP/$name.tree.dot")"
    is "… routers are squares, leaves are not" '' "$(misshapen "$TMP/$name.tree.dot")"
done <<'END'
single 1 21 tree-broadcast --tree 2,3,2 --ports single --source 7
multi 1 21 tree-broadcast --tree 2,3,2 --ports multi --source 7
gather 4 5 tree-gather --tree 2,3,2 --source 7
flood 5 21 tree-all-gather --tree 2,3,2 --capacity exp --ports multi
free 5 21 tree-all-gather --tree 2,3,2 --capacity exp --ports multi --method queue-free
exchange 9 7 tree-total-exchange --tree 2,3,2 --capacity exp --ports multi
END
check "queue-free: there are receipts that are not the first" test \
    "$(grep -cE '^[0-9:]+ [0-9:]+ 5( |$)' "$TMP/free.sched")" -gt 20
awk '$1 == "round" { round = $2 } /^[0-9]/ && $3 == 5 { last[$2] = $1 " " $2 " " round } END { for (node in last) print last[node] }' "$TMP/free.sched" | sort >"$TMP/last"
check "(the last receipts are others)" test "$(cat "$TMP/last")" != \
    "$(branches "$TMP/free.tree.dot" | sort)"
sed 's/\(label="2:0.*\), shape=box/\1/; s/label="7\\n[0-9]*"/&, shape=box/' \
    "$TMP/flood.tree.dot" >"$TMP/wrong.dot"
is "(a router that is no square is seen, and a leaf that is)" '2:0 7' \
    "$(misshapen "$TMP/wrong.dot" | sort | paste -sd ' ')"
accepts 'single.dot: tree-broadcast: 21 nodes, depth 6, the last at 9' \
    "a report counts routers" draw "$TMP/single.sched" -o "$TMP/single.dot"
accepts 'n = 12, m = 1, single-port, rounds 9\npacket 1: nodes over the rounds of their receipts\ndouble circle: the source\nsquare: a router"' \
    "the legend has routers" draw "$TMP/single.sched"
check "… where there are some" test "$(grep -c 'router' "$TMP/path.tree.dot")" = 0
"$ROUNDCAST" draw "$TMP/single.sched" --rounds 3 >"$TMP/tree.dot"
is "the first three rounds: the way up, and the leaf beside the source" \
    '1:3 2:1 2|1:3 6 3|2:1 3:0 3|7 1:3 1' "$(branches "$TMP/tree.dot" | sort | paste -sd '|')"

# Schedules of hypercubes: all nodes are alike. Packet 15 is a sum of the prefix, from 1 to 0 alone;
# packet 4 of the broadcast climbs first.
while read -r name packet nodes arguments; do
    schedule=$TMP/$name.sched
    # shellcheck disable=SC2086 # several arguments
    "$ROUNDCAST" schedule $arguments -o "$schedule" >/dev/null
    "$ROUNDCAST" draw "$schedule" --packet "$packet" >"$TMP/$name.tree.dot"
    is "$arguments, packet $packet: the branches are the first receipts" \
        "$(receipts "$schedule" "$packet" 999 | sort)" "$(branches "$TMP/$name.tree.dot" | sort)"
    is "… $nodes nodes, on the rows of their rounds, all round" "$nodes,0,0" \
        "$(grep -c '^    n' "$TMP/$name.tree.dot"),$(off_row "$TMP/$name.tree.dot" | wc -l),$(grep -c 'shape=box' "$TMP/$name.tree.dot")"
done <<'END'
hyper-single 3 16 cube-single --dim 4 --source 5
hyper-queues 2 16 cube-unbalanced --dim 4 --sources 3,3,9
hyper-three 4 16 cube-broadcast --dim 4 --random 14
hyper-sum 15 2 cube-broadcast --dim 4 --random 14
hyper-overlap 4 16 cube-broadcast --dim 4 --random 14 --randomised --overlap spread
END

"$ROUNDCAST" schedule total-exchange -n 4 -m 1 -o "$TMP/exchange.sched" >/dev/null
accepts 'exchange.dot: total-exchange: 2 nodes, depth 1, the last at 2' \
    "a packet of a total exchange goes straight" draw "$TMP/exchange.sched" --packet 6 -o \
    "$TMP/exchange.dot"
check "… from node 1 to node 3, in round 2" grep -qF '3\n2' "$TMP/exchange.dot"
accepts 'path.dot: path: 22 nodes, depth 21, the last at 24' "a report" draw \
    "$TMP/path.sched" --packet 4 -o "$TMP/path.dot"
accepts '"nodes": 22' "a report as JSON" draw "$TMP/path.sched" --packet 4 -o "$TMP/path.dot" --json
for part in '"depth": 21' '"last": "24"' '"format": "dot"' '"drawn": "path"'; do
    check "… with $part" grep -qF "$part" "$TMP/out"
done
"$ROUNDCAST" draw - --packet 4 <"$TMP/path.sched" >"$TMP/piped.dot"
check "standard input and output are the same" cmp "$TMP/piped.dot" "$TMP/path.dot"
"$ROUNDCAST" draw "$TMP/path.sched" --packet 4 >"$TMP/again.dot"
check "the same schedule gives the same text" cmp "$TMP/again.dot" "$TMP/path.dot"
accepts 'n = 22, m = 8, send-receive, rounds 28\npacket 4: nodes over the rounds of their receipts' "the legend" draw "$TMP/path.sched" --packet 4
sed '2s/.*/algorithm "a" \\N \& <b> λ/' "$TMP/path.sched" >"$TMP/odd.sched"
accepts 'label="\"a\" \\N &amp; <b> λ\nn = 22' "an algorithm with odd letters" draw "$TMP/odd.sched"

# --- the papers' figures ------------------------------------------------------------------------

check "all figures are drawn" env ROUNDCAST="$ROUNDCAST" "$figures/draw.sh" dot "$TMP"

# Bruck, Cypher and Ho, Figures 1 to 3.
is "Figure 1: FT_2(6)" '0(1(2(3(4(5 6)5)4(5 6))3(4(5 6)5))2(3(4(5 6)5)4(5 6)))' \
    "$(labels "$TMP/fibonacci-1.dot")"
is "Figure 2: FT_3(6)" '0(1(2(3(4 5 6)4 5)3(4 5 6)4)2(3(4 5 6)4 5)3(4 5 6))' \
    "$(labels "$TMP/fibonacci-2.dot")"
for figure in 1 2; do
    is "… 25 nodes" 25 "$(grep -c '^    n' "$TMP/fibonacci-$figure.dot")"
done
is "Figure 3: T_0" '0(1(2 3 4)2 3)' "$(labels "$TMP/fibonacci-3-0.dot")"
is "… T_1" '1(2(3 4 5)3 4)' "$(labels "$TMP/fibonacci-3-1.dot")"
is "… T_2" '2(3(4 5 6)4 5)' "$(labels "$TMP/fibonacci-3-2.dot")"
is "… T_0 spans group 0" '1 2 3 4 5 6 7' "$(numbers "$TMP/fibonacci-3-0.dot")"
is "… T_1 group 1" '8 9 10 11 12 13 14' "$(numbers "$TMP/fibonacci-3-1.dot")"
is "… T_2 group 2" '15 16 17 18 19 20 21' "$(numbers "$TMP/fibonacci-3-2.dot")"

# Figures 4 to 6. The assignment of children to leaves is arbitrary in the paper; the labels do not
# depend on it except for v's in Figure 6, which is the array's head. Label ≡ l_h + h (mod 3) for a
# processor of T_h (Definition 4.2).
residues() {
    awk -v ours="$1" '
        FILENAME == ours { if ($1 in rest) { seen++; wrong += $2 % 3 != rest[$1] } next }
        { rest[$1] = ($2 + FNR_TREE) % 3 }
        END { print seen + 0, wrong + 0 }' FNR_TREE=0 "$TMP/t0" FNR_TREE=1 "$TMP/t1" FNR_TREE=2 "$TMP/t2" "$1"
}
node_lines() {
    sed -n 's/^    n[0-9]* \[label="\([0-9v]*\)\\n\([0-9]*\)".*/\1 \2/p' "$1"
}
for i in 0 1 2; do
    node_lines "$TMP/fibonacci-3-$i.dot" >"$TMP/t$i"
done
for figure in 4 5 6; do
    node_lines "$TMP/fibonacci-$figure.dot" >"$TMP/hat$figure"
    is "Figure $figure: the labels of the 21 processors of T_0, T_1 and T_2 have the residues of Definition 4.2" \
        '21 0' "$(residues "$TMP/hat$figure")"
done
sed 's/^9 3/9 4/' "$TMP/hat4" >"$TMP/wrong"
is "(a label of another residue is seen)" '21 1' "$(residues "$TMP/wrong")"

is "Figure 4: each leaf of T_0 has three children, the largest label is 7" \
    '0(1(2(3 4 5)3(4 5 6)4(5 6 7))2(3 4 5)3(4 5 6))' "$(labels "$TMP/fibonacci-4.dot")"
is "… 22 nodes: 21 processors and v" "v $(seq -s ' ' 21)" "$(numbers "$TMP/fibonacci-4.dot")"
is "… v is dashed" 1 "$(grep -c 'label="v\\n3", style=dashed' "$TMP/fibonacci-4.dot")"

six='0(1(2(3(4)4(5)5(6))3(4 5 6)4(5 6 7))2(3(4)4(5)5(6))3(4 5 6))'
is "Figure 5: six processors inserted below the leaves of label 2" "$six" \
    "$(labels "$TMP/fibonacci-5.dot")"
is "… 28 nodes: 27 processors and v" "v $(seq -s ' ' 27)" "$(numbers "$TMP/fibonacci-5.dot")"
is "… the six are 22 … 27, squares" '22 23 24 25 26 27' "$(grep -e 'shape=box' "$TMP/fibonacci-5.dot" | sed 's/.*label="\([0-9]*\).*/\1/' | sort -n | paste -sd ' ')"
is "… of one child each" '1 1 1 1 1 1' "$(branches "$TMP/fibonacci-5.dot" | awk '$1 >= 22 { count[$1]++ } END { for (node in count) print count[node] }' | paste -sd ' ')"

is "Figure 6: 29 nodes, v is processor 28" "$(seq -s ' ' 29)" "$(numbers "$TMP/fibonacci-6.dot")"
is "… the array, 28 and 29, is a chain" '28 29' "$(branches "$TMP/fibonacci-6.dot" | awk '$1 >= 28 { print $1, $2 }')"
is "… one round later" 1 "$(awk '$1 == 28 { before = $2 } $1 == 29 { now = $2 } END { print now - before }' "$TMP/hat6")"
is "… 28 has the place of v" "$(branches "$TMP/fibonacci-5.dot" | sed 's/ v / 28 /' | sort)" "$(branches "$TMP/fibonacci-6.dot" | grep -v '^28 ' | sort)"

# Bar-Noy and Kipnis, Figure 1: parent, node, receipt, sent; a node's children in this order.
cat >"$TMP/postal" <<'END'
0 9 5/2 0
0 6 7/2 1
0 4 9/2 2
0 3 11/2 3
0 2 13/2 4
0 1 15/2 5
12 13 15/2 5
4 5 7 9/2
6 8 6 7/2
6 7 7 9/2
9 12 5 5/2
9 11 6 7/2
9 10 7 9/2
END
is "postal, Figure 1: who sends to whom when" "$(cat "$TMP/postal")" \
    "$(branches "$TMP/postal-1.dot" | sort -s -k 1,1)"
is "… 14 nodes, the last at 15/2" '14,15/2' \
    "$(grep -c '^    n' "$TMP/postal-1.dot"),$(branches "$TMP/postal-1.dot" | awk '{ last = $3 } END { print last }')"
is "… on the rows of their times" '' "$(off_row "$TMP/postal-1.dot")"
is "… rows as far apart as their times" '5 2 2 1 1 1 1 1 1' \
    "$(sed -n 's/.*minlen=\([0-9]*\).*/\1/p' "$TMP/postal-1.dot" | paste -sd ' ')"

# Dimakopoulos and Dimopoulos, k = 2 and h = 3, computed by hand: label 0 is the source, the others
# are rounds of receipt. Section 2.1: up first, then to the children.
cat >"$TMP/broadcast" <<'END'
0 1:0 1
1:0 1 3
1:0 2:0 2
1:1 2 5
1:1 3 6
1:2 4 6
1:2 5 7
1:3 6 7
1:3 7 8
2:0 1:1 4
2:0 3:0 3
2:1 1:2 5
2:1 1:3 6
3:0 2:1 4
END
is "broadcast in a tree: who sends to whom when" "$(cat "$TMP/broadcast")" \
    "$(branches "$TMP/leaf-broadcast.dot" | LC_ALL=C sort)"
is "… by Theorem 1 in (k + 1)h - 1 steps" 8 \
    "$(branches "$TMP/leaf-broadcast.dot" | awk '{ last = $3 } END { print last }')"
# Figure 4a: a router of level i sends up in steps i + 1 … i + 2^i, then down, to its children in
# turn. The root has packets 1 and 5 after step 3, sends 5 to 2:0 in step 4 and 1 to 2:1 in step 5.
# Router 2:1 has packets 7 and 8 for 1:2, and 5 and 6 for 1:3, before packet 1, and sends them from
# step 7 on; 2:0 sends packet 3 to 1:0 in step 7 and 1 to 1:1 in step 8.
cat >"$TMP/all-gather" <<'END'
0 1:0 1
1:0 1 5
1:0 2:0 2
1:1 2 9
1:1 3 10
1:2 4 12
1:2 5 13
1:3 6 13
1:3 7 14
2:0 1:1 8
2:0 3:0 3
2:1 1:2 11
2:1 1:3 12
3:0 2:1 5
END
is "multinode broadcast in a tree: who sends packet 1 to whom when" "$(cat "$TMP/all-gather")" \
    "$(branches "$TMP/leaf-all-gather.dot" | LC_ALL=C sort)"
check "… of Theorem 4's kn + (k + 1)(h - 2) + 1 steps" grep -qF \
    'n = 8, m = 8, single-port, rounds 20\n' "$TMP/leaf-all-gather.dot"
for figure in broadcast all-gather; do
    is "$figure: all 15 nodes, on their rows, routers as squares" '15,,' \
        "$(grep -c '^    n' "$TMP/leaf-$figure.dot"),$(off_row "$TMP/leaf-$figure.dot"),$(misshapen "$TMP/leaf-$figure.dot")"
done
sed 's/label="1:2\\n5"/label="1:2\\n6"/' "$TMP/leaf-broadcast.dot" >"$TMP/wrong.dot"
check "(a router that hears it later is seen)" test \
    "$(branches "$TMP/wrong.dot" | LC_ALL=C sort)" != "$(cat "$TMP/broadcast")"

# Stamoulis and Tsitsiklis, section 2.3, for d = 3, by hand: parent, node, depth, dimension. Paths
# from the root 1, 2 or 4 cross dimensions in the order 2 3 1, 3 1 2 or 1 2 3.
cat >"$TMP/cube-1" <<'END'
1 3 1 2
1 5 1 3
1 0 1 1
3 7 2 3
3 2 2 1
5 4 2 1
7 6 3 1
END
cat >"$TMP/cube-2" <<'END'
2 6 1 3
2 3 1 1
2 0 1 2
6 7 2 1
6 4 2 2
3 1 2 2
7 5 3 2
END
cat >"$TMP/cube-3" <<'END'
4 5 1 1
4 6 1 2
4 0 1 3
5 7 2 2
5 1 2 3
6 2 2 3
7 3 3 3
END
for j in 1 2 3; do
    is "T($j) of the 3-cube: who is whose child over which dimension" "$(cat "$TMP/cube-$j")" \
        "$(branches "$TMP/cube-$j.dot")"
    is "… 8 nodes, on the rows of their depths" '8,' \
        "$(grep -c '^    n' "$TMP/cube-$j.dot"),$(off_row "$TMP/cube-$j.dot")"
    branches "$TMP/cube-$j.dot" >>"$TMP/arcs"
done
is "the three trees have all 24 arcs, each once, but those out of node 0" '21,0' \
    "$(cut -d ' ' -f 1,2 "$TMP/arcs" | sort -u | wc -l),$(grep -c '^0 ' "$TMP/arcs")"
sed 's/headlabel="2"/headlabel="3"/' "$TMP/cube-1.dot" >"$TMP/wrong.dot"
check "(another dimension is seen)" test "$(branches "$TMP/wrong.dot")" != "$(cat "$TMP/cube-1")"
accepts 'cube.dot: T(5) of the 5-cube: 32 nodes, depth 5, the last at 5' \
    "a report on a tree of a hypercube" draw --tree cube --dim 5 -i 5 -o "$TMP/cube.dot"
check "T(1) unless -i says which" cmp <("$ROUNDCAST" draw --tree cube --dim 3) "$TMP/cube-1.dot"

# The committed pictures.
is "docs has all figures, and no others" \
    "$(cd "$TMP" && ls cube-*.dot fibonacci-*.dot leaf-*.dot postal-1.dot reduce-*.dot)" \
    "$(cd "$figures" && ls ./*.svg | sed 's/svg$/dot/; s/^..//')"
for picture in "$figures"/*.svg; do
    name=${picture##*/}
    name=${name%.svg}
    is "$name.svg has the words of the drawing" "$(words_of_text "$TMP/$name.dot")" \
        "$(words_of_picture "$picture")"
    contents text "$picture"
    check "… in less than 60 kB" test "${#text}" -lt 60000
    check "… and is in README.md" contains "$figures/README.md" "($name.svg)"
done
sed 's/>15\/2</>8</' "$figures/postal-1.svg" >"$TMP/wrong.svg"
check "(a number that is wrong is seen)" test "$(words_of_text "$TMP/postal-1.dot")" != \
    "$(words_of_picture "$TMP/wrong.svg")"

if command -v dot >/dev/null 2>&1; then
    check "all figures are drawn again" env ROUNDCAST="$ROUNDCAST" "$figures/draw.sh" svg "$TMP"
    for picture in "$figures"/*.svg; do
        name=${picture##*/}
        is "$name is what is committed, word by word" "$(words_of_picture "$picture")" \
            "$(words_of_picture "$TMP/$name")"
    done
    for text in "$TMP"/cube-*.dot "$TMP"/fibonacci-*.dot "$TMP"/leaf-*.dot "$TMP"/postal-1.dot \
        "$TMP"/*.tree.dot; do
        is "${text##*/}: children stand below their parent, in order of time" '' \
            "$(dot -Tplain "$text" | misplaced)"
    done
    is "(a child that does not is seen)" n2 \
        "$(dot -Tplain "$TMP/fibonacci-1.dot" | sed 's/^node n1 [^ ]*/node n1 99/' | misplaced)"
    accepts '</svg>' "a picture on standard output" draw "$TMP/path.sched" --format svg
    accepts 'x.svg: path: 22 nodes' "a file .svg is a picture" draw "$TMP/path.sched" -o \
        "$TMP/x.svg"
    check "… indeed" grep -q '</svg>' "$TMP/x.svg"
    refuses 2 E101 'x.svg ends in .svg, but a drawing in DOT is written; expected .dot, .gv or' \
        "… and nothing else" draw "$TMP/path.sched" -o "$TMP/x.svg" --format dot
    check "… still" grep -q '</svg>' "$TMP/x.svg"
    accepts 'x.png: path: 22 nodes' "a file .png is one" draw "$TMP/path.sched" -o "$TMP/x.png"
    check "… indeed" grep -qaF PNG "$TMP/x.png"
    "$ROUNDCAST" draw "$TMP/odd.sched" -o "$TMP/odd.svg" >/dev/null
    check "odd letters come through Graphviz" grep -qxF '"a" \N & <b> λ' <(words_of_picture \
        "$TMP/odd.svg")
else
    skip "pictures" "no dot"
fi

# --- input that is rejected ---------------------------------------------------------------------

good=$TMP/path.sched
refuses 2 E101 'no file; expected a schedule' "no file" draw
refuses 2 E101 'one file too many' "two files" draw "$good" "$good"
refuses 2 E201 'cannot open' "a file that is not there" draw "$TMP/nowhere.sched"
refuses 2 E203 'not a schedule' "a file of another kind" draw "$0"
refuses 2 E102 '-p: 9 is out of range; expected 1 … 8' "a packet too large" draw \
    "$good" --packet 9
refuses 2 E102 '-p: 0 is out of range; expected 1 … 134217728' "packet 0" draw \
    "$good" --packet 0
refuses 2 E101 "-p: 'x' is not a number" "a packet that is no number" draw "$good" --packet x
refuses 2 E102 '--rounds: 0 is out of range; expected 1 … 4294967295' "no rounds" draw \
    "$good" --rounds 0
refuses 2 E102 'path.sched: no node receives packet 8 up to round 7; expected at least 8' \
    "a packet that comes later" draw "$good" --packet 8 --rounds 7
refuses 2 E101 "--format: 'pdf' does not exist; expected dot, svg or png" "another format" draw \
    "$good" --format pdf
refuses 2 E101 'standard output carries the drawing' "two outputs at once" draw "$good" --json
refuses 2 E102 'standard input: no node receives packet 1' \
    "a broadcast to no node" draw - < <("$ROUNDCAST" schedule path -n 1 -m 1)
refuses 2 E101 '-n requires --tree' \
    "a tree's option with a schedule" draw "$good" -n 4
sed '7s/5 6/7 6/' "$good" >"$TMP/held.sched"
refuses 1 E302 \
    'held.sched:7: round 1: node 7 sends packet 1, which it does not hold; expected it to arrive before' "a schedule that is no tree" draw "$TMP/held.sched"

sed '0,/^1:3 2:1/s/^1:3 2:1/1:4 2:1/' "$TMP/single.sched" >"$TMP/held.sched"
refuses 1 E302 \
    'held.sched:9: round 2: node 1:4 sends packet 1, which it does not hold; expected it to arrive before' "a router that sends what it does not hold" draw "$TMP/held.sched"
refuses 2 E102 '-p: 2 is out of range; expected 1 … 1' "a packet that the tree has not" draw \
    "$TMP/single.sched" --packet 2

refuses 2 E101 "--tree: 'oak' does not exist; expected full, top, hat or cube" \
    "another tree" draw --tree oak
refuses 2 E101 '-d is required with --tree full' \
    "a tree without a degree" draw --tree full -t 6
refuses 2 E101 '-t is required with --tree full' \
    "… without an order" draw --tree full -d 2
refuses 2 E101 '-n is required with --tree hat' \
    "… without processors" draw --tree hat -d 3
refuses 2 E101 '-t: --tree top has no such number' "an order too many" draw --tree top -n 22 -d 3 -t 1
refuses 2 E101 '-i: --tree full has no such number' "an index too many" draw --tree full -d 2 -t 6 -i 0
refuses 2 E101 'a file and --tree' "a file and a tree" draw "$good" --tree full -d 2 -t 6
refuses 2 E101 '-p cannot be used together with --tree' \
    "a packet and a tree" draw --tree full -d 2 -t 6 --packet 1
refuses 2 E101 '--rounds cannot be used together with --tree' "rounds and a tree" draw --tree full -d 2 -t 6 --rounds 1
refuses 2 E101 '--dim is required with --tree cube' \
    "a tree of no hypercube" draw --tree cube
refuses 2 E101 '-n: --tree cube has no such number' "processors too many" draw --tree cube --dim 3 -n 8
refuses 2 E101 '--dim: --tree hat has no such number' \
    "dimensions too many" draw --tree hat -n 22 -d 3 --dim 3
refuses 2 E101 '--dim requires --tree' "dimensions of a schedule" draw "$good" --dim 3
refuses 2 E102 '--dim: 25 is out of range; expected 1 … 24' \
    "too many dimensions" draw --tree cube --dim 25
refuses 2 E102 '-i: 4 is out of range; expected 1 … 3' \
    "a tree that is none of d" draw --tree cube --dim 3 -i 4
refuses 2 E102 '-i: 0 is out of range; expected 1 … 3' "T(0)" draw --tree cube --dim 3 -i 0
refuses 2 E104 '--format svg: 8192 nodes; expected at most 4096' \
    "a picture of a cube that is too large" draw --tree cube --dim 13 --format svg
refuses 2 E102 '-i: 3 is out of range; expected 0 … 2' \
    "a tree that is none of d" draw --tree hat -n 22 -d 3 -i 3
refuses 2 E102 '-d: 0 is out of range; expected 1 … 16777216' "degree 0" draw --tree full -d 0 -t 6
refuses 2 E103 'expected an odd degree' "an even degree" draw --tree hat -n 22 -d 4
refuses 2 E103 'expected an odd degree' "too few processors" draw --tree hat -n 12 -d 3
refuses 2 E104 '16777216 nodes' "a tree that is too large" draw --tree full -d 2 -t 40
refuses 2 E104 '--format svg: 8361 nodes; expected at most 4096' \
    "a picture that is too large" draw --tree full -d 2 -t 18 --format svg

refuses 2 E202 'cannot write: No such file or directory' "an output folder that is not there" draw \
    "$good" -o "$TMP/no/where.dot"
roundcast draw "$good" -o /dev/full
check "a full device" test "$status,$(grep -c 'E202 write' "$TMP/err")" = 2,1
"$ROUNDCAST" draw "$good" >/dev/full 2>"$TMP/err"
check "standard output is a full device" test "$?,$(grep -c 'E202 write' "$TMP/err")" = 2,1

# Graphviz is missing, or fails half way: no partial file is left, and an old picture is kept.
mkdir "$TMP/bin" "$TMP/kept"
echo old >"$TMP/kept/x.svg"
program=$(realpath "$ROUNDCAST")
printf '#!/bin/sh\nPATH=%s exec "%s" "$@"\n' "$TMP/bin" "$program" >"$TMP/alone"
chmod +x "$TMP/alone"
ROUNDCAST=$TMP/alone
refuses 2 E501 'dot: cannot run: No such file or directory; expected Graphviz' "no Graphviz" draw \
    "$good" -o "$TMP/kept/x.svg"
printf '#!/bin/sh\necho "<svg>"\nexit 3\n' >"$TMP/bin/dot"
chmod +x "$TMP/bin/dot"
refuses 2 E501 'dot -Tsvg: failed' "a Graphviz that fails half way" draw "$good" -o \
    "$TMP/kept/x.svg"
check "the old picture stays" grep -qx old "$TMP/kept/x.svg"
is "… and nothing is beside it" x.svg "$(ls "$TMP/kept")"
accepts digraph "the text needs no Graphviz" draw "$good"

finish
