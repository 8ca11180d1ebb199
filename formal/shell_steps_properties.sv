// SPDX-License-Identifier: Apache-2.0
// shell_steps_properties: the number of steps of a run of routers (register 13).
//
//  1. It is 0 after a reset, or after a start that is accepted. It becomes one more than the number
//     of a row in the cycle after one in which the machine is active and a packet moves, that is,
//     the routers report a packet, or a packet was on a lane from an endpoint one cycle before. The
//     row is that of the wavefront two cycles before. At the end of a run, the register therefore
//     contains one more than the last row in which a packet moved.
//
// For any accesses of the host and any movement of packets. host_port_properties.sv proves that the
// host reads this number.
`default_nettype none

module shell_steps_properties #(
  parameter int LaneBits = 2
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  start_i,
  input  wire                  host_we_i,
  input  wire                  host_re_i,
  input  wire [31:0]           host_addr_i,
  input  wire [31:0]           host_wdata_i,
  input  wire                  moves_i,
  input  wire [4:0]            wave_i,
  input  wire [2*LaneBits-1:0] lanes_i,
  output wire                  cover_steps_o,
  output wire                  cover_back_o
);

  wire                  rst, start;
  wire [4:0]            wave;                        // {fetch, row, tag}
  wire [2*LaneBits-1:0] lanes;

  // There are two nodes, packets, flits and rows.
  rc_shell #(.Hops(1)) u_shell (
    .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o(),
    .host_error_o(), .start_i, .busy_o(), .run_o(), .done_o(), .error_o(), .irq_o(),
    .obs_strobe_o(), .obs_o(),
    .rst_o(rst), .start_o(start), .ce_o(), .wave_o(wave),
    .tx_lanes_o(lanes), .wave_i, .rx_lanes_i(lanes_i), .phase_o(), .length_i('0), .step_o(),
    .moves_i, .finish_i(1'b0), .list_i('0), .count_o(), .operation_o(),
    .control_o(), .outside_i(1'b0), .host_o(), .table_rdata_i('0),
    .router_flags_i('0)
  );

  (* hierconn *) wire       \u_shell.active ;
  (* hierconn *) wire [1:0] \u_shell.steps ;

  logic [2:0] age_q = '0;
  wire        seen = age_q == '1;                    // rows and lanes of two cycles ago are known
  logic [1:0] row_q, steps_q;
  logic       leaves_q;
  always_ff @(posedge clk_i) begin
    age_q    <= {age_q[1:0], 1'b1};
    row_q    <= {row_q[0], wave[3]};
    leaves_q <= lanes[LaneBits-1] | lanes[2*LaneBits-1];
    if (rst || start) steps_q <= '0;
    else if ( \u_shell.active && (leaves_q || moves_i)) steps_q <= {1'b0, row_q[1]} + 2'd1;
  end
  always_comb if (!seen) assume (rst_i);
  always_comb if (seen) steps: assert ( \u_shell.steps == steps_q);

`ifndef REFUTE
  (* hierconn *) wire       \u_shell.g_steps.u_steps.row_q , \u_shell.g_steps.u_steps.row_q2 ;
  (* hierconn *) wire [1:0] \u_shell.g_steps.u_steps.moves_q ;
  always_comb if (seen) begin
    rows: assert ({ \u_shell.g_steps.u_steps.row_q2 , \u_shell.g_steps.u_steps.row_q } == row_q);
    moves: assert (| \u_shell.g_steps.u_steps.moves_q == leaves_q);
  end
`endif

  assign cover_steps_o = seen && \u_shell.steps == 2'd2 && ! \u_shell.active ;
  assign cover_back_o  = seen && \u_shell.steps == 2'd1 && leaves_q;

endmodule

`default_nettype wire
