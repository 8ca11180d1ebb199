// SPDX-License-Identifier: Apache-2.0
// own_tb: a testbench written from docs/machine.md alone: it loads an image into its machine,
// starts it, waits, and reads back. For any simulator: pass this file, first the packages of rtl,
// then the rest of rtl, and +image=b/image.hex, as tests/cli/own_tb.sh does. It prints the cycles
// of the run, the number of completed packets, the number of endpoints with a flag, and the first
// flit of each packet of the last node.
`default_nettype none

module own_tb #(
  parameter int Ports   = 8,                      // as in the header of the image
  parameter int Width   = 16,
  parameter int Packets = 16,
  parameter int Flits   = 8,
  parameter int Rows    = 64
);

  logic        clk = 1'b0, rst = 1'b1, we = 1'b0, re = 1'b0, start = 1'b0;
  logic [31:0] addr = '0, wdata = '0;
  wire  [31:0] rdata;
  wire         busy, run, done, strobe;
  wire  [Ports*32-1:0] obs;

  rc_multistage_machine #(
    .Kind(0), .Ports(Ports), .Pipe(1), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)
  ) u_machine (
    .clk_i(clk), .rst_i(rst), .host_we_i(we), .host_re_i(re), .host_addr_i(addr),
    .host_wdata_i(wdata), .host_rdata_o(rdata), .host_error_o(), .start_i(start), .busy_o(busy),
    .run_o(run), .done_o(done), .error_o(), .irq_o(), .obs_strobe_o(strobe), .obs_o(obs)
  );

  always #5 clk = ~clk;

  // Inputs change at falling edges; the machine samples them at rising edges.
  task automatic write(input logic [31:0] to, input logic [31:0] word);
    we    = 1'b1;
    addr  = to;
    wdata = word;
    @(negedge clk);
    we = 1'b0;
  endtask

  task automatic read(input logic [31:0] from, output logic [31:0] word);
    re   = 1'b1;
    addr = from;
    @(negedge clk);
    re = 1'b0;
    repeat (2) @(negedge clk);                    // the word is valid after three cycles
    word = rdata;
  endtask

  // Loads an image: words of eight digits, addresses after @, comments after //.
  reg [8*1024-1:0] name, token, rest;
  logic [31:0]     at = '0, word;

  task automatic load(input integer file);
    while ($fscanf(file, " %s", token) == 1) begin
      if (token[15:0] == "//") begin
        if ($fgets(rest, file) == 0) $fatal(1, "cannot read the image");
      end else if ($sscanf(token, "@%h", at) != 1) begin
        if ($sscanf(token, "%h", word) == 1) write(at, word);
        at = at + 1;
      end
    end
  endtask

  int cycles = 0, completed = 0, flagged = 0;

  always @(negedge clk) begin
    if (run) begin
      cycles = cycles + 1;
      for (int node = 0; node < Ports; node++)
        if (strobe && obs[node*32+31]) completed = completed + 1;
    end
  end

  integer file;
  localparam int SlotBits = $clog2(Packets), FlitBits = $clog2(Flits);

  initial begin
    if ($value$plusargs("image=%s", name) == 0) $fatal(1, "no +image=FILE");
    file = $fopen(name, "r");
    if (file == 0) $fatal(1, "cannot open the image");
    @(negedge clk) rst = 1'b0;                    // reset, one cycle
    while (busy) @(negedge clk);
    load(file);
    @(negedge clk);
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    while (!done) @(negedge clk);
    for (int node = 0; node < Ports; node++) begin
      read(32'h50000000 | node, word);
      if (word != 0) flagged = flagged + 1;
    end
    $display("%0d cycles, %0d packets completed, %0d flags", cycles, completed, flagged);
    for (int slot = 0; slot < Packets; slot++) begin
      read(32'h40000000 | ((Ports - 1) << (SlotBits + FlitBits)) | (slot << FlitBits), word);
      if (word[31]) $display("slot %0d: %h", slot, word[30:0]);
    end
    $finish(0);
  end

endmodule

`default_nettype wire
