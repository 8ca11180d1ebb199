// SPDX-License-Identifier: Apache-2.0
// rc_tag_settings: computes the settings of the 2x2 switches of a stage from the tag of a row, in
// place of a table.
//
// A tag {complement, value} represents a permutation of all ports: port i sends to (i + value) mod
// Ports or, if Ports is a power of two, to i xor value. sched/machine/expand.h contains the
// rule and its proof:
//
//     shift         The words of a block move in the shorter direction around it, forward or back,
//                   by `distance` lanes (rc_tag_shifts.sv). Switches below `distance` are crossed
//                   before the middle (Joins = 0) if the direction is back, after it if forward.
//     complement    Before the middle, all switches of the stage are crossed if value has the bit
//                   of the level; after the middle, all are straight.
//
// tag_i and shifts_i are sampled when fetch_i is high; the settings are valid from the next cycle
// on, until the next fetch.
`default_nettype none
`include "../common/rc_require.svh"

module rc_tag_settings #(
  parameter int Ports = 2,                           // >= 2
  parameter int Level = 0,
  parameter bit Joins = 0,
  localparam int Bits         = $clog2(Ports),       // bits of a port number
  localparam int DistanceBits = rc_multistage_shape::distance_bits(Ports, Level),
  localparam int ShiftBits    = rc_multistage_shape::shift_bits(Ports, Level)
) (
  input  wire                clk_i,
  input  wire                fetch_i,
  input  wire  [Bits:0]      tag_i,
  input  wire  [ShiftBits-1:0] shifts_i,            // shifts of the blocks of the level
  output logic [Ports/2-1:0] setting_o
);

  `RC_REQUIRE(Ports, Ports >= 2, "Ports must be 2 or more")

  localparam bit Power = Ports == 1 << Bits;

  wire complement = Power & tag_i[Bits];
  wire all        = !Joins & complement & tag_i[Bits-1-Level];
  wire unused     = &{1'b0, tag_i, shifts_i};        // blocks of one lane have no switch

  for (genvar sw = 0; sw < Ports / 2; sw++) begin : g_switch
    localparam int Block = rc_multistage_shape::lane_block(Ports, Level, 2 * sw + 1);
    localparam int First = rc_multistage_shape::first_lane(Ports, Level, Block);
    localparam int Size  = rc_multistage_shape::first_lane(Ports, Level, Block + 1) - First;
    localparam int Pair  = sw - First / 2;

    wire                    back;
    wire [DistanceBits-1:0] distance;
    wire                    shifts = (Size == 2) ? distance[0]
        : back != Joins && distance > DistanceBits'(Pair);

    assign {back, distance} = shifts_i[Block*(DistanceBits+1) +: DistanceBits+1];

    always_ff @(posedge clk_i) begin
      if (fetch_i) setting_o[sw] <= shifts | all;
    end
  end

endmodule

`default_nettype wire
