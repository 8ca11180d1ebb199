// SPDX-License-Identifier: Apache-2.0
// rc_delay: one pipeline register with a clock enable.
`default_nettype none

module rc_delay #(
  parameter int Width = 1
) (
  input  wire              clk_i,
  input  wire              ce_i,
  input  wire  [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  always_ff @(posedge clk_i) begin
    if (ce_i) q_o <= d_i;
  end

endmodule

`default_nettype wire
