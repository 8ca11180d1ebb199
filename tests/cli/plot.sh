#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plot: the numbers of curves, the scripts, the pictures, and the errors for bad input.
#
# The numbers are compared with the papers' formulas, with the output of `plan` and `tune` for
# single messages, with an awk program's count of a schedule's lines, with the buffers that `route`
# reports, and with the lines of a report and a table. At the size from which an algorithm overtakes
# another, one byte less must not suffice. Numbers and scripts are identical when written again, and
# the checksums show that the pictures of docs were drawn from the numbers that the program writes
# now. With gnuplot: each picture is well formed, has a curve or an entry for each series, and
# equals the drawing of the stored script. Then a gnuplot that is missing, fails or dies half way.
. "$(dirname "$0")/tap.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
plots=$root/docs/plots
cd "$TMP" || exit
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST
mkdir none broken half
# A copy of the program that finds no gnuplot.
printf '#!/bin/sh\nPATH=%s exec "%s" "$@"\n' "$TMP/none" "$ROUNDCAST" >without
chmod +x without
printf '#!/bin/sh\nexit 3\n' >broken/gnuplot
printf '#!/bin/sh\necho "<svg>"\nexit 1\n' >half/gnuplot
chmod +x broken/gnuplot half/gnuplot

# is TEXT EXPECTED SEEN: checks that SEEN equals EXPECTED.
is() {
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected $2"$'\n'"got      $3"; fi
}

# names FILE: prints the names of the series. series FILE NAME: prints its points, `x y` each.
names() { sed -n 's/^# [0-9]*: //p' "$1"; }
series() { awk -v name="$2" '/^# /{ on = substr($0, index($0, ": ") + 2) == name; next } on && NF' "$1"; }

# --- plan ---------------------------------------------------------------------------------------

PATH=broken:$PATH accepts 'plan.dat, plan.gp: numbers and script' "numbers need no gnuplot" \
    plot plan -n 22 -m 64 --data plan
# Bruck, Cypher and Ho, section 2.2: m + n - 2 and m⌈log2 n⌉; Träff: m - 1 + ⌈log2 n⌉, the bound.
for formula in 'path m+20' 'binomial 5*m' 'circulant m+4' 'matching m+4' \
    'below the lower bound m+4'; do
    is "plan: ${formula% *} takes ${formula##* } rounds of 22 nodes" \
        "$(awk "BEGIN { for (m = 1; m <= 64; m++) print m, ${formula##* } }")" \
        "$(series plan.dat "${formula% *}")"
done
for m in 1 9 64; do
    is "plan: what 'plan -m $m' says" \
        "$("$ROUNDCAST" plan -n 22 -m $m --model send-receive |
            awk 'NF == 0 { exit } $1 == "send-receive" { # a degree may be before the rounds
                for (k = 3; $k - $(k + 1) != $(k + 2);) k++
                print $2, $k }' | sort)" \
        "$(names plan.dat | grep -v bound | while read -r name; do
            series plan.dat "$name" | awk -v m=$m -v name="$name" '$1 == m { print name, $2 }'
        done | sort)"
done
accepts 'numbers and script' "plan: in the postal model" plot plan -n 14 -m 3 --lambda 5/2 \
    --data postal
is "… one packet to 14 nodes takes 15/2 (Bar-Noy and Kipnis, Figure 1)" '1 7.5' \
    "$(series postal.dat postal-bcast | head -n 1)"
accepts 'numbers and script' "plan: of many packets" plot plan -n 22 -m 100000 --data many
is "… the last one is there" 100000 "$(series many.dat path | tail -n 1 | cut -d ' ' -f 1)"
check "… on logarithmic axes" grep -qx 'set logscale y' many.gp

# --- tune ---------------------------------------------------------------------------------------

accepts 'postal-swarm from ' "tune: who overtakes whom" plot tune -n 9 --bytes 300 --data tune
cp "$TMP/out" tune.out
# rows BYTES: prints `algorithm cycles` for each row of tune, the fewest cycles first.
rows() { "$ROUNDCAST" tune -n 9 --bytes "$1" | awk '$2 ~ /^(send-receive|telegraph|postal)$/ { print $1, $(NF - 2) }'; }
for bytes in 1 23 300; do
    is "tune: what 'tune --bytes $bytes' says" "$(rows $bytes | sort)" \
        "$(names tune.dat | grep -v bound | while read -r name; do
            series tune.dat "$name" | awk -v at=$bytes -v name="$name" '$1 == at { print name, $2 }'
        done | sort)"
