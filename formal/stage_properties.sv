// SPDX-License-Identifier: Apache-2.0
// stage_properties: the function of a stage, for any table contents, writes, fetches and words.
//
//  1. A lane without a switch keeps its own word. The two lanes of a switch carry the words of the
//     same two lanes, straight or crossed. Therefore no word is lost, copied or changed, and none
//     leaves its switch.
//  2. The lanes are crossed if the setting of the switch is 1. The host reads the setting. With
//     Copies, each of the two lanes has its own setting: 0 selects its own word, 1 the word of the
//     other lane. Therefore no word is invented or changed, and none leaves its switch.
//  3. A registered stage keeps its words without clock enable.
//  4. The settings change only after a fetch: writes to the table do not change them.
//
// The reference finds the two lanes of a switch by counting from the first lane of the first block,
// without the divisions of rc_multistage_shape.sv.
`default_nettype none

module stage_properties #(
  parameter int Ports      = 0,
  parameter int Level      = 0,
  parameter bit Joins      = 0,
  parameter bit Fewer      = 0,
  parameter bit Copies     = 0,
  parameter bit Registered = 1,
  parameter int LaneBits   = 0,
  parameter int Rows       = 0,
  parameter int RowBits    = $clog2(Rows)
) (
  input  wire                      clk_i,
  input  wire                      ce_i,
  input  wire                      fetch_i,
  input  wire [RowBits-1:0]        setting_index_i,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  input  wire                      host_we_table_i,
  input  wire                      host_select_i,
  input  wire [RowBits-1:0]        host_row_i,
  input  wire [31:0]               host_data_i,
  output wire                      cover_mixed_o,
  output wire                      cover_copied_o,
  output wire                      cover_refetched_o
);

  wire [Ports*LaneBits-1:0] lanes;
  wire [31:0]               setting;

  rc_stage #(
    .Ports(Ports), .Level(Level), .Joins(Joins), .Fewer(Fewer), .Copies(Copies),
    .Registered(Registered), .LaneBits(LaneBits), .Rows(Rows)
  ) u_stage (
    .clk_i, .ce_i, .operation_i(3'd0), .fetch_i, .setting_index_i, .lanes_i, .lanes_o(lanes),
    .host_we_table_i, .host_select_i,
    .host_row_i, .host_column_i(1'b0), .host_data_i, .host_rdata_o(setting)
  );

  // Returns the other lane of the switch of a lane, or the lane itself if it has no switch. Lanes
  // are assigned to blocks so that the first b blocks of 2^level have floor(b * ports / 2^level)
  // lanes, and to the halves of a block as if these were blocks of the next level.
  function automatic int partner(input int ports, input int level, input int joins, input int lane);
    int half, begins, ends, middle, b;
    begins = 0;
    middle = 0;
    ends   = 0;
    for (b = 1; b <= 2 ** level; b = b + 1) begin
      if (ends <= lane) begin
        begins = ends;
        while ((middle + 1) * 2 ** (level + 1) <= (2 * b - 1) * ports) middle = middle + 1;
        while ((ends + 1) * 2 ** level <= b * ports) ends = ends + 1;
      end
    end
    half = lane < middle ? lane - begins : lane - middle;
    partner = lane < middle ? middle + half : begins + half;
    if (half >= middle - begins || half >= ends - middle || (joins != 0 && ends - begins == 2))
      partner = lane;
    // The last lanes of halves of equal length have no switch in a Waksman network.
    if (Fewer && joins != 0 && half + 1 == middle - begins && half + 1 == ends - middle)
      partner = lane;
  endfunction

  // Returns the switch of a lane: half the first lane of its block plus its place in its half.
  function automatic int switch_of(input int ports, input int level, input int lower);
    int b;
    b = 0;
    while ((b + 1) * ports / 2 ** level <= lower) b = b + 1;
    switch_of = b * ports / 2 ** level / 2 + lower - b * ports / 2 ** level;
  endfunction

  wire [Ports*LaneBits-1:0] switched;
  wire [Ports-1:0]          straight, crossed, upper, lower;
  for (genvar j = 0; j < Ports; j++) begin : g_lane
    localparam int Partner = partner(Ports, Level, Joins, j);
    localparam int Switch  = switch_of(Ports, Level, Partner < j ? Partner : j);
    localparam int Field   = Copies ? j : Switch;
    if (Partner == j) begin : g_passes
      assign switched[j*LaneBits +: LaneBits] = lanes_i[j*LaneBits +: LaneBits];
      assign straight[j] = 1'b0;
      assign crossed[j]  = 1'b0;
      assign upper[j]    = 1'b0;
      assign lower[j]    = 1'b0;
    end else begin : g_switched
      assign switched[j*LaneBits +: LaneBits] =
          setting[Field] ? lanes_i[Partner*LaneBits +: LaneBits] : lanes_i[j*LaneBits +: LaneBits];
      assign straight[j] = ~setting[Field];
      assign crossed[j]  = setting[Field];
      assign upper[j]    = Copies & Partner > j & ~setting[Field] & setting[Copies ? Partner : 0];
      assign lower[j]    = Copies & Partner < j & ~setting[Field] & setting[Copies ? Partner : 0];
    end
  end

  logic                     past_q = 1'b0;           // the registers below hold the cycle before
  logic                     fetch_q;
  logic [31:0]              setting_q;
  logic [Ports*LaneBits-1:0] expected_q;

  always_ff @(posedge clk_i) begin
    past_q     <= 1'b1;
    fetch_q    <= fetch_i;
    setting_q  <= setting;
    expected_q <= ce_i ? switched : lanes;
  end

  if (Registered) begin : g_register
    always_comb if (past_q) as_switched: assert (lanes == expected_q);
  end else begin : g_wire
    always_comb as_switched: assert (lanes == switched);
  end

  always_comb if (past_q && !fetch_q) same_settings: assert (setting == setting_q);

  // Covers: one switch is crossed and another straight (if there are two); one switch copies the
  // word of its upper lane and another that of its lower lane; a fetch changes the settings.
  wire [Ports-1:0] but_one = (crossed | straight) & ((crossed | straight) - 1'b1);
  wire             single  = (but_one & (but_one - 1'b1)) == '0;
  assign cover_mixed_o     = (crossed != '0) & (single | (straight != '0)) & (switched != lanes_i);
  assign cover_copied_o    = (upper != '0) & (lower != '0) & (switched != lanes_i);
  assign cover_refetched_o = past_q & fetch_q & (setting != setting_q);

endmodule

`default_nettype wire
