// SPDX-License-Identifier: Apache-2.0
// multistage_network_tag_properties: a tag realises the permutation that it represents.
//
// Lane j always carries the number j, without loss of generality
// (multistage_network_properties.sv). For the words that enter from the cycle after the fetch of a
// tag up to the cycle of the next fetch, Latency cycles later:
//
//  1. With tag {0, s}, the word from lane j is on lane (j + s) mod Ports.
//  2. With tag {1, c}, the word from lane j is on lane j xor c, if Ports is a power of two.
//
// Fetches occur in any cycles, with any tags. Computed settings therefore have the same effect as
// settings of a table for these permutations, because the permutation determines the lane of each
// word.
//
// Assumed: the value of a tag is below Ports; complements are used only if Ports is a power of two.
// The clock enable is high, as in a run.
`default_nettype none

module multistage_network_tag_properties #(
  parameter int Ports     = 0,
  parameter int Pipe      = 1,
  parameter int Pad       = 0,
  parameter int Log2Ports = $clog2(Ports),           // bits of a lane number; number of levels
  parameter int Stages    = 2 * Log2Ports - 1,
  parameter int BankBits = Stages > 1 ? $clog2(Stages) : 1,
  parameter int Latency   = (Pipe == 0 ? 0 : Stages / (Pipe == 0 ? 1 : Pipe)) + Pad
) (
  input  wire               clk_i,
  input  wire               fetch_i,
  input  wire [Log2Ports:0] side_i,
  output wire               cover_middle_o,
  output wire               cover_back_o,
  output wire               cover_complement_o
);

  localparam bit Power = Ports == 1 << Log2Ports;

  wire [Ports*Log2Ports-1:0] ids, lanes;

  for (genvar j = 0; j < Ports; j++) begin : g_id
    assign ids[j*Log2Ports +: Log2Ports] = Log2Ports'(j);
  end

  rc_multistage_network #(.Ports(Ports), .Pipe(Pipe), .Pad(Pad), .LaneBits(Log2Ports),
                          .Tags(1'b1)) u_network (
    .clk_i, .ce_i(1'b1), .operation_i(3'd0), .fetch_i, .setting_index_i(side_i), .side_i(1'b0),
    .fetch_o(), .side_o(), .setting_index_o(),
    .lanes_i(ids), .lanes_o(lanes),
    .host_we_table_i(1'b0), .host_re_memory_i(1'b0), .host_bank_i({BankBits{1'b0}}),
    .host_row_i({(Log2Ports+1){1'b0}}), .host_column_i(1'b0), .host_data_i('0), .host_rdata_o()
  );

  always_comb if (fetch_i) assume (32'(side_i[Log2Ports-1:0]) < Ports &&
      (Power || !side_i[Log2Ports]));

  // {a tag was fetched, last tag} for the words that entered 0 ... Latency cycles ago.
  localparam int Bits = Log2Ports + 2;
  wire  [(Latency+1)*Bits-1:0] tags;
  logic                        fetched_q = 1'b0;
  logic [Log2Ports:0]          tag_q;

  always_ff @(posedge clk_i) begin
    if (fetch_i) fetched_q <= 1'b1;
    if (fetch_i) tag_q <= side_i;
  end
  assign tags[Bits-1:0] = {fetched_q, tag_q};
  for (genvar c = 0; c < Latency; c++) begin : g_past
    logic [Bits-1:0] past_q = '0;
    always_ff @(posedge clk_i) past_q <= tags[c*Bits +: Bits];
    assign tags[(c+1)*Bits +: Bits] = past_q;
  end

  wire                 steered, complement;
  wire [Log2Ports-1:0] value;
  assign {steered, complement, value} = tags[Latency*Bits +: Bits];

  // The number on a lane determines the lane to which its word should move.
  wire [Ports-1:0] wrong;
  for (genvar o = 0; o < Ports; o++) begin : g_lane
    wire [31:0] number  = 32'(lanes[o*Log2Ports +: Log2Ports]);
    wire [31:0] shifted = number + 32'(value) - ((number + 32'(value) >= Ports) ? Ports : 0);
    wire [31:0] crossed = number ^ 32'(value);
    assign wrong[o] = (complement ? crossed : shifted) != o;
  end

  always_comb if (steered) to_its_lane: assert (wrong == '0);

  // Covers: all words are shifted by half the lanes; words are shifted back by one while the words
  // after them are shifted forward by one; all bits of all lane numbers are complemented.
  wire [Bits-1:0] before = tags[(Latency-1)*Bits +: Bits];

  assign cover_middle_o     = steered && !complement && 32'(value) == Ports / 2;
  assign cover_back_o       = steered && !complement && 32'(value) == Ports - 1 &&
      lanes[Log2Ports-1:0] == Log2Ports'(1) &&
                              before == {1'b1, 1'b0, Log2Ports'(1)};
  assign cover_complement_o = steered && complement && value == '1 && lanes[Log2Ports-1:0] == '1;

endmodule

`default_nettype wire
