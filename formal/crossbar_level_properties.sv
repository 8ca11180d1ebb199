// SPDX-License-Identifier: Apache-2.0
// crossbar_level_properties: the step of the induction by which Clos networks of any number of
// ports and levels realise all permutations (docs/verification.md contains the complete argument).
//
// At level 0 all lanes form one block. Each outer crossbar of a block has every r-th lane, r =
// lanes / Radix; the inner networks of a block, Middle at level 0 and Radix below, are the blocks
// of the next level, which have r adjacent lanes each. A block of the last level is one crossbar.
// A colouring assigns to each lane of a block the inner network through which its word is routed;
// the lanes of an outer crossbar have different colours.
//
// For any table contents, writes, fetches and words, one cycle after a word enters a stage:
//
//  1. Before the middle, lane x of an inner network carries the word of the lane of outer crossbar
//     x that its field selects, or 0.
//  2. After the middle, a lane of outer crossbar x carries the word of lane x of the inner network
//     that its field selects, or 0.
//  3. In the middle, a lane carries the word of the lane of its block that its field selects, or 0.
//
// Each lane after a stage has its own field, so the fields can represent any colouring: lane x of
// inner network c selects the lane of crossbar x with colour c, and a lane after the middle selects
// its colour.
`default_nettype none

module crossbar_level_properties #(
  parameter int Ports    = 4,
  parameter int Middle   = 2,
  parameter int Radix    = 2,
  parameter int Levels   = 2,
  parameter int Stages   = 2 * Levels - 1,
  parameter int BankBits = $clog2(Stages),
  parameter int Inside   = Ports / Radix * Middle,
  parameter int Lanes    = Inside > Ports ? Inside : Ports,
  // columns of the stage that has most: the middle one, or the last
  parameter int Columns  = rc_multistage_shape::most_columns(2, Ports, Middle, Radix, Levels),
  parameter int ColumnBits = Columns > 1 ? $clog2(Columns) : 1
) (
  input  wire                  clk_i,
  input  wire                  fetch_i,
  input  wire                  setting_index_i,
  input  wire [Ports-1:0]      lanes_i,
  input  wire                  host_we_table_i,
  input  wire                  host_re_memory_i,
  input  wire [BankBits-1:0]   host_bank_i,
  input  wire                  host_row_i,
  input  wire [ColumnBits-1:0] host_column_i,
  input  wire [31:0]           host_data_i,
  output wire                  cover_last_o
);

  wire [Ports-1:0] lanes;

  rc_multistage_network #(
    .Kind(2), .Ports(Ports), .Middle(Middle), .Radix(Radix), .Levels(Levels), .LaneBits(1), .Rows(2)
  ) u_network (
    .clk_i, .ce_i(1'b1), .operation_i(3'd0), .fetch_i, .setting_index_i, .side_i(1'b0), .fetch_o(),
    .setting_index_o(), .side_o(),
    .lanes_i, .lanes_o(lanes),
    .host_we_table_i, .host_re_memory_i, .host_bank_i, .host_row_i, .host_column_i, .host_data_i,
    .host_rdata_o()
  );

  logic past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= 1'b1;

  // Lanes, from before the first stage to after the last.
  wire [Lanes-1:0] word [Stages+1];

  assign word[0] = Lanes'(lanes_i);
  always_comb assert (lanes == word[Stages][Ports-1:0]);

  for (genvar s = 0; s < Stages; s++) begin : \u_network.g_crossbar_stage
    localparam int Level  = s < Levels ? s : Stages - 1 - s;
    localparam bit Back   = s >= Levels;
    localparam bit Last   = Level == Levels - 1;
    // lanes of a block; blocks; lanes of a crossbar on its outer and inner side
    localparam int Block  = Level == 0 ? Ports
        : Levels == 2 ? Ports / Radix : Radix ** (Levels - Level);
    localparam int Blocks = Level == 0 ? 1 : Inside / Block;
    localparam int Outer  = Last ? Block : Radix;
    localparam int Inner  = Last ? Block : Level == 0 ? Middle : Radix;
    localparam int Count  = Block / Outer;           // outer crossbars of a block
    localparam int Into   = Back ? Inner : Outer;
    localparam int Out    = Back ? Outer : Inner;
    localparam int Bits   = $clog2(Into + 1);
    localparam int After = Blocks * Count * Out;

    (* hierconn *) wire [After*Bits-1:0] \u_stage.setting ;
    (* hierconn *) wire [After-1:0]      \u_stage.lanes_o ;
    wire  [After-1:0] switched;
    logic [After-1:0] expected_q;

    for (genvar j = 0; j < After; j++) begin : g_lane
      localparam int Of    = j / (Count * Out);      // block; Which: crossbar in it
      localparam int Which = j % Count;
      wire [Bits-1:0] field = \u_stage.setting [j*Bits +: Bits];
      wire [Into:0]   found;
      assign found[0] = 1'b0;
      for (genvar i = 0; i < Into; i++) begin : g_from
        assign found[i+1] = found[i] ||
            (32'(field) == i + 1 && word[s][Of * Count * Into + i * Count + Which]);
      end
      assign switched[j] = found[Into];
    end

    always_ff @(posedge clk_i) expected_q <= switched;
    always_comb if (past_q) assert (\u_stage.lanes_o == expected_q);

    assign word[s+1] = Lanes'( \u_stage.lanes_o );
  end

  // Cover: the last output carries a word, and in the cycle before only the last lane before the
  // last stage carried one.
  logic alone_q;
  always_ff @(posedge clk_i) alone_q <= word[Stages-1] == Lanes'(1) << (Inside - 1);
  assign cover_last_o = past_q && alone_q && lanes[Ports-1];

endmodule

`default_nettype wire
