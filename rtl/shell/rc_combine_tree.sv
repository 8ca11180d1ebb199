// SPDX-License-Identifier: Apache-2.0
// rc_combine_tree: combines the words that are operands, as a tree of ceil(log2(Words)) levels of
// rc_combine.sv. All operators are associative and commutative, so the shape of the tree does not
// affect the result.
//
//     branch 1              the root: operand_o, word_o
//     branch 2, 3           branches 2k and 2k+1 are the inputs of branch k
//     branch Words ...      the words
//
// A branch is an operand if one of its inputs is. If only one is, the branch passes it on; if none
// is, its word is arbitrary.
//
// A word that is no operand counts as 0 if 0 changes nothing in any operator that is built, and the
// operators cost less so: the first word of each pair is cleared, and the second one is left out by
// the operator that it enters. A branch without operand is then 0.
//
// With Registers > 0 the result is delayed by as many cycles: registers follow some of the levels,
// so that they and the logic after word_o divide the path into parts of nearly equal length. A word
// that enters after the deepest level passes the same number of registers.
`default_nettype none
`include "../common/rc_require.svh"

module rc_combine_tree #(
  parameter int Words     = 2,                       // >= 2
  parameter int Width     = 1,                       // bits of a word, 1 ... 512
  parameter int Operators = 127,                     // that are built (rc_combine.sv)
  parameter int Registers = 0,                       // 0 ... ceil(log2(Words))
  localparam int Levels = $clog2(Words),
  localparam bit Zero   = (Operators & 'h1c) == 0  // sums, or, xor
) (
  input  wire                   clk_i,
  input  wire                   ce_i,                // clock enable of the registers
  input  wire [2:0]             operation_i,         // rc_combine.sv; constant
  input  wire [Words-1:0]       operands_i,
  input  wire [Words*Width-1:0] words_i,
  output wire                   operand_o,           // Registers cycles later: any operand
  output wire [Width-1:0]       word_o
);

  `RC_REQUIRE(Words, Words >= 2, "Words must be 2 or more")
  `RC_REQUIRE(Registers, Registers >= 0 && Registers <= Levels,
              "Registers must be 0 to the levels of the tree")

  // Returns 1 if a register follows a level, 1 (that of the words that enter deepest) ... Levels.
  function automatic int registered(input int level);
    registered = 0;
    for (int r = 1; r <= Registers; r++) begin
      if (r * (Levels + 1) / (Registers + 1) == level) registered = 1;
    end
  endfunction

  for (genvar k = 2 * Words - 1; k >= 1; k--) begin : g_branch
    localparam int Level = Levels + 1 - $clog2(k + 1);

    wire             operand;
    wire [Width-1:0] word;
    wire             at_once;                        // the operand, before the register
    wire [Width-1:0] combined;

    if (k >= Words) begin : g_word
      assign at_once  = operands_i[k-Words];
      assign combined = words_i[(k-Words)*Width +: Width] &
                        {Width{!Zero || k % 2 == 1 || at_once}};
    end else begin : g_combine
      localparam bit Leaf = 2 * k + 1 >= Words;      // the second input is a word
      wire any_a = g_branch[2*k].operand;
      wire any_b = g_branch[2*k+1].operand;

      assign at_once = any_a | any_b;

      rc_combine #(.Width(Width), .Operators(Operators)) u_combine (
        .operation_i, .only_a_i(!any_b && (!Zero || Leaf)), .only_b_i(!any_a && !Zero),
        .a_i(g_branch[2*k].word), .b_i(g_branch[2*k+1].word), .word_o(combined)
      );
    end

    rc_link #(.Width(Width + 1), .Depth(registered(Level))) u_register (
      .clk_i, .ce_i, .d_i({at_once, combined}), .q_o({operand, word})
    );
  end

  assign operand_o = g_branch[1].operand;
  assign word_o    = g_branch[1].word;

endmodule

`default_nettype wire
