// SPDX-License-Identifier: Apache-2.0
// rc_packet_memory: the packets of an endpoint.
//
// The memory has {held, word} at {packet, flit}; held means that the host or a run has stored the
// word. The host accesses a word of up to 31 bits at once, and a wider one in the parts of
// rc_address_map.sv. For a flit that is on the lane in cycle c:
//
//     c-1   tx_en_i, send_packet_i, tx_flit_i   the memory is read
//     c     word_o                              the word to send
//     c     rx_en_i, recv_packet_i, word_i      the word that arrives, stored after the cycle
//
// The lane is stored unchanged: a flit that does not arrive leaves a word that is not held.
//
// With Shared, a node has one memory of as many ports: each of its endpoints, the members, has a
// copy of the memory of every member, with its read port, and sends the packet of member_i. The
// host reads and writes the endpoint's own memory, and its copies with it.
//
// If a flit is stored in the cycle in which it is read, the memory returns the old word, and the
// new word is forwarded. Let R be the cycles of a row, F the flits, L the latency. Flit f of a row
// that begins in cycle c is read in c+f-1 and stored in c+f+L.
//
//   - With barriers, R >= F + L: a flit that is read and stored in one cycle belongs to rows L+1
//     cycles apart, hence adjacent rows, and R = L+1 only if F = 1.
//   - Without barriers, R divides F and L: flit t+1 mod F is read in cycle t, and flit t-L mod F
//     is stored. They are equal if F divides L+1; then so does R, which divides L: R = 1.
`default_nettype none

module rc_packet_memory #(
  parameter int Width   = 1,                         // parameters: as in rc_endpoint.sv
  parameter int Packets = 2,
  parameter int Flits   = 2,
  parameter int Node    = 0,
  parameter int Shared  = 1,
  parameter int Members = Shared,
  parameter bit [1023:0] Init = '0,
  parameter bit Cleared = 1'b0,                      // 1: initially no word is held; excludes Init
  localparam int PacketBits = Packets > 1 ? $clog2(Packets) : 1,
  localparam int FlitBits   = $clog2(Flits),
  localparam int Parts      = rc_address_map::parts(Width),
  localparam int MemberBits = Shared > 1 ? $clog2(Shared) : 1,
  localparam int LaneBits   = Width + 1,             // {valid, word}
  localparam int WriteBits  = 2 + PacketBits
) (
  input  wire                  clk_i,
  input  wire                  forward_i,            // packets have one flit, or rows one cycle
  input  wire                  same_flit_i,          // rx_en_i and rx_flit_i == tx_flit_i
  // sending
  input  wire                  tx_en_i,
  input  wire [FlitBits-1:0]   tx_flit_i,
  input  wire [PacketBits-1:0] send_packet_i,
  input  wire [MemberBits-1:0] member_i,             // with Shared; valid with send_packet_i
  output wire [LaneBits-1:0]   word_o,
  // receiving
  input  wire                  rx_en_i,
  input  wire [FlitBits-1:0]   rx_flit_i,
  input  wire                  recv_valid_i,
  input  wire [PacketBits-1:0] recv_packet_i,
  input  wire [LaneBits-1:0]   word_i,
  // what is written, to the members of the node; and what is written to theirs, with their lanes
  output wire [WriteBits-1:0]         write_o,
  input  wire [Members*WriteBits-1:0] writes_i,
  input  wire [Members*LaneBits-1:0]  lanes_i,
  // host port; used while the machine is idle
  input  wire                  host_selected_i,
  input  wire                  host_we_packet_i,
  input  wire                  host_re_memory_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i,
  input  wire [Parts-1:0]      host_parts_i,         // the part that is accessed
  input  wire [LaneBits-1:0]   host_lane_i,
  output wire [31:0]           host_word_o           // one cycle after host_re_memory_i
);

  localparam int PartWidth = Parts > 1 ? 32 : LaneBits;

  wire [LaneBits-1:0] own_word;

  rc_ram #(
    .Width(LaneBits), .Depth(Packets * Flits), .Part(PartWidth),
    .Init(rc_initial::part(Init, "packets-", Node)), .Cleared(Cleared)
  ) u_packets (
    .clk_i,
    .strobe_i(host_we_packet_i | rx_en_i),
    .we_i(host_we_packet_i ? host_parts_i & {Parts{host_selected_i}} : {Parts{recv_valid_i}}),
    .waddr_i(host_we_packet_i ? {host_packet_i, host_flit_i} : {recv_packet_i, rx_flit_i}),
    .wdata_i(host_we_packet_i ? host_lane_i : word_i),
    .re_i(tx_en_i | host_re_memory_i),
    .raddr_i(host_re_memory_i ? {host_packet_i, host_flit_i} : {send_packet_i, tx_flit_i}),
    .rdata_o(own_word)
  );

  rc_host_word #(.Width(Width)) u_host_word (
    .clk_i, .host_re_memory_i, .parts_i(host_parts_i), .word_i(own_word), .host_word_o
  );

  // The members of a node.

  wire  [LaneBits-1:0] stored_word;                  // of the member that the program names
  wire                 bypasses;
  wire  [LaneBits-1:0] bypass_lane;

  assign write_o = {host_selected_i, recv_valid_i, recv_packet_i};

  if (Shared == 1) begin : g_own
    assign stored_word = own_word;
    assign bypasses    = recv_valid_i & (recv_packet_i == send_packet_i) & same_flit_i;
    assign bypass_lane = word_i;

    wire unused = &{1'b0, member_i, writes_i, lanes_i};
  end else begin : g_shared
    logic [MemberBits-1:0]       member_q;           // of the word that is read
    wire  [Members*LaneBits-1:0] words, bypass_lanes;
    wire  [Members-1:0]          meets;

    always_ff @(posedge clk_i) begin
      if (tx_en_i) member_q <= member_i;
    end

    for (genvar m = 0; m < Members; m++) begin : g_member
      wire                  host_selects, receives;
      wire [PacketBits-1:0] packet;
      wire [LaneBits-1:0]   word;

      assign {host_selects, receives, packet} = writes_i[m*WriteBits +: WriteBits];

      if (m == Node % Shared) begin : g_own
        assign word = own_word;
        wire unused_own = &{1'b0, host_selects};
      end else begin : g_copy
        rc_ram #(
          .Width(LaneBits), .Depth(Packets * Flits), .Part(PartWidth),
          .Init(rc_initial::part(Init, "packets-", Node - Node % Shared + m)), .Cleared(Cleared)
        ) u_packets (
          .clk_i,
          .strobe_i(host_we_packet_i | rx_en_i),
          .we_i(host_we_packet_i ? host_parts_i & {Parts{host_selects}} : {Parts{receives}}),
          .waddr_i(host_we_packet_i ? {host_packet_i, host_flit_i} : {packet, rx_flit_i}),
          .wdata_i(host_we_packet_i ? host_lane_i : lanes_i[m*LaneBits +: LaneBits]),
          .re_i(tx_en_i),
          .raddr_i({send_packet_i, tx_flit_i}),
          .rdata_o(word)
        );
      end

      assign meets[m] = receives & (packet == send_packet_i) & (member_i == MemberBits'(m));
      assign words[m*LaneBits +: LaneBits] = word & {LaneBits{member_q == MemberBits'(m)}};
      assign bypass_lanes[m*LaneBits +: LaneBits] =
          lanes_i[m*LaneBits +: LaneBits] & {LaneBits{meets[m]}};
    end

    rc_or_tree #(.Words(Members), .Width(LaneBits)) u_stored (.words_i(words),
                                                              .word_o(stored_word));
    rc_or_tree #(.Words(Members), .Width(LaneBits)) u_bypass (.words_i(bypass_lanes),
                                                              .word_o(bypass_lane));
    assign bypasses = (|meets) & same_flit_i;
  end

  logic                bypass_q;
  logic [LaneBits-1:0] bypass_word_q;

  always_ff @(posedge clk_i) begin
    if (forward_i) begin
      bypass_q      <= bypasses;
      bypass_word_q <= bypass_lane;
    end
  end

  assign word_o = forward_i ? (bypass_q ? bypass_word_q : stored_word) : stored_word;

endmodule

`default_nettype wire
