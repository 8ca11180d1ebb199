// SPDX-License-Identifier: Apache-2.0
// stall_tb: a machine whose clock is gated at random is the same machine with cycles removed. TOP
// and PARAMETERS, "#(…)" or empty, select the machine; tests/cli/stall.sh runs it in a folder with
// image.writes.
//
// Two machines receive the same inputs, each at its own edges: a reset, the image, a run with
// accesses in every cycle, most of which are rejected, and a second start, reads of all regions, a
// second run that a reset of one cycle interrupts, and reads again. One has the free clock, the
// other a clock that rc_clock_gate stops in three of eight cycles at random. All outputs before an
// edge must be equal.
`default_nettype none

module stall_tb #(
  parameter int Ports = 8,
  parameter int Seed  = 1,
  parameter int Cycles = 6000                        // edges of each machine
);

  localparam int InBits = 68, OutBits = 39 + Ports * 32;

  logic [InBits-1:0]  stimulus [Cycles+1];           // {rst, start, we, re, address, data}
  logic [OutBits-1:0] seen [2][Cycles];

  logic clk = 1'b0, enable = 1'b1;
  wire  gated;
  int   seed = Seed, stalled = 0, packets = 0, differences = 0, filled, second;
  logic ready = 1'b0;                                // the stimulus is complete

  rc_clock_gate u_gate (.clk_i(clk), .en_i(enable), .clk_o(gated));

  always #5 clk = ~clk;

  // Synchronous logic would change the enable after the rising edge; it changes again before the
  // falling edge, which has no effect.
  always @(posedge clk) begin
    #1 enable = 1'b1;
    #1 enable = $unsigned($random(seed)) % 8 < 5;
    if (!enable && ready) stalled = stalled + 1;
  end

  // The gated clock rises together with the clock only.
  always @(posedge gated) if (ready && $time % 10 != 5) differences = differences + 1;

  for (genvar m = 0; m < 2; m++) begin : g_machine
    wire                clock = m == 0 ? clk : gated;
    logic [InBits-1:0]  in_q = {1'b1, {InBits-1{1'b0}}};  // reset
    wire  [OutBits-1:0] out;
    int                 cycle = 0;

    always @(posedge clock) if (ready && cycle < Cycles) begin
      seen[m][cycle] = out;
      cycle          = cycle + 1;
      in_q          <= stimulus[cycle];
    end

    `TOP `PARAMETERS u_machine (
      .clk_i(clock), .rst_i(in_q[67]), .start_i(in_q[66]), .host_we_i(in_q[65]),
      .host_re_i(in_q[64]), .host_addr_i(in_q[63:32]), .host_wdata_i(in_q[31:0]),
      .host_rdata_o(out[31:0]), .host_error_o(out[32]), .busy_o(out[33]), .run_o(out[34]),
      .done_o(out[35]), .error_o(out[36]), .irq_o(out[37]), .obs_strobe_o(out[38]),
      .obs_o(out[OutBits-1:39])
    );
  end

  logic [63:0] write [65536];

  task automatic add(input logic [3:0] control, input logic [63:0] access);
    if (filled <= Cycles) stimulus[filled] = {control, access};
    filled = filled + 1;
  endtask

  // A read of any register, or of a small field in any region of a node or of all.
  task automatic reads(input int count);
    for (int k = 0; k < count; k++)
      add(4'b0001, {1'b0, 3'($random(seed)), 20'b0, 8'($random(seed)), 32'b0});
  endtask

  initial begin
    $readmemh("image.writes", write);
    filled = 0;
    add(4'b1000, '0);
    for (int k = 0; k < 64; k++) add(4'b0000, '0);
    for (int k = 0; write[k] !== '1; k++) add(4'b0010, write[k]);
    add(4'b0100, '0);
    reads(4);
    add(4'b0100, '0);                                // is ignored
    reads(Cycles - filled - 400);
    second = filled;
    add(4'b0100, '0);
    reads(15);
    add(4'b1000, '0);
    reads(300);
    while (filled <= Cycles) add(4'b0000, '0);
    ready = 1'b1;
    wait (g_machine[0].cycle == Cycles && g_machine[1].cycle == Cycles);
    for (int k = 0; k < Cycles; k++) begin
      if (seen[0][k] !== seen[1][k]) differences = differences + 1;
      for (int node = 0; node < Ports; node++)
        if (k < second && seen[1][k][34] === 1'b1 && seen[1][k][38] === 1'b1
            && seen[1][k][70+node*32] === 1'b1) packets = packets + 1;
    end
    $display("seed %0d: %0d cycles, %0d stalled, %0d packets, %0d differences", Seed, Cycles,
             stalled, packets, differences);
    $finish(0);
  end

endmodule

`default_nettype wire
