// SPDX-License-Identifier: Apache-2.0
// looped_always_ff: a memory that an always_ff writes in each iteration of a generate loop;
// strict.awk must reject it.
`default_nettype none

module looped_always_ff (
  input  wire       clk_i,
  input  wire [1:0] we_i,
  input  wire [3:0] address_i,
  input  wire [7:0] data_i,
  output wire [7:0] data_o
);
  logic [7:0] mem [16];
  for (genvar c = 0; c < 2; c++) begin : g_column
    always_ff @(posedge clk_i) begin
      if (we_i[c]) mem[address_i][c*4 +: 4] <= data_i[c*4 +: 4];
    end
  end
  assign data_o = mem[address_i];
endmodule

`default_nettype wire
