// SPDX-License-Identifier: Apache-2.0
// four_state: a host that writes and reads all addresses of a machine in a four-state simulator.
// MACHINE is the module with its parameters; tests/cli/four_state.sh lists machines of all kinds.
//
// All words of all memories are written before any is read. Registers and flags were reset. Every
// bit that is read must therefore be 0 or 1, also for unimplemented banks, columns and regions.
// Prints the number of words read, the number of words with an unknown bit, and the first address
// of these.
`default_nettype none

module four_state #(
  parameter int Bits = 8                             // address bits below the region
);

  localparam int Table = 32'(rc_address_map::Table), Packet = 32'(rc_address_map::Packet);

  logic        clk = 1'b0, rst = 1'b1, we = 1'b0, re = 1'b0;
  logic [31:0] addr = '0, wdata = '0;
  wire  [31:0] rdata;
  wire         busy;

  `MACHINE u_machine (
    .clk_i(clk), .rst_i(rst), .host_we_i(we), .host_re_i(re), .host_addr_i(addr),
    .host_wdata_i(wdata), .host_rdata_o(rdata), .host_error_o(), .start_i(1'b0), .busy_o(busy),
    .run_o(), .done_o(), .error_o(), .irq_o(), .obs_strobe_o(), .obs_o()
  );

  always #5 clk = ~clk;

  logic [2:0]  due = '0;                         // reads of one to three cycles ago
  logic [31:0] asked [3];
  int          words = 0, unknown = 0;
  logic [31:0] first = '0;

  always @(posedge clk) begin
    due      <= {due[1:0], re};
    asked[0] <= addr;
    asked[1] <= asked[0];
    asked[2] <= asked[1];
  end

  always @(negedge clk) begin
    if (due[2]) begin
      words = words + 1;
      if ((^rdata) === 1'bx) begin
        if (unknown == 0) first = asked[2];
        unknown = unknown + 1;
      end
    end
  end

  initial begin
    @(negedge clk) rst = 1'b0;
    while (busy !== 1'b0) @(negedge clk);
    we  = 1'b1;
    for (int region = Table; region <= Packet; region++) begin
      for (int field = 0; field < 1 << Bits; field++) begin
        addr  = rc_address_map::address(3'(region), 28'(field));
        wdata = $random;
        @(negedge clk);
      end
    end
    we = 1'b0;
    re = 1'b1;
    for (int region = 0; region < 8; region++) begin
      for (int field = 0; field < 1 << Bits; field++) begin
        addr = rc_address_map::address(3'(region), 28'(field));
        @(negedge clk);
      end
    end
    re = 1'b0;
    repeat (4) @(negedge clk);
    $display("%0d words, %0d unknown, first %h", words, unknown, first);
    $finish(0);
  end

endmodule

`default_nettype wire
