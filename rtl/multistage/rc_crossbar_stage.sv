// SPDX-License-Identifier: Apache-2.0
// rc_crossbar_stage: a stage of crossbars and its table of settings.
//
// Crossbars form groups of Stride; each crossbar of a group has every Stride-th lane of the group.
// With Inputs = 3, Outputs = 2, the crossbar of each lane is:
//
//     Stride 2, Crossbars 2     before the stage   0 1 0 1 0 1   after the stage   0 1 0 1
//     Stride 1, Crossbars 2                        0 0 0 1 1 1                     0 0 1 1
//
// A row of the table has one field per lane after the stage, in the order of the lanes
// (rc_crossbar.sv), as many in a column as fit. Row setting_index_i is read when fetch_i is high
// and sets the crossbars from the next cycle on, until the next fetch.
`default_nettype none
`include "../common/rc_require.svh"

module rc_crossbar_stage #(
  parameter int Inputs      = 1,                     // of a crossbar, >= 1
  parameter int Outputs     = 1,                     // of a crossbar, >= 1
  parameter int Crossbars   = 1,                     // a multiple of Stride, >= 1
  parameter int Stride      = 1,                     // >= 1
  parameter bit Registered  = 1,                     // pipeline register after the crossbars
  parameter int LaneBits    = 1,
  parameter int Rows        = 2,                     // rows of the table, a power of two >= 2
  localparam int FieldBits  = rc_multistage_shape::field_bits(Inputs),
  localparam int Columns    = rc_multistage_shape::words(Crossbars * Outputs, FieldBits),
  parameter int HostColumns = Columns,               // largest number of columns of any stage
  parameter bit [1023:0] Init = '0,                  // of rc_initial.sv
  localparam int RowBits    = $clog2(Rows),
  localparam int ColumnBits = HostColumns > 1 ? $clog2(HostColumns) : 1
) (
  input  wire                                  clk_i,
  input  wire                                  ce_i,
  input  wire                                  fetch_i,
  input  wire [RowBits-1:0]                    setting_index_i,
  input  wire [Crossbars*Inputs*LaneBits-1:0]  lanes_i,
  output wire [Crossbars*Outputs*LaneBits-1:0] lanes_o,
  // host port; used while the machine is idle
  // the table of a stage is written
  input  wire                                  host_we_table_i,
  input  wire                                  host_select_i,    // this stage is selected
  input  wire [RowBits-1:0]                    host_row_i,
  input  wire [ColumnBits-1:0]                 host_column_i,
  input  wire [31:0]                           host_data_i,
  // the addressed column of the fetched row
  output wire [31:0]                           host_rdata_o
);

  `RC_REQUIRE(Inputs, Inputs >= 1, "Inputs must be 1 or more")
  `RC_REQUIRE(Outputs, Outputs >= 1, "Outputs must be 1 or more")
  `RC_REQUIRE(Crossbars,
              Stride >= 1 && Crossbars >= 1 && Crossbars % (Stride < 1 ? 1 : Stride) == 0,
              "Crossbars must be a multiple of Stride, and that 1 or more")

  wire [Crossbars*Outputs*FieldBits-1:0] setting;

  rc_setting_table #(
    .Fields(Crossbars * Outputs), .FieldBits(FieldBits), .Rows(Rows), .HostColumns(HostColumns),
    .Init(Init)
  ) u_table (
    .clk_i, .fetch_i, .row_i(setting_index_i), .setting_o(setting),
    .host_we_table_i, .host_select_i, .host_row_i, .host_column_i, .host_data_i, .host_rdata_o
  );

  for (genvar c = 0; c < Crossbars; c++) begin : g_crossbar
    // Not a function of the lane, because Yosys is slow with functions that are called for many
    // lanes.
    localparam int Group  = c / Stride * Stride;     // first crossbar of the group
    localparam int Before = Group * Inputs + c - Group;  // first lane before; next: after
    localparam int After = Group * Outputs + c - Group;

    wire [Inputs*LaneBits-1:0]   into;
    wire [Outputs*LaneBits-1:0]  out;
    wire [Outputs*FieldBits-1:0] fields;

    for (genvar i = 0; i < Inputs; i++) begin : g_input
      localparam int Lane = Before + i * Stride;
      assign into[i*LaneBits +: LaneBits] = lanes_i[Lane*LaneBits +: LaneBits];
    end

    for (genvar o = 0; o < Outputs; o++) begin : g_output
      localparam int Lane = After + o * Stride;
      assign fields[o*FieldBits +: FieldBits]    = setting[Lane*FieldBits +: FieldBits];
      assign lanes_o[Lane*LaneBits +: LaneBits] = out[o*LaneBits +: LaneBits];
    end

    rc_crossbar #(
      .Inputs(Inputs), .Outputs(Outputs), .Registered(Registered), .LaneBits(LaneBits)
    ) u_crossbar (.clk_i, .ce_i, .setting_i(fields), .lanes_i(into), .lanes_o(out));
  end

endmodule

`default_nettype wire
