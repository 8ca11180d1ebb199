// SPDX-License-Identifier: Apache-2.0
// rc_cube_auto_tree: selects the packets of one tree that a node of a self-timed hypercube sends:
// its own packets, then the climbing packets.
//
// Every Step-th packet of the list of the node belongs to this tree, from first_i on. Climbing
// packets wait in a queue in the order in which they are pushed, at most one per cycle.
`default_nettype none

module rc_cube_auto_tree #(
  parameter int Step       = 1,                      // number of trees
  parameter int Queue      = 1,                      // capacity of the queue in packets, >= 1
  parameter int EntryBits  = 1,
  parameter int PacketBits = 1,
  parameter int RowBits    = 1                       // bits of a row of the list
) (
  input  wire                   clk_i,
  input  wire                   clear_i,             // empties the queue
  input  wire                   begin_i,             // first_i is valid
  input  wire  [PacketBits-1:0] first_i,
  input  wire  [PacketBits-1:0] count_i,             // length of the list
  input  wire                   push_i,
  input  wire  [EntryBits-1:0]  entry_i,
  input  wire                   may_send_i,        // the tree may send a packet
  // the packet is row_o of the list of the node; valid two cycles after begin_i or may_send_i
  output wire                   own_o,
  output wire  [RowBits-1:0]    row_o,
  output wire                   waits_o,       // the queue is not empty
  // one cycle after may_send_i, if own_o was low
  output wire  [EntryBits-1:0]  found_o,
  output wire                   overflow_o     // a packet was dropped because the queue was full
);

  localparam int AddrBits = Queue > 2 ? $clog2(Queue) : 1;

  logic [PacketBits-1:0] row_q;
  logic                  own_q;

  assign own_o = own_q;
  assign row_o = RowBits'(row_q);

  always_ff @(posedge clk_i) begin
    if (begin_i) row_q <= first_i;
    else if (may_send_i & own_q) row_q <= row_q + PacketBits'(Step);
    own_q <= row_q < count_i;
  end

  wire                push, pop;
  wire [AddrBits-1:0] waddr, raddr;

  rc_branch_queue #(.Queue(Queue)) u_queue (
    .clk_i,
    .clear_i,
    .push_i,
    .pop_i(may_send_i & ~own_o),
    .nonempty_o(waits_o),
    .overflow_o,
    .we_o(push),
    .waddr_o(waddr),
    .re_o(pop),
    .raddr_o(raddr)
  );

  rc_ram #(.Width(EntryBits), .Depth(1 << AddrBits)) u_entries (
    .clk_i,
    .strobe_i(push),
    .we_i(1'b1),
    .waddr_i(waddr),
    .wdata_i(entry_i),
    .re_i(pop),
    .raddr_i(raddr),
    .rdata_o(found_o)
  );

endmodule

`default_nettype wire
