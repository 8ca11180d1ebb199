// SPDX-License-Identifier: Apache-2.0
// rc_cube_auto_node: a node of a self-timed hypercube, without its endpoints. It broadcasts its
// packets and forwards those of other nodes; no node knows in advance which nodes have packets
// (csim/routers/cube_auto.h specifies the protocol).
//
//     lanes_i --> sums (rc_cube_auto_sums.sv) -------------> packets made here --+
//         |   --> scan, a port a cycle --> queue of each tree --+                OR --> lanes_o
//         |   --> relay, of each port --------------------------+ selection      |
//         +----------------------------------------------------> router_core ----+
//                                                               + list_o --> endpoints, same arcs
//
// For a row whose first flit is on the lanes in cycle c, and a row before it whose last flit is
// stored at the end of cycle t-1:
//
//     t ... t+d-1   step_q         climbing packets are queued, those of the lowest neighbour first
//     c-2           fetch          the packets to send are selected (c-2 >= t+d); own packets are
//                                  read from the list
//     c-1           *_q, found     stable until the last tx_en
//
// The endpoints of the ports send packets of the node itself, the router sends all others; but a
// root sends a packet back over the arc on which it arrived through the endpoint that stores it.
// overflow: a packet was dropped because a queue was full.
`default_nettype none
`include "../common/rc_require.svh"
`include "../shell/rc_shell_bus.svh"

module rc_cube_auto_node #(
  parameter int Dimensions = 1,         // d, >= 1
  parameter int Node       = 0,         // 0 ... 2^d - 1
  parameter int Depth      = 1,         // packets of the buffer of an input, 1 ... 65535
  parameter int Queue      = 1,         // packets of the queue of a tree, 1 ... 65535
  parameter int Width      = 5,         // bits of a word, >= PacketBits + 2
  parameter int Packets    = 8,         // packets of an endpoint, a power of two > 2^(d+1)
  parameter int Flits      = 2,         // largest number of flits of a packet, a power of two >= 2
  parameter int Rows       = 2,         // rows of a list, a power of two >= 2
  localparam int PacketBits = Packets > 1 ? $clog2(Packets) : 1,
  localparam int FlitBits   = $clog2(Flits),
  localparam int RowBits    = Rows > 1 ? $clog2(Rows) : 1,
  localparam int ListBits   = rc_shell_bus::list_bits(Packets, Rows),
  localparam int LaneBits   = Width + 1,             // {valid, word}
  localparam int StepBits   = rc_shell_bus::step_bits(Flits, Rows),
  localparam int HostBits   = rc_shell_bus::host_bits(Dimensions, 1, Rows)
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire                           start_i,      // start of a run
  input  wire [PacketBits-1:0]          count_i,      // number of own packets
  input  wire [StepBits-1:0]            step_i,       // rc_shell_bus.sv
  input  wire [Dimensions*LaneBits-1:0] lanes_i,
  output wire [Dimensions*LaneBits-1:0] stored_o,     // lanes_i without the kind
  output wire [Dimensions*LaneBits-1:0] lanes_o,      // 0 on idle lanes
  output wire [Dimensions*ListBits-1:0] list_o,  // for the endpoints: {send, direct, slot, row}
  // the node has received, or as a root sent, the last packet of every tree
  output wire                           done_o,
  output wire [2:0]                     flags_o,      // {overflow, 0, not held}
  // host port; used while the machine is idle
  input  wire [HostBits-1:0]            host_i,       // rc_shell_bus.sv; the bank is a node
  // one cycle after re_memory of host_i; 0 if not addressed
  output wire [31:0]                    host_rdata_o
);

  `RC_REQUIRE(Dimensions, Dimensions >= 1, "Dimensions must be 1 or more")
  `RC_REQUIRE(Node, Node >= 0 && Node < 1 << Dimensions,
              "Node must be 0 or more and below 2 ** Dimensions")
  `RC_REQUIRE(Depth, Depth >= 1 && Depth <= 65535, "Depth must be 1 to 65535")
  `RC_REQUIRE(Queue, Queue >= 1 && Queue <= 65535, "Queue must be 1 to 65535")
  `RC_REQUIRE(Width, Width >= PacketBits + 2, "Width must be PacketBits + 2 or more")
  `RC_REQUIRE(Packets, Packets > 2 << Dimensions && (Packets & (Packets - 1)) == 0,
              "Packets must be a power of two above 2 ** (Dimensions + 1)")
  `RC_REQUIRE(Flits, Flits >= 2 && (Flits & (Flits - 1)) == 0,
              "Flits must be a power of two, 2 or more")
  `RC_REQUIRE(Rows, Rows >= 2 && (Rows & (Rows - 1)) == 0, "Rows must be a power of two, 2 or more")

  localparam int D         = Dimensions;
  localparam int Root      = rc_cube_tree::root_of(Node, D);
  localparam int RootTree  = Root != 0 ? Root : 1;
  localparam int PortBits  = D > 1 ? $clog2(D) : 1;
  localparam int SlotBits  = Depth > 1 ? $clog2(Depth) : 1;
  // {port, place, slot} of a climbing packet
  localparam int EntryBits = PortBits + SlotBits + PacketBits;

  // The highest two bits of the first flit of a packet are its kind, the lowest bits the slot of
  // the memory of the endpoint in which it is stored:
  //
  //     0  sum       a value in flit 1; in rows up to 2d
  //     1  gather    climbs a tree: queued for the parent, at the root until the spread
  //     2  spread    descends a tree: forwarded at once to all children
  //     3  last      the same, and the last packet over this arc; flit 1 is the number of packets
  localparam logic [1:0] Sum = 2'd0, Gather = 2'd1, Spread = 2'd2, Last = 2'd3;

  typedef `RC_STEP(RowBits, FlitBits) step_t;
  step_t step;
  assign step = step_i;

  typedef `RC_HOST(Dimensions, 1, RowBits) host_t;
  host_t host;
  assign host = host_i;

  // Not used: signals for packets of one flit and for tables.
  wire unused_fields = &{1'b0, step, host};

  wire fetch   = step.send_fetch & ~host.re_memory;
  wire header  = step.rx_en && step.rx_flit == '0;
  wire clear   = rst_i | start_i;

  // Rows are consecutive, so the purpose of the next row is known when a row is fetched.
  logic summed_q, packets_q;           // summed_q: next row is 2d+1; packets_q: 2d+1 or later

  always_ff @(posedge clk_i) begin
    if (clear) packets_q <= 1'b0;
    else if (fetch) packets_q <= 32'(step.send_row) >= 2 * D;
    if (fetch) summed_q <= 32'(step.send_row) == 2 * D;
  end

  wire sums    = fetch & ~packets_q;
  wire packets = fetch & packets_q;

  wire [D-1:0]            climbs, relay, relay_last, ends;  // per port (rc_cube_auto_input.sv)
  wire [D*SlotBits-1:0]   place, write_slot;
  wire [D*PacketBits-1:0] slot;
  // per port: a packet that descends is forwarded there
  wire [D-1:0]            sends_down;
  wire [D-1:0]            own, waits, overflow;      // per tree (rc_cube_auto_tree.sv)
  wire [D*RowBits-1:0]    own_row;
  wire [D*EntryBits-1:0]  found;

  // Sums.

  wire [D-1:0]            arrives;                   // the flit of each port is valid
  wire [D*PacketBits-1:0] values, first;
  wire [D-1:0]            sums_made;
  wire [PacketBits-1:0]   sums_slot, sums_value;
  wire                    all_come;
  wire [PacketBits-1:0]   of_root;  // packets of the tree of which this node is the root

  rc_cube_auto_sums #(
    .Dimensions(D), .Node(Node), .Root(Root), .PacketBits(PacketBits), .RowBits(RowBits)
  ) u_sums (
    .clk_i,
    .clear_i(clear),
    .count_i,
    .fetch_i(fetch),
    .row_i(step.send_row),
    .made_o(sums_made),
    .slot_o(sums_slot),
    .value_o(sums_value),
    .take_i(step.rx_en && step.rx_flit == FlitBits'(1)),
    .valid_i(arrives),
    .values_i(values),
    .first_o(first),
    .all_come_o(all_come),
    .own_tree_o(of_root)
  );

  // The root spreads when all packets have arrived: from row 3d + ceil(K/d) on it sends the packets
  // of its tree over all ports, and then `last`.

  // `last` has arrived over the port; for the tree of a root, it has been sent
  logic [D-1:0] done_q;
  wire          spreads, root_ends;

  if (Root != 0) begin : g_spreads
    assign spreads   = packets && all_come && !done_q[Root-1];
    assign root_ends = spreads && !own[Root-1] && !waits[Root-1];
  end else begin : g_never
    assign spreads   = 1'b0;
    assign root_ends = 1'b0;
    wire unused = &{1'b0, all_come};
  end

  // Input ports, and the scan.

  logic [D-1:0] step_q;  // number of neighbours that are lower than the scanned one

  always_ff @(posedge clk_i) begin
    if (clear) step_q <= '0;
    else step_q <= step.rx_last ? D'(1) : step_q << 1;
  end

  for (genvar p = 0; p < D; p++) begin : g_input
    wire [LaneBits-1:0] lane = lanes_i[p*LaneBits +: LaneBits];
    wire                climbs_now;

    assign stored_o[p*LaneBits +: LaneBits] =
        lane & ~{1'b0, {2{header}}, {(Width-2){1'b0}}};

    rc_cube_auto_input #(.Width(Width), .PacketBits(PacketBits), .SlotBits(SlotBits)) u_input (
      .clk_i,
      .clear_i(clear),
      .header_i(header),
      .last_i(step.rx_last),
      .lane_i(lane),
      .write_slot_i(write_slot[p*SlotBits +: SlotBits]),
      .climbs_o(climbs_now),
      .relay_o(relay[p]),
      .relay_last_o(relay_last[p]),
      .place_o(place[p*SlotBits +: SlotBits]),
      .slot_o(slot[p*PacketBits +: PacketBits]),
      .ends_o(ends[p])
    );

    assign climbs[p]                          = climbs_now &
        step_q[rc_cube_tree::lower(Node, p, D)];
    assign arrives[p]                         = lane[Width];
    assign values[p*PacketBits +: PacketBits] = lane[PacketBits-1:0];

    always_ff @(posedge clk_i) begin
      if (clear) done_q[p] <= 1'b0;
      else if (ends[p] || (p == Root - 1 && root_ends)) done_q[p] <= 1'b1;
    end
  end

  assign done_o = &done_q;

  // Trees 1 ... d are those of sched/algorithms/cube/cube_tree.h. Each pair of tree and direction
  // determines a different port. From row 2d+1 on, a port sends a descending packet if there is
  // one; otherwise, for the tree whose parent is at the port, the next own packet; otherwise the
  // oldest climbing packet.

  for (genvar t = 1; t <= D; t++) begin : g_tree
    localparam int Up = rc_cube_tree::parent(Node, t, D);             // 0 at the root

    wire [D-1:0]         from;               // the packet from this port climbs in this tree
    wire [EntryBits-1:0] entry [D+1];
    wire                 may_send;

    assign entry[0] = '0;
    for (genvar p = 0; p < D; p++) begin : g_from
      assign from[p]    = rc_cube_tree::tree_over(Node ^ (1 << p), p + 1, D) == t && climbs[p];
      assign entry[p+1] = entry[p] | ({EntryBits{from[p]}} &
                          {PortBits'(p), place[p*SlotBits +: SlotBits],
                           slot[p*PacketBits +: PacketBits]});
    end

    if (Up == 0) begin : g_root
      assign may_send = spreads;
    end else begin : g_climb
      assign may_send = packets & ~spreads & ~sends_down[Up-1];
    end

    rc_cube_auto_tree #(
      .Step(D), .Queue(Queue), .EntryBits(EntryBits), .PacketBits(PacketBits), .RowBits(RowBits)
    ) u_tree (
      .clk_i,
      .clear_i(clear),
      .begin_i(summed_q & ~fetch),
      .first_i(first[(t-1)*PacketBits +: PacketBits]),
      .count_i,
      .push_i(|from),
      .entry_i(entry[D]),
      .may_send_i(may_send),
      .own_o(own[t-1]),
      .row_o(own_row[(t-1)*RowBits +: RowBits]),
      .waits_o(waits[t-1]),
      .found_o(found[(t-1)*EntryBits +: EntryBits]),
      .overflow_o(overflow[t-1])
    );
  end

  // Output ports.

  logic [PacketBits-1:0] made_slot_q, made_value_q;
  logic                  spreads_q, tx_q, tx_flit0_q, tx_flit1_q;
  wire  [D-1:0]          route_valid;
  wire  [D*PortBits-1:0] route_port;
  wire  [D*LaneBits-1:0] routed;

  always_ff @(posedge clk_i) begin
    if (fetch) begin
      spreads_q    <= spreads;
      made_slot_q  <= sums ? sums_slot : PacketBits'(Packets - 1 - 2 * ((1 << D) - 1) - Root);
      made_value_q <= sums ? sums_value : of_root;
    end
    tx_q       <= step.tx_en;
    tx_flit0_q <= step.tx_flit == '0;
    tx_flit1_q <= step.tx_flit == FlitBits'(1);
  end

  for (genvar p = 0; p < D; p++) begin : g_output
    // tree whose parent is at this port, or 0
    localparam int Climbs = rc_cube_tree::tree_over(Node, p + 1, D);
    // tree that has a child at this port, or 0
    localparam int Falls  = rc_cube_tree::tree_over(Node ^ (1 << p), p + 1, D);
    // dimension of the parent in that tree, or 0
    localparam int Parent = Falls == 0 ? 0 : rc_cube_tree::parent(Node, Falls, D);
    localparam int Tree   = Climbs == 0 ? RootTree : Climbs;

    wire [EntryBits-1:0]  climb_found = found[(Tree-1)*EntryBits +: EntryBits];
    wire [EntryBits-1:0]  root_found  = found[(RootTree-1)*EntryBits +: EntryBits];
    wire [RowBits-1:0]    climb_row   = own_row[(Tree-1)*RowBits +: RowBits];
    wire [RowBits-1:0]    root_row    = own_row[(RootTree-1)*RowBits +: RowBits];

    // At most one of spreads, sends_down and gathers is high.
    wire       gathers = packets & ~spreads & ~sends_down[p] & (Climbs != 0);
    wire       last  = spreads ? root_ends : sends_down[p] & relay_last[(Parent + D - 1) % D];
    wire [1:0] kind  = sums ? Sum : last ? Last : gathers ? Gather : Spread;

    assign sends_down[p] = Parent != 0 && relay[(Parent + D - 1) % D];

    rc_cube_auto_output #(
      .Port(p), .Ports(D), .Width(Width), .PacketBits(PacketBits), .RowBits(RowBits),
      .PortBits(PortBits), .SlotBits(SlotBits), .Relayed((Parent + D - 1) % D), .Root(Root)
    ) u_output (
      .clk_i,
      .fetch_i(fetch),
      .own_i(spreads ? own[RootTree-1] : gathers & own[Tree-1]),
      .queue_i(spreads ? ~own[RootTree-1] & waits[RootTree-1]
          : gathers & ~own[Tree-1] & waits[Tree-1]),
      .relay_i(packets & ~spreads & sends_down[p]),
      .made_i(sums ? sums_made[p] : root_ends),
      .kind_i(kind),
      .row_i(spreads ? root_row : climb_row),
      .found_i(spreads_q ? root_found : climb_found),
      .made_slot_i(made_slot_q),
      .made_value_i(made_value_q),
      .tx_q_i(tx_q),
      .tx_flit0_q_i(tx_flit0_q),
      .tx_flit1_q_i(tx_flit1_q),
      .routed_i(routed[p*LaneBits +: LaneBits]),
      .list_o(list_o[p*ListBits +: ListBits]),
      .route_valid_o(route_valid[p]),
      .route_port_o(route_port[p*PortBits +: PortBits]),
      .lane_o(lanes_o[p*LaneBits +: LaneBits])
    );
  end

  // The router. The buffer of a port delivers the packet to relay, or the packet popped from the
  // queue of its tree. Descending and climbing packets never compete for the read port of a buffer,
  // because no root spreads before all packets have climbed.

  wire [D*SlotBits-1:0] read_slot;
  wire                  not_held;
  logic [D-1:0]         relayed_q;

  always_ff @(posedge clk_i) begin
    if (fetch) relayed_q <= relay;
  end

  for (genvar p = 0; p < D; p++) begin : g_read
    localparam int Over = rc_cube_tree::tree_over(Node ^ (1 << p), p + 1, D);
    localparam int Tree = Over == 0 ? 1 : Over;
    // tree that descends over the port
    localparam int Down = rc_cube_tree::tree_over(Node, p + 1, D);
    localparam int Leaf = Down == 0 ? 1 : rc_cube_tree::leaf(Node, Down, D);

    assign read_slot[p*SlotBits +: SlotBits] =
        (relayed_q[p] && Leaf == 0) ? place[p*SlotBits +: SlotBits]
            : found[(Tree-1)*EntryBits+PacketBits +: SlotBits];
  end

  rc_cube_auto_router #(.Ports(D), .Depth(Depth), .Width(Width), .Flits(Flits)) u_router (
    .clk_i,
    .rst_i,
    .start_i,
    .tx_en_i(step.tx_en),
    .tx_flit_i(step.tx_flit),
    .send_valid_i(route_valid),
    .send_port_i(route_port),
    .read_slot_i(read_slot),
    .rx_en_i(step.rx_en),
    .rx_last_i(step.rx_last),
    .rx_flit_i(step.rx_flit),
    .lanes_i(stored_o),
    .lanes_o(routed),
    .write_slot_o(write_slot),
    .not_held_o(not_held)
  );

  // Flags and host reads.

  logic overflow_q, read_q;

  always_ff @(posedge clk_i) begin
    if (clear) overflow_q <= 1'b0;
    else if (|overflow) overflow_q <= 1'b1;
    if (host.re_memory) read_q <= host.bank == D'(Node);
  end

  assign flags_o      = {overflow_q, 1'b0, not_held};
  assign host_rdata_o = {29'b0, {3{read_q & host.flags}} & flags_o};

endmodule

`default_nettype wire
