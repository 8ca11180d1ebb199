// SPDX-License-Identifier: Apache-2.0
// multistage_level_properties: the step of the induction by which Benes and Waksman networks of any
// number of ports realise all permutations (docs/verification.md contains the complete argument).
//
// Block b of a level consists of the lanes floor(b N / 2^level) ... floor((b+1) N / 2^level) - 1.
// Its halves are the two blocks of the next level that it contains. A colouring assigns to each
// lane of a block the half through which its word is routed, such that
//
//  lanes at the same place of the two halves have different colours; the last lane of a half that
//  is longer than the other has the colour of its own half; and after the middle, the lanes of a
//  block of two, and in a Waksman network the last lanes of both halves of an even block, have the
//  colours of their own halves.
//
// For the network, with any table contents, writes, fetches and words:
//
//  1. Stage s has level s before the middle, and level 2 Levels - 2 - s after it. One cycle after
//     the words enter, a lane whose switch is crossed carries the word of the lane at the same
//     place of the other half of its block; every other lane carries its own word.
//
// For any switch (each has its own setting bit, so the settings can represent any colouring):
//
//  2. Before the middle, with the switch crossed if its lower lane has colour 1, each lane after
//     the stage has the colour of its half.
//  3. After the middle, with the same settings and with words that are the numbers of their halves,
//     the lanes after the stage carry their colours.
//
// A stage is compared with its level lane by lane, each lane a multiplexer before a register, in
// the same form as in rc_switch2.sv. Yosys then merges equal gates before the solver runs, and the
// solver examines only those that differ; comparing all lanes at once is slow from 256 lanes on.
`default_nettype none

module multistage_level_properties #(
  parameter int Kind       = 0,                      // 0: Benes, 4: Waksman
  parameter int Ports      = 2,
  parameter bit Fewer      = Kind == 4,
  parameter int Levels     = $clog2(Ports),
  parameter int Stages     = 2 * Levels - 1,
  parameter int BankBits   = Stages > 1 ? $clog2(Stages) : 1,
  parameter int Settings   = Ports / 2,
  parameter int Columns    = (Settings + 31) / 32,
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
  input  wire                  cross_i,              // setting of an arbitrary switch
  output wire                  cover_crossed_o
);

  wire [Ports-1:0] lanes;

  rc_multistage_network #(.Kind(Kind), .Ports(Ports), .LaneBits(1), .Rows(2)) u_network (
    .clk_i, .ce_i(1'b1), .operation_i(3'd0), .fetch_i, .setting_index_i, .side_i(1'b0), .fetch_o(),
    .setting_index_o(), .side_o(),
    .lanes_i, .lanes_o(lanes),
    .host_we_table_i, .host_re_memory_i, .host_bank_i, .host_row_i, .host_column_i, .host_data_i,
    .host_rdata_o()
  );

  // The lanes of a switch, the upper lane in the highest bit.
  wire [1:0] half = 2'b10, colour = {!cross_i, cross_i};
  always_comb begin
    assert ((cross_i ? {colour[0], colour[1]} : colour) == half);
    assert ((cross_i ? {half[0], half[1]} : half) == colour);
  end

  // Lanes, from before the first stage to after the last, and whether a stage crosses any.
  wire [Ports-1:0]  word    [Stages+1];
  wire [Stages-1:0] crossed;

  assign word[0] = lanes_i;
  always_comb assert (lanes == word[Stages]);

  for (genvar s = 0; s < Stages; s++) begin : \u_network.g_stage
    localparam bit Back = s >= Levels;

    (* hierconn *) wire [Settings-1:0] \u_stage.setting ;
    (* hierconn *) wire [Ports-1:0]    \u_stage.lanes_o ;

    multistage_level_stage #(
      .Ports(Ports), .Level(Back ? Stages - 1 - s : s), .Back(Back), .Fewer(Fewer)
    ) u_level (
      .clk_i, .setting_i(\u_stage.setting ), .lanes_i(word[s]), .lanes_o(\u_stage.lanes_o ),
      .crossed_o(crossed[s])
    );

    assign word[s+1] = \u_stage.lanes_o ;
  end

  // Cover: before the middle and in it, every stage crosses a switch.
  assign cover_crossed_o = &crossed[Levels-1:0];

endmodule

// multistage_level_stage: checks that a stage implements its level.
module multistage_level_stage #(
  parameter int Ports    = 2,
  parameter int Level    = 0,
  parameter bit Back     = 0,
  parameter bit Fewer    = 0,
  parameter int Settings = Ports / 2
) (
  input  wire                clk_i,
  input  wire [Settings-1:0] setting_i,
  input  wire [Ports-1:0]    lanes_i,
  input  wire [Ports-1:0]    lanes_o,                // lanes of the RTL after the stage
  output wire                crossed_o
);

  logic past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= 1'b1;

  wire [Ports-1:0] expected, cross;

  for (genvar b = 0; b < 1 << Level; b++) begin : g_block
    localparam int First = (b * Ports) >> Level;
    localparam int Next  = ((b + 1) * Ports) >> Level;
    localparam int High  = ((2 * b + 1) * Ports) >> (Level + 1);
    localparam int Lower = High - First;
    localparam int Upper = Next - High;

    for (genvar i = First; i < Next; i++) begin : g_lane
      localparam bit Top   = i >= High;
      localparam int Place = Top ? i - High : i - First;
      localparam bit Alone = Place >= Lower || Place >= Upper ||
          (Back && Lower == Upper && Place == Lower - 1 && (Lower == 1 || Fewer));
      localparam int Other = Alone ? i : Top ? First + Place : High + Place;
      logic lane_q;

      assign cross[i] = Alone ? 1'b0 : setting_i[Alone ? 0 : First / 2 + Place];
      always_ff @(posedge clk_i) lane_q <= (cross[i] & (lanes_i[Other] ^ lanes_i[i])) ^ lanes_i[i];
      assign expected[i] = lane_q;
    end
  end

  always_comb if (past_q) assert (lanes_o == expected);

  assign crossed_o = cross != '0;

endmodule

`default_nettype wire
