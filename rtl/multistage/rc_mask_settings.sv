// SPDX-License-Identifier: Apache-2.0
// rc_mask_settings: the settings of a stage's 2x2 switches from the mask of a row; behind a table
// of masks.
//
// Ports is a power of two, and a mask has as many bits as a port's number: switch sw is crossed if
// the mask and Ports/2 + sw have an odd number of bits in common. Of 8 ports:
//
//     mask         100      001     010     011     111
//     sw 3 2 1 0   1 1 1 1  1 0 1 0 1 1 0 0 0 1 1 0 1 0 0 1
//
// With a mask for each stage of a Benes network, words go from any lane x to lane A x + c, a matrix
// of bits and a vector of bits; sched/route/affine.h has how masks of given A and c are found.
`default_nettype none
`include "../common/rc_require.svh"

module rc_mask_settings #(
  parameter int Ports = 2,                           // a power of two >= 2
  localparam int Bits = $clog2(Ports)
) (
  input  wire [Bits-1:0]    mask_i,
  output wire [Ports/2-1:0] setting_o
);

  `RC_REQUIRE(Ports, Ports >= 2 && (Ports & (Ports - 1)) == 0,
              "Ports must be a power of two, 2 or more")

  for (genvar sw = 0; sw < Ports / 2; sw++) begin : g_switch
    assign setting_o[sw] = ^(mask_i & Bits'(Ports / 2 + sw));
  end

endmodule

`default_nettype wire
