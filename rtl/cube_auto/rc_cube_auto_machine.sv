// SPDX-License-Identifier: Apache-2.0
// rc_cube_auto_machine: a self-timed hypercube. It broadcasts packets of any of its nodes to all
// nodes: rc_cube_machine.sv with nodes that decide locally (rc_cube_auto_node.sv) in place of
// tables. It detects the end of the run.
//
//              node x                                node y = x ^ 2^(j-1)
//     +--------------------------+             +--------------------------+
//     | endpoint x, j --+        |  arc x, j   |        +--> endpoint y, j |
//     |     ^           OR ------|---- Pad ----|--------+                  |
//     | node x: list,   |        |             |        +--> node y        |
//     |   router -------+        |             |                           |
//     +--------------------------+             +--------------------------+
//
// Nodes, arcs and endpoints are numbered as in rc_cube_machine.sv. The host loads only packets, at
// the endpoints of the nodes that have them, each with its slot in the first flit, and a list of
// these slots (rc_endpoint.sv). Control packets, which the nodes generate, are stored from the last
// slot downwards. A run ends when all nodes have received the last packet of every tree, or after
// its rows; row_cycles >= flits + Pad + Dimensions + 2, flits >= 2.
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

module rc_cube_auto_machine #(
  parameter int Dimensions = 1,         // d, 1 ... 10
  parameter int Depth      = 1,         // packets of the buffer of a router input, 1 ... 65535
  parameter int Queue      = 1,         // packets of the queue of a tree in a node, 1 ... 65535
  parameter int Pad        = 0,         // registers of an arc, >= 0
  parameter int Width      = 5,         // bits of a word, log2(Packets) + 2 ... 31
  parameter int Packets    = 8,         // packets of an endpoint, a power of two > 2^(d+1)
  parameter int Flits      = 2,         // largest number of flits of a packet, a power of two >= 2
  parameter int Rows       = 2,         // rows of a run and of a list, a power of two >= 2
  // bits of the field of an address that the bus carries; 0: as many as the machine needs
  parameter int FieldBits  = 0,
  localparam int Endpoints = Dimensions << Dimensions
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire                    host_we_i,
  input  wire                    host_re_i,
  input  wire [31:0]             host_addr_i,
  input  wire [31:0]             host_wdata_i,
  output wire [31:0]             host_rdata_o,
  output wire                    host_error_o,
  input  wire                    start_i,
  output wire                    busy_o,
  output wire                    run_o,
  output wire                    done_o,
  output wire                    error_o,
  output wire                    irq_o,
  output wire                    obs_strobe_o,
  output wire [Endpoints*32-1:0] obs_o
);

  `RC_REQUIRE(Dimensions, Dimensions >= 1 && Dimensions <= 10, "Dimensions must be 1 to 10")
  `RC_REQUIRE(Pad, Pad >= 0, "Pad must be 0 or more")

  localparam int Nodes      = 1 << Dimensions;
  localparam int PacketBits = $clog2(Packets);
  localparam int LaneBits   = Width + 1;
  localparam int WaveBits   = rc_shell_bus::wave_bits(Flits, Rows);
  localparam int PhaseBits  = rc_shell_bus::phase_bits(0);
  localparam int StepBits   = rc_shell_bus::step_bits(Flits, Rows);
  localparam int HostBits   = rc_shell_bus::host_bits(Dimensions, 1, Rows);
  localparam int ListBits   = rc_shell_bus::list_bits(Packets, Rows);

  wire                            rst, start;
  wire                            ce;
  wire [WaveBits-1:0]             tx_wave, rx_wave;
  wire [PhaseBits-1:0]             phase;
  wire [StepBits-1:0]             step;
  wire [HostBits-1:0]             host;
  wire [Endpoints*LaneBits-1:0]   tx_lanes;
  wire [Endpoints*LaneBits-1:0]   arrived;
  wire [Endpoints*LaneBits-1:0]   rx_lanes;  // without the kind
  wire [Nodes-1:0]                moves_q;           // of each node: it or its router sent a packet
  wire [Nodes-1:0]                done;
  wire [Endpoints*ListBits-1:0]   list;
  wire [Endpoints*PacketBits-1:0] count;
  wire [2:0]                      operation;
  // for endpoints outside the shell: 0
  wire [rc_shell_bus::control_bits(Endpoints, Packets, Flits, Width)-1:0] control;
  wire [Nodes*3-1:0]              router_flags;
  wire [Nodes*32-1:0]             flags;

  rc_shell #(
    .Nodes(Endpoints), .Hops(1), .Routers(Dimensions > 1 ? Nodes : 0), .Tables(Nodes),
    .Machine(4), .BankBits(Dimensions), .Latency(Pad), .Headers(1), .Lists(1), .Width(Width),
    .Packets(Packets), .Flits(Flits), .Rows(Rows), .FieldBits(FieldBits)
  ) u_shell (
    .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o,
    .host_error_o, .start_i, .busy_o, .run_o, .done_o, .error_o, .irq_o, .obs_strobe_o,
    .obs_o,
    .rst_o(rst), .start_o(start), .ce_o(ce), .wave_o(tx_wave), .tx_lanes_o(tx_lanes),
    .wave_i(rx_wave), .rx_lanes_i(rx_lanes),
    .phase_o(phase), .length_i({$clog2(Rows){1'b0}}), .step_o(step),
    .moves_i(|moves_q),
    .router_flags_i(router_flags), .finish_i(&done),
    .list_i(list), .count_o(count), .operation_o(operation),
    .control_o(control), .outside_i(1'b0), .host_o(host), .table_rdata_i(flags)
  );

  // Not used: signals for a setting period. All endpoints of a node have the same list.
  wire unused = &{1'b0, phase, count, control, operation};

  rc_link #(.Width(WaveBits), .Depth(Pad)) u_wave (
    .clk_i, .ce_i(1'b1), .d_i(tx_wave), .q_o(rx_wave)
  );

  // Arcs, numbered like the endpoints that send on them.

  wire [Endpoints*LaneBits-1:0] sent;  // by the nodes

  for (genvar arc = 0; arc < Endpoints; arc++) begin : g_arc
    localparam int To = (arc / Dimensions ^ 1 << arc % Dimensions) * Dimensions + arc % Dimensions;

    rc_link #(.Width(LaneBits), .Depth(Pad)) u_arc (
      .clk_i, .ce_i(ce), .d_i(tx_lanes[arc*LaneBits +: LaneBits] | sent[arc*LaneBits +: LaneBits]),
      .q_o(arrived[To*LaneBits +: LaneBits])
    );
  end

  // Nodes.

  for (genvar node = 0; node < Nodes; node++) begin : g_node
    localparam int First = node * Dimensions;

    wire [Dimensions*LaneBits-1:0] lanes_out;
    wire [Dimensions-1:0]          valid;

    for (genvar p = 0; p < Dimensions; p++) begin : g_port
      assign valid[p] = lanes_out[p*LaneBits+Width];
      assign sent[(First+p)*LaneBits +: LaneBits] = lanes_out[p*LaneBits +: LaneBits];
    end
    rc_delay #(.Width(1)) u_moves (.clk_i, .ce_i(1'b1), .d_i(|valid), .q_o(moves_q[node]));

    rc_cube_auto_node #(
      .Dimensions(Dimensions), .Node(node), .Depth(Depth), .Queue(Queue), .Width(Width),
      .Packets(Packets), .Flits(Flits), .Rows(Rows)
    ) u_node (
      .clk_i,
      .rst_i(rst),
      .start_i(start),
      .count_i(count[First*PacketBits +: PacketBits]),
      .step_i(step),
      .lanes_i(arrived[First*LaneBits +: Dimensions*LaneBits]),
      .stored_o(rx_lanes[First*LaneBits +: Dimensions*LaneBits]),
      .lanes_o(lanes_out),
      .flags_o(router_flags[node*3 +: 3]),
      .list_o(list[First*ListBits +: Dimensions*ListBits]),
      .done_o(done[node]),
      .host_i(host),
      .host_rdata_o(flags[node*32 +: 32])
    );
  end

endmodule

`default_nettype wire
