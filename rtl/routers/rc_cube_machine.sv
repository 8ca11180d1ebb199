// rc_cube_machine: the nodes of a hypercube, each with a router; frame.sv has what is around them.
//
//              node x                                node y = x ^ 2^(j-1)
//     +--------------------------+             +--------------------------+
//     | endpoint x, j --+        |  arc x, j   |        +--> endpoint y, j |
//     |                 OR ------|---- Pad ----|--------+                  |
//     | router x, j ----+        |             |        +--> router y, j   |
//     +--------------------------+             +--------------------------+
//
// There are d = Dimensions dimensions, 1 ... d, and 2^d nodes; the arc of dimension j leads from a
// node to the one whose number differs in bit j-1. A node's processor has an endpoint for each
// dimension, number x * d + j-1; these are the nodes of frame.sv. Router x (router.sv) has port j-1
// in dimension j; a cube of one dimension has no routers.
//
// What comes over an arc is stored twice: in the endpoint, where the processor has it, and in the
// router, which sends it on over other dimensions. A router sends nothing back where it came from:
// for that there is the endpoint. The two must not send over one arc in one row: nothing tells them
// apart.
//
// A row of the tables is a step of the schedule and a packet's hop, as in fat_tree_machine.sv:
// row_cycles >= flits + Pad. Reset for at least Pad + 3 cycles.
`default_nettype none

module rc_cube_machine #(
  parameter int Dimensions = 1,     // d, 1 ... 10
  parameter int Depth      = 1,     // packets of a router's input's buffer, 1 ... 65535
  parameter int Reads      = 1,     // different packets that a buffer can give in one row, 1 ... 12
  parameter int Pad        = 0,     // registers of an arc, >= 0
  parameter int Width      = 1,     // bits of a word, 1 ... 31
  parameter int Packets    = 2,     // packets of an endpoint's memory, a power of two >= 2
  parameter int Flits      = 2,     // words of a packet at most, a power of two >= 2
  parameter int Rows       = 2,     // rows of every table, a power of two >= 2
  localparam int Endpoints = Dimensions << Dimensions
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire                    host_we_i,
  input  wire                    host_re_i,
  input  wire [31:0]             host_addr_i,
  input  wire [31:0]             host_wdata_i,
  output wire [31:0]             host_rdata_o,
  input  wire                    start_i,
  output wire                    run_o,
  output wire                    done_o,
  output wire                    obs_strobe_o,
  output wire [Endpoints*32-1:0] obs_o
);

  // Illegal parameters: there is no such module (rtl/README.md).
  if (Dimensions < 1 || Dimensions > 10) rc_Dimensions_must_be_1_to_10 u_illegal ();
  if (Reads < 1 || Reads > 12) rc_Reads_must_be_1_to_12 u_illegal ();
  if (Pad < 0) rc_Pad_must_be_0_or_more u_illegal ();

  localparam int Nodes      = 1 << Dimensions;
  localparam int Routers    = Dimensions > 1 ? Nodes : 0;
  localparam int Tables     = Dimensions > 1 ? Nodes : 1;
  localparam int Columns    = Dimensions * Reads;
  localparam int ColumnBits = Columns > 1 ? $clog2(Columns) : 1;
  localparam int FlitBits   = $clog2(Flits);
  localparam int RowBits    = $clog2(Rows);
  localparam int LaneBits   = Width + 1;
  localparam int TagBits    = FlitBits + 2;
  localparam int WaveBits   = 1 + RowBits + TagBits;

  wire                          ce, wave_fetch, rx_fetch;
  wire [RowBits-1:0]            wave_row, rx_row;
  wire [TagBits-1:0]            tx_tag, rx_tag;
  wire [Endpoints*LaneBits-1:0] tx_lanes /* verilator split_var */;
  wire [Endpoints*LaneBits-1:0] rx_lanes /* verilator split_var */;
  wire                          single_port, forward, send_fetch, tx_en, rx_en, rx_last;
  wire [RowBits-1:0]            send_row;
  wire [FlitBits-1:0]           tx_flit, rx_flit;
  wire [Tables-1:0]             moves_q;  // of each router: a packet was on one of its output lanes
  wire                          host_we_table, host_re, host_flags;
  wire [Dimensions-1:0]         host_router;
  wire [ColumnBits-1:0]         host_column;
  wire [RowBits-1:0]            host_row;
  wire [31:0]                   host_wdata;
  wire [Tables*32-1:0]          table_rdata /* verilator split_var */;

  // No endpoint has a list.
  localparam int ListBits = 2 + $clog2(Packets) + $clog2(Rows);
  wire [Endpoints*ListBits-1:0] no_list;
  for (genvar node = 0; node < Endpoints; node++) begin : g_no_list
    assign no_list[node*ListBits +: ListBits] = '0;
  end
  wire [Endpoints*$clog2(Packets)-1:0] no_count;
  wire unused_count = &{1'b0, no_count};

  // No machine of routers has beats.
  wire fetch, beat;
  wire unused_beat = &{1'b0, fetch, beat};

  rc_frame #(
    .Nodes(Endpoints), .Hops(1), .Routers(Routers), .Tables(Tables), .UnitBits(Dimensions),
    .Columns(Columns), .Latency(Pad), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)
  ) u_frame (
    .clk_i,
    .rst_i,
    .host_we_i,
    .host_re_i,
    .host_addr_i,
    .host_wdata_i,
    .host_rdata_o,
    .start_i,
    .run_o,
    .done_o,
    .obs_strobe_o,
    .obs_o,
    .ce_o(ce),
    .wave_fetch_o(wave_fetch),
    .wave_row_o(wave_row),
    .tx_tag_o(tx_tag),
    .tx_lanes_o(tx_lanes),
    .rx_fetch_i(rx_fetch),
    .rx_row_i(rx_row),
    .rx_tag_i(rx_tag),
    .rx_lanes_i(rx_lanes),
    .fetch_o(fetch),
    .beat_o(beat),
    .single_port_o(single_port),
    .forward_o(forward),
    .send_fetch_o(send_fetch),
    .send_row_o(send_row),
    .tx_en_o(tx_en),
    .tx_flit_o(tx_flit),
    .rx_en_o(rx_en),
    .rx_last_o(rx_last),
    .rx_flit_o(rx_flit),
    .moves_i(|moves_q),
    .finish_i(1'b0),
    .list_i(no_list),
    .count_o(no_count),
    .host_we_table_o(host_we_table),
    .host_re_o(host_re),
    .host_unit_o(host_router),
    .host_column_o(host_column),
    .host_row_o(host_row),
    .host_wdata_o(host_wdata),
    .host_flags_o(host_flags),
    .table_rdata_i(table_rdata)
  );

  rc_link #(.Width(WaveBits), .Depth(Pad)) u_wave (
    .clk_i, .ce_i(1'b1), .d_i({wave_fetch, wave_row, tx_tag}), .q_o({rx_fetch, rx_row, rx_tag})
  );

  // Arcs, numbered as the endpoints that they leave.

  wire [Endpoints*LaneBits-1:0] sent /* verilator split_var */;  // by the routers

  for (genvar arc = 0; arc < Endpoints; arc++) begin : g_arc
    localparam int To = (arc / Dimensions ^ 1 << arc % Dimensions) * Dimensions + arc % Dimensions;

    // A router leaves any word on an idle lane.
    wire [LaneBits-1:0] routed = sent[arc*LaneBits +: LaneBits];

    rc_link #(.Width(LaneBits), .Depth(Pad)) u_arc (
      .clk_i, .ce_i(ce),
      .d_i(tx_lanes[arc*LaneBits +: LaneBits] | routed & {LaneBits{routed[Width]}}),
      .q_o(rx_lanes[To*LaneBits +: LaneBits])
    );
  end

  // Routers.

  if (Dimensions > 1) begin : g_routers
    for (genvar node = 0; node < Nodes; node++) begin : g_router
      wire [Dimensions*LaneBits-1:0] lanes_out /* verilator split_var */;
      wire [Dimensions-1:0]          valid;

      for (genvar p = 0; p < Dimensions; p++) begin : g_port
        assign valid[p] = lanes_out[p*LaneBits+Width];
        assign sent[(node*Dimensions+p)*LaneBits +: LaneBits] = lanes_out[p*LaneBits +: LaneBits];
      end
      rc_delay #(.Width(1)) u_moves (.clk_i, .ce_i(1'b1), .d_i(|valid), .q_o(moves_q[node]));

      rc_router #(
        .Ports(Dimensions), .Depth(Depth), .Reads(Reads), .Width(Width), .Flits(Flits), .Rows(Rows),
        .Number(node), .NumberBits(Dimensions), .ColumnBits(ColumnBits)
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
        .lanes_i(rx_lanes[node*Dimensions*LaneBits +: Dimensions*LaneBits]),
        .lanes_o(lanes_out),
        .host_we_table_i(host_we_table),
        .host_re_i(host_re),
        .host_router_i(host_router),
        .host_row_i(host_row),
        .host_column_i(host_column),
        .host_wdata_i(host_wdata),
        .host_flags_i(host_flags),
        .host_rdata_o(table_rdata[node*32 +: 32])
      );
    end
  end else begin : g_no_router
    assign sent        = '0;
    assign moves_q     = '0;
    assign table_rdata = '0;

    wire unused =
        &{1'b0, single_port, forward, send_fetch, send_row, tx_en, tx_flit, rx_en, rx_last, rx_flit,
                    host_we_table, host_re, host_flags, host_router, host_column, host_row,
                        host_wdata};
  end

endmodule

`default_nettype wire
