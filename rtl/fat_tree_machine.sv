// fat_tree_machine: endpoints at the leaves of a tree, routers at its other nodes, a sequencer and a host port.
//
//     level 2               ( 2 )                 node j of level l has k_l children, nodes j * k_l + child of level
//                          //   \\   c_2 lanes    l-1, and c_l lanes each way join it to each of them
//     level 1           ( 0 )   ( 1 )
//                       /   \   /   \   c_1 = 1   routers are numbered level by level, leaves are nodes of level 0
//     leaves           0     1 2     3
//
// A router of level l has the ports child * c_l + lane, and k_l * c_l + lane to its parent (sched/wiring.h has the same
// numbers). Every lane has Pad registers.
//
// A row of the tables is a step of the schedule, and a packet's hop: in a row of row_cycles >= flits + Pad cycles
// (sequencer.sv, with barriers) whose first flit is on the lanes in cycle c, leaves and routers alike send flit k in
// cycle c+k, and their neighbours store it at the end of cycle c+k+Pad.
//
// Host port, start, done and observation are those of multistage_machine.sv; obs_o shows the leaves. Reset for at least
// Pad + 3 cycles.
`default_nettype none

module fat_tree_machine #(
  parameter int         Height   = 2,                // h, levels of routers, 1 ... 24
  // of each level, 16 bits, level 1 in the lowest:
  parameter bit [383:0] Children = 384'h2_0002,      // k_l, >= 2
  parameter bit [383:0] Capacity = 384'h1_0001,      // c_l, >= 1; c_1 = 1
  parameter bit [383:0] Depth    = 384'h4_0004,      // packets of an input's buffer, 1 ... 65535
  parameter bit [383:0] Queue    = 384'h4_0004,      // self-timed: packets queued for each branch, 1 ... 65535
  parameter int         Auto     = 0,                // 1: routers are self-timed, and packets have headers
  parameter int         Reads    = 1,                // different packets that a buffer can give in one row, 1 ... 4
  parameter int         Pad      = 0,                // registers of a lane
  parameter int         Width    = 16,               // bits of a word, 1 ... 31
  parameter int         Packets  = 16,               // packets of a leaf's memory, a power of two >= 2
  parameter int         Flits    = 4,                // words of a packet at most, a power of two >= 2
  parameter int         Rows     = 64,               // rows of every table, a power of two >= 2
  parameter int         Leaves   = nodes(Height, Children, 0)
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  host_we_i,
  input  wire                  host_re_i,
  input  wire [31:0]           host_addr_i,
  input  wire [31:0]           host_wdata_i,
  output wire [31:0]           host_rdata_o,
  input  wire                  start_i,
  output wire                  run_o,
  output wire                  done_o,
  output wire                  obs_strobe_o,
  output logic [Leaves*32-1:0] obs_o
);

  // The tree.

  // Nodes of a level.
  function automatic int nodes(input int height, input bit [383:0] children, input int level);
    nodes = 1;
    for (int l = level + 1; l <= height; l++) nodes = nodes * 32'(children[(l-1)*16 +: 16]);
  endfunction

  // Routers of the levels below a level. Those of level l: children of level l+1 for each router there.
  function automatic int routers_below(input int height, input bit [383:0] children, input int level);
    int of_level;
    of_level = 1;
    routers_below = 0;
    for (int l = height; l >= 1; l--) begin
      if (l < level) routers_below = routers_below + of_level;
      of_level = of_level * 32'(children[(l-1)*16 +: 16]);
    end
  endfunction

  // Lanes, each way, of the branches below the routers of the levels below a level.
  function automatic int lanes_below(input int height, input bit [383:0] children, input bit [383:0] capacity,
                                     input int level);
    int of_level;
    of_level = 1;
    lanes_below = 0;
    for (int l = height; l >= 1; l--) begin
      of_level = of_level * 32'(children[(l-1)*16 +: 16]);
      if (l < level) lanes_below = lanes_below + of_level * 32'(capacity[(l-1)*16 +: 16]);
    end
  endfunction

  // The most ports that a router has.
  function automatic int most_ports(input int height, input bit [383:0] children, input bit [383:0] capacity);
    int ports;
    most_ports = 0;
    for (int l = 1; l <= height; l++) begin
      ports = 32'(children[(l-1)*16 +: 16]) * 32'(capacity[(l-1)*16 +: 16]);
      if (l < height) ports = ports + 32'(capacity[l*16 +: 16]);
      if (ports > most_ports) most_ports = ports;
    end
  endfunction

  localparam int Routers    = routers_below(Height, Children, Height + 1);
  localparam int RouterBits = Routers > 1 ? $clog2(Routers) : 1;
  localparam int Columns    = most_ports(Height, Children, Capacity) * Reads;
  localparam int ColumnBits = $clog2(Columns);
  localparam int NodeBits   = $clog2(Leaves);
  localparam int PacketBits = $clog2(Packets);
  localparam int FlitBits   = $clog2(Flits);
  localparam int RowBits    = $clog2(Rows);
  localparam int CycleBits  = 16;
  localparam int LaneBits   = Width + 1;
  localparam int WaveBits   = 1 + RowBits + 2 + FlitBits;  // {fetch, row, en, last, flit}

  // Sequencer.

  wire                 active, fetch, wave_fetch, tx_en, tx_last, rx_open;
  wire [RowBits-1:0]   row, wave_row;
  wire [FlitBits-1:0]  tx_flit;
  wire [RowBits:0]     rows;
  wire [FlitBits:0]    flits;
  wire [CycleBits-1:0] row_cycles;

  sequencer #(.Rows(Rows), .Flits(Flits), .CycleBits(CycleBits)) u_sequencer (
    .clk_i,
    .rst_i,
    .start_i,
    .rows_i(rows),
    .flits_i(flits),
    .row_cycles_i(row_cycles),
    .active_o(active),
    .run_o,
    .done_o,
    .fetch_o(fetch),
    .row_o(row),
    .wave_fetch_o(wave_fetch),
    .wave_row_o(wave_row),
    .tx_en_o(tx_en),
    .tx_last_o(tx_last),
    .tx_flit_o(tx_flit),
    .rx_open_o(rx_open)
  );

  wire unused = &{1'b0, rx_open};                    // a run with barriers ends when all has arrived

  // The row and the flit that are received: those that are sent, as late as the lanes.

  wire [WaveBits-1:0] wave [Pad+1] /* verilator split_var */;
  wire                rx_fetch;
  wire [RowBits-1:0]  rx_row;
  wire [FlitBits+1:0] rx_tag, rx_tag_q;

  assign wave[0]                     = {wave_fetch, wave_row, tx_en, tx_last, tx_flit};
  assign {rx_fetch, rx_row, rx_tag}  = wave[Pad];

  for (genvar d = 0; d < Pad; d++) begin : g_wave
    delay #(.Width(WaveBits)) u_wave (.clk_i, .ce_i(1'b1), .d_i(wave[d]), .q_o(wave[d+1]));
  end

  delay #(.Width(FlitBits + 2)) u_rx_tag (.clk_i, .ce_i(1'b1), .d_i(rx_tag), .q_o(rx_tag_q));

  wire                rx_en   = rx_tag_q[FlitBits+1];
  wire                rx_last = rx_tag_q[FlitBits];
  wire [FlitBits-1:0] rx_flit = rx_tag_q[FlitBits-1:0];

  delay #(.Width(1)) u_obs_strobe (.clk_i, .ce_i(1'b1), .d_i(rx_last), .q_o(obs_strobe_o));

  // Host port.

  wire                  host_req, host_all;
  wire [NodeBits-1:0]   host_node;
  wire                  host_we_table, host_we_send, host_we_recv, host_we_packet, host_re;
  wire [RouterBits-1:0] host_router;
  wire [ColumnBits-1:0] host_column;
  wire [RowBits-1:0]    host_row;
  wire [PacketBits-1:0] host_packet;
  wire [FlitBits-1:0]   host_flit;
  wire [31:0]           host_wdata;
  wire [1:0]            host_region;
  wire                  single_port;
  logic [RowBits:0]     steps_q;
  // Trees of ORs, 1 being the root, 2k and 2k+1 the branches of k.
  wire [31:0]           node_rdata   [2*Leaves]  /* verilator split_var */;
  wire [31:0]           router_rdata [2*Routers] /* verilator split_var */;

  host_port #(
    .Ports(Leaves), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Latency(Pad),
    .Routers(Routers), .UnitBits(RouterBits), .Columns(Columns), .CycleBits(CycleBits)
  ) u_host_port (
    .clk_i,
    .rst_i,
    .host_we_i,
    .host_re_i,
    .host_addr_i,
    .host_wdata_i,
    .host_rdata_o,
    .rows_o(rows),
    .flits_o(flits),
    .row_cycles_o(row_cycles),
    .single_port_o(single_port),
    .steps_i(steps_q),
    .active_i(active),
    .done_i(done_o),
    .req_o(host_req),
    .all_o(host_all),
    .node_o(host_node),
    .we_table_o(host_we_table),
    .we_send_o(host_we_send),
    .we_recv_o(host_we_recv),
    .we_packet_o(host_we_packet),
    .re_o(host_re),
    .unit_o(host_router),
    .column_o(host_column),
    .row_o(host_row),
    .packet_o(host_packet),
    .flit_o(host_flit),
    .wdata_o(host_wdata),
    .region_o(host_region),
    .table_rdata_i(router_rdata[1]),
    .node_rdata_i(node_rdata[1])
  );

  wire               forward    = flits == (FlitBits+1)'(1);
  wire               same_flit  = rx_flit == tx_flit;
  wire               send_fetch = fetch | host_re;
  wire               recv_fetch = rx_fetch | host_re;
  wire [RowBits-1:0] send_row   = host_re ? host_row : row;
  wire [RowBits-1:0] recv_row   = host_re ? host_row : rx_row;

  // Lanes, level by level, in the order of the nodes below them: those to the children of a router are neighbours.

  localparam int Lanes = lanes_below(Height, Children, Capacity, Height + 1);

  wire [Lanes*LaneBits-1:0] up   [Pad+1] /* verilator split_var */;
  wire [Lanes*LaneBits-1:0] down [Pad+1] /* verilator split_var */;

  for (genvar d = 0; d < Pad; d++) begin : g_pad
    for (genvar lane = 0; lane < Lanes; lane++) begin : g_lane
      delay #(.Width(LaneBits)) u_up (
        .clk_i, .ce_i(active | rst_i),
        .d_i(up[d][lane*LaneBits +: LaneBits]), .q_o(up[d+1][lane*LaneBits +: LaneBits])
      );
      delay #(.Width(LaneBits)) u_down (
        .clk_i, .ce_i(active | rst_i),
        .d_i(down[d][lane*LaneBits +: LaneBits]), .q_o(down[d+1][lane*LaneBits +: LaneBits])
      );
    end
  end

  // Leaves.

  wire [Leaves+Routers-1:0] moves_q;                 // of each node: a packet was on one of its output lanes

  for (genvar leaf = 0; leaf < Leaves; leaf++) begin : g_leaf
    wire [31:0]         obs;
    wire [LaneBits-1:0] lane;

    assign up[0][leaf*LaneBits +: LaneBits] = lane;

    delay #(.Width(1)) u_moves (.clk_i, .ce_i(1'b1), .d_i(lane[Width]), .q_o(moves_q[leaf]));

    always_ff @(posedge clk_i) begin
      if (rx_last) obs_o[leaf*32 +: 32] <= obs;
    end

    wire [LaneBits-1:0] from = down[Pad][leaf*LaneBits +: LaneBits];

    endpoint #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Node(leaf), .NodeBits(NodeBits),
      .Headers(Auto)
    ) u_endpoint (
      .clk_i,
      .rst_i,
      .clear_i(start_i),
      .forward_i(forward),
      .same_flit_i(same_flit),
      .fetch_i(send_fetch),
      .row_i(send_row),
      .tx_en_i(tx_en),
      .tx_flit_i(tx_flit),
      .lane_o(lane),
      .rx_fetch_i(recv_fetch),
      .rx_row_i(recv_row),
      .rx_en_i(rx_en),
      .rx_flit_i(rx_flit),
      .lane_i(from & {LaneBits{from[Width]}}),        // routers leave any word on an idle lane
      .obs_o(obs),
      .host_req_i(host_req),
      .host_all_i(host_all),
      .host_node_i(host_node),
      .host_we_send_i(host_we_send),
      .host_we_recv_i(host_we_recv),
      .host_we_packet_i(host_we_packet),
      .host_re_i(host_re),
      .host_row_i(host_row),
      .host_packet_i(host_packet),
      .host_flit_i(host_flit),
      .host_wdata_i(host_wdata),
      .host_region_i(host_region),
      .host_rdata_o(node_rdata[Leaves+leaf])
    );
  end

  assign node_rdata[0] = '0;
  for (genvar k = 1; k < Leaves; k++) begin : g_node_rdata
    assign node_rdata[k] = node_rdata[2*k] | node_rdata[2*k+1];
  end

  // Routers.

  for (genvar l = 1; l <= Height; l++) begin : g_level
    localparam int Below  = 32'(Children[(l-1)*16 +: 16]) * 32'(Capacity[(l-1)*16 +: 16]);  // ports to children
    localparam int Above  = l < Height ? 32'(Capacity[l*16 +: 16]) : 0;                     // and to the parent
    localparam int Ports  = Below + Above;
    localparam int First  = routers_below(Height, Children, l);
    localparam int Branch = lanes_below(Height, Children, Capacity, l);

    for (genvar j = 0; j < nodes(Height, Children, l); j++) begin : g_router
      localparam int Number = First + j;

      wire [Ports*LaneBits-1:0] rx_lanes /* verilator split_var */;
      wire [Ports*LaneBits-1:0] tx_lanes /* verilator split_var */;
      wire [Ports-1:0]          valid;

      for (genvar p = 0; p < Ports; p++) begin : g_port
        assign valid[p] = tx_lanes[p*LaneBits+Width];
        if (p < Below) begin : g_child
          localparam int Lane = Branch + j * Below + p;
          assign rx_lanes[p*LaneBits +: LaneBits] = up[Pad][Lane*LaneBits +: LaneBits];
          assign down[0][Lane*LaneBits +: LaneBits] = tx_lanes[p*LaneBits +: LaneBits];
        end else begin : g_parent
          localparam int Lane = lanes_below(Height, Children, Capacity, l + 1) + j * Above + p - Below;
          assign rx_lanes[p*LaneBits +: LaneBits] = down[Pad][Lane*LaneBits +: LaneBits];
          assign up[0][Lane*LaneBits +: LaneBits] = tx_lanes[p*LaneBits +: LaneBits];
        end
      end
      delay #(.Width(1)) u_moves (.clk_i, .ce_i(1'b1), .d_i(|valid), .q_o(moves_q[Leaves+Number]));

      if (Auto == 0) begin : g_table
        router #(
          .Ports(Ports), .Depth(32'(Depth[(l-1)*16 +: 16])), .Reads(Reads), .Width(Width), .Flits(Flits), .Rows(Rows),
          .Number(Number), .NumberBits(RouterBits), .ColumnBits(ColumnBits)
        ) u_router (
          .clk_i,
          .rst_i,
          .clear_i(start_i),
          .single_port_i(single_port),
          .forward_i(forward),
          .fetch_i(send_fetch),
          .row_i(send_row),
          .tx_en_i(tx_en),
          .tx_flit_i(tx_flit),
          .rx_en_i(rx_en),
          .rx_last_i(rx_last),
          .rx_flit_i(rx_flit),
          .lanes_i(rx_lanes),
          .lanes_o(tx_lanes),
          .host_we_table_i(host_we_table),
          .host_re_i(host_re),
          .host_router_i(host_router),
          .host_row_i(host_row),
          .host_column_i(host_column),
          .host_wdata_i(host_wdata),
          .host_flags_i(host_region[1]),
          .host_rdata_o(router_rdata[Routers+Number])
        );
      end else begin : g_auto
        localparam int LeavesPerChild = Leaves / nodes(Height, Children, l - 1);

        router_auto #(
          .Children(32'(Children[(l-1)*16 +: 16])), .ChildLanes(32'(Capacity[(l-1)*16 +: 16])),
          .ParentLanes(Above), .LeavesPerChild(LeavesPerChild), .Depth(32'(Depth[(l-1)*16 +: 16])),
          .Queue(32'(Queue[(l-1)*16 +: 16])), .Reads(Reads), .Width(Width), .Flits(Flits), .Rows(Rows),
          .NodeBits(NodeBits), .NumberBits(RouterBits)
        ) u_router (
          .clk_i,
          .rst_i,
          .clear_i(start_i),
          .single_port_i(single_port),
          .first_leaf_i(NodeBits'(j * 32'(Children[(l-1)*16 +: 16]) * LeavesPerChild)),
          .tx_en_i(tx_en),
          .tx_flit_i(tx_flit),
          .rx_en_i(rx_en),
          .rx_last_i(rx_last),
          .rx_flit_i(rx_flit),
          .lanes_i(rx_lanes),
          .lanes_o(tx_lanes),
          .host_re_i(host_re),
          .number_i(RouterBits'(Number)),
          .host_router_i(host_router),
          .host_flags_i(host_region[1]),
          .host_rdata_o(router_rdata[Routers+Number])
        );

        wire unused_host = &{1'b0, host_we_table, host_column};
      end
    end
  end

  assign router_rdata[0] = '0;
  for (genvar k = 1; k < Routers; k++) begin : g_router_rdata
    assign router_rdata[k] = router_rdata[2*k] | router_rdata[2*k+1];
  end

  // One past the last row in which a packet moved. moves_q is two cycles behind tx_en.

  logic [RowBits-1:0] row_q, row_q2;

  always_ff @(posedge clk_i) begin
    row_q  <= wave_row;
    row_q2 <= row_q;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i | start_i) steps_q <= '0;
    else if (|moves_q) steps_q <= (RowBits+1)'(row_q2) + 1'b1;
  end

endmodule

`default_nettype wire
