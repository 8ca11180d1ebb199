// SPDX-License-Identifier: Apache-2.0
// rc_tag_settings: the settings of a stage's 2x2 switches, computed from the tag of the row; in
// place of a table.
//
// A tag {complement, value} is that of a permutation of all ports, by which lane i goes to (i +
// value) mod Ports or, if Ports is a power of two, to i xor value. sched/machine/expand_tags.h has
// the rule, and why it is right:
//
//     shift         The words of a block go the shorter way round it, forth or back, by `distance`
//                   lanes. On the way in (Joins = 0) the switches below `distance` are crossed if
//                   that is back, on the way out if it is forth. Both halves of a block go as it
//                   does.
//     complement    On the way in all switches are crossed if value has the bit of the level; on
//                   the way out all are straight.
//
// tag_i is heeded when fetch_i is high; the settings are there from the next cycle on, until the
// next fetch.
`default_nettype none

module rc_tag_settings #(
  parameter int Ports = 2,                           // >= 2
  parameter int Level = 0,
  parameter bit Joins = 0,
  localparam int Bits = $clog2(Ports)                // of a port's number
) (
  input  wire                clk_i,
  input  wire                fetch_i,
  input  wire  [Bits:0]      tag_i,
  output logic [Ports/2-1:0] setting_o
);

  // Illegal parameters: there is no such module (rtl/README.md).
  if (Ports < 2) rc_Ports_must_be_2_or_more u_illegal ();

  localparam bit Power = Ports == 1 << Bits;

  wire complement = Power & tag_i[Bits];

  // Which way, and how far, the words of each block go.

  for (genvar l = 0; l <= Level; l++) begin : g_level
    wire [(1<<l)-1:0]      back;
    wire [(1<<l)*Bits-1:0] distance;
    wire                   unused = &{1'b0, back, distance};  // blocks of one lane have no switch

    for (genvar b = 0; b < 1 << l; b++) begin : g_block
      localparam int Size =
          rc_multistage_shape::first_lane(Ports, l, b + 1) - rc_multistage_shape::first_lane(Ports,
                                                                                             l, b);
      wire            way;
      wire [Bits-1:0] far;

      if (l == 0) begin : g_from
        assign way = 1'b0;
        assign far = tag_i[Bits-1:0] & {Bits{~complement}};
      end else begin : g_from
        assign way = g_level[l-1].back[b/2];
        assign far = g_level[l-1].distance[b/2*Bits +: Bits];
      end

      wire turn = {far, 1'b0} > (Bits+1)'(Size);

      assign back[b]                  = way ^ turn;
      assign distance[b*Bits +: Bits] = turn ? Bits'(Size) - far : far;
    end
  end

  for (genvar sw = 0; sw < Ports / 2; sw++) begin : g_switch
    localparam int Block = rc_multistage_shape::lane_block(Ports, Level, 2 * sw + 1);
    localparam int First = rc_multistage_shape::first_lane(Ports, Level, Block);
    localparam int Size  = rc_multistage_shape::first_lane(Ports, Level, Block + 1) - First;
    localparam int Pair  = sw - First / 2;

    wire            back     = g_level[Level].back[Block];
    wire [Bits-1:0] distance = g_level[Level].distance[Block*Bits +: Bits];
    wire            shifts   = (Size == 2) ? distance[0] : back != Joins && distance > Bits'(Pair);
    wire            all      = !Joins & complement & tag_i[Bits-1-Level];

    always_ff @(posedge clk_i) begin
      if (fetch_i) setting_o[sw] <= shifts | all;
    end
  end

endmodule

`default_nettype wire
