// SPDX-License-Identifier: Apache-2.0
// hx8k: a multistage machine with a serial line to its host, for an iCE40 HX8K breakout board
// (hx8k.pcf assigns the pins).
//
// While strobe_o is high, the pins of obs_o carry {valid, missing, unexpected, not held, packet} of
// each node, from the observation port.
`default_nettype none

module hx8k #(
  parameter int Ports   = 2,                         // this and the next: of the machine
  parameter int Pipe    = 1,
  parameter int Pad     = 0,
  parameter int Width   = 1,
  parameter int Packets = 2,
  parameter int Flits   = 2,
  parameter int Rows    = 2,
  parameter int Divider = 12,                        // cycles per bit of the serial line
  localparam int PinBits = 4 + $clog2(Packets)
) (
  input  wire                     clk_i,
  input  wire                     rx_i,
  output wire                     tx_o,
  output wire                     run_o,
  output wire                     done_o,
  output wire                     strobe_o,
  output wire [Ports*PinBits-1:0] obs_o
);

  // The registers of the FPGA are 0 after configuration, so the design is in reset for its first 64
  // cycles. The machine itself extends a reset from the host, which lasts one cycle.

  localparam int ResetBits = 7;

  logic [ResetBits-1:0] awake_q = '0;
  wire                  reset, we, re, start, error, busy;
  wire [31:0]           addr, wdata, rdata;
  wire [Ports*32-1:0]   obs;

  wire rst = ~awake_q[ResetBits-1];

  always_ff @(posedge clk_i) begin
    if (rst) awake_q <= awake_q + 1'b1;
  end

  rc_uart #(.Divider(Divider)) u_uart (
    .clk_i, .rst_i(rst), .rx_i, .tx_o, .reset_o(reset), .host_we_o(we), .host_re_o(re),
    .host_addr_o(addr), .host_wdata_o(wdata), .host_rdata_i(rdata), .host_error_i(error),
    .start_o(start)
  );

  rc_multistage_machine #(
    .Ports(Ports), .Pipe(Pipe), .Pad(Pad), .Width(Width), .Packets(Packets), .Flits(Flits),
    .Rows(Rows)
  ) u_machine (
    .clk_i, .rst_i(rst | reset), .host_we_i(we), .host_re_i(re), .host_addr_i(addr),
    .host_wdata_i(wdata), .host_rdata_o(rdata), .host_error_o(error), .start_i(start),
    .busy_o(busy), .run_o, .done_o, .error_o(), .irq_o(), .obs_strobe_o(strobe_o), .obs_o(obs)
  );

  wire unused_busy = &{1'b0, busy};

  for (genvar node = 0; node < Ports; node++) begin : g_node
    assign obs_o[node*PinBits +: PinBits] = {obs[node*32+28 +: 4], obs[node*32 +: PinBits-4]};
    wire unused = &{1'b0, obs[node*32+PinBits-4 +: 32-PinBits]};
  end

endmodule

`default_nettype wire
