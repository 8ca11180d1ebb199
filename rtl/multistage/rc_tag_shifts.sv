// SPDX-License-Identifier: Apache-2.0
// rc_tag_shifts: direction and distance by which the words of each block of a level move, for a
// tag.
//
// A shift is {back, distance}: the shorter direction around the block, forward or back, by
// `distance` lanes. Both halves of a block move by the same shift as the block, for which the
// direction may be the longer one. The shifts of a level therefore follow from those of the level
// above, and those of level 0 from the shift of the tag, as if a block of all lanes moved that far
// forward. A distance is at most half the block and has one bit less per level; bits that no tag of
// a round needs are truncated. The shifts of all blocks are concatenated, that of block 0 in the
// lowest bits.
//
// The shifts travel with the wavefront. They are computed at the stage of the level before the
// middle (shifts_o), arrive after the register of that stage, if there is one, at the stage of the
// next level (halves_o), and after `Registers` registers at the stage that joins the blocks
// (joins_o):
//
//     stage            0         1         2         3         4
//     level 0     shifts_o -- r halves_o -- r ------- r ------- r joins_o
//     level 1                 shifts_o -- r halves_o -- r joins_o
//     level 2                           shifts_o = joins_o
`default_nettype none
`include "../common/rc_require.svh"

module rc_tag_shifts #(
  parameter int Ports      = 2,  // >= 2
  parameter int Level      = 0,  // 0 ... ceil(log2(Ports)) - 1
  parameter bit Registered = 0,  // a register follows the stage of the level before the middle
  // registers from that stage to the one after the middle, >= Registered
  parameter int Registers  = 0,
  localparam int Above     = Level > 0 ? Level - 1 : 0,
  localparam int FarBits   = rc_multistage_shape::distance_bits(Ports, Above),
  localparam int Bits      = rc_multistage_shape::distance_bits(Ports, Level),
  localparam int FromBits  = rc_multistage_shape::shift_bits(Ports, Above),
  localparam int ShiftBits = rc_multistage_shape::shift_bits(Ports, Level)
) (
  input  wire                 clk_i,
  input  wire [FromBits-1:0]  from_i,  // shifts of the level above; for level 0 {0, shift}
  output wire [ShiftBits-1:0] shifts_o,
  output wire [ShiftBits-1:0] halves_o,
  output wire [ShiftBits-1:0] joins_o
);

  `RC_REQUIRE(Ports, Ports >= 2, "Ports must be 2 or more")
  `RC_REQUIRE(Level, Level >= 0 && (Level <= 0 || Level < $clog2(Ports)),
              "Level must be 0 or more and below log2(Ports)")
  `RC_REQUIRE(Registers, Registers >= (Registered ? 1 : 0), "Registers must be Registered or more")

  wire unused = &{1'b0, clk_i};                      // unused without registers

  // Block by block, so that synthesis merges equal blocks; if Ports is a power of two, all blocks
  // of a level are equal.
  for (genvar b = 0; b < 1 << Level; b++) begin : g_block
    localparam int Size = rc_multistage_shape::first_lane(Ports, Level, b + 1)
        - rc_multistage_shape::first_lane(Ports, Level, b);

    wire               back;
    wire [FarBits-1:0] far;
    wire [Bits:0]      after [Registers+1];

    assign {back, far} = from_i[(Level > 0 ? b/2 : b)*(FarBits+1) +: FarBits+1];

    wire reversed = {far, 1'b0} > (FarBits+1)'(Size);

    assign after[0] = {back ^ reversed, reversed ? Bits'(Size) - far[Bits-1:0] : far[Bits-1:0]};

    for (genvar r = 0; r < Registers; r++) begin : g_register
      rc_delay #(.Width(Bits+1)) u_shift (
        .clk_i, .ce_i(1'b1), .d_i(after[r]), .q_o(after[r+1])
      );
    end

    assign shifts_o[b*(Bits+1) +: Bits+1] = after[0];
    assign halves_o[b*(Bits+1) +: Bits+1] = after[Registered ? 1 : 0];
    assign joins_o[b*(Bits+1) +: Bits+1]  = after[Registers];
  end

endmodule

`default_nettype wire
