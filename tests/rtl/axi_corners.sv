// SPDX-License-Identifier: Apache-2.0
// axi_corners: corner cases of AXI4-Lite, each by itself, on a machine in the wrapper for block
// designs; prints a line for each: its number, "ok" or "wrong", and what it is. bus_tb.sv has the
// random counterpart. tests/cli/bus_corners.sh counts the lines.
`default_nettype none

module axi_corners #(
  parameter int Slow = 1                             // factor of all waits, for a stalled machine
);

  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;
  // byte addresses, with fields of 26 bits; registers, and the packet memory of node 0
  localparam logic [31:0] Id = 0, RunRows = 8 * 4, Status = 11 * 4, RunFlits = 9 * 4,
      RunRowCycles = 10 * 4, State = 48 * 4, Enable = 49 * 4, Test = 50 * 4,
      Packet = 32'd4 << 28;

  logic        clk = 1'b0, rst_n = 1'b0;
  logic        awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0, bready = 1'b1, rready = 1'b1;
  logic [31:0] awaddr = '0, araddr = '0, wdata = '0;
  logic [3:0]  wstrb = '1;
  wire         awready, wready, arready, bvalid, rvalid, irq, busy, done, error;
  wire  [31:0] rdata;
  wire  [1:0]  bresp, rresp;

  always #5 clk = ~clk;

  rc_multistage_axi u_dut (
    .s_axi_aclk(clk), .s_axi_aresetn(rst_n), .s_axi_awaddr(awaddr), .s_axi_awprot(3'b0),
    .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb),
    .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_bresp(bresp), .s_axi_bvalid(bvalid),
    .s_axi_bready(bready), .s_axi_araddr(araddr), .s_axi_arprot(3'b0), .s_axi_arvalid(arvalid),
    .s_axi_arready(arready), .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid),
    .s_axi_rready(rready), .irq(irq), .busy(busy), .done(done), .error(error)
  );

  // Signals change at falling edges. A valid signal stays high until a rising edge with its ready.
  always @(posedge clk) begin
    if (awvalid && awready) awvalid <= #1 1'b0;
    if (wvalid && wready) wvalid <= #1 1'b0;
    if (arvalid && arready) arvalid <= #1 1'b0;
  end

  int          writes = 0;                           // write responses
  logic [1:0]  last_b, last_r;
  logic [31:0] last_data;
  always @(posedge clk) begin
    if (bvalid && bready) begin
      writes <= writes + 1;
      last_b <= bresp;
    end
    if (rvalid && rready) begin
      last_r    <= rresp;
      last_data <= rdata;
    end
  end

  task automatic cycles(input int count);
    repeat (Slow * count) @(negedge clk);
  endtask

  task automatic put(input logic [31:0] at, input logic [31:0] data);
    {awvalid, wvalid, awaddr, wdata} = {2'b11, at, data};
    @(posedge clk);
    while (!(bvalid && bready)) @(posedge clk);
    @(negedge clk);
  endtask

  task automatic get(input logic [31:0] at);
    {arvalid, araddr} = {1'b1, at};
    @(posedge clk);
    while (!(rvalid && rready)) @(posedge clk);
    @(negedge clk);
  endtask

  int number = 0;
  task automatic report(input logic right, input [8*64-1:0] what);
    number = number + 1;
    $display("%0d %0s %0s", number, right ? "ok" : "wrong", what);
  endtask

  task automatic is_word(input logic [31:0] at, input logic [31:0] data, input [8*64-1:0] what);
    get(at);
    report(last_r == Okay && last_data == data, what);
  endtask

  logic right;

  initial begin
    cycles(2);
    rst_n = 1'b1;
    while (busy) cycles(1);
    is_word(Id, 32'h526e6402, "a read");

    {wvalid, wdata} = {1'b1, 32'd5};                 // data before the address
    cycles(6);
    right = wvalid && writes == 0;
    {awvalid, awaddr} = {1'b1, RunRows};
    cycles(8);
    right = right && writes == 1;
    get(RunRows);
    report(right && last_data == 5, "write data before the address");

    {awvalid, awaddr} = {1'b1, RunRows};             // the address before data
    cycles(6);
    right = awvalid && writes == 1;
    {wvalid, wdata} = {1'b1, 32'd6};
    cycles(8);
    right = right && writes == 2;
    get(RunRows);
    report(right && last_data == 6, "write address before the data");

    {awvalid, wvalid, arvalid} = 3'b111;             // both at once
    {awaddr, wdata, araddr} = {RunFlits, 32'd4, RunRows};
    cycles(20);
    right = writes == 3 && last_r == Okay && last_data == 6;
    get(RunFlits);
    report(right && last_data == 4, "a write and a read at the same time");

    bready = 1'b0;                                   // a write response that waits
    {awvalid, wvalid, awaddr, wdata} = {2'b11, RunRows, 32'd7};
    cycles(12);
    {awvalid, wvalid, wdata} = {2'b11, 32'd8};
    right = bvalid && bresp == Okay;
    cycles(8);
    right = right && bvalid && awvalid && wvalid && writes == 3;
    bready = 1'b1;
    cycles(16);
    get(RunRows);
    report(right && writes == 5 && last_data == 8, "a write response that is held");

    rready = 1'b0;                                   // a read response that waits
    {arvalid, araddr} = {1'b1, RunRows};
    cycles(12);
    right = rvalid && rdata == 8;
    {arvalid, araddr} = {1'b1, Id};
    cycles(8);
    right = right && rvalid && rdata == 8 && arvalid;
    rready = 1'b1;
    cycles(16);
    report(right && last_data == 32'h526e6402, "a read response that is held");

    wstrb = 4'b0000;
    put(RunRows, 32'd9);
    right = last_b == Okay;
    wstrb = '1;
    get(RunRows);
    report(right && last_data == 8, "a write without strobes");

    wstrb = 4'b0011;
    put(RunRows, 32'd9);
    right = last_b == SlvErr;
    wstrb = '1;
    get(RunRows);
    report(right && last_data == 8, "a write of two bytes is answered with an error");

    put(RunRows + 3, 32'd1);
    is_word(RunRows + 1, 32'd1, "an address that is not aligned");

    for (int k = 0; k < 8; k++) put(Packet + 4 * k, 32'h80000000 + k);
    right = 1'b1;
    for (int k = 0; k < 8; k++) begin
      get(Packet + 4 * k);
      right = right && last_data == 32'h80000000 + k;
    end
    report(right, "accesses back to back");

    put(RunFlits, 32'd1);                            // a run of 1 row of 60 cycles
    put(RunRowCycles, 32'd60);
    put(Enable, 32'd1);
    put(Status, 32'd1);
    right = last_b == Okay;
    put(Packet, 32'd0);
    right = right && last_b == SlvErr;
    get(Packet);
    report(right && last_r == SlvErr, "a memory during a run is answered with an error");
    put(Status, 32'd1);
    right = last_b == SlvErr;
    put(Test, 32'd1);
    right = right && last_b == Okay && irq;
    put(State, 32'd1);
    report(right && last_b == Okay && !irq && busy, "interrupts are written during a run");
    while (!irq) cycles(1);
    report(done && !busy, "the run ends with an interrupt");

    {arvalid, araddr} = {1'b1, Id};                  // a reset while a response is due
    repeat (3) @(negedge clk);
    {rst_n, arvalid} = 2'b00;
    right = 1'b1;
    repeat (12) begin
      @(negedge clk);
      right = right && !rvalid && !bvalid;
      rst_n = 1'b1;
    end
    while (busy) cycles(1);
    get(RunRows);
    report(right && last_r == Okay && last_data == 0 && !irq, "a reset in the middle of an access");
    $finish(0);
  end

endmodule

`default_nettype wire
