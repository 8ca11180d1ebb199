// SPDX-License-Identifier: Apache-2.0
// machine_tb: loads a machine, starts it, waits, and checks each arrival: its cycle, its node
// and its packet. docs/integrate.md tells where image.writes and arrivals.hex come from.
module machine_tb;
  parameter Ports = 8, Packets = 16, Flits = 8, Rows = 64, Width = 16;  // of the image

  reg clk, rst = 1, we = 0, start = 0;
  reg [31:0] address = 0, data = 0;
  wire run, done, strobe;
  wire [32*Ports-1:0] obs;

  rc_multistage_machine #(
    .Kind(0), .Ports(Ports), .Pipe(1), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)
  ) machine (
    .clk_i(clk), .rst_i(rst), .host_we_i(we), .host_re_i(1'b0), .host_addr_i(address),
    .host_wdata_i(data), .host_rdata_o(), .start_i(start), .run_o(run), .done_o(done),
    .obs_strobe_o(strobe), .obs_o(obs)
  );

  initial clk = 0;
  always #5 clk = ~clk;

  reg [63:0] write [0:65535];                   // {address, data}, ones behind the last
  reg [47:0] arrival [0:65535];                 // {cycle, node, slot}, ones behind the last
  integer k, node, cycle, arrivals, errors;

  // What is applied at a falling edge the machine sees at the next rising one.
  initial begin
    cycle = 0; arrivals = 0; errors = 0;
    $readmemh("image.writes", write);
    $readmemh("arrivals.hex", arrival);
    repeat (64) @(negedge clk);                 // Latency + 3 cycles or more
    rst = 0;
    we  = 1;
    for (k = 0; write[k] != {64{1'b1}}; k = k + 1) begin
      {address, data} = write[k];
      @(negedge clk);
    end
    we = 0;
    @(negedge clk) start = 1;
    @(negedge clk) start = 0;
    while (!done) @(negedge clk);
    if (arrival[arrivals] !== {48{1'b1}}) errors = errors + 1;
    $display("%0d cycles, %0d arrivals, %0d errors", cycle, arrivals, errors);
    $finish(0);
  end

  // obs has 32 bits of a node: {valid, missing, unexpected, not held, slot}.
  always @(negedge clk) if (run) begin
    for (node = 0; node < Ports; node = node + 1) if (strobe) begin
      if (obs[32*node+28 +: 3] !== 0) errors = errors + 1;
      if (obs[32*node+31]) begin
        if (arrival[arrivals] !== {cycle[15:0], node[15:0], obs[32*node +: 16]})
          errors = errors + 1;
        arrivals = arrivals + 1;
      end
    end
    cycle = cycle + 1;
  end
endmodule