done
# first BYTES NAME: returns whether the algorithm is among those that take the fewest cycles.
first() { rows "$1" | awk -v name="$2" 'NR == 1 { best = $2 } $2 == best && $1 == name { found = 1 } END { exit !found }'; }
before=
while read -r name bytes; do
    check "tune: $name is first from $bytes bytes" first "$bytes" "$name"
    if [ -n "$before" ]; then
        check "… where $before no longer is" bash -c "! $(declare -f rows first); ROUNDCAST='$ROUNDCAST'; ! first $bytes $before"
        check "… and was, with a byte less" first $((bytes - 1)) "$before"
    fi
    before=$name
done < <(sed -n 's/^\(.*\) from \([0-9]*\) B$/\1 \2/p' tune.out)
check "(there are such places)" test "$(grep -c ' from ' tune.out)" -gt 1
is "tune: the places stand in the script" "$(sed -n 's/^.* from \([0-9]*\) B$/\1/p' tune.out)" \
    "$(sed -n 's/^set arrow from first \([0-9]*\), .*/\1/p' tune.gp)"
accepts 'numbers and script' "tune: of one model alone" plot tune -n 9 --bytes 64 --model telephone --data one
is "… has its algorithms alone" 'below the lower bound binomial (telephone) matching (telephone)' \
    "$(names one.dat | sort | paste -sd ' ')"

# --- depth --------------------------------------------------------------------------------------

accepts 'numbers and script' "depth: buffers of trees" plot depth --tree 4,4,4 --capacity 1,2,4 \
    --model multiport --data depth
# needs ALGORITHM ARGUMENT…: prints the largest buffer that `route` reports.
needs() {
    "$ROUNDCAST" schedule "$@" --ports multi -o t.sched >/dev/null
    "$ROUNDCAST" route t.sched -o t | awk '/a buffer needs/ { on = 1; next } on && $5 > most { most = $5 } END { print most }'
}
for algorithm in tree-scatter tree-broadcast; do
    is "depth: what route says of $algorithm" \
        "4 $(needs $algorithm --tree 4) 16 $(needs $algorithm --tree 4,4 --capacity 1,2) 64 $(needs $algorithm --tree 4,4,4 --capacity 1,2,4)" \
        "$(series depth.dat $algorithm | paste -sd ' ')"
done
is "depth: what route says of a flood (docs/routers.md)" '64 16' \
    "$(series depth.dat "$(names depth.dat | grep -m 1 tree-all-gather)" | tail -n 1)"

# --- spread -------------------------------------------------------------------------------------

# counted FILE PACKET: prints `round nodes` when the number of nodes that have the packet changes,
# counted from the schedule's lines; its first line is of round 0.
counted() {
    awk -v packet="$2" '
        $1 == "demand" { split($2, range, "-"); if (packet >= range[1] && packet <= (range[2] ? range[2] : range[1])) { has[$3] = 1; n = 1; print 0, 1 } }
        $1 == "round" || $1 == "end" { if (n != told && now) print now, n; told = n; now = $2 }
        /^[0-9]/ && $3 == packet && !($2 in has) { has[$2] = 1; n++ }' "$1"
}
for schedule in 'matching -n 22 -m 8' 'fibonacci -n 14 -m 5' 'all-gather -n 6 -m 2'; do
    # shellcheck disable=SC2086  # words
    "$ROUNDCAST" schedule $schedule -o s.sched >/dev/null
    accepts 'numbers and script' "spread: $schedule" plot spread s.sched --data s
    for packet in 1 3 5; do
        missing=$(counted s.sched $packet | while read -r point; do
            series s.dat "packet $packet" | grep -qx "$point" || echo "$point"
        done)
        is "… packet $packet: all points where it moves" '' "$missing"
        is "… and no other numbers" "$(counted s.sched $packet | cut -d ' ' -f 2 | sort -nu)" \
            "$(series s.dat "packet $packet" | cut -d ' ' -f 2 | sort -nu)"
    done
    nodes=$(sed -n 's/^topology complete //p' s.sched) last=$(sed -n 's/^end //p' s.sched)
    is "… in the end all nodes have all" "$last $nodes" \
        "$(series s.dat 'have all they want' | tail -n 1)"
