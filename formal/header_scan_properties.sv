// SPDX-License-Identifier: Apache-2.0
// header_scan_properties: which packets of a row are pushed into which queues, and with which
// places.
//
// Flit 1 of a row arrives with load_i; in the next cycles the ports are scanned in turn, with the
// timing of rc_router_auto.sv. For any flits on the lanes, any headers and any lowest leaf:
//
//  1. Two cycles after a port was scanned, a packet is reported exactly if a header arrived at that
//     port.
//  2. The packet is pushed for its branches: a multicast packet for all branches except its own;
//     any other packet for the branch towards its leaf, which is the last branch if the leaf is
//     below no other, unless it came from there. In a single-port run, a packet for one child is
//     pushed for child 0, with `together` and the child by which it leaves.
//  3. A pushed entry contains the port and, as its place, the number of earlier packets at the port
//     since the last clear: laps of the buffer, and a slot.
//  4. In the cycle after a clear nothing is reported or pushed, and all places are 0, even if the
//     clear interrupts a scan.
//
// Assumed: the first cycle is a clear; no headers arrive during a scan.
`default_nettype none

module header_scan_properties #(
  parameter int Children       = 2,
  parameter int ChildLanes     = 1,
  parameter int ParentLanes    = 1,
  parameter int LeavesPerChild = 2,
  parameter int Depth          = 3,
  parameter int LapBits        = 1,
  parameter int NodeBits       = 3,
  parameter int Width          = NodeBits + 1,
  parameter int SlotBits       = Depth > 1 ? $clog2(Depth) : 1,
  parameter int Ports          = Children * ChildLanes + ParentLanes,
  parameter int Branches       = Children + (ParentLanes > 0 ? 1 : 0),
  parameter int PortBits       = $clog2(Ports),
  parameter int ChildBits      = $clog2(Children),
  parameter int PlaceBits      = LapBits + SlotBits
) (
  input  wire                       clk_i,
  input  wire                       clear_i,
  input  wire                       single_port_i,
  input  wire                       load_i,
  input  wire [Ports*(Width+1)-1:0] lanes_i,
  output wire                       cover_all_o,
  output wire                       cover_together_o,
  output wire                       cover_lap_o,
  output wire                       cover_cleared_o
);

  localparam int HeaderBits = NodeBits + 1;          // {multicast, leaf}

  wire [NodeBits-1:0] first_leaf = $anyconst;

  // The scan.

  logic                scan_q = 1'b0;
  logic [PortBits-1:0] port_q;
  wire                 last_port = port_q == PortBits'(Ports - 1);

  always_ff @(posedge clk_i) begin
    scan_q <= !clear_i && (load_i || (scan_q && !last_port));
    if (scan_q || load_i) port_q <= load_i ? '0 : port_q + 1'b1;
  end

  wire                                  valid;
  wire [Branches-1:0]                   push;
  wire                                  together;
  wire [ChildBits-1:0]                  child;
  wire [PortBits-1:0]                   port;
  wire [PlaceBits-1:0]                  place;
  wire [Ports*PlaceBits-1:0]            places;

  rc_header_scan #(
    .Children(Children), .ChildLanes(ChildLanes), .ParentLanes(ParentLanes),
    .LeavesPerChild(LeavesPerChild), .Depth(Depth), .Width(Width), .NodeBits(NodeBits),
    .SlotBits(SlotBits), .LapBits(LapBits)
  ) u_scan (
    .clk_i, .clear_i, .single_port_i, .first_leaf_i(first_leaf), .scan_i(scan_q), .port_i(port_q),
    .load_i, .lanes_i, .valid_o(valid), .push_o(push),
    .entry_o({together, child, port, place}), .places_o(places)
  );

  // The headers that arrived, and the place of the next packet of each port.

  logic                       cleared_q = 1'b0;   // a clear has occurred
  logic [Ports*HeaderBits-1:0] header_q;
  logic [Ports-1:0]           arrived_q;
  logic [Ports*LapBits-1:0]   lap_q;
  logic [Ports*SlotBits-1:0]  slot_q;

  always_ff @(posedge clk_i) begin
    cleared_q <= 1'b1;
    for (int p = 0; p < Ports; p++) begin
      if (load_i) begin
        header_q[p*HeaderBits +: HeaderBits] <=
          {lanes_i[p*(Width+1)+Width-1], lanes_i[p*(Width+1) +: NodeBits]};
        arrived_q[p] <= lanes_i[p*(Width+1)+Width];
      end
      if (clear_i) begin
        lap_q[p*LapBits +: LapBits]    <= '0;
        slot_q[p*SlotBits +: SlotBits] <= '0;
      end else if (scan_q && port_q == PortBits'(p) && arrived_q[p]) begin
        if (slot_q[p*SlotBits +: SlotBits] == SlotBits'(Depth - 1)) begin
          slot_q[p*SlotBits +: SlotBits] <= '0;
          lap_q[p*LapBits +: LapBits]    <= lap_q[p*LapBits +: LapBits] + 1'b1;
        end else begin
          slot_q[p*SlotBits +: SlotBits] <= slot_q[p*SlotBits +: SlotBits] + 1'b1;
        end
      end
    end
  end

  always_comb begin
    if (!cleared_q) assume (clear_i);
    if (scan_q) assume (!load_i);
  end

  // The port that was scanned in the cycle before; its packet is pushed one cycle later.

  logic                  now_q = 1'b0, clear_q = 1'b0;
  logic                  arrived, multicast;
  logic [HeaderBits-1:0] scanned_q;
  logic                  was_q;
  logic [PortBits-1:0]   from_q;
  logic [PlaceBits-1:0]  place_q;

  always_ff @(posedge clk_i) begin
    now_q     <= scan_q && !clear_i;
    clear_q   <= clear_i;
    scanned_q <= header_q[port_q*HeaderBits +: HeaderBits];
    was_q     <= arrived_q[port_q];
    from_q    <= port_q;
    place_q   <= {lap_q[port_q*LapBits +: LapBits], slot_q[port_q*SlotBits +: SlotBits]};
  end

  wire [NodeBits-1:0] leaf    = scanned_q[NodeBits-1:0] - first_leaf;
  wire [31:0]         below   = 32'(leaf) / LeavesPerChild;
  wire [31:0]         towards = below < Branches ? below : Branches - 1;
  wire [31:0]         of_port = 32'(from_q) / ChildLanes;
  wire [31:0]         from    = of_port < Branches ? of_port : Branches - 1;
  wire                shared  = single_port_i && !multicast && towards < Children &&
      towards != from;

  logic [Branches-1:0] wanted;

  always_comb begin
    arrived   = now_q && was_q;
    multicast = scanned_q[NodeBits];
    for (int b = 0; b < Branches; b++)
      wanted[b] = arrived && b != from && (multicast || b == towards);
    if (arrived && shared) wanted = Branches'(1);
  end

  logic                 then_q = 1'b0, came_q, shared_q, multicast_q;
  logic [Branches-1:0]  wanted_q;
  logic [31:0]          towards_q;
  logic [PortBits-1:0]  of_q;
  logic [PlaceBits-1:0] at_q;

  always_ff @(posedge clk_i) begin
    then_q      <= now_q && !clear_i;
    came_q      <= arrived && !clear_i;
    wanted_q    <= clear_i ? '0 : wanted;
    multicast_q <= multicast;
    shared_q    <= shared;
    towards_q   <= towards;
    of_q        <= from_q;
    at_q        <= place_q;
  end

  always_comb begin
    if (cleared_q && (then_q || clear_q)) begin
      looked_at: assert (valid == came_q);
      pushed: assert (push == wanted_q);
      if (wanted_q != '0) begin
        of_the_port: assert (port == of_q);
        at_its_place: assert (place == at_q);
        waits_with_others: assert (together == shared_q);
        if (shared_q) leaves_by: assert (32'(child) == towards_q);
      end
    end
    if (clear_q) from_the_start: assert (places == '0);
    for (int p = 0; p < Ports; p++)
      if (cleared_q && !scan_q) assert (places[p*PlaceBits +: PlaceBits] ==
                                        {lap_q[p*LapBits +: LapBits],
                                         slot_q[p*SlotBits +: SlotBits]});
  end

`ifndef REFUTE
  // Invariant for the induction: when port k is scanned, all headers have shifted by k ports.
  (* hierconn *) wire [HeaderBits-1:0] \u_scan.g_input[0].header_q , \u_scan.g_input[1].header_q ;
  (* hierconn *) wire [HeaderBits-1:0] \u_scan.g_input[2].header_q ;
  (* hierconn *) wire \u_scan.g_input[0].arrived_q , \u_scan.g_input[1].arrived_q ;
  (* hierconn *) wire \u_scan.g_input[2].arrived_q ;
  wire [3*HeaderBits-1:0] headers  = { \u_scan.g_input[2].header_q , \u_scan.g_input[1].header_q ,
                                       \u_scan.g_input[0].header_q };
  wire [2:0]              arrivals = { \u_scan.g_input[2].arrived_q , \u_scan.g_input[1].arrived_q ,
                                       \u_scan.g_input[0].arrived_q };

  always_comb begin
    if (cleared_q && scan_q) assert (port_q < Ports);
    for (int k = 0; k < Ports; k++) begin
      for (int i = 0; i < Ports; i++) begin
        if (cleared_q && (scan_q ? 32'(port_q) == k : k == 0)) begin
          assert (places[i*PlaceBits +: PlaceBits] ==
                  {lap_q[(i+k)%Ports*LapBits +: LapBits],
                   slot_q[(i+k)%Ports*SlotBits +: SlotBits]});
          if (i + k < Ports) begin
            if (scan_q) assert (headers[i*HeaderBits +: HeaderBits] ==
                                header_q[(i+k)%Ports*HeaderBits +: HeaderBits]);
            if (scan_q) assert (arrivals[i] == arrived_q[(i+k)%Ports]);
          end
        end
      end
    end
    for (int p = 0; p < Ports; p++) if (cleared_q) assert (slot_q[p*SlotBits +: SlotBits] < Depth);
  end
`endif

  assign cover_all_o      = cleared_q && then_q && push == 3'b110 && multicast_q && place != '0;
  assign cover_together_o = cleared_q && then_q && together && push == 3'b001 && child == 1'b1 &&
                            port == PortBits'(Ports - 1);
  assign cover_lap_o      = cleared_q && then_q && push != '0 &&
      place == {LapBits'(1), SlotBits'(0)};
  assign cover_cleared_o  = cleared_q && clear_q && port_q == PortBits'(1) && was_q;

endmodule

`default_nettype wire
