// SPDX-License-Identifier: Apache-2.0
// rc_cube_auto_remainder: remainder of a division by a constant, computed digit by digit from the
// highest, in at most Cycles cycles; for a power of two, combinational.
//
//     t                start_i, value_i
//     t+1+Cycles ...   remainder_o is valid until the next start; for a power of two it belongs to
//                      value_i in every cycle
//
// A 1 follows the digits; the computation ends when it is the only digit left. A digit has the
// smallest number of bits that meets Cycles.
`default_nettype none
`include "../common/rc_require.svh"

module rc_cube_auto_remainder #(
  parameter int Divisor = 1,                         // >= 1
  parameter int Bits    = 1,                         // bits of the value, >= 1
  parameter int Cycles  = 1,                         // >= 1
  localparam int RemainderBits = Divisor > 1 ? $clog2(Divisor) : 1
) (
  input  wire                     clk_i,
  input  wire                     start_i,
  input  wire [Bits-1:0]          value_i,
  output wire [RemainderBits-1:0] remainder_o
);

  `RC_REQUIRE(Divisor, Divisor >= 1, "Divisor must be 1 or more")
  `RC_REQUIRE(Bits, Bits >= 1, "Bits must be 1 or more")
  `RC_REQUIRE(Cycles, Cycles >= 1, "Cycles must be 1 or more")

  if ((Divisor & (Divisor - 1)) == 0) begin : g_bits
    assign remainder_o = RemainderBits'(value_i) & RemainderBits'(Divisor - 1);

    wire unused = &{1'b0, clk_i, start_i, value_i};
  end else begin : g_digits
    localparam int DigitBits = (Bits + Cycles - 1) / (Cycles < 1 ? 1 : Cycles);
    localparam int Digits    = (Bits + DigitBits - 1) / (DigitBits < 1 ? 1 : DigitBits);
    localparam int RestBits  = Digits * DigitBits;
    localparam int StepBits  = RemainderBits + DigitBits;
    localparam bit [DigitBits-1:0] End = DigitBits'(1) << (DigitBits - 1);

    logic [RestBits+DigitBits-1:0] rest_q;           // remaining digits, then a 1
    logic [RemainderBits-1:0]      remainder_q;      // remainder of the digits so far
    wire  [RemainderBits-1:0]      after [1 << StepBits];  // {remainder before, digit}

    for (genvar x = 0; x < 1 << StepBits; x++) begin : g_after
      assign after[x] = RemainderBits'(x % Divisor);
    end

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        rest_q      <= {RestBits'(value_i), End};
        remainder_q <= '0;
      end else if (rest_q[RestBits-1:0] != '0) begin
        rest_q      <= rest_q << DigitBits;
        remainder_q <= after[{remainder_q, rest_q[RestBits +: DigitBits]}];
      end
    end

    assign remainder_o = remainder_q;
  end

endmodule

`default_nettype wire
