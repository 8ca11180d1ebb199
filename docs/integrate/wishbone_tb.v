// SPDX-License-Identifier: Apache-2.0
// wishbone_tb: loads, starts, polls and reads back the machine of machine_tb over Wishbone only.
// docs/integrate.md shows how to generate image.writes.
module wishbone_tb;
  parameter Ports = 8, Packets = 16, Flits = 8, Rows = 64, Width = 16;
  parameter FieldBits = 10;                     // the widest field: node 3, slot 4, flit 3 bits

  reg clk, rst = 1, stb = 0, we = 0;
  reg [31:0] address = 0, data = 0;             // of the machine
  wire [31:0] word, host_addr, host_wdata, host_rdata;
  wire ack, err, host_we, host_re, host_error, start;

  rc_wishbone #(.Pipelined(0), .FieldBits(FieldBits)) bus (
    .clk_i(clk), .rst_i(rst), .cyc_i(stb), .stb_i(stb), .we_i(we),
    .adr_i({address[31:28], address[FieldBits-1:0]}), .sel_i(4'b1111), .dat_i(data), .dat_o(word),
    .ack_o(ack), .err_o(err), .stall_o(), .host_we_o(host_we), .host_re_o(host_re),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rdata_i(host_rdata),
    .host_error_i(host_error), .host_ready_i(1'b1), .start_o(start)
  );

  rc_multistage_machine #(
    .Kind(0), .Ports(Ports), .Pipe(1), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)
  ) machine (
    .clk_i(clk), .rst_i(rst), .host_we_i(host_we), .host_re_i(host_re), .host_addr_i(host_addr),
    .host_wdata_i(host_wdata), .host_rdata_o(host_rdata), .host_error_o(host_error),
    .start_i(start), .busy_o(), .run_o(), .done_o(), .error_o(), .irq_o(), .obs_strobe_o(), .obs_o()
  );

  initial clk = 0;
  always #5 clk = ~clk;

  integer k, node, held = 0, errors = 0;
  reg [31:0] answer;                            // the word of the last access
  task access(input writes, input [31:0] at, input [31:0] with_data);
    begin
      {stb, we, address, data} = {1'b1, writes, at, with_data};
      @(negedge clk);
      while (!ack && !err) @(negedge clk);
      if (err) errors = errors + 1;
      answer = word;
      stb = 0;
      @(negedge clk);
    end
  endtask

  reg [63:0] write [0:65535];                   // {address, data}; all ones end the list
  reg [31:0] sent;

  initial begin
    $readmemh("image.writes", write);
    @(negedge clk) rst = 0;
    answer = 1;
    while (answer[0]) access(0, 32'h0000000b, 0);  // until the reset has ended in the machine
    for (k = 0; write[k] != {64{1'b1}}; k = k + 1) access(1, write[k][63:32], write[k][31:0]);
    access(1, 32'h0000000b, 1);                 // the status register: start
    answer = 0;
    while (!answer[1]) access(0, 32'h0000000b, 0);
    // Each node must hold the first flit of slot 0 as node 0 sent it, and have no flag set.
    access(0, 32'h40000000, 0);
    sent = answer;
    for (node = 0; node < Ports; node = node + 1) begin
      access(0, 32'h40000000 | node * Packets * Flits, 0);
      if (answer[31] && answer == sent) held = held + 1;
      access(0, 32'h50000000 | node, 0);
      if (answer !== 0) errors = errors + 1;
    end
    $display("%0d nodes have the packet, %0d errors", held, errors);
    $finish(0);
  end
endmodule
