// SPDX-License-Identifier: Apache-2.0
// rc_or_tree: the OR of several words, as a tree of ceil(log2(Words)) levels.
//
//     branch 1              the root, word_o
//     branch 2, 3           branches 2k and 2k+1 are the inputs of branch k
//     branch Words ...      the words
`default_nettype none
`include "../common/rc_require.svh"

module rc_or_tree #(
  parameter int Words = 1,                           // >= 1
  parameter int Width = 1
) (
  input  wire [Words*Width-1:0] words_i,
  output wire [Width-1:0]       word_o
);

  `RC_REQUIRE(Words, Words >= 1, "Words must be 1 or more")

  wire [Width-1:0] branch [2*Words];

  for (genvar w = 0; w < Words; w++) begin : g_word
    assign branch[Words+w] = words_i[w*Width +: Width];
  end

  assign branch[0] = '0;
  for (genvar k = 1; k < Words; k++) begin : g_branch
    assign branch[k] = branch[2*k] | branch[2*k+1];
  end

  assign word_o = branch[1];

endmodule

`default_nettype wire
