// SPDX-License-Identifier: Apache-2.0
// rc_address_map: the regions of the address map of a machine.
//
// rc_host_port.sv specifies the fields of each region, rc_registers.sv has the registers;
// sched/machine/machine_address.h has the same map in C. Yosys 0.23 does not resolve these names
// inside the package itself.
`default_nettype none

package rc_address_map;

  typedef enum bit [2:0] {
    Registers, Table, Send, Receive, Packet, Flags, RouterFlags
  } region_e;

  // Words of 32 bits in which the host reads and writes a flit: part p has bits 32p ... 32p+31 of
  // the flit, and the last part also the held bit, in bit 31.
  function automatic int parts(input int width);
    parts = width / 32 + 1;
  endfunction

  // Bits of the number of a part in an address; 0 for flits of up to 31 bits.
  function automatic int part_bits(input int width);
    part_bits = $clog2(width / 32 + 1);
  endfunction

  function automatic bit [31:0] address(input bit [2:0] in_region, input bit [27:0] field);
    address = {1'b0, in_region, field};
  endfunction

  function automatic bit [2:0] region(input bit [31:0] addr);
    region = 3'(addr >> 28);
  endfunction

endpackage

`default_nettype wire
