// SPDX-License-Identifier: Apache-2.0
// endpoint_properties: when an endpoint sets its flags and reports a packet, for any programs and
// words.
//
// A flit is expected when rx_en_i is high and the row that was fetched last receives a packet.
//
//  1. `unexpected` is set one cycle after a word arrives that is not expected, `missing` one cycle
//     after an expected word does not arrive; both stay until the next start, and are set for no
//     other reason.
//  2. One cycle after rx_last_i, a packet is reported as complete exactly if that flit is expected
//     and arrives, the packet does not continue in the next row, and nothing was missing or
//     unexpected since the fetch of the first row of the packet: the last fetched row whose
//     predecessor does not continue. In other cycles the flags are shown without a packet.
//  3. A word leaves one cycle after tx_en_i only if the row fetched for sending sends a packet. If
//     no word leaves, the lane is 0, so an idle lane carries nothing.
//  4. If the row sends a packet and no word leaves, `not held` is set one cycle later, and for no
//     other reason; it stays until the next start.
//  5. In a run with forwarding, a word that is stored leaves in the next cycle if it is due then.
//
// With Combine a flit is expected and arrives one cycle after it is on the lane, as in the RTL.
//
// Assumed: the first row of a packet is fetched at least every eighth cycle (the reference for rule
// 2 counts no further); runs use forwarding from the first cycle to the last, or never.
`default_nettype none

module endpoint_properties #(
  parameter int Width      = 2,
  parameter int Packets    = 2,
  parameter int Flits      = 2,
  parameter int Rows       = 2,
  parameter int Region     = 1,
  parameter int Combine    = 0,
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

  rc_endpoint #(
    .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Combine(Combine)
  ) u_endpoint (
    .clk_i, .rst_i, .start_i, .clear_i(rst_i | start_i), .forward_i,
    .same_flit_i(rx_en_i && rx_flit_i == tx_flit_i),
    .send_fetch_i, .send_row_i, .tx_en_i, .tx_flit_i, .lane_o(lane),
    .recv_fetch_i, .recv_row_i, .rx_en_i, .rx_last_i, .rx_flit_i, .lane_i, .obs_o(obs), .list_i('0),
    .count_o(),
    .base_i('0), .rx_base_i('0),
    .excess_i('0), .rx_excess_i('0), .last_packet_i('0), .recv_prefetch_i(1'b0),
    .packets_i('0), .stream_i(1'b0),
    .lane_en_i(1'b0), .lane_flit_i('0), .operation_i('0),
    .host_req_i(1'b1), .host_all_i(1'b1), .host_node_i(1'b0),
    .host_we_send_i, .host_we_recv_i, .host_we_packet_i, .host_re_memory_i(~rx_last_i),
    .host_re_send_i(1'b0), .host_re_recv_i(1'b0), .host_re_packet_i(1'b0), .host_re_flags_i(1'b1),
    .host_row_i, .host_packet_i, .host_flit_i, .host_data_i
  );

  // Fetched rows of the programs: of the receive program for rules 1 and 2 (Region = 1), of both
  // programs for rules 3, 4 and 5 (Region = 0). The proof does not model the packet memory; the
  // testbench checks which words are held.
  (* hierconn *) wire \u_endpoint.entry_valid , \u_endpoint.recv_valid , \u_endpoint.recv_more ;
  (* hierconn *) wire [PacketBits-1:0] \u_endpoint.entry , \u_endpoint.recv_packet ;

  // Reset lasts three cycles and clears the flags; with Region = 1 each of them fetches a row.
  logic [2:0] age_q = '0;
  wire        seen = age_q >= 3'd3;
  always_ff @(posedge clk_i) if (!seen) age_q <= age_q + 1'b1;
  always_comb if (!seen) assume (rst_i);

  if (Region == 1) begin : g_receive
    logic [2:0] since_q = '0;                       // cycles since the last fetch of a first row
    logic       unexpected_q = 1'b0, missing_q = 1'b0, broken_q, went_on_q = 1'b0;
    logic       complete_q, last_q;                 // expected report
    logic       whole_q, went_q;                    // for the covers
    wire        more       = \u_endpoint.recv_more ;
    wire        valid      = \u_endpoint.recv_valid ;
    logic       arrived_q, fetched_q;               // with Combine
    wire        arrived    = Combine != 0 ? arrived_q : lane_i[Width];
    wire        fetched    = Combine != 0 ? fetched_q : recv_fetch_i;
    wire        expected   = rx_en_i && valid;
    wire        unexpected = arrived && !expected;
    wire        missing    = expected && !arrived;
    wire        first_row  = fetched && !(valid && more);

    always_ff @(posedge clk_i) {arrived_q, fetched_q} <= {lane_i[Width], recv_fetch_i};

    always_ff @(posedge clk_i) begin
      since_q      <= first_row ? 3'd0 : since_q + 3'd1;
      went_on_q    <= !first_row && (went_on_q || fetched);
      unexpected_q <= !rst_i && !start_i && (unexpected_q || unexpected);
      missing_q    <= !rst_i && !start_i && (missing_q || missing);
      broken_q     <= !rst_i && !start_i && !first_row && (broken_q || unexpected || missing);
      complete_q <= rx_last_i && !rst_i && expected && arrived && !more && !broken_q;
      last_q     <= rx_last_i && !rst_i;
      whole_q <= rx_last_i && rx_flit_i == '1 && !unexpected_q && !missing_q;
      went_q  <= went_on_q;
    end

    always_comb if (since_q == 3'd7) assume (first_row);
    always_comb if (!seen) assume (recv_fetch_i);
    always_comb if (seen) begin
      unexpected_rises: assert (obs[29] == unexpected_q);
      missing_rises: assert (obs[30] == missing_q);
      complete: assert (obs[31] == complete_q);
      flags_alone: assert (last_q || obs[27:0] == '0);
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
