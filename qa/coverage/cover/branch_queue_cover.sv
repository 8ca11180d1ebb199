// SPDX-License-Identifier: Apache-2.0
// branch_queue_cover: a queue was full, rejected a packet, was empty again afterwards, and was
// popped in the cycle of a push.
`default_nettype none

module branch_queue_cover (
  input wire clk_i,
  input wire nonempty_i,
  input wire full_i,
  input wire overflow_i,
  input wire we_i,
  input wire re_i
);

  logic nonempty_q;

  always_ff @(posedge clk_i) nonempty_q <= nonempty_i;

  full: cover property (@(posedge clk_i) full_i);
  one_too_many: cover property (@(posedge clk_i) overflow_i);
  empty_again: cover property (@(posedge clk_i) nonempty_q && !nonempty_i);
  pushed_and_popped: cover property (@(posedge clk_i) we_i && re_i);

endmodule

`default_nettype wire
