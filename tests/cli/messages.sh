#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# messages: an error suggests the values that are accepted, exactly once.
#
# A misspelt value of each option that has names suggests the nearest name; a value that is near no
# name lists all names only. Files of Windows editors are rejected by name. The --flits that an
# oversized payload suggests runs, and one less does not. No message repeats a word or an
# expectation; counter-case: a message that does is found.
. "$(dirname "$0")/tap.sh"

cd "$TMP" || exit
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST
"$ROUNDCAST" schedule circulant -n 8 -m 3 -o s.sched >/dev/null
"$ROUNDCAST" route s.sched -o s >/dev/null

# doubled FILE: prints lines that repeat a word or the expected value.
doubled() { grep -nE '(^|[ (])([a-z]{2,}|[0-9]+) \2([ ,;.)]|$)|; expected.*; expected' "$1"; }
printf 'roundcast: x: the the end; expected no end\nroundcast: x; expected a; expected b\n' >two
check "doubled text is found" test "$(doubled two | wc -l)" = 2
# once TEXT: checks that the last message repeats nothing.
once() {
    if doubled "$TMP/err"; then not_ok "$1: said once" "$(cat "$TMP/err")"; else ok "… said once"; fi
}

# near CODE SLIP NAME ARGUMENT…: the misspelt word suggests the name; another word does not.
near() {
    local code=$1 slip=$2 name=$3
    shift 3
    refuses 2 "$code" "'$slip' " "$slip" "${@//@/$slip}"
    check "… is nearly $name" grep -q "does not exist, but '$name' does; expected " "$TMP/err"
    once "$slip"
    refuses 2 "$code" "; expected " "… not so a pony" "${@//@/pony}"
    check "… which has no neighbour" test "$(grep -c "but '" "$TMP/err")" = 0
    once "a pony"
}
near E101 tag tags route s.sched -o x --settings @
near E101 computd computed route s.sched -o x --programs @
near E101 write writes route s.sched -o x --image @
near E101 netlits netlist simulate s --engine @
near E101 netlst netlist engines --engine @
near E101 sinle single plan --tree 2,2 --ports @
near E101 exchang exchange run cube-broadcast --dim 2 --sources 0 --prefix @
near E101 fulll full draw --tree @ -n 5
printf 'roundcast-study 1\nalgorithm path\nn 2\n' >a.study
near E101 parallell parallel sweep a.study -o a.sqlite --via @
near E101 slrum slurm sweep a.study -o a.sqlite --via @
near E101 sprea spread plot @
near E101 unifrm uniform plan -n 4 --pattern @
near E103 telefone telephone plan -n 4 -m 1 --model @
near E103 scater scatter plan -n 4 -m 1 --collective @
near E103 greddy greedy schedule tree-gather --tree 2,2 --ports multi --method @
near E103 matchin matching run @ -n 4 -m 1
near E101 dependancy dependency mpi s.sched --order @
near E401 bens benes run path -n 4 -m 1 --network @

# Windows: line ends and the byte order mark, at the first line of each reader. Another text that
# begins with the mark's first byte is not a mark, nor is a part of the mark.
for reader in 'verify s.sched' 'sweep --list a.study' 'unpack s/image.hex' 'plan --matrix m.csv' 'plan -n 4 --entries e.csv'; do
    printf '0,1\n1,0\n' >m.csv
    printf '0 1 3\n' >e.csv
    # shellcheck disable=SC2086  # words
    set -- $reader
    file=${!#}
    set -- "${@:1:$#-1}"
    { printf '\xef\xbb\xbf'; cat "$file"; } >bom
    roundcast "$@" bom
    case $file in
    *.csv) check "$reader: a byte order mark is skipped" test "$status" = 0 ;;
    *) check "$reader: a byte order mark" test "$status,$(
        grep -c 'bom:1: a byte order mark (BOM) before the text; expected' "$TMP/err")" = 2,1 ;;
    esac
    { printf '\xef\xbd\x81'; cat "$file"; } >letter
    printf '\xef\xbb' >part
    for other in letter part; do
        roundcast "$@" $other
        check "$reader: … which a $other is not" test "$status,$(grep -c 'byte order mark' "$TMP/err")" = 2,0
    done
    sed 's/$/\r/' "$file" >crlf
    roundcast "$@" crlf
    case $file in
    *.csv) check "$reader: CRLF is read" test "$status" = 0 ;;
    *) check "$reader: CRLF" test "$status,$(
        grep -c 'crlf:1: a carriage return (CRLF, as Windows ends lines)' "$TMP/err")" = 2,1 ;;
    esac
done

# The --flits that an oversized payload requires.
head -c 20001 /dev/zero >big.bin
payload() { roundcast run path -n 4 --payload big.bin --engine csim "$@"; }
payload -m 8 --flits 4
check "a payload that is too long" grep -q \
    'expected at most 64, or --flits [0-9]*, or -m [0-9]* \[E405 payload\]$' "$TMP/err"
flits=$(sed 's/.*--flits \([0-9]*\).*/\1/' "$TMP/err")
packets=$(sed 's/.*-m \([0-9]*\).*/\1/' "$TMP/err")
for try in "8 $flits 0" "8 $((flits - 1)) 2" "$packets 4 0" "$((packets - 1)) 4 2"; do
    read -r m f expected <<<"$try"
    payload -m "$m" --flits "$f"
    check "… -m $m --flits $f ends with $expected" test "$status" = "$expected"
done
payload -m 8 --memory packets=8,flits=4,rows=16
check "a memory that was asked for takes no more" grep -q 'at most 64 \[E405' "$TMP/err"

# Ranges and other errors, each reported once.
while read -r code part words; do
    # shellcheck disable=SC2086
    refuses 2 "$code" "${part//_/ }" "$words" $words
    once "$words"
done <<'END'
E401 expected_0_…_64 run path -n 4 -m 1 --network benes:12,pad=100
E401 at_most_the_5_stages run path -n 4 -m 1 --network benes:8,pipe=99
E401 1_port;_expected_2_…_65536 run path -n 4 -m 1 --network waksman:1
E102 expected_1_…_512 run path -n 4 -m 1 --width 513
E102 expected_0_…_3 run path -n 4 -m 1 --source 4
E101 -m_is_required plan -n 4
E101 --capacity_requires_--tree plan -n 4 -m 1 --capacity 2
E101 expected_a_name_that_ends_in_.fst run path -n 4 -m 1 --waves x
E101 expected_a_folder route s.sched -o -
E101 -o_is_required;_expected_the_database sweep a.study
E101 --program_requires_--via sweep a.study -o a.sqlite --program x
E101 --sshlogin_requires_--via_parallel sweep a.study -o a.sqlite --sshlogin x
E102 expected_1_…_1000 sweep a.study -o a.sqlite --parts 0
E203 expected_the_results sweep --csv s.sched
E201 cannot_open verify nowhere
END
finish
