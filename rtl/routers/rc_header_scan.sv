// SPDX-License-Identifier: Apache-2.0
// rc_header_scan: reads the headers of the packets that arrive in a row, one port per cycle, and
// outputs for each packet its branches and its place.
//
// A packet that has a header is scanned while the rest of it arrives. The headers shift down by one
// port per cycle. The places of the next packets rotate; if a packet has arrived at a port, its
// place is advanced. A place is {lap, slot}: `lap` counts how often the buffer of the input has
// been filled.
//
//     t        load_i             flit 1 of the packets is on the lanes
//     t+1+p    scan_i, port_i     the header of port p is in front, for p = 0 ... Ports-1 in turn
//     t+3+p    push_o, entry_o    the queues of its branches, and {together, child, port, place}
//
// A packet is pushed into the queue of each of its branches. In single-port runs, packets for
// single leaves below the children share the queue of child 0, and `child` is the branch by which
// they leave.
`default_nettype none

module rc_header_scan #(
  parameter int Children       = 2,                  // parameters as in rc_router_auto.sv
  parameter int ChildLanes     = 1,
  parameter int ParentLanes    = 0,
  parameter int LeavesPerChild = 1,
  parameter int Depth          = 1,
  parameter int Width          = 2,
  parameter int NodeBits       = 1,
  parameter int SlotBits       = 1,
  parameter int LapBits        = 1,
  localparam int Ports         = Children * ChildLanes + ParentLanes,
  // the parent is the last branch
  localparam int Branches      = Children + (ParentLanes > 0 ? 1 : 0),
  localparam int PortBits      = $clog2(Ports),
  localparam int ChildBits     = Children > 1 ? $clog2(Children) : 1,
  localparam int PlaceBits     = LapBits + SlotBits,
  localparam int LaneBits      = Width + 1
) (
  input  wire                          clk_i,
  input  wire                          clear_i,      // sets all places to 0
  input  wire                          single_port_i,
  input  wire [NodeBits-1:0]           first_leaf_i,
  input  wire                          scan_i,
  input  wire [PortBits-1:0]           port_i,
  input  wire                          load_i,
  input  wire [Ports*LaneBits-1:0]     lanes_i,
  output wire                          valid_o,      // a packet was scanned
  output wire [Branches-1:0]           push_o,
  output wire [ChildBits+PortBits+PlaceBits:0] entry_o,
  output wire [Ports*PlaceBits-1:0]    places_o  // of all ports; valid while no scan is in progress
);

  localparam int HeaderBits = NodeBits + 1;          // {multicast, destination}

  wire [HeaderBits-1:0] header  [Ports+1];
  wire                  arrived [Ports+1];
  wire [PlaceBits-1:0]  place   [Ports];
  wire                  wraps      = place[0][SlotBits-1:0] == SlotBits'(Depth - 1);
  wire [SlotBits-1:0]   next_slot  = wraps ? '0 : place[0][SlotBits-1:0] + 1'b1;
  wire [PlaceBits-1:0]  next_place = {place[0][PlaceBits-1:SlotBits] + LapBits'(wraps), next_slot};
  // place that moves from the first position to the last
  wire [PlaceBits-1:0]  round      = arrived[0] ? next_place : place[0];

  for (genvar p = 0; p < Ports; p++) begin : g_input
    wire  [LaneBits-1:0]   lane = lanes_i[p*LaneBits +: LaneBits];
    logic [HeaderBits-1:0] header_q;
    logic                  arrived_q;
    logic [PlaceBits-1:0]  place_q;

    always_ff @(posedge clk_i) begin
      if (load_i | scan_i) begin
        header_q  <= load_i ? {lane[Width-1], lane[NodeBits-1:0]} : header[p+1];
        arrived_q <= load_i ? lane[Width] : arrived[p+1];
      end
    end

    always_ff @(posedge clk_i) begin
      if (clear_i) place_q <= '0;
      else if (scan_i) place_q <= p == Ports - 1 ? round : place[(p+1) % Ports];
    end

    assign header[p]  = header_q;
    assign arrived[p] = arrived_q;
    assign place[p]   = place_q;
    assign places_o[p*PlaceBits +: PlaceBits] = place_q;

    wire unused = &{1'b0, lane};
  end

  assign header[Ports]  = '0;
  assign arrived[Ports] = 1'b0;

  // The scanned packet.

  logic                 valid_q, multicast_q;
  logic [NodeBits-1:0]  leaf_q;  // destination, relative to the lowest leaf below
  logic [PortBits-1:0]  port_q;
  logic [PlaceBits-1:0] place_q;

  always_ff @(posedge clk_i) begin
    valid_q <= scan_i & arrived[0] & ~clear_i;
    if (scan_i) begin
      multicast_q <= header[0][NodeBits];
      leaf_q      <= header[0][NodeBits-1:0] - first_leaf_i;
      port_q      <= port_i;
      place_q     <= place[0];
    end
  end

  // A packet for a leaf below no other branch goes to the last branch, the parent if there is one.

  // Compares a number with a constant without a carry chain, which would be longer than a few LUTs.
  function automatic logic at_least(input [31:0] number, input [31:0] least);
    at_least = 1'b1;
    for (int i = 0; i < 32; i++)
      at_least = least[i] ? number[i] & at_least : number[i] | at_least;
  endfunction

  wire [Branches:0] leaf_from, port_from;            // in this branch or a later one

  assign leaf_from[0] = 1'b1;
  assign port_from[0] = 1'b1;
  for (genvar b = 1; b < Branches; b++) begin : g_from
    assign leaf_from[b] = at_least(32'(leaf_q), b * LeavesPerChild);
    assign port_from[b] = at_least(32'(port_q), b * ChildLanes);
  end
  assign leaf_from[Branches] = 1'b0;
  assign port_from[Branches] = 1'b0;

  wire [Branches-1:0] towards = leaf_from[Branches-1:0] & ~leaf_from[Branches:1];
  wire [Branches-1:0] from    = port_from[Branches-1:0] & ~port_from[Branches:1];

  wire [Branches-1:0] wanted   = {Branches{valid_q}} & ~from & ({Branches{multicast_q}} | towards);
  wire                together = single_port_i && !multicast_q && wanted[Children-1:0] != '0;

  logic [ChildBits-1:0] child;
  always_comb begin
    child = '0;
    for (int b = 0; b < Children; b++) child |= {ChildBits{towards[b]}} & ChildBits'(b);
  end

  // Registered, because the paths to the queues are also long.

  logic                                pushes_q;
  logic [Branches-1:0]                 push_q;
  logic [ChildBits+PortBits+PlaceBits:0] entry_q;

  always_ff @(posedge clk_i) begin
    pushes_q <= valid_q & ~clear_i;
    push_q   <= (together ? Branches'(1) : wanted) & {Branches{~clear_i}};
    entry_q  <= {together, child, port_q, place_q};
  end

  assign valid_o = pushes_q;
  assign push_o  = push_q;
  assign entry_o = entry_q;

endmodule

`default_nettype wire
