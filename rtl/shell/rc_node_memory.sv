// SPDX-License-Identifier: Apache-2.0
// rc_node_memory: words that an endpoint sends if its node combines what its endpoints receive.
//
//     packet memory (the host) ------> own_i ---+
//     arrivals of member 0 ----> arrived 0 -----+--> combination of the words that are held: word_o
//     arrivals of member 1 ----> arrived 1 -----+    (rc_combine_tree.sv)
//
// A node has Members endpoints, the members, on one arc each. The packet memory of an endpoint
// (rc_packet_memory.sv) has the packets that the host has written there. In addition, each endpoint
// has a copy of what each member has received: the last packet over each arc. The word that it
// sends, or that the host reads, is the combination of all those that are held. Any number of
// members receive in a cycle, the same packet or different ones, because each has a memory of its
// own.
//
// A packet is received as a partial result, which is combined with the others, or as the result,
// which replaces them: if there is a result, its word is sent. If several members have a result,
// that of the lowest member is sent. (The compiler rejects schedules that would make this matter,
// and those that combine two packets over one arc.)
//
// For a flit that is on the lane in cycle c:
//
//     c-1   tx_en_i, send_packet_i, tx_flit_i   the memories are read
//     c     own_i, word_o                       the word to send: {held, word}; 0 if it is not held
//     c     rx_en_i, writes_i, lanes_i          the words that arrive, stored after the cycle
//
// A word must not be read in the cycle in which it is stored. Let R be the cycles of a row, F the
// flits, L the latency: flit f of a row that begins in cycle c is read in c+f-1 and stored in
// c+f+L. With barriers, R >= F + L, so that these flits differ if F is 2 or more; with F = 1 the
// row has a cycle more (machine_control_cycles). formal/node_memory_properties.sv proves what is
// sent and read.
//
// A host that writes a word at an endpoint also clears what the endpoint has received there.
`default_nettype none
`include "../common/rc_require.svh"

module rc_node_memory #(
  parameter int Width   = 1,                         // parameters: as in rc_endpoint.sv
  parameter int Packets = 2,
  parameter int Flits   = 2,
  parameter int Operators = 127,                     // that are built (rc_combine.sv)
  parameter int Members = 1,                         // endpoints of a node, >= 1
  parameter bit Cleared = 1'b0,                      // 1: initially nothing is received
  localparam int PacketBits = Packets > 1 ? $clog2(Packets) : 1,
  localparam int FlitBits   = $clog2(Flits),
  localparam int LaneBits   = Width + 1,             // {valid, word}
  localparam int WriteBits  = 3 + PacketBits
) (
  input  wire                  clk_i,
  input  wire  [2:0]           operation_i,          // rc_combine.sv
  // sending
  input  wire                  tx_en_i,
  input  wire [FlitBits-1:0]   tx_flit_i,
  input  wire [PacketBits-1:0] send_packet_i,
  input  wire [LaneBits-1:0]   own_i,
  output wire [LaneBits-1:0]   word_o,
  // receiving: what is written to the members of the node, {the host addresses it, a packet is
  // received, it is combined, packet}, and their lanes
  input  wire                         rx_en_i,
  input  wire [FlitBits-1:0]          rx_flit_i,
  input  wire [Members*WriteBits-1:0] writes_i,
  input  wire [Members*LaneBits-1:0]  lanes_i,
  // host port; used while the machine is idle
  input  wire                  host_we_packet_i,
  input  wire                  host_re_memory_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i
);

  `RC_REQUIRE(Members, Members >= 1, "Members must be 1 or more")

  localparam int Words = Members >= 1 ? Members + 1 : 2;  // own and arrived

  // Memories.

  wire                           re    = tx_en_i | host_re_memory_i;
  wire [PacketBits+FlitBits-1:0] raddr = host_re_memory_i ? {host_packet_i, host_flit_i}
                                                          : {send_packet_i, tx_flit_i};
  wire [LaneBits-1:0]            arrived [Members];
  wire [Members-1:0]             result;             // the word of a member replaces the others
  wire [Members-1:0]             first;              // the lowest of these members

  for (genvar m = 0; m < Members; m++) begin : g_member
    wire                  host_selects, receives, combines;
    wire [PacketBits-1:0] packet;

    assign {host_selects, receives, combines, packet} = writes_i[m*WriteBits +: WriteBits];

    rc_ram #(
      .Width(LaneBits + 1), .Depth(Packets * Flits), .Cleared(Cleared)
    ) u_arrived (
      .clk_i,
      .strobe_i(host_we_packet_i | rx_en_i),
      .we_i(host_we_packet_i ? host_selects : receives),
      .waddr_i(host_we_packet_i ? {host_packet_i, host_flit_i} : {packet, rx_flit_i}),
      .wdata_i(host_we_packet_i ? '0 : {~combines, lanes_i[m*LaneBits +: LaneBits]}),
      .re_i(re),
      .raddr_i(raddr),
      .rdata_o({result[m], arrived[m]})
    );
  end

  assign first = result & (~result + 1'b1);

  // Combination. If there is a result, no other word counts.

  wire [Words-1:0]       counts;
  wire [Words*Width-1:0] words;
  wire                   any;
  wire [Width-1:0]       word;

  assign counts[0]         = own_i[Width] & ~(|result);
  assign words[0 +: Width] = own_i[Width-1:0];

  for (genvar m = 0; m < Members; m++) begin : g_word
    assign counts[m+1] = arrived[m][Width] & (first[m] | ~(|result));
    assign words[(m+1)*Width +: Width] = arrived[m][Width-1:0];
  end

  rc_combine_tree #(
    .Words(Words), .Width(Width), .Operators(Operators)
  ) u_combine_tree (
    .clk_i, .ce_i(1'b1), .operation_i, .operands_i(counts), .words_i(words), .operand_o(any),
    .word_o(word)
  );

  assign word_o = {any, word & {Width{any}}};

endmodule

`default_nettype wire
