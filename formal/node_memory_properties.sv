// SPDX-License-Identifier: Apache-2.0
// node_memory_properties: an endpoint of a node of two members sends, and the host reads, the
// combination of its own word and of what has arrived at both members, for any packets, words and
// host writes.
//
// The reference has one memory of {result, held, word} for each member.
//
//  1. The copies hold the words of the reference: also if both members receive in a cycle, and the
//     same packet.
//  2. What is read one cycle after the address is the word of the lowest member that has a result;
//     without a result, the combination of the words that are held, in the order own, 0, 1. If no
//     word is held, or the result is not, it is 0.
//  3. A host that writes a word at a member clears it there, and only there.
//
// Assumed: the host writes only between runs.
`default_nettype none

module node_memory_properties #(
  parameter int Width      = 2,
  parameter int Packets    = 2,
  parameter int Flits      = 2,
  parameter int PacketBits = $clog2(Packets),
  parameter int FlitBits   = $clog2(Flits),
  parameter int LaneBits   = Width + 1,
  parameter int WriteBits  = 3 + PacketBits
) (
  input  wire                   clk_i,
  input  wire [2:0]             operation_i,
  input  wire                   tx_en_i,
  input  wire [FlitBits-1:0]    tx_flit_i,
  input  wire [PacketBits-1:0]  send_packet_i,
  input  wire [LaneBits-1:0]    own_i,
  input  wire                   rx_en_i,
  input  wire [FlitBits-1:0]    rx_flit_i,
  input  wire [2*WriteBits-1:0] writes_i,
  input  wire [2*LaneBits-1:0]  lanes_i,
  input  wire                   host_we_packet_i,
  input  wire                   host_re_memory_i,
  input  wire [PacketBits-1:0]  host_packet_i,
  input  wire [FlitBits-1:0]    host_flit_i,
  output wire                   cover_all_o,
  output wire                   cover_result_o,
  output wire                   cover_lost_o
);

  localparam int Members  = 2;
  localparam int Words    = 4;                       // Packets * Flits
  localparam int CellBits = LaneBits + 1;            // {result, held, word}
  localparam int AddrBits = PacketBits + FlitBits;

  wire [LaneBits-1:0] word;

  rc_node_memory #(
    .Width(Width), .Packets(Packets), .Flits(Flits), .Members(Members)
  ) u_node (
    .clk_i, .operation_i, .tx_en_i, .tx_flit_i, .send_packet_i, .own_i, .word_o(word), .rx_en_i,
    .rx_flit_i, .writes_i, .lanes_i, .host_we_packet_i, .host_re_memory_i, .host_packet_i,
    .host_flit_i
  );

  (* hierconn *) wire [CellBits-1:0]
      \u_node.g_member[0].u_arrived.mem[0] , \u_node.g_member[0].u_arrived.mem[1] ,
      \u_node.g_member[0].u_arrived.mem[2] , \u_node.g_member[0].u_arrived.mem[3] ,
      \u_node.g_member[1].u_arrived.mem[0] , \u_node.g_member[1].u_arrived.mem[1] ,
      \u_node.g_member[1].u_arrived.mem[2] , \u_node.g_member[1].u_arrived.mem[3] ;

  wire [Members*Words*CellBits-1:0] cells = {
      \u_node.g_member[1].u_arrived.mem[3] , \u_node.g_member[1].u_arrived.mem[2] ,
      \u_node.g_member[1].u_arrived.mem[1] , \u_node.g_member[1].u_arrived.mem[0] ,
      \u_node.g_member[0].u_arrived.mem[3] , \u_node.g_member[0].u_arrived.mem[2] ,
      \u_node.g_member[0].u_arrived.mem[1] , \u_node.g_member[0].u_arrived.mem[0] };

  `include "operate.svh"

  // Combines two lanes, {held, word}, if both are held; otherwise passes on the lane that is held.
  function automatic bit [LaneBits-1:0] join(input bit [2:0] which, input bit [LaneBits-1:0] a,
                                             input bit [LaneBits-1:0] b);
    join = a[Width] ? a : b;
    if (a[Width] && b[Width]) join = {1'b1, operate(which, a[Width-1:0], b[Width-1:0])};
  endfunction

  // The reference memories.
  logic [Members*Words*CellBits-1:0] model_q = '0;

  for (genvar w = 0; w < Members * Words; w++) begin : g_word
    localparam int Member = w / Words;
    wire                  selects, receives, combines;
    wire [PacketBits-1:0] packet;

    assign {selects, receives, combines, packet} = writes_i[Member*WriteBits +: WriteBits];

    wire here = rx_en_i && receives && {packet, rx_flit_i} == AddrBits'(w % Words);
    wire host = host_we_packet_i && selects && {host_packet_i, host_flit_i} == AddrBits'(w % Words);

    always_ff @(posedge clk_i) begin
      if (here)
        model_q[w*CellBits +: CellBits] <= {!combines, lanes_i[Member*LaneBits +: LaneBits]};
      if (host) model_q[w*CellBits +: CellBits] <= '0;
    end
  end

  // Reading.
  logic                        seen_q = 1'b0, read_q = 1'b0;
  logic [Members*CellBits-1:0] at_q;
  wire  [AddrBits-1:0] address = host_re_memory_i ? {host_packet_i, host_flit_i}
                                                  : {send_packet_i, tx_flit_i};

  always_ff @(posedge clk_i) begin
    seen_q <= 1'b1;
    read_q <= tx_en_i || host_re_memory_i;
    at_q   <= {model_q[(Words+32'(address))*CellBits +: CellBits],
               model_q[32'(address)*CellBits +: CellBits]};
  end

  wire [CellBits-1:0]  low  = at_q[0 +: CellBits];
  wire [CellBits-1:0]  high = at_q[CellBits +: CellBits];
  wire [LaneBits-1:0]  all  = join(operation_i, join(operation_i, own_i, low[0 +: LaneBits]),
                                   high[0 +: LaneBits]);
  wire [LaneBits-1:0]  due  = low[LaneBits] ? low[0 +: LaneBits]
                              : high[LaneBits] ? high[0 +: LaneBits] : all;

  always_comb begin
    if (rx_en_i) assume (!host_we_packet_i);
  end

  always_comb if (!seen_q) assume (cells == model_q);  // the memories have no reset
  always_comb begin
    held: assert (cells == model_q);
    if (read_q) read: assert (word == (due[Width] ? due : '0));
  end

  assign cover_all_o    = read_q && own_i[Width] && low == 4'b0101 && high == 4'b0101
                          && operation_i == 3'd0 && own_i[Width-1:0] == 2'd1 && word == 3'b111;
  assign cover_result_o = read_q && own_i[Width] && low[Width] && high[LaneBits] && high[Width]
                          && word == 3'b110;
  assign cover_lost_o   = read_q && own_i[Width] && low[Width] && high[LaneBits] && !high[Width];

endmodule

`default_nettype wire
