// SPDX-License-Identifier: Apache-2.0
// host_port_cover: a host read and wrote every region and every register number of an idle machine,
// and read every register during a run, which is the only access allowed then.
`default_nettype none

module host_port_cover (
  input wire       clk_i,
  input wire       active_i,
  input wire       host_we_i,
  input wire       host_re_i,
  input wire [2:0] region_i,
  input wire [5:0] register_i
);

  wire of_register = region_i == 3'(rc_address_map::Registers);

  for (genvar r = 0; r < 8; r++) begin : g_region
    wire here = region_i == r;
    region_read_idle: cover property (@(posedge clk_i) host_re_i && here && !active_i);
    region_written_idle: cover property (@(posedge clk_i) host_we_i && here && !active_i);
  end

  for (genvar r = 0; r < 64; r++) begin : g_register
    wire here = of_register && register_i == r;
    register_read_idle: cover property (@(posedge clk_i) host_re_i && here && !active_i);
    register_written_idle: cover property (@(posedge clk_i) host_we_i && here && !active_i);
    register_read_in_a_run: cover property (@(posedge clk_i) host_re_i && here && active_i);
  end

endmodule

`default_nettype wire
