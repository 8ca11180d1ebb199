// SPDX-License-Identifier: Apache-2.0
// flag_cover: a flag was set, and cleared again.
`default_nettype none

module flag_cover (
  input wire clk_i,
  input wire flag_i
);

  logic flag_q;

  always_ff @(posedge clk_i) flag_q <= flag_i;

  raised: cover property (@(posedge clk_i) flag_i && !flag_q);
  lowered: cover property (@(posedge clk_i) !flag_i && flag_q);

endmodule

`default_nettype wire
