// SPDX-License-Identifier: Apache-2.0
// rc_shell_bus: the fields and widths of the vectors between the shell of a machine and its
// network, the highest field first.
//
// Ports are vectors, because the three tools interpret structs of ports differently. Routers and
// nodes copy them to structs (rc_shell_bus.svh); a module that unpacks a vector by itself names all
// of its fields, in this order.
//
//     tag     {en, last, flit}                          the current flit
//     wave    {fetch, row, tag}                         the wavefront, one cycle before its flits
//     phase   {fetch, phase}                            with a setting period: fetch of a row and
//                                                       its position; with reconfiguration, only
//                                                       of the first row of a setting
//     step    {single_port, forward, send_fetch, send_row, tx_en, tx_flit, rx_en, rx_last, rx_flit}
//                                                       control of routers
//     host    {we_table, re_memory, flags, bank, column, row, data}
//                                                       accesses of the host to tables and flags
//     control {clear, host_req, host_all, host_node, we_send, we_recv, we_packet, re_send, re_recv,
//              re_packet, re_flags, packet, flit, part}     endpoints outside the shell
//     outside {flags, word, lane}                       of such an endpoint
//     list    {send, direct, slot, row}                 packet that an endpoint with lists sends
//
// rc_shell.sv and rc_endpoint.sv specify the fields and their cycles.
`default_nettype none

package rc_shell_bus;

  function automatic int tag_bits(input int flits);
    tag_bits = 2 + $clog2(flits);
  endfunction

  function automatic int wave_bits(input int flits, input int rows);
    wave_bits = 1 + $clog2(rows) + tag_bits(flits);
  endfunction

  function automatic int phase_bits(input int setting_period);
    phase_bits = 1 + (setting_period > 1 ? $clog2(setting_period) : 1);
  endfunction

  function automatic int step_bits(input int flits, input int rows);
    step_bits = 6 + $clog2(rows) + 2 * $clog2(flits);
  endfunction

  function automatic int host_bits(input int bank_bits, input int column_bits, input int rows);
    host_bits = 3 + bank_bits + column_bits + $clog2(rows) + 32;
  endfunction

  function automatic int control_bits(input int nodes, input int packets, input int flits,
                                      input int width);
    control_bits = 10 + $clog2(nodes) + $clog2(packets) + $clog2(flits) + $clog2(width / 32 + 1);
  endfunction

  function automatic int outside_bits(input int width);
    outside_bits = 3 + 32 + width + 1;
  endfunction

  function automatic int list_bits(input int packets, input int rows);
    list_bits = 2 + $clog2(packets) + $clog2(rows);
  endfunction

endpackage

`default_nettype wire
