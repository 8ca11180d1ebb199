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
//
// With 8 inputs, the LUT that joins the two halves of the inputs has a free input of 4, or four of
// 6, and clears the bit itself: three LUTs of 6 inputs or five of 4, and no reset, whose wires are
// slow. The attribute keeps the halves apart; otherwise Yosys moves the clearing into both halves,
// for one more LUT of 4 inputs per bit.
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
  localparam bit LowBits   = Inputs >= 4 && (Inputs & (Inputs - 1)) == 0;
  localparam int IndexBits = LowBits ? $clog2(Inputs) : FieldBits;
  localparam bit Halves    = Inputs == 8;
  localparam bit Clears    = LowBits && !Halves;

  wire [LaneBits-1:0] given [1 << IndexBits];

  for (genvar f = 0; f < 1 << IndexBits; f++) begin : g_field
    localparam int Field = LowBits && f == 0 ? Inputs : f;    // the field with these low bits
    if (Field >= 1 && Field <= Inputs) begin : g_input
      assign given[f] = lanes_i[(Field-1)*LaneBits +: LaneBits];
    end else begin : g_nothing
      assign given[f] = '0;
    end
  end

  for (genvar o = 0; o < Outputs; o++) begin : g_output
    logic [LaneBits-1:0] lane;

    wire [FieldBits-1:0] field   = setting_i[o*FieldBits +: FieldBits];
    wire [IndexBits-1:0] index   = field[IndexBits-1:0];
    wire                 nothing = LowBits && (field == '0 || field > FieldBits'(Inputs));
    wire [LaneBits-1:0]  selected;

    if (Halves) begin : g_halves
      (* keep *) wire [LaneBits-1:0] lower_lane;
      (* keep *) wire [LaneBits-1:0] upper_lane;
      wire [LaneBits-1:0] upper = {LaneBits{index[IndexBits-1]}};

      assign lower_lane = given[{1'b0, index[IndexBits-2:0]}];
      assign upper_lane = given[{1'b1, index[IndexBits-2:0]}];
      assign selected = (upper & (upper_lane ^ lower_lane) ^ lower_lane) & {LaneBits{~nothing}};
    end else begin : g_one
      assign selected = given[index];
    end

    if (Registered) begin : g_register
      wire clear = Clears & nothing & ce_i;

      always_ff @(posedge clk_i) begin
        if (clear) lane <= '0;
        else if (ce_i) lane <= selected;
      end
    end else begin : g_wire
      assign lane = Clears && nothing ? '0 : selected;
    end

    assign lanes_o[o*LaneBits +: LaneBits] = lane;
  end

  if (!Registered) begin : g_unregistered
    wire unused = &{1'b0, clk_i, ce_i};
  end

endmodule

`default_nettype wire
