// SPDX-License-Identifier: Apache-2.0
// cube_auto_flags_properties: the flags of a node of a self-timed hypercube, and the word that the
// host reads.
//
//  1. `overflow` is set after the cycle in which a climbing packet finds the queue of its tree
//     full, and stays until the next start.
//  2. From the cycle after a read until the next read, the word for the host is {overflow, 0, not
//     held} if this node was addressed and flags are requested, else 0.
//
// `not held` is the flag of the router (cube_auto_router_properties.sv); a queue is full when
// rc_branch_queue.sv reports it (branch_queue_properties.sv). Arrivals, fetches and sending may
// occur in any cycles. The first cycle is a reset.
`default_nettype none

module cube_auto_flags_properties #(
  parameter int Dimensions = 2,
  parameter int Node       = 1,
  parameter int Packets    = 16,
  parameter int Rows       = 8,
  parameter int PacketBits = $clog2(Packets),
  parameter int LaneBits   = PacketBits + 3,
  parameter int RowBits    = $clog2(Rows),
  parameter int StepBits   = rc_shell_bus::step_bits(2, Rows),
  parameter int HostBits   = rc_shell_bus::host_bits(Dimensions, 1, Rows)
) (
  input  wire                           clk_i,
  input  wire                           start_i,
  input  wire [PacketBits-1:0]          count_i,
  input  wire [StepBits-1:0]            step_i,
  input  wire [Dimensions*LaneBits-1:0] lanes_i,
  input  wire [HostBits-1:0]            host_i,
  output wire                           cover_full_o,
  output wire                           cover_read_o
);

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;

  wire [31:0] rdata;

  rc_cube_auto_node #(
    .Dimensions(Dimensions), .Node(Node), .Depth(2), .Queue(1), .Width(LaneBits - 1),
    .Packets(Packets), .Rows(Rows)
  ) u_node (
    .clk_i, .rst_i(!running_q), .start_i, .count_i, .step_i, .lanes_i, .stored_o(), .lanes_o(),
    .list_o(), .done_o(), .host_i, .host_rdata_o(rdata)
  );

  // Internal wires of the node.
  (* hierconn *) wire                  \u_node.not_held ;
  (* hierconn *) wire [Dimensions-1:0] \u_node.overflow ;

  wire                  we_table, re_memory, flags, column;
  wire [Dimensions-1:0] bank;
  wire [RowBits-1:0]    row;
  wire [31:0]           data;
  assign {we_table, re_memory, flags, bank, column, row, data} = host_i;

  logic overflow_q = 1'b0, read_q = 1'b0, here_q;
  always_ff @(posedge clk_i) begin
    overflow_q <= running_q && !start_i && (overflow_q || \u_node.overflow != '0);
    if (re_memory) begin
      read_q <= 1'b1;
      here_q <= 32'(bank) == Node;
    end
  end

  wire not_held = \u_node.not_held ;
  always_comb if (running_q && read_q)
    as_asked: assert (rdata == (here_q && flags ? {29'b0, overflow_q, 1'b0, not_held} : '0));

`ifndef REFUTE
  (* hierconn *) wire \u_node.overflow_q , \u_node.read_q ;
  always_comb if (running_q)
    same: assert ( \u_node.overflow_q == overflow_q && (!read_q || \u_node.read_q == here_q));
`endif

  assign cover_full_o = running_q && read_q && rdata == 32'd4;
  assign cover_read_o = running_q && read_q && rdata == 32'd5;

  wire unused = &{1'b0, we_table, column, row, data};

endmodule

`default_nettype wire
