// SPDX-License-Identifier: Apache-2.0
// rc_switch2: a 2x2 crossbar switch, the element of Benes, omega and multicast networks.
//
//     low_i  --+-- low_o      setting 00: straight      01: low_o  gives high_i, as high_o does
//              |
//     high_i --+-- high_o             11: crossed       10: high_o gives low_i, as low_o does
//
// Each output has a bit of the setting, low_o the lower one: 0, it gives its own input; 1, the
// other. A switch that is not to copy gets the same bit twice.
//
// Per output bit and switch: one LUT4 (two data inputs, its bit of the setting) and, if Registered,
// its flip-flop. A switch has no back-pressure: rounds are static, whatever enters leaves.
//
// The outputs are written as own ^ (setting & (own ^ other)), not as a conditional: simulators then
// compile no branch per switch, which would be mispredicted as soon as the tables are long. The
// register stands here, on a lane of its own, so that a simulator keeps every lane in one scalar.
`default_nettype none
`include "../common/rc_require.svh"

module rc_switch2 #(
  parameter int LaneBits   = 1,                      // bits of a lane: word and valid bit, >= 1
  parameter bit Registered = 1                       // a pipeline register at both outputs
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
