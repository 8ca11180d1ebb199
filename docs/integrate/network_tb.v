// SPDX-License-Identifier: Apache-2.0
// network_tb: a network without its shell. Each input lane carries its number, the settings come
// from an image, and the output lanes are compared with the transfers of the schedule.
// docs/integrate.md shows how to generate image.writes and transfers.hex.
module network_tb;
  parameter Ports = 8, Rows = 64, Latency = 5;  // Pipe = 1: a register after each stage

  localparam RowBits = $clog2(Rows), PortBits = $clog2(Ports);

  reg clk, we = 0, fetch = 0;
  reg [31:0] address = 0, data = 0;
  reg [RowBits-1:0] row = 0;
  wire fetched;
  wire [RowBits-1:0] row_out;
  reg  [Ports*PortBits-1:0] lanes_in;
  wire [Ports*PortBits-1:0] lanes_out;

  // The address of a table is {stage, row}, because the rows of this network have one column.
  rc_multistage_network #(
    .Kind(0), .Ports(Ports), .Pipe(1), .LaneBits(PortBits), .Rows(Rows)
  ) network (
    .clk_i(clk), .ce_i(1'b1), .operation_i(3'b0), .fetch_i(fetch), .setting_index_i(row),
    .side_i(1'b0),
    .fetch_o(fetched),
    .setting_index_o(row_out), .side_o(), .lanes_i(lanes_in), .lanes_o(lanes_out),
    .host_we_table_i(we),
    .host_re_memory_i(1'b0), .host_bank_i(address[RowBits +: 3]), .host_row_i(address[RowBits-1:0]),
    .host_column_i(1'b0), .host_data_i(data), .host_rdata_o()
  );

  initial clk = 0;
  always #5 clk = ~clk;

  reg [63:0] write [0:65535];                   // {address, data}; all ones end the list
  reg [23:0] transfer [0:65535];                // {row, source, destination}; all ones: end
  integer k, lane, transfers, errors;
  reg ready;

  initial begin
    transfers = 0; errors = 0; ready = 0;
    for (lane = 0; lane < Ports; lane = lane + 1)
      lanes_in[PortBits*lane +: PortBits] = lane[PortBits-1:0];
    $readmemh("image.writes", write);
    $readmemh("transfers.hex", transfer);
    @(negedge clk);
    for (k = 0; write[k] != {64{1'b1}}; k = k + 1) begin
      {address, data} = write[k];
      we = address[31:28] == 1;                 // only the tables: there are no endpoints
      @(negedge clk);
    end
    we = 0;
    // A row enters one cycle before its flits; here a row enters in every cycle.
    for (k = 0; k < Rows; k = k + 1) begin
      row   = k[RowBits-1:0];
      fetch = 1;
      @(negedge clk);
    end
    fetch = 0;
    repeat (Latency + 2) @(negedge clk);
    if (transfer[transfers] !== {24{1'b1}}) errors = errors + 1;
    $display("%0d transfers, %0d errors", transfers, errors);
    $finish(0);
  end

  // The row also leaves one cycle before its flits.
  reg [RowBits-1:0] ready_row;
  always @(negedge clk) begin
    if (ready) while (transfer[transfers][23:16] == {{(8-RowBits){1'b0}}, ready_row}) begin
      if (lanes_out[PortBits*transfer[transfers][7:0] +: PortBits] !==
          transfer[transfers][8 +: PortBits]) errors = errors + 1;
      transfers = transfers + 1;
    end
    ready     = fetched;
    ready_row = row_out;
  end
endmodule
