// SPDX-License-Identifier: Apache-2.0
// rc_cube_auto_input: an input port of rc_cube_auto_node.sv. It reads the header of the packet that
// arrives and determines whether the packet climbs or descends.
//
// The scan, which visits each port once per row, queues a packet that climbs. A packet that
// descends is relayed in the next row; a packet of kind `last` is the last over this arc. place_o
// is the slot in which the router has stored the packet.
`default_nettype none

module rc_cube_auto_input #(
  parameter int Width      = 3,
  parameter int PacketBits = 1,
  parameter int SlotBits   = 1,
  localparam int LaneBits  = Width + 1
) (
  input  wire                   clk_i,
  input  wire                   clear_i,
  input  wire                   header_i,      // the first flit of a row is on the lane
  input  wire                   last_i,        // the last flit of the row is on the lane
  input  wire  [LaneBits-1:0]   lane_i,
  input  wire  [SlotBits-1:0]   write_slot_i,  // slot in which the router stores the packet
  // valid from the last flit of a row to the last flit of the next row:
  output logic                  climbs_o,
  output logic                  relay_o,
  output logic                  relay_last_o,
  output logic [SlotBits-1:0]   place_o,
  output logic [PacketBits-1:0] slot_o,              // slot in the memory of the endpoint
  output wire                   ends_o  // valid with the last flit: the packet is of kind `last`
);

  localparam logic [1:0] Gather = 2'd1, Spread = 2'd2, Last = 2'd3;

  logic [1:0] kind_q;

  wire comes = last_i & lane_i[Width];

  always_ff @(posedge clk_i) begin
    if (header_i & lane_i[Width]) begin
      kind_q <= lane_i[Width-1 -: 2];
      slot_o <= lane_i[PacketBits-1:0];
    end
    if (last_i) begin
      climbs_o     <= comes && kind_q == Gather;
      relay_last_o <= kind_q == Last;
      place_o      <= write_slot_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) relay_o <= 1'b0;
    else if (last_i) relay_o <= comes && (kind_q == Spread || kind_q == Last);
  end

  assign ends_o = comes && kind_q == Last;

  wire unused = &{1'b0, lane_i};

endmodule

`default_nettype wire
