// SPDX-License-Identifier: Apache-2.0
// inverted_cast: the inverse of a size cast, which Yosys 0.23 reads as the cast alone.
// Only the ban may reject it: Verilator accepts it, rightly, and Yosys accepts it, wrongly.
`default_nettype none

module inverted_cast (input wire [1:0] word_i, output wire [3:0] word_o);
  assign word_o = ~4'(word_i);
endmodule

`default_nettype wire
