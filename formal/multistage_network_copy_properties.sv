// SPDX-License-Identifier: Apache-2.0
// multistage_network_copy_properties: the words that a multicast network delivers, for any table
// contents, writes, fetches and words.
//
//  1. Every output delivers a complete word that entered on some lane exactly Latency cycles
//     before. No word is invented: if no input sends, all outputs deliver zeros.
//  2. Row, tag and fetch leave Latency cycles after they enter, unchanged.
//
// The row determines which of the words an output delivers (multistage_network_row_properties.sv,
// stage_properties.sv). The clock enable is high, as in a run.
`default_nettype none

module multistage_network_copy_properties #(
  parameter int Ports     = 0,
  parameter int Pipe      = 1,
  parameter int Pad       = 0,
  parameter int LaneBits  = 0,
  parameter int Rows      = 2,
  parameter int Stages    = 4 * $clog2(Ports) - 3,
  parameter int BankBits = Stages > 1 ? $clog2(Stages) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int Latency   = (Pipe == 0 ? 0 : Stages / (Pipe == 0 ? 1 : Pipe)) + Pad
) (
  input  wire                      clk_i,
  input  wire                      fetch_i,
  input  wire [RowBits-1:0]        setting_index_i,
  input  wire                      side_i,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  input  wire                      host_we_table_i,
  input  wire                      host_re_memory_i,
  input  wire [BankBits-1:0]      host_bank_i,
  input  wire [RowBits-1:0]        host_row_i,
  input  wire [31:0]               host_data_i,
  output wire                      cover_one_to_all_o,
  output wire                      cover_twice_o
);

  localparam int WaveBits = RowBits + 2;

  wire [Ports*LaneBits-1:0] lanes;
  wire [WaveBits-1:0]       wave;

  rc_multistage_network #(.Kind(3), .Ports(Ports), .Pipe(Pipe), .Pad(Pad), .LaneBits(LaneBits),
                          .Rows(Rows)) u_network (
    .clk_i, .ce_i(1'b1), .operation_i(3'd0), .fetch_i, .setting_index_i, .side_i,
    .fetch_o(wave[0]), .side_o(wave[1]), .setting_index_o(wave[WaveBits-1:2]),
    .lanes_i, .lanes_o(lanes),
    .host_we_table_i, .host_re_memory_i, .host_bank_i, .host_row_i, .host_column_i(1'b0),
    .host_data_i,
    .host_rdata_o()
  );

  // {wave, words} that entered 0 ... Latency cycles ago; age_q counts how many are valid.
  localparam int Bits = WaveBits + Ports * LaneBits;
  wire [(Latency+1)*Bits-1:0] past;
  assign past[Bits-1:0] = {setting_index_i, side_i, fetch_i, lanes_i};
  for (genvar c = 0; c < Latency; c++) begin : g_past
    logic [Bits-1:0] past_q;
    always_ff @(posedge clk_i) past_q <= past[c*Bits +: Bits];
    assign past[(c+1)*Bits +: Bits] = past_q;
  end

  logic [7:0] age_q = '0;
  wire        flushed = age_q >= 8'(Latency);
  always_ff @(posedge clk_i) if (!flushed) age_q <= age_q + 1'b1;

  wire [WaveBits-1:0]       wave_entered;
  wire [Ports*LaneBits-1:0] entered;                 // the words that entered Latency cycles ago
  assign {wave_entered, entered} = past[Latency*Bits +: Bits];

  wire [Ports*Ports-1:0] same;                       // output o delivers the word of lane j
  wire [Ports-1:0]       made_up;
  for (genvar o = 0; o < Ports; o++) begin : g_output
    for (genvar j = 0; j < Ports; j++) begin : g_lane
      assign same[o*Ports+j] = lanes[o*LaneBits +: LaneBits] == entered[j*LaneBits +: LaneBits];
    end
    assign made_up[o] = same[o*Ports +: Ports] == '0;
  end

  always_comb if (flushed) of_some_lane: assert (made_up == '0);
  always_comb if (flushed) wavefront: assert (wave == wave_entered);

  // Covers: only the last lane sends, and all outputs deliver its word, directly after a cycle in
  // which the same held for the first lane; when all lanes send their numbers, each number of the
  // upper half is on two outputs, the highest on the first two.
  wire [Ports*LaneBits-1:0] first = {{((Ports-1)*LaneBits){1'b0}}, {LaneBits{1'b1}}};
  wire [Ports*LaneBits-1:0] last  = {{LaneBits{1'b1}}, {((Ports-1)*LaneBits){1'b0}}};
  wire [Ports*LaneBits-1:0] numbers, twice;
  for (genvar j = 0; j < Ports; j++) begin : g_number
    assign numbers[j*LaneBits +: LaneBits] = LaneBits'(j);
    assign twice[j*LaneBits +: LaneBits]   = LaneBits'(Ports - 1 - j / 2);
  end

  logic first_q = 1'b0;
  always_ff @(posedge clk_i) first_q <= flushed && entered == first && lanes == '1;

  assign cover_one_to_all_o = flushed && entered == last && lanes == '1 && first_q;
  assign cover_twice_o      = flushed && entered == numbers && lanes == twice;

endmodule

`default_nettype wire
