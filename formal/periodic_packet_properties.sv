// SPDX-License-Identifier: Apache-2.0
// periodic_packet_properties: the packet that an entry of a computed program denotes, for all
// inputs, in integer arithmetic.
//
// The offset of an entry is a number in two's complement: offset_i or offset_i - 2^OffsetBits. Sum
// is this number plus the base.
//
//  1. An entry denotes a packet exactly if it is valid and the sum is not negative.
//  2. The packet is min(sum, packets - 1).
//  3. In a stream an entry whose sum is `packets` or more denotes no packet.
//
// Assumed: packets_i is 1 ... Packets; excess_i is base_i - packets and last_packet_i packets - 1.
`default_nettype none

module periodic_packet_properties #(
  parameter int Packets    = 0,
  parameter int OffsetBits = 0,
  parameter int PacketBits = $clog2(Packets)
) (
  input  wire                  valid_i,
  input  wire [OffsetBits-1:0] offset_i,
  input  wire [OffsetBits-1:0] base_i,
  input  wire [PacketBits:0]   packets_i,
  input  wire                  stream_i,
  output wire                  cover_before_o,
  output wire                  cover_first_o,
  output wire                  cover_inside_o,
  output wire                  cover_after_o
);

  wire                  valid;
  wire [PacketBits-1:0] packet;

  rc_periodic_packet #(.Packets(Packets), .OffsetBits(OffsetBits)) u_packet (
    .valid_i, .offset_i, .base_i, .excess_i((OffsetBits+1)'(base_i) - (OffsetBits+1)'(packets_i)),
    .last_packet_i(PacketBits'(packets_i - 1'b1)), .stream_i, .valid_o(valid), .packet_o(packet)
  );

  int number, sum, packets;

  always_comb begin
    packets = 32'(packets_i);
    number  = 32'(offset_i);
    if (number >= (1 << (OffsetBits - 1))) number = number - (1 << OffsetBits);
    sum = number + 32'(base_i);
  end

  always_comb begin
    assume (packets >= 1 && packets <= Packets);
    if (!valid_i || sum < 0) none: assert (!valid);
    else if (sum < packets) inside: assert (valid && 32'(packet) == sum);
    else if (stream_i) after_stream: assert (!valid);
    else after: assert (valid && 32'(packet) == packets - 1);
  end

  assign cover_before_o = valid_i && sum == -1;
  assign cover_first_o  = valid && number < 0 && sum == 0;
  assign cover_inside_o = valid && number > 0 && sum == Packets - 2 && sum == packets - 2;
  assign cover_after_o = valid && sum == (1 << (OffsetBits - 1)) - 1 + (1 << OffsetBits) - 1;

endmodule

`default_nettype wire
