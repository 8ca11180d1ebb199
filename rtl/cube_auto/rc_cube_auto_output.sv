// SPDX-License-Identifier: Apache-2.0
// rc_cube_auto_output: an output port of rc_cube_auto_node.sv. The packet that it sends in a row is
// selected at the fetch, two cycles before the first flit is on the lane.
//
// The endpoint sends a packet of the list of the node (own_i); the router sends a descending packet
// (relay_i) or a popped one (queue_i), whose found_i, {input, place, slot}, is valid one cycle
// after the fetch. A popped packet that arrived over this port, which is possible at a root, is
// sent by the endpoint from its slot. A packet made by the node (made_i) consists of a header, a
// value, and zeros. This module inserts the kind of every packet.
`default_nettype none
`include "../common/rc_require.svh"

module rc_cube_auto_output #(
  parameter int Port       = 0,                      // 0 ... Ports-1
  parameter int Ports      = 1,
  parameter int Width      = 3,
  parameter int PacketBits = 1,
  parameter int RowBits    = 1,
  parameter int PortBits   = 1,
  parameter int SlotBits   = 1,
  parameter int Relayed    = 0,                      // input of descending packets
  parameter int Root       = 0,  // 0: a climbing packet never returns over its port
  localparam int EntryBits = PortBits + SlotBits + PacketBits,
  localparam int ListBits  = 2 + PacketBits + RowBits,
  localparam int LaneBits  = Width + 1
) (
  input  wire                  clk_i,
  input  wire                  fetch_i,
  input  wire                  own_i,                // with the fetch; at most one is high
  input  wire                  queue_i,
  input  wire                  relay_i,
  input  wire                  made_i,
  input  wire [1:0]            kind_i,
  input  wire [RowBits-1:0]    row_i,                // valid with the fetch: row of the list
  input  wire [EntryBits-1:0]  found_i,
  input  wire [PacketBits-1:0] made_slot_i,          // valid after the fetch
  input  wire [PacketBits-1:0] made_value_i,
  input  wire                  tx_q_i,               // a flit of the row is on the lane
  input  wire                  tx_flit0_q_i,         // it is the first flit
  input  wire                  tx_flit1_q_i,         // it is the second flit
  input  wire [LaneBits-1:0]   routed_i,             // lane from the router
  output wire [ListBits-1:0]   list_o,               // for the endpoint: {send, direct, slot, row}
  output wire                  route_valid_o,  // for the router: it sends, and from which input
  output wire [PortBits-1:0]   route_port_o,
  output wire [LaneBits-1:0]   lane_o
);

  `RC_REQUIRE(Port, Port >= 0 && Port < Ports, "Port must be 0 or more and below Ports")

  logic       own_q, queue_q, relay_q, made_q;
  logic [1:0] kind_q;

  always_ff @(posedge clk_i) begin
    if (fetch_i) begin
      own_q   <= own_i;
      queue_q <= queue_i;
      relay_q <= relay_i;
      made_q  <= made_i;
      kind_q  <= kind_i;
    end
  end

  wire [PortBits-1:0]   port;
  wire [SlotBits-1:0]   place;
  wire [PacketBits-1:0] slot;

  assign {port, place, slot} = found_i;

  wire back = Root != 0 && (port == PortBits'(Port) || Ports == 1);

  assign list_o        = Root != 0 ? {own_q | (queue_q & back), queue_q, slot, row_i}
      : {own_q, {(PacketBits+1){1'b0}}, row_i};
  assign route_valid_o = relay_q | (queue_q & ~back);
  assign route_port_o  = relay_q ? PortBits'(Relayed) : port;

  wire                  sends  = own_q | queue_q | relay_q | made_q;
  wire [PacketBits-1:0] first  = {PacketBits{made_q}} & made_slot_i;
  wire [PacketBits-1:0] second = {PacketBits{made_q & tx_flit1_q_i}} & made_value_i;
  wire [Width-1:0]      header = {Width{sends & tx_flit0_q_i}} & {kind_q, (Width-2)'(first)};

  // The word on an idle lane of a router is arbitrary.
  assign lane_o = ({LaneBits{routed_i[Width]}} & routed_i) |
                  ({LaneBits{tx_q_i}} & {made_q, header | Width'(second)});

  wire unused = &{1'b0, place, slot};

endmodule

`default_nettype wire
