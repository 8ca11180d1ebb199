// SPDX-License-Identifier: Apache-2.0
// rc_combine: combines two unsigned words by an operator; sched/machine/operators.h has the same
// table in C.
//
//     operation_i   word_o
//     0  sum       a + b modulo 2^Width
//     1  saturating sum, at most 2^Width - 1
//     2  min       3  max
//     4  and       5  or      6, 7  xor
//
// One adder serves the sums and, as a - b, the comparison: its carry is high if a >= b.
`default_nettype none
`include "../common/rc_require.svh"

module rc_combine #(
  parameter int Width = 1                            // bits of a word, 1 ... 31
) (
  input  wire  [2:0]       operation_i,
  input  wire  [Width-1:0] a_i,
  input  wire  [Width-1:0] b_i,
  output logic [Width-1:0] word_o
);

  `RC_REQUIRE(Width, Width >= 1 && Width <= 31, "Width must be 1 to 31")

  wire             subtract = operation_i[1];
  wire [Width-1:0] addend   = b_i ^ {Width{subtract}};
  wire [Width:0]   total    = {1'b0, a_i} + {1'b0, addend} + (Width+1)'(subtract);
  wire             carry    = total[Width];
  wire [Width-1:0] sum      = total[Width-1:0];

  always_comb begin
    case (operation_i)
      3'd0:    word_o = sum;
      3'd1:    word_o = sum | {Width{carry}};
      3'd2:    word_o = carry ? b_i : a_i;
      3'd3:    word_o = carry ? a_i : b_i;
      3'd4:    word_o = a_i & b_i;
      3'd5:    word_o = a_i | b_i;
      default: word_o = a_i ^ b_i;
    endcase
  end

endmodule

`default_nettype wire
