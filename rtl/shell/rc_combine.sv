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
// Only one of the words counts if only_a_i or only_b_i is high: word_o is a_i, or b_i. If both are
// high, only_a_i has priority.
//
// One adder serves the sums and, as a - b, the comparison: its carry is high if a >= b.
//
// Bit i of Operators builds operator i; the host port rejects the others (rc_host_port.sv). If only
// sums or only comparisons are built, word_o has a form of its own, because Yosys does not find it
// in the general one. With a single operator operation_i is not used.
`default_nettype none
`include "../common/rc_require.svh"

module rc_combine #(
  parameter int Width     = 1,                       // bits of a word, 1 ... 512
  parameter int Operators = 127                      // bit i: operator i is built, 1 ... 127
) (
  input  wire  [2:0]       operation_i,
  input  wire              only_a_i,
  input  wire              only_b_i,
  input  wire  [Width-1:0] a_i,
  input  wire  [Width-1:0] b_i,
  output wire  [Width-1:0] word_o
);

  `RC_REQUIRE(Width, Width >= 1 && Width <= 512, "Width must be 1 to 512")
  `RC_REQUIRE(Operators, Operators >= 1 && Operators <= 127, "Operators must be 1 to 127")

  // Bits of the operation in which the built operators differ are inputs; the others are constants.
  localparam bit [2:0] Any = {(Operators & 'h70) != 0, (Operators & 'h4c) != 0,
                              (Operators & 'h2a) != 0};
  localparam bit [2:0] All = {(Operators & 'h0f) == 0, (Operators & 'h33) == 0,
                              (Operators & 'h55) == 0};
  localparam bit Sums     = (Operators & 'h03) != 0;
  localparam bit Compares = (Operators & 'h0c) != 0;
  localparam bit Bitwise  = (Operators & 'h70) != 0;

  wire [2:0]       operation = (operation_i & Any) | All;
  wire             subtract  = operation[1];
  wire [Width-1:0] addend    = b_i ^ {Width{subtract}};
  wire [Width:0]   total     = {1'b0, a_i} + {1'b0, addend} + (Width+1)'(subtract);
  wire             carry     = total[Width];
  wire [Width-1:0] sum       = total[Width-1:0];

  if (!Compares && !Bitwise) begin : g_sum
    wire             saturates = operation[0] & carry;
    wire [Width-1:0] combined  = only_a_i ? a_i : sum | {Width{saturates}};

    assign word_o = only_b_i && !only_a_i ? b_i : combined;

    wire unused = &{1'b0, operation};
  end else if (!Sums && !Bitwise) begin : g_compare
    wire take_b = only_a_i | only_b_i ? !only_a_i : carry ^ operation[0];

    assign word_o = take_b ? b_i : a_i;

    wire unused = &{1'b0, operation, sum};
  end else begin : g_any
    // A result is a sum or a choice of the minterms of each pair of bits: both, only a, only b. The
    // smaller or larger word is that of one pair of minterms; the others need no comparison.
    wire        only      = only_a_i | only_b_i;
    wire        adds      = Sums && operation[2:1] == 2'b00 && !only;
    wire        saturates = adds && operation[0] && carry;
    wire        take_b    = carry ^ operation[0];
    logic [2:0] minterms;

    always_comb begin
      if (only) minterms = {1'b1, only_a_i, !only_a_i};
      else case (operation)
        3'd0, 3'd1: minterms = 3'b000;
        3'd2, 3'd3: minterms = {1'b1, ~take_b, take_b};
        3'd4:       minterms = 3'b100;
        3'd5:       minterms = 3'b111;
        default:    minterms = 3'b011;
      endcase
    end

    wire [Width-1:0] chosen = ({Width{minterms[2]}} & a_i & b_i) |
                              ({Width{minterms[1]}} & a_i & ~b_i) |
                              ({Width{minterms[0]}} & ~a_i & b_i);

    assign word_o = (sum & {Width{adds}}) | {Width{saturates}} | chosen;
  end

endmodule

`default_nettype wire
