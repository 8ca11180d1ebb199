// SPDX-License-Identifier: Apache-2.0
// bus_corners.svh: what the testbenches of corner cases of a bus share: a machine of 8 nodes, which
// is stalled in three of eight cycles at random if Stalls is 1, counters, and the cases of a run.
// The including module declares Stalls, word and wrong, connects a bus to the wires host_* and
// start, and has the tasks put(address, data) and get(address), which set word and wrong.

  localparam int FieldBits = 10;
  // word addresses {all nodes, region, field}: registers, and the packet memory of node 0
  localparam logic [13:0] Id = 0, RunRows = 8, RunFlits = 9, RunRowCycles = 10, Status = 11,
      State = 48, Enable = 49, Test = 50, Packet = 4 << FieldBits, Flags = 5 << FieldBits;

  logic        clk = 1'b0, rst = 1'b1, runs = 1'b1;
  wire         host_we, host_re, host_error, start, busy, done, irq, gated;
  wire  [31:0] host_addr, host_wdata, host_rdata;
  int          seed = 1;

  always #5 clk = ~clk;
  always @(posedge clk) #1 runs = Stalls == 0 || $unsigned($random(seed)) % 8 < 5;
  wire host_ready = runs || rst;                     // a reset is not stalled

  rc_clock_gate u_gate (.clk_i(clk), .en_i(host_ready), .clk_o(gated));

  rc_multistage_machine #(
    .Ports(8), .Width(16), .Packets(16), .Flits(8), .Rows(64), .FieldBits(FieldBits)
  ) u_machine (
    .clk_i(gated), .rst_i(rst), .host_we_i(host_we), .host_re_i(host_re), .host_addr_i(host_addr),
    .host_wdata_i(host_wdata), .host_rdata_o(host_rdata), .host_error_o(host_error),
    .start_i(start), .busy_o(busy), .run_o(), .done_o(done), .error_o(), .irq_o(irq),
    .obs_strobe_o(), .obs_o()
  );

  int accesses = 0;                                  // that the host port executes
  always @(posedge clk) if (host_ready && (host_we || host_re)) accesses <= accesses + 1;

  int number = 0;
  task automatic report(input logic right, input [8*64-1:0] what);
    number = number + 1;
    $display("%0d %0s %0s", number, right ? "ok" : "wrong", what);
  endtask

  logic right;

  task automatic run_cases;
    put(Flags, 32'hffffffff);
    right = !wrong;
    get(Flags);
    report(right && !wrong && word == 0, "a write to an address without a memory is ignored");
    put(RunRows, 32'd1);
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
    for (int k = 0; k < 400 && !irq; k++) @(negedge clk);
    report(irq && done && !busy, "the run ends with an interrupt");
  endtask
