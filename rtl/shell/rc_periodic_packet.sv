// SPDX-License-Identifier: Apache-2.0
// rc_periodic_packet: the packet that an entry of a computed program denotes.
//
// An entry is an offset in two's complement. The packet is offset + base, where base belongs to the
// repetition of the setting period (rc_setting_counter.sv). A negative sum denotes no packet; a sum
// beyond the last packet of packets_i denotes the last one. (sched/machine/machine_address.h:
// machine_computed.)
`default_nettype none
`include "../common/rc_require.svh"

module rc_periodic_packet #(
  parameter int Packets    = 2,                      // packets of the memory
  parameter int OffsetBits = 2,                      // bits of an offset, > PacketBits
  localparam int PacketBits = $clog2(Packets)
) (
  input  wire                   valid_i,
  input  wire  [OffsetBits-1:0] offset_i,
  input  wire  [OffsetBits-1:0] base_i,
  input  wire  [PacketBits:0]   packets_i,           // packets of the schedule, >= 1
  input  wire                   stream_i,            // there is no packet after the last
  output wire                   valid_o,
  output wire  [PacketBits-1:0] packet_o             // 0 if not valid
);

  `RC_REQUIRE(OffsetBits, OffsetBits > PacketBits, "OffsetBits must be above PacketBits")

  // Two additional bits, for carry and sign, make the sum exact.
  wire [OffsetBits+1:0] sum  = {{2{offset_i[OffsetBits-1]}}, offset_i} + {2'b0, base_i};
  wire                  last = sum >= (OffsetBits+2)'(packets_i);

  assign valid_o  = valid_i & ~sum[OffsetBits+1] & ~(stream_i & last);
  assign packet_o = {PacketBits{valid_o}} &
      PacketBits'(last ? packets_i - 1'b1 : (PacketBits+1)'(sum));

endmodule

`default_nettype wire
