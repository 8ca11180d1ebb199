// SPDX-License-Identifier: Apache-2.0
// rc_router_auto: a self-timed router of a tree, with headers and one queue per branch in place of
// tables.
//
//     headers --> scan, a port a cycle --> queue of a child  --> lanes of that child ---+
//                                      --> ...                                          | next to
//                                      --> queue of the parent --> lanes of the parent -+ send
//                                                                                       v
//     lanes_i -----------------------------------------------------------> router_core --> lanes_o
//
// Flit 1 of a packet is {multicast (bit Width-1), destination leaf}. A packet that arrives is
// queued for each of its branches: if multicast, for all branches except the one from which it
// came; otherwise for the branch towards its destination. Packets of one row are queued in
// ascending order of their ports (wiring.h: children left to right, lane by lane, then the parent).
// In the next row
//
//     multiport      each branch sends its oldest packets, one on each of its lanes, the oldest on
//                    lane 0
//     single-port    one branch sends its oldest packet on lane 0: the parent if a packet is queued
//                    for it, else the next child with a queued packet, in rotation after the child
//                    served last; packets for single leaves below the children share the queue of
//                    child 0
//
// A packet has at least 2 flits and is queued if it has a header. A packet must not be addressed to
// the branch from which it comes; it would be dropped. overflow: a packet was dropped because a
// queue was full, or was overwritten before it was sent, or Reads were too few.
`default_nettype none
`include "../common/rc_assert.svh"
`include "../common/rc_require.svh"
`include "../shell/rc_shell_bus.svh"

