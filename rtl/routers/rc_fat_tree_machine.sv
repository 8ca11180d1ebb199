// SPDX-License-Identifier: Apache-2.0
// rc_fat_tree_machine: a tree with endpoints at its leaves and routers at its inner nodes;
// rc_shell.sv describes the shell.
//
//     level 2               ( 2 )
//                          //   \\   c_2 = 2 lanes in each direction
//     level 1           ( 0 )   ( 1 )
//                       /   \   /   \   c_1 = 1
//     leaves           0     1 2     3
//
// Node j of level l has k_l children, nodes j * k_l + child of level l-1, and c_l lanes in each
// direction connect it to each of them. Leaves are the nodes of level 0. Routers are numbered level
// by level. A leaf has c_1 endpoints, endpoint leaf * c_1 + lane on each of its lanes.
//
// A router of level l has the ports child * c_l + lane to its children and k_l * c_l + lane to its
// parent (sched/shape/wiring.h has the same numbers). Every lane has Pad registers.
//
// A row of the tables is a step of the schedule and one hop of a packet: in a row of row_cycles >=
// flits + Pad cycles (rc_sequencer.sv, with barriers) whose first flit is on the lanes in cycle c,
// leaves and routers send flit k in cycle c+k, and their neighbours store it at the end of cycle
// c+k+Pad; leaves that combine packets one cycle later, so that a row has one cycle more.
//
// The nodes of rc_shell.sv are the endpoints.
//
//     port          dir  bits          valid in            meaning
//     clk_i         in   1                                 clock, rising edge
//     rst_i         in   1             each cycle          reset, for one cycle or more
//     host_we_i     in   1             each cycle          writes a word
//     host_re_i     in   1             each cycle          reads a word
//     host_addr_i   in   32            that of we or re    address of the word
//     host_wdata_i  in   32            that of host_we_i   word to write
//     host_rdata_o  out  32            3 after host_re_i   word read
//     host_error_o  out  1             3 after we or re    the access was rejected
//     start_i       in   1             each cycle          starts a run, if busy_o is low
//     busy_o        out  1             each cycle          a run, or a reset, is in progress
//     run_o         out  1             each cycle          high in each cycle of a run
//     done_o        out  1             each cycle          from the end of a run to the next start
//     error_o       out  1             done_o              a flag was set in the run
//     irq_o         out  1             each cycle          an enabled interrupt is set
//     obs_strobe_o  out  1             each cycle          obs_o is valid
//     obs_o         out  Endpoints*32  obs_strobe_o        packets received, or words of all nodes
`default_nettype none
`include "../common/rc_require.svh"

