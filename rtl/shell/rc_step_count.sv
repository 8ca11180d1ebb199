// SPDX-License-Identifier: Apache-2.0
// rc_step_count: counts the steps of a run of routers: one more than the last row in which a packet
// moved.
//
//     cycle c      row_i       a row is on the wavefront
//     cycle c+1    leaves_i    a packet of that row leaves an endpoint
//     cycle c+2    moves_i     a packet of that row has left a router
//
// leaves_i and moves_i may follow a reset that occurs in between; then active_i is low.
`default_nettype none

module rc_step_count #(
  parameter int Nodes   = 2,
  parameter int RowBits = 1
) (
  input  wire               clk_i,
  input  wire               clear_i,
  input  wire               active_i,
  input  wire [RowBits-1:0] row_i,
  input  wire [Nodes-1:0]   leaves_i,                // of each endpoint
  input  wire               moves_i,
  output wire [RowBits:0]   steps_o
);

  wire [Nodes-1:0]    moves_q;
  logic [RowBits-1:0] row_q, row_q2;
  logic [RowBits:0]   steps_q;

  for (genvar node = 0; node < Nodes; node++) begin : g_node
    rc_delay #(.Width(1)) u_moves (
      .clk_i, .ce_i(1'b1), .d_i(leaves_i[node]), .q_o(moves_q[node])
    );
  end

  always_ff @(posedge clk_i) begin
    row_q  <= row_i;
    row_q2 <= row_q;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) steps_q <= '0;
    else if (active_i & (|moves_q | moves_i)) steps_q <= (RowBits+1)'(row_q2) + 1'b1;
  end

  assign steps_o = steps_q;

endmodule

`default_nettype wire
