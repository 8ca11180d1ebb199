// SPDX-License-Identifier: Apache-2.0
// endpoint_combine_properties: an endpoint with Combine loses no word and counts none twice, for
// any programs, words and host writes.
//
// The reference has no pipeline: a flit on the lane is combined with the word of its place, or
// replaces it, in the cycle in which it is on the lane.
//
//  1. One cycle later both copies of the packet memory hold the words of the reference.
//  2. What leaves is the word of the reference, also if it is stored in the cycle in which it is
//     read (with forwarding).
//  3. `not held` is set if a row sends a flit that is not held, or combines with one, and for no
//     other reason; it stays until the next start.
//
// Assumed: consecutive cycles bring different flits (a packet of one flit has rows of two cycles or
// more); without forwarding no word is stored in the cycle in which it is read to be sent; the host
// writes packets only between runs; the operator is constant.
`default_nettype none

module endpoint_combine_properties #(
  parameter int Width      = 2,
  parameter int Packets    = 2,
  parameter int Flits      = 2,
  parameter int Rows       = 2,
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
  input  wire                  lane_en_i,
  input  wire [FlitBits-1:0]   lane_flit_i,
  input  wire [Width:0]        lane_i,
  input  wire [2:0]            operation_i,
  input  wire                  host_we_send_i,
  input  wire                  host_we_recv_i,
  input  wire                  host_we_packet_i,
  input  wire [RowBits-1:0]    host_row_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i,
  input  wire [31:0]           host_data_i,
  output wire                  cover_again_o,
  output wire                  cover_sent_o,
  output wire                  cover_flag_o
);

  localparam int Words    = 4;                       // Packets * Flits
  localparam int LaneBits = Width + 1;
  localparam int AddrBits = PacketBits + FlitBits;

  // The shell delays these signals.
  logic                rx_en_q = 1'b0;
  logic [FlitBits-1:0] rx_flit_q;
  always_ff @(posedge clk_i) begin
    rx_en_q   <= lane_en_i;
    rx_flit_q <= lane_flit_i;
  end

  wire [Width:0] lane;
  wire [31:0]    obs;

  rc_endpoint #(
    .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Combine(1)
  ) u_endpoint (
    .clk_i, .rst_i, .start_i, .clear_i(rst_i | start_i), .forward_i,
    .same_flit_i(rx_en_q && rx_flit_q == tx_flit_i),
    .send_fetch_i, .send_row_i, .tx_en_i, .tx_flit_i, .lane_o(lane),
    .recv_fetch_i, .recv_row_i, .lane_en_i, .lane_flit_i, .operation_i,
    .rx_en_i(rx_en_q), .rx_last_i(1'b0), .rx_flit_i(rx_flit_q), .lane_i, .obs_o(obs),
    .list_i('0), .count_o(), .base_i('0), .rx_base_i('0),
    .excess_i('0), .rx_excess_i('0), .last_packet_i('0), .recv_prefetch_i(1'b0),
    .packets_i('0),
    .host_req_i(1'b1), .host_all_i(1'b1), .host_node_i(1'b0),
    .host_we_send_i, .host_we_recv_i, .host_we_packet_i, .host_re_memory_i(1'b0),
    .host_re_send_i(1'b0), .host_re_recv_i(1'b0), .host_re_packet_i(1'b0), .host_re_flags_i(1'b0),
    .host_row_i, .host_packet_i, .host_flit_i, .host_data_i
  );

  // Fetched rows of the programs, the memories, and the flag.
  (* hierconn *) wire [2:0] \u_endpoint.lane_flags ;
  (* hierconn *) wire [PacketBits-1:0] \u_endpoint.lane_packet , \u_endpoint.entry ,
                                       \u_endpoint.recv_packet ;
  (* hierconn *) wire \u_endpoint.entry_valid , \u_endpoint.recv_valid , \u_endpoint.not_held_q ,
                      \u_endpoint.selected_q ;
  (* hierconn *) wire [Width:0]
      \u_endpoint.u_memory.u_packets.mem[0] , \u_endpoint.u_memory.u_packets.mem[1] ,
      \u_endpoint.u_memory.u_packets.mem[2] , \u_endpoint.u_memory.u_packets.mem[3] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[0] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[1] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[2] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[3] ;

  wire [Words*LaneBits-1:0] packets = {
      \u_endpoint.u_memory.u_packets.mem[3] , \u_endpoint.u_memory.u_packets.mem[2] ,
      \u_endpoint.u_memory.u_packets.mem[1] , \u_endpoint.u_memory.u_packets.mem[0] };
  wire [Words*LaneBits-1:0] operands = {
      \u_endpoint.g_combine.u_operand.u_operands.mem[3] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[2] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[1] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[0] };

  `include "operate.svh"

  // The reference: model_q has all flits up to the cycle before, before_q those up to the cycle
  // before that, as the memories.
  logic [LaneBits-1:0] model_q [Words], before_q [Words];
  logic [Words-1:0]    often_q = '0;                 // combined at least twice
  logic [Words-1:0]    once_q = '0;
  wire  [AddrBits-1:0] place    = { \u_endpoint.lane_packet , lane_flit_i};
  wire                 takes    = lane_en_i && \u_endpoint.lane_flags [2];
  wire                 combines = takes && \u_endpoint.lane_flags [0];
  wire  [AddrBits-1:0] host     = {host_packet_i, host_flit_i};
  wire                 writes   = host_we_packet_i && \u_endpoint.selected_q ;

  for (genvar a = 0; a < Words; a++) begin : g_word
    wire                here = takes && place == AddrBits'(a);
    wire [LaneBits-1:0] next = combines
        ? {model_q[a][Width] & lane_i[Width],
           operate(operation_i, model_q[a][Width-1:0], lane_i[Width-1:0])}
        : lane_i;
    wire                host_here = writes && host == AddrBits'(a);
    wire [LaneBits-1:0] host_word = {host_data_i[31], host_data_i[Width-1:0]};

    initial model_q[a] = '0;
    initial before_q[a] = '0;

    always_ff @(posedge clk_i) begin
      model_q[a]  <= host_here ? host_word : here ? next : model_q[a];
      before_q[a] <= host_here ? host_word : model_q[a];
      if (host_here || (here && !combines)) {often_q[a], once_q[a]} <= '0;
      else if (here) {often_q[a], once_q[a]} <= {once_q[a], 1'b1};
    end
  end

  wire [Words*LaneBits-1:0] before = {before_q[3], before_q[2], before_q[1], before_q[0]};

  // Sending, and the flag.
  logic          sending_q = 1'b0, lacks_q = 1'b0, not_held_q = 1'b0, seen_q = 1'b0;
  logic          fresh_q = 1'b0;                     // what leaves was stored in the same cycle
  logic [Width:0] sent_q;
  logic [2:0]    operation_q;
  wire  [AddrBits-1:0] source    = { \u_endpoint.entry , tx_flit_i};
  wire           not_held  = sending_q && !sent_q[Width];
  wire           collision = rx_en_q && \u_endpoint.recv_valid && tx_en_i &&
      { \u_endpoint.recv_packet , rx_flit_q} == source;

  always_ff @(posedge clk_i) begin
    seen_q      <= 1'b1;
    operation_q <= operation_i;
    sending_q   <= tx_en_i && \u_endpoint.entry_valid ;
    sent_q      <= model_q[source];
    lacks_q     <= combines && !model_q[place][Width];
    not_held_q  <= !rst_i && !start_i && (not_held_q || not_held || lacks_q);
    fresh_q     <= collision && often_q[source];
  end

  always_comb begin
    if (!seen_q) assume (rst_i);
    if (seen_q) assume (operation_i == operation_q);
    if (lane_en_i && rx_en_q) assume (lane_flit_i != rx_flit_q);
    if (lane_en_i || rx_en_q) assume (!host_we_packet_i);
    if (!forward_i) assume (!collision);
  end

  logic forward_q;
  always_ff @(posedge clk_i) forward_q <= forward_i;
  always_comb if (seen_q) assume (forward_i == forward_q);

  always_comb if (!seen_q) begin                     // the memories have no reset
    assume (packets == before);
    assume (operands == before);
  end
  always_comb begin
    stored: assert (packets == before);
    copied: assert (operands == before);
  end

  always_comb if (seen_q) begin
    if (sending_q) sent: assert (lane == sent_q);
    not_held_rises: assert ( \u_endpoint.not_held_q == not_held_q);
  end

  assign cover_again_o = seen_q && often_q == '1;
  assign cover_sent_o  = seen_q && fresh_q && sending_q && lane == '1;
  assign cover_flag_o  = seen_q && lacks_q && !not_held_q;

  wire unused = &{1'b0, obs};

endmodule

`default_nettype wire
