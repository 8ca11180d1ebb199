// SPDX-License-Identifier: Apache-2.0
// rc_cube_machine: a hypercube with a router at each node; rc_shell.sv describes the shell.
//
//              node x                                node y = x ^ 2^(j-1)
//     +--------------------------+             +--------------------------+
//     | endpoint x, j --+        |  arc x, j   |        +--> endpoint y, j |
//     |                 OR ------|---- Pad ----|--------+                  |
//     | router x, j ----+        |             |        +--> router y, j   |
//     +--------------------------+             +--------------------------+
//
// There are d = Dimensions dimensions, 1 ... d, and 2^d nodes; the arc of dimension j leads from a
// node to the node whose number differs in bit j-1. The processor of a node has one endpoint per
// dimension, number x * d + j-1; these are the nodes of rc_shell.sv. Port j-1 of router x
// (rc_router.sv) belongs to dimension j. A cube of one dimension has no routers.
//
// A packet that arrives over an arc is stored twice: in the endpoint, for the processor, and in the
// router, which forwards it over other dimensions. A router never sends a packet back over its own
// arc; the endpoint can. Endpoint and router must not send over the same arc in the same row,
// because their lanes are ORed.
//
// With Combine there are no routers: a node combines what it receives over its arcs in the memory
// that its endpoints share (rc_node_memory.sv), and they send the combination.
//
// A row of the tables is a step of the schedule and one hop of a packet, as in
// rc_fat_tree_machine.sv: row_cycles >= flits + Pad.
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

