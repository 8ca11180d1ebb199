// SPDX-License-Identifier: Apache-2.0
// combine_tree_properties: the result of a tree of operators, for any words, operands and
// operators.
//
//  1. With one operand or more the result is that of combining the operands one after another, from
//     the last to the first: as all operators are associative and commutative, in any order.
//
// The reference states each operator by its definition (operate.svh).
`default_nettype none

module combine_tree_properties #(
  parameter int Words = 3,
  parameter int Width = 3
) (
  input  wire                   clk_i,
  input  wire [2:0]             operation_i,
  input  wire [Words-1:0]       operands_i,
  input  wire [Words*Width-1:0] words_i,
  output wire                   cover_all_o,
  output wire                   cover_apart_o,
  output wire                   cover_saturated_o
);

  `include "operate.svh"

  wire [Width-1:0] word;

  rc_combine_tree #(.Words(Words), .Width(Width)) u_tree (
    .operation_i, .operands_i, .words_i, .word_o(word)
  );

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

  always_comb if (any[0]) combined: assert (word == part[0]);

  logic all_q = 1'b0, apart_q = 1'b0, saturated_q = 1'b0;

  always_ff @(posedge clk_i) begin
    all_q       <= operation_i == 3'd0 && operands_i == '1 && word != '0;
    apart_q     <= operation_i == 3'd2 && operands_i[0] && operands_i[Words-1] && !operands_i[1] &&
        words_i[Width +: Width] < word;
    saturated_q <= operation_i == 3'd1 && operands_i == '1 && word == '1 &&
        words_i[Width-1:0] != '1;
  end

  assign cover_all_o       = all_q;
  assign cover_apart_o     = apart_q;
  assign cover_saturated_o = saturated_q;

endmodule

`default_nettype wire
