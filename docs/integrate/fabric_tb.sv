// SPDX-License-Identifier: Apache-2.0
// fabric_tb: a machine, and a fabric with the endpoints of the machine outside, receive the same
// accesses: image.writes, a run, and reads of every word of the endpoints. All outputs must be
// equal in every cycle. docs/integrate.md shows how to generate image.writes.
module fabric_tb;
  parameter Ports = 8, Packets = 16, Flits = 8, Rows = 64, Width = 16;  // from the image
  parameter bit Faulty = 0;                          // 1: an endpoint does not receive strobes

  localparam int NodeBits = $clog2(Ports), RowBits = $clog2(Rows), FlitBits = $clog2(Flits);
  localparam int PacketBits = $clog2(Packets), LaneBits = Width + 1;
  localparam int WriteBits = PacketBits + 2;

  logic clk = 0, rst = 1, we = 0, re = 0, start = 0;
  logic [31:0] address = 0, data = 0;

  // outputs: {rdata, error, busy, run, done, error, irq, strobe, obs}
  wire [38+32*Ports:0] machine_outputs, fabric_outputs;

  rc_multistage_machine #(
    .Ports(Ports), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)
  ) machine (
    .clk_i(clk), .rst_i(rst), .host_we_i(we), .host_re_i(re), .host_addr_i(address),
    .host_wdata_i(data), .host_rdata_o(machine_outputs[31:0]), .host_error_o(machine_outputs[32]),
    .start_i(start), .busy_o(machine_outputs[33]), .run_o(machine_outputs[34]),
    .done_o(machine_outputs[35]), .error_o(machine_outputs[36]), .irq_o(machine_outputs[37]),
    .obs_strobe_o(machine_outputs[38]), .obs_o(machine_outputs[39 +: 32*Ports])
  );

  wire rst_endpoints, start_endpoints, clear, forward, same_flit, send_fetch, tx_en, recv_fetch;
  wire rx_en, rx_last, host_req, host_all, we_send, we_recv, we_packet;
  wire re_send, re_recv, re_packet, re_flags, re_memory;
  wire [RowBits-1:0] send_row, recv_row, host_row;
  wire [FlitBits-1:0] tx_flit, rx_flit, host_flit;
  wire [PacketBits-1:0] host_packet;
  wire [NodeBits-1:0] host_node;
  wire [31:0] host_data;
  wire [Ports*LaneBits-1:0] tx_lanes, rx_lanes;
  wire [Ports*3-1:0] flags;
  wire [Ports*32-1:0] words;
  wire [63:0] zero = '0;

  rc_multistage_fabric #(
    .Ports(Ports), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)
  ) fabric (
    .clk_i(clk), .rst_i(rst), .host_we_i(we), .host_re_i(re), .host_addr_i(address),
    .host_wdata_i(data), .host_rdata_o(fabric_outputs[31:0]), .host_error_o(fabric_outputs[32]),
    .start_i(start), .busy_o(fabric_outputs[33]), .run_o(fabric_outputs[34]),
    .done_o(fabric_outputs[35]), .error_o(fabric_outputs[36]), .irq_o(fabric_outputs[37]),
    .obs_strobe_o(fabric_outputs[38]), .obs_o(fabric_outputs[39 +: 32*Ports]),
    .rst_o(rst_endpoints), .start_o(start_endpoints), .clear_o(clear), .forward_o(forward),
    .same_flit_o(same_flit), .send_fetch_o(send_fetch), .send_row_o(send_row), .tx_en_o(tx_en),
    .tx_flit_o(tx_flit), .tx_lanes_i(tx_lanes), .recv_fetch_o(recv_fetch), .recv_row_o(recv_row),
    .rx_en_o(rx_en), .rx_last_o(rx_last), .rx_flit_o(rx_flit), .rx_lanes_o(rx_lanes),
    .flags_i(flags), .host_req_o(host_req), .host_all_o(host_all), .host_node_o(host_node),
    .host_we_send_o(we_send), .host_we_recv_o(we_recv), .host_we_packet_o(we_packet),
    .host_re_send_o(re_send), .host_re_recv_o(re_recv), .host_re_packet_o(re_packet),
    .host_re_flags_o(re_flags), .host_re_memory_o(re_memory), .host_row_o(host_row),
    .host_packet_o(host_packet), .host_flit_o(host_flit), .host_data_o(host_data), .words_i(words)
  );

  for (genvar node = 0; node < Ports; node++) begin : g_node
    localparam bit Deaf = Faulty && node == Ports - 1;
    wire [WriteBits-1:0] own;

    rc_endpoint #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Node(node),
      .NodeBits(NodeBits)
    ) endpoint (
      .clk_i(clk), .rst_i(rst_endpoints), .start_i(start_endpoints), .clear_i(clear),
      .forward_i(forward), .same_flit_i(same_flit), .send_fetch_i(send_fetch),
      .send_row_i(send_row), .tx_en_i(tx_en), .tx_flit_i(tx_flit),
      .lane_o(tx_lanes[node*LaneBits +: LaneBits]), .recv_fetch_i(recv_fetch),
      .recv_row_i(recv_row), .rx_en_i(rx_en && !Deaf),
      .rx_last_i(rx_last), .rx_flit_i(rx_flit), .lane_i(rx_lanes[node*LaneBits +: LaneBits]),
      .obs_o(words[node*32 +: 32]), .flags_o(flags[node*3 +: 3]), .host_req_i(host_req),
      .host_all_i(host_all), .host_node_i(host_node), .host_we_send_i(we_send),
      .host_we_recv_i(we_recv), .host_we_packet_i(we_packet), .host_re_send_i(re_send),
      .host_re_recv_i(re_recv), .host_re_packet_i(re_packet), .host_re_flags_i(re_flags),
      .host_re_memory_i(re_memory), .host_row_i(host_row), .host_packet_i(host_packet),
      .host_flit_i(host_flit), .host_data_i(host_data),
      // features that a fabric does not have
      .base_i(1'b0), .rx_base_i(1'b0),
      .excess_i(2'b0), .rx_excess_i(2'b0), .last_packet_i({PacketBits{1'b0}}),
      .recv_prefetch_i(1'b0),
      .packets_i(zero[PacketBits:0]), .lane_en_i(1'b0), .lane_flit_i(zero[FlitBits-1:0]),
      .operation_i(3'b0), .stream_i(1'b0), .row_begins_i(1'b0), .last_flit_i(zero[FlitBits-1:0]),
      .splits_i(zero[4*NodeBits+1:0]),
      .write_o(own), .writes_i(own), .lanes_i(rx_lanes[node*LaneBits +: LaneBits]),
      .list_i(zero[PacketBits+RowBits+1:0]), .count_o()
    );
  end

  always #5 clk = ~clk;

  integer cycles = 0, observed = 0, differ = 0;

  always @(negedge clk) if (!rst) begin
    cycles = cycles + 1;
    if (machine_outputs !== fabric_outputs) differ = differ + 1;
    if (machine_outputs[38] && machine_outputs[34]) observed = observed + 1;
  end

  // Inputs change after falling edges; the machine samples them at rising edges.
  reg [63:0] write [0:65535];                        // {address, data}; all ones end the list
  integer k, words_read;

  initial begin
    words_read = 0;
    $readmemh("image.writes", write);
    repeat (2) @(negedge clk);
    rst = 0;
    while (machine_outputs[33]) @(negedge clk);
    we = 1;
    for (k = 0; write[k] != {64{1'b1}}; k = k + 1) begin
      {address, data} = write[k];
      @(negedge clk);
    end
    we = 0;
    @(negedge clk) start = 1;
    @(negedge clk) start = 0;
    while (!machine_outputs[35]) @(negedge clk);
    // programs, packet memories and flags of all nodes
    re = 1;
    for (k = 0; k < Ports * Rows; k = k + 1) begin
      address = 32'h20000000 | k;
      @(negedge clk);
      address = 32'h30000000 | k;
      @(negedge clk) words_read = words_read + 2;
    end
    for (k = 0; k < Ports * Packets * Flits; k = k + 1) begin
      address = 32'h40000000 | k;
      @(negedge clk) words_read = words_read + 1;
    end
    for (k = 0; k < Ports; k = k + 1) begin
      address = 32'h50000000 | k;
      @(negedge clk) words_read = words_read + 1;
    end
    re = 0;
    repeat (8) @(negedge clk);
    $display("%0d cycles, %0d rows observed, %0d words read, %0d differences", cycles, observed,
             words_read, differ);
    $finish(0);
  end
endmodule
