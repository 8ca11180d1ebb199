// SPDX-License-Identifier: Apache-2.0
// multistage_network_properties: the network realises a permutation, for any table contents, writes
// and fetches.
//
//  1. The words 0 ... Ports-1 that enter in one cycle leave Latency cycles later, each on one lane:
//     the outputs carry Ports distinct numbers below Ports. Lane j always carries the word j,
//     without loss of generality: stage_properties.sv proves that a stage moves words independently
//     of their values.
//  2. Row, tag and fetch leave Latency cycles after they enter, unchanged.
//
// The clock enable is high, as in a run.
`default_nettype none

module multistage_network_properties #(
  parameter int Kind      = 0,
  parameter int Ports     = 0,
  parameter int Pipe      = 1,
  parameter int Pad       = 0,
  parameter int Rows      = 2,
  parameter int Log2Ports = $clog2(Ports),           // bits of a lane number; number of levels
  parameter int Stages    = Kind == 1 ? Log2Ports : 2 * Log2Ports - 1,
  parameter int BankBits = Stages > 1 ? $clog2(Stages) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int Latency   = (Pipe == 0 ? 0 : Stages / (Pipe == 0 ? 1 : Pipe)) + Pad
) (
  input  wire                 clk_i,
  input  wire                 fetch_i,
  input  wire [RowBits-1:0]   setting_index_i,
  input  wire                 side_i,
  input  wire                 host_we_table_i,
  input  wire                 host_re_memory_i,
  input  wire [BankBits-1:0] host_bank_i,
  input  wire [RowBits-1:0]   host_row_i,
  input  wire [31:0]          host_data_i,
  output wire                 cover_moved_o
);

  localparam int WaveBits = RowBits + 2;

  wire [Ports*Log2Ports-1:0] ids, lanes;
  wire [WaveBits-1:0]        wave;

  for (genvar j = 0; j < Ports; j++) begin : g_id
    assign ids[j*Log2Ports +: Log2Ports] = Log2Ports'(j);
  end

  rc_multistage_network #(.Kind(Kind), .Ports(Ports), .Pipe(Pipe), .Pad(Pad), .LaneBits(Log2Ports),
                          .Rows(Rows)) u_network (
    .clk_i, .ce_i(1'b1), .operation_i(3'd0), .fetch_i, .setting_index_i, .side_i,
    .fetch_o(wave[0]), .side_o(wave[1]), .setting_index_o(wave[WaveBits-1:2]),
    .lanes_i(ids), .lanes_o(lanes),
    .host_we_table_i, .host_re_memory_i, .host_bank_i, .host_row_i, .host_column_i(1'b0),
    .host_data_i,
    .host_rdata_o()
  );

  // Wavefront of 0 ... Latency cycles ago; age_q counts how many entries are valid.
  wire [(Latency+1)*WaveBits-1:0] waves;
  assign waves[WaveBits-1:0] = {setting_index_i, side_i, fetch_i};
  for (genvar c = 0; c < Latency; c++) begin : g_past
    logic [WaveBits-1:0] wave_q;
    always_ff @(posedge clk_i) wave_q <= waves[c*WaveBits +: WaveBits];
    assign waves[(c+1)*WaveBits +: WaveBits] = wave_q;
  end

  logic [7:0] age_q = '0;
  wire        flushed = age_q >= 8'(Latency);
  always_ff @(posedge clk_i) if (!flushed) age_q <= age_q + 1'b1;

  wire [Ports*Ports-1:0] same;
  wire [Ports-1:0]       other;
  for (genvar a = 0; a < Ports; a++) begin : g_a
    for (genvar b = 0; b < Ports; b++) begin : g_b
      assign same[a*Ports+b] = a < b &&
          lanes[a*Log2Ports +: Log2Ports] == lanes[b*Log2Ports +: Log2Ports];
    end
    assign other[a] = 32'(lanes[a*Log2Ports +: Log2Ports]) >= Ports;
  end

  always_comb if (flushed) permutation: assert (same == '0 && other == '0);
  always_comb if (flushed) wavefront: assert (wave == waves[Latency*WaveBits +: WaveBits]);

  // Cover: each word moves to the lane of the opposite number; in an omega network, to the lane
  // before its own.
  wire [Ports*Log2Ports-1:0] moved;
  for (genvar j = 0; j < Ports; j++) begin : g_moved
    assign moved[j*Log2Ports +: Log2Ports] =
        Log2Ports'((Kind == 1) ? (j + 1) % Ports : Ports - 1 - j);
  end
  assign cover_moved_o = flushed && lanes == moved;

endmodule

`default_nettype wire
