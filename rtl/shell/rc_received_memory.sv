// SPDX-License-Identifier: Apache-2.0
// rc_received_memory: what an endpoint has received, kept apart from its node's own packets, so
// that the node has two partial results of a packet: what was received, and that combined with its
// own.
//
//     packet memory (the host) ---> own_i ------+
//                                               +--> own, received or both combined: word_o
//     rc_operand_memory (a run) --> received ---+    (rc_combine.sv)
//
// A second partial result must not be stored, because each receipt would change both, and a memory
// has one write port. So a run stores only what is received, combined with what was received
// before, and the word that leaves is combined with the node's own when it is read. In a cycle an
// endpoint reads three words: its own and a received one to send, and one to combine with what
// arrives. These are the packet memory, this memory and its copy in rc_operand_memory.sv.
//
// chosen_i selects what is sent: {received, combine}:
//
//     00, 01    the node's own word
//     10        the received word
//     11        both, combined
//
// The host reads the node's own word if nothing was received in its place, else the received word,
// combined with the node's own if the receipt that was stored last had `own` set. What the host
// writes at a place is the node's own; it also clears what was received there.
//
// For a flit that is on the lane in cycle c:
//
//     c-1   tx_en_i, tx_flit_i, send_packet_i, chosen_i   the memories are read
//     c     own_i, word_o                                 the word to send: {held, word}
//     c     rx_en_i, rx_flit_i, recv_packet_i, word_i     the word to store; recv_own_i belongs to
//                                                         the row on the lane, one cycle earlier
//
// A word that is stored in the cycle in which it is read is forwarded as in rc_packet_memory.sv.
`default_nettype none

module rc_received_memory #(
  parameter int Width   = 1,                         // parameters: as in rc_endpoint.sv
  parameter int Packets = 2,
  parameter int Flits   = 2,
  parameter int Operators = 127,                     // that are built (rc_combine.sv)
  parameter bit Cleared = 1'b0,                      // 1: initially nothing is received
  localparam int PacketBits = Packets > 1 ? $clog2(Packets) : 1,
  localparam int FlitBits   = $clog2(Flits),
  localparam int StoredParts = rc_address_map::parts(Width + 1),
  localparam int LaneBits   = Width + 1,             // {valid, word}
  localparam int WriteBits  = 2 + PacketBits
) (
  input  wire                  clk_i,
  input  wire                  forward_i,            // as in rc_packet_memory.sv
  input  wire                  same_flit_i,
  input  wire [2:0]            operation_i,          // rc_combine.sv
  // sending
  input  wire                  tx_en_i,
  input  wire [FlitBits-1:0]   tx_flit_i,
  input  wire [PacketBits-1:0] send_packet_i,
  input  wire [1:0]            chosen_i,             // {received, combine}
  input  wire [LaneBits-1:0]   own_i,
  output wire [LaneBits-1:0]   word_o,
  // receiving
  input  wire                  rx_en_i,
  input  wire [FlitBits-1:0]   rx_flit_i,
  input  wire                  recv_valid_i,
  input  wire [PacketBits-1:0] recv_packet_i,
  input  wire                  recv_own_i,
  input  wire [LaneBits-1:0]   word_i,
  // host port; used while the machine is idle
  input  wire                  host_selected_i,
  input  wire                  host_we_packet_i,
  input  wire                  host_re_memory_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i
);

  // A received word is stored as {held, own, word}.

  logic                 recv_own_q;
  wire  [LaneBits:0]    stored;
  wire  [31:0]          stored_word;
  wire  [WriteBits-1:0] write;
  wire  [WriteBits-1:0] no_write = '0;
  wire  [LaneBits:0]    nothing  = '0;

  always_ff @(posedge clk_i) begin
    recv_own_q <= recv_own_i;
  end

  rc_packet_memory #(
    .Width(Width + 1), .Packets(Packets), .Flits(Flits), .Cleared(Cleared)
  ) u_received (
    .clk_i, .forward_i, .same_flit_i, .tx_en_i, .tx_flit_i, .send_packet_i, .member_i(1'b0),
    .word_o(stored), .rx_en_i, .rx_flit_i, .recv_valid_i, .recv_packet_i,
    .word_i({word_i[Width], recv_own_q, word_i[Width-1:0]}),
    .write_o(write), .writes_i(no_write), .lanes_i(nothing), .host_selected_i, .host_we_packet_i,
    .host_re_memory_i, .host_packet_i, .host_flit_i, .host_parts_i({StoredParts{1'b1}}),
    .host_lane_i(nothing), .host_word_o(stored_word)
  );

  wire                received_held = stored[LaneBits];
  wire                received_own  = stored[Width];
  wire [Width-1:0]    received      = stored[Width-1:0];

  // The choice for the words that were read in the cycle before.

  logic [1:0] chosen_q;
  logic       host_q;                                // the host has read them

  always_ff @(posedge clk_i) begin
    if (tx_en_i | host_re_memory_i) begin
      chosen_q <= chosen_i;
      host_q   <= host_re_memory_i;
    end
  end

  wire takes    = host_q ? received_held : chosen_q[1];
  wire combines = host_q ? received_own : chosen_q[0];
  wire only_own      = ~takes;
  wire only_received = takes & ~combines;

  rc_combine #(.Width(Width), .Operators(Operators)) u_combine (
    .operation_i, .only_a_i(only_own), .only_b_i(only_received),
    .a_i(own_i[Width-1:0]), .b_i(received), .word_o(word_o[Width-1:0])
  );

  assign word_o[Width] = (own_i[Width] | only_received) & (received_held | only_own);

  wire unused = &{1'b0, stored_word, write};

endmodule

`default_nettype wire
