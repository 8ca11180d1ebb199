// SPDX-License-Identifier: Apache-2.0
// endpoint_properties: when an endpoint raises its flags and reports a packet, for any programs and
// words.
//
// A flit is expected when rx_en_i is high and the row that was fetched last has a packet to
// receive.
//
//  1. Unexpected rises a cycle after a word arrives that is not expected, missing one after an
//     expected one does not; both stay until the next start, and rise for no other reason.
//  2. A packet is reported, a cycle after rx_last_i, as complete exactly if that flit is expected
//     and arrives, its row is not one that goes on in the next, and since the fetch of the packet's
//     first row nothing was missing or unexpected. That first row is the last fetched row whose
//     predecessor does not continue.
//  3. A word leaves one cycle after tx_en_i only if the row fetched for sending has a packet to
//     send; when none leaves the lane is 0, so that an idle lane carries nothing.
//  4. If it has one and no word leaves, `not held` rises a cycle after, and for no other reason; it
//     stays until the next start.
//  5. A word that is stored in a run with forwarding leaves in the next cycle, if it is due then.
//
// Assumed: a packet's first row is fetched at least every eighth cycle (rule 2 remembers no more
// than that); runs are with or without forwarding from the first cycle to the last.
`default_nettype none

module endpoint_properties #(
  parameter int Width      = 2,
  parameter int Packets    = 2,
  parameter int Flits      = 2,
  parameter int Rows       = 2,
  parameter int Region     = 1,
  parameter int PacketBits = $clog2(Packets),
  parameter int FlitBits   = $clog2(Flits),
  parameter int RowBits    = $clog2(Rows)
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  start_i,
  input  wire                  forward_i,
  input  wire                  send_fetch_i,
  input  wire [RowBits-1:0]    send_row_i,
  input  wire                  tx_en_i,
  input  wire [FlitBits-1:0]   tx_flit_i,
  input  wire                  recv_fetch_i,
  input  wire [RowBits-1:0]    recv_row_i,
  input  wire                  rx_en_i,
  input  wire                  rx_last_i,
  input  wire [FlitBits-1:0]   rx_flit_i,
  input  wire [Width:0]        lane_i,
  input  wire                  host_we_send_i,
  input  wire                  host_we_recv_i,
  input  wire                  host_we_packet_i,
  input  wire [RowBits-1:0]    host_row_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i,
  input  wire [31:0]           host_data_i,
  output wire                  cover_flags_o,
  output wire                  cover_complete_o,
  output wire                  cover_continues_o,
  output wire                  cover_sent_o,
  output wire                  cover_forwarded_o
);

  wire [Width:0] lane;
  wire [31:0]    obs;

  rc_endpoint #(.Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)) u_endpoint (
    .clk_i, .rst_i, .start_i, .forward_i, .same_flit_i(rx_en_i && rx_flit_i == tx_flit_i),
    .send_fetch_i, .send_row_i, .tx_en_i, .tx_flit_i, .lane_o(lane),
    .recv_fetch_i, .recv_row_i, .rx_en_i, .rx_last_i, .rx_flit_i, .lane_i, .obs_o(obs), .list_i('0),
    .count_o(),
    .base_i('0), .rx_base_i('0), .packets_i('0),
    .host_req_i(1'b1), .host_all_i(1'b1), .host_node_i(1'b0),
    .host_we_send_i, .host_we_recv_i, .host_we_packet_i, .host_re_memory_i(1'b1),
    .host_re_send_i(1'b0), .host_re_recv_i(1'b0), .host_re_packet_i(1'b0), .host_re_flags_i(1'b1),
    .host_row_i, .host_packet_i, .host_flit_i, .host_data_i
  );

  // The fetched rows of the programs: the receive program's for 1 and 2 (Region = 1), that of the
  // send program, too, for 3, 4 and 5 (Region = 0). The property does not see into the packet
  // memory: which words are held is left to the testbench.
  (* hierconn *) wire \u_endpoint.entry_valid , \u_endpoint.recv_valid , \u_endpoint.recv_more ;
  (* hierconn *) wire [PacketBits-1:0] \u_endpoint.entry , \u_endpoint.recv_packet ;

  // From the third cycle on a row has been fetched; the first is a reset, which lowers the flags.
  logic [2:0] age_q = '0;
  wire        seen = age_q >= 3'd3;
  always_ff @(posedge clk_i) if (!seen) age_q <= age_q + 1'b1;
  always_comb if (!seen) assume (rst_i);

  if (Region == 1) begin : g_receive
    logic [2:0] since_q = '0;                       // cycles since a packet's first row was fetched
    logic       unexpected_q = 1'b0, missing_q = 1'b0, broken_q, went_on_q = 1'b0;
    logic       complete_q, whole_q, went_q;        // what is reported; by then, for the covers
    wire        more       = \u_endpoint.recv_more ;
    wire        valid      = \u_endpoint.recv_valid ;
    wire        arrived    = lane_i[Width];
    wire        expected   = rx_en_i && valid;
    wire        unexpected = arrived && !expected;
    wire        missing    = expected && !arrived;
    wire        first_row  = recv_fetch_i && !(valid && more);

    always_ff @(posedge clk_i) begin
      since_q      <= first_row ? 3'd0 : since_q + 3'd1;
      went_on_q    <= !first_row && (went_on_q || recv_fetch_i);
      unexpected_q <= !rst_i && !start_i && (unexpected_q || unexpected);
      missing_q    <= !rst_i && !start_i && (missing_q || missing);
      broken_q     <= !rst_i && !start_i && !first_row && (broken_q || unexpected || missing);
      if (rx_last_i || rst_i)
        complete_q <= !rst_i && expected && arrived && !more && !broken_q;
      whole_q <= rx_last_i && rx_flit_i == '1 && !unexpected_q && !missing_q;
      went_q  <= went_on_q;
    end

    always_comb if (since_q == 3'd7) assume (first_row);
    always_comb if (!seen) assume (recv_fetch_i);
    always_comb if (seen) begin
      unexpected_rises: assert (obs[29] == unexpected_q);
      missing_rises: assert (obs[30] == missing_q);
      complete: assert (obs[31] == complete_q);
    end

    assign cover_flags_o    = seen && unexpected_q && missing_q && !unexpected && !missing;
    assign cover_complete_o = seen && obs[31] && whole_q;
    assign cover_continues_o = cover_complete_o && went_q;
    assign cover_sent_o     = 1'b0;
    assign cover_forwarded_o = 1'b0;
  end else begin : g_send
    logic           sending_q, not_held_q = 1'b0, forwarded_q, forward_q;
    logic [Width:0] lane_q;
    wire            not_held = sending_q && !lane[Width];
    wire            valid    = \u_endpoint.entry_valid ;
    wire            stored   = rx_en_i && \u_endpoint.recv_valid ;
    wire            same     = \u_endpoint.entry == \u_endpoint.recv_packet &&
        tx_flit_i == rx_flit_i;

    always_ff @(posedge clk_i) begin
      sending_q  <= tx_en_i && valid;
      not_held_q <= !rst_i && !start_i && (not_held_q || (seen && not_held));
      forwarded_q <= forward_i && tx_en_i && valid && stored && same;
      forward_q   <= forward_i;
      lane_q      <= lane_i;
    end

    always_comb if (age_q != '0) assume (forward_i == forward_q);

    always_comb if (seen) begin
      idle_lane: assert (sending_q || lane == '0);
      not_held_rises: assert (obs[28] == not_held_q);
      if (forwarded_q) forwarded: assert (lane == lane_q);
    end

    assign cover_flags_o    = seen && not_held_q && !not_held;
    assign cover_complete_o  = 1'b0;
    assign cover_continues_o = 1'b0;
    assign cover_sent_o      = seen && lane == '1;
    assign cover_forwarded_o = seen && forwarded_q && lane == '1;
  end

endmodule

`default_nettype wire
