// SPDX-License-Identifier: Apache-2.0
// multistage_network_row_properties: the row of a word alone determines its path.
//
//  1. If the same words enter twice, Distance cycles apart, each for a fetch of the same row, and
//     the host does not access the tables meanwhile, then the same words leave twice, Distance
//     cycles apart. Rows fetched before, between and after, also in the next cycle, make no
//     difference: every stage applies the settings of a row exactly when its words pass, wherever
//     the pipeline registers are.
//
// For any table contents. The clock enable is high, as in a run.
`default_nettype none

module multistage_network_row_properties #(
  parameter int Kind      = 0,
  parameter int Ports     = 0,
  parameter int Pipe      = 1,
  parameter int Pad       = 0,
  parameter int Rows      = 2,
  parameter int Distance  = 2,
  parameter int Log2Ports = $clog2(Ports),
  parameter int Stages    = Kind == 3 ? 4 * Log2Ports - 3 : 2 * Log2Ports - 1,
  parameter int BankBits = Stages > 1 ? $clog2(Stages) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int Latency   = (Pipe == 0 ? 0 : Stages / (Pipe == 0 ? 1 : Pipe)) + Pad
) (
  input  wire                 clk_i,
  input  wire                 fetch_i,
  input  wire [RowBits-1:0]   setting_index_i,
  input  wire [Ports-1:0]     lanes_i,
  input  wire                 host_we_table_i,
  input  wire                 host_re_memory_i,
  input  wire [BankBits-1:0] host_bank_i,
  input  wire [RowBits-1:0]   host_row_i,
  input  wire [31:0]          host_data_i,
  output wire                 cover_between_o
);

  wire [Ports-1:0] lanes;

  rc_multistage_network #(.Kind(Kind), .Ports(Ports), .Pipe(Pipe), .Pad(Pad), .LaneBits(1),
                          .Rows(Rows)) u_network (
    .clk_i, .ce_i(1'b1), .operation_i(3'd0), .fetch_i, .setting_index_i, .side_i(1'b0), .fetch_o(),
    .setting_index_o(), .side_o(),
    .lanes_i, .lanes_o(lanes),
    .host_we_table_i, .host_re_memory_i, .host_bank_i, .host_row_i, .host_column_i(1'b0),
    .host_data_i,
    .host_rdata_o()
  );

  // Signals of 0 ... Depth cycles ago: {host, fetch, row, words in, words out}.
  localparam int Depth = Latency + Distance + 1;
  localparam int Bits  = 2 + RowBits + 2 * Ports;
  wire [(Depth+1)*Bits-1:0] seen;
  assign seen[Bits-1:0] = {host_we_table_i | host_re_memory_i, fetch_i, setting_index_i, lanes_i,
      lanes};
  for (genvar c = 0; c < Depth; c++) begin : g_past
    logic [Bits-1:0] seen_q;
    always_ff @(posedge clk_i) seen_q <= seen[c*Bits +: Bits];
    assign seen[(c+1)*Bits +: Bits] = seen_q;
  end

  logic [7:0] age_q = '0;
  wire        known = age_q >= 8'(Depth);
  always_ff @(posedge clk_i) if (!known) age_q <= age_q + 1'b1;

  wire [Depth:0] host;
  for (genvar c = 0; c <= Depth; c++) begin : g_host
    assign host[c] = seen[c*Bits + Bits - 1];
  end

  // The second words entered Latency cycles ago, one cycle after their fetch.
  localparam int Second = Latency, First = Latency + Distance;
  wire [RowBits:0]   fetch1 = seen[(First+1)*Bits + 2*Ports +: RowBits+1];
  wire [RowBits:0]   fetch2 = seen[(Second+1)*Bits + 2*Ports +: RowBits+1];
  wire [Ports-1:0]   words1 = seen[First*Bits + Ports +: Ports];
  wire [Ports-1:0]   words2 = seen[Second*Bits + Ports +: Ports];
  wire               twice  = known && host == '0 && fetch1[RowBits] && fetch1 == fetch2 &&
      words1 == words2;

  always_comb if (twice) same_row_same_path: assert (lanes == seen[Distance*Bits +: Ports]);

  // Cover: between the two, another row routed the same words differently.
  wire [RowBits:0] fetch_between = seen[(Second+2)*Bits + 2*Ports +: RowBits+1];
  wire [Ports-1:0] words_between = seen[(Second+1)*Bits + Ports +: Ports];
  assign cover_between_o = twice && fetch_between[RowBits] && fetch_between != fetch1 &&
                           words_between == words1 && seen[Bits +: Ports] != lanes;

endmodule

`default_nettype wire
