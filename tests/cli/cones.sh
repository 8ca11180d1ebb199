#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cones: cone.sh finds the registers that the assertions of a proof depend on, at any distance and
# through memories; cones.awk adds up proofs.
#
# Counter-cases: a register that is observed but does not influence an assertion; a module without
# assertions; a table with a register in no cone, and a table without registers.
#
# tags: tools tooling
. "$(dirname "$0")/tap.sh"
formal=$TMP/formal
mkdir "$formal"
cat >"$TMP/rc_pair.sv" <<'END'
module rc_pair #(parameter int Width = 1) (
  input wire clk_i, input wire [Width-1:0] d_i, input wire at_i, output logic [Width-1:0] q_o,
  output logic [Width-1:0] beside_o
);
  logic [Width-1:0] first_q, words [2];
  always_ff @(posedge clk_i) begin
    first_q     <= d_i;
    words[at_i] <= first_q;
    q_o         <= words[~at_i];
    beside_o    <= d_i;
  end
endmodule
END
cat >"$formal/pair_properties.sv" <<'END'
module pair_properties #(parameter int Width = 1, parameter int Beside = 0) (
  input wire clk_i, input wire [Width-1:0] d_i, input wire at_i
);
  wire [Width-1:0] q, beside;
  rc_pair #(.Width(Width)) u_pair (.clk_i, .d_i, .at_i, .q_o(q), .beside_o(beside));
  logic known_q = 1'b0;
  always_ff @(posedge clk_i) known_q <= q == '0;
  always_comb if (known_q) assert (Beside != 0 ? beside == '0 : q == '0);
endmodule
END
printf 'pair 2 pair_properties Width=2\nbeside 2 pair_properties Beside=1\n' >"$formal/proofs.txt"

# cone NAME: prints the cone's lines.
cone() {
    qa/cones/cone.sh "$TMP/${1%% *}.cone" "$1" "$formal" "$TMP/rc_pair.sv" &&
        cat "$TMP/${1%% *}.cone"
}

# has NAME TEXT LINE…: checks that these are its lines.
has() {
    local name=$1 text=$2 found
    shift 2
    found=$(cone "$name")
    if [ "$found" = "$(printf 'rc_pair %s\n' "$@")" ]; then ok "$text"; else not_ok "$text" "$found"; fi
}
has pair "what an assertion sees three cycles later is in its cone, what it does not is not" \
    'beside_o 0' 'first_q 1' 'q_o 1' 'words 1'
has beside "(another assertion depends on that, and by its condition on the others)" \
    'beside_o 1' 'first_q 1' 'q_o 1' 'words 1'
has 'rc_pair Width=3' "(a module alone has no assertions)" \
    'beside_o 0' 'first_q 0' 'q_o 0' 'words 0'
check "(there is no such proof)" bash -c '! "$@"' _ qa/cones/cone.sh "$TMP/none.cone" none \
    "$formal" "$TMP/rc_pair.sv"
check "(nor such a module)" bash -c '! "$@"' _ qa/cones/cone.sh "$TMP/none.cone" rc_none \
    "$formal" "$TMP/rc_pair.sv"

# The table of all proofs.
sum() { awk -f qa/cones/cones.awk "$@" >"$TMP/table"; }
check "(a register in no cone is reported)" bash -c '! "$@"' _ awk -f qa/cones/cones.awk \
    "$TMP/pair.cone" "$TMP/rc_pair.cone"
sum "$TMP/pair.cone" "$TMP/rc_pair.cone"
check "… by its name" grep -qxF '| `rc_pair` | 4 | 3 | `beside_o` |' "$TMP/table"
check "of two proofs either will do" sum "$TMP/pair.cone" "$TMP/beside.cone"
check "… and all are counted once" grep -qx \
    'Of 4 registers, 4 are in the cone of an assertion: 100.0 %.' "$TMP/table"
check "(a table of nothing is none)" bash -c '! "$@"' _ awk -f qa/cones/cones.awk /dev/null
finish
