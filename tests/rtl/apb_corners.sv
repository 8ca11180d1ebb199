// SPDX-License-Identifier: Apache-2.0
// apb_corners: corner cases of APB4, each by itself, on a machine; prints a line for each: its
// number, "ok" or "wrong", and what it is. tests/cli/bus_corners.sh counts the lines.
`default_nettype none

module apb_corners #(
  parameter int Stalls = 0
);

  `include "bus_corners.svh"

  logic        psel = 1'b0, penable = 1'b0, pwrite = 1'b0;
  logic [15:0] paddr = '0;
  logic [3:0]  pstrb = '1;
  logic [31:0] pwdata = '0;
  wire         pready, pslverr;
  wire  [31:0] prdata;

  rc_apb #(.FieldBits(FieldBits)) u_bus (
    .clk_i(clk), .rst_ni(~rst), .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite),
    .paddr_i(paddr), .pprot_i(3'b0), .pstrb_i(pstrb), .pwdata_i(pwdata), .pready_o(pready),
    .prdata_o(prdata), .pslverr_o(pslverr), .host_we_o(host_we), .host_re_o(host_re),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rdata_i(host_rdata),
    .host_error_i(host_error), .host_ready_i(host_ready), .start_o(start)
  );

  logic [31:0] word;
  logic        wrong;
  int          took;

  // An access: setup for a cycle, unless `early`, then access until pready; psel stays high after
  // it if `more`. Signals change at falling edges.
  task automatic access(input logic writes, input logic [15:0] at, input logic [31:0] data,
                        input logic early, input logic more);
    {psel, penable, pwrite, paddr, pwdata} = {1'b1, early, writes, at, data};
    took = 0;
    if (!early) begin
      @(negedge clk);
      penable = 1'b1;
    end
    while (!pready && took < 80) begin
      took = took + 1;
      @(negedge clk);
    end
    {word, wrong} = {prdata, pslverr};
    @(negedge clk);
    {psel, penable} = {more, 1'b0};
  endtask

  task automatic put(input logic [13:0] at, input logic [31:0] data);
    access(1'b1, {at, 2'b00}, data, 1'b0, 1'b0);
  endtask
  task automatic get(input logic [13:0] at);
    access(1'b0, {at, 2'b00}, '0, 1'b0, 1'b0);
  endtask

  initial begin
    @(negedge clk);
    rst = 1'b0;
    while (busy) @(negedge clk);
    get(Id);
    report(!wrong && word == 32'h526e6402, "a read");
    put(RunRows, 32'd5);
    right = !wrong;
    get(RunRows);
    report(right && word == 5 && accesses == 3, "a write, which is executed once");
    access(1'b0, {RunRows, 2'b00}, '0, 1'b1, 1'b0);
    report(word == 5 && took < 80 && accesses == 4, "an access without a setup cycle");
    pstrb = 4'b0000;
    put(RunRows, 32'd6);
    right = !wrong;
    pstrb = '1;
    get(RunRows);
    report(right && word == 5, "a write without strobes");
    pstrb = 4'b1100;
    put(RunRows, 32'd6);
    right = wrong;
    pstrb = '1;
    get(RunRows);
    report(right && !wrong && word == 5, "a write of two bytes is answered with an error");
    access(1'b1, {RunRows, 2'b11}, 32'd1, 1'b0, 1'b0);
    access(1'b0, {RunRows, 2'b01}, '0, 1'b0, 1'b0);
    report(word == 1, "an address that is not aligned");
    for (int k = 0; k < 8; k++)
      access(1'b1, {Packet + 14'(k), 2'b00}, 32'h80000000 + k, 1'b0, 1'b1);
    right = 1'b1;
    for (int k = 0; k < 8; k++) begin
      access(1'b0, {Packet + 14'(k), 2'b00}, '0, 1'b0, k < 7);
      right = right && word == 32'h80000000 + k;
    end
    report(right, "accesses back to back");
    run_cases();
    {psel, pwrite, paddr} = {2'b10, Id, 2'b00};      // a reset while an answer is due
    @(negedge clk);
    penable = 1'b1;
    @(negedge clk);
    {rst, psel, penable} = 3'b100;
    right = 1'b1;
    repeat (8) begin
      @(negedge clk);
      right = right && !pready;
      rst = 1'b0;
    end
    while (busy) @(negedge clk);
    get(RunRows);
    report(right && !wrong && word == 0, "a reset in the middle of an access");
    $finish(0);
  end

endmodule

`default_nettype wire
