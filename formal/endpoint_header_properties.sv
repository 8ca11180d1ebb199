// SPDX-License-Identifier: Apache-2.0
// endpoint_header_properties: an endpoint without a receive program, as in machines of self-timed
// routers: the header of a packet determines where it is stored.
//
//  1. Flit 0 selects the slot of the packet in the memory. The packet is accepted if flit 0 arrives
//     and, without Lists, flit 1 is addressed to this node or to all. Flits of an accepted packet
//     are stored in the slot unchanged; of a packet that is not accepted, nothing is stored from
//     flit 1 on.
//  2. `unexpected` is set one cycle after a word arrives that belongs to no accepted packet,
//     `missing` one cycle after a flit of an accepted packet does not arrive; both stay until the
//     next start.
//  3. One cycle after rx_last_i, a packet is reported as complete, with its slot, exactly if the
//     flit belongs to an accepted packet and arrives, and nothing was missing or unexpected since
//     the fetch of the row.
//  4. With Lists, the length of the list is determined by the last row that the host wrote; it is 0
//     if that row is not valid.
//
// The proof follows an arbitrary word of the memory. Assumed: the flits of a row arrive in order
// from flit 0 on, with or without gaps; the host writes no packet while they arrive. The first
// cycle is a reset.
`default_nettype none

module endpoint_header_properties #(
  parameter int Lists      = 0,
  parameter int Width      = 2,                      // {multicast, destination}
  parameter int Node       = 1,
  parameter int PacketBits = 1,
  parameter int FlitBits   = 2,
  parameter int RowBits    = 1,
  parameter int ListBits   = 2 + PacketBits + RowBits
) (
  input  wire                  clk_i,
  input  wire                  start_i,
  input  wire                  tx_en_i,
  input  wire [FlitBits-1:0]   tx_flit_i,
  input  wire                  fetch_i,
  input  wire                  rx_en_i,
  input  wire                  rx_last_i,
  input  wire [Width:0]        lane_i,
  input  wire [ListBits-1:0]   list_i,
  input  wire                  host_we_send_i,
  input  wire                  host_we_packet_i,
  input  wire                  host_node_i,
  input  wire [RowBits-1:0]    host_row_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i,
  input  wire [31:0]           host_data_i,
  output wire                  cover_complete_o,
  output wire                  cover_flags_o,
  output wire                  cover_count_o
);

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;

  logic [FlitBits-1:0] flit_q = '0;                  // the next flit to arrive
  always_ff @(posedge clk_i) if (rx_en_i) flit_q <= rx_last_i ? '0 : flit_q + 1'b1;
  always_comb begin
    if (rx_last_i) assume (rx_en_i);
    if (rx_en_i && flit_q == '1) assume (rx_last_i);
    if (rx_en_i) assume (!host_we_packet_i);
    if (!running_q) assume (!rx_en_i);
  end

  wire [31:0]           obs;
  wire [PacketBits-1:0] count;

  rc_endpoint #(
    .Width(Width), .Flits(1 << FlitBits), .Node(Node), .Headers(1), .Lists(Lists)
  ) u_endpoint (
    .clk_i, .rst_i(!running_q), .start_i, .clear_i(start_i || !running_q),
    .forward_i(1'b0), .same_flit_i(1'b0),
    .send_fetch_i(fetch_i), .send_row_i('0), .base_i('0), .tx_en_i, .tx_flit_i, .lane_o(),
    .recv_fetch_i(fetch_i), .recv_row_i('0), .rx_base_i('0),
    .excess_i('0), .rx_excess_i('0), .last_packet_i('0), .recv_prefetch_i(1'b0),
    .packets_i('0), .stream_i(1'b0),
    .rx_en_i, .rx_last_i, .rx_flit_i(flit_q), .lane_i, .obs_o(obs), .list_i, .count_o(count),
    .host_req_i(1'b1), .host_all_i(1'b0), .host_node_i, .host_we_send_i, .host_we_recv_i(1'b0),
    .host_we_packet_i, .host_re_send_i(1'b0), .host_re_recv_i(1'b0), .host_re_packet_i(1'b0),
    .host_re_flags_i(1'b0), .host_re_memory_i(1'b0), .host_row_i, .host_packet_i, .host_flit_i,
    .host_data_i, .lane_en_i(1'b0), .lane_flit_i('0), .operation_i('0)
  );

  // The packet that arrives.
  logic                  accepted_q = 1'b0;          // accepted so far
  logic [PacketBits-1:0] packet_q = '0;
  wire                   arrives  = lane_i[Width];
  wire                   for_me   = lane_i[Width-1] || 32'(lane_i[0]) == Node || Lists != 0;
  wire                   accepted = flit_q == '0 ? arrives
      : accepted_q && (flit_q != FlitBits'(1) || for_me);
  wire [PacketBits-1:0]  packet   = flit_q == '0 && arrives ? lane_i[PacketBits-1:0] : packet_q;
  wire                   expected = rx_en_i && accepted;

  logic unexpected_q = 1'b0, missing_q = 1'b0, broken_q = 1'b0, complete_q = 1'b0, last_q = 1'b0;
  logic [PacketBits-1:0] reported_q = '0;
  always_ff @(posedge clk_i) begin
    if (rx_en_i) begin
      accepted_q <= accepted;
      packet_q   <= packet;
    end
    unexpected_q <= running_q && !start_i && (unexpected_q || (arrives && !expected));
    missing_q    <= running_q && !start_i && (missing_q || (expected && !arrives));
    broken_q     <= running_q && !start_i && !fetch_i && (broken_q || arrives != expected);
    last_q       <= running_q && rx_last_i;
    if (rx_last_i) begin
      complete_q <= accepted && arrives && !broken_q;
      reported_q <= packet;
    end
  end

  always_comb if (running_q && last_q) begin
    complete: assert (obs[31] == complete_q && obs[PacketBits-1:0] == reported_q);
    flags: assert (obs[30:29] == {missing_q, unexpected_q});
  end

  // The memory word that the proof follows.
  wire  [PacketBits-1:0] its_packet = $anyconst;
  wire  [FlitBits-1:0]   its_flit   = $anyconst;
  logic                  known_q = 1'b0, selected_q = 1'b0;
  logic [Width:0]        word_q;
  always_ff @(posedge clk_i) begin
    selected_q <= host_node_i == 1'(Node);
    if (expected && packet == its_packet && flit_q == its_flit) begin
      known_q <= 1'b1;
      word_q  <= lane_i;
    end
    if (host_we_packet_i && selected_q && {host_packet_i, host_flit_i} == {its_packet, its_flit})
    begin
      known_q <= 1'b1;
      word_q  <= {host_data_i[31], host_data_i[Width-1:0]};
    end
  end

  (* hierconn *) wire [Width:0]
      \u_endpoint.u_memory.u_packets.mem[0] , \u_endpoint.u_memory.u_packets.mem[1] ,
      \u_endpoint.u_memory.u_packets.mem[2] ,
      \u_endpoint.u_memory.u_packets.mem[3] , \u_endpoint.u_memory.u_packets.mem[4] ,
      \u_endpoint.u_memory.u_packets.mem[5] ,
      \u_endpoint.u_memory.u_packets.mem[6] , \u_endpoint.u_memory.u_packets.mem[7] ;
  wire [8*(Width+1)-1:0] words = {
      \u_endpoint.u_memory.u_packets.mem[7] , \u_endpoint.u_memory.u_packets.mem[6] ,
      \u_endpoint.u_memory.u_packets.mem[5] ,
      \u_endpoint.u_memory.u_packets.mem[4] , \u_endpoint.u_memory.u_packets.mem[3] ,
      \u_endpoint.u_memory.u_packets.mem[2] ,
      \u_endpoint.u_memory.u_packets.mem[1] , \u_endpoint.u_memory.u_packets.mem[0] };
  always_comb if (known_q)
    stored: assert (words[32'({its_packet, its_flit}) * (Width + 1) +: Width + 1] == word_q);

  // The list.
  logic [PacketBits-1:0] count_q = '0;
  logic                  counted_q = 1'b0;
  always_ff @(posedge clk_i) if (host_we_send_i && selected_q) begin
    counted_q <= 1'b1;
    count_q   <= host_data_i[31] ? PacketBits'(host_row_i) + 1'b1 : '0;
  end
  always_comb if (counted_q && Lists != 0) counted: assert (count == count_q);

`ifndef REFUTE
  (* hierconn *) wire [2:0] \u_endpoint.errors_q ;
  (* hierconn *) wire \u_endpoint.selected_q , \u_endpoint.g_headers.valid_q ;
  (* hierconn *) wire [PacketBits-1:0] \u_endpoint.g_headers.packet_q ;
  wire same = \u_endpoint.errors_q == {broken_q, unexpected_q, missing_q} &&
      \u_endpoint.selected_q == selected_q &&
      \u_endpoint.g_headers.packet_q == packet_q &&
      (flit_q == '0 || \u_endpoint.g_headers.valid_q == accepted_q);
  always_comb if (running_q) assert (same);
`endif

  assign cover_complete_o = running_q && last_q && obs[31] && reported_q == '1 && flit_q == '0 &&
      !unexpected_q && !missing_q;
  assign cover_flags_o    = running_q && last_q && obs[30:29] == '1;
  assign cover_count_o    = Lists != 0 && counted_q && count == PacketBits'(1);

endmodule

`default_nettype wire
