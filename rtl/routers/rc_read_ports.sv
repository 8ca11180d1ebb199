// SPDX-License-Identifier: Apache-2.0
// rc_read_ports: assigns the read ports of a router input to the packets that branches request in a
// row.
//
// In a cycle, each branch may request the packet of one slot. A request for a slot that a port
// already delivers, or that another branch requests in the same cycle, is assigned to the same
// port, the lowest one; a new slot is assigned to the lowest free port. If no port is free, short_o
// is high one cycle later: the row requires more ports than there are, and from then on the ports
// deliver arbitrary slots. This never occurs if a row sends at most as many packets of the input as
// there are ports.
`default_nettype none
`include "../common/rc_assert.svh"
`include "../common/rc_require.svh"

module rc_read_ports #(
  parameter int Branches = 1,                        // branches that may request, >= 1
  parameter int Reads    = 1,                        // ports, >= 1
  parameter int SlotBits = 1,
  parameter int Packets  = Reads + 1  // packets of the input that one row sends, at most
) (
  input  wire                         clk_i,
  input  wire                         clear_i,       // releases all ports, for a new row
  input  wire [Branches-1:0]          ask_i,
  input  wire [Branches*SlotBits-1:0] slot_i,        // slot that each branch requests
  output wire [Reads*Branches-1:0]    given_o,  // per port and branch, in the same cycle: assigned
  output wire                         short_o,       // in the next cycle: no port was free
  // slot that each port delivers, from the next cycle on
  output wire [Reads*SlotBits-1:0]    slot_o
);

  `RC_REQUIRE(Branches, Branches >= 1, "Branches must be 1 or more")
  `RC_REQUIRE(Reads, Reads >= 1, "Reads must be 1 or more")

  localparam int Last = Reads > 1 ? Reads - 1 : 0;

  // branches that no lower port serves
  wire [Branches-1:0] open [Last+1];
  assign open[0] = ask_i;

  for (genvar r = 0; r < Reads; r++) begin : g_port
    logic                used_q;
    logic [SlotBits-1:0] slot_q;
    logic [SlotBits-1:0] wanted, slot;
    logic [Branches-1:0] given;
    wire  [Branches-1:0] here  = open[r];
    // All remaining requests for the last port are for the same slot, or there is a shortage, so no
    // selection is necessary.
    wire  [Branches-1:0] first = r == Reads - 1 ? here : here & (~here + 1'b1);

    always_comb begin
      wanted = '0;
      for (int b = 0; b < Branches; b++) wanted |= {SlotBits{first[b]}} &
          slot_i[b*SlotBits +: SlotBits];
      slot = used_q ? slot_q : wanted;
      for (int b = 0; b < Branches; b++) given[b] = here[b] &&
          slot_i[b*SlotBits +: SlotBits] == slot;
    end

    always_ff @(posedge clk_i) begin
      if (clear_i) used_q <= 1'b0;
      else if (here != '0) used_q <= 1'b1;
      slot_q <= slot;
    end

    if (r < Reads - 1) begin : g_open
      assign open[r+1] = here & ~given;
    end

    assign given_o[r*Branches +: Branches] = given;
    assign slot_o[r*SlotBits +: SlotBits]  = slot_q;
  end

  // Checks one cycle later, because the path is long, that the last port delivers the requested
  // slot.
  if (Packets > Reads) begin : g_short
    logic [Branches-1:0]          last_q;
    logic [Branches*SlotBits-1:0] wanted_q;
    logic [Branches-1:0]          missed;
    wire  [SlotBits-1:0]          last_slot = slot_o[Last*SlotBits +: SlotBits];

    always_ff @(posedge clk_i) begin
      last_q   <= open[Last] & {Branches{~clear_i}};
      wanted_q <= slot_i;
    end

    always_comb begin
      for (int b = 0; b < Branches; b++) missed[b] = last_q[b] &&
          wanted_q[b*SlotBits +: SlotBits] != last_slot;
    end

    assign short_o = missed != '0;
  end else begin : g_enough
    assign short_o = 1'b0;
  end

  `RC_ASSERT_RESET(clear_i)

  // A branch is given one port at most.
  for (genvar b = 0; b < Branches; b++) begin : g_check
    wire [Reads-1:0] ports;
    for (genvar r = 0; r < Reads; r++) begin : g_given
      assign ports[r] = given_o[r*Branches+b];
    end
    wire unused_ports = &{1'b0, ports};
    `RC_ASSERT_ONEHOT0(one_port, ports, "a branch is given two read ports")
  end

endmodule

`default_nettype wire