done
"$ROUNDCAST" schedule scatter -n 5 -m 1 -o s.sched >/dev/null
"$ROUNDCAST" plot spread s.sched --data s >/dev/null
is "spread: a scatter gives a node all that it wants in each round" '0 1 1 2 2 3 3 4 4 5' \
    "$(series s.dat 'have all they want' | paste -sd ' ')"
"$ROUNDCAST" schedule postal-bcast -n 14 -m 1 --lambda 5/2 -o p.sched >/dev/null
"$ROUNDCAST" plot spread p.sched --data p >/dev/null
is "spread: postal times are those of receipts" '7.5 14' "$(series p.dat 'packet 1' | tail -n 1)"
# Reductions: contributions in the largest partial result, and nodes that have their results,
# counted by hand. 2→0 and 3→1, then 1→0; all from their successors, then what was received; 0→1 1→2
# 2→3, then 0→2 1→3, where node 0 wants nothing; packets 1 and 2 along a path; up and down a tree.
while IFS='|' read -r schedule largest complete; do
    # shellcheck disable=SC2086  # words
    "$ROUNDCAST" schedule $schedule -o s.sched >/dev/null 2>&1
    accepts 'numbers and script' "spread: $schedule" plot spread s.sched --data s
    is "… the largest partial result" "$largest" "$(series s.dat 'packet 1' | paste -sd ' ')"
    is "… and complete nodes" "$complete" "$(series s.dat 'have all they want' | paste -sd ' ')"
done <<'EOF'
reduce -n 4 -m 1|0 1 1 2 2 4|0 3 1 3 2 4
window-all-reduce -n 3 -m 1|0 1 1 2 2 3|0 0 1 0 2 3
exclusive-scan -n 4 -m 1|0 1 1 1 2 3|0 1 1 2 2 4
path-scan -n 3 -m 2|0 1 1 2 2 3 3 3|0 1 1 1 2 2 3 3
tree-reduce --tree 2|0 1 1 1 2 2|0 1 1 1 2 2
EOF
"$ROUNDCAST" schedule circulant -n 4 -m 200 -o many.sched >/dev/null
"$ROUNDCAST" plot spread many.sched --data m >/dev/null
is "spread: of 200 packets every fourth has a line" 50 "$(names m.dat | grep -c packet)"

# --- area ---------------------------------------------------------------------------------------

cat >report.csv <<'END'
name,module,parameters,target,ports,stages,luts
benes-16,n,Ports=16 A=1,ice40,16,7,2027
benes-8,n,Ports=8 A=1,ice40,8,5,742
benes-8-pipe2,n,Ports=8,ice40,8,5,738
benes-8,n,Ports=8,generic,8,5,742
router-5,r,Ports=5,ice40,5,,491
router-9,r,Ports=9,ice40,9,,1373
END
accepts 'numbers and script' "area: of a report" plot area report.csv --data area
is "… designs of several sizes, by ports" 'benes 8 742 16 2027 router 5 491 9 1373' \
    "$(names area.dat | while read -r name; do echo "$name"; series area.dat "$name"; done | paste -sd ' ')"
sed 's/$/\r/' report.csv >dos.csv
accepts 'numbers and script' "area: lines of Windows" plot area dos.csv --data dos
check "… are the same" cmp area.dat dos.dat
check "… of standard input, too" bash -c \
    "'$ROUNDCAST' plot area - --data stdin <report.csv >/dev/null && cmp area.dat stdin.dat"
refuses 2 E204 'no design of two sizes on the target generic' "area: a curve needs two sizes" \
    plot area report.csv --target generic --data x
sed 's/,luts/,cells/' report.csv >other.csv
refuses 2 E204 "other.csv:1: no column 'luts'" "area: another file" plot area other.csv --data x
sed 's/,2027/,many/' report.csv >wrong.csv
refuses 2 E205 "wrong.csv:2: luts: 'many'; expected a number" "area: no number" \
    plot area wrong.csv --data x
sed 's/,7,2027//' report.csv >short.csv
refuses 2 E204 'short.csv:2: 5 fields; expected 7, as line 1 has' "area: a line that is cut" plot area short.csv --data x
sed 's/,2027/,0/' report.csv >zero.csv
refuses 2 E205 "zero.csv:2: luts: '0'; expected more than 0" "area: no LUTs" plot area zero.csv --data x
refuses 2 E201 'nowhere.csv: cannot open' "area: no file" plot area nowhere.csv --data x

