// stage: a column of Ports/2 switches and the table that sets them.
//
// Switch sw owns the lanes  low = (sw >> Bit << (Bit+1)) | (sw & (2^Bit - 1))  and  low + 2^Bit. For
// Ports = 8:
//
//     Bit 2: (0,4) (1,5) (2,6) (3,7)    Bit 1: (0,2) (1,3) (4,6) (5,7)    Bit 0: (0,1) (2,3) (4,5) (6,7)
//
// The table holds a row of Ports/2 settings for each row of the schedule, switch sw in bit sw. It is
// cut into columns of 32 settings, which is what the host port writes at a time. row_i is read when
// fetch_i is high and sets the switches from the next cycle on, until the next fetch.
`default_nettype none

module stage #(
  parameter int Ports      = 0,                      // lanes, a power of two >= 2
  parameter int Bit        = 0,                      // the lanes of a switch differ in this bit
  parameter bit Registered = 1,                      // a pipeline register behind the switches
  parameter int LaneBits   = 0,
  parameter int Rows       = 0,                      // rows of the table, a power of two >= 2
  parameter int RowBits    = $clog2(Rows),
  parameter int Columns    = (Ports / 2 + 31) / 32,
  parameter int ColumnBits = Columns > 1 ? $clog2(Columns) : 1
) (
  input  wire                      clk_i,
  input  wire                      ce_i,
  input  wire                      fetch_i,
  input  wire [RowBits-1:0]        row_i,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire [Ports*LaneBits-1:0] lanes_o,
  // host port, when the machine is idle
  input  wire                      host_strobe_i,    // some stage's table is written
  input  wire                      host_we_i,        // this stage's table is
  input  wire [RowBits-1:0]        host_row_i,
  input  wire [ColumnBits-1:0]     host_column_i,
  input  wire [31:0]               host_wdata_i,
  output wire [31:0]               host_rdata_o      // the column of the row that was fetched
);

  localparam int Switches   = Ports / 2;
  localparam int ColumnSize = Switches < 32 ? Switches : 32;

  wire [Switches-1:0] setting;
  wire [31:0]         column [Columns];

  for (genvar c = 0; c < Columns; c++) begin : g_column
    ram #(.Width(ColumnSize), .Depth(Rows)) u_table (
      .clk_i,
      .strobe_i(host_strobe_i),
      .we_i(host_we_i && (Columns == 1 || host_column_i == ColumnBits'(c))),
      .waddr_i(host_row_i),
      .wdata_i(host_wdata_i[ColumnSize-1:0]),
      .re_i(fetch_i),
      .raddr_i(row_i),
      .rdata_o(setting[c*ColumnSize +: ColumnSize])
    );
    assign column[c] = 32'(setting[c*ColumnSize +: ColumnSize]);
  end

  if (Columns == 1) begin : g_one_column
    assign host_rdata_o = column[0];
    wire unused = &{1'b0, host_column_i, host_wdata_i};
  end else begin : g_columns
    logic [ColumnBits-1:0] column_q;
    always_ff @(posedge clk_i) begin
      if (fetch_i) column_q <= host_column_i;
    end
    assign host_rdata_o = column[column_q];
  end

  for (genvar sw = 0; sw < Switches; sw++) begin : g_switch
    localparam int Low  = ((sw >> Bit) << (Bit + 1)) | (sw & ((1 << Bit) - 1));
    localparam int High = Low | (1 << Bit);
    switch2 #(.LaneBits(LaneBits), .Registered(Registered)) u_switch (
      .clk_i,
      .ce_i,
      .setting_i(setting[sw]),
      .low_i(lanes_i[Low*LaneBits +: LaneBits]),
      .high_i(lanes_i[High*LaneBits +: LaneBits]),
      .low_o(lanes_o[Low*LaneBits +: LaneBits]),
      .high_o(lanes_o[High*LaneBits +: LaneBits])
    );
  end

endmodule

`default_nettype wire
