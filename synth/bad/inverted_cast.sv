// SPDX-License-Identifier: Apache-2.0
// inverted_cast: an inverted size cast, which Yosys 0.23 reads without the inversion. Only the ban
// of this construct rejects it: Verilator accepts it correctly, and Yosys accepts it with a wrong
// meaning.
`default_nettype none

module inverted_cast (input wire [1:0] word_i, output wire [3:0] word_o);
  assign word_o = ~4'(word_i);
endmodule

`default_nettype wire
