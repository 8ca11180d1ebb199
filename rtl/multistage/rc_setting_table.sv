// SPDX-License-Identifier: Apache-2.0
// rc_setting_table: the settings of the switches of a stage, one row for each row of the schedule.
//
// A setting is a field of FieldBits bits; a mask (rc_mask_settings.sv) is a single field. A row is
// divided into columns of 32 / FieldBits fields, the first in the lowest bits; the host writes one
// column at a time. row_i is read when fetch_i is high, and its setting is on setting_o from the
// next cycle on, until the next fetch.
`default_nettype none
`include "../common/rc_require.svh"

module rc_setting_table #(
  parameter int Fields      = 1,                     // >= 1
  parameter int FieldBits   = 1,                     // 1 ... 32
  parameter int Rows        = 2,                     // a power of two >= 2
  localparam int Columns    = rc_multistage_shape::words(Fields, FieldBits),
  parameter int HostColumns = Columns,               // largest number of columns of any stage
  parameter bit [1023:0] Init = '0,                  // initial contents (rc_initial.sv)
  localparam int RowBits    = $clog2(Rows),
  localparam int ColumnBits = HostColumns > 1 ? $clog2(HostColumns) : 1
) (
  input  wire                        clk_i,
  input  wire                        fetch_i,
  input  wire [RowBits-1:0]          row_i,
  output wire [Fields*FieldBits-1:0] setting_o,
  // host port; used while the machine is idle
  input  wire                        host_we_table_i,  // the table of a stage is written
  input  wire                        host_select_i,    // this stage is selected
  input  wire [RowBits-1:0]          host_row_i,
  input  wire [ColumnBits-1:0]       host_column_i,
  input  wire [31:0]                 host_data_i,
  // the addressed column of the fetched row; 0 if there is no such column
  output wire [31:0]                 host_rdata_o
);

  `RC_REQUIRE(Fields, Fields >= 1, "Fields must be 1 or more")
  `RC_REQUIRE(FieldBits, FieldBits >= 1 && FieldBits <= 32, "FieldBits must be 1 to 32")
  `RC_REQUIRE(Rows, Rows >= 2 && (Rows & (Rows - 1)) == 0, "Rows must be a power of two, 2 or more")

  localparam int InColumn = 32 / FieldBits;

  wire [31:0] column [1 << ColumnBits];

  for (genvar c = 0; c < Columns; c++) begin : g_column
    localparam int Size = FieldBits * (c < Columns - 1 ? InColumn : Fields - c * InColumn);
    rc_ram #(.Width(Size), .Depth(Rows), .Init(rc_initial::part(Init, "-", c))) u_table (
      .clk_i,
      .strobe_i(host_we_table_i),
      .we_i(host_select_i && (HostColumns == 1 || host_column_i == ColumnBits'(c))),
      .waddr_i(host_row_i),
      .wdata_i(host_data_i[Size-1:0]),
      .re_i(fetch_i),
      .raddr_i(row_i),
      .rdata_o(setting_o[c*InColumn*FieldBits +: Size])
    );
    assign column[c] = 32'(setting_o[c*InColumn*FieldBits +: Size]);
  end

  wire unused = &{1'b0, host_column_i, host_data_i};

  for (genvar c = Columns; c < 1 << ColumnBits; c++) begin : g_no_column
    assign column[c] = '0;
  end

  if (HostColumns == 1) begin : g_one_column
    wire unused_column = &{1'b0, column[1]};
    assign host_rdata_o = column[0];
  end else begin : g_columns
    logic [ColumnBits-1:0] column_q;
    always_ff @(posedge clk_i) begin
      if (fetch_i) column_q <= host_column_i;
    end
    assign host_rdata_o = column[column_q];
  end

endmodule

`default_nettype wire
