// SPDX-License-Identifier: Apache-2.0
// rc_computed_program: a computed program of an endpoint: an entry for each position in the setting
// period (rc_setting_counter.sv), from which rc_periodic_packet.sv computes the packet of a row.
//
//     Prefetch = 0    fetch_i reads the entry at row_i; base_i and excess_i follow one cycle later
//     Prefetch = 1    prefetch_i reads the entry of the next row; its base_i and excess_i are valid
//                     from the next cycle on; fetch_i registers its packet. prefetch_i is high one
//                     cycle after a start or a fetch, so fetches are two or more cycles apart.
//
// In both cases the packet is valid from the cycle after fetch_i to the next fetch_i. The sum, the
// comparison and the write enable of a packet memory in one cycle would be the longest path of a
// machine; endpoints therefore receive with Prefetch.
`default_nettype none
`include "../common/rc_require.svh"

module rc_computed_program #(
  parameter int Packets    = 2,                      // packets of the memory
  parameter int OffsetBits = 2,                      // bits of an offset, > PacketBits
  parameter int Entries    = 2,                      // positions, a power of two >= 2
  parameter int Prefetch   = 0,
  parameter bit [1023:0] Init = '0,                  // file of its initial contents (rc_initial.sv)
  localparam int PacketBits = $clog2(Packets),
  localparam int RowBits    = $clog2(Entries)
) (
  input  wire                   clk_i,
  input  wire                   fetch_i,
  input  wire                   prefetch_i,          // with Prefetch
  input  wire  [RowBits-1:0]    row_i,               // position; of a read of the host, its row
  input  wire  [OffsetBits-1:0] base_i,              // rc_periodic_packet.sv, with the next three
  input  wire  [OffsetBits:0]   excess_i,
  input  wire  [PacketBits-1:0] last_packet_i,
  input  wire                   stream_i,
  output wire                   valid_o,
  output wire  [PacketBits-1:0] packet_o,            // if not valid: 0 with Prefetch, else any
  // host port; used while the machine is idle
  input  wire                   host_strobe_i,       // a program of this kind is written
  input  wire                   host_we_i,           // this one
  input  wire  [RowBits-1:0]    host_row_i,
  input  wire  [OffsetBits:0]   host_data_i,
  input  wire                   host_re_memory_i,
  output wire  [OffsetBits:0]   word_o               // {valid, offset}, one cycle later
);

  `RC_REQUIRE(Entries, Entries >= 2 && (Entries & (Entries - 1)) == 0,
              "Entries must be a power of two, 2 or more")

  wire                  valid;
  wire [PacketBits-1:0] packet;

  rc_ram #(.Width(1 + OffsetBits), .Depth(Entries), .Init(Init)) u_entries (
    .clk_i,
    .strobe_i(host_strobe_i),
    .we_i(host_we_i),
    .waddr_i(host_row_i),
    .wdata_i(host_data_i),
    .re_i((Prefetch != 0 ? prefetch_i : fetch_i) | host_re_memory_i),
    .raddr_i(row_i),
    .rdata_o(word_o)
  );

  rc_periodic_packet #(.Packets(Packets), .OffsetBits(OffsetBits)) u_packet (
    .valid_i(word_o[OffsetBits]), .offset_i(word_o[OffsetBits-1:0]), .base_i, .excess_i,
    .last_packet_i, .stream_i, .valid_o(valid), .packet_o(packet)
  );

  if (Prefetch != 0) begin : g_prefetch
    logic                  valid_q;
    logic [PacketBits-1:0] packet_q;

    always_ff @(posedge clk_i) begin
      if (fetch_i) begin
        valid_q  <= valid;
        packet_q <= packet & {PacketBits{valid}};
      end
    end

    assign valid_o  = valid_q;
    assign packet_o = packet_q;
  end else begin : g_fetch
    assign valid_o  = valid;
    assign packet_o = packet;

    wire unused = &{1'b0, prefetch_i};
  end

endmodule

`default_nettype wire
