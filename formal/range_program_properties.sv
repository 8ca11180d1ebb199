// SPDX-License-Identifier: Apache-2.0
// range_program_properties: an endpoint that splits ranges, for any table of splits, any lanes and
// any pattern of rows.
//
//  1. A packet is accepted exactly if its header {first, last} is a range of the network that
//     begins with this node, is the same as that of the packets before it, and the node lacks
//     packets. An accepted packet has F flits.
//  2. A header that leaves is a range of nodes after this one, and ends with the last node that is
//     still to be served. All packets of a message have the same header. A packet leaves only after
//     the node has all of its flits.
//  3. Each node of the range is given to a receiver once: the one that the proof follows is in no
//     message before, and in one after, all nodes up to it have been served.
//  4. After a header, the other F - 1 flits of the packet leave in order, one for each tx_en_i, and
//     nothing else.
//
// Assumed: packets, flits, source and table are constant from a start on, with 1 to Packets packets
// of 2 flits or more. The first cycle is a reset; later resets and starts occur in any cycles.
`default_nettype none

module range_program_properties #(
  parameter int Node       = 1,
  parameter int Nodes      = 4,
  parameter int NodeBits   = 2,
  parameter int Width      = 5,
  parameter int PacketBits = 1,
  parameter int FlitBits   = 2,
  parameter int Splits     = 2,
  parameter int SplitBits  = 1 + 2 * NodeBits
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        start_i,
  input  wire                        source_i,
  input  wire [NodeBits-1:0]         source_last_i,
  input  wire [PacketBits:0]         packets_i,
  input  wire [FlitBits-1:0]         last_flit_i,
  input  wire [Splits*SplitBits-1:0] splits_i,
  input  wire                        row_begins_i,
  input  wire                        tx_en_i,
  input  wire                        rx_en_i,
  input  wire [Width:0]              lane_i,
  input  wire                        broken_i,
  input  wire [NodeBits-1:0]         watched_i,      // a node
  output wire                        cover_leaf_o,
  output wire                        cover_all_o,
  output wire                        cover_source_o,
  output wire                        cover_corrupt_o
);

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;

  wire rst = rst_i || !running_q;

  wire                  send, heads, recv, more;
  wire [Width:0]        header;
  wire [PacketBits-1:0] tx_packet, rx_packet;
  wire [FlitBits-1:0]   tx_flit, rx_flit;

  rc_range_program #(
    .Width(Width), .Packets(1 << PacketBits), .Flits(1 << FlitBits), .Nodes(Nodes), .Node(Node),
    .NodeBits(NodeBits), .Splits(Splits)
  ) u_range (
    .clk_i, .rst_i(rst), .start_i, .source_i, .source_last_i, .packets_i, .last_flit_i, .splits_i,
    .row_begins_i, .tx_en_i, .send_o(send), .heads_o(heads), .header_o(header),
    .tx_packet_o(tx_packet), .tx_flit_o(tx_flit), .rx_en_i, .lane_i, .broken_i, .recv_o(recv),
    .more_o(more), .rx_packet_o(rx_packet), .rx_flit_o(rx_flit)
  );

  // Constants of a run.
  localparam int Bits = 1 + 2 * NodeBits + PacketBits + 1 + FlitBits + Splits * SplitBits;
  wire  [Bits-1:0] constants = {source_i, source_last_i, watched_i, packets_i, last_flit_i,
                                splits_i};
  logic [Bits-1:0] constants_q;
  always_ff @(posedge clk_i) constants_q <= constants;
  // In the cycle of a start they are already those of the next run.
  wire checks = running_q && !start_i && !rst_i;
  always_comb begin
    assume (packets_i != '0 && 32'(packets_i) <= 1 << PacketBits && last_flit_i != '0);
    if (checks) assume (constants == constants_q);
  end

  // The packet that arrives, and the number of complete ones.
  logic                source_q;                     // the run began with all packets
  logic                in_q, mine_q;
  logic [FlitBits-1:0] flit_q;
  logic [PacketBits:0] whole_q;
  logic [NodeBits-1:0] last_q, left_q;  // of the range; the last node that is still to be served

  wire                  arrives = lane_i[Width];
  wire [NodeBits-1:0]   first   = lane_i[NodeBits +: NodeBits];
  wire [NodeBits-1:0]   last    = lane_i[NodeBits-1:0];
  wire right = lane_i[Width-1:2*NodeBits] == '0 && 32'(first) == Node && 32'(last) >= Node &&
      32'(last) < Nodes && whole_q < packets_i && (whole_q == '0 || last == last_q);
  wire accepted = in_q ? mine_q : arrives && right;
  wire ends     = in_q && flit_q == last_flit_i;

  always_comb if (checks) begin
    accepts: assert (recv == accepted);
    if (in_q) counts: assert (rx_flit == flit_q && more == !ends);
    if (accepted) place: assert (rx_packet == whole_q[PacketBits-1:0]);
  end

  // The message that leaves.
  logic [PacketBits:0]   sent_q;                     // packets of the message
  logic [NodeBits-1:0]   first_q, end_q;             // its range
  logic                  busy_q, head_q;
  logic [FlitBits-1:0]   due_q;
  logic [PacketBits-1:0] slot_q;
  logic [1:0]            times_q;                    // messages whose range has the watched node

  wire [NodeBits-1:0] to   = header[NodeBits +: NodeBits];
  wire [NodeBits-1:0] till = header[NodeBits-1:0];
  wire                has  = watched_i >= to && watched_i <= till;
  wire [PacketBits:0] sent = sent_q + 1'b1;

  always_comb if (checks) begin
    starts: assert (heads == head_q);
    if (heads) begin
      valid: assert (header[Width] && header[Width-1:2*NodeBits] == '0);
      whole: assert (sent_q < whole_q);
      if (sent_q == '0) begin
        inside_range: assert (32'(to) > Node && to <= till && till == left_q);
        if (has) once: assert (times_q == '0);
      end else begin
        same_range: assert (to == first_q && till == end_q);
      end
    end
    served: assert (times_q == 2'(watched_i > left_q && watched_i <= last_q));
    if (tx_en_i && busy_q)
      in_order: assert (send && tx_flit == due_q && tx_packet == slot_q);
    if (!tx_en_i) nothing: assert (!send);
  end

  always_ff @(posedge clk_i) begin
    if (rx_en_i && (in_q || arrives)) begin
      in_q   <= !ends;
      flit_q <= in_q ? flit_q + 1'b1 : FlitBits'(1);
      mine_q <= accepted;
      if (!in_q && right && whole_q == '0) begin
        last_q  <= last;
        left_q  <= last;
        times_q <= '0;
      end
      if (ends && mine_q && arrives && !broken_i) whole_q <= whole_q + 1'b1;
    end
    head_q <= send && !busy_q;
    if (send && !busy_q) begin
      busy_q <= 1'b1;
      due_q  <= FlitBits'(1);
      slot_q <= sent_q[PacketBits-1:0];
    end else if (tx_en_i && busy_q) begin
      busy_q <= due_q != last_flit_i;
      due_q  <= due_q + 1'b1;
    end
    if (heads) begin
      sent_q <= sent == packets_i ? '0 : sent;
      if (sent_q == '0) begin
        first_q <= to;
        end_q   <= till;
        left_q  <= to - 1'b1;
        times_q <= times_q + 2'(has);
      end
    end
    if (start_i || rst) begin
      source_q <= source_i && !rst;
      in_q    <= 1'b0;
      busy_q  <= 1'b0;
      head_q  <= 1'b0;
      sent_q  <= '0;
      times_q <= '0;
      whole_q <= source_i && !rst ? packets_i : '0;
      last_q  <= source_i && !rst && 32'(source_last_i) > Node ? source_last_i : NodeBits'(Node);
      left_q  <= source_i && !rst && 32'(source_last_i) > Node ? source_last_i : NodeBits'(Node);
    end
  end

`ifndef REFUTE
  // Invariants of the induction: the registers of the module, in terms of the reference.
  (* hierconn *) wire [NodeBits-1:0] \u_range.others_q , \u_range.offset_q , \u_range.range_last_q ,
                                     \u_range.offset ;
  (* hierconn *) wire                \u_range.legal , \u_range.receiving_q , \u_range.mine_q ,
                                     \u_range.sending_q ;
  (* hierconn *) wire [FlitBits-1:0] \u_range.rx_flit_q , \u_range.tx_flit_q ;
  (* hierconn *) wire [PacketBits-1:0] \u_range.slot_q ;
  (* hierconn *) wire [PacketBits:0] \u_range.count_q , \u_range.sent_q ;
  wire [NodeBits-1:0] next = \u_range.legal ? \u_range.offset : \u_range.others_q ;
  always_comb if (checks) begin
    assert ( \u_range.count_q == whole_q && whole_q <= packets_i && \u_range.receiving_q == in_q);
    assert ( \u_range.sent_q == sent_q && sent_q < packets_i && \u_range.sending_q == busy_q);
    assert ( \u_range.others_q == (sent_q != '0 ? end_q : left_q) - NodeBits'(Node));
    assert (32'(left_q) >= Node && left_q <= last_q);
    if (in_q) assert ( \u_range.rx_flit_q == flit_q && \u_range.mine_q == mine_q && flit_q != '0 &&
                      flit_q <= last_flit_i && (!mine_q || whole_q < packets_i));
    if (source_q) assert (whole_q == packets_i);
    if (whole_q != '0 && !source_q) assert ( \u_range.range_last_q == last_q);
    if (whole_q == '0) assert (left_q == last_q && sent_q == '0 && !busy_q);
    if (in_q && mine_q && whole_q == '0) assert ( \u_range.range_last_q == last_q);
    if (head_q) assert (busy_q && due_q == FlitBits'(1) && \u_range.offset_q == next &&
                        sent_q < whole_q && \u_range.others_q != '0);
    if (busy_q) assert (due_q != '0 && due_q <= last_flit_i && \u_range.tx_flit_q == due_q &&
                        \u_range.slot_q == slot_q);
    if (sent_q != '0) assert (32'(first_q) > Node && first_q <= end_q && end_q <= last_q &&
                              left_q == first_q - 1'b1 && first_q == NodeBits'(Node) + next);
  end
`endif

  // Covers: a node that received the range of itself alone has a packet, and sends nothing; the
  // last of three nodes after the source is served; a node that received its range has passed it
  // on; a packet with a corrupt header has been ignored.
  logic corrupt_q = 1'b0;
  always_ff @(posedge clk_i) if (rx_en_i && arrives && !in_q && !right) corrupt_q <= 1'b1;
  assign cover_leaf_o    = running_q && !source_i && whole_q != '0 && 32'(last_q) == Node;
  assign cover_all_o     = running_q && !source_i && heads && sent == packets_i &&
      packets_i == (PacketBits+1)'(2) && 32'(to) == Node + 1;
  assign cover_source_o  = running_q && source_i && heads && 32'(to) == Node + 1 &&
      32'(last_q) == Nodes - 1 && till == to;
  assign cover_corrupt_o = running_q && corrupt_q && whole_q != '0 && !source_i;

endmodule

`default_nettype wire
