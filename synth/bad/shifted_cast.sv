// SPDX-License-Identifier: Apache-2.0
// shifted_cast: a size cast that is shifted by a constant inside a concatenation, for which Yosys
// 0.23 drops the other operands. Only the ban of this construct rejects it: Verilator and Yosys
// accept it.
`default_nettype none

module shifted_cast #(parameter int Bits = 3, parameter int Place = 1) (
  input  wire [1:0]      word_i,
  output wire [Bits+1:0] word_o
);
  assign word_o = {word_i, Bits'(1) << Place};
endmodule

`default_nettype wire
