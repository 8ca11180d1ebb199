// SPDX-License-Identifier: Apache-2.0
// multistage_network_token_properties: a token that enters the network leaves exactly once, on
// time.
//
//  1. If one lane carries a token and the others carry nothing, exactly one lane carries a token
//     Latency cycles later.
//  2. If no lane carries a token, no lane does Latency cycles later: no token is invented.
//
// For any table contents, writes and fetches; a token may enter in any cycle, on any lane. The
// clock enable is high, as in a run.
`default_nettype none

module multistage_network_token_properties #(
  parameter int Ports     = 0,
  parameter int Pipe      = 1,
  parameter int Pad       = 0,
  parameter int Rows      = 2,
  parameter int Log2Ports = $clog2(Ports),
  parameter int Stages    = 2 * Log2Ports - 1,
  parameter int BankBits = Stages > 1 ? $clog2(Stages) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int Latency   = (Pipe == 0 ? 0 : Stages / (Pipe == 0 ? 1 : Pipe)) + Pad
) (
  input  wire                 clk_i,
  input  wire                 fetch_i,
  input  wire [RowBits-1:0]   setting_index_i,
  input  wire                 token_i,
  input  wire [Log2Ports-1:0] lane_i,
  input  wire                 host_we_table_i,
  input  wire                 host_re_memory_i,
  input  wire [BankBits-1:0] host_bank_i,
  input  wire [RowBits-1:0]   host_row_i,
  input  wire [31:0]          host_data_i,
  output wire                 cover_moved_o
);

  wire [Ports-1:0] tokens = Ports'(token_i) << lane_i;
  wire [Ports-1:0] lanes;

  rc_multistage_network #(.Ports(Ports), .Pipe(Pipe), .Pad(Pad), .LaneBits(1),
                          .Rows(Rows)) u_network (
    .clk_i, .ce_i(1'b1), .operation_i(3'd0), .fetch_i, .setting_index_i, .side_i(1'b0), .fetch_o(),
    .setting_index_o(), .side_o(),
    .lanes_i(tokens), .lanes_o(lanes),
    .host_we_table_i, .host_re_memory_i, .host_bank_i, .host_row_i, .host_column_i(1'b0),
    .host_data_i,
    .host_rdata_o()
  );

  // Whether a token entered 0 ... Latency cycles ago; age_q counts how many are valid.
  wire [Latency:0] entered;
  assign entered[0] = token_i;
  for (genvar c = 0; c < Latency; c++) begin : g_past
    logic token_q;
    always_ff @(posedge clk_i) token_q <= entered[c];
    assign entered[c+1] = token_q;
  end

  logic [7:0] age_q = '0;
  wire        flushed = age_q >= 8'(Latency);
  always_ff @(posedge clk_i) if (!flushed) age_q <= age_q + 1'b1;

  wire [Ports-1:0] but_one = lanes & (lanes - 1'b1);

  always_comb if (flushed) at_most_one: assert (but_one == '0);
  always_comb if (flushed) on_time: assert ((lanes != '0) == entered[Latency]);

  // Cover: a token enters on the first lane while an earlier one leaves on the last.
  assign cover_moved_o = flushed & lanes[Ports-1] & tokens[0];

endmodule

`default_nettype wire
