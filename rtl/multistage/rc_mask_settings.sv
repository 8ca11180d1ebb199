// SPDX-License-Identifier: Apache-2.0
// rc_mask_settings: computes the settings of the 2x2 switches of a stage from the mask of a row,
// which a table of masks delivers.
//
// Ports is a power of two, and a mask has as many bits as a port number. Switch sw is crossed if
// the mask and Ports/2 + sw have an odd number of common one bits. For 8 ports:
//
//     mask         100      001     010     011     111
//     sw 3 2 1 0   1 1 1 1  1 0 1 0 1 1 0 0 0 1 1 0 1 0 0 1
//
// With a mask for each stage of a Benes network, words move from lane x to lane A x + c, for a
// matrix A and a vector c of bits; sched/route/affine.h computes the masks for given A and c.
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
