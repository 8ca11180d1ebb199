// SPDX-License-Identifier: Apache-2.0
// rc_address_map: the regions and registers of the address map of a machine.
//
// rc_host_port.sv specifies the fields of each region; sched/machine/machine_address.h has the same
// map in C. Yosys 0.23 does not resolve these names inside the package itself.
`default_nettype none

package rc_address_map;

  typedef enum bit [2:0] {
    Registers, Table, Send, Receive, Packet, Flags, RouterFlags
  } region_e;

  typedef enum bit [3:0] {
    // constants of the build
    Id, Ports, Width, Packets, Flits, Rows, Latency, Routers,
    // the run: its parameters, and its status and steps
    RunRows, RunFlits, RunRowCycles, Status, RunSinglePort, Steps, RunPeriod, RunPackets
  } register_e;

  function automatic bit [31:0] address(input bit [2:0] in_region, input bit [27:0] field);
    address = {1'b0, in_region, field};
  endfunction

  function automatic bit [2:0] region(input bit [31:0] addr);
    region = 3'(addr >> 28);
  endfunction

endpackage

`default_nettype wire
