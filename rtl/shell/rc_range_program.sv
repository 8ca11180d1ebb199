// SPDX-License-Identifier: Apache-2.0
// rc_range_program: decides what an endpoint sends and receives by splitting ranges of nodes, in
// place of a send program and a receive program.
//
// The first flit of a packet is {first, last}: its receiver is node `first`, and serves the range
// first ... last. A node that serves more than itself keeps the first part of its range and sends
// all packets to the first node of the rest, which serves the rest:
//
//     node 4 serves 4 ... 9:    sends {7, 9}, keeps 4 ... 6, sends {6, 6}, keeps 4 ... 5, ...
//
// The table of splits (rc_range_table.sv) determines how much it keeps, from the number of the
// other nodes in its range. Whatever the table contains, the receiver is one of them, and the node
// serves fewer nodes than before (formal/range_program_properties.sv).
//
// A node begins in the first row after it has the first packet, and sends a packet only after it
// has received it. The node where the packets start gets its range from the host, and has all of
// them at the start. Each endpoint counts the flits of its own packets, so that the header leaves
// first in whichever cycle a packet begins. For a packet whose first flit is on lane_o in cycle c,
// with F flits, and for one whose first flit is on lane_i in cycle c:
//
//     c-1          row_begins_i; the decision        c            the header is checked
//     c            heads_o: header_o leaves          c+1          others_q
//     c+k-1        tx_flit_o, k = 1 ... F-1          c+2          offset_q
//     c+F-1        earliest decision for the next    c+F-1        earliest decision to forward it
//
// Hence F must be 2 or more. A packet is not expected, and its flits are not stored, if its header
// does not begin with this node, ends outside of the network or differs from that of the first
// packet, or if the node has all packets.
`default_nettype none
`include "../common/rc_require.svh"

