// SPDX-License-Identifier: Apache-2.0
// rc_operand_memory: combines a flit that arrives with the word at its place in the packet memory,
// for an endpoint that combines packets.
//
// A flit on lane_i waits one cycle, in which the word at its place is read from a second copy of
// the packet memory; then the flit is stored, or its combination with that word. Both copies are
// written alike. The register counts as one of the latency, so that with L the cycles from lane_o
// of an endpoint to the registered flit, for a row whose first flit is on lane_o in cycle c:
//
//     c+L-1+k   lane_en_i, lane_flit_i   flit k of the row on lane_i; the memory is read
//     c+L+k     rx_en_i, rx_flit_i       flit k on word_o, stored at the end of the cycle
//
// A flit must not be stored in the cycle in which the next flit for the same word is on lane_i,
// because the memory would return the old word. With barriers that flit is on lane_i R - 1 cycles
// later, and R >= F + L >= 2. Without barriers it is there F - 1 cycles later or more, so F must be
// 2 or more. formal/endpoint_combine_properties.sv proves it.
//
// A combination is held if both words are. lacks_o is high if the word in the memory is not.
`default_nettype none

module rc_operand_memory #(
  parameter int Width   = 1,                         // parameters: as in rc_endpoint.sv
  parameter int Packets = 2,
  parameter int Flits   = 2,
  parameter int Operators = 127,                     // that are built (rc_combine.sv)
  parameter int Node    = 0,
  parameter bit [1023:0] Init = '0,
  parameter bit Cleared = 1'b0,                      // 1: initially no word is held; excludes Init
  localparam int PacketBits = Packets > 1 ? $clog2(Packets) : 1,
  localparam int FlitBits   = $clog2(Flits),
  localparam int Parts      = rc_address_map::parts(Width),
  localparam int LaneBits   = Width + 1              // {valid, word}
) (
  input  wire                  clk_i,
  input  wire                  recv_fetch_i,         // the receive program is read
  // the row whose flits are on lane_i: {valid, more, combine} and packet
  input  wire                  lane_en_i,
  input  wire [FlitBits-1:0]   lane_flit_i,
  input  wire [2:0]            lane_flags_i,
  input  wire [PacketBits-1:0] lane_packet_i,
  input  wire [LaneBits-1:0]   lane_i,
  input  wire [2:0]            operation_i,          // rc_combine.sv
  // one cycle later
  input  wire                  rx_en_i,
  input  wire [FlitBits-1:0]   rx_flit_i,
  output wire                  fetched_o,
  output wire                  recv_valid_o,
  output wire                  recv_more_o,
  output wire [PacketBits-1:0] recv_packet_o,
  output wire                  arrived_o,
  output wire [LaneBits-1:0]   word_o,               // the word to store
  output wire                  lacks_o,
  // host port; used while the machine is idle
  input  wire                  host_selected_i,
  input  wire                  host_we_packet_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i,
  input  wire [Parts-1:0]      host_parts_i,         // as in rc_packet_memory.sv
  input  wire [LaneBits-1:0]   host_lane_i
);

  logic [2:0]            flags_q;
  logic [PacketBits-1:0] packet_q;
  logic [LaneBits-1:0]   lane_q;
  logic                  fetch_q;
  wire  [LaneBits-1:0]   held;
  wire  [Width-1:0]      result;

  always_ff @(posedge clk_i) begin
    flags_q  <= lane_flags_i;
    packet_q <= lane_packet_i;
    lane_q   <= lane_i;
    fetch_q  <= recv_fetch_i;
  end

  assign {recv_valid_o, recv_more_o} = flags_q[2:1];
  assign recv_packet_o = packet_q;
  assign fetched_o     = fetch_q;
  assign arrived_o     = lane_q[Width];

  rc_ram #(
    .Width(LaneBits), .Depth(Packets * Flits), .Part(Parts > 1 ? 32 : LaneBits),
    .Init(rc_initial::part(Init, "packets-", Node)), .Cleared(Cleared)
  ) u_operands (
    .clk_i,
    .strobe_i(host_we_packet_i | rx_en_i),
    .we_i(host_we_packet_i ? host_parts_i & {Parts{host_selected_i}} : {Parts{recv_valid_o}}),
    .waddr_i(host_we_packet_i ? {host_packet_i, host_flit_i} : {recv_packet_o, rx_flit_i}),
    .wdata_i(host_we_packet_i ? host_lane_i : word_o),
    .re_i(lane_en_i),
    .raddr_i({lane_packet_i, lane_flit_i}),
    .rdata_o(held)
  );

  rc_combine #(.Width(Width), .Operators(Operators)) u_combine (
    .operation_i, .only_a_i(1'b0), .only_b_i(1'b0),
    .a_i(held[Width-1:0]), .b_i(lane_q[Width-1:0]), .word_o(result)
  );

  assign word_o  = flags_q[0] ? {held[Width] & arrived_o, result} : lane_q;
  assign lacks_o = rx_en_i & recv_valid_o & flags_q[0] & ~held[Width];

endmodule

`default_nettype wire
