// SPDX-License-Identifier: Apache-2.0
// reset_properties: a reset of any length is extended by the number of cycles that empties the
// pipeline.
//
//  1. rst_o is high while rst_i is high, and for Cycles - 1 cycles after it; then it stays low
//     until the next reset.
//  2. extends_o is high in exactly the cycles before the Cycles - 1 cycles that follow rst_i.
//
// Assumed: nothing. Before the first reset the counter may have any value.
`default_nettype none

module reset_properties #(
  parameter int Cycles = 5
) (
  input  wire clk_i,
  input  wire rst_i,
  output wire cover_again_o
);

  wire rst, extends_next;

  rc_reset #(.Cycles(Cycles)) u_reset (.clk_i, .rst_i, .rst_o(rst), .extends_o(extends_next));

  // rst_i in the last Cycles - 1 cycles, and whether a reset has occurred.
  logic              reset_q = 1'b0;
  logic [Cycles-2:0] rst_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) reset_q <= 1'b1;
    rst_q <= (Cycles-1)'({rst_q, rst_i}) & {(Cycles-1){reset_q | rst_i}};
  end

  always_comb if (reset_q) begin
    held: assert (rst == (rst_i || rst_q != '0));
    one_cycle_earlier: assert (extends_next == (rst_i || rst_q[Cycles-3:0] != '0));
  end

  // Invariant for the induction: the counter contains the age of the last reset.
  (* hierconn *) wire [$clog2(Cycles)-1:0] \u_reset.count_q ;
`ifndef REFUTE
  always_comb if (reset_q) begin
    for (int age = 0; age < Cycles - 1; age++)
      if (rst_q[age] && (rst_q & ((Cycles-1)'(1) << age) - 1'b1) == '0)
        assert (32'( \u_reset.count_q ) == Cycles - 1 - age);
    if (rst_q == '0) assert ( \u_reset.count_q == '0);
  end
`endif

  assign cover_again_o = reset_q && rst_i && rst_q == '0;

endmodule

`default_nettype wire
