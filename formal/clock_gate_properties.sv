// SPDX-License-Identifier: Apache-2.0
// clock_gate_properties: the gated clock has whole high phases of the clock, and no others. A step
// of the proof is any moment, in which the levels of the clock and of its enable may change.
//
//  1. The gated clock is high only while the clock is high.
//  2. When the clock rises, the gated clock rises exactly if it was enabled in the step before.
//  3. While the clock stays high, the gated clock does not change.
//
// Assumed: the enable does not change in the step in which the clock rises.
`default_nettype none

module clock_gate_properties (
  input  wire clk_i,                                 // the steps of the proof
  input  wire level_i,                               // the clock
  input  wire en_i,
  output wire cover_late_o,
  output wire cover_dropped_o
);

  wire  out;
  logic seen_q = 1'b0, level_q, en_q, out_q;

  rc_clock_gate u_gate (.clk_i(level_i), .en_i, .clk_o(out));

  always_ff @(posedge clk_i) begin
    seen_q  <= 1'b1;
    level_q <= level_i;
    en_q    <= en_i;
    out_q   <= out;
  end

  wire rises = seen_q & level_i & ~level_q;
  wire stays = seen_q & level_i & level_q;

  always_comb begin
    if (rises) assume (en_i == en_q);
    within: assert (!out || level_i);
    if (rises) enabled: assert (out == en_q);
    if (stays) whole: assert (out == out_q);
  end

  assign cover_late_o    = stays & en_i & ~out;
  assign cover_dropped_o = stays & ~en_i & out;

endmodule

`default_nettype wire
