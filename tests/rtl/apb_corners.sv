// SPDX-License-Identifier: Apache-2.0
// apb_corners: corner cases of APB4, each by itself, on a machine; prints a line for each: its
// number, "ok" or "wrong", and what it is. tests/cli/bus_corners.sh counts the lines.
`default_nettype none

module apb_corners;

  localparam int FieldBits = 10;
  // word addresses {all nodes, region, field}: registers, and the packet memory of node 0
  localparam logic [13:0] Id = 0, RunRows = 8, RunFlits = 9, RunRowCycles = 10, Status = 11,
      State = 48, Enable = 49, Test = 50, Packet = 4 << FieldBits, Flags = 5 << FieldBits;

  logic        clk = 1'b0, rst = 1'b1, psel = 1'b0, penable = 1'b0, pwrite = 1'b0;
  logic [15:0] paddr = '0;
  logic [3:0]  pstrb = '1;
  logic [31:0] pwdata = '0;
  wire         pready, pslverr, host_we, host_re, host_error, start, busy, done, irq;
  wire  [31:0] prdata, host_addr, host_wdata, host_rdata;

  always #5 clk = ~clk;

  rc_apb #(.FieldBits(FieldBits)) u_bus (
    .clk_i(clk), .rst_ni(~rst), .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite),
    .paddr_i(paddr), .pprot_i(3'b0), .pstrb_i(pstrb), .pwdata_i(pwdata), .pready_o(pready),
    .prdata_o(prdata), .pslverr_o(pslverr), .host_we_o(host_we), .host_re_o(host_re),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rdata_i(host_rdata),
    .host_error_i(host_error), .start_o(start)
  );

  rc_multistage_machine #(
    .Ports(8), .Width(16), .Packets(16), .Flits(8), .Rows(64), .FieldBits(FieldBits)
  ) u_machine (
    .clk_i(clk), .rst_i(rst), .host_we_i(host_we), .host_re_i(host_re), .host_addr_i(host_addr),
    .host_wdata_i(host_wdata), .host_rdata_o(host_rdata), .host_error_o(host_error),
    .start_i(start), .busy_o(busy), .run_o(), .done_o(done), .error_o(), .irq_o(irq),
    .obs_strobe_o(), .obs_o()
  );

  int accesses = 0;                                  // that reach the host port
  always @(posedge clk) if (host_we || host_re) accesses <= accesses + 1;

  int number = 0;
  task automatic report(input logic right, input [8*64-1:0] what);
    number = number + 1;
    $display("%0d %0s %0s", number, right ? "ok" : "wrong", what);
  endtask

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
    while (!pready && took < 20) begin
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

  logic right;

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
    report(word == 5 && took < 20 && accesses == 4, "an access without a setup cycle");
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
    put(Flags, 32'hffffffff);
    right = !wrong;
    get(Flags);
    report(right && !wrong && word == 0, "a write to an address without a memory is ignored");
    put(RunFlits, 32'd1);                            // a run of 1 row of 60 cycles
    put(RunRowCycles, 32'd60);
    put(Enable, 32'd1);
    put(Status, 32'd1);
    right = !wrong;
    put(Packet, 32'd0);
    right = right && wrong;
    get(Packet);
    report(right && wrong, "a memory during a run is answered with an error");
    put(Status, 32'd1);
    report(wrong, "a second start is answered with an error");
    put(Test, 32'd1);
    right = !wrong && irq;
    put(State, 32'd1);
    report(right && !wrong && !irq && busy, "interrupts are written during a run");
    for (int k = 0; k < 200 && !irq; k++) @(negedge clk);
    report(irq && done && !busy, "the run ends with an interrupt");
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
