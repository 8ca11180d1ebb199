// SPDX-License-Identifier: Apache-2.0
// stream_tb: a total exchange between AXI4-Stream ports: a fabric with rc_stream_endpoint at each
// port. A source per port always offers a word; a sink per port checks the words that arrive.
// docs/integrate.md shows how to generate exchange.writes and exchange.hex.
module stream_tb;
  parameter Ports = 8, Packets = 16, Flits = 8, Rows = 64, Width = 16;  // from the image
  parameter int Late = Ports;                        // a sink that is not always ready

  localparam int RowBits = $clog2(Rows), Copies = (Width + 15) / 16;

  logic clk = 0, rst = 1, we = 0, start = 0;
  logic [31:0] address = 0, data = 0;
  wire busy, done, error, clear, rst_endpoints, send_fetch, tx_en, recv_fetch, rx_en, rx_last;
  wire [RowBits-1:0] send_row, recv_row;
  wire [Ports*(Width+1)-1:0] tx_lanes, rx_lanes;
  wire [Ports*3-1:0] flags;
  wire [Ports*32-1:0] words = '0;                    // the endpoints have no memories

  rc_multistage_fabric #(
    .Ports(Ports), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)
  ) fabric (
    .clk_i(clk), .rst_i(rst), .host_we_i(we), .host_re_i(1'b0), .host_addr_i(address),
    .host_wdata_i(data), .host_rdata_o(), .host_error_o(), .start_i(start), .busy_o(busy),
    .run_o(), .done_o(done), .error_o(error), .irq_o(), .obs_strobe_o(), .obs_o(),
    .rst_o(rst_endpoints), .start_o(), .clear_o(clear), .forward_o(), .same_flit_o(),
    .send_fetch_o(send_fetch), .send_row_o(send_row), .tx_en_o(tx_en), .tx_flit_o(),
    .tx_lanes_i(tx_lanes), .recv_fetch_o(recv_fetch), .recv_row_o(recv_row), .rx_en_o(rx_en),
    .rx_last_o(rx_last), .rx_flit_o(), .rx_lanes_o(rx_lanes), .flags_i(flags), .host_req_o(),
    .host_all_o(), .host_node_o(), .host_we_send_o(), .host_we_recv_o(), .host_we_packet_o(),
    .host_re_send_o(), .host_re_recv_o(), .host_re_packet_o(), .host_re_flags_o(),
    .host_re_memory_o(), .host_row_o(), .host_packet_o(), .host_flit_o(), .host_data_o(),
    .words_i(words)
  );

  // The schedule: the receiver of each sender and the sender of each receiver in a row;
  // Ports: none.
  integer receiver [0:Rows*Ports-1], sender [0:Rows*Ports-1];
  logic [RowBits-1:0] sent_row, received_row;

  always @(posedge clk) begin
    if (send_fetch) sent_row <= send_row;
    if (recv_fetch) received_row <= recv_row;
  end

  // A word names its sender, its receiver and its row, in each 16 of its bits.
  function automatic logic [Width-1:0] word_of(input logic [3:0] from, to, input logic [7:0] row);
    word_of = Width'({Copies{from, to, row}});
  endfunction

  integer words_seen = 0, errors = 0, time_q = 0;

  always @(posedge clk) time_q <= time_q + 1;

  for (genvar port = 0; port < Ports; port++) begin : g_port
    localparam bit IsLate = port == Late;
    wire ready, valid, last;
    wire [Width-1:0] word;
    wire sends = receiver[sent_row*Ports+port] < Ports;
    wire receives = sender[received_row*Ports+port] < Ports;

    rc_stream_endpoint #(.Width(Width)) endpoint (
      .clk_i(clk), .rst_i(rst_endpoints), .clear_i(clear), .s_axis_tvalid_i(1'b1),
      .s_axis_tready_o(ready),
      .s_axis_tdata_i(word_of(4'(port), 4'(receiver[sent_row*Ports+port]), 8'(sent_row))),
      .m_axis_tvalid_o(valid), .m_axis_tready_i(!IsLate || time_q[0]), .m_axis_tdata_o(word),
      .m_axis_tlast_o(last), .send_i(sends), .tx_en_i(tx_en),
      .lane_o(tx_lanes[port*(Width+1) +: Width+1]), .recv_i(receives), .rx_en_i(rx_en),
      .rx_last_i(rx_last), .lane_i(rx_lanes[port*(Width+1) +: Width+1]),
      .flags_o(flags[port*3 +: 3])
    );

    always @(negedge clk) if (valid && (!IsLate || time_q[0])) begin
      words_seen = words_seen + 1;
      if (word !== word_of(4'(sender[word[7:0]*Ports+port]), 4'(port), word[7:0]))
        errors = errors + 1;
    end
  end

  always #5 clk = ~clk;

  reg [63:0] write [0:65535];                        // {address, data}; all ones end the list
  reg [23:0] transfer [0:65535];         // {row, sender, receiver}; all ones end the list
  integer k;

  initial begin
    for (k = 0; k < Rows * Ports; k = k + 1) begin
      receiver[k] = Ports;
      sender[k] = Ports;
    end
    $readmemh("exchange.hex", transfer);
    for (k = 0; transfer[k] != {24{1'b1}}; k = k + 1) begin
      receiver[transfer[k][23:16]*Ports+transfer[k][15:8]] = transfer[k][7:0];
      sender[transfer[k][23:16]*Ports+transfer[k][7:0]] = transfer[k][15:8];
    end
    $readmemh("exchange.writes", write);
    @(negedge clk) rst = 0;
    while (busy) @(negedge clk);
    we = 1;
    for (k = 0; write[k] != {64{1'b1}}; k = k + 1) begin
      {address, data} = write[k];
      @(negedge clk);
    end
    we = 0;
    @(negedge clk) start = 1;
    @(negedge clk) start = 0;
    while (!done) @(negedge clk);
    repeat (4) @(negedge clk);
    $display("%0d words, %0d errors, error_o %0d", words_seen, errors, error);
    $finish(0);
  end
endmodule
