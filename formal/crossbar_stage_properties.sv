// SPDX-License-Identifier: Apache-2.0
// crossbar_stage_properties: the function of a stage of crossbars, for any table contents, writes,
// fetches and words.
//
//  1. A lane after the stage carries the word of the lane before it that its field selects: field
//     i + 1 selects input i of the crossbar of the lane; a field that selects no input delivers
//     zeros. The host reads the fields column by column.
//  2. A registered stage keeps its words without clock enable.
//  3. The settings change only after a fetch: writes to the table do not change them.
//  4. A column that the stage does not implement is read as 0.
//
// The reference assigns lanes to crossbars one after the other: to the crossbars of a group in
// turn, until each has all of its lanes, then to the next group.
`default_nettype none

module crossbar_stage_properties #(
  parameter int Inputs     = 0,
  parameter int Outputs    = 0,
  parameter int Crossbars  = 0,
  parameter int Stride     = 1,
  parameter bit Registered = 1,
  parameter int LaneBits   = 0,
  parameter int Rows       = 0,
  parameter int RowBits    = $clog2(Rows),
  parameter int FieldBits  = $clog2(Inputs + 1)
) (
  input  wire                                 clk_i,
  input  wire                                 ce_i,
  input  wire                                 fetch_i,
  input  wire [RowBits-1:0]                   setting_index_i,
  input  wire [Crossbars*Inputs*LaneBits-1:0] lanes_i,
  input  wire                                 host_we_table_i,
  input  wire                                 host_select_i,
  input  wire [RowBits-1:0]                   host_row_i,
  input  wire                                 host_column_i,
  input  wire [31:0]                          host_data_i,
  output wire                                 cover_far_o,
  output wire                                 cover_refetched_o
);

  localparam int After   = Crossbars * Outputs;
  localparam int InColumn = 32 / FieldBits;
  localparam int Columns  = (After + InColumn - 1) / InColumn;

  wire [After*LaneBits-1:0] lanes;
  wire [31:0]                column;

  // HostColumns is 2, whether the table has one column or two.
  rc_crossbar_stage #(
    .Inputs(Inputs), .Outputs(Outputs), .Crossbars(Crossbars), .Stride(Stride),
    .Registered(Registered), .LaneBits(LaneBits), .Rows(Rows), .HostColumns(2)
  ) u_stage (
    .clk_i, .ce_i, .fetch_i, .setting_index_i, .lanes_i, .lanes_o(lanes),
    .host_we_table_i, .host_select_i,
    .host_row_i, .host_column_i, .host_data_i, .host_rdata_o(column)
  );

  logic column_q;                                    // column that the host reads
  always_ff @(posedge clk_i) if (fetch_i) column_q <= host_column_i;

  // Returns the crossbar to which a lane is assigned or, if `inside` is not 0, the position of the
  // lane among the lanes of that crossbar.
  function automatic int deal(input int size, input int stride, input int lane, input int inside);
    int group, place, dealt, l;
    group = 0;
    place = 0;
    dealt = 0;
    for (l = 0; l < lane; l = l + 1) begin
      dealt = dealt + 1;
      if (dealt == stride) begin
        dealt = 0;
        place = place + 1;
        if (place == size) begin
          place = 0;
          group = group + 1;
        end
      end
    end
    deal = inside != 0 ? place : group * stride + dealt;
  endfunction

  // seen[j] marks the lanes whose fields are in the column that the host reads.
  wire [After*LaneBits-1:0] switched;
  wire [After-1:0]          seen, far;
  for (genvar j = 0; j < After; j++) begin : g_lane
    wire [FieldBits-1:0] field = column[(j % InColumn)*FieldBits +: FieldBits];
    wire [(Crossbars*Inputs+1)*LaneBits-1:0] sum;
    assign sum[LaneBits-1:0] = '0;
    for (genvar k = 0; k < Crossbars * Inputs; k++) begin : g_from
      localparam bit Mine  = deal(Inputs, Stride, k, 0) == deal(Outputs, Stride, j, 0);
      localparam int Place = deal(Inputs, Stride, k, 1);
      assign sum[(k+1)*LaneBits +: LaneBits] =
          sum[k*LaneBits +: LaneBits] |
              (Mine && 32'(field) == Place + 1 ? lanes_i[k*LaneBits +: LaneBits] : '0);
    end
    assign switched[j*LaneBits +: LaneBits] = sum[Crossbars*Inputs*LaneBits +: LaneBits];
    assign seen[j] = 32'(column_q) == j / InColumn;
    assign far[j]  = seen[j] && 32'(field) == Inputs && switched[j*LaneBits +: LaneBits] != '0;
  end

  logic                      past_q = 1'b0;          // the registers below hold the cycle before
  logic                      fetch_q;
  logic [31:0]               column_word_q;
  logic [After-1:0]         seen_q;
  logic [After*LaneBits-1:0] expected_q;

  always_ff @(posedge clk_i) begin
    past_q        <= 1'b1;
    fetch_q       <= fetch_i;
    column_word_q <= column;
    seen_q        <= ce_i ? seen : '1;
    expected_q    <= ce_i ? switched : lanes;
  end

  logic known_q = 1'b0;                              // column_q is valid
  always_ff @(posedge clk_i) known_q <= known_q | fetch_i;

  for (genvar j = 0; j < After; j++) begin : g_rule
    wire [LaneBits-1:0] lane = lanes[j*LaneBits +: LaneBits];
    wire right;
    if (Registered) begin : g_register
      logic valid_q = 1'b0;
      always_ff @(posedge clk_i) valid_q <= known_q | ~ce_i;
      assign right = !valid_q || !seen_q[j] || lane == expected_q[j*LaneBits +: LaneBits];
    end else begin : g_wire
      assign right = !known_q || !seen[j] || lane == switched[j*LaneBits +: LaneBits];
    end
    always_comb assert (right);
  end

  always_comb if (known_q && 32'(column_q) >= Columns) no_column: assert (column == '0);

  always_comb if (past_q && !fetch_q) same_settings: assert (column == column_word_q);

  // Cover: the last lane carries the word of the last input of its crossbar.
  assign cover_far_o       = known_q & far[After-1];
  assign cover_refetched_o = past_q & fetch_q & known_q & (column != column_word_q);

endmodule

`default_nettype wire
