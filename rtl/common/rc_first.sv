// SPDX-License-Identifier: Apache-2.0
// rc_first: the first of several words that is not 0, and its number; both are 0 if there is none.
//
// A tree of ceil(log2(Words)) levels: a branch passes on its lower input if that word is not 0.
//
//     branch 1              the root
//     branch 2, 3           branches 2k and 2k+1 are the inputs of branch k
//     branch Leaves ...     the words, then zeros
`default_nettype none
`include "../common/rc_require.svh"

module rc_first #(
  parameter int Words = 1,                           // >= 1
  parameter int Width = 1,                           // >= 1
  localparam int NumberBits = Words > 1 ? $clog2(Words) : 1
) (
  input  wire [Words*Width-1:0] words_i,
  output wire [Width-1:0]       word_o,
  output wire [NumberBits-1:0]  number_o
);

  `RC_REQUIRE(Words, Words >= 1, "Words must be 1 or more")
  `RC_REQUIRE(Width, Width >= 1, "Width must be 1 or more")

  localparam int Leaves = 1 << NumberBits;

  wire [NumberBits+Width-1:0] branch [2*Leaves] /* verilator split_var */;  // {number, word}

  for (genvar w = 0; w < Leaves; w++) begin : g_leaf
    if (w < Words) begin : g_word
      wire [Width-1:0] word = words_i[w*Width +: Width];
      assign branch[Leaves+w] = {NumberBits'(w) & {NumberBits{|word}}, word};
    end else begin : g_none
      assign branch[Leaves+w] = '0;
    end
  end

  assign branch[0] = '0;
  for (genvar k = 1; k < Leaves; k++) begin : g_branch
    assign branch[k] = |branch[2*k][Width-1:0] ? branch[2*k] : branch[2*k+1];
  end

  assign {number_o, word_o} = branch[1];

endmodule

`default_nettype wire
