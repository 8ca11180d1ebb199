// SPDX-License-Identifier: Apache-2.0
// initial_always_ff: a memory that both an initial block and an always_ff write; strict.awk must
// reject it.
`default_nettype none

module initial_always_ff (
  input  wire       clk_i,
  input  wire [3:0] address_i,
  input  wire [7:0] data_i,
  output wire [7:0] data_o
);
  logic [7:0] mem [16];
  initial $readmemh("mem.hex", mem);
  always_ff @(posedge clk_i) mem[address_i] <= data_i;
  assign data_o = mem[address_i];
endmodule

`default_nettype wire
