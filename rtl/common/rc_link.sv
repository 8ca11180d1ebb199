// SPDX-License-Identifier: Apache-2.0
// rc_link: Depth pipeline registers with a clock enable; wires if Depth is 0.
`default_nettype none

module rc_link #(
  parameter int Width = 1,
  parameter int Depth = 0
) (
  input  wire             clk_i,
  input  wire             ce_i,
  input  wire [Width-1:0] d_i,
  output wire [Width-1:0] q_o
);

  wire [Width-1:0] in_flight [Depth+1];

  assign in_flight[0] = d_i;
  assign q_o          = in_flight[Depth];

  for (genvar d = 0; d < Depth; d++) begin : g_register
    rc_delay #(.Width(Width)) u_delay (.clk_i, .ce_i, .d_i(in_flight[d]), .q_o(in_flight[d+1]));
  end

  if (Depth == 0) begin : g_wire
    wire unused = &{1'b0, clk_i, ce_i};
  end

endmodule

`default_nettype wire
