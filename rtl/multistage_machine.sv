// multistage_machine: N endpoints around a multistage network, a sequencer and a host port.
//
//     host port --> tables, programs, packet memories, registers
//     sequencer --> endpoints --> network --> endpoints --> observation port
//
// The host loads the image, raises start_i for a cycle and waits for done_o. The observation port shows
// every completed receipt: while obs_strobe_o is high, obs_o holds for each node
//
//     {valid, missing, unexpected, not held, packet[27:0]}
//
// that is, whether a packet was completed at the end of the cycle before, the flags so far, and which
// packet. Reset for at least Latency + 3 cycles, so that the pipeline is flushed.
//
// In a run without barriers (sequencer.sv) the last Latency / row_cycles rows send nothing, by which the
// lanes are empty at its end. The wavefront of these rows is still under way then: raise start_i no earlier
// than Latency cycles after done_o.
`default_nettype none

module multistage_machine #(
  parameter int Ports   = 8,                         // N, a power of two, 2 ... 1024
  parameter int Pipe    = 1,                         // a pipeline register every Pipe stages; 0: none
  parameter int Pad     = 0,                         // further registers behind the network
  parameter int Width   = 16,                        // bits of a word, 1 ... 31
  parameter int Packets = 16,                        // packets of an endpoint's memory, a power of two >= 2
  parameter int Flits   = 4,                         // words of a packet at most, a power of two >= 2
  parameter int Rows    = 64                         // rows of every table, a power of two >= 2
) (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire                host_we_i,
  input  wire                host_re_i,
  input  wire [31:0]         host_addr_i,
  input  wire [31:0]         host_wdata_i,
  output wire [31:0]         host_rdata_o,
  input  wire                start_i,
  output wire                run_o,
  output wire                done_o,
  output wire                obs_strobe_o,
  output logic [Ports*32-1:0] obs_o
);

  localparam int Log2Ports  = $clog2(Ports);
  localparam int Stages     = 2 * Log2Ports - 1;
  localparam int Latency    = (Pipe == 0 ? 0 : Stages / (Pipe == 0 ? 1 : Pipe)) + Pad;
  localparam int StageBits  = Stages > 1 ? $clog2(Stages) : 1;
  localparam int Columns    = (Ports / 2 + 31) / 32;
  localparam int ColumnBits = Columns > 1 ? $clog2(Columns) : 1;
  localparam int NodeBits   = Log2Ports;
  localparam int PacketBits = $clog2(Packets);
  localparam int FlitBits   = $clog2(Flits);
  localparam int RowBits    = $clog2(Rows);
  localparam int CycleBits  = 16;
  localparam int LaneBits   = Width + 1;
  localparam int TagBits    = FlitBits + 2;          // {en, last, flit} of the flits in flight

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

  // Host port.

  wire                  host_req, host_all;
  wire [NodeBits-1:0]   host_node;
  wire                  host_we_table, host_we_send, host_we_recv, host_we_packet, host_re;
  wire [StageBits-1:0]  host_stage;
  wire [ColumnBits-1:0] host_column;
  wire [RowBits-1:0]    host_row;
  wire [PacketBits-1:0] host_packet;
  wire [FlitBits-1:0]   host_flit;
  wire [31:0]           host_wdata, table_rdata;
  wire [1:0]            host_region;
  wire                  single_port;               // of machines of routers
  wire [31:0]           node_rdata [2*Ports] /* verilator split_var */;  // 1: root of a tree of ORs

  host_port #(
    .Ports(Ports), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Latency(Latency),
    .UnitBits(StageBits), .Columns(Columns), .CycleBits(CycleBits)
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
    .steps_i({(RowBits+1){1'b0}}),
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
    .unit_o(host_stage),
    .column_o(host_column),
    .row_o(host_row),
    .packet_o(host_packet),
    .flit_o(host_flit),
    .wdata_o(host_wdata),
    .region_o(host_region),
    .table_rdata_i(table_rdata),
    .node_rdata_i(node_rdata[1])
  );

  wire unused = &{1'b0, single_port};

  // Network.

  wire [Ports*LaneBits-1:0] tx_lanes, rx_lanes;
  wire                      rx_fetch;
  wire [RowBits-1:0]        rx_row;
  wire [TagBits-1:0]        rx_tag, rx_tag_q;

  benes #(
    .Ports(Ports), .Pipe(Pipe), .Pad(Pad), .LaneBits(LaneBits), .Rows(Rows), .TagBits(TagBits)
  ) u_network (
    .clk_i,
    .ce_i(active | rst_i),
    .fetch_i(wave_fetch),
    .row_i(wave_row),
    .tag_i({tx_en, tx_last, tx_flit}),
    .fetch_o(rx_fetch),
    .row_o(rx_row),
    .tag_o(rx_tag),
    .lanes_i(tx_lanes),
    .lanes_o(rx_lanes),
    .host_strobe_i(host_we_table),
    .host_re_i(host_re),
    .host_stage_i(host_stage),
    .host_row_i(host_row),
    .host_column_i(host_column),
    .host_wdata_i(host_wdata),
    .host_rdata_o(table_rdata)
  );

  delay #(.Width(TagBits)) u_rx_tag (
    .clk_i, .ce_i(1'b1), .d_i(rx_tag & {TagBits{rx_open}}), .q_o(rx_tag_q)
  );

  wire                rx_en   = rx_tag_q[TagBits-1];
  wire                rx_last = rx_tag_q[TagBits-2];
  wire [FlitBits-1:0] rx_flit = rx_tag_q[FlitBits-1:0];

  delay #(.Width(1)) u_obs_strobe (.clk_i, .ce_i(1'b1), .d_i(rx_last), .q_o(obs_strobe_o));

  // Endpoints.

  wire               forward    = flits == (FlitBits+1)'(1) || row_cycles == CycleBits'(1);
  wire               same_flit  = rx_flit == tx_flit;
  wire               send_fetch = fetch | host_re;
  wire               recv_fetch = rx_fetch | host_re;
  wire [RowBits-1:0] send_row   = host_re ? host_row : row;
  wire [RowBits-1:0] recv_row   = host_re ? host_row : rx_row;

  for (genvar node = 0; node < Ports; node++) begin : g_node
    wire [31:0] obs;

    always_ff @(posedge clk_i) begin
      if (rx_last) obs_o[node*32 +: 32] <= obs;
    end

    endpoint #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Node(node), .NodeBits(NodeBits)
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
      .lane_o(tx_lanes[node*LaneBits +: LaneBits]),
      .rx_fetch_i(recv_fetch),
      .rx_row_i(recv_row),
      .rx_en_i(rx_en),
      .rx_flit_i(rx_flit),
      .lane_i(rx_lanes[node*LaneBits +: LaneBits]),
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
      .host_rdata_o(node_rdata[Ports+node])
    );
  end

  assign node_rdata[0] = '0;
  for (genvar k = 1; k < Ports; k++) begin : g_rdata
    assign node_rdata[k] = node_rdata[2*k] | node_rdata[2*k+1];
  end

endmodule

`default_nettype wire