module rc_router_auto #(
  parameter int Children       = 2,            // >= 2
  parameter int ChildLanes     = 1,            // lanes of the branch to each child, >= 1
  parameter int ParentLanes    = 0,            // lanes of the branch to the parent; 0: the root
  parameter int LeavesPerChild = 1,            // endpoints below each child, >= 1
  parameter int Depth          = 1,            // packets of the buffer of an input, 1 ... 65535
  parameter int Queue          = 1,            // packets of the queue of a branch, 1 ... 65535
  parameter int Reads          = 1,            // packets of one input that a row can send, >= 1
  parameter int Width          = 2,            // bits of a word, > NodeBits
  parameter int Flits          = 2,  // largest number of flits of a packet, a power of two >= 2
  parameter int Rows           = 2,            // rows of a run, at most
  parameter int NodeBits       = 1,            // bits of the number of an endpoint
  parameter int NumberBits     = 1,            // bits of the number of a router
  parameter int ColumnBits     = 1,            // bits of the column in host addresses
  localparam int Ports    = Children * ChildLanes + ParentLanes,
  localparam int FlitBits = $clog2(Flits),
  localparam int RowBits  = $clog2(Rows),
  localparam int LaneBits = Width + 1,          // {valid, word}
  localparam int StepBits = rc_shell_bus::step_bits(Flits, Rows),
  localparam int HostBits = rc_shell_bus::host_bits(NumberBits, ColumnBits, Rows)
) (
  input  wire                      clk_i,
  input  wire                      rst_i,
  input  wire                      start_i,       // empties buffers and queues, clears the flags
  input  wire [NodeBits-1:0]       first_leaf_i,  // lowest endpoint below the router, constant
  // number of the router in host addresses, constant
  input  wire [NumberBits-1:0]     number_i,
  input  wire [StepBits-1:0]       step_i,        // rc_shell_bus.sv
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire [Ports*LaneBits-1:0] lanes_o,
  output wire [2:0]                flags_o,       // {overflow, 0, not held}
  // host port; used while the machine is idle
  input  wire [HostBits-1:0]       host_i,        // rc_shell_bus.sv; the bank is a router
  // one cycle after re_memory of host_i; 0 if not addressed
  output wire [31:0]               host_rdata_o
);

  `RC_REQUIRE(Children, Children >= 2, "Children must be 2 or more")
  `RC_REQUIRE(ChildLanes, ChildLanes >= 1, "ChildLanes must be 1 or more")
  `RC_REQUIRE(ParentLanes, ParentLanes >= 0, "ParentLanes must be 0 or more")
  `RC_REQUIRE(LeavesPerChild, LeavesPerChild >= 1, "LeavesPerChild must be 1 or more")
  `RC_REQUIRE(Queue, Queue >= 1 && Queue <= 65535, "Queue must be 1 to 65535")
  `RC_REQUIRE(Width, Width > NodeBits, "Width must be above NodeBits")

  // the parent is the last branch
  localparam int Branches   = Children + (ParentLanes > 0 ? 1 : 0);
  localparam int Lanes      = ParentLanes > ChildLanes ? ParentLanes : ChildLanes;
  localparam int LastBits   = Lanes > 1 ? $clog2(Lanes) : 1;
  localparam int PortBits   = $clog2(Ports);
  localparam int SlotBits   = Depth > 1 ? $clog2(Depth) : 1;
  // an input has at most Rows arrivals
  localparam int LapBits    = $clog2(Rows / (Depth < 1 ? 1 : Depth) + 2);
  localparam int PlaceBits  = LapBits + SlotBits;                    // {lap, slot}
  localparam int ChildBits  = Children > 1 ? $clog2(Children) : 1;
  // {together, child, port, place}
  localparam int EntryBits  = 1 + ChildBits + PortBits + PlaceBits;
  localparam int SourceBits = Ports * Reads > 1 ? $clog2(Ports * Reads) : 1;
  localparam int AddrBits   = Queue > 2 ? $clog2(Queue) : 1;

  typedef `RC_STEP(RowBits, FlitBits) step_t;
  step_t step;
  assign step = step_i;

  wire clear = rst_i | start_i;

  // Control: scan the ports, wait until the last packet is queued and the row is complete, serve
  // the lanes. Flit 1 of the row is on the lanes in cycle h, its last flit in cycle e:
  //
  //     h+1 ... h+P               scan_q       the header of port 0, 1, ... is scanned
  //     h+3 ... h+P+2             push         its packet is queued
  //     g                         go           the later of e and h+P+3: a branch is selected
  //     g+1 ... g+C               serve_q      lane 0, 1, ... of every branch: its queue is popped,
  //                                            C = largest number of lanes
  //     g+3 ... g+C+2             found_q      the packet is available
  //     g+C+3                                  the sources of the next row are valid: its first
  //                                            tx_en may follow
  //
  // A row therefore needs at least max(flits, P + 5) + latency + C + 3 cycles. The row that is
  // being sent has left before g + 3, when the first source changes.

  logic                scan_q, looked_q, pushed_q, queued_q, ended_q;
  logic                begun_q, serve_q, popped_q, found_q;
  logic [PortBits-1:0] port_q;                       // the port that is scanned
  logic [LastBits-1:0] lane_q, popped_lane_q, found_lane_q;    // the lanes that are served

  wire load      = step.rx_en && step.rx_flit == FlitBits'(1);
  wire last_port = port_q == PortBits'(Ports - 1);
  wire last_lane = lane_q == LastBits'(Lanes - 1);
  wire go        = queued_q & (ended_q | step.rx_last);

  always_ff @(posedge clk_i) begin
    scan_q   <= load | (scan_q & ~last_port);
    looked_q <= scan_q & last_port;
    pushed_q <= looked_q;
    queued_q <= pushed_q | (queued_q & ~go);
    ended_q  <= step.rx_last | (ended_q & ~load);
    begun_q  <= go;
    serve_q  <= go | (serve_q & ~last_lane);
    popped_q <= serve_q;
    found_q  <= popped_q;
    if (clear) begin
      scan_q   <= 1'b0;
      looked_q <= 1'b0;
      pushed_q <= 1'b0;
      queued_q <= 1'b0;
      ended_q  <= 1'b0;
      begun_q  <= 1'b0;
      serve_q  <= 1'b0;
      popped_q <= 1'b0;
      found_q  <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (scan_q | load) port_q <= load ? '0 : port_q + 1'b1;
    if (serve_q | go) lane_q <= go ? '0 : lane_q + 1'b1;
    popped_lane_q <= lane_q;
    found_lane_q  <= popped_lane_q;
  end

  // Scan.

  wire [Branches-1:0]        push;
  wire                       pushes;
  wire [EntryBits-1:0]       pushed;
  // places of the next packets; valid while no scan is in progress
  wire [Ports*PlaceBits-1:0] places;
  wire [PlaceBits-1:0]       place [1 << PortBits];

  rc_header_scan #(
    .Children(Children), .ChildLanes(ChildLanes), .ParentLanes(ParentLanes),
    .LeavesPerChild(LeavesPerChild), .Depth(Depth), .Width(Width), .NodeBits(NodeBits),
    .SlotBits(SlotBits), .LapBits(LapBits)
  ) u_scan (
    .clk_i,
    .clear_i(clear),
    .single_port_i(step.single_port),
    .first_leaf_i,
    .scan_i(scan_q),
    .port_i(port_q),
    .load_i(load),
    .lanes_i,
    .valid_o(pushes),
    .push_o(push),
    .entry_o(pushed),
    .places_o(places)
  );

  for (genvar p = 0; p < 1 << PortBits; p++) begin : g_place
    if (p < Ports) begin : g_port
      assign place[p] = places[p*PlaceBits +: PlaceBits];
    end else begin : g_none
      assign place[p] = '0;
    end
  end

  // Queues, pushed by the scan and popped for the lanes. An entry is {port, lap, slot}: the packet
  // is in `slot`, and the buffer had been filled `lap` times when it arrived, which shows whether
  // it has been overwritten. Flit k of a row is read before flit k of the same row is stored, so
  // the slot of a packet is free for a packet that arrives in the row in which it is sent for the
  // last time.

  wire [Branches-1:0]            nonempty, full, taken, late, together;
  wire [Branches-1:0]            chosen;      // single-port: the branch to serve
  wire [Branches*ChildBits-1:0]  children;    // child by which a packet of the shared queue leaves
  wire [Branches*SlotBits-1:0]   slots;       // slot of the packet that each branch has popped
  wire [Branches*PortBits-1:0]   inputs;
  wire [Branches*SourceBits-1:0] sources;
  wire [Ports-1:0]               send_valid;         // of each output, in the next row
  wire [Ports*SourceBits-1:0]    send_source;
  wire [Ports*SlotBits-1:0]      write_slot;

  for (genvar b = 0; b < Branches; b++) begin : g_branch
    localparam int MyLanes = b == Children ? ParentLanes : ChildLanes;
    localparam int First   = b * ChildLanes;         // first of its ports
    wire mine    = step.single_port ? chosen[b] : 32'(lane_q) < MyLanes;
    wire we, re;
    wire  [AddrBits-1:0]  waddr, raddr;
    wire  [EntryBits-1:0] entry;                     // entry of the popped packet
    logic                 re_q, taken_q;
    logic [EntryBits-1:0] taken_entry_q;
    wire  [PortBits-1:0]  port;                      // port of the popped packet
    wire  [PlaceBits-1:0] spot;

    rc_branch_queue #(.Queue(Queue)) u_queue (
      .clk_i,
      .clear_i(clear),
      .push_i(push[b]),
      .pop_i(serve_q & mine),
      .nonempty_o(nonempty[b]),
      .overflow_o(full[b]),
      .we_o(we),
      .waddr_o(waddr),
      .re_o(re),
      .raddr_o(raddr)
    );

    rc_ram #(.Width(EntryBits), .Depth(1 << AddrBits)) u_entries (
      .clk_i,
      .strobe_i(pushes),
      .we_i(we),
      .waddr_i(waddr),
      .wdata_i(pushed),
      .re_i(re),
      .raddr_i(raddr),
      .rdata_o(entry)
    );

    always_ff @(posedge clk_i) begin
      re_q          <= re & ~clear;
      taken_q       <= re_q & ~clear;
      taken_entry_q <= entry;
    end

    assign taken[b] = taken_q;
    assign {together[b], children[b*ChildBits +: ChildBits], port, spot} = taken_entry_q;

    // Progress of the buffer since the packet arrived: after a whole lap, the packet is overwritten
    // while it is sent. Registered between the selection of the port and the subtraction.
    logic [PlaceBits-1:0] place_q, spot_q;
    logic                 sent_q;
    wire  [LapBits-1:0]   laps = LapBits'((place_q + ~spot_q) >> SlotBits);
    always_ff @(posedge clk_i) begin
      place_q <= place[port];
      spot_q  <= spot;
      sent_q  <= taken[b];
    end
    assign late[b] = sent_q && laps != '0;

    assign inputs[b*PortBits +: PortBits] = port;
    assign slots[b*SlotBits +: SlotBits]  = spot[SlotBits-1:0];

    // A packet of the shared queue is in the first queue, and is then the only packet that is
    // popped.
    wire                  another = b < Children && taken[0] && together[0];
    wire                  leaves  = another ? children[0 +: ChildBits] == ChildBits'(b) : taken[b];
    wire [SourceBits-1:0] source  = another ? sources[0 +: SourceBits]
        : sources[b*SourceBits +: SourceBits];

    for (genvar j = 0; j < MyLanes; j++) begin : g_lane
      logic                  valid_q;
      logic [SourceBits-1:0] source_q;
      always_ff @(posedge clk_i) begin
        if (found_q && found_lane_q == LastBits'(j)) begin
          valid_q  <= leaves;
          source_q <= source;
        end
        if (clear) valid_q <= 1'b0;
      end
      assign send_valid[First+j]                              = valid_q;
      assign send_source[(First+j)*SourceBits +: SourceBits] = source_q;
    end
  end

  rc_branch_choice #(.Children(Children), .Parent(ParentLanes > 0)) u_choice (
    .clk_i, .clear_i(clear), .choose_i(go), .nonempty_i(nonempty), .chosen_o(chosen)
  );

  // The read ports of the inputs.

  wire [Ports*Reads*SlotBits-1:0] read_slot;
  wire [Ports-1:0]                short;
  wire [Reads*Branches-1:0]       given [Ports];

  for (genvar p = 0; p < Ports; p++) begin : g_reads
    // A branch never requests packets from its own inputs, except the first branch, whose queue may
    // be shared.
    localparam int Mine   = p < Children * ChildLanes ? p / ChildLanes : Children;
    localparam int Others = Ports - (Mine == Children ? ParentLanes : ChildLanes);  // lanes
    wire [Branches-1:0] ask;
    for (genvar b = 0; b < Branches; b++) begin : g_ask
      assign ask[b] = (b != Mine || b == 0) && taken[b] &&
          inputs[b*PortBits +: PortBits] == PortBits'(p);
    end

    rc_read_ports #(
      .Branches(Branches), .Reads(Reads), .SlotBits(SlotBits), .Packets(Others)
    ) u_ports (
      .clk_i,
      .clear_i(begun_q),
      .ask_i(ask),
      .slot_i(slots),
      .given_o(given[p]),
      .short_o(short[p]),
      .slot_o(read_slot[p*Reads*SlotBits +: Reads*SlotBits])
    );
  end

  // Each branch requests at most one input, so the OR over the inputs is the number of the port.
  for (genvar b = 0; b < Branches; b++) begin : g_source
    logic [SourceBits-1:0] read;
    always_comb begin
      read = '0;
      for (int p = 0; p < Ports; p++) begin
        for (int r = 0; r < Reads; r++) read |= {SourceBits{given[p][r*Branches + b]}} &
            SourceBits'(r);
      end
    end
    assign sources[b*SourceBits +: SourceBits] =
      SourceBits'(inputs[b*PortBits +: PortBits]) * SourceBits'(Reads) + read;
  end

  // Datapath and flags.

  wire [Ports-1:0] not_held, sends;
  logic            overflow_q, not_held_q;

  rc_router_core #(.Ports(Ports), .Depth(Depth), .Reads(Reads), .Width(Width),
                   .Flits(Flits)) u_core (
    .clk_i,
    .rst_i,
    .ce_i(1'b1),
    .start_i,
    .forward_i(1'b0),
    .tx_en_i(step.tx_en),
    .tx_flit_i(step.tx_flit),
    .send_valid_i(send_valid),
    .send_source_i(send_source),
    .read_slot_i(read_slot),
    .send_result_i({Ports{1'b0}}), .operand_i({Ports{1'b0}}), .operation_i(3'd0),
    .rx_en_i(step.rx_en),
    .rx_last_i(step.rx_last),
    .rx_flit_i(step.rx_flit),
    .lanes_i,
    .lanes_o,
    .sends_o(sends),
    .write_slot_o(write_slot),
    .not_held_o(not_held)
  );

  logic [Branches-1:0] full_q, late_q;  // registered, because the longest paths end here
  logic [Ports-1:0]    short_q, lacks_q;   // lacks: the output sends a flit that is not held

  always_ff @(posedge clk_i) begin
    full_q  <= full;
    late_q  <= late;
    short_q <= short;
    lacks_q <= not_held;
    // A packet was dropped because a queue was full, or sent after it was overwritten, or a row had
    // to send more than Reads packets of one input. Without a clock enable, which would be the
    // longest path of a router of many ports.
    overflow_q <= !clear && (overflow_q || full_q != '0 || late_q != '0 || short_q != '0);
    not_held_q <= !clear && (not_held_q || lacks_q != '0);
    if (clear) lacks_q <= '0;
  end

  // Host port.

  logic                 selected_read_q;
  typedef `RC_HOST(NumberBits, ColumnBits, RowBits) host_t;
  host_t host;
  assign host = host_i;

  always_ff @(posedge clk_i) begin
    if (host.re_memory) selected_read_q <= host.bank == number_i;
  end

  assign flags_o      = {overflow_q, 1'b0, not_held_q};
  assign host_rdata_o = {29'b0, {3{selected_read_q & host.flags}} & flags_o};

  // Not used: a router without a table, whose packets have two flits or more.
  wire unused = &{1'b0, write_slot, sends, together, children, step, host};

  `RC_ASSERT_RESET(clear)
  `RC_EXPECT(scan_ends, !load || !(scan_q || looked_q || pushed_q || queued_q),
             "a row begins before the packets of the last one are queued")
  `RC_EXPECT(serve_ends, !load || !(serve_q || popped_q || found_q),
             "a row begins before the lanes of the last one are served")

endmodule

`default_nettype wire
