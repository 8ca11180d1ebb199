// SPDX-License-Identifier: Apache-2.0
// multistage_network_mask_properties: with masks, a Benes network realises affine maps of its
// lanes, for any table contents, writes and fetches.
//
// Lane j always carries the number j (multistage_network_properties.sv). Latency cycles later:
//
//  1. The number on lane o is the number on lane 0, xor, for each one bit j of o, the difference
//     of the numbers on lanes 0 and 2^j.
//  2. The differences of lanes 0 and 2^j are Log2Ports linearly independent vectors, so the Ports
//     numbers are distinct.
//
// Therefore o = A x + c, where x is the lane from which the word comes and A is an invertible
// matrix of bits. sched/route/affine.c computes the masks for a given map;
// tests/unit/sched/route/test_masks.c checks all maps of N = 2 ... 16. The clock enable is high, as
// in a run.
`default_nettype none

module multistage_network_mask_properties #(
  parameter int Ports     = 0,
  parameter int Rows      = 2,
  parameter int Log2Ports = $clog2(Ports),           // bits of a lane number; number of levels
  parameter int Stages    = 2 * Log2Ports - 1,
  parameter int BankBits = Stages > 1 ? $clog2(Stages) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int Latency   = Stages
) (
  input  wire                 clk_i,
  input  wire                 fetch_i,
  input  wire [RowBits-1:0]   setting_index_i,
  input  wire                 host_we_table_i,
  input  wire                 host_re_memory_i,
  input  wire [BankBits-1:0] host_bank_i,
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
    .clk_i, .ce_i(1'b1), .operation_i(3'd0), .fetch_i, .setting_index_i, .side_i(1'b0),
    .fetch_o(), .side_o(), .setting_index_o(),
    .lanes_i(ids), .lanes_o(lanes),
    .host_we_table_i, .host_re_memory_i, .host_bank_i, .host_row_i, .host_column_i(1'b0),
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

  // Sum of the columns of the one bits of o: that of o without its lowest one bit, and one column.
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

  // Covers: every lane carries the number with its own bits in reverse order; every lane carries
  // the Gray code of its number, o xor o / 2.
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
