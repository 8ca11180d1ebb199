// SPDX-License-Identifier: Apache-2.0
// multistage_network_mask_properties: with masks a Benes network does affine maps of its lanes, for
// any table contents, writes and fetches.
//
// Lane j always carries the number j (multistage_network_properties.sv). Of what is on the lanes
// Latency cycles later,
//
//  1. the number on lane o is that on lane 0, xor for each bit j of o what the numbers on lanes 0
//     and 2^j differ in;
//  2. the differences of lanes 0 and 2^j are Log2Ports vectors without a sum that is 0, so the
//     Ports numbers are distinct.
//
// That is o = A x + c of the lane x from which the word has come, A a matrix of bits that has an
// inverse. Which masks make a given map is for sched/route/affine.c;
// tests/unit/sched/route/test_masks.c tries all maps of N = 2 ... 16. The clock enable is high,
// as it is in a run.
`default_nettype none

module multistage_network_mask_properties #(
  parameter int Ports     = 0,
  parameter int Rows      = 2,
  parameter int Log2Ports = $clog2(Ports),           // of a lane, and levels
  parameter int Stages    = 2 * Log2Ports - 1,
  parameter int UnitBits = Stages > 1 ? $clog2(Stages) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int Latency   = Stages
) (
  input  wire                 clk_i,
  input  wire                 fetch_i,
  input  wire [RowBits-1:0]   setting_index_i,
  input  wire                 host_we_table_i,
  input  wire                 host_re_memory_i,
  input  wire [UnitBits-1:0] host_unit_i,
  input  wire [RowBits-1:0]   host_row_i,
  input  wire [31:0]          host_data_i,
  output wire                 cover_reversed_o,
  output wire                 cover_sums_o
);

  wire [Ports*Log2Ports-1:0] ids, lanes;

  for (genvar j = 0; j < Ports; j++) begin : g_id
    assign ids[j*Log2Ports +: Log2Ports] = Log2Ports'(j);
  end

  rc_multistage_network #(.Ports(Ports), .LaneBits(Log2Ports), .Masks(1'b1),
                          .Rows(Rows)) u_network (
    .clk_i, .ce_i(1'b1), .fetch_i, .setting_index_i, .side_i(1'b0),
    .fetch_o(), .side_o(), .setting_index_o(),
    .lanes_i(ids), .lanes_o(lanes),
    .host_we_table_i, .host_re_memory_i, .host_unit_i, .host_row_i, .host_column_i(1'b0),
    .host_data_i,
    .host_rdata_o()
  );

  logic [7:0] age_q = '0;
  wire        flushed = age_q >= 8'(Latency);
  always_ff @(posedge clk_i) if (!flushed) age_q <= age_q + 1'b1;

  wire [Log2Ports-1:0]           constant = lanes[Log2Ports-1:0];
  wire [Log2Ports*Log2Ports-1:0] columns;
  wire [Ports*Log2Ports-1:0]     sums;
  wire [Ports-1:0]               wrong, none;

  for (genvar j = 0; j < Log2Ports; j++) begin : g_column
    assign columns[j*Log2Ports +: Log2Ports] = lanes[(1<<j)*Log2Ports +: Log2Ports] ^ constant;
  end

  // Lane o's sum of the columns of its bits adds one column to that of o without its lowest bit.
  assign sums[Log2Ports-1:0] = '0;
  assign none[0]             = 1'b0;
  for (genvar o = 1; o < Ports; o++) begin : g_sum
    assign sums[o*Log2Ports +: Log2Ports] =
        sums[(o&(o-1))*Log2Ports +: Log2Ports] ^ columns[$clog2(o&-o)*Log2Ports +: Log2Ports];
    assign none[o] = sums[o*Log2Ports +: Log2Ports] == '0;
  end

  for (genvar o = 0; o < Ports; o++) begin : g_lane
    assign wrong[o] =
        lanes[o*Log2Ports +: Log2Ports] != (sums[o*Log2Ports +: Log2Ports] ^ constant);
  end

  always_comb if (flushed) affine: assert (wrong == '0);
  always_comb if (flushed) distinct: assert (none == '0);

  // Interesting: every lane has the word of the lane whose number has the same bits, from the last
  // to the first; of its number's Gray code, o xor o / 2.
  wire [Ports*Log2Ports-1:0] reversed, sums_of_two;
  for (genvar o = 0; o < Ports; o++) begin : g_cover
    for (genvar j = 0; j < Log2Ports; j++) begin : g_bit
      assign reversed[o*Log2Ports + j] = 1'(o >> (Log2Ports - 1 - j));
    end
    assign sums_of_two[o*Log2Ports +: Log2Ports] = Log2Ports'(o ^ (o >> 1));
  end
  assign cover_reversed_o = flushed && lanes == reversed;
  assign cover_sums_o     = flushed && lanes == sums_of_two;

endmodule

`default_nettype wire
