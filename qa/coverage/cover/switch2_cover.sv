// SPDX-License-Identifier: Apache-2.0
// switch2_cover: a switch was straight and crossed, and each in the cycle after the other.
`default_nettype none

module switch2_cover (
  input wire       clk_i,
  input wire       ce_i,
  input wire [1:0] setting_i
);

  logic [1:0] setting_q;

  always_ff @(posedge clk_i) if (ce_i) setting_q <= setting_i;

  straight: cover property (@(posedge clk_i) ce_i && setting_i == 2'b00);
  crossed: cover property (@(posedge clk_i) ce_i && setting_i == 2'b11);
  crossed_after_straight: cover property
    (@(posedge clk_i) ce_i && setting_q == 2'b00 && setting_i == 2'b11);
  straight_after_crossed: cover property
    (@(posedge clk_i) ce_i && setting_q == 2'b11 && setting_i == 2'b00);

endmodule

`default_nettype wire
