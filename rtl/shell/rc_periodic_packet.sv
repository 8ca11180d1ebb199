// SPDX-License-Identifier: Apache-2.0
// rc_periodic_packet: the packet that an entry of a computed program denotes.
//
// An entry is an offset in two's complement. The packet is offset + base, where base belongs to the
// repetition of the setting period (rc_setting_counter.sv). A negative sum denotes no packet; a sum
// beyond the last packet denotes the last one. (sched/machine/machine_address.h: machine_computed.)
//
// The sum is beyond the last packet if the offset and base - packets are 0 or more together.
// excess_i is this difference, so that the comparison does not wait for the sum. It is an addition,
// which inverts no input.
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
  input  wire  [OffsetBits:0]   excess_i,            // base_i - packets, in two's complement
  input  wire  [PacketBits-1:0] last_packet_i,       // packets - 1
  input  wire                   stream_i,            // there is no packet after the last
  output wire                   valid_o,
  output wire  [PacketBits-1:0] packet_o             // any if not valid
);

  `RC_REQUIRE(OffsetBits, OffsetBits > PacketBits, "OffsetBits must be above PacketBits")

  // Two additional bits, for carry and sign, make sum and difference exact.
  wire [OffsetBits+1:0] offset = {{2{offset_i[OffsetBits-1]}}, offset_i};
  wire [OffsetBits+1:0] sum    = offset + {2'b0, base_i};
  wire [OffsetBits+1:0] over   = offset + {excess_i[OffsetBits], excess_i};
  wire                  last   = ~over[OffsetBits+1];

  assign valid_o  = valid_i & ~sum[OffsetBits+1] & ~(stream_i & last);
  assign packet_o = last ? last_packet_i : PacketBits'(sum);

  wire unused = &{1'b0, sum, over};

endmodule

`default_nettype wire
