// SPDX-License-Identifier: Apache-2.0
// endpoint_shared_properties: two endpoints of a node send from the memories of each other, for any
// programs, words and host writes.
//
// The reference has one memory for each endpoint, without copies.
//
//  1. The endpoint's own memory and its copy of the other one hold the words of the reference.
//  2. What leaves one cycle after tx_en_i is the word of the member that the send program names,
//     also if it is stored in the cycle in which it is read (with forwarding). A member that does
//     not exist (Shared = 3) holds no word.
//  3. `not held` is set if a row sends a word that is not held, and for no other reason; it stays
//     until the next start.
//
// Assumed: without forwarding no word is stored in the cycle in which it is read to be sent; the
// host writes packets only between runs; runs use forwarding from the first cycle to the last, or
// never.
`default_nettype none

module endpoint_shared_properties #(
  parameter int Width      = 2,
  parameter int Packets    = 2,
  parameter int Flits      = 2,
  parameter int Rows       = 2,
  parameter int Shared     = 2,
  parameter int PacketBits = $clog2(Packets),
  parameter int FlitBits   = $clog2(Flits),
  parameter int RowBits    = $clog2(Rows),
  parameter int LaneBits   = Width + 1
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
  input  wire [FlitBits-1:0]   rx_flit_i,
  input  wire [2*LaneBits-1:0] lanes_i,
  input  wire                  host_all_i,
  input  wire                  host_node_i,
  input  wire                  host_we_send_i,
  input  wire                  host_we_recv_i,
  input  wire                  host_we_packet_i,
  input  wire [RowBits-1:0]    host_row_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i,
  input  wire [31:0]           host_data_i,
  output wire                  cover_other_o,
  output wire                  cover_own_o,
  output wire                  cover_flag_o
);

  localparam int Members    = 2;
  localparam int Words      = 4;                     // Packets * Flits
  localparam int AddrBits   = PacketBits + FlitBits;
  localparam int WriteBits  = 2 + PacketBits;
  localparam int MemberBits = $clog2(Shared);
  localparam int EntryBits  = MemberBits + PacketBits;

  wire [Members*LaneBits-1:0]  lanes;
  wire [Members*WriteBits-1:0] writes;
  wire [Members*32-1:0]        obs;

  for (genvar e = 0; e < Members; e++) begin : g_endpoint
    rc_endpoint #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Node(e), .Shared(Shared),
      .Members(Members)
    ) u_endpoint (
      .clk_i, .rst_i, .start_i, .clear_i(rst_i | start_i), .forward_i,
      .same_flit_i(rx_en_i && rx_flit_i == tx_flit_i),
      .send_fetch_i, .send_row_i, .tx_en_i, .tx_flit_i, .lane_o(lanes[e*LaneBits +: LaneBits]),
      .recv_fetch_i, .recv_row_i, .rx_en_i, .rx_last_i(1'b0), .rx_flit_i,
      .lane_i(lanes_i[e*LaneBits +: LaneBits]), .obs_o(obs[e*32 +: 32]),
      .write_o(writes[e*WriteBits +: WriteBits]), .writes_i(writes), .lanes_i,
      .list_i('0), .count_o(), .base_i('0), .rx_base_i('0),
      .excess_i('0), .rx_excess_i('0), .last_packet_i('0), .recv_prefetch_i(1'b0),
      .packets_i('0), .stream_i(1'b0),
      .lane_en_i(1'b0), .lane_flit_i('0), .operation_i('0),
      .host_req_i(1'b1), .host_all_i, .host_node_i,
      .host_we_send_i, .host_we_recv_i, .host_we_packet_i, .host_re_memory_i(1'b0),
      .host_re_send_i(1'b0), .host_re_recv_i(1'b0), .host_re_packet_i(1'b0),
      .host_re_flags_i(1'b0),
      .host_row_i, .host_packet_i, .host_flit_i, .host_data_i
    );
  end

  // Fetched rows of the programs, the memories, and the flags.
  (* hierconn *) wire [EntryBits-1:0]
      \g_endpoint[0].u_endpoint.entry , \g_endpoint[1].u_endpoint.entry ;
  (* hierconn *) wire [PacketBits-1:0]
      \g_endpoint[0].u_endpoint.recv_packet , \g_endpoint[1].u_endpoint.recv_packet ;
  (* hierconn *) wire
      \g_endpoint[0].u_endpoint.entry_valid , \g_endpoint[1].u_endpoint.entry_valid ,
      \g_endpoint[0].u_endpoint.recv_valid , \g_endpoint[1].u_endpoint.recv_valid ,
      \g_endpoint[0].u_endpoint.not_held_q , \g_endpoint[1].u_endpoint.not_held_q ;
  (* hierconn *) wire [LaneBits-1:0]
      \g_endpoint[0].u_endpoint.u_memory.u_packets.mem[0] ,
      \g_endpoint[0].u_endpoint.u_memory.u_packets.mem[1] ,
      \g_endpoint[0].u_endpoint.u_memory.u_packets.mem[2] ,
      \g_endpoint[0].u_endpoint.u_memory.u_packets.mem[3] ,
      \g_endpoint[1].u_endpoint.u_memory.u_packets.mem[0] ,
      \g_endpoint[1].u_endpoint.u_memory.u_packets.mem[1] ,
      \g_endpoint[1].u_endpoint.u_memory.u_packets.mem[2] ,
      \g_endpoint[1].u_endpoint.u_memory.u_packets.mem[3] ,
      \g_endpoint[0].u_endpoint.u_memory.g_shared.g_member[1].g_copy.u_packets.mem[0] ,
      \g_endpoint[0].u_endpoint.u_memory.g_shared.g_member[1].g_copy.u_packets.mem[1] ,
      \g_endpoint[0].u_endpoint.u_memory.g_shared.g_member[1].g_copy.u_packets.mem[2] ,
      \g_endpoint[0].u_endpoint.u_memory.g_shared.g_member[1].g_copy.u_packets.mem[3] ,
      \g_endpoint[1].u_endpoint.u_memory.g_shared.g_member[0].g_copy.u_packets.mem[0] ,
      \g_endpoint[1].u_endpoint.u_memory.g_shared.g_member[0].g_copy.u_packets.mem[1] ,
      \g_endpoint[1].u_endpoint.u_memory.g_shared.g_member[0].g_copy.u_packets.mem[2] ,
      \g_endpoint[1].u_endpoint.u_memory.g_shared.g_member[0].g_copy.u_packets.mem[3] ;

  wire [Members*Words*LaneBits-1:0] own = {
      \g_endpoint[1].u_endpoint.u_memory.u_packets.mem[3] ,
      \g_endpoint[1].u_endpoint.u_memory.u_packets.mem[2] ,
      \g_endpoint[1].u_endpoint.u_memory.u_packets.mem[1] ,
      \g_endpoint[1].u_endpoint.u_memory.u_packets.mem[0] ,
      \g_endpoint[0].u_endpoint.u_memory.u_packets.mem[3] ,
      \g_endpoint[0].u_endpoint.u_memory.u_packets.mem[2] ,
      \g_endpoint[0].u_endpoint.u_memory.u_packets.mem[1] ,
      \g_endpoint[0].u_endpoint.u_memory.u_packets.mem[0] };
  wire [Members*Words*LaneBits-1:0] copies = {
      \g_endpoint[0].u_endpoint.u_memory.g_shared.g_member[1].g_copy.u_packets.mem[3] ,
      \g_endpoint[0].u_endpoint.u_memory.g_shared.g_member[1].g_copy.u_packets.mem[2] ,
      \g_endpoint[0].u_endpoint.u_memory.g_shared.g_member[1].g_copy.u_packets.mem[1] ,
      \g_endpoint[0].u_endpoint.u_memory.g_shared.g_member[1].g_copy.u_packets.mem[0] ,
      \g_endpoint[1].u_endpoint.u_memory.g_shared.g_member[0].g_copy.u_packets.mem[3] ,
      \g_endpoint[1].u_endpoint.u_memory.g_shared.g_member[0].g_copy.u_packets.mem[2] ,
      \g_endpoint[1].u_endpoint.u_memory.g_shared.g_member[0].g_copy.u_packets.mem[1] ,
      \g_endpoint[1].u_endpoint.u_memory.g_shared.g_member[0].g_copy.u_packets.mem[0] };

  wire [Members*EntryBits-1:0]  entries =
      { \g_endpoint[1].u_endpoint.entry , \g_endpoint[0].u_endpoint.entry };
  wire [Members*PacketBits-1:0] receipts =
      { \g_endpoint[1].u_endpoint.recv_packet , \g_endpoint[0].u_endpoint.recv_packet };
  wire [Members-1:0] sends =
      { \g_endpoint[1].u_endpoint.entry_valid , \g_endpoint[0].u_endpoint.entry_valid };
  wire [Members-1:0] receives =
      { \g_endpoint[1].u_endpoint.recv_valid , \g_endpoint[0].u_endpoint.recv_valid };
  wire [Members-1:0] flags =
      { \g_endpoint[1].u_endpoint.not_held_q , \g_endpoint[0].u_endpoint.not_held_q };

  // The reference memories; stored is the word that is written in this cycle, or the one held.
  logic [Members*Words*LaneBits-1:0] model_q = '0;
  wire  [Members*Words*LaneBits-1:0] stored;
  wire  [Members*Words-1:0]          receiving;
  logic [Members-1:0]                selected_q = '0;

  for (genvar w = 0; w < Members * Words; w++) begin : g_word
    localparam int Member = w / Words;
    wire [AddrBits-1:0] place = {receipts[Member*PacketBits +: PacketBits], rx_flit_i};
    wire host = host_we_packet_i && selected_q[Member] &&
        {host_packet_i, host_flit_i} == AddrBits'(w % Words);

    assign receiving[w] = rx_en_i && receives[Member] && place == AddrBits'(w % Words);
    assign stored[w*LaneBits +: LaneBits] = receiving[w] ? lanes_i[Member*LaneBits +: LaneBits]
        : model_q[w*LaneBits +: LaneBits];

    always_ff @(posedge clk_i)
      model_q[w*LaneBits +: LaneBits] <=
          host ? {host_data_i[31], host_data_i[Width-1:0]} : stored[w*LaneBits +: LaneBits];
  end

  always_ff @(posedge clk_i)
    selected_q <= {host_all_i || host_node_i, host_all_i || !host_node_i};

  // Sending, and the flags.
  logic                        seen_q = 1'b0, forward_q;
  logic [Members-1:0]          sending_q = '0, not_held_q = '0, fresh_q = '0, other_q = '0;
  logic [Members*LaneBits-1:0] sent_q;
  wire  [Members-1:0]          collides;

  always_ff @(posedge clk_i) begin
    seen_q    <= 1'b1;
    forward_q <= forward_i;
  end

  for (genvar e = 0; e < Members; e++) begin : g_sent
    wire [EntryBits-1:0]  entry  = entries[e*EntryBits +: EntryBits];
    wire [MemberBits-1:0] member = entry[PacketBits +: MemberBits];
    wire                  exists = 32'(member) < Members;
    wire [AddrBits:0]     word   = {member[0], entry[PacketBits-1:0], tx_flit_i};

    assign collides[e] = tx_en_i && exists && receiving[word];

    always_ff @(posedge clk_i) begin
      sending_q[e] <= tx_en_i && sends[e];
      sent_q[e*LaneBits +: LaneBits] <= exists ? stored[word*LaneBits +: LaneBits] : '0;
      not_held_q[e] <= !rst_i && !start_i &&
          (not_held_q[e] || (sending_q[e] && !sent_q[e*LaneBits+Width]));
      fresh_q[e] <= collides[e];
      other_q[e] <= exists && member[0] != 1'(e);
    end
  end

  always_comb begin
    if (!seen_q) assume (rst_i);
    if (!seen_q) assume (!host_we_packet_i);
    if (seen_q) assume (forward_i == forward_q);
    if (rx_en_i) assume (!host_we_packet_i);
    if (!forward_i) assume (collides == '0);
  end

  always_comb if (!seen_q) begin                     // the memories have no reset
    assume (own == model_q);
    assume (copies == model_q);
  end
  always_comb begin
    held: assert (own == model_q);
    copied: assert (copies == model_q);
  end

  always_comb if (seen_q) begin
    sent: assert (lanes == (sent_q & {{LaneBits{sending_q[1]}}, {LaneBits{sending_q[0]}}}));
    not_held_rises: assert (flags == not_held_q);
  end

  assign cover_other_o = seen_q && sending_q == '1 && fresh_q == '1 && other_q == '1 && lanes == '1;
  assign cover_own_o   = seen_q && sending_q == '1 && fresh_q == '0 && other_q == '0 && lanes == '1;
  assign cover_flag_o  = seen_q && not_held_q == '1;

  wire unused = &{1'b0, obs};

endmodule

`default_nettype wire
