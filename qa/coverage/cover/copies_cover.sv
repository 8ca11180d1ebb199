// SPDX-License-Identifier: Apache-2.0
// copies_cover: each switch of a stage with copying switches delivered either lane to both outputs.
`default_nettype none

module copies_cover #(
  parameter int Ports  = 2,
  parameter int Level  = 0,
  parameter bit Copies = 0,
  parameter int Fields = 1
) (
  input wire              clk_i,
  input wire              ce_i,
  input wire [Fields-1:0] setting_i                  // bit `lane` selects the input of lane `lane`
);

  localparam int Half = Ports >> (Level + 1);

  if (Copies) begin : g_copies
    for (genvar lane = 0; lane < Ports; lane++) begin : g_lane
      if (lane / Half % 2 == 0) begin : g_switch
        wire [1:0] setting = {setting_i[lane+Half], setting_i[lane]};
        low_to_both: cover property (@(posedge clk_i) ce_i && setting == 2'b10);
        high_to_both: cover property (@(posedge clk_i) ce_i && setting == 2'b01);
      end
    end
  end else begin : g_none
    wire unused = &{1'b0, clk_i, ce_i, setting_i};
  end

endmodule

`default_nettype wire
