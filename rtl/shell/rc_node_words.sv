// SPDX-License-Identifier: Apache-2.0
// rc_node_words: the OR of the words of all nodes, as the host reads them.
//
//     cycle c      take_i, words_i     the words of the nodes; 0 for those that are not addressed
//     cycle c+1    word_o              their OR, if of_node_i; else 0; until the next take_i
//
// The registers are halfway down the tree, because memories are slow.
`default_nettype none

module rc_node_words #(
  parameter int Nodes = 2
) (
  input  wire                clk_i,
  input  wire                take_i,
  input  wire                of_node_i,
  input  wire [Nodes*32-1:0] words_i,
  output wire [31:0]         word_o
);

  localparam int Group  = 1 << (($clog2(Nodes) + 1) / 2);
  localparam int Groups = (Nodes + Group - 1) / Group;

  wire [Groups*32-1:0] group_rdata;

  for (genvar g = 0; g < Groups; g++) begin : g_group
    localparam int Members = g < Groups - 1 ? Group : Nodes - g * Group;
    wire  [31:0] word;
    logic [31:0] word_q;

    rc_or_tree #(.Words(Members), .Width(32)) u_word (
      .words_i(words_i[g*Group*32 +: Members*32]), .word_o(word)
    );

    always_ff @(posedge clk_i) begin
      if (take_i) word_q <= of_node_i ? word : '0;
    end

    assign group_rdata[g*32 +: 32] = word_q;
  end

  rc_or_tree #(.Words(Groups), .Width(32)) u_word (.words_i(group_rdata), .word_o(word_o));

endmodule

`default_nettype wire
