// SPDX-License-Identifier: Apache-2.0
// rc_clock_gate: passes the high phases of a clock while it is enabled. Replace it with the cell of
// your technology: an integrated clock gating cell, BUFGCE (Xilinx) or DCCA (ECP5).
//
//     clk_i     __/--\__/--\__/--\__/--\__
//     en_i      ------\_____/-------------     may change after a rising edge of clk_i
//     clk_o     __/--\________/--\__/--\__
//
// en_i is stored by a latch that is transparent while clk_i is low, so a change while it is high
// neither shortens a high phase nor begins one. clk_o rises at a rising edge of clk_i if en_i was
// high before it.
//
// A machine with clk_o as its clock is stalled while en_i is low. Every register uses the rising
// edge of its only clock, so the cycles that end without an edge are removed, and nothing else
// changes (docs/integrate.md).
`default_nettype none

module rc_clock_gate (
  input  wire clk_i,
  input  wire en_i,
  output wire clk_o
);

  logic en_q;

  always_latch begin
    if (!clk_i) en_q = en_i;
  end

  assign clk_o = clk_i & en_q;

endmodule

`default_nettype wire
