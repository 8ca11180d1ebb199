// SPDX-License-Identifier: Apache-2.0
// unknown_module: an instance of a module that does not exist; Icarus must reject it.
`default_nettype none

module unknown_module (input wire a_i, output wire b_o);
  nothing u_nothing (.a_i, .b_o);
endmodule

`default_nettype wire
