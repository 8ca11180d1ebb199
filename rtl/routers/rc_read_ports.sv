// SPDX-License-Identifier: Apache-2.0
// rc_read_ports: which read port of a router's input gives which packet of its buffer in a row.
//
// In a cycle, each branch may ask for the packet of one slot. A branch that asks for a slot that a
// port gives already, or for that of another branch in the same cycle, is given the same port,
// whichever is lowest; a new slot takes the lowest port that is free. If none is left, short_o is
// raised a cycle later: the row needs more ports than there are, and what they give from then on is
// any slot. Where a row has no more packets to send than there are ports, that never happens.
`default_nettype none
`include "../common/rc_require.svh"

module rc_read_ports #(
  parameter int Branches = 1,                        // that ask, >= 1
  parameter int Reads    = 1,                        // ports, >= 1
  parameter int SlotBits = 1,
  parameter int Packets  = Reads + 1                 // of the input that one row sends, at most
) (
  input  wire                         clk_i,
  input  wire                         clear_i,       // no port gives anything: a new row
  input  wire [Branches-1:0]          ask_i,
  input  wire [Branches*SlotBits-1:0] slot_i,        // of each branch
  output wire [Reads*Branches-1:0]    given_o,       // to each branch, by each port; same cycle
  output wire                         short_o,       // in the next cycle
  output wire [Reads*SlotBits-1:0]    slot_o         // that each port gives, from the next cycle on
);

  `RC_REQUIRE(Branches, Branches >= 1, "Branches must be 1 or more")
  `RC_REQUIRE(Reads, Reads >= 1, "Reads must be 1 or more")

  localparam int Last = Reads > 1 ? Reads - 1 : 0;

  // branches that no lower port serves
  wire [Branches-1:0] open [Last+1] /* verilator split_var */;
  assign open[0] = ask_i;

  for (genvar r = 0; r < Reads; r++) begin : g_port
    logic                used_q;
    logic [SlotBits-1:0] slot_q;
    logic [SlotBits-1:0] wanted, slot;
    logic [Branches-1:0] given;
    wire  [Branches-1:0] here  = open[r];
    // For the last port all that ask want one slot, or it is short: no need to choose among them.
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

  // Is a branch that asks the last port given its slot? A cycle later, as the path is long.
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

endmodule

`default_nettype wire
