// SPDX-License-Identifier: Apache-2.0
// multistage_level_properties: the step of the induction by which Benes and Waksman networks of any
// number of ports realise all permutations (docs/verification.md has the whole argument).
//
// A block of a level are the lanes floor(b N / 2^level) ... floor((b+1) N / 2^level) - 1. Its
// halves are the two blocks of the next level that it consists of. A colouring gives each lane of a
// block the half that its word shall go through, so that
//
//     lanes at one place of both halves have different colours; the last lane of a half that is
//     longer than the other has that half's; and on the way back the lanes of a block of two, and
//     in a Waksman network those at the last place of an even block, have those of their halves.
//
// Of the network, for any table contents, writes, fetches and words:
//
//  1. Stage s is level s on the way in, and level 2 Levels - 2 - s on the way back. A cycle later a
//     lane that its switch crosses gives the word of the lane at the same place of the other half
//     of its block, every other lane its own.
//
// and of the levels, for each colouring:
//
//  2. On the way in, with words that are their colours and switches that are crossed where the lane
//     of the lower half has colour 1: behind it each half's lanes carry that half's colour.
//  3. On the way back, set in the same way, with words that are the numbers of their halves: behind
//     it the lanes carry their colours.
//
// Each pair of lanes has a bit of the setting of its own, so any colouring is that of a setting,
// and the properties read it from there. The register behind each stage (Pipe = 1) lets the solver
// look at one stage at a time.
`default_nettype none

module multistage_level_properties #(
  parameter int Kind       = 0,                      // 0: Benes, 4: Waksman
  parameter int Ports      = 2,
  parameter bit Fewer      = Kind == 4,
  parameter int Levels     = $clog2(Ports),
  parameter int Stages     = 2 * Levels - 1,
  parameter int UnitBits   = Stages > 1 ? $clog2(Stages) : 1,
  parameter int Settings   = Ports / 2,
  parameter int Columns    = (Settings + 31) / 32,
  parameter int ColumnBits = Columns > 1 ? $clog2(Columns) : 1
) (
  input  wire                  clk_i,
  input  wire                  fetch_i,
  input  wire                  order_i,
  input  wire [Ports-1:0]      lanes_i,
  input  wire                  host_we_table_i,
  input  wire                  host_re_memory_i,
  input  wire [UnitBits-1:0]   host_unit_i,
  input  wire                  host_row_i,
  input  wire [ColumnBits-1:0] host_column_i,
  input  wire [31:0]           host_data_i,
  output wire                  cover_crossed_o
);

  wire [Ports-1:0] lanes;

  rc_multistage_network #(.Kind(Kind), .Ports(Ports), .LaneBits(1), .Rows(2)) u_network (
    .clk_i, .ce_i(1'b1), .fetch_i, .order_i, .side_i(1'b0), .fetch_o(), .order_o(), .side_o(),
    .lanes_i, .lanes_o(lanes),
    .host_we_table_i, .host_re_memory_i, .host_unit_i, .host_row_i, .host_column_i, .host_data_i,
    .host_rdata_o()
  );

  // Lanes, from before the first stage to behind the last, and what crosses them.
  wire [Ports-1:0]  word    [Stages+1];
  wire [Stages-1:0] crossed;

  assign word[0] = lanes_i;
  always_comb assert (lanes == word[Stages]);

  logic past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= 1'b1;

  for (genvar s = 0; s < Stages; s++) begin : \u_network.g_stage
    localparam bit Back  = s >= Levels;
    localparam int Level = Back ? Stages - 1 - s : s;

    (* hierconn *) wire [Settings-1:0] \u_stage.setting ;
    (* hierconn *) wire [Ports-1:0]    \u_stage.lanes_o ;
    wire  [Ports-1:0] colour, half, sorted, returned, switched;
    logic [Ports-1:0] expected_q;

    for (genvar b = 0; b < 1 << Level; b++) begin : g_block
      localparam int First = (b * Ports) >> Level;
      localparam int Next  = ((b + 1) * Ports) >> Level;
      localparam int High  = ((2 * b + 1) * Ports) >> (Level + 1);
      localparam int Lower = High - First;
      localparam int Upper = Next - High;

      for (genvar i = 0; i < (Lower > Upper ? Lower : Upper); i++) begin : g_place
        localparam bit Alone = i >= Lower || i >= Upper ||
            (Back && Lower == Upper && i == Lower - 1 && (Lower == 1 || Fewer));
        wire cross = Alone ? 1'b0 : \u_stage.setting [Alone ? 0 : First / 2 + i];

        if (i < Lower) begin : g_lower
          localparam int Other = Alone ? First + i : High + i;
          assign half[First+i]   = 1'b0;
          assign colour[First+i] = cross;
          assign switched[First+i] = cross ? word[s][Other] : word[s][First+i];
          assign sorted[First+i]   = cross ? colour[Other] : colour[First+i];
          assign returned[First+i] = cross ? half[Other] : half[First+i];
        end
        if (i < Upper) begin : g_upper
          localparam int Other = Alone ? High + i : First + i;
          assign half[High+i]   = 1'b1;
          assign colour[High+i] = ~cross;
          assign switched[High+i] = cross ? word[s][Other] : word[s][High+i];
          assign sorted[High+i]   = cross ? colour[Other] : colour[High+i];
          assign returned[High+i] = cross ? half[Other] : half[High+i];
        end
      end
    end

    always_ff @(posedge clk_i) expected_q <= switched;
    always_comb begin
      assert (sorted == half && returned == colour);
      if (past_q) assert (\u_stage.lanes_o == expected_q);
    end

    assign word[s+1]  = \u_stage.lanes_o ;
    assign crossed[s] = colour != half || s >= Levels;
  end

  // Interesting: on the way in no stage is all straight.
  assign cover_crossed_o = &crossed;

endmodule

`default_nettype wire
