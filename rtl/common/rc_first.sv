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
  input  wire                   ask_i,             // 0: all outputs are 0
  input  wire [Words*Width-1:0] words_i,
  output wire [Width-1:0]       word_o,
  output wire [NumberBits-1:0]  number_o
);

  `RC_REQUIRE(Words, Words >= 1, "Words must be 1 or more")
  `RC_REQUIRE(Width, Width >= 1, "Width must be 1 or more")

  localparam int Leaves = 1 << NumberBits;

  localparam int Bits   = NumberBits + Width;

  // Nested conditions, as in rc_ram.sv, let a simulator skip the tree.
  logic [2*Leaves*Bits-1:0] branch;                  // {number, word} of each

  always_comb begin
    /* verilator lint_off WIDTHCONCAT */           // above 8k bits, and meant to be
    branch = '0;
    /* verilator lint_on WIDTHCONCAT */
    if (ask_i) begin
      for (int w = 0; w < Words; w++)
        branch[(Leaves+w)*Bits +: Bits] =
            {NumberBits'(w) & {NumberBits{|words_i[w*Width +: Width]}}, words_i[w*Width +: Width]};
      for (int k = Leaves - 1; k > 0; k--)
        branch[k*Bits +: Bits] = |branch[2*k*Bits +: Width] ? branch[2*k*Bits +: Bits]
                                                            : branch[(2*k+1)*Bits +: Bits];
    end
  end

  assign {number_o, word_o} = branch[Bits +: Bits];

endmodule

`default_nettype wire
