// SPDX-License-Identifier: Apache-2.0
// init_tb: runs a machine with initial contents from files (route --image mem) and the same machine
// loaded by the host (--image writes) in lockstep, and compares them. TOP and PARAMETERS select the
// machine. tests/cli/init.sh runs it in the folder of the image.
//
// Both machines are started in the same cycle and, with Again, reset during the run and started
// again; the host loads one of them before each start and never loads the other. After the run it
// reads the words of both that it has written, or would have written, to the nodes' packets.
`default_nettype none

module init_tb #(
  parameter int Ports = 8,
  parameter int Again = 1                 // 0: a run changes what the next one begins with
);

  logic        clk = 1'b0, rst = 1'b1, we = 1'b0, re = 1'b0, start = 1'b0;
  logic [31:0] addr = '0, wdata = '0;
  wire  [31:0] rdata, rdata_begun;
  wire         busy, run, done, strobe, run_begun, done_begun, strobe_begun;
  wire  [Ports*32-1:0] obs, obs_begun;

  `TOP #(`PARAMETERS) u_loaded (
    .clk_i(clk), .rst_i(rst), .host_we_i(we), .host_re_i(re), .host_addr_i(addr),
    .host_wdata_i(wdata), .host_rdata_o(rdata), .host_error_o(), .start_i(start), .busy_o(busy),
    .run_o(run), .done_o(done), .error_o(), .irq_o(), .obs_strobe_o(strobe), .obs_o(obs)
  );

  `TOP #(`PARAMETERS, .Init("./")) u_begun (
    .clk_i(clk), .rst_i(rst), .host_we_i(1'b0), .host_re_i(re), .host_addr_i(addr),
    .host_wdata_i(32'h0), .host_rdata_o(rdata_begun), .host_error_o(), .start_i(start), .busy_o(),
    .run_o(run_begun), .done_o(done_begun), .error_o(), .irq_o(),
    .obs_strobe_o(strobe_begun), .obs_o(obs_begun)
  );

  always #5 clk = ~clk;

  int cycles = 0, completed = 0, held = 0, differences = 0;
  always @(posedge clk) if (!rst) begin
    if ({run, done, run && strobe} !== {run_begun, done_begun, run_begun && strobe_begun})
      differences = differences + 1;
    if (run) begin
      cycles = cycles + 1;
      if (strobe && obs !== obs_begun) differences = differences + 1;
      for (int node = 0; node < Ports; node++)
        if (strobe && obs_begun[node*32+31]) completed = completed + 1;
    end
  end

  logic [63:0] write [65536];

  task automatic load_and_start;
    rst = 1'b1;
    @(negedge clk) rst = 1'b0;
    while (busy) @(negedge clk);
    for (int k = 0; write[k] != '1; k++) begin
      we            = 1'b1;
      {addr, wdata} = write[k];
      @(negedge clk);
    end
    we = 1'b0;
    @(negedge clk);
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
  endtask

  // Reads each word of a packet that the image has, that of node 0 if it is written to all nodes,
  // and counts those that are held.
  task automatic compare_packets;
    for (int k = 0; write[k] != '1; k++)
      if (write[k][62:60] == 3'd4 && write[k][31]) begin
        re   = 1'b1;
        addr = {1'b0, write[k][62:32]};
        @(negedge clk);
        re = 1'b0;
        repeat (8) @(negedge clk);
        if (rdata[31]) held = held + 1;
        if (rdata !== rdata_begun) differences = differences + 1;
      end
  endtask

  initial begin
    $readmemh("image.writes", write);
    load_and_start();
    if (Again != 0) begin
      repeat (12) @(negedge clk);
      load_and_start();
    end
    while (!(done && done_begun) && cycles < 100000) @(negedge clk);
    compare_packets();
    $display("%0d cycles, %0d packets completed, %0d words held, %0d differences", cycles,
             completed, held, differences);
    $finish(0);
  end

endmodule

`default_nettype wire
