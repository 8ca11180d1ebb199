// SPDX-License-Identifier: Apache-2.0
// rc_periodic_packet: which packet an entry of a computed program means.
//
// An entry is an offset, in two's complement. With the base of the turn (rc_setting_counter.sv) it
// is the packet: none if that is before the first, and the last of packets_i if it is behind it.
// (sched/machine/machine.h: machine_computed.)
`default_nettype none
`include "../common/rc_require.svh"

module rc_periodic_packet #(
  parameter int Packets    = 2,                      // of the memory
  parameter int OffsetBits = 2,                      // > PacketBits
  localparam int PacketBits = $clog2(Packets)
) (
  input  wire                   valid_i,
  input  wire  [OffsetBits-1:0] offset_i,
  input  wire  [OffsetBits-1:0] base_i,
  input  wire  [PacketBits:0]   packets_i,           // of the schedule, >= 1
  output wire                   valid_o,
  output wire  [PacketBits-1:0] packet_o             // 0 if not valid
);

  `RC_REQUIRE(OffsetBits, OffsetBits > PacketBits, "OffsetBits must be above PacketBits")

  // Two bits more, one for the carry and one for the sign: the sum is the integers'.
  wire [OffsetBits+1:0] sum  = {{2{offset_i[OffsetBits-1]}}, offset_i} + {2'b0, base_i};
  wire                  last = sum >= (OffsetBits+2)'(packets_i);

  assign valid_o  = valid_i & ~sum[OffsetBits+1];
  assign packet_o = {PacketBits{valid_o}} &
      PacketBits'(last ? packets_i - 1'b1 : (PacketBits+1)'(sum));

endmodule

`default_nettype wire
