// SPDX-License-Identifier: Apache-2.0
// width: eight bits assigned to four; Verilator must reject it.
`default_nettype none

module width (input wire [7:0] a_i, output wire [3:0] b_o);
  assign b_o = a_i;
endmodule

`default_nettype wire
