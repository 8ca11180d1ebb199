#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mutants_rtl: a seeded sample of the faults of the smallest machine: each is killed, proved equal,
# or listed. The faults drawn for a module depend on the module only. `make mutants-rtl` tries all
# faults of all machines.
#
# Counter-cases: with a test that detects nothing, faults survive, and none of those that the real
# test kills is proved equal; a test that fails without a fault is rejected; a fault that is one
# letter off the listed one survives; a listed fault that does not occur is reported; another
# module, or another seed, has other faults.
#
# tags: long tools tooling
. "$(dirname "$0")/tap.sh"
mutants=$(dirname "$0")/../../qa/mutants
machine=$(awk '$1 == 0 && NF == 2 { print $2 }' "$mutants/machines.txt")
tests=$(echo "$(dirname "$ROUNDCAST")"/unit/test_host_{random,special})
seed=${SEED:-3}

# count WORD: prints the number of faults with this result.
count() { cut -f 2 "$TMP/tsv" | grep -cx "$1"; }

# became TEXT WORD…: checks that each fault has one of these results.
became() {
    local text=$1
    shift
    if [ -s "$TMP/tsv" ] && ! cut -f 2 "$TMP/tsv" | grep -qvx "$(printf '%s\n' "$@")"; then
        ok "$text"
    else
        not_ok "$text" "$(cat "$TMP/tsv")"
    fi
}

# fails TEXT COMMAND…: checks that the command fails.
fails() {
    local text=$1
    shift
    if "$@" >"$TMP/out" 2>&1; then not_ok "$text" "$* succeeds"; else ok "$text"; fi
}

check "the smallest machine and its faults are built" env -u MAKEFLAGS \
    make --no-print-directory "build/mutants/rtl-$machine/dut.so"
faults=$(wc -l <"build/mutants/$machine.list")
numbers=$(seq "$faults" | shuf -n 16 --random-source=<(yes "$seed"))
# shellcheck disable=SC2086  # tests are words
"$mutants/rtl.sh" "$TMP/tsv" "$machine" "$numbers" $tests
check "16 of $faults faults, seed $seed: $(count killed) killed, $(count equal) proved equal" \
    "$mutants/table.sh" "$mutants/listed_rtl.txt" "$TMP/tsv"

killed=$(awk -F '\t' '$2 == "killed" { print $1 }' "$TMP/tsv" | head -n 4)
"$mutants/rtl.sh" "$TMP/tsv" "$machine" "$killed" true
became "(what a test has killed survives one that sees nothing: it is not proved equal)" survives
fails "(… and fails the table)" "$mutants/table.sh" "$mutants/listed_rtl.txt" "$TMP/tsv"
cut -f 4,5 "$TMP/tsv" >"$TMP/listed"
check "what is listed survives no more" "$mutants/table.sh" "$TMP/listed" "$TMP/tsv"
sed -i '1s/$/0/' "$TMP/listed"
fails "(… but what is one letter off does)" "$mutants/table.sh" "$TMP/listed" "$TMP/tsv"
cut -f 4,5 "$TMP/tsv" >"$TMP/listed"
check "all that is listed is needed" "$mutants/table.sh" --whole "$TMP/listed" "$TMP/tsv"
sed '1s/.*/&0/' "$TMP/listed" | cat "$TMP/listed" - | sort -u >"$TMP/more"
fails "(… but a line that is not a fault is not)" "$mutants/table.sh" --whole "$TMP/more" "$TMP/tsv"
fails "(a test that fails without a fault kills none)" \
    "$mutants/rtl.sh" "$TMP/none" "$machine" "$killed" false

# The faults drawn for a module do not depend on other modules or on the position of its lines;
# another seed, or an addition to the module, draws other faults.
modules='rc_shell rc_multistage_machine'
cp -r rtl "$TMP/rtl"
draw() { # draw SEED: the faults of the RTL as it is there
    local packages
    packages=$(grep -l '^package' "$TMP"/rtl/*/*.sv)
    # shellcheck disable=SC2046,SC2086  # words
    "$mutants/netlist.sh" "$TMP/drawn.v" "$machine" "$1" 32 "$modules" $packages \
        $(grep -L '^package' "$TMP"/rtl/*/*.sv) &&
        cut -f 1,2 "$TMP/drawn.faults"
}
more='(* keep *) logic [3:0] more_q, less_q; always_ff @(posedge clk_i)'
more+=' begin more_q <= ~less_q; less_q <= more_q + less_q; end endmodule'
draw 1 >"$TMP/drawn"
check "32 faults of each module, no two alike" \
    test "$(sort -u "$TMP/drawn" | cut -f 1 | uniq -c | paste -sd,)" = \
    "     32 rc_multistage_machine,     32 rc_shell"
sed -i '1i // above' "$TMP"/rtl/*/*.sv
sed -i "s/^endmodule/$more/" "$TMP/rtl/shell/rc_sequencer.sv" "$TMP/rtl/common/rc_delay.sv"
draw 1 >"$TMP/again"
check "they stay where others, and lines, move" cmp "$TMP/drawn" "$TMP/again"
draw 2 >"$TMP/again"
fails "(another seed draws others)" cmp "$TMP/drawn" "$TMP/again"
sed -i "s/^endmodule/$more/" "$TMP"/rtl/shell/rc_shell.sv "$TMP"/rtl/*/rc_multistage_machine.sv
draw 1 >"$TMP/again"
fails "(a module that is another has others)" cmp "$TMP/drawn" "$TMP/again"
finish
