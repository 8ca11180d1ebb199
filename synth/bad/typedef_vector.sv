// SPDX-License-Identifier: Apache-2.0
// typedef_vector: a vector of a typedef, which Yosys 0.23 reads as one element. Only the ban of
// this construct rejects it: Verilator accepts it correctly, and Yosys accepts it with a wrong
// meaning.
`default_nettype none

module typedef_vector (input wire [31:0] words_i, output wire [31:0] words_o);
  typedef logic [7:0] word_t;
  word_t [3:0] words;
  assign words = words_i;
  assign words_o = words;
endmodule

`default_nettype wire
