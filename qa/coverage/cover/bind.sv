// SPDX-License-Identifier: Apache-2.0
// bind: attaches the cover modules to the modules that they observe. Only coverage_rtl.mk passes
// this file to Verilator. The name of an instance is the name of the cover point.

bind rc_switch2 switch2_cover u_switch_cover (.clk_i, .ce_i, .setting_i);

bind rc_stage copies_cover #(
  .Ports(Ports), .Level(Level), .Copies(Copies), .Fields(Fields)
) u_copying_switch_cover (.clk_i, .ce_i, .setting_i(setting));

bind rc_crossbar crossbar_cover #(
  .Inputs(Inputs), .Outputs(Outputs), .FieldBits(FieldBits)
) u_crossbar_cover (.clk_i, .ce_i, .setting_i);

bind rc_router_core router_core_cover #(
  .Ports(Ports), .Reads(Reads), .SourceBits(SourceBits)
) u_router_cover (.clk_i, .tx_en_i, .send_valid_i, .send_source_i);

bind rc_branch_queue branch_queue_cover u_queue_cover (
  .clk_i, .nonempty_i(nonempty_o), .full_i(full), .overflow_i(overflow_o), .we_i(we_o),
  .re_i(re_o)
);

bind rc_host_port host_port_cover u_host_cover (
  .clk_i, .active_i(busy_i), .host_we_i, .host_re_i, .region_i(region),
  .register_i(host_addr_i[5:0])
);

bind rc_shell run_cover #(
  .Latency(Latency), .Flits(Flits), .Hops(Hops), .Headers(Headers), .Computed(Computed),
  .Reconfig(Reconfig)
) u_run_cover (
  .clk_i, .rst_i, .start_i, .run_i(run_o), .row_cycles_i(row_cycles), .flits_i(flits),
  .single_port_i(single_port)
);

bind rc_endpoint flag_cover u_endpoint_not_held_flag_cover (.clk_i, .flag_i(not_held_q));
bind rc_endpoint flag_cover u_endpoint_unexpected_flag_cover (
  .clk_i, .flag_i(errors_q.unexpected)
);
bind rc_endpoint flag_cover u_endpoint_missing_flag_cover (.clk_i, .flag_i(errors_q.missing));
bind rc_router flag_cover u_router_not_held_flag_cover (.clk_i, .flag_i(not_held_q));
bind rc_router flag_cover u_router_twice_flag_cover (.clk_i, .flag_i(twice_q));
bind rc_router_auto flag_cover u_router_auto_not_held_flag_cover (.clk_i, .flag_i(not_held_q));
bind rc_router_auto flag_cover u_router_auto_overflow_flag_cover (.clk_i, .flag_i(overflow_q));
bind rc_cube_auto_node flag_cover u_cube_node_overflow_flag_cover (.clk_i, .flag_i(overflow_q));
bind rc_cube_auto_router flag_cover u_cube_router_not_held_flag_cover (.clk_i, .flag_i(not_held_o));
bind rc_shell flag_cover u_run_signal_cover (.clk_i, .flag_i(run_o));
bind rc_shell flag_cover u_done_signal_cover (.clk_i, .flag_i(done_o));
