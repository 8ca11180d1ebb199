// SPDX-License-Identifier: Apache-2.0
// read_ports_properties: a branch that requests a slot is assigned a port that delivers it for the
// rest of the row.
//
// A row lasts from one clear to the next. Branches request any slots in any cycles of the row.
//
//  1. A branch that requests a slot is assigned at most one port, and no other branch is assigned
//     any.
//  2. From the next cycle to the end of the row, that port delivers the requested slot.
//  3. A request is not assigned a port exactly when more than Reads slots have been requested in
//     the row so far; short_o reports this in the next cycle.
//
// After a shortage nothing is guaranteed until the next row. Assumed: the first cycle is a clear.
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

  logic                      cleared_q = 1'b0;
  logic                      over_q, due_q;          // a shortage occurred; in the cycle before
  logic                      first_q;                // the cycle before was the first with requests
  logic [Slots-1:0]          asked_q;                // slots requested earlier in this row
  logic [Slots-1:0]          asked;                  // including this cycle
  logic [Reads-1:0]          used_q;                 // assigned ports, and their slots
  logic [Reads*SlotBits-1:0] promised_q;

  always_comb begin
    asked = asked_q;
    for (int b = 0; b < Branches; b++) if (ask_i[b]) asked[slot_i[b*SlotBits +: SlotBits]] = 1'b1;
  end

  function automatic int ones(input [Slots-1:0] set);
    ones = 0;
    for (int s = 0; s < Slots; s++) ones = ones + 32'(set[s]);
  endfunction

  wire over = ones(asked) > Reads;

  always_ff @(posedge clk_i) begin
    cleared_q <= 1'b1;
    asked_q   <= clear_i ? '0 : asked;
    over_q    <= !clear_i && (over_q || over);
    due_q     <= !clear_i && !over_q && over;
    first_q   <= used_q == '0;
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
      if (cleared_q && !clear_i && !over_q) begin
        assert ((mine & (mine - 1'b1)) == '0);
        assert (ask_i[b] || mine == '0);
        assert (!ask_i[b] || mine != '0 || over);
      end
    end
  end

  for (genvar r = 0; r < Reads; r++) begin : g_port
    logic [Slots-1:0] here;
    always_comb begin
      here = '0;
      here[slot[r*SlotBits +: SlotBits]] = 1'b1;
      if (cleared_q && !over_q) begin
        if (used_q[r]) begin
          assert (slot[r*SlotBits +: SlotBits] == promised_q[r*SlotBits +: SlotBits]);
          assert ((asked_q & here) != '0);
        end
      end
    end
  end

  always_comb begin
    if (!cleared_q) assume (clear_i);
    if (cleared_q && !over_q) begin
      ports_in_order: assert ((used_q & (used_q + 1'b1)) == '0);
      as_many_as_slots: assert (ones(Slots'(used_q)) == ones(asked_q));
      only_if_none_left: assert (!short);
    end
    if (cleared_q && due_q) as_reported: assert (short);
  end

`ifndef REFUTE
  // Invariants for the induction: the ports know whether they are assigned, and deliver all
  // requested slots.
  wire  [Reads-1:0] known = used_q;
  logic [Slots-1:0] all_given;
  always_comb begin
    all_given = '0;
    for (int r = 0; r < Reads; r++) if (used_q[r]) all_given[slot[r*SlotBits +: SlotBits]] = 1'b1;
    if (cleared_q && !over_q) assert (all_given == asked_q);
  end
  for (genvar r = 0; r < Reads; r++) begin : \u_ports.g_port
    (* hierconn *) wire used_q;
    always_comb if (cleared_q && !over_q) assert (used_q == known[r]);
  end
`endif

  assign cover_shared_o = cleared_q && !clear_i && ask_i == '1 && !over_q && used_q == '1 &&
      ones(asked) == Reads;
  assign cover_short_o  = cleared_q && short && due_q && first_q;

endmodule

`default_nettype wire
