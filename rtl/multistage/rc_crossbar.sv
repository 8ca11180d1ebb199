// SPDX-License-Identifier: Apache-2.0
// rc_crossbar: a crossbar switch, the element of a Clos network. Each output delivers any one of
// the inputs, or nothing.
//
//     field of output o  0: nothing (zeros)  1 ... Inputs: input field - 1  greater: nothing
//
// Several outputs may deliver the same input. As in rc_switch2.sv, there is no back-pressure, and
// each output register belongs to a lane. An output selects an element of an array by the low bits
// of its field, so that a simulator compiles no branches. If Inputs is a power of two, these bits
// alone identify the input, and the register is cleared for nothing: with 4 inputs a bit then needs
// one LUT of 6 inputs, or two of 4.
`default_nettype none
`include "../common/rc_require.svh"

module rc_crossbar #(
  parameter int Inputs     = 1,                      // >= 1
  parameter int Outputs    = 1,                      // >= 1
  parameter bit Registered = 1,                      // pipeline register at each output
  parameter int LaneBits   = 1,                      // bits of a lane: word and valid bit, >= 1
  localparam int FieldBits = rc_multistage_shape::field_bits(Inputs)
) (
  input  wire                         clk_i,
  input  wire                         ce_i,          // clock enable of the registers
  input  wire [Outputs*FieldBits-1:0] setting_i,
  input  wire [Inputs*LaneBits-1:0]   lanes_i,
  output wire [Outputs*LaneBits-1:0]  lanes_o
);

  `RC_REQUIRE(Inputs, Inputs >= 1, "Inputs must be 1 or more")
  `RC_REQUIRE(Outputs, Outputs >= 1, "Outputs must be 1 or more")
  `RC_REQUIRE(LaneBits, LaneBits >= 1, "LaneBits must be 1 or more")

  // 2 inputs and their field fit in one LUT without clearing.
  localparam bit Clears    = Inputs >= 4 && (Inputs & (Inputs - 1)) == 0;
  localparam int IndexBits = Clears ? $clog2(Inputs) : FieldBits;

  wire [LaneBits-1:0] given [1 << IndexBits];

  for (genvar f = 0; f < 1 << IndexBits; f++) begin : g_field
    localparam int Field = Clears && f == 0 ? Inputs : f;     // the field with these low bits
    if (Field >= 1 && Field <= Inputs) begin : g_input
      assign given[f] = lanes_i[(Field-1)*LaneBits +: LaneBits];
    end else begin : g_nothing
      assign given[f] = '0;
    end
  end

  for (genvar o = 0; o < Outputs; o++) begin : g_output
    logic [LaneBits-1:0] lane;

    wire [FieldBits-1:0] field   = setting_i[o*FieldBits +: FieldBits];
    wire                 nothing = Clears && (field == '0 || field > FieldBits'(Inputs));

    if (Registered) begin : g_register
      wire clear = nothing & ce_i;

      always_ff @(posedge clk_i) begin
        if (clear) lane <= '0;
        else if (ce_i) lane <= given[field[IndexBits-1:0]];
      end
    end else begin : g_wire
      assign lane = nothing ? '0 : given[field[IndexBits-1:0]];
    end

    assign lanes_o[o*LaneBits +: LaneBits] = lane;
  end

  if (!Registered) begin : g_unregistered
    wire unused = &{1'b0, clk_i, ce_i};
  end

endmodule

`default_nettype wire
