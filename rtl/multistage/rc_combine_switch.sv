// SPDX-License-Identifier: Apache-2.0
// rc_combine_switch: a 2x2 switch that combines, the element of networks that combine. It is
// rc_switch2 in reverse: each input goes to one output, and two words that meet are combined.
//
//     low_i  --+-- low_o      setting 00: straight      01: both inputs go to high_o
//              |
//     high_i --+-- high_o             11: crossed       10: both inputs go to low_o
//
// Each input has one setting bit, low_i the lower one: 0 selects the output of the same name, 1 the
// other output. If both inputs go to one output, the other one delivers no word. The highest bit of
// a lane is valid. A lane without a word must be 0, as endpoints drive it and switches leave it. If
// `min` or `and` is built, the bits of a lane without a word count nowhere and need not be 0.
//
// At most one output combines, so one rc_combine serves both. Its result also carries the word of
// low_i if the inputs go to different outputs: an output then selects between that result, high_i
// and 0. Switches with Operates = 0 have no operator: they are for stages in which no two words
// meet, and deliver the `or` of both lanes where a setting lets them meet.
`default_nettype none
`include "../common/rc_require.svh"

module rc_combine_switch #(
  parameter int LaneBits   = 2,                      // bits of a lane, {valid, word}; 2 ... 513
  parameter bit Operates   = 1,                      // 0: no operator, because no words meet
  parameter int Operators  = 127,                    // that are built (rc_combine.sv)
  parameter bit Registered = 1                       // pipeline register at both outputs
) (
  input  wire                 clk_i,
  input  wire                 ce_i,                  // clock enable of the register
  input  wire  [2:0]          operation_i,           // rc_combine.sv; constant during a run
  input  wire  [1:0]          setting_i,
  input  wire  [LaneBits-1:0] low_i,
  input  wire  [LaneBits-1:0] high_i,
  output logic [LaneBits-1:0] low_o,
  output logic [LaneBits-1:0] high_o
);

  localparam int Valid = LaneBits - 1;

  `RC_REQUIRE(LaneBits, LaneBits >= 2 && LaneBits <= 513, "LaneBits must be 2 to 513")

  wire [LaneBits-1:0] low, high;

  if (Operates) begin : g_operator
    wire                meets = setting_i[1] ^ setting_i[0];
    wire [LaneBits-2:0] word;

    // The word of an empty lane is 0, which only `min` and `and` must leave out. Sums and `max`
    // leave it out, too, where it is the second word: Yosys then merges this choice with the sum.
    localparam bit LeavesA = (Operators & 'h14) != 0;
    localparam bit LeavesB = (Operators & 'h1f) != 0;

    rc_combine #(.Width(LaneBits - 1), .Operators(Operators)) u_combine (
      .operation_i, .only_a_i(!meets || (LeavesB && !high_i[Valid])),
      .only_b_i(LeavesA && !low_i[Valid]), .a_i(low_i[Valid-1:0]), .b_i(high_i[Valid-1:0]),
      .word_o(word)
    );

    wire [LaneBits-1:0] met = {low_i[Valid] | (meets & high_i[Valid]), word};

    assign low  = setting_i[0] ? high_i & {LaneBits{setting_i[1]}} : met;
    assign high = setting_i[0] ? met : high_i & {LaneBits{!setting_i[1]}};
  end else begin : g_merge
    assign low  = (low_i & {LaneBits{!setting_i[0]}}) | (high_i & {LaneBits{setting_i[1]}});
    assign high = (low_i & {LaneBits{setting_i[0]}}) | (high_i & {LaneBits{!setting_i[1]}});

    wire unused = &{1'b0, operation_i};
  end

  if (Registered) begin : g_register
    always_ff @(posedge clk_i) begin
      if (ce_i) low_o <= low;
    end
    always_ff @(posedge clk_i) begin
      if (ce_i) high_o <= high;
    end
  end else begin : g_wire
    assign low_o  = low;
    assign high_o = high;
    wire unused = &{1'b0, clk_i, ce_i};
  end

endmodule

`default_nettype wire
