// SPDX-License-Identifier: Apache-2.0
// Files are relative to this one. Tops:
//   rc_cube_auto_machine
//   rc_multistage_machine
//   rc_cube_machine
//   rc_fat_tree_machine
+incdir+common
common/rc_initial.sv
cube_auto/rc_cube_tree.sv
multistage/rc_multistage_shape.sv
shell/rc_address_map.sv
shell/rc_registers.sv
shell/rc_shell_bus.sv
bus/rc_bus_port.sv
bus/rc_stream_endpoint.sv
bus/rc_uart_receiver.sv
bus/rc_uart_sender.sv
common/rc_column_ram.sv
common/rc_delay.sv
common/rc_first.sv
common/rc_or_tree.sv
common/rc_ram.sv
cube_auto/rc_cube_auto_input.sv
cube_auto/rc_cube_auto_output.sv
cube_auto/rc_cube_auto_remainder.sv
multistage/rc_crossbar.sv
multistage/rc_mask_settings.sv
multistage/rc_switch2.sv
multistage/rc_tag_settings.sv
routers/rc_branch_queue.sv
routers/rc_header_scan.sv
routers/rc_read_ports.sv
shell/rc_combine.sv
shell/rc_host_port.sv
shell/rc_periodic_packet.sv
shell/rc_reset.sv
shell/rc_sequencer.sv
shell/rc_setting_counter.sv
shell/rc_stream_stop.sv
bus/rc_wishbone.sv
bus/rc_axi_lite.sv
bus/rc_apb.sv
bus/rc_uart.sv
multistage/rc_tag_shifts.sv
common/rc_link.sv
shell/rc_events.sv
shell/rc_range_table.sv
shell/rc_range_program.sv
shell/rc_setting_index.sv
routers/rc_router_core.sv
multistage/rc_setting_table.sv
cube_auto/rc_cube_auto_sums.sv
cube_auto/rc_cube_auto_tree.sv
multistage/rc_combine_switch.sv
shell/rc_endpoint.sv
routers/rc_router_auto.sv
routers/rc_router.sv
cube_auto/rc_cube_auto_router.sv
multistage/rc_crossbar_stage.sv
multistage/rc_stage.sv
shell/rc_shell.sv
cube_auto/rc_cube_auto_node.sv
multistage/rc_multistage_network.sv
routers/rc_fat_tree_machine.sv
routers/rc_cube_machine.sv
cube_auto/rc_cube_auto_machine.sv
multistage/rc_multistage_machine.sv
multistage/rc_multistage_fabric.sv
