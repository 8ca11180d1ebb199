// SPDX-License-Identifier: Apache-2.0
// cube_node: a single node of rc_cube_machine.sv, to measure its cost: a router, the endpoints of
// its processor, and the connections between them; or, with Combine, the endpoints and what they
// have of the memory of the node. Its ports are the arcs and the signals that the shell drives to
// every node.
`default_nettype none

module cube_node #(
  parameter int Dimensions = 2,                      // d, >= 2
  parameter int Depth      = 1,
  parameter int Reads      = 1,
  parameter int Combine    = 0,
  parameter int Operators  = 127,
  parameter int Width      = 1,
  parameter int Packets    = 2,
  parameter int Flits      = 2,
  parameter int Rows       = 2,
  parameter int Node       = 0,
  localparam int NodeBits   = Dimensions + $clog2(Dimensions),
  localparam int ColumnBits = $clog2(Dimensions * Reads),
  localparam int PacketBits = $clog2(Packets),
  localparam int FlitBits   = $clog2(Flits),
  localparam int RowBits    = $clog2(Rows),
  localparam int LaneBits   = Width + 1,
  localparam int WriteBits  = (Combine != 0 ? 3 : 2) + PacketBits,
  localparam int Members    = Combine != 0 ? Dimensions : 1,
  localparam int SplitsBits = 2 * (1 + 2 * NodeBits)
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire                           start_i,
  input  wire                           single_port_i,
  input  wire                           forward_i,
  input  wire                           same_flit_i,
  input  wire                           send_fetch_i,
  input  wire [RowBits-1:0]             send_row_i,
  input  wire                           tx_en_i,
  input  wire [FlitBits-1:0]            tx_flit_i,
  input  wire                           recv_fetch_i,
  input  wire [RowBits-1:0]             recv_row_i,
  input  wire                           rx_en_i,
  input  wire                           rx_last_i,
  input  wire [FlitBits-1:0]            rx_flit_i,
  input  wire [2:0]                     operation_i,
  input  wire [Dimensions*LaneBits-1:0] arcs_i,
  output wire [Dimensions*LaneBits-1:0] arcs_o,
  output wire  [Dimensions*32-1:0]      obs_o,
  input  wire                           host_req_i,
  input  wire                           host_all_i,
  input  wire [NodeBits-1:0]            host_node_i,
  input  wire [Dimensions-1:0]          host_bank_i,
  input  wire                           host_we_table_i,
  input  wire                           host_we_send_i,
  input  wire                           host_we_recv_i,
  input  wire                           host_we_packet_i,
  input  wire                           host_re_send_i,
  input  wire                           host_re_recv_i,
  input  wire                           host_re_packet_i,
  input  wire                           host_re_flags_i,
  input  wire                           host_re_memory_i,
  input  wire [RowBits-1:0]             host_row_i,
  input  wire [ColumnBits-1:0]          host_column_i,
  input  wire [PacketBits-1:0]          host_packet_i,
  input  wire [FlitBits-1:0]            host_flit_i,
  input  wire [31:0]                    host_data_i,
  input  wire                           host_flags_i,
  output wire [31:0]                    node_rdata_o,
  output wire [31:0]                    table_rdata_o
);

  wire [Dimensions*LaneBits-1:0]  sent;
  wire [Dimensions*WriteBits-1:0] writes;            // without Combine no member reads it
  wire unused_writes = &{1'b0, writes};

  for (genvar p = 0; p < Dimensions; p++) begin : g_arc
    wire [LaneBits-1:0] routed = sent[p*LaneBits +: LaneBits];
    wire [LaneBits-1:0] lane;
    wire [PacketBits+RowBits+1:0] no_list = '0;
    wire [PacketBits-1:0] no_count;
    wire [2:0]            flags;
    wire unused_outputs = &{1'b0, no_count, flags};

    assign arcs_o[p*LaneBits +: LaneBits] = lane | routed & {LaneBits{routed[Width]}};

    rc_endpoint #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Node(Node * Dimensions + p),
      .NodeBits(NodeBits), .Combine(Combine != 0 ? 2 : 0), .Operators(Operators),
      .Shared(Members)
    ) u_endpoint (
      .clk_i,
      .rst_i,
      .start_i,
      .clear_i(rst_i | start_i),
      .forward_i,
      .same_flit_i,
      .send_fetch_i,
      .base_i('0),
      .rx_base_i('0),
      .excess_i(2'b0), .rx_excess_i(2'b0), .last_packet_i({PacketBits{1'b0}}),
      .recv_prefetch_i(1'b0),
      .lane_en_i(1'b0),
      .lane_flit_i({FlitBits{1'b0}}),
      .operation_i,
      .packets_i({(PacketBits+1){1'b0}}),
      .stream_i(1'b0),
      .row_begins_i(1'b0),
      .last_flit_i({FlitBits{1'b0}}),
      .splits_i({SplitsBits{1'b0}}),
      .send_row_i,
      .tx_en_i,
      .tx_flit_i,
      .lane_o(lane),
      .recv_fetch_i,
      .recv_row_i,
      .rx_en_i,
      .rx_last_i,
      .rx_flit_i,
      .lane_i(arcs_i[p*LaneBits +: LaneBits]),
      .write_o(writes[p*WriteBits +: WriteBits]),
      .writes_i(writes[0 +: Members*WriteBits]),
      .lanes_i(arcs_i[0 +: Members*LaneBits]),
      .obs_o(obs_o[p*32 +: 32]),
      .flags_o(flags),
      .list_i(no_list),
      .count_o(no_count),
      .host_req_i,
      .host_all_i,
      .host_node_i,
      .host_we_send_i,
      .host_we_recv_i,
      .host_we_packet_i,
      .host_re_send_i,
      .host_re_recv_i,
      .host_re_packet_i,
      .host_re_flags_i,
      .host_re_memory_i,
      .host_row_i,
      .host_packet_i,
      .host_flit_i,
      .host_data_i
    );
  end

  rc_or_tree #(.Words(Dimensions), .Width(32)) u_node_rdata (.words_i(obs_o),
                                                             .word_o(node_rdata_o));

  if (Combine == 0) begin : g_router
    wire [2:0] router_flags;
    wire [Dimensions-1:0] sends;
    wire unused_flags = &{1'b0, router_flags, sends};

    rc_router #(
      .Ports(Dimensions), .Depth(Depth), .Reads(Reads), .Width(Width), .Flits(Flits), .Rows(Rows),
      .Number(Node), .NumberBits(Dimensions), .ColumnBits(ColumnBits)
    ) u_router (
      .clk_i,
      .rst_i,
      .ce_i(1'b1),
      .start_i,
      .step_i({single_port_i, forward_i, send_fetch_i, send_row_i, tx_en_i, tx_flit_i, rx_en_i,
               rx_last_i, rx_flit_i}),
      .lanes_i(arcs_i),
      .lanes_o(sent),
      .sends_o(sends),
      .flags_o(router_flags),
      .operation_i,
      .host_i({host_we_table_i, host_re_memory_i, host_flags_i, host_bank_i, host_column_i,
               host_row_i, host_data_i}),
      .host_rdata_o(table_rdata_o)
    );
  end else begin : g_router
    assign sent          = '0;
    assign table_rdata_o = '0;

    wire unused = &{1'b0, single_port_i, host_bank_i, host_we_table_i, host_column_i, host_flags_i};
  end

endmodule

`default_nettype wire
