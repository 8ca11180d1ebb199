// SPDX-License-Identifier: Apache-2.0
// switch2_properties: the function of a switch, for any words, settings and clock enables.
//
//  1. An output delivers its own input if its setting bit is 0, and the other input if it is 1. If
//     both bits are 0, the words leave as they entered; if both are 1, they are exchanged: no word
//     is lost, copied or changed. If the bits differ, one word leaves twice.
//  2. A registered switch delivers the words of a cycle with clock enable in the next cycle;
//     without clock enable its outputs keep their words.
`default_nettype none

module switch2_properties #(
  parameter int LaneBits   = 0,
  parameter bit Registered = 1
) (
  input  wire                clk_i,
  input  wire                ce_i,
  input  wire [1:0]          setting_i,
  input  wire [LaneBits-1:0] low_i,
  input  wire [LaneBits-1:0] high_i,
  output wire                cover_crossed_o,
  output wire                cover_upper_o,
  output wire                cover_lower_o,
  output wire                cover_kept_o
);

  wire [LaneBits-1:0] low, high;

  rc_switch2 #(.LaneBits(LaneBits), .Registered(Registered)) u_switch (
    .clk_i, .ce_i, .setting_i, .low_i, .high_i, .low_o(low), .high_o(high)
  );

  logic [2*LaneBits-1:0] switched;
  always_comb begin
    case (setting_i)
      2'b00:   switched = {high_i, low_i};
      2'b01:   switched = {high_i, high_i};
      2'b10:   switched = {low_i, low_i};
      default: switched = {low_i, high_i};
    endcase
  end

  // Covers, for words that differ: the high word leaves twice; the low word does; both cross.
  wire       differ  = low_i != high_i;
  wire [2:0] covered =
      {differ & setting_i == 2'b01, differ & setting_i == 2'b10, differ & setting_i == 2'b11};

  if (Registered) begin : g_register
    logic                  past_q = 1'b0;            // the registers below hold the cycle before
    logic [2*LaneBits-1:0] expected_q;
    logic [2:0]            covered_q;
    logic                  kept_q;

    always_ff @(posedge clk_i) begin
      past_q     <= 1'b1;
      expected_q <= ce_i ? switched : {high, low};
      covered_q  <= {3{ce_i}} & covered;
      kept_q     <= past_q & ~ce_i;
    end

    always_comb if (past_q) as_switched: assert ({high, low} == expected_q);

    assign {cover_lower_o, cover_upper_o, cover_crossed_o} = {3{past_q}} & covered_q;
    assign cover_kept_o = past_q & kept_q & (low != high) & (switched != {high, low});
  end else begin : g_wire
    always_comb as_switched: assert ({high, low} == switched);

    assign {cover_lower_o, cover_upper_o, cover_crossed_o} = covered;
    assign cover_kept_o = 1'b1;
  end

endmodule

`default_nettype wire
