// SPDX-License-Identifier: Apache-2.0
// run_cover: the kinds of runs for which a machine was started. Rows with barriers begin when the
// row before has arrived. Hops have only rows with barriers; so have computed programs, headers and
// reconfiguration.
`default_nettype none

module run_cover #(
  parameter int Latency  = 0,
  parameter int Flits    = 2,
  parameter int Hops     = 0,
  parameter int Headers  = 0,
  parameter int Computed = 0,
  parameter int Reconfig = 0
) (
  input wire                     clk_i,
  input wire                     rst_i,
  input wire                     start_i,
  input wire                     run_i,
  input wire [15:0]              row_cycles_i,
  input wire [$clog2(Flits):0]   flits_i,
  input wire                     single_port_i
);

  wire barriers = 32'(row_cycles_i) >= 32'(flits_i) + Latency;
  wire starts   = start_i && !rst_i;

  with_barriers: cover property (@(posedge clk_i) starts && barriers);
  all_flits: cover property (@(posedge clk_i) starts && 32'(flits_i) == Flits);
  reset_in_the_run: cover property (@(posedge clk_i) rst_i && run_i);
  if (Hops == 0 && Computed == 0 && Reconfig == 0 && Latency > 0) begin : g_no_barriers
    without_barriers: cover property (@(posedge clk_i) starts && !barriers);
  end
  if (Headers == 0) begin : g_one
    one_flit: cover property (@(posedge clk_i) starts && flits_i == 1);
  end
  if (Hops != 0) begin : g_ports
    single_port: cover property (@(posedge clk_i) starts && single_port_i);
    all_ports: cover property (@(posedge clk_i) starts && !single_port_i);
  end else begin : g_no_ports
    wire unused = &{1'b0, single_port_i};
  end

endmodule

`default_nettype wire
