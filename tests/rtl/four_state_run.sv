// SPDX-License-Identifier: Apache-2.0
// four_state_run: a run in a four-state simulator, where uninitialised values are unknown, not 0 as
// in Verilator. MACHINE is the module with its parameters; tests/cli/four_state_run.sh provides
// images for machines of all kinds, as lines of address and word (+writes=FILE, Writes of them).
//
// From the end of the reset on, every output must be known in each cycle: the observation when its
// strobe is high, the read word when one is due. Prints the cycles of the run, the number of
// completed packets, the number of flags set afterwards, and how often an output was unknown.
`default_nettype none

module four_state_run #(
  parameter int Writes    = 1,
  parameter int Endpoints = 1,
  parameter int Routers   = 0,
  parameter int Limit     = 100000                   // largest number of cycles of a run
);

  logic        clk = 1'b0, rst = 1'b1, we = 1'b0, re = 1'b0, start = 1'b0;
  logic [31:0] addr = '0, wdata = '0;
  wire  [31:0] rdata;
  wire         busy, error, run, done, strobe;
  wire  [Endpoints*32-1:0] obs;

  `MACHINE u_machine (
    .clk_i(clk), .rst_i(rst), .host_we_i(we), .host_re_i(re), .host_addr_i(addr),
    .host_wdata_i(wdata), .host_rdata_o(rdata), .host_error_o(error), .start_i(start),
    .busy_o(busy), .run_o(run), .done_o(done), .error_o(), .irq_o(),
    .obs_strobe_o(strobe), .obs_o(obs)
  );

  always #5 clk = ~clk;

  logic awake = 1'b0;                                // the extension of the reset has ended
  int   cycles = 0, completed = 0, flags = 0, unknown = 0;
  logic [2:0] due = '0;                              // reads of one to three cycles ago

  always @(posedge clk) due <= {due[1:0], re};

  always @(negedge clk) begin
    if (!rst) begin
      if (busy === 1'bx || (awake && (^{error, run, done, strobe}) === 1'bx))
        unknown = unknown + 1;
      if (run === 1'b1) cycles = cycles + 1;
      if (run === 1'b1 && strobe === 1'b1) begin
        if ((^obs) === 1'bx) unknown = unknown + 1;
        for (int endpoint = 0; endpoint < Endpoints; endpoint++)
          if (obs[endpoint*32+31] === 1'b1) completed = completed + 1;
      end
      if (due[2]) begin
        if ((^rdata) === 1'bx) unknown = unknown + 1;
        if (rdata !== '0) flags = flags + 1;
      end
    end
  end

  reg [63:0]       writes [0:Writes-1];
  reg [8*1024-1:0] name;

  // Reads the flags of `count` banks of a region in consecutive cycles.
  task automatic read_flags(input logic [2:0] region, input int count);
    for (int bank = 0; bank < count; bank++) begin
      re   = 1'b1;
      addr = rc_address_map::address(region, 28'(bank));
      @(negedge clk);
    end
    re = 1'b0;
    repeat (4) @(negedge clk);
  endtask

  int reset_after;

  // Resets the machine for one cycle and writes the words of the image.
  task automatic load();
    rst = 1'b1;
    @(negedge clk) rst = 1'b0;                       // reset, one cycle
    while (busy !== 1'b0) @(negedge clk);
    awake = 1'b1;
    we  = 1'b1;
    for (int k = 0; k < Writes; k++) begin
      {addr, wdata} = writes[k];
      @(negedge clk);
    end
    we = 1'b0;
  endtask

  initial begin
    if ($value$plusargs("writes=%s", name) == 0) $fatal(1, "no +writes=FILE");
    $readmemh(name, writes);
    load();
    if ($value$plusargs("reset=%d", reset_after)) begin  // first, a run that a reset ends
      @(negedge clk) start = 1'b1;
      @(negedge clk) start = 1'b0;
      repeat (reset_after) @(negedge clk);
      load();
    end
    @(negedge clk);
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    {cycles, completed} = '0;
    for (int waited = 0; waited < Limit && done !== 1'b1; waited++) @(negedge clk);
    read_flags(3'(rc_address_map::Flags), Endpoints);
    read_flags(3'(rc_address_map::RouterFlags), Routers);
    $display("%0d cycles, %0d completed, %0d flags, %0d unknown", cycles, completed, flags,
             unknown);
    $finish(0);
  end

endmodule

`default_nettype wire
