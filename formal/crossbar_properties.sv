// SPDX-License-Identifier: Apache-2.0
// crossbar_properties: the function of a crossbar, for any words, settings and clock enables.
//
//  1. An output delivers the word of the input that its field selects: field i + 1 selects input i.
//  2. It delivers zeros if its field is 0 or greater than the number of inputs.
//  3. A registered crossbar delivers the words of a cycle with clock enable in the next cycle;
//     without clock enable its outputs keep their words.
`default_nettype none

module crossbar_properties #(
  parameter int Inputs     = 0,
  parameter int Outputs    = 0,
  parameter bit Registered = 1,
  parameter int LaneBits   = 0,
  parameter int FieldBits  = $clog2(Inputs + 1)
) (
  input  wire                         clk_i,
  input  wire                         ce_i,
  input  wire [Outputs*FieldBits-1:0] setting_i,
  input  wire [Inputs*LaneBits-1:0]   lanes_i,
  output wire                         cover_all_o,
  output wire                         cover_kept_o
);

  wire [Outputs*LaneBits-1:0] lanes;

  rc_crossbar #(.Inputs(Inputs), .Outputs(Outputs), .Registered(Registered),
                .LaneBits(LaneBits)) u_crossbar (
    .clk_i, .ce_i, .setting_i, .lanes_i, .lanes_o(lanes)
  );

  // The reference, by inputs: each input adds its word to the outputs that select it.
  wire [Outputs*LaneBits-1:0] switched;
  for (genvar o = 0; o < Outputs; o++) begin : g_output
    wire [FieldBits-1:0] field = setting_i[o*FieldBits +: FieldBits];
    wire [(Inputs+1)*LaneBits-1:0] sum;
    assign sum[LaneBits-1:0] = '0;
    for (genvar i = 0; i < Inputs; i++) begin : g_input
      assign sum[(i+1)*LaneBits +: LaneBits] =
          sum[i*LaneBits +: LaneBits] |
              (32'(field) == i + 1 ? lanes_i[i*LaneBits +: LaneBits] : '0);
    end
    assign switched[o*LaneBits +: LaneBits] = sum[Inputs*LaneBits +: LaneBits];
  end

  // Cover: the first output delivers nothing; the second delivers the word of the last input, which
  // differs from that of the first input.
  wire all = lanes_i[(Inputs-1)*LaneBits +: LaneBits] != '0 &&
             lanes_i[(Inputs-1)*LaneBits +: LaneBits] != lanes_i[LaneBits-1:0] &&
             setting_i[FieldBits-1:0] == '0 && 32'(setting_i[FieldBits +: FieldBits]) == Inputs;

  if (Registered) begin : g_register
    logic                       past_q = 1'b0;       // the registers below hold the cycle before
    logic [Outputs*LaneBits-1:0] expected_q;
    logic                       all_q, kept_q;

    always_ff @(posedge clk_i) begin
      past_q     <= 1'b1;
      expected_q <= ce_i ? switched : lanes;
      all_q      <= ce_i & all;
      kept_q     <= past_q & ~ce_i & (switched != lanes);
    end

    always_comb if (past_q) as_switched: assert (lanes == expected_q);

    assign cover_all_o  = past_q & all_q;
    assign cover_kept_o = past_q & kept_q & (lanes != '0);
  end else begin : g_wire
    always_comb as_switched: assert (lanes == switched);

    assign cover_all_o  = all;
    assign cover_kept_o = 1'b1;
  end

endmodule

`default_nettype wire
