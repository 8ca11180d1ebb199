// SPDX-License-Identifier: Apache-2.0
// rc_range_table: the table of splits, registers that all endpoints with ranges read at once
// (rc_range_program.sv). The host writes it while the machine is idle.
//
//     word {gives, others, nodes}     others in bits 30:16, nodes in the low bits
//
// A word applies to ranges with at most `others` nodes after their holder, and more than the word
// before it. The receiver of the next message is `nodes` nodes after the holder or, if `gives` is
// high, gets the last `nodes` nodes of the range. A word of zeros applies to no range.
`default_nettype none
`include "../common/rc_require.svh"

module rc_range_table #(
  parameter int Splits   = 2,                        // words, a power of two >= 2
  parameter int NodeBits = 1,                        // bits of the number of a node, 1 ... 15
  localparam int SplitBits = 1 + 2 * NodeBits,       // {gives, others, nodes}
  localparam int RowBits   = $clog2(Splits)
) (
  input  wire                        clk_i,
  output wire [Splits*SplitBits-1:0] splits_o,
  // host port; used while the machine is idle
  input  wire                        host_we_table_i,
  input  wire                        host_re_memory_i,  // a memory is read
  input  wire                        host_select_i,     // this table is selected
  input  wire [RowBits-1:0]          host_row_i,
  input  wire [31:0]                 host_data_i,
  output wire [31:0]                 host_rdata_o  // one cycle after host_re_memory_i, or 0
);

  `RC_REQUIRE(Splits, Splits >= 2 && (Splits & (Splits - 1)) == 0,
              "Splits must be a power of two, 2 or more")
  `RC_REQUIRE(NodeBits, NodeBits >= 1 && NodeBits <= 15, "NodeBits must be 1 to 15")

  wire [SplitBits-1:0] written = {host_data_i[31], host_data_i[16 +: NodeBits],
                                  host_data_i[NodeBits-1:0]};
  wire [Splits*32-1:0] words_read;
  wire [31:0]          word_read;
  logic [31:0]         rdata_q;

  for (genvar s = 0; s < Splits; s++) begin : g_split
    logic [SplitBits-1:0] split_q;
    wire                  selected = host_select_i && host_row_i == RowBits'(s);
    wire  [31:0]          word = {split_q[2*NodeBits], 15'(split_q[NodeBits +: NodeBits]),
                                  16'(split_q[NodeBits-1:0])};

    always_ff @(posedge clk_i) begin
      if (host_we_table_i && selected) split_q <= written;
    end

    assign splits_o[s*SplitBits +: SplitBits] = split_q;
    assign words_read[s*32 +: 32]             = selected ? word : '0;
  end

  rc_or_tree #(.Words(Splits), .Width(32)) u_word_read (.words_i(words_read), .word_o(word_read));

  always_ff @(posedge clk_i) begin
    if (host_re_memory_i) rdata_q <= word_read;
  end

  assign host_rdata_o = rdata_q;

  wire unused = &{1'b0, host_data_i};

endmodule

`default_nettype wire
