// SPDX-License-Identifier: Apache-2.0
// bus_driver_top: a machine of four ports behind one of five buses, for bus_driver.cc.
//
// bus_i selects the bus: 0 Wishbone, 1 pipelined Wishbone, 2 AXI4-Lite, 3 APB, 4 UART. It may
// change between accesses. A master for each bus executes the access of req_i, which stays high
// until done_o; word_o and refused_o are valid with done_o.
`default_nettype none

module bus_driver_top #(
  parameter int Width = 33
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire  [2:0]  bus_i,
  input  wire         req_i,
  input  wire         we_i,
  input  wire  [31:0] addr_i,
  input  wire  [31:0] wdata_i,
  output logic        done_o,
  output logic [31:0] word_o,
  output logic        refused_o,
  output wire         irq_o,
  output wire         busy_o
);

  localparam int Ports = 4, Packets = 16, Flits = 8, Rows = 64, Buses = 5;
  localparam int FieldBits = 2 + 4 + 3 + rc_address_map::part_bits(Width);
  localparam int AddrBits  = FieldBits + 4;

  wire  [31:0] rdata;
  wire         error, reset;                         // reset: from the UART
  logic        host_we, host_re, start;
  logic [31:0] host_addr, host_wdata;

  rc_multistage_machine #(
    .Ports(Ports), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)
  ) u_machine (
    .clk_i, .rst_i(rst_i | reset), .host_we_i(host_we), .host_re_i(host_re),
    .host_addr_i(host_addr), .host_wdata_i(host_wdata), .host_rdata_o(rdata),
    .host_error_o(error), .start_i(start), .busy_o, .run_o(), .done_o(), .error_o(), .irq_o,
    .obs_strobe_o(), .obs_o()
  );

  // What the bridges drive, and their answers.
  wire  [Buses-1:0] we, re, starts, done, refused;
  wire  [31:0]      addr [Buses], wdata [Buses], word [Buses];
  wire  [AddrBits-1:0] bus_addr = {addr_i[31:28], addr_i[FieldBits-1:0]};

  always_comb begin
    host_we    = we[bus_i];
    host_re    = re[bus_i];
    host_addr  = addr[bus_i];
    host_wdata = wdata[bus_i];
    start      = starts[bus_i];
    done_o     = done[bus_i];
    refused_o  = refused[bus_i];
    word_o     = word[bus_i];
  end

  logic [15:0] age_q;                                // of the access, in cycles
  always_ff @(posedge clk_i) age_q <= req_i && !done_o && !rst_i ? age_q + 1'b1 : '0;

  for (genvar pipelined = 0; pipelined < 2; pipelined++) begin : g_wishbone
    wire ack, err;
    wire asks = req_i && bus_i == pipelined;

    rc_wishbone #(.Pipelined(pipelined), .FieldBits(FieldBits)) u_bus (
      .clk_i, .rst_i, .cyc_i(asks), .stb_i(asks && (pipelined == 0 || age_q == '0)), .we_i,
      .adr_i(bus_addr), .sel_i('1), .dat_i(wdata_i), .dat_o(word[pipelined]), .ack_o(ack),
      .err_o(err), .stall_o(), .host_we_o(we[pipelined]), .host_re_o(re[pipelined]),
      .host_addr_o(addr[pipelined]), .host_wdata_o(wdata[pipelined]), .host_rdata_i(rdata),
      .host_error_i(error), .host_ready_i(1'b1), .start_o(starts[pipelined])
    );

    assign done[pipelined]    = ack | err;
    assign refused[pipelined] = err;
  end

  // AXI4-Lite: the address and the word of a write are offered until both are accepted.

  wire       asks_axi = req_i && bus_i == 3'd2;
  wire       awready, wready, arready, bvalid, rvalid;
  wire [1:0] bresp, rresp;
  logic      aw_q, w_q, ar_q;                        // accepted

  always_ff @(posedge clk_i) begin
    if (!asks_axi || done[2] || rst_i) {aw_q, w_q, ar_q} <= '0;
    else {aw_q, w_q, ar_q} <= {aw_q | awready, w_q | wready, ar_q | arready};
  end

  rc_axi_lite #(.FieldBits(FieldBits)) u_axi (
    .clk_i, .rst_ni(~rst_i), .awvalid_i(asks_axi && we_i && !aw_q), .awready_o(awready),
    .awaddr_i({bus_addr, 2'b00}), .awprot_i('0), .wvalid_i(asks_axi && we_i && !w_q),
    .wready_o(wready), .wdata_i, .wstrb_i('1), .bvalid_o(bvalid), .bready_i(1'b1),
    .bresp_o(bresp), .arvalid_i(asks_axi && !we_i && !ar_q), .arready_o(arready),
    .araddr_i({bus_addr, 2'b00}), .arprot_i('0), .rvalid_o(rvalid), .rready_i(1'b1),
    .rdata_o(word[2]), .rresp_o(rresp), .host_we_o(we[2]), .host_re_o(re[2]),
    .host_addr_o(addr[2]), .host_wdata_o(wdata[2]), .host_rdata_i(rdata), .host_error_i(error),
    .host_ready_i(1'b1), .start_o(starts[2])
  );

  assign done[2]    = bvalid | rvalid;
  assign refused[2] = bvalid ? bresp != '0 : rresp != '0;

  rc_apb #(.FieldBits(FieldBits)) u_apb (
    .clk_i, .rst_ni(~rst_i), .psel_i(req_i && bus_i == 3'd3),
    .penable_i(req_i && age_q != '0), .pwrite_i(we_i), .paddr_i({bus_addr, 2'b00}), .pprot_i('0),
    .pstrb_i('1), .pwdata_i(wdata_i), .pready_o(done[3]), .prdata_o(word[3]),
    .pslverr_o(refused[3]), .host_we_o(we[3]), .host_re_o(re[3]), .host_addr_o(addr[3]),
    .host_wdata_o(wdata[3]), .host_rdata_i(rdata), .host_error_i(error), .host_ready_i(1'b1),
    .start_o(starts[3])
  );

  // UART: sends a frame of ten bytes and receives an answer of six (docs/board.md). A byte on the
  // line is a start bit, 8 data bits and a stop bit, of Divider cycles each.

  localparam int Divider = 8;

  wire         asks_uart = req_i && bus_i == 3'd4 && !done[4];
  wire         tx;
  logic [99:0] line_q;                               // bits to send, the next one in the lowest bit
  logic [10:0] sent_q;                               // cycles of the frame
  logic [47:0] answer_q;                             // bytes received, the first one lowest
  logic [2:0]  bytes_q;
  logic [7:0]  heard_q;                              // cycles of a byte that is received; 0: none
  logic [7:0]  byte_q;

  // The remainder of the bytes by x^8 + x^2 + x + 1, from 255.
  function automatic logic [7:0] remainder(input logic [71:0] bytes);
    remainder = 8'hff;
    for (int k = 0; k < 9; k++)
      for (int b = 7; b >= 0; b--)
        remainder = {remainder[6:0], 1'b0} ^ (remainder[7] ^ bytes[8*k+b] ? 8'h07 : 8'h00);
  endfunction

  wire [71:0] frame = {wdata_i, addr_i, we_i ? 8'h57 : 8'h52};  // "W", "R"
  wire [79:0] checked = {remainder(frame), frame};
  wire [99:0] on_line;
  for (genvar k = 0; k < 10; k++) begin : g_byte
    assign on_line[10*k +: 10] = {1'b1, checked[8*k +: 8], 1'b0};
  end

  always_ff @(posedge clk_i) begin
    if (!asks_uart || rst_i) begin
      {line_q, sent_q, bytes_q, heard_q} <= {100'h1, 11'd0, 3'd0, 8'd0};
    end else begin
      if (sent_q == '0) line_q <= on_line;
      else if (sent_q % Divider == '0) line_q <= {1'b1, line_q[99:1]};
      if (sent_q != 11'd1000) sent_q <= sent_q + 1'b1;
      // a bit is sampled in its middle: bit k of a byte in cycle Divider * (k + 1) + Divider / 2
      if (heard_q == '0) heard_q <= 8'(!tx);
      else heard_q <= heard_q == 8'(Divider * 9 + Divider / 2) ? '0 : heard_q + 1'b1;
      if (heard_q > 8'(Divider) && heard_q < 8'(Divider * 9) && heard_q % Divider == Divider / 2)
        byte_q <= {tx, byte_q[7:1]};
      if (heard_q == 8'(Divider * 9 + Divider / 2)) begin
        answer_q <= {byte_q, answer_q[47:8]};
        bytes_q  <= bytes_q + 1'b1;
      end
    end
  end

  rc_uart #(.Divider(Divider)) u_uart (
    .clk_i, .rst_i, .rx_i(line_q[0] | (sent_q == '0)), .tx_o(tx), .reset_o(reset),
    .host_we_o(we[4]), .host_re_o(re[4]), .host_addr_o(addr[4]), .host_wdata_o(wdata[4]),
    .host_rdata_i(rdata), .host_error_i(error), .start_o(starts[4])
  );

  assign done[4]    = bytes_q == 3'd6;
  assign refused[4] = answer_q[7:0] != 8'h4b;        // "K"
  assign word[4]    = answer_q[39:8];

endmodule

`default_nettype wire
