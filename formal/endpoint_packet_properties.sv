// SPDX-License-Identifier: Apache-2.0
// endpoint_packet_properties: without barriers, a receipt is reported exactly when all flits of a
// packet have arrived.
//
//  1. After a row, a packet is reported as complete exactly if the row is the last row of a packet
//     and a flit arrived in each of the last Flits cycles, which are those of the packet. Earlier
//     arrivals, or missing ones, make no difference.
//
// Rows of RowCycles cycles follow each other. Assumed of the receive program: a packet has entries
// in Flits / RowCycles consecutive rows, with `more` set in each except the last. Packets may
// follow each other immediately, or after any number of rows; any words may arrive.
`default_nettype none

module endpoint_packet_properties #(
  parameter int Flits      = 4,                      // of a packet: a power of two >= 2
  parameter int RowCycles  = 2,                      // a divisor of Flits
  parameter int Width      = 2,
  parameter int Packets    = 2,
  parameter int Rows       = 4,
  parameter int PacketBits = $clog2(Packets),
  parameter int FlitBits   = $clog2(Flits),
  parameter int RowBits    = $clog2(Rows)
) (
  input  wire                  clk_i,
  input  wire                  forward_i,
  input  wire                  send_fetch_i,
  input  wire [RowBits-1:0]    send_row_i,
  input  wire                  tx_en_i,
  input  wire [RowBits-1:0]    recv_row_i,
  input  wire [Width:0]        lane_i,
  input  wire                  host_we_recv_i,
  input  wire [RowBits-1:0]    host_row_i,
  input  wire [31:0]           host_data_i,
  output wire                  cover_complete_o,
  output wire                  cover_after_o
);

  localparam int PacketRows = Flits / RowCycles;
  localparam int CountBits  = $clog2(Flits) + 1;

  // A reset, a start, then a row every RowCycles cycles.
  logic [3:0]           age_q = '0;
  logic [CountBits-1:0] cycle_q = '0;                // cycle of the row on the lane
  logic [FlitBits-1:0]  flit_q = '0;
  wire                  seen    = age_q >= 4'd3;
  wire                  row_end = cycle_q == CountBits'(RowCycles - 1);
  wire                  fetch   = seen ? row_end : 1'b1;

  always_ff @(posedge clk_i) begin
    if (!seen) age_q <= age_q + 1'b1;
    cycle_q <= seen && !row_end ? cycle_q + 1'b1 : '0;
    flit_q  <= seen ? flit_q + 1'b1 : '0;
  end

  wire [31:0] obs;

  rc_endpoint #(.Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)) u_endpoint (
    .clk_i, .rst_i(age_q < 4'd2), .start_i(age_q == 4'd2), .clear_i(age_q <= 4'd2),
    .forward_i, .same_flit_i(1'b1),
    .send_fetch_i, .send_row_i, .tx_en_i,
    .tx_flit_i(flit_q), .lane_o(),
    .recv_fetch_i(fetch), .recv_row_i, .rx_en_i(seen), .rx_last_i(row_end), .rx_flit_i(flit_q),
    .lane_i, .obs_o(obs),
    .list_i('0), .count_o(), .base_i('0), .rx_base_i('0),
    .excess_i('0), .rx_excess_i('0), .last_packet_i('0), .recv_prefetch_i(1'b0),
    .packets_i('0), .stream_i(1'b0),
    .lane_en_i(1'b0), .lane_flit_i('0), .operation_i('0),
    .host_req_i(1'b1), .host_all_i(1'b1), .host_node_i(1'b0),
    .host_we_send_i(1'b0), .host_we_recv_i, .host_we_packet_i(1'b0), .host_re_memory_i(~row_end),
    .host_re_send_i(1'b0), .host_re_recv_i(1'b0), .host_re_packet_i(1'b0), .host_re_flags_i(1'b1),
    .host_row_i, .host_packet_i('0), .host_flit_i('0), .host_data_i
  );

  // The program: place_q counts the earlier rows of the packet.
  (* hierconn *) wire \u_endpoint.recv_valid , \u_endpoint.recv_more ;
  wire                  valid = \u_endpoint.recv_valid , more = \u_endpoint.recv_more ;
  logic [CountBits-1:0] place_q = '0;
  wire                  last_row = place_q == CountBits'(PacketRows - 1);

  always_ff @(posedge clk_i) begin
    if (!seen) place_q <= '0;
    else if (row_end) place_q <= valid && !last_row ? place_q + 1'b1 : '0;
  end

  always_comb if (seen) begin
    if (valid) assume (more == !last_row);
    if (place_q != '0) assume (valid);
  end

  // came[f]: a flit arrived f cycles ago.
  wire [Flits-1:0] came;
  assign came[0] = lane_i[Width];
  for (genvar f = 1; f < Flits; f++) begin : g_came
    logic came_q = 1'b0;
    always_ff @(posedge clk_i) came_q <= came[f-1];
    assign came[f] = came_q;
  end

  logic reported_q = 1'b0, whole_q;                      // a row has ended; it completed a packet
  always_ff @(posedge clk_i) begin
    reported_q <= seen && row_end;
    whole_q <= valid && last_row && came == '1;
  end
  always_comb if (reported_q) receipt: assert (obs[31] == whole_q);
  always_comb if (seen) begin
    place: assert (place_q < CountBits'(PacketRows) && cycle_q < CountBits'(RowCycles));
  end

  // Covers: a packet that is complete although earlier flits set flags; a packet that follows
  // another immediately.
  logic [CountBits-1:0] ago_q = '1;                  // cycles since the last receipt, saturating
  always_ff @(posedge clk_i) begin
    if (reported_q && obs[31]) ago_q <= CountBits'(1);
    else if (ago_q != '1) ago_q <= ago_q + 1'b1;
  end

  assign cover_complete_o = reported_q && obs[31] && (obs[29] || obs[30]);
  assign cover_after_o   = reported_q && obs[31] && ago_q == CountBits'(Flits);

endmodule

`default_nettype wire
