// SPDX-License-Identifier: Apache-2.0
// use_before_declaration: a net that is used before its declaration. Icarus before 13 and Verilator
// accept it; strict.awk must reject it.
`default_nettype none

module use_before_declaration (
  input  wire a_i,
  output wire b_o
);
  assign b_o = inverted;
  wire inverted = ~a_i;
endmodule

`default_nettype wire
