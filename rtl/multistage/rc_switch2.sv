// SPDX-License-Identifier: Apache-2.0
// rc_switch2: a 2x2 switch, the element of Benes, omega and multicast networks.
//
//     low_i  --+-- low_o      setting 00: straight      01: both outputs deliver high_i
//              |
//     high_i --+-- high_o             11: crossed       10: both outputs deliver low_i
//
// Each output has one setting bit, low_o the lower one: 0 selects the input of the same name, 1 the
// other input. A switch that must not copy receives the same bit twice.
//
// Cost per output bit: one LUT4 (two data inputs and the setting bit) and, if Registered, its
// flip-flop. A switch has no back-pressure: rounds are static, and every word that enters leaves.
//
// The outputs are written as own ^ (setting & (own ^ other)) in place of a conditional: simulators
// then compile no branch per switch, which would be mispredicted if the tables are long. The
// register is part of the switch, so that a simulator keeps every lane in one scalar.
`default_nettype none
`include "../common/rc_require.svh"

module rc_switch2 #(
  parameter int LaneBits   = 1,                      // bits of a lane: word and valid bit, >= 1
  parameter bit Registered = 1                       // pipeline register at both outputs
) (
  input  wire                 clk_i,
  input  wire                 ce_i,                  // clock enable of the register
  input  wire  [1:0]          setting_i,
  input  wire  [LaneBits-1:0] low_i,
  input  wire  [LaneBits-1:0] high_i,
  output logic [LaneBits-1:0] low_o,
  output logic [LaneBits-1:0] high_o
);

  `RC_REQUIRE(LaneBits, LaneBits >= 1, "LaneBits must be 1 or more")

  if (Registered) begin : g_register
    always_ff @(posedge clk_i) begin
      if (ce_i) low_o <= ({LaneBits{setting_i[0]}} & (high_i ^ low_i)) ^ low_i;
    end
    always_ff @(posedge clk_i) begin
      if (ce_i) high_o <= ({LaneBits{setting_i[1]}} & (low_i ^ high_i)) ^ high_i;
    end
  end else begin : g_wire
    assign low_o  = ({LaneBits{setting_i[0]}} & (high_i ^ low_i)) ^ low_i;
    assign high_o = ({LaneBits{setting_i[1]}} & (low_i ^ high_i)) ^ high_i;
    wire unused = &{1'b0, clk_i, ce_i};
  end

endmodule

`default_nettype wire
