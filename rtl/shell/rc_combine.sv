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
// Only one of the words counts if only_a_i or only_b_i is high: word_o is a_i, whatever b_i is; or
// b_i, and a_i must be 0. If both are high, only_a_i has priority.
//
// One adder serves the sums and, as a - b, the comparison: its carry is high if a >= b. The result
// is the sum or a function of a and the addend. Four functions of two bits, as in one LUT of four
// inputs, are sufficient, because the addend is already b, its complement or the result of a
// bitwise operator.
//
//     operation       addend   carry in   select
//     sum, saturating b        0          -
//     min, max        ~b       1          a or ~addend, by the carry
//     and             ~b       0          a & ~addend
//     or, xor         a|b a^b  0, 1       addend
`default_nettype none
`include "../common/rc_require.svh"

module rc_combine #(
  parameter int Width = 1                            // bits of a word, 1 ... 31
) (
  input  wire  [2:0]       operation_i,
  input  wire              only_a_i,
  input  wire              only_b_i,
  input  wire  [Width-1:0] a_i,
  input  wire  [Width-1:0] b_i,
  output wire  [Width-1:0] word_o
);

  `RC_REQUIRE(Width, Width >= 1 && Width <= 31, "Width must be 1 to 31")

  wire bitwise  = operation_i[2] & (operation_i[1] | operation_i[0]);  // or, xor
  wire compares = operation_i[2:1] == 2'b01;                            // min, max
  wire ands     = operation_i == 3'd4;

  wire [Width-1:0] gate   = bitwise ? (operation_i[1] ? a_i ^ b_i : a_i | b_i) : b_i;
  wire [Width-1:0] addend = gate ^ {Width{compares | ands}};
  wire [Width:0]   total  = {1'b0, a_i} + {1'b0, addend} + (Width+1)'(operation_i[1]);
  wire             carry  = total[Width];

  wire adds      = operation_i[2:1] == 2'b00 && !only_a_i;
  wire saturates = adds && operation_i[0] && carry;

  // 0: a   1: ~addend   2: addend   3: a & ~addend
  wire [1:0] select = only_a_i ? 2'd0
                    : bitwise  ? 2'd2
                    : ands     ? (only_b_i ? 2'd1 : 2'd3)
                               : {1'b0, only_b_i | (carry ^ operation_i[0])};

  wire [Width-1:0] chosen = select[1] ? (select[0] ? a_i & ~addend : addend)
                                      : (select[0] ? ~addend : a_i);

  assign word_o = adds ? total[Width-1:0] | {Width{saturates}} : chosen;

endmodule

`default_nettype wire
