// SPDX-License-Identifier: Apache-2.0
// machine_tb: loads a machine, starts a run, and checks the cycle, the node and the packet of each
// arrival. docs/integrate.md shows how to generate image.writes and arrivals.hex.
module machine_tb;
  parameter Ports = 8, Packets = 16, Flits = 8, Rows = 64, Width = 16;  // from the image

  reg clk, rst = 1, we = 0, start = 0;
  reg [31:0] address = 0, data = 0;
  wire busy, run, done, strobe;
  wire [32*Ports-1:0] obs;

  rc_multistage_machine #(
    .Kind(0), .Ports(Ports), .Pipe(1), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)
  ) machine (
    .clk_i(clk), .rst_i(rst), .host_we_i(we), .host_re_i(1'b0), .host_addr_i(address),
    .host_wdata_i(data), .host_rdata_o(), .host_error_o(), .start_i(start), .busy_o(busy),
    .run_o(run), .done_o(done), .error_o(), .irq_o(), .obs_strobe_o(strobe), .obs_o(obs)
  );

  initial clk = 0;
  always #5 clk = ~clk;

  reg [63:0] write [0:65535];                   // {address, data}; all ones end the list
  reg [47:0] arrival [0:65535];                 // {cycle, node, slot}; all ones end the list
  integer k, node, cycle, arrivals, errors;

  // Inputs change at falling edges; the machine samples them at rising edges.
  initial begin
    cycle = 0; arrivals = 0; errors = 0;
    $readmemh("image.writes", write);
    $readmemh("arrivals.hex", arrival);
    @(negedge clk) rst = 0;                     // one cycle of reset, which the machine extends
    while (busy) @(negedge clk);
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

  // obs has 32 bits per node: {valid, missing, unexpected, not held, slot}.
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