module rc_fat_tree_machine #(
  parameter int Height           = 1,                // h, levels of routers, 1 ... 24
  // 16 bits per level, level 1 in the lowest bits:
  parameter bit [383:0] Children = 384'h2,           // k_l, >= 2
  parameter bit [383:0] Capacity = 384'h1,           // c_l, >= 1
  parameter bit [383:0] Depth    = 384'h1,  // packets of the buffer of an input, 1 ... 65535
  // self-timed: packets of the queue of each branch, 1 ... 65535
  parameter bit [383:0] Queue    = 384'h1,
  // 1: self-timed routers; packets have headers
  parameter int Auto             = 0,
  // packets that a buffer can deliver in one row, 1 ... 12
  parameter int Reads            = 1,
  // 1: routers and endpoints combine packets; excludes Auto. It adds a cycle of latency at the
  // endpoints (../shell/rc_operand_memory.sv)
  parameter int Combine          = 0,
  // with Combine: bit i: operator i is built, 1 ... 127 (../shell/rc_combine.sv)
  parameter int Operators        = 127,
  parameter int Pad              = 0,                // registers of a lane, >= 0
  parameter int Width            = 1,                // bits of a word, 1 ... 512
  // packets of the memory of an endpoint, a power of two >= 2
  parameter int Packets          = 2,
  // largest number of flits of a packet, a power of two >= 2
  parameter int Flits            = 2,
  parameter int Rows             = 2,                // rows of every table, a power of two >= 2
  // bits of the field of an address that the bus carries; 0: as many as the machine needs
  parameter int FieldBits        = 0,
  // folder of the initial contents, "DIR/"; 0: the host loads the machine (docs/integrate.md)
  parameter bit [1023:0] Init    = '0,
  localparam int Leaves = nodes(Height, Children, 0),
  localparam int Endpoints = Leaves * 32'(Capacity[15:0])
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 host_we_i,
  input  wire                 host_re_i,
  input  wire [31:0]          host_addr_i,
  input  wire [31:0]          host_wdata_i,
  output wire [31:0]          host_rdata_o,
  output wire                 host_error_o,
  input  wire                 start_i,
  output wire                 busy_o,
  output wire                 run_o,
  output wire                 done_o,
  output wire                 error_o,
  output wire                 irq_o,
  output wire                 obs_strobe_o,
  output wire [Endpoints*32-1:0] obs_o
);

  `RC_REQUIRE(Height, Height >= 1 && Height <= 24, "Height must be 1 to 24")
  `RC_REQUIRE(Reads, Reads >= 1 && Reads <= 12, "Reads must be 1 to 12")
  `RC_REQUIRE(Pad, Pad >= 0, "Pad must be 0 or more")

  // The tree.

  // Returns the number of nodes of a level.
  function automatic int nodes(input int height, input bit [383:0] children, input int level);
    nodes = 1;
    for (int l = level + 1; l <= height; l++) nodes = nodes * 32'(children[(l-1)*16 +: 16]);
  endfunction

  // Returns the number of routers below a level. Level l has k_(l+1) routers for each router of
  // level l+1.
  function automatic int routers_below(input int height, input bit [383:0] children,
                                       input int level);
    int of_level;
    of_level = 1;
    routers_below = 0;
    for (int l = height; l >= 1; l--) begin
      if (l < level) routers_below = routers_below + of_level;
      of_level = of_level * 32'(children[(l-1)*16 +: 16]);
    end
  endfunction

  // Returns the number of lanes, in one direction, of the branches below the routers that are below
  // a level.
  function automatic int lanes_below(input int height, input bit [383:0] children,
                                     input bit [383:0] capacity, input int level);
    int of_level;
    of_level = 1;
    lanes_below = 0;
    for (int l = height; l >= 1; l--) begin
      of_level = of_level * 32'(children[(l-1)*16 +: 16]);
      if (l < level) lanes_below = lanes_below + of_level * 32'(capacity[(l-1)*16 +: 16]);
    end
  endfunction

  // Returns the largest number of ports of a router.
  function automatic int most_ports(input int height, input bit [383:0] children,
                                    input bit [383:0] capacity);
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
  localparam int NodeBits   = $clog2(Endpoints);
  localparam int PacketBits = $clog2(Packets);
  localparam int LaneBits   = Width + 1;
  localparam int WaveBits   = rc_shell_bus::wave_bits(Flits, Rows);
  localparam int PhaseBits  = rc_shell_bus::phase_bits(0);
  localparam int StepBits   = rc_shell_bus::step_bits(Flits, Rows);
  localparam int HostBits   = rc_shell_bus::host_bits(RouterBits, ColumnBits, Rows);
  localparam int ListBits   = rc_shell_bus::list_bits(Packets, Rows);

  wire                         rst, start;
  wire                         ce;
  wire [WaveBits-1:0]          tx_wave, rx_wave;
  wire [PhaseBits-1:0]          phase;
  wire [StepBits-1:0]          step;
  wire [HostBits-1:0]          host;
  wire [Endpoints*LaneBits-1:0]   tx_lanes;
  wire [Endpoints*LaneBits-1:0]   rx_lanes;
  wire [Routers-1:0]           moves_q;   // of each router: it sent a packet in the cycle before
  wire [Endpoints*PacketBits-1:0] count;
  wire [2:0]                      operation;
  // for endpoints outside the shell: 0
  wire [rc_shell_bus::control_bits(Endpoints, Packets, Flits, Width)-1:0] control;
  wire [Endpoints*ListBits-1:0]   no_list = '0;
  wire [Routers*3-1:0]         router_flags;
  wire [Routers*32-1:0]        table_rdata;

  rc_shell #(
    .Nodes(Endpoints), .Together(Endpoints / Leaves), .Hops(1), .Routers(Routers),
    .Tables(Routers), .Machine(Auto != 0 ? 2 : 1), .TableRows(Auto != 0 ? 0 : Rows),
    .BankBits(RouterBits), .Columns(Columns), .Latency(Pad), .Headers(Auto), .Combine(Combine),
    .Operators(Operators),
    .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .FieldBits(FieldBits), .Init(Init)
  ) u_shell (
    .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o,
    .host_error_o, .start_i, .busy_o, .run_o, .done_o, .error_o, .irq_o, .obs_strobe_o,
    .obs_o,
    .rst_o(rst), .start_o(start), .ce_o(ce), .wave_o(tx_wave), .tx_lanes_o(tx_lanes),
    .wave_i(rx_wave), .rx_lanes_i(rx_lanes),
    .phase_o(phase), .length_i({$clog2(Rows){1'b0}}), .step_o(step),
    .moves_i(|moves_q),
    .router_flags_i(router_flags), .finish_i(1'b0),
    .list_i(no_list), .count_o(count), .operation_o(operation),
    .control_o(control), .outside_i(1'b0), .host_o(host), .table_rdata_i(table_rdata)
  );

  // Not used: signals for a setting period and for lists.
  wire unused = &{1'b0, phase, count, control};

  if (Auto != 0) begin : g_auto
    wire unused_operation = &{1'b0, operation};
  end

  rc_link #(.Width(WaveBits), .Depth(Pad)) u_wave (
    .clk_i, .ce_i(1'b1), .d_i(tx_wave), .q_o(rx_wave)
  );

  // Lanes, level by level, in the order of the nodes below them: the lanes to the children of a
  // router are adjacent, and the lanes of the leaves come first. If routers combine, the first of
  // the Pad registers of a lane are in the router that sends on it (rc_router_core.sv).

  localparam int Lanes = lanes_below(Height, Children, Capacity, Height + 1);

  wire [Lanes*LaneBits-1:0] up;                      // after the registers
  wire [Lanes*LaneBits-1:0] down;

  for (genvar e = 0; e < Endpoints; e++) begin : g_leaf
    wire [LaneBits-1:0] from = down[e*LaneBits +: LaneBits];

    rc_link #(.Width(LaneBits), .Depth(Pad)) u_up (
      .clk_i, .ce_i(ce), .d_i(tx_lanes[e*LaneBits +: LaneBits]), .q_o(up[e*LaneBits +: LaneBits])
    );
    // The word on an idle lane of a router is arbitrary.
    assign rx_lanes[e*LaneBits +: LaneBits] = from & {LaneBits{from[Width]}};
  end

  // Routers.

  for (genvar l = 1; l <= Height; l++) begin : g_level
    // ports to the children
    localparam int Below  = 32'(Children[(l-1)*16 +: 16]) * 32'(Capacity[(l-1)*16 +: 16]);
    // ports to the parent
    localparam int Above  = l < Height ? 32'(Capacity[l*16 +: 16]) : 0;
    localparam int Ports  = Below + Above;
    localparam int First  = routers_below(Height, Children, l);
    localparam int Branch = lanes_below(Height, Children, Capacity, l);
    // registers of the lanes in the router and outside
    localparam int Inside  = Combine == 0 ? 0 : Pad < $clog2(Ports) ? Pad : $clog2(Ports);
    localparam int Outside = Pad - Inside;

    `RC_REQUIRE(Children, Children[(l-1)*16 +: 16] >= 2, "Children must be 2 or more")
    `RC_REQUIRE(Capacity, Capacity[(l-1)*16 +: 16] >= 1, "Capacity must be 1 or more")

    for (genvar j = 0; j < nodes(Height, Children, l); j++) begin : g_router
      localparam int Number = First + j;

      wire [Ports*LaneBits-1:0] lanes_in;
      wire [Ports*LaneBits-1:0] lanes_out;
      wire [Ports-1:0]          sends;

      for (genvar p = 0; p < Ports; p++) begin : g_port
        if (p < Below) begin : g_child
          localparam int Lane = Branch + j * Below + p;
          assign lanes_in[p*LaneBits +: LaneBits] = up[Lane*LaneBits +: LaneBits];
          rc_link #(.Width(LaneBits), .Depth(Outside)) u_down (
            .clk_i, .ce_i(ce), .d_i(lanes_out[p*LaneBits +: LaneBits]),
            .q_o(down[Lane*LaneBits +: LaneBits])
          );
        end else begin : g_parent
          localparam int Lane =
              lanes_below(Height, Children, Capacity, l + 1) + j * Above + p - Below;
          assign lanes_in[p*LaneBits +: LaneBits] = down[Lane*LaneBits +: LaneBits];
          rc_link #(.Width(LaneBits), .Depth(Outside)) u_up (
            .clk_i, .ce_i(ce), .d_i(lanes_out[p*LaneBits +: LaneBits]),
            .q_o(up[Lane*LaneBits +: LaneBits])
          );
        end
      end
      rc_delay #(.Width(1)) u_moves (.clk_i, .ce_i(1'b1), .d_i(|sends), .q_o(moves_q[Number]));

      if (Auto == 0) begin : g_table
        rc_router #(
          .Ports(Ports), .Depth(32'(Depth[(l-1)*16 +: 16])), .Reads(Reads), .Width(Width),
          .Flits(Flits), .Rows(Rows), .Number(Number), .NumberBits(RouterBits),
          .ColumnBits(ColumnBits), .Combine(Combine), .Operators(Operators), .Registers(Inside),
          .Init(rc_initial::part(Init, "table-", Number))
        ) u_router (
          .clk_i,
          .rst_i(rst),
          .ce_i(ce),
          .start_i(start),
          .step_i(step),
          .operation_i(operation),
          .lanes_i(lanes_in),
          .lanes_o(lanes_out),
          .sends_o(sends),
          .flags_o(router_flags[Number*3 +: 3]),
          .host_i(host),
          .host_rdata_o(table_rdata[Number*32 +: 32])
        );
      end else begin : g_auto
        for (genvar p = 0; p < Ports; p++) begin : g_sends
          assign sends[p] = lanes_out[p*LaneBits+Width];
        end

        localparam int PerChild = Endpoints / nodes(Height, Children, l - 1);

        rc_router_auto #(
          .Children(32'(Children[(l-1)*16 +: 16])), .ChildLanes(32'(Capacity[(l-1)*16 +: 16])),
          .ParentLanes(Above), .LeavesPerChild(PerChild), .Depth(32'(Depth[(l-1)*16 +: 16])),
          .Queue(32'(Queue[(l-1)*16 +: 16])), .Reads(Reads), .Width(Width), .Flits(Flits),
          .Rows(Rows), .NodeBits(NodeBits), .NumberBits(RouterBits), .ColumnBits(ColumnBits)
        ) u_router (
          .clk_i,
          .rst_i(rst),
          .start_i(start),
          .first_leaf_i(NodeBits'(j * 32'(Children[(l-1)*16 +: 16]) * PerChild)),
          .number_i(RouterBits'(Number)),
          .step_i(step),
          .lanes_i(lanes_in),
          .lanes_o(lanes_out),
          .flags_o(router_flags[Number*3 +: 3]),
          .host_i(host),
          .host_rdata_o(table_rdata[Number*32 +: 32])
        );
      end
    end
  end

endmodule

`default_nettype wire
