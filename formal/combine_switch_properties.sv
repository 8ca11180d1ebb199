// SPDX-License-Identifier: Apache-2.0
// combine_switch_properties: the function of a switch that combines, for any words, settings,
// operators and clock enables, if lanes without a word are 0.
//
//  1. Two words that go to different outputs leave unchanged. If both lanes go to one output and
//     both carry a word, that output delivers their combination; if one lane carries a word, it
//     delivers that word. The other output delivers nothing.
//     A switch without operators delivers the `or` of both lanes on that output.
//  2. A lane without a word is 0 at the outputs, too, so the condition holds for the next stage.
//  3. A registered switch delivers the words of a cycle with clock enable in the next cycle;
//     without clock enable its outputs keep their words.
//
// Assumed: the operator is built.
//
// The reference states each operator by its definition (operate.svh).
`default_nettype none

module combine_switch_properties #(
  parameter int LaneBits   = 0,
  parameter bit Operates   = 1,
  parameter int Operators  = 127,
  parameter bit Registered = 1
) (
  input  wire                clk_i,
  input  wire                ce_i,
  input  wire [2:0]          operation_i,
  input  wire [1:0]          setting_i,
  input  wire [LaneBits-1:0] low_i,
  input  wire [LaneBits-1:0] high_i,
  output wire                cover_combined_o,
  output wire                cover_alone_o,
  output wire                cover_saturated_o,
  output wire                cover_kept_o
);

  localparam int Width = LaneBits - 1;

  `include "operate.svh"

  wire [LaneBits-1:0] low, high;

  rc_combine_switch #(
    .LaneBits(LaneBits), .Operates(Operates), .Operators(Operators),
    .Registered(Registered)
  ) u_switch (
    .clk_i, .ce_i, .operation_i, .setting_i, .low_i, .high_i, .low_o(low), .high_o(high)
  );

  always_comb built: assume (Operators >> operation_i & 1);

  always_comb empty_low: assume (low_i[Width] || low_i == '0);
  always_comb empty_high: assume (high_i[Width] || high_i == '0);

  wire [Width-1:0] a = low_i[Width-1:0];
  wire [Width-1:0] b = high_i[Width-1:0];
  wire [Width:0]   total = {1'b0, a} + {1'b0, b};

  logic [LaneBits-1:0] met;
  always_comb begin
    if (!Operates)                          met = low_i | high_i;
    else if (low_i[Width] && high_i[Width]) met = {1'b1, operate(operation_i, a, b)};
    else if (low_i[Width])                  met = low_i;
    else                                    met = high_i;
  end

  logic [2*LaneBits-1:0] switched;
  always_comb begin
    case (setting_i)
      2'b00:   switched = {high_i, low_i};
      2'b01:   switched = {met, {LaneBits{1'b0}}};
      2'b10:   switched = {{LaneBits{1'b0}}, met};
      default: switched = {low_i, high_i};
    endcase
  end

  // Covers: two different words are combined by a sum on the high output; a word meets none on the
  // low output; a sum saturates.
  wire       both    = low_i[Width] & high_i[Width];
  wire [2:0] covered = {both & operation_i == 3'd1 & setting_i == 2'b10 & total[Width],
                        (low_i[Width] ^ high_i[Width]) & setting_i == 2'b10,
                        both & operation_i == 3'd0 & setting_i == 2'b01 & a != b & total != '0};

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

    assign {cover_saturated_o, cover_alone_o, cover_combined_o} = {3{past_q}} & covered_q;
    assign cover_kept_o = past_q & kept_q & (low != high) & (switched != {high, low});
  end else begin : g_wire
    always_comb as_switched: assert ({high, low} == switched);

    always_comb empty_low_out: assert (low[Width] || low == '0);
    always_comb empty_high_out: assert (high[Width] || high == '0);

    assign {cover_saturated_o, cover_alone_o, cover_combined_o} = covered;
    assign cover_kept_o = 1'b1;
  end

endmodule

`default_nettype wire