module rc_cube_machine #(
  parameter int Dimensions = 1,     // d, 1 ... 10
  parameter int Depth      = 1,     // packets of the buffer of a router input, 1 ... 65535
  parameter int Reads      = 1,     // packets that a buffer can deliver in one row, 1 ... 12
  parameter int Combine    = 0,     // 1: nodes combine packets; no routers
  // with Combine: bit i: operator i is built, 1 ... 127 (../shell/rc_combine.sv)
  parameter int Operators  = 127,
  parameter int Pad        = 0,     // registers of an arc, >= 0
  parameter int Width      = 1,     // bits of a word, 1 ... 512
  parameter int Packets    = 2,     // packets of the memory of an endpoint, a power of two >= 2
  parameter int Flits      = 2,     // largest number of flits of a packet, a power of two >= 2
  parameter int Rows       = 2,     // rows of every table, a power of two >= 2
  // bits of the field of an address that the bus carries; 0: as many as the machine needs
  parameter int FieldBits  = 0,
  // folder of the initial contents, "DIR/"; 0: the host loads the machine (docs/integrate.md)
  parameter bit [1023:0] Init = '0,
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
  `RC_REQUIRE(Reads, Reads >= 1 && Reads <= 12, "Reads must be 1 to 12")
  `RC_REQUIRE(Pad, Pad >= 0, "Pad must be 0 or more")

  localparam int Nodes      = 1 << Dimensions;
  localparam int Routers    = Dimensions > 1 && Combine == 0 ? Nodes : 0;
  localparam int Tables     = Routers > 0 ? Routers : 1;
  localparam int BankBits   = Routers > 0 ? Dimensions : 1;
  localparam int Columns    = Dimensions * Reads;
  localparam int ColumnBits = Columns > 1 ? $clog2(Columns) : 1;
  localparam int PacketBits = $clog2(Packets);
  localparam int LaneBits   = Width + 1;
  localparam int WaveBits   = rc_shell_bus::wave_bits(Flits, Rows);
  localparam int PhaseBits  = rc_shell_bus::phase_bits(0);
  localparam int StepBits   = rc_shell_bus::step_bits(Flits, Rows);
  localparam int HostBits   = rc_shell_bus::host_bits(BankBits, ColumnBits, Rows);
  localparam int ListBits   = rc_shell_bus::list_bits(Packets, Rows);

  wire                            rst, start;
  wire                            ce;
  wire [WaveBits-1:0]             tx_wave, rx_wave;
  wire [PhaseBits-1:0]             phase;
  wire [StepBits-1:0]             step;
  wire [HostBits-1:0]             host;
  wire [Endpoints*LaneBits-1:0]   tx_lanes;
  wire [Endpoints*LaneBits-1:0]   rx_lanes;
  wire [Tables-1:0]               moves_q;  // of each router: it sent a packet in the cycle before
  wire [Endpoints*PacketBits-1:0] count;
  wire [2:0]                      operation;
  // for endpoints outside the shell: 0
  wire [rc_shell_bus::control_bits(Endpoints, Packets, Flits, Width)-1:0] control;
  wire [Endpoints*ListBits-1:0]   no_list = '0;
  wire [Tables*3-1:0]             router_flags;
  wire [Tables*32-1:0]            table_rdata;

  rc_shell #(
    .Nodes(Endpoints), .Hops(1), .Routers(Routers), .Tables(Tables), .Machine(3),
    .TableRows(Routers > 0 ? Rows : 0), .BankBits(BankBits), .Columns(Columns), .Latency(Pad),
    .Combine(Combine != 0 ? 2 : 0), .Shared(Combine != 0 ? Dimensions : 1),
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
    .control_o(control), .outside_i(1'b0), .host_o(host),
    .table_rdata_i(table_rdata)
  );

  // Not used: signals for a setting period and for lists.
  wire unused = &{1'b0, phase, count, control, operation};

  rc_link #(.Width(WaveBits), .Depth(Pad)) u_wave (
    .clk_i, .ce_i(1'b1), .d_i(tx_wave), .q_o(rx_wave)
  );

  // Arcs, numbered like the endpoints that send on them.

  wire [Endpoints*LaneBits-1:0] sent;  // by the routers

  for (genvar arc = 0; arc < Endpoints; arc++) begin : g_arc
    localparam int To = (arc / Dimensions ^ 1 << arc % Dimensions) * Dimensions + arc % Dimensions;

    // The word on an idle lane of a router is arbitrary.
    wire [LaneBits-1:0] routed = sent[arc*LaneBits +: LaneBits];

    rc_link #(.Width(LaneBits), .Depth(Pad)) u_arc (
      .clk_i, .ce_i(ce),
      .d_i(tx_lanes[arc*LaneBits +: LaneBits] | routed & {LaneBits{routed[Width]}}),
      .q_o(rx_lanes[To*LaneBits +: LaneBits])
    );
  end

  // Routers.

  if (Routers > 0) begin : g_routers
    for (genvar node = 0; node < Nodes; node++) begin : g_router
      wire [Dimensions*LaneBits-1:0] lanes_out;
      wire [Dimensions-1:0]          sends;

      for (genvar p = 0; p < Dimensions; p++) begin : g_port
        assign sent[(node*Dimensions+p)*LaneBits +: LaneBits] = lanes_out[p*LaneBits +: LaneBits];
      end
      rc_delay #(.Width(1)) u_moves (.clk_i, .ce_i(1'b1), .d_i(|sends), .q_o(moves_q[node]));

      rc_router #(
        .Ports(Dimensions), .Depth(Depth), .Reads(Reads), .Width(Width), .Flits(Flits), .Rows(Rows),
        .Number(node), .NumberBits(Dimensions), .ColumnBits(ColumnBits),
        .Init(rc_initial::part(Init, "table-", node))
      ) u_router (
        .clk_i,
        .rst_i(rst),
        .ce_i(1'b1),
        .start_i(start),
        .step_i(step),
        .operation_i(3'd0),
        .lanes_i(rx_lanes[node*Dimensions*LaneBits +: Dimensions*LaneBits]),
        .lanes_o(lanes_out),
        .sends_o(sends),
        .flags_o(router_flags[node*3 +: 3]),
        .host_i(host),
        .host_rdata_o(table_rdata[node*32 +: 32])
      );
    end
  end else begin : g_no_router
    assign sent        = '0;
    assign moves_q     = '0;
    assign table_rdata  = '0;
    assign router_flags = '0;

    wire unused_router = &{1'b0, rst, start, step, host};
  end

endmodule

`default_nettype wire
