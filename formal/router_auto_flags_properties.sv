// SPDX-License-Identifier: Apache-2.0
// router_auto_flags_properties: the flags of a self-timed router, and the word that the host reads.
//
//  1. `not held` is set three cycles after a tx_en in which an output was selected to send and then
//     sent nothing, and for no other reason; it stays until the next start.
//  2. `overflow` is set after the cycle in which one of its three causes is detected, and stays
//     until the next start. router_auto_rows_properties.sv proves when the causes are detected.
//  3. From the cycle after a read until the next read, the word for the host is {overflow, 0, not
//     held} if this router was addressed and flags are requested, else 0.
//
// Arrivals, fetches and sending may occur in any cycles. The first cycle is a reset.
`default_nettype none

module router_auto_flags_properties #(
  parameter int Children = 2,
  parameter int Ports    = Children + 1,             // the last leads to the parent
  parameter int Width    = 3,
  parameter int Rows     = 2,
  parameter int LaneBits = Width + 1,
  parameter int StepBits = rc_shell_bus::step_bits(2, Rows),
  parameter int HostBits = rc_shell_bus::host_bits(1, 1, Rows)
) (
  input  wire                      clk_i,
  input  wire                      start_i,
  input  wire [StepBits-1:0]       step_i,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  input  wire [HostBits-1:0]       host_i,
  output wire                      cover_both_o,
  output wire                      cover_lacks_o
);

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;

  wire                      number = $anyconst;
  wire [Ports*LaneBits-1:0] lanes;
  wire [31:0]               rdata;

  rc_router_auto #(
    .Children(Children), .ParentLanes(1), .Depth(2), .Queue(2), .Width(Width), .Rows(Rows),
    .NodeBits(2)
  ) u_router (
    .clk_i, .rst_i(!running_q), .start_i, .first_leaf_i(2'd0), .number_i(number), .step_i, .lanes_i,
    .lanes_o(lanes), .host_i, .host_rdata_o(rdata)
  );

  // Internal wires of the router.
  (* hierconn *) wire [Ports-1:0] \u_router.send_valid ;
  (* hierconn *) wire [Ports-1:0] \u_router.full_q , \u_router.late_q , \u_router.short_q ;

  wire single_port, forward, send_fetch, send_row, tx_en, tx_flit, rx_en, rx_last, rx_flit;
  assign {single_port, forward, send_fetch, send_row, tx_en, tx_flit, rx_en, rx_last, rx_flit} =
      step_i;
  wire        we_table, re_memory, flags, bank, column, row;
  wire [31:0] data;
  assign {we_table, re_memory, flags, bank, column, row, data} = host_i;

  // The reference of the flags.
  logic [Ports-1:0] sends_q = '0, lacks_q = '0;
  logic             not_held_q = 1'b0, overflow_q = 1'b0;
  wire  [Ports-1:0] carries;
  for (genvar p = 0; p < Ports; p++) begin : g_output
    assign carries[p] = lanes[p*LaneBits+Width];
  end

  always_ff @(posedge clk_i) begin
    sends_q    <= {Ports{tx_en}} & \u_router.send_valid ;
    lacks_q    <= running_q && !start_i ? sends_q & ~carries : '0;
    not_held_q <= running_q && !start_i && (not_held_q || lacks_q != '0);
    overflow_q <= running_q && !start_i &&
        (overflow_q || ( \u_router.full_q | \u_router.late_q | \u_router.short_q ) != '0);
  end

  // Reads of the host.
  logic read_q = 1'b0, here_q;
  always_ff @(posedge clk_i) begin
    if (re_memory) begin
      read_q <= 1'b1;
      here_q <= bank == number;
    end
  end

  always_comb if (running_q && read_q)
    as_asked: assert (rdata == (here_q && flags ? {29'b0, overflow_q, 1'b0, not_held_q} : '0));

`ifndef REFUTE
  (* hierconn *) wire \u_router.overflow_q , \u_router.not_held_q , \u_router.selected_read_q ;
  (* hierconn *) wire [Ports-1:0] \u_router.lacks_q ;
  always_comb if (running_q)
    same: assert ( \u_router.overflow_q == overflow_q && \u_router.not_held_q == not_held_q &&
                   \u_router.lacks_q == lacks_q &&
                   (!read_q || \u_router.selected_read_q == here_q));
`endif

  assign cover_both_o  = running_q && read_q && rdata == 32'd5;
  assign cover_lacks_o = running_q && read_q && rdata == 32'd1 && sends_q != '0 &&
      (sends_q & ~carries) == '0;

  wire unused = &{1'b0, single_port, forward, send_fetch, send_row, tx_flit, rx_en, rx_last,
                  rx_flit, we_table, column, row, data};

endmodule

`default_nettype wire
