// SPDX-License-Identifier: Apache-2.0
// crossbar_cover: each output of a crossbar delivered each input, and nothing, each followed by
// another in the next cycle.
`default_nettype none

module crossbar_cover #(
  parameter int Inputs    = 1,
  parameter int Outputs   = 1,
  parameter int FieldBits = 1
) (
  input wire                         clk_i,
  input wire                         ce_i,
  input wire [Outputs*FieldBits-1:0] setting_i
);

  for (genvar o = 0; o < Outputs; o++) begin : g_output
    wire  [FieldBits-1:0] field = setting_i[o*FieldBits +: FieldBits];
    logic [FieldBits-1:0] field_q;

    always_ff @(posedge clk_i) if (ce_i) field_q <= field;

    nothing: cover property (@(posedge clk_i) ce_i && field == '0);
    another_input_in_the_next_cycle: cover property
      (@(posedge clk_i) ce_i && field != field_q && field != '0 && field_q != '0);
    for (genvar i = 1; i <= Inputs; i++) begin : g_input
      input_given: cover property (@(posedge clk_i) ce_i && field == FieldBits'(i));
    end
  end

endmodule

`default_nettype wire
