// SPDX-License-Identifier: Apache-2.0
// two_drivers: a bit with two drivers; the check of Yosys must reject it.
`default_nettype none

module two_drivers (input wire a_i, input wire b_i, output wire c_o);
  assign c_o = ~a_i;
  assign c_o = ~b_i;
endmodule

`default_nettype wire
