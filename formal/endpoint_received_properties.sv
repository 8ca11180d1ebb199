// SPDX-License-Identifier: Apache-2.0
// endpoint_received_properties: an endpoint that keeps what it receives apart (Combine 3) loses no
// word and counts none twice, for any programs, words and host writes.
//
// The reference has no pipeline: a flit on the lane is combined with the received word of its
// place, or replaces it, in the cycle in which it is on the lane. The host's words are another
// memory.
//
//  1. One cycle later both copies of the received words are those of the reference, and the packet
//     memory has the host's words alone.
//  2. What leaves is the node's own word, the received word, or their combination, as the send
//     program selects; also if the received word is stored in the cycle in which it is read (with
//     forwarding).
//  3. `not held` is set if a row sends or combines a word that it selects and that is not held, and
//     for no other reason; it stays until the next start.
//  4. The host reads the node's own word where nothing was received, else the received word,
//     combined with the node's own if the last receipt says so. A host write clears what was
//     received.
//
// Assumed: as in endpoint_combine_properties.sv; and the host reads only between runs.
`default_nettype none

module endpoint_received_properties #(
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
  input  wire                  host_re_packet_i,
  input  wire [RowBits-1:0]    host_row_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i,
  input  wire [31:0]           host_data_i,
  output wire                  cover_both_o,
  output wire                  cover_without_o,
  output wire                  cover_forwarded_o,
  output wire                  cover_read_o,
  output wire                  cover_flag_o
);

  localparam int Words    = 4;                       // Packets * Flits
  localparam int LaneBits = Width + 1;
  localparam int CellBits = Width + 2;               // {held, own, word}
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
    .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Combine(3)
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
    .host_we_send_i, .host_we_recv_i, .host_we_packet_i, .host_re_memory_i(host_re_packet_i),
    .host_re_send_i(1'b0), .host_re_recv_i(1'b0), .host_re_packet_i, .host_re_flags_i(1'b0),
    .host_row_i, .host_packet_i, .host_flit_i, .host_data_i
  );

  // Fetched rows of the programs, the memories, and the flag.
  (* hierconn *) wire [2:0] \u_endpoint.lane_flags ;
  (* hierconn *) wire [1:0] \u_endpoint.chosen ;
  (* hierconn *) wire [PacketBits-1:0] \u_endpoint.lane_packet , \u_endpoint.entry ,
                                       \u_endpoint.recv_packet ;
  (* hierconn *) wire \u_endpoint.entry_valid , \u_endpoint.recv_valid , \u_endpoint.not_held_q ,
                      \u_endpoint.selected_q , \u_endpoint.lane_own ;
  (* hierconn *) wire [Width:0]
      \u_endpoint.u_memory.u_packets.mem[0] , \u_endpoint.u_memory.u_packets.mem[1] ,
      \u_endpoint.u_memory.u_packets.mem[2] , \u_endpoint.u_memory.u_packets.mem[3] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[0] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[1] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[2] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[3] ;
  (* hierconn *) wire [CellBits-1:0]
      \u_endpoint.g_received.u_received.u_received.u_packets.mem[0] ,
      \u_endpoint.g_received.u_received.u_received.u_packets.mem[1] ,
      \u_endpoint.g_received.u_received.u_received.u_packets.mem[2] ,
      \u_endpoint.g_received.u_received.u_received.u_packets.mem[3] ;

  wire [Words*LaneBits-1:0] packets = {
      \u_endpoint.u_memory.u_packets.mem[3] , \u_endpoint.u_memory.u_packets.mem[2] ,
      \u_endpoint.u_memory.u_packets.mem[1] , \u_endpoint.u_memory.u_packets.mem[0] };
  wire [Words*LaneBits-1:0] operands = {
      \u_endpoint.g_combine.u_operand.u_operands.mem[3] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[2] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[1] ,
      \u_endpoint.g_combine.u_operand.u_operands.mem[0] };
  wire [Words*CellBits-1:0] received = {
      \u_endpoint.g_received.u_received.u_received.u_packets.mem[3] ,
      \u_endpoint.g_received.u_received.u_received.u_packets.mem[2] ,
      \u_endpoint.g_received.u_received.u_received.u_packets.mem[1] ,
      \u_endpoint.g_received.u_received.u_received.u_packets.mem[0] };

  `include "operate.svh"

  // The reference: model_q has all flits up to the cycle before, before_q those up to the cycle
  // before that, as the memories; own_q has what the host has written.
  logic [CellBits-1:0] model_q [Words], before_q [Words];
  logic [LaneBits-1:0] own_q [Words];
  wire  [AddrBits-1:0] place    = { \u_endpoint.lane_packet , lane_flit_i};
  wire                 takes    = lane_en_i && \u_endpoint.lane_flags [2];
  wire                 combines = takes && \u_endpoint.lane_flags [0];
  wire  [AddrBits-1:0] host     = {host_packet_i, host_flit_i};
  wire                 writes   = host_we_packet_i && \u_endpoint.selected_q ;
  wire  [CellBits-1:0] at_place = model_q[place];

  wire  [Words*CellBits-1:0] before;
  wire  [Words*LaneBits-1:0] before_words, own;

  for (genvar a = 0; a < Words; a++) begin : g_word
    wire                here = takes && place == AddrBits'(a);
    wire                host_here = writes && host == AddrBits'(a);
    wire [LaneBits-1:0] arrives = combines
        ? {at_place[Width+1] & lane_i[Width],
           operate(operation_i, at_place[Width-1:0], lane_i[Width-1:0])}
        : lane_i;
    wire [CellBits-1:0] next = {arrives[Width], \u_endpoint.lane_own , arrives[Width-1:0]};

    initial model_q[a] = '0;
    initial before_q[a] = '0;
    initial own_q[a] = '0;

    always_ff @(posedge clk_i) begin
      model_q[a]  <= host_here ? '0 : here ? next : model_q[a];
      before_q[a] <= host_here ? '0 : model_q[a];
      if (host_here) own_q[a] <= {host_data_i[31], host_data_i[Width-1:0]};
    end

    assign before[a*CellBits +: CellBits]       = before_q[a];
    assign before_words[a*LaneBits +: LaneBits] = {before_q[a][Width+1], before_q[a][Width-1:0]};
    assign own[a*LaneBits +: LaneBits]          = own_q[a];
  end

  // Returns the own word, the received word, or both combined.
  function automatic bit [Width:0] choose(input bit [1:0] choice, input bit [2:0] which,
                                          input bit [Width:0] mine, input bit [Width+1:0] theirs);
    choose = mine;
    if (choice == 2'b10) choose = {theirs[Width+1], theirs[Width-1:0]};
    if (choice == 2'b11)
      choose = {mine[Width] & theirs[Width+1],
                operate(which, mine[Width-1:0], theirs[Width-1:0])};
  endfunction

  // Sending, and the flag.
  logic          sending_q = 1'b0, lacks_q = 1'b0, not_held_q = 1'b0, seen_q = 1'b0;
  logic          fresh_q = 1'b0;                     // what leaves was stored in the same cycle
  logic          read_q = 1'b0, held_q = 1'b0;
  logic [1:0]    choice_q;
  logic [Width:0] sent_q, shown_q, mine_q;
  logic [2:0]    operation_q;
  wire  [AddrBits-1:0] source    = { \u_endpoint.entry , tx_flit_i};
  wire  [CellBits-1:0] theirs    = model_q[source];
  wire  [CellBits-1:0] at_host   = model_q[host];
  wire           not_held  = sending_q && !sent_q[Width];
  wire           collision = rx_en_q && \u_endpoint.recv_valid && tx_en_i &&
      { \u_endpoint.recv_packet , rx_flit_q} == source;

  always_ff @(posedge clk_i) begin
    seen_q      <= 1'b1;
    operation_q <= operation_i;
    sending_q   <= tx_en_i && \u_endpoint.entry_valid ;
    choice_q    <= \u_endpoint.chosen ;
    mine_q      <= own_q[source];
    sent_q      <= choose( \u_endpoint.chosen , operation_i, own_q[source], theirs);
    shown_q     <= choose({at_host[Width+1], at_host[Width]}, operation_i, own_q[host], at_host);
    read_q      <= host_re_packet_i && \u_endpoint.selected_q ;
    held_q      <= at_host[Width+1] && at_host[Width];
    lacks_q     <= combines && !at_place[Width+1];
    not_held_q  <= !rst_i && !start_i && (not_held_q || not_held || lacks_q);
    fresh_q     <= collision;
  end

  always_comb begin
    if (!seen_q) assume (rst_i);
    if (seen_q) assume (operation_i == operation_q);
    if (lane_en_i && rx_en_q) assume (lane_flit_i != rx_flit_q);
    if (lane_en_i || rx_en_q) assume (!host_we_packet_i && !host_re_packet_i);
    if (tx_en_i || host_we_packet_i) assume (!host_re_packet_i);
    if (!forward_i) assume (!collision);
  end

  logic forward_q;
  always_ff @(posedge clk_i) forward_q <= forward_i;
  always_comb if (seen_q) assume (forward_i == forward_q);

  always_comb if (!seen_q) begin                     // the memories have no reset
    assume (received == before);
    assume (operands == before_words);
    assume (packets == own);
  end
  always_comb begin
    stored: assert (received == before);
    copied: assert (operands == before_words);
    kept: assert (packets == own);
  end

  always_comb if (seen_q) begin
    if (sending_q) sent: assert (lane == sent_q);
    if (read_q) shown: assert (obs == {shown_q[Width], 31'(shown_q[Width-1:0])});
    not_held_rises: assert ( \u_endpoint.not_held_q == not_held_q);
  end

  assign cover_both_o      = seen_q && sending_q && choice_q == 2'b11 && lane == '1
      && mine_q == LaneBits'(5);
  assign cover_without_o   = seen_q && sending_q && choice_q == 2'b10 && lane == '1
      && !mine_q[Width];
  assign cover_forwarded_o = seen_q && fresh_q && sending_q && choice_q == 2'b11 && lane == '1
      && mine_q == LaneBits'(5);
  assign cover_read_o      = seen_q && read_q && held_q && obs[31] && obs[1:0] == 2'd3;
  assign cover_flag_o      = seen_q && lacks_q && !not_held_q;

endmodule

`default_nettype wire
