// SPDX-License-Identifier: Apache-2.0
// shared_always_ff: a vector that two always_ff blocks write; strict.awk must reject it.
`default_nettype none

module shared_always_ff (
  input  wire        clk_i,
  input  wire  [1:0] data_i,
  output logic [1:0] data_o
);
  always_ff @(posedge clk_i) data_o[0] <= data_i[0];
  always_ff @(posedge clk_i) begin
    if (data_i[1]) data_o <= data_i;
  end
endmodule

`default_nettype wire
