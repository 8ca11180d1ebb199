// SPDX-License-Identifier: Apache-2.0
// combine_tree_properties: the result of a tree of operators, for any words, operands and
// operators.
//
//  1. With one operand or more the result is that of combining the operands one after another, from
//     the last to the first: as all operators are associative and commutative, in any order.
//  2. operand_o is high exactly if there is an operand. Both are those of the words that entered
//     Registers cycles with clock enable before.
//
// Assumed: the operator is built and does not change.
//
// The reference states each operator by its definition (operate.svh).
`default_nettype none

module combine_tree_properties #(
  parameter int Words = 3,
  parameter int Width = 3,
  parameter int Operators = 127,
  parameter int Registers = 0
) (
  input  wire                   clk_i,
  input  wire                   ce_i,
  input  wire [2:0]             operation_i,
  input  wire [Words-1:0]       operands_i,
  input  wire [Words*Width-1:0] words_i,
  output wire                   cover_all_o,
  output wire                   cover_apart_o,
  output wire                   cover_saturated_o
);

  `include "operate.svh"

  wire [Width-1:0] word;
  wire             operand;

  rc_combine_tree #(
    .Words(Words), .Width(Width), .Operators(Operators), .Registers(Registers)
  ) u_tree (
    .clk_i, .ce_i, .operation_i, .operands_i, .words_i, .operand_o(operand), .word_o(word)
  );

  always_comb built: assume (Operators >> operation_i & 1);

  logic       past_q = 1'b0;
  logic [2:0] operation_q;

  always_ff @(posedge clk_i) begin
    past_q      <= 1'b1;
    operation_q <= operation_i;
  end

  always_comb if (past_q) constant: assume (operation_i == operation_q);

  wire [Width-1:0] part  [Words+1];                  // the result of words w and above
  wire             any   [Words+1];

  assign part[Words] = '0;
  assign any[Words]  = 1'b0;

  for (genvar w = 0; w < Words; w++) begin : g_word
    wire [Width-1:0] a    = words_i[w*Width +: Width];
    wire [Width-1:0] b    = part[w+1];
    wire [Width-1:0] both = operate(operation_i, a, b);

    assign any[w]  = operands_i[w] || any[w+1];
    assign part[w] = !operands_i[w] ? b : any[w+1] ? both : a;
  end

  // Covers: all words are added; the word between two operands is left out; a sum saturates.
  wire [2:0] covered = {
    operation_i == 3'd1 && operands_i == '1 && part[0] == '1 && words_i[Width-1:0] != '1,
    operation_i == 3'd2 && operands_i[0] && operands_i[Words-1] && !operands_i[1] &&
        words_i[Width +: Width] < part[0],
    operation_i == 3'd0 && operands_i == '1 && part[0] != '0
  };

  // What enters the tree, and the counterpart of its registers.
  wire [Width+3:0] entered [Registers+1];
  wire             known   [Registers+1];

  assign entered[0] = {covered, any[0], part[0]};
  assign known[0]   = 1'b1;

  for (genvar r = 0; r < Registers; r++) begin : g_register
    logic [Width+3:0] entered_q;
    logic             known_q = 1'b0;

    always_ff @(posedge clk_i) begin
      if (ce_i) begin
        entered_q <= entered[r];
        known_q   <= known[r];
      end
    end
    assign entered[r+1] = entered_q;
    assign known[r+1]   = known_q;
  end

  wire             expected;
  wire [Width-1:0] result;
  wire [2:0]       left;
  assign {left, expected, result} = entered[Registers];

  always_comb begin
    if (known[Registers]) begin
      any_operand: assert (operand == expected);
      if (expected) combined: assert (word == result);
    end
  end

  logic [2:0] covered_q = '0;
  always_ff @(posedge clk_i) covered_q <= left & {3{known[Registers] && word == result}};

  assign {cover_saturated_o, cover_apart_o, cover_all_o} = covered_q;

endmodule

`default_nettype wire
