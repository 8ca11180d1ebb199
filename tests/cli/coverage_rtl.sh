#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# coverage_rtl: the results of coverage_rtl.awk for counters of a module of ten lines.
#
# The counters are written as Verilator 5 writes them. Two machines together reach all points.
# Counter-cases: each point that was not reached fails, by its name, unless it is excluded; an
# exclusion of a point that was reached, or that does not exist, fails; so do empty counters.
#
# tags: tooling
. "$(dirname "$0")/tap.sh"

awk=$PWD/qa/coverage/coverage_rtl.awk
cd "$TMP" || exit
mkdir -p rtl/common
cat >rtl/common/rc_tiny.sv <<'END'
module rc_tiny (
  input  wire       clk_i,
  input  wire [3:0] data_i,
  output logic      seen_o
);
  always_ff @(posedge clk_i) begin
    if (data_i != '0) seen_o <= 1'b1;
  end
endmodule
END

# point LINE COLUMN KIND NAME COUNT: prints a counter of the module.
point() {
    printf "C '\1f\2rtl/common//rc_tiny.sv\1l\2%s\1n\2%s\1page\2v_%s/rc_tiny__W4\1o\2%s\1h\2TOP.rc_tiny' %s\n" "$@"
}
# place PATH COUNT: prints a counter of a cover statement in the machine.
place() {
    printf "C '\1f\2qa/coverage/cover/flag_cover.sv\1l\0021\1n\0021\1page\2v_user/flag_cover\1o\2x\1h\2TOP.rc_tiny.%s' %s\n" "$@"
}
# counters FILE LINE IF ELSE BIT0 BIT3 RAISED: writes a file; BIT1 and BIT2 are as BIT0.
counters() {
    {
        point 6 3 line block "$2"
        point 7 5 branch if "$3"
        point 7 6 branch else "$4"
        for bit in 0 1 2; do point 3 21 toggle "data_i[$bit]" "$5"; done
        point 3 21 toggle 'data_i[3]' "$6"
        place u_input_flag_cover.raised "$7"
    } >"$1.1.dat"
}
machine=rtl-rc_tiny-width4
other=rtl-rc_tiny-width8
# judge EXCLUSION…: makes the tables with these exclusions.
judge() {
    printf '%s\n' 'why: it cannot be' 'check: a test' "$@" >exclusions.txt
    awk -f "$awk" exclusions.txt ./*.dat >out
}
passes() { local text=$1 && shift && check "$text" judge "$@"; }
# fails TEXT PART EXCLUSION…: checks for exit status 1 and a message with PART.
fails() {
    local text=$1 part=$2
    shift 2
    if judge "$@"; then not_ok "$text" "$(cat out)"
    elif grep -qF -e "$part" out; then ok "$text"
    else not_ok "$text" "no '$part' in: $(cat out)"; fi
}

counters "$machine" 9 5 0 3 0 1
counters "$other" 0 0 7 0 2 4
passes "two machines reach all of a module together"
check "… as the table says" grep -qF '| rc_tiny | 1 of 1 | 2 of 2 | 4 of 4 |' out
check "… and what is seen" grep -qF '| input flag: raised | 2 of 2 |' out
fails "an exclusion of a bit that is reached" 'data_i[3]: is reached' \
    'rc_tiny | toggle | data_i[3]'
fails "… of a line" 'is reached' \
    'rc_tiny | line | always_ff @(posedge clk_i) begin'
for what in 'rc_tiny | toggle | data_i[4]' 'rc_tiny | toggle | date_i' 'rc_tony | toggle | data_i[3]' \
    'rc_tiny | line | always' 'rc_tony | seen | input' 'rc_tiny | seen | output'; do
    fails "… of what is not there, $what" 'there is no such thing' "$what"
done
fails "… of no kind" 'expected "module | kind | what"' 'rc_tiny | data_i[3]'
fails "… without a reason" 'expected why and check' '' 'rc_tiny | toggle | data_i[3]'
fails "… with half of one" 'expected why and check' '' 'why: it is 0' 'rc_tiny | toggle | data_i[3]'

counters "$other" 0 0 7 0 0 0
fails "a bit that is not reached" 'rtl/common/rc_tiny.sv:3: toggle data_i[3]'
fails "a place where nothing is seen" 'rc_tiny-width8: u_input_flag_cover: input flag: raised'
place='rc_*-width8 | seen | input flag: raised'
for bits in 'data_i[3]' 'data_i[7:3]' 'data_i[3 of 4]'; do
    passes "… both excluded, $bits" "rc_tiny | toggle | $bits" "$place"
done
check "… as the table says" grep -qF '| 3 of 3 (1 excluded) |' out
fails "… with bits that are reached" 'is reached' 'rc_tiny | toggle | data_i' "$place"
fails "… for the machine that saw it" 'is reached' 'rc_tiny-width | seen | input flag: raised'

rm "$other.1.dat"
fails "a branch that is not taken" "rtl/common/rc_tiny.sv:7: branch else if (data_i != '0)"
counters "$machine" 0 5 5 5 5 5
fails "a line that is not reached" 'rtl/common/rc_tiny.sv:6: line always_ff'
passes "… excluded by its text" \
    'rc_tiny | line | always_ff @(posedge clk_i) begin'

# Settings and programs of machines with stages: four kinds of settings; stored programs with and
# without barriers, computed programs with barriers.
ways() {
    for settings in 0 1 2 3; do
        for computed in 0 1; do
            {
                point 6 3 line block 1
                place u_run_cover.with_barriers "$1"
                [ "$computed" = 1 ] || place u_run_cover.without_barriers 1
            } >"rtl-rc_multistage_machine-settings$settings-computed$computed.1.dat"
        done
    done
}
rm "$machine.1.dat"
ways 1
passes "all settings and programs, with barriers and without"
rm rtl-rc_multistage_machine-settings2-computed1.1.dat
fails "… one of them missing" 'settings tags, programs computed: no run: with barriers'
rm ./*.dat
counters "$machine" 1 1 1 1 1 1
: >"$machine.1.dat"
fails "no counters" 'Nothing was counted.'
finish
