// SPDX-License-Identifier: Apache-2.0
// rc_reset: extends a reset of one cycle or more until a pipeline is empty.
//
//     rst_i          ▔▔▁▁▁▁▁▁▁▁▁▁▁▁
//     rst_o          ▔▔▔▔▔▔▔▔▔▔▁▁▁▁    Cycles cycles from the last one of rst_i on
//     extends_o      ▔▔▔▔▔▔▔▔▁▁▁▁▁▁    the next cycle is one of the extension
//
// The counter has no reset of its own: whatever it holds at power-up, it is loaded by rst_i.
`default_nettype none
`include "../common/rc_require.svh"

module rc_reset #(
  parameter int Cycles = 2                           // >= 2
) (
  input  wire clk_i,
  input  wire rst_i,
  output wire rst_o,
  output wire extends_o
);

  `RC_REQUIRE(Cycles, Cycles >= 2, "Cycles must be 2 or more")

  localparam int CountBits = $clog2(Cycles);

  logic [CountBits-1:0] count_q;                     // remaining cycles
  logic                 extended_q;                  // a register, because many depend on it

  always_ff @(posedge clk_i) begin
    if (rst_i) count_q <= CountBits'(Cycles - 1);
    else if (extended_q) count_q <= count_q - 1'b1;
    extended_q <= extends_o;
  end

  assign extends_o = rst_i | (extended_q & (count_q != CountBits'(1)));
  assign rst_o     = rst_i | extended_q;

endmodule

`default_nettype wire
