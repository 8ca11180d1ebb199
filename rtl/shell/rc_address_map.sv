// SPDX-License-Identifier: Apache-2.0
// rc_address_map: the regions and registers of a machine's address map; rc_host_port.sv says what
// the fields of each region are (sched/machine/machine.h has the same map in C). Yosys 0.23 does
// not find the names in the package itself.
`default_nettype none

package rc_address_map;

  typedef enum bit [2:0] {
    Registers, Table, Send, Receive, Packet, Flags, RouterFlags
  } region_e;

  typedef enum bit [3:0] {
    // of the machine, as it was built
    Id, Ports, Width, Packets, Flits, Rows, Latency, Routers,
    // of the run; status and steps say what became of it
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
