// SPDX-License-Identifier: Apache-2.0
// rc_reset: extends a reset of one cycle or more until a pipeline is empty.
//
//     rst_i          ▔▔▁▁▁▁▁▁▁▁▁▁▁▁
//     rst_o          ▔▔▔▔▔▔▔▔▔▔▁▁▁▁    Cycles cycles from the last one of rst_i on
//     extended_o     ▁▁▔▔▔▔▔▔▔▔▁▁▁▁    Cycles - 1 cycles
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
  output logic extended_o
);

  `RC_REQUIRE(Cycles, Cycles >= 2, "Cycles must be 2 or more")

  localparam int CountBits = $clog2(Cycles);

  logic [CountBits-1:0] count_q;                     // remaining cycles

  // extended_o is a register, because it is on the path from start_i to many enables.
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q    <= CountBits'(Cycles - 1);
      extended_o <= 1'b1;
    end else if (extended_o) begin
      count_q    <= count_q - 1'b1;
      extended_o <= count_q != CountBits'(1);
    end
  end

  assign rst_o = rst_i | extended_o;

endmodule

`default_nettype wire