# --- table --------------------------------------------------------------------------------------

cat >t.csv <<'END'
command,algorithm,nodes,packets,run_cycles,time
"run a, b",matching,22,64,884,
"run ""a""",matching,22,8,156,

run,circulant,22,8,156,15/2
run,circulant,22,64,884,7e1
run,circulant,22,16,,
run,circulant,8,8,120,
END
accepts 'run_cycles over packets' "table: a column over another" plot table t.csv --x packets \
    --y run_cycles --by algorithm,nodes --data t --json
is "… a curve for each value, sorted, gaps left out" \
    'matching, 22 8 156 64 884 circulant, 22 8 156 64 884 circulant, 8 8 120' \
    "$(names t.dat | while read -r name; do echo "$name"; series t.dat "$name"; done | paste -sd ' ')"
accepts 'numbers and script' "table: fractions and powers of ten" plot table t.csv --x packets \
    --y time --data t
is "… one curve without --by" '8 7.5 64 70' "$(series t.dat time | paste -sd ' ')"
printf 'roundcast-study 1\nalgorithm path circulant\nn 1 9\nm 1 4\nengine csim\n' >w.study
"$ROUNDCAST" sweep w.study -o w.sqlite >/dev/null
accepts 'bound over packets' "sweep: of its database" plot sweep w.sqlite --x packets --y bound \
    --by nodes --data w --json
is "… m - 1 + ⌈log2 n⌉ for both algorithms" "1 1 0 4 0 9 1 4 4 7" \
    "$(names w.dat | while read -r name; do echo "$name"; series w.dat "$name" | sort -u; done | paste -sd ' ')"
refuses 2 E203 't.csv' "sweep: no database" plot sweep t.csv --x nodes --y time --data x
refuses 2 E205 't.csv: circulant: two values where packets is 8; expected --by' \
    "table: curves without a key" plot table t.csv --x packets --y run_cycles \
    --by algorithm --data x
refuses 2 E204 "t.csv:1: no column 'm'; expected one of command algorithm nodes" \
    "table: no such column" plot table t.csv --x m --y time --data x
refuses 2 E204 "no column 'p'" "… as the key of curves" plot table t.csv --x nodes --y time --by \
    algorithm,p --data x
refuses 2 E205 "t.csv:5: algorithm: 'circulant'; expected a number" "table: words" \
    plot table t.csv --x algorithm --y time --data x
refuses 2 E101 '--x is required; expected the column of the x axis' "table: no column given" plot table t.csv --data x
refuses 2 E204 '0 columns; expected names' "table: an empty file" plot table /dev/null --x a --y b --data x
{ head -n 1 t.csv; printf '%09000d\n' 0; } >long.csv
refuses 2 E204 'long.csv:2: a line of 8000 bytes or more' "table: a line that is too long" \
    plot table long.csv --x nodes --y time --data x
printf 'k,x,y\n\xff\001,1,2\n\xff\001,2,3\n' >odd.csv
accepts 'numbers and script' "table: bytes that are no text" plot table odd.csv --x x --y y --by k \
    --data odd
check "… are shown as such" grep -qxF "$(printf '# 0: \xef\xbf\xbd ')" odd.dat

# --- numbers and scripts that --data writes -----------------------------------------------------

"$ROUNDCAST" plot tune -n 9 --bytes 300 --data again >/dev/null
check "the same numbers again" cmp tune.dat again.dat
check "… and the same script" cmp <(sed 's/again/tune/g' again.gp) tune.gp
mkdir "it's
odd" "it's odd"
refuses 2 E101 'control characters' "a prefix that no script can name" plot plan -n 4 -m 4 --data \
    "a
b"
accepts 'numbers and script' "a prefix with a quote" plot plan -n 4 -m 4 --data "it's odd/it's"
check "… is quoted" grep -qF "data = 'it''s.dat'" "it's odd/it's.gp"
printf "2s/.*/algorithm it's \\\\\\\\n {a_b} λ/\n" >odd.sed
"$ROUNDCAST" schedule path -n 4 -m 2 | sed -f odd.sed >odd.sched
accepts 'numbers and script' "an algorithm with odd letters" plot spread odd.sched --data odd
check "… is quoted" grep -qF "set title 'it''s \\n {a_b} λ, 2 packets, 4 nodes" odd.gp

