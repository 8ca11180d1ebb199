// SPDX-License-Identifier: Apache-2.0
// mask_settings_properties: the settings that rc_mask_settings.sv computes from a mask, for all
// masks: the same as in sched/machine/expand.h, switch by switch.
//
//  1. Switch 0 is crossed if the highest bit of the mask is set.
//  2. Switch 2^j + s, where s < 2^j, has the setting of switch s if bit j of the mask is 0, and the
//     opposite setting if it is 1.
//
// These rules determine all switches. Equivalently, a switch has the setting of switch 0 if the
// mask and the number of the switch have an even number of common one bits.
`default_nettype none

module mask_settings_properties #(
  parameter int Ports = 0,
  parameter int Bits  = $clog2(Ports)
) (
  input  wire [Bits-1:0] mask_i,
  output wire            cover_all_o,
  output wire            cover_half_o
);

  wire [Ports/2-1:0] setting;

  rc_mask_settings #(.Ports(Ports)) u_settings (.mask_i, .setting_o(setting));

  wire [Ports/2-1:0] wrong, miscounted;

  assign wrong[0] = setting[0] != mask_i[Bits-1];
  for (genvar j = 0; j < Bits - 1; j++) begin : g_bit
    for (genvar s = 0; s < 1 << j; s++) begin : g_switch
      assign wrong[(1 << j) + s] = (setting[(1 << j) + s] != setting[s]) != mask_i[j];
    end
  end

  for (genvar sw = 0; sw < Ports / 2; sw++) begin : g_count
    int common;
    always_comb begin
      common = 0;
      for (int bit_of = 0; bit_of < Bits - 1; bit_of++) begin
        if (((sw >> bit_of) & 1) != 0) common = common + 32'(mask_i[bit_of]);
      end
    end
    assign miscounted[sw] = (setting[sw] != setting[0]) != common[0];
  end

  always_comb as_the_rule: assert (wrong == '0);
  always_comb as_counted: assert (miscounted == '0);

  // Covers: all switches are crossed; with a mask of ones, exactly those switches are crossed whose
  // numbers have an even number of one bits.
  assign cover_all_o  = setting == '1;
  assign cover_half_o = mask_i == '1 && setting[2:0] == 3'b001;

endmodule

`default_nettype wire
