// SPDX-License-Identifier: Apache-2.0
// rc_first_flags: the first of several nodes or routers with an error flag.
//
//     cycle c      ask_i, words_i      the flags; ask_i is high for one cycle
//     cycle c+1    take_i, any_o       any flag was set; until the next ask_i
//     cycle c+2    word_o, number_o    the first flags that are not 0 and their number, or 0;
//                                      until the next take_i
//
// One tree over all words would be the longest path of a machine. The words are divided into groups
// of about their square root; a group finds its first word in cycle c, the groups in cycle c+1.
`default_nettype none
`include "../common/rc_require.svh"

module rc_first_flags #(
  parameter int Words = 1,                           // >= 1
  localparam int NumberBits = Words > 1 ? $clog2(Words) : 1
) (
  input  wire                  clk_i,
  input  wire                  ask_i,
  input  wire                  take_i,
  input  wire [Words*3-1:0]    words_i,
  output wire                  any_o,
  output wire [2:0]            word_o,
  output wire [NumberBits-1:0] number_o
);

  `RC_REQUIRE(Words, Words >= 1, "Words must be 1 or more")

  localparam int MemberBits = (NumberBits + 1) / 2;  // >= 1
  localparam int Group      = 1 << MemberBits;
  localparam int Groups     = (Words + Group - 1) / Group;
  localparam int GroupBits  = Groups > 1 ? $clog2(Groups) : 1;
  localparam int Bits       = MemberBits + 3;

  wire [Groups*Bits-1:0] firsts;                     // {number in the group, flags}
  wire [Groups-1:0]      any;
  wire [Bits-1:0]        first;
  wire [GroupBits-1:0]   group;

  for (genvar g = 0; g < Groups; g++) begin : g_group
    localparam int Members = g < Groups - 1 ? Group : Words - g * Group;
    wire  [2:0] word;
    wire  [(Members > 1 ? $clog2(Members) : 1)-1:0] number;
    logic [Bits-1:0] first_q;

    rc_first #(.Words(Members), .Width(3)) u_word (
      .ask_i, .words_i(words_i[g*Group*3 +: Members*3]), .word_o(word), .number_o(number)
    );

    always_ff @(posedge clk_i) begin
      if (ask_i) first_q <= {MemberBits'(number), word};
    end

    assign firsts[g*Bits +: Bits] = first_q;
    assign any[g]                 = |first_q[2:0];
  end

  // A group without flags has the number 0, so that its word is 0.
  rc_first #(.Words(Groups), .Width(Bits)) u_group (
    .ask_i(take_i), .words_i(firsts), .word_o(first), .number_o(group)
  );

  logic [2:0]            word_q;
  logic [NumberBits-1:0] number_q;

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      word_q   <= first[2:0];
      number_q <= NumberBits'({group, first[Bits-1:3]});
    end
  end

  assign any_o    = |any;
  assign word_o   = word_q;
  assign number_o = number_q;

endmodule

`default_nettype wire
