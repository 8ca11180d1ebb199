// SPDX-License-Identifier: Apache-2.0
// cube_auto_remainder_properties: the remainder of a number that is divided digit by digit.
//
//  1. From Cycles+1 cycles after a start until the next start, remainder_o is the remainder of
//     value_i at the start, whatever value_i is afterwards, and whatever computation was
//     interrupted before.
//
// For a power of two start_i is not used: remainder_o is the remainder of value_i in each cycle.
`default_nettype none

module cube_auto_remainder_properties #(
  parameter int Divisor = 3,
  parameter int Bits    = 5,
  parameter int Cycles  = 4
) (
  input  wire            clk_i,
  input  wire            start_i,
  input  wire [Bits-1:0] value_i,
  output wire            cover_last_o,
  output wire            cover_again_o
);

  localparam int RemainderBits = Divisor > 1 ? $clog2(Divisor) : 1;
  localparam bit Power         = (Divisor & (Divisor - 1)) == 0;
  localparam int AgeBits       = $clog2(Cycles + 2);

  wire [RemainderBits-1:0] remainder;

  rc_cube_auto_remainder #(.Divisor(Divisor), .Bits(Bits), .Cycles(Cycles)) u_remainder (
    .clk_i, .start_i, .value_i, .remainder_o(remainder)
  );

  // Cycles since the last start, and value_i at the start.
  logic               started_q = 1'b0;
  logic [AgeBits-1:0] age_q = '0;
  logic [Bits-1:0]    value_q = '0;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      started_q <= 1'b1;
      age_q     <= '0;
      value_q   <= value_i;
    end else if (32'(age_q) < Cycles) age_q <= age_q + 1'b1;
  end

  wire            known = Power || (started_q && 32'(age_q) == Cycles);
  wire [Bits-1:0] value = Power ? value_i : value_q;

  always_comb if (known) assert (32'(remainder) == 32'(value) % Divisor);

  // Covers: the largest number; a start that interrupts a computation.
  logic cut_q = 1'b0;
  always_ff @(posedge clk_i) if (start_i && started_q && !known) cut_q <= 1'b1;

  assign cover_last_o  = known && value == '1 && 32'(remainder) == ((1 << Bits) - 1) % Divisor;
  assign cover_again_o = known && cut_q && remainder != '0;

endmodule

`default_nettype wire
