// SPDX-License-Identifier: Apache-2.0
// read_ports_properties: who asks for a slot is given a port that gives it, in the whole row.
//
// A row lasts from one clear to the next. Of branches that ask for any slots in any cycles of it:
//
//  1. Each that asks is given one port at most, and none is given without asking.
//  2. In the next cycle and for the rest of the row, that port gives the slot that was asked for.
//  3. Somebody is given none exactly when more than Reads slots were asked for in the row so far;
//  short_o says so.
//
// From then on nothing is promised until the next row.
// Assumed: the first cycle clears.
`default_nettype none

module read_ports_properties #(
  parameter int Branches = 3,
  parameter int Reads    = 2,
  parameter int SlotBits = 2
) (
  input  wire                         clk_i,
  input  wire                         clear_i,
  input  wire [Branches-1:0]          ask_i,
  input  wire [Branches*SlotBits-1:0] slot_i,
  output wire                         cover_shared_o,
  output wire                         cover_short_o
);

  localparam int Slots = 1 << SlotBits;

  wire [Reads*Branches-1:0] given;
  wire                      short;
  wire [Reads*SlotBits-1:0] slot;

  rc_read_ports #(.Branches(Branches), .Reads(Reads), .SlotBits(SlotBits)) u_ports (
    .clk_i, .clear_i, .ask_i, .slot_i, .given_o(given), .short_o(short), .slot_o(slot)
  );

  logic                      cleared_q = 1'b0, short_q;
  logic [Slots-1:0]          asked_q;                // slots asked for before in this row
  logic [Slots-1:0]          asked;                  // and now
  logic [Reads-1:0]          used_q;                 // ports that were given, and for which slot
  logic [Reads*SlotBits-1:0] promised_q;

  always_comb begin
    asked = asked_q;
    for (int b = 0; b < Branches; b++) if (ask_i[b]) asked[slot_i[b*SlotBits +: SlotBits]] = 1'b1;
  end

  function automatic int ones(input [Slots-1:0] set);
    ones = 0;
    for (int s = 0; s < Slots; s++) ones = ones + 32'(set[s]);
  endfunction

  always_ff @(posedge clk_i) begin
    cleared_q <= 1'b1;
    asked_q   <= clear_i ? '0 : asked;
    short_q   <= !clear_i && (short_q || short);
    for (int r = 0; r < Reads; r++) begin
      for (int b = 0; b < Branches; b++) begin
        if (given[r*Branches + b])
          promised_q[r*SlotBits +: SlotBits] <= slot_i[b*SlotBits +: SlotBits];
      end
      used_q[r] <= !clear_i && (used_q[r] || given[r*Branches +: Branches] != '0);
    end
  end

  for (genvar b = 0; b < Branches; b++) begin : g_branch
    wire [Reads-1:0] mine;
    for (genvar r = 0; r < Reads; r++) begin : g_mine
      assign mine[r] = given[r*Branches + b];
    end
    always_comb begin
      if (cleared_q && !clear_i && !short_q) begin
        assert ((mine & (mine - 1'b1)) == '0);
        assert (ask_i[b] || mine == '0);
        assert (!ask_i[b] || mine != '0 || short);
      end
    end
  end

  for (genvar r = 0; r < Reads; r++) begin : g_port
    logic [Slots-1:0] here;
    always_comb begin
      here = '0;
      here[slot[r*SlotBits +: SlotBits]] = 1'b1;
      if (cleared_q && !short_q) begin
        if (used_q[r]) begin
          assert (slot[r*SlotBits +: SlotBits] == promised_q[r*SlotBits +: SlotBits]);
          assert ((asked_q & here) != '0);
        end
      end
    end
  end

  always_comb begin
    if (!cleared_q) assume (clear_i);
    if (cleared_q && !short_q) begin
      ports_in_order: assert ((used_q & (used_q + 1'b1)) == '0);
      as_many_as_slots: assert (ones(Slots'(used_q)) == ones(asked_q));
      if (!clear_i) only_if_none_left: assert (!short || ones(asked) > Reads);
      if (!clear_i) says_so: assert (short || ones(asked) <= Reads);
    end
  end

  assign cover_shared_o = cleared_q && !clear_i && ask_i == '1 && !short && used_q == '1 &&
      ones(asked) == Reads;
  assign cover_short_o  = cleared_q && !clear_i && short && !short_q && used_q == '0;

endmodule

`default_nettype wire