module rc_range_program #(
  parameter int Width    = 2,                        // bits of a word, 2 * NodeBits ... 512
  parameter int Packets  = 2,                        // packets of the memory, a power of two >= 2
  parameter int Flits    = 2,                        // flits of a packet, a power of two >= 2
  parameter int Nodes    = 2,                        // nodes, 2 ... 2 ** NodeBits
  parameter int Node     = 0,                        // number of this node
  parameter int NodeBits = 1,
  parameter int Splits   = 2,                        // words of the table, a power of two >= 2
  localparam int SplitBits  = 1 + 2 * NodeBits,
  localparam int PacketBits = $clog2(Packets),
  localparam int FlitBits   = $clog2(Flits),
  localparam int LaneBits   = Width + 1              // {valid, word}
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        start_i,
  // constant during a run
  input  wire                        source_i,       // the packets start at this node
  input  wire [NodeBits-1:0]         source_last_i,  // with source_i: the last node of its range
  input  wire [PacketBits:0]         packets_i,      // packets of the schedule
  input  wire [FlitBits-1:0]         last_flit_i,    // number of the last flit of a packet
  input  wire [Splits*SplitBits-1:0] splits_i,
  // sending
  input  wire                        row_begins_i,   // the first tx_en_i of a row
  input  wire                        tx_en_i,
  output wire                        send_o,         // a flit leaves in the next cycle
  output wire                        heads_o,        // header_o leaves in this cycle
  output wire [LaneBits-1:0]         header_o,
  output wire [PacketBits-1:0]       tx_packet_o,    // the flit to read for the next cycle
  output wire [FlitBits-1:0]         tx_flit_o,
  // receiving
  input  wire                        rx_en_i,
  input  wire [LaneBits-1:0]         lane_i,
  input  wire                        broken_i,  // a flit of the packet was missing or unexpected
  output wire                        recv_o,         // the flit on lane_i is expected
  output wire                        more_o,         // and is not the last one
  output wire [PacketBits-1:0]       rx_packet_o,    // where it is stored
  output wire [FlitBits-1:0]         rx_flit_o
);

  `RC_REQUIRE(Width, Width >= 2 * NodeBits && Width <= 512, "Width must be 2 * NodeBits to 512")
  `RC_REQUIRE(Nodes, Nodes >= 2 && Nodes <= 2 ** NodeBits, "Nodes must be 2 to 2 ** NodeBits")
  `RC_REQUIRE(Node, Node >= 0 && Node < Nodes, "Node must be below Nodes")

  localparam bit [NodeBits-1:0] Own = NodeBits'(Node);

  wire clear = rst_i | start_i;

  // The range that is left: the number of nodes after this one; and how far the next receiver is.

  logic [NodeBits-1:0] others_q, offset_q, range_last_q;
  wire  [Splits*NodeBits-1:0] offsets;
  wire  [NodeBits-1:0]        offset;

  for (genvar s = 0; s < Splits; s++) begin : g_split
    localparam int Before = s == 0 ? 0 : s - 1;
    wire [NodeBits-1:0] least  = splits_i[Before*SplitBits+NodeBits +: NodeBits];
    wire [NodeBits-1:0] most   = splits_i[s*SplitBits+NodeBits +: NodeBits];
    wire [NodeBits-1:0] nodes  = splits_i[s*SplitBits +: NodeBits];
    wire                gives  = splits_i[s*SplitBits+2*NodeBits];
    wire                chosen = others_q <= most && (s == 0 || others_q > least);

    assign offsets[s*NodeBits +: NodeBits] =
        {NodeBits{chosen}} & (gives ? others_q + 1'b1 - nodes : nodes);
  end

  rc_or_tree #(.Words(Splits), .Width(NodeBits)) u_offset (.words_i(offsets), .word_o(offset));

  wire legal = offset != '0 && offset <= others_q;

  // Receiving.

  logic                receiving_q, mine_q;          // within a packet; which is for this node
  logic [FlitBits-1:0] rx_flit_q;
  logic [PacketBits:0] count_q;                      // packets received

  wire                       arrives = lane_i[Width];
  wire [Width-NodeBits-1:0]  first   = lane_i[Width-1:NodeBits];
  wire [NodeBits-1:0]        last    = lane_i[NodeBits-1:0];
  wire [NodeBits:0]          after   = {1'b0, last} - {1'b0, Own};  // negative: the range is empty
  wire right = 32'(first) == Node && !after[NodeBits] && 32'(last) < Nodes &&
      count_q < packets_i && (count_q == '0 || last == range_last_q);
  wire completes = rx_en_i & recv_o & arrives & ~more_o & ~broken_i;
  wire [PacketBits:0] count = count_q + (PacketBits+1)'(completes);

  assign rx_flit_o   = receiving_q ? rx_flit_q : '0;
  assign rx_packet_o = count_q[PacketBits-1:0];
  assign recv_o      = receiving_q ? mine_q : arrives & right;
  assign more_o      = rx_flit_o != last_flit_i;

  always_ff @(posedge clk_i) begin
    if (rx_en_i && (receiving_q || arrives)) begin
      receiving_q <= more_o;
      rx_flit_q   <= rx_flit_o + 1'b1;
      if (!receiving_q) begin
        mine_q <= right;
        if (right && count_q == '0) range_last_q <= last;
      end
    end
    if (clear) receiving_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (clear) count_q <= start_i && !rst_i && source_i ? packets_i : '0;
    else if (completes) count_q <= count;
  end

  // Sending.

  logic                  sending_q, heads_q;         // flits after the header remain
  logic [FlitBits-1:0]   tx_flit_q;
  logic [PacketBits-1:0] slot_q;
  logic [PacketBits:0]   sent_q;                     // packets of this message
  wire [PacketBits:0]    sent_next = sent_q + 1'b1;
  wire                   done      = sent_next == packets_i;  // with heads_q: the message
  wire [NodeBits:0]      at_start  = {1'b0, source_last_i} - {1'b0, Own};
  wire begins = row_begins_i && tx_en_i && !sending_q && others_q != '0 && sent_q < count;

  assign send_o      = (begins || (tx_en_i && sending_q)) && !clear;
  assign heads_o     = heads_q;
  assign tx_packet_o = slot_q;
  assign tx_flit_o   = tx_flit_q;
  assign header_o    = {1'b1, Width'({Own + offset_q, Own + others_q})};

  always_ff @(posedge clk_i) begin
    heads_q <= begins && !clear;
    if (begins) begin
      sending_q <= last_flit_i != '0;
      tx_flit_q <= FlitBits'(1);
      slot_q    <= sent_q[PacketBits-1:0];
    end else if (tx_en_i && sending_q) begin
      sending_q <= tx_flit_q != last_flit_i;
      tx_flit_q <= tx_flit_q + 1'b1;
    end
    if (clear) sending_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    offset_q <= legal ? offset : others_q;
    if (rx_en_i && !receiving_q && arrives && right && count_q == '0)
      others_q <= after[NodeBits-1:0];
    if (heads_q) begin
      sent_q <= done ? '0 : sent_next;
      if (done) others_q <= offset_q - 1'b1;
    end
    if (clear) begin
      sent_q   <= '0;
      others_q <= start_i && !rst_i && source_i && !at_start[NodeBits] ? at_start[NodeBits-1:0]
          : '0;
    end
  end

endmodule

`default_nettype wire
