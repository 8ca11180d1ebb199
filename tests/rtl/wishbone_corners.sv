// SPDX-License-Identifier: Apache-2.0
// wishbone_corners: corner cases of Wishbone, standard or pipelined, each by itself, on a machine;
// prints a line for each: its number, "ok" or "wrong", and what it is. tests/cli/bus_corners.sh
// counts the lines.
`default_nettype none

module wishbone_corners #(
  parameter int Pipelined = 0,
  parameter int Stalls = 0
);

  `include "bus_corners.svh"

  logic        cyc = 1'b0, stb = 1'b0, we = 1'b0;
  logic [13:0] adr = '0;
  logic [3:0]  sel = '1;
  logic [31:0] wdata = '0;
  wire         ack, err, stall;
  wire  [31:0] rdata;

  rc_wishbone #(.Pipelined(Pipelined), .FieldBits(FieldBits)) u_bus (
    .clk_i(clk), .rst_i(rst), .cyc_i(cyc), .stb_i(stb), .we_i(we), .adr_i(adr), .sel_i(sel),
    .dat_i(wdata), .dat_o(rdata), .ack_o(ack), .err_o(err), .stall_o(stall),
    .host_we_o(host_we), .host_re_o(host_re), .host_addr_o(host_addr),
    .host_wdata_o(host_wdata), .host_rdata_i(host_rdata), .host_error_i(host_error),
    .host_ready_i(host_ready),
    .start_o(start)
  );

  int answers = 0;                                   // ack or err
  always @(posedge clk) if (ack || err) answers <= answers + 1;

  logic [31:0] word;
  logic        wrong;

  // An access; cyc stays high after it if `more`. A standard master holds stb until the answer.
  task automatic access(input logic writes, input logic [13:0] at, input logic [31:0] data,
                        input logic more);
    {cyc, stb, we, adr, wdata} = {2'b11, writes, at, data};
    while (stall) @(negedge clk);
    @(negedge clk);
    if (Pipelined != 0) stb = 1'b0;
    for (int k = 0; k < 80 && !ack && !err; k++) @(negedge clk);
    {word, wrong} = {rdata, err};
    @(negedge clk);
    {cyc, stb} = {more, 1'b0};
  endtask

  task automatic put(input logic [13:0] at, input logic [31:0] data);
    access(1'b1, at, data, 1'b0);
  endtask
  task automatic get(input logic [13:0] at);
    access(1'b0, at, '0, 1'b0);
  endtask

  initial begin
    @(negedge clk);
    rst = 1'b0;
    while (busy) @(negedge clk);
    get(Id);
    report(!wrong && word == 32'h526e6402, "a read");
    put(RunRows, 32'd5);
    right = !wrong;
    get(RunRows);
    report(right && word == 5 && accesses == 3 && answers == 3, "a write, executed once");
    stb = 1'b1;                                      // a strobe without cyc
    repeat (6) @(negedge clk);
    report(accesses == 3 && answers == 3, "a strobe outside a bus cycle");
    sel = 4'b0000;
    put(RunRows, 32'd6);
    right = !wrong;
    sel = '1;
    get(RunRows);
    report(right && word == 5, "a write of no bytes");
    sel = 4'b0001;
    put(RunRows, 32'd6);
    right = wrong;
    sel = '1;
    get(RunRows);
    report(right && !wrong && word == 5, "a write of a byte is answered with an error");
    for (int k = 0; k < 8; k++) access(1'b1, Packet + 14'(k), 32'h80000000 + k, 1'b1);
    right = 1'b1;
    for (int k = 0; k < 8; k++) begin
      access(1'b0, Packet + 14'(k), '0, k < 7);
      right = right && word == 32'h80000000 + k;
    end
    report(right && !stall, "accesses in one bus cycle");
    {cyc, stb, we, adr} = {3'b110, Id};              // a master that gives up
    repeat (2) @(negedge clk);
    {cyc, stb} = 2'b00;
    right = 1'b1;
    repeat (6) begin
      @(negedge clk);
      right = right && !ack && !err;
    end
    get(RunRows);
    report(right && word == 5, "a bus cycle that ends before the answer");
    run_cases();
    {cyc, stb, we, adr} = {3'b110, Id};              // a reset while an answer is due
    repeat (2) @(negedge clk);
    {rst, cyc, stb} = 3'b100;
    right = 1'b1;
    repeat (8) begin
      @(negedge clk);
      right = right && !ack && !err;
      rst = 1'b0;
    end
    while (busy) @(negedge clk);
    get(RunRows);
    report(right && !wrong && word == 0, "a reset in the middle of an access");
    $finish(0);
  end

endmodule

`default_nettype wire
