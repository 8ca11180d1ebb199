#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# deleted: qa/deleted/deleted.txt has every register of the machines that Yosys deletes, with the
# reason.
#
# The lines of the small machines are regenerated (of all machines with ROUNDCAST_EXHAUSTIVE), and
# the remaining registers are those that `make synth` counts. A module with one register for each
# reason has a known result; counter-cases are a table with one bit too many, and that module with
# one more register.
#
# tags: long tools tooling
. "$(dirname "$0")/tap.sh"
table=qa/deleted/deleted.txt
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }

# lines NAME [TABLE]: prints the table's lines for a design.
lines() { grep -E "^$1 " "${2:-$table}"; }
build() { make -s --no-print-directory SYNTH="$TMP/synth" "$@" >"$TMP/said" 2>&1; }

if [ -n "${ROUNDCAST_EXHAUSTIVE:-}" ]; then some='.'; else some='^(yes|no)$'; fi
machines=$(awk '$2 ~ /^rc_.*_(machine|node)$/ { print $1 }' synth/designs.txt)
same "each machine of designs.txt is in the table, and no other" \
    "$(awk '$2 == "kept" { print $1 }' "$table")" "$machines"
for design in $(awk -v some="$some" '$2 ~ /^rc_.*_(machine|node)$/ && $3 ~ some { print $1 }' \
    synth/designs.txt); do
    build "$TMP/synth/$design.deleted.txt"
    same "$design: the registers that Yosys deletes" "$(cat "$TMP/synth/$design.deleted.txt")" \
        "$(lines "$design")"
done
build synth DESIGN=cube-auto-4 TARGET=generic
kept() { awk '$2 == "kept" { print $1, $3 }'; }
same "the remaining registers are those that synthesis counts" "$(lines cube-auto-4 | kept)" \
    "$(awk '$2 == "generic" { print $1, $6 }' "$TMP/said")"
same "… in the table of synth/README.md, too" "$(kept <"$table")" \
    "$(awk '$2 == "generic" { print $1, $6 }' synth/README.md |
        grep -xE "(${machines//$'\n'/|}) .*")"

cat >"$TMP/small.sv" <<'SV'
module small (input wire clk_i, input wire [8:0] d_i, output wire [7:0] q_o);
  logic [1:0] one_q, two_q, still_q, lost_q, after_q, read_q;
  logic [1:0] words [256];
  always_ff @(posedge clk_i) begin
    one_q    <= d_i[1:0];
    two_q    <= d_i[1:0];
    lost_q   <= d_i[3:2];
    after_q <= lost_q;
    if (d_i[8]) words[d_i[7:0]] <= one_q;
    read_q <= words[d_i[7:0]];
    if (d_i[4]) still_q <= 2'b10;
  end
  assign q_o = {read_q, still_q, two_q, one_q};
endmodule
SV
echo 'small small no' >"$TMP/designs.txt"
# small FILE: prints the reasons for deletion; the two equal registers are printed by one name.
small() {
    qa/deleted/deleted.sh "$TMP/small.txt" small "$TMP/designs.txt" "$1"
    awk '{ sub(/(one|two)_q/, "one_or_two_q"); print $2, $3, $4 }' "$TMP/small.txt" | paste -sd,
}
expected='constant 2 still_q[*],kept 2 -,memory 2 read_q[*],merged 2 one_or_two_q[*],'
expected+='unused 2 after_q[*],unused 2 lost_q[*]'
same "one register for each reason" "$(small "$TMP/small.sv")" "$expected"
sed 's/\[1:0\] one_q/&, more_q/; s/if (d_i\[4\])/more_q <= d_i[6:5]; &/' "$TMP/small.sv" \
    >"$TMP/more.sv"
same "(one more is found)" "$(small "$TMP/more.sv")" "$expected,unused 2 more_q[*]"
sed 's/two_q *<= /&~/' "$TMP/small.sv" >"$TMP/unlike.sv"
same "(two that are not alike are kept)" "$(small "$TMP/unlike.sv")" \
    "$(sed 's/merged[^,]*,//; s/kept 2/kept 4/' <<<"$expected")"
sed 's/ 199 / 200 /' "$table" >"$TMP/table.txt"
check "(a table with a bit too many is found)" test "$(lines cube-auto-4 "$TMP/table.txt")" != \
    "$(cat "$TMP/synth/cube-auto-4.deleted.txt")"
finish