mkdir docs
check "docs: all numbers are written" env ROUNDCAST="$ROUNDCAST" "$plots/draw.sh" dat docs
# same FOLDER: checks that the committed pictures were drawn from exactly these numbers.
same() { diff "$plots/numbers.cksum" <(cd "$1" && cksum ./*.dat); }
check "docs: the pictures were drawn from them" same docs
cp -r docs wrong
sed -i 's/^64 68$/64 69/' wrong/plan.dat
check "(a number that is wrong is seen)" bash -c "! $(declare -f same); plots='$plots'; ! same wrong >/dev/null"

# words FILE: prints the texts of a picture. nested FILE: returns whether elements are closed in the
# reverse order of opening.
words() {
    sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' "$1" |
        sed 's/&#39;/'"'"'/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}
nested() {
    awk '
        { text = text " " $0 }
        END {
            gsub(/<\?[^>]*\?>|<!--[^>]*-->/, "", text)
            gsub(/<[a-zA-Z]+[^<>]*\/>/, "", text)
            while (match(text, /<\/?[a-zA-Z]+[^<>]*>/)) {
                tag = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                name = tag
                gsub(/^<\/?|[ >].*$|>$/, "", name)
                if (tag !~ /^<\//) open[++deep] = name
                else if (deep == 0 || open[deep--] != name) exit 1
            }
            exit deep != 0 || text ~ /[<>]/
        }' "$1"
}
# shown DAT SVG: prints the series that the picture does not name, or for which it has no curve.
shown() {
    words "$2" >words
    names "$1" | while read -r name; do
        case $name in packet*) continue ;; esac
        grep -qxF -e "$name" words || echo "$name"
    done
}
for picture in "$plots"/*.svg; do
    name=$(basename "$picture" .svg)
    check "docs: $name.svg is whole" nested "$picture"
    is "… names all its curves" '' "$(shown "docs/$name.dat" "$picture")"
    check "… of less than 60 kB" test "$(wc -c <"$picture")" -lt 60000
    check "… and is on the page" grep -qF "(plots/$name.svg)" "$root/docs/plots.md"
done
is "docs: each of the numbers has a picture" "$(cd docs && ls | sed 's/dat$/svg/')" \
    "$(cd "$plots" && ls ./*.svg | sed 's/^..//')"
sed 's/>circulant</>circular</g' "$plots/plan.svg" >wrong.svg
is "(a curve that is not named is seen)" circulant "$(shown docs/plan.dat wrong.svg)"
sed '0,/<\/g>/s///' "$plots/plan.svg" >open.svg
check "(a picture that is not whole is seen)" bash -c "! $(declare -f nested); ! nested open.svg"

# --- errors for bad input -----------------------------------------------------------------------

refuses 2 E101 'plot: no name; expected plan, tune, depth' "no plot" plot -o x.svg
refuses 2 E101 "'pie'" "an unknown plot" plot pie -o x.svg
refuses 2 E101 'nothing to write; expected -o FILE' "nothing to write" plot plan -n 4 -m 4
refuses 2 E101 '-o: x.jpg ends as no picture; expected .svg, .png or .pdf, or --format with it' "another extension" \
    plot plan -n 4 -m 4 -o x.jpg
refuses 2 E101 '-o: svg ends as no picture' "no extension" plot plan -n 4 -m 4 -o svg
refuses 2 E101 '--format' "another format" plot plan -n 4 -m 4 -o x --format gif
refuses 2 E101 '-m is required; expected the most packets' "no range" plot plan -n 4 -o x.svg
refuses 2 E101 '--bytes is required' "no bytes" plot tune -n 4 -o x.svg
refuses 2 E101 '--tree is required' "no tree" plot depth -o x.svg
refuses 2 E101 'plot spread: no file; expected one, - for standard input' "no file" plot spread -o x.svg
refuses 2 E101 "--bytes: 'plot plan' has no use for it" "an option of another plot" \
    plot plan -n 4 -m 4 --bytes 3 -o x.svg
refuses 2 E101 "x: 'plot plan' reads no file" "a file too many" plot plan x -n 4 -m 4 -o x.svg
refuses 2 E102 '-m: 1 is out of range; expected 2' "an empty range" plot plan -n 4 -m 1 -o x.svg
refuses 2 E102 '--bytes: 1 is out of range; expected 2' "an empty range of bytes" \
    plot tune -n 4 --bytes 1 -o x.svg
refuses 2 E102 'plot depth: all points at one place' "a single tree" plot depth --tree 4 -o x.svg
"$ROUNDCAST" schedule path -n 1 -m 1 -o lone.sched >/dev/null
refuses 2 E102 'plot spread: all points at one place' "a schedule without rounds" \
    plot spread lone.sched -o x.svg
refuses 2 E103 'single-port is of a tree or hypercube, where m does not vary' "m on a tree" \
    plot plan -n 4 -m 4 --model single-port -o x.svg
refuses 2 E103 'expected single-port or multiport' "depth of no tree" \
    plot depth --tree 2,2 --model postal -o x.svg
refuses 2 E101 '--lambda is required' "postal without λ" plot plan -n 4 -m 4 --model postal -o x.svg
refuses 2 E101 '--lambda: the model telephone has no λ' "λ of no postal model" \
    plot plan -n 4 -m 4 --model telephone --lambda 2 -o x.svg
refuses 2 E101 '--json: standard output carries the picture' "both on standard output" \
    plot plan -n 4 -m 4 -o - --format svg --json
"$ROUNDCAST" schedule path -n 4 -m 2 | sed 's/^0 1 1$/0 2 1/' >illegal.sched
roundcast plot spread illegal.sched -o x.svg
is "a schedule that is not legal is a failed check" 1 "$status"
is "nothing was written" '' "$(ls x* 2>/dev/null)"

# --- pictures -----------------------------------------------------------------------------------

mkdir made
echo old >made/p.svg
# left: prints the contents of made, which must be unchanged.
left() { (cd made && for file in .[!.]* *; do [ -e "$file" ] && echo "$file $(cat "$file")"; done) | paste -sd ' '; }
ROUNDCAST=$TMP/without refuses 2 E501 'gnuplot (the package gnuplot-nox)' "no gnuplot" \
    plot plan -n 4 -m 4 -o made/p.svg --data made/p
is "… leaves all as it was" 'p.svg old' "$(left)"
for gnuplot in broken half; do
    PATH=$TMP/$gnuplot:$PATH refuses 2 E501 'gnuplot: failed; expected a picture' \
        "a gnuplot that is $gnuplot" plot plan -n 4 -m 4 -o made/p.svg --data made/p
    is "… leaves all as it was" 'p.svg old' "$(left)"
done
ROUNDCAST=$TMP/without refuses 2 E501 'the package gnuplot-nox' "… with its code as JSON" \
    plot plan -n 4 -m 4 -o made/p.svg --json

if ! command -v gnuplot >/dev/null 2>&1; then
    skip "pictures" "gnuplot is not installed"
    finish
fi
accepts 'p.svg: 8 curves: broadcast, 22 nodes, send-receive' "a picture and its numbers" \
    plot plan -n 22 -m 64 -o made/p.svg --data made/p
check "… is whole" nested made/p.svg
is "… names all curves" '' "$(shown made/p.dat made/p.svg)"
is "… draws seven of eight curves, as one would hide another one, and an entry for that" '7 1 8' \
    "$(grep -c 'data index' made/p.gp) $(grep -c keyentry made/p.gp) $(grep -c '<g id="gnuplot_plot_' made/p.svg)"
mv made/p.svg made/direct.svg
check "the script draws it again" bash -c 'cd made && gnuplot p.gp'
check "… the same picture" cmp made/direct.svg made/p.svg
accepts 'png' "a PNG" plot spread s.sched -o made/p.png
is "… is one" '89 50 4e 47' "$(od -An -tx1 -N4 made/p.png | sed 's/^ //')"
accepts 'pdf' "a PDF" plot tune -n 5 --bytes 20 -o made/p.pdf
is "… is one" '%PDF' "$(head -c 4 made/p.pdf)"
accepts '<svg' "on standard output" plot area report.csv -o - --format svg
mv "$TMP/out" stdout.svg
check "… is whole" nested stdout.svg
check "odd letters are drawn as they are" bash -c \
    "'$ROUNDCAST' plot spread odd.sched -o odd.svg >/dev/null && grep -qF 'it&#39;s \\n {a_b} λ, ' <(sed \"s/'/\\&#39;/g\" odd.svg)"
mkdir drawn
check "docs: all pictures are drawn again" env ROUNDCAST="$ROUNDCAST" "$plots/draw.sh" svg drawn
for picture in drawn/*.svg; do
    name=$(basename "$picture")
    is "docs: $name says what is committed" "$(words "$plots/$name")" "$(words "$picture")"
done

finish
