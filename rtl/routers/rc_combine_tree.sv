// SPDX-License-Identifier: Apache-2.0
// rc_combine_tree: combines the words that are operands, as a tree of ceil(log2(Words)) levels of
// rc_combine.sv. All operators are associative and commutative, so the shape of the tree does not
// affect the result.
//
//     branch 1              the root, word_o
//     branch 2, 3           branches 2k and 2k+1 are the inputs of branch k
//     branch Words ...      the words
//
// A branch without operands passes on to a branch with operands; if there are no operands at all,
// word_o is arbitrary.
`default_nettype none
`include "../common/rc_require.svh"

module rc_combine_tree #(
  parameter int Words = 2,                           // >= 2
  parameter int Width = 1                            // bits of a word, 1 ... 512
) (
  input  wire [2:0]             operation_i,         // ../shell/rc_combine.sv
  input  wire [Words-1:0]       operands_i,
  input  wire [Words*Width-1:0] words_i,
  output wire [Width-1:0]       word_o
);

  `RC_REQUIRE(Words, Words >= 2, "Words must be 2 or more")

  // Returns the words below a branch, a bit for each.
  function automatic [Words-1:0] below(input int k);
    int node;
    for (int w = 0; w < Words; w++) begin
      node = Words + w;
      for (int l = 0; l < 32; l++) if (node > k) node = node / 2;
      below[w] = node == k;
    end
  endfunction

  wire [Width-1:0] branch [2*Words];

  for (genvar w = 0; w < Words; w++) begin : g_word
    assign branch[Words+w] = words_i[w*Width +: Width];
  end

  assign branch[0] = '0;
  for (genvar k = 1; k < Words; k++) begin : g_branch
    wire any_a = |(operands_i & below(2 * k));
    wire any_b = |(operands_i & below(2 * k + 1));

    rc_combine #(.Width(Width)) u_combine (
      .operation_i, .only_a_i(!any_b), .only_b_i(!any_a), .a_i(branch[2*k]), .b_i(branch[2*k+1]),
      .word_o(branch[k])
    );
  end

  assign word_o = branch[1];

endmodule

`default_nettype wire
